/* SPDX-License-Identifier: MIT */
/*
 * A virtual machine with modelled GPUs: QEMU as a child, the accesses that it passes on (proxy.c),
 * and a shell in the guest that runs one command at a time (machine.c, with the guest's side in
 * init).
 */
#ifndef VM_MACHINE_H
#define VM_MACHINE_H

#include "gpu.h"

#include <sys/types.h>

#define GPUS_MAX 2

struct boot {
	const struct platform *platforms[GPUS_MAX];
	unsigned count;
	const char *kernel, *initrd;
	const char *append;		/* to the kernel's command line */
	const char *console;		/* file for the kernel's messages */
	const char *disk;		/* its image, which is not changed, or NULL */
	unsigned memory;		/* MiB */
	bool iommu;			/* the machine has one */
	double limit;			/* seconds until it is ready */
	void (*submitted)(struct gpu *gpu, void *data);	/* or NULL */
	void *submitted_data;
};

struct text {
	char *bytes;			/* NUL-terminated */
	size_t length;
};

struct reply {
	int status;
	struct text out, err;
	double time;
	bool shown;			/* for whoever looks into a failure */
};

struct machine {
	struct log log;
	struct gpu *gpus[GPUS_MAX];
	int sockets[GPUS_MAX];
	unsigned count;
	int agent, qtest, monitor;
	bool prompted;			/* the monitor has printed its first prompt */
	pid_t qemu;
	unsigned commands;		/* run since it was booted */
	double booted, used, deadline;	/* when; processor time before that; when to give up */
};

/* Both return NULL, or what went wrong. */
const char *machine_boot(struct machine *machine, const struct boot *boot);
const char *machine_run(struct machine *machine, const char *command, struct reply *reply);
/* It panics; returns when the kernel loaded for that is running. */
const char *machine_crash(struct machine *machine);
/* All of the guest's memory into a file, by QEMU; option: "-z", kdump-compressed, or "". */
const char *machine_dump(struct machine *machine, const char *option, const char *path);
/* Seconds of processor time, ours and QEMU's, since it was booted. */
double machine_used(const struct machine *machine);
void machine_stop(struct machine *machine);
void reply_clear(struct reply *reply);

/* Takes one message off the socket and answers it; false once the other side is gone. */
bool proxy_serve(struct gpu *gpu, int fd);

#endif
