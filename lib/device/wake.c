/* SPDX-License-Identifier: MIT */
/*
 * Most of the GT answers only while awake. The driver keeps it awake for whoever holds a file of
 * its debugfs directory open; without a driver the request registers do, one per domain.
 */
#include "device/internal.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define DEBUGFS_DRI "/sys/kernel/debug/dri"

/* Sandy Bridge's FORCEWAKE: one plain bit for everyone. All later ones are masked, a bit a user. */
#define GEN6_FORCEWAKE 0xa18c

/* i915 and xe use bit 0 for themselves and leave bit 1 to others. */
#define BIT_ALONE (1u << 0)
#define BIT_BESIDE_DRIVER (1u << 1)

#define ACK_LIMIT_NS 50000000
#define ACK_POLL_NS 20000

static int open_in(const char *directory)
{
	static const char *const files[] = { "i915_forcewake_user", "forcewake_all" };
	char path[PATH_MAX];
	int fd = -1;

	for (size_t i = 0; fd < 0 && i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), DEBUGFS_DRI "/%s/%s", directory, files[i]);
		fd = open(path, O_RDONLY | O_CLOEXEC);
	}
	return fd;
}

/* The directory has the name of the function or, before Linux 6.8, of the minor: "card0" is 0. */
static int driver_open(const char *bdf)
{
	char nodes[128];
	char *save, *node;
	int fd = open_in(bdf);

	sysfs_nodes(bdf, nodes, sizeof(nodes));
	for (node = strtok_r(nodes, " ", &save); fd < 0 && node; node = strtok_r(NULL, " ", &save))
		fd = open_in(node + strcspn(node, "0123456789"));
	return fd;
}

bool wake_by_driver(struct wake *wake)
{
	if (!wake->driver_tried)
		wake->driver_fd = driver_open(wake->bdf);
	wake->driver_tried = true;
	return wake->driver_fd >= 0;
}

static bool request_is_plain(const struct wake_request *request)
{
	return request->domain.request == GEN6_FORCEWAKE;
}

/* The page of a request register, mapped once for all domains that are requested in it. */
static enum gsc_status map_page(struct wake *wake, struct wake_request *request,
				const struct bar *bar, struct gsc_error *err)
{
	uint64_t size = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t start = request->domain.request & ~(size - 1);
	struct wake_page *page;

	for (size_t i = 0; i < wake->pages.count; i++) {
		request->page = i;
		if (wake->pages.items[i].start == start)
			return GSC_OK;
	}
	request->page = wake->pages.count;
	page = vec_add(&wake->pages);
	if (!page)
		return err_memory(err);
	page->start = start;
	return window_map(&page->window, wake->bdf, bar, start, size, true, err);
}

static enum gsc_status map_request(struct wake *wake, struct wake_request *request,
				   const struct bar *bar, struct gsc_error *err)
{
	const struct wake_page *page;
	enum gsc_status status;

	if (wake->bit != BIT_ALONE && request_is_plain(request))
		return err_set(err, GSC_FAILED, "--wake=registers",
			       "this platform's one forcewake bit belongs to the driver: use "
			       "--wake=driver");
	status = map_page(wake, request, bar, err);
	if (status)
		return status;
	page = &wake->pages.items[request->page];
	if (!window_holds(&page->window, request->domain.request - page->start, 4) ||
	    !window_holds(wake->registers, request->domain.ack, 4))
		return err_set(err, GSC_FAILED, "--wake=registers",
			       "the BAR ends before the forcewake registers");
	return GSC_OK;
}

enum gsc_status wake_prepare(struct wake *wake, const struct gsc_db *db, unsigned platform,
			     const struct bar *bar, struct gsc_error *err)
{
	struct wake_domain domain;
	enum gsc_status status = GSC_OK;
	char driver[32];

	wake->bit = sysfs_link(wake->bdf, "driver", driver, sizeof(driver)) ? BIT_BESIDE_DRIVER
									   : BIT_ALONE;
	for (unsigned i = 0; !status && platform_wake(db, platform, i, &domain); i++) {
		struct wake_request *request = vec_add(&wake->requests);

		if (!request)
			return err_memory(err);
		*request = (struct wake_request){ .domain = domain };
		if (wake->mode == GSC_WAKE_REGISTERS)
			status = map_request(wake, request, bar, err);
	}
	if (!status && !vec_reserve(&wake->held, wake->requests.count))
		status = err_memory(err);
	return status;
}

struct wake_request *wake_find(struct wake *wake, const char *domain)
{
	for (size_t i = 0; i < wake->requests.count; i++)
		if (!strcmp(wake->requests.items[i].domain.name, domain))
			return &wake->requests.items[i];
	return NULL;
}

uint32_t wake_acknowledged(const struct wake *wake, const struct wake_request *request)
{
	if (!window_holds(wake->registers, request->domain.ack, 4))
		return UINT32_MAX;
	return window_load32(wake->registers, request->domain.ack);
}

int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* All ones is no acknowledgement: nobody is there. */
static bool wait_acknowledged(const struct wake *wake, const struct wake_request *request,
			      uint32_t bit)
{
	const struct timespec pause = { .tv_nsec = ACK_POLL_NS };
	int64_t limit = now_ns() + ACK_LIMIT_NS;
	uint32_t acknowledged = wake_acknowledged(wake, request);

	while ((acknowledged == UINT32_MAX || !(acknowledged & bit)) && now_ns() < limit) {
		nanosleep(&pause, NULL);
		acknowledged = wake_acknowledged(wake, request);
	}
	return acknowledged != UINT32_MAX && (acknowledged & bit);
}

static void write_request(const struct wake *wake, const struct wake_request *request, bool on)
{
	const struct wake_page *page = &wake->pages.items[request->page];
	uint32_t value = on ? wake->bit : 0;

	if (!request_is_plain(request))
		value |= wake->bit << 16;
	window_store32(&page->window, request->domain.request - page->start, value);
	/* The read makes sure that the write has arrived. */
	wake_acknowledged(wake, request);
}

static bool take_by_registers(struct wake *wake, struct wake_request *request)
{
	if (request->tried)
		return request->held;
	request->tried = true;
	write_request(wake, request, true);
	request->held = wait_acknowledged(wake, request, wake->bit);
	if (request->held)
		*vec_add(&wake->held) = request;
	else
		write_request(wake, request, false);
	return request->held;
}

bool wake_take(struct wake *wake, struct wake_request *request)
{
	switch (wake->mode) {
	case GSC_WAKE_AUTO:
	case GSC_WAKE_DRIVER:
		return wake_by_driver(wake);
	case GSC_WAKE_REGISTERS:
		return take_by_registers(wake, request);
	case GSC_WAKE_NONE:
		break;
	}
	return false;
}

void wake_release(struct wake *wake)
{
	while (wake->held.count)
		write_request(wake, wake->held.items[--wake->held.count], false);
	vec_free(&wake->held);
	for (size_t i = 0; i < wake->pages.count; i++)
		window_unmap(&wake->pages.items[i].window);
	vec_free(&wake->pages);
	vec_free(&wake->requests);
	if (wake->driver_fd >= 0)
		close(wake->driver_fd);
	wake->driver_fd = -1;
}
