/* SPDX-License-Identifier: MIT */
/*
 * QEMU's x-pci-proxy-dev, our end of it: config space and BAR accesses arrive as messages on a
 * socket, in the byte order of the host, one at a time. Guest memory arrives as file descriptors.
 */
#include "machine.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

enum command {
	SYNC_SYSMEM = 0, REPLY = 1, CONFIG_WRITE = 2, CONFIG_READ = 3, BAR_WRITE = 4, BAR_READ = 5,
	SET_IRQFD = 6, RESET = 7,
};

struct header {
	int32_t command;
	uint32_t pad;
	uint64_t size;
};

struct config_access {
	uint32_t address, value;
	int32_t length;
};

struct bar_access {
	uint64_t address, value;
	uint32_t size;
	uint8_t memory, pad[3];
};

struct system_memory {
	uint64_t start[RAM_REGIONS], size[RAM_REGIONS], offset[RAM_REGIONS];
};

union payload {
	struct config_access config;
	struct bar_access bar;
	struct system_memory memory;
};

struct descriptors {
	int fds[RAM_REGIONS];
	size_t count;
};

/*
 * Descriptors come with the first byte of a message. Most messages are accesses of a BAR, and come as
 * a whole. QEMU waits for their answer, so nothing of another message comes with them.
 */
static bool receive(int socket, struct header *header, union payload *payload,
		    struct descriptors *got)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(got->fds))];
	} control;
	struct iovec io[] = { { header, sizeof(*header) }, { payload, sizeof(payload->bar) } };
	struct msghdr message = { .msg_iov = io, .msg_iovlen = 2, .msg_control = &control,
				  .msg_controllen = sizeof(control) };
	struct cmsghdr *c;
	ssize_t length, rest;

	got->count = 0;
	length = recvmsg(socket, &message, MSG_CMSG_CLOEXEC) - (ssize_t)sizeof(*header);
	if (length < 0 || header->size > sizeof(*payload))
		return false;
	c = CMSG_FIRSTHDR(&message);
	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS) {
		got->count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		memcpy(got->fds, CMSG_DATA(c), got->count * sizeof(int));
	}
	rest = (ssize_t)header->size - length;
	return !rest || (rest > 0 && recv(socket, (char *)payload + length, (size_t)rest,
					  MSG_WAITALL) == rest);
}

static void unmap_memory(struct gpu *gpu)
{
	for (size_t i = 0; i < RAM_REGIONS; i++)
		if (gpu->ram[i].bytes)
			munmap(gpu->ram[i].bytes, gpu->ram[i].size);
	memset(gpu->ram, 0, sizeof(gpu->ram));
}

static void map_memory(struct gpu *gpu, const struct system_memory *memory,
		       const struct descriptors *got)
{
	unmap_memory(gpu);
	for (size_t i = 0; i < got->count; i++) {
		void *bytes = mmap(NULL, memory->size[i], PROT_READ | PROT_WRITE, MAP_SHARED,
				   got->fds[i], (off_t)memory->offset[i]);

		if (bytes != MAP_FAILED)
			gpu->ram[i] = (struct ram){ memory->start[i], memory->size[i], bytes };
	}
}

static uint64_t answer(struct gpu *gpu, int command, const union payload *p)
{
	switch (command) {
	case CONFIG_READ:
		return gpu_config_read(gpu, p->config.address, (unsigned)p->config.length);
	case CONFIG_WRITE:
		gpu_config_write(gpu, p->config.address, p->config.value,
				 (unsigned)p->config.length);
		return 0;
	case BAR_READ:
		return gpu_memory_read(gpu, p->bar.address, p->bar.size);
	case BAR_WRITE:
		gpu_memory_write(gpu, p->bar.address, p->bar.value, p->bar.size);
		return 0;
	case RESET:
		gpu_reset(gpu);
		return 0;
	default:
		return 0;
	}
}

static bool reply(int socket, uint64_t value)
{
	struct {
		struct header header;
		uint64_t value;
	} message = { { .command = REPLY, .size = sizeof(value) }, value };

	return send(socket, &message, sizeof(message), MSG_NOSIGNAL) == sizeof(message);
}

bool proxy_serve(struct gpu *gpu, int socket)
{
	struct descriptors got;
	struct header header;
	union payload payload = { 0 };

	if (!receive(socket, &header, &payload, &got))
		return false;
	if (header.command == SYNC_SYSMEM)
		map_memory(gpu, &payload.memory, &got);
	for (size_t i = 0; i < got.count; i++)
		close(got.fds[i]);
	if (header.command == SYNC_SYSMEM || header.command == SET_IRQFD)
		return true;
	return reply(socket, answer(gpu, header.command, &payload));
}
