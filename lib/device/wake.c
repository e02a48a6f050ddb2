/* SPDX-License-Identifier: MIT */
/*
 * Most of the GT answers only while awake. The driver keeps it awake for whoever holds a file in
 * its debugfs directory open; with --wake=registers the request registers do, one per domain, with
 * or without a driver.
 */
#include "device/internal.h"

#include "util/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <unistd.h>

/*
 * Sandy Bridge's FORCEWAKE: one plain bit for everyone. All later ones are masked, with a bit for
 * each user.
 */
#define GEN6_FORCEWAKE 0xa18c

/* i915 and xe use bit 0 themselves and leave bit 1 to others (i915_reg.h, FORCEWAKE_USER). */
#define BIT_ALONE (1u << 0)
#define BIT_BESIDE_DRIVER (1u << 1)

/*
 * Gen6 to gen8, but not the Atoms: an acknowledged GT may still return zeros until its thread is in
 * C0 (i915's WaRsForcewakeWaitTC0).
 */
#define THREAD_STATUS 0x13805c
#define THREAD_CORE 0x7

/*
 * Gen6 and gen7, but not the Atoms: writes to the GT go through a queue, of which i915 leaves 20
 * entries to others (__gen6_gt_wait_for_fifo). Request registers are outside the GT, and i915 also
 * writes them without checking the queue.
 */
#define FIFO_CONTROL 0x120008
#define FIFO_FREE 0x7f
#define FIFO_RESERVED 20
#define FIFO_LIMIT_NS 10000000

#define ACK_LIMIT_NS 50000000
#define CLEAR_LIMIT_NS 5000000
#define POLL_NS 20000

/* -1 and errno: from the first file that exists but is not readable for us. */
static int open_in(const char *directory)
{
	static const char *const files[] = { "i915_forcewake_user", "forcewake_all" };
	char path[PATH_MAX];
	int fd = -1, number = ENOENT;

	for (size_t i = 0; fd < 0 && i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), DEBUGFS_DRI "/%s/%s", directory, files[i]);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0 && number == ENOENT)
			number = errno;
	}
	errno = number;
	return fd;
}

/* The directory has the name of the function or, before Linux 6.8, of the minor: "card0" is 0. */
bool wake_by_driver(struct wake *wake)
{
	char nodes[128], *save, *node;
	int fd;

	if (wake->driver_fd >= 0 || wake->driver_error)
		return wake->driver_fd >= 0;
	fd = open_in(wake->bdf);
	sysfs_nodes(wake->bdf, nodes, sizeof(nodes));
	for (node = strtok_r(nodes, " ", &save); fd < 0 && errno == ENOENT && node;
	     node = strtok_r(NULL, " ", &save))
		fd = open_in(node + strcspn(node, "0123456789"));
	wake->driver_error = fd < 0 ? errno : 0;
	wake->driver_fd = fd;
	return fd >= 0;
}

static bool request_is_plain(const struct wake_request *request)
{
	return request->domain.request == GEN6_FORCEWAKE;
}

/* The page of a request register, mapped once for all domains requested in it. */
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
	    !window_holds(wake->registers, request->domain.ack, 4) ||
	    (wake->waits_thread && !window_holds(wake->registers, THREAD_STATUS, 4)))
		return err_set(err, GSC_FAILED, "--wake=registers",
			       "the BAR ends before the forcewake registers");
	return GSC_OK;
}

enum gsc_status wake_prepare(struct wake *wake, const struct gsc_db *db, unsigned platform,
			     uint8_t revision, const struct bar *bar, struct gsc_error *err)
{
	struct gsc_platform layout;
	struct wake_domain domain;
	enum gsc_status status = GSC_OK;
	char driver[32];

	wake->bit = sysfs_link(wake->bdf, "driver", driver, sizeof(driver)) ? BIT_BESIDE_DRIVER
									   : BIT_ALONE;
	if (gsc_platform_at(db, platform, &layout)) {
		wake->waits_thread = platform_has(&layout, PROPERTY_WAKE_THREAD);
		wake->has_fifo = platform_has(&layout, PROPERTY_WAKE_FIFO);
	}
	for (unsigned i = 0; !status && platform_wake(db, platform, i, &domain); i++) {
		struct wake_request *request = vec_add(&wake->requests);

		if (!request)
			return err_memory(err);
		*request = (struct wake_request){ .domain = domain };
		if (wake->mode == GSC_WAKE_REGISTERS)
			status = map_request(wake, request, bar, err);
	}
	if (!status && !sleeping_find(&wake->sleeping, db, platform, revision))
		status = err_memory(err);
	return status;
}

uint32_t wake_domains(const struct wake *wake, uint64_t address)
{
	const char *names = sleeping_at(&wake->sleeping, address);
	uint32_t domains = 0;

	for (size_t i = 0; names && i < wake->requests.count; i++)
		if (list_has(names, wake->requests.items[i].domain.name))
			domains |= UINT32_C(1) << i;
	return domains;
}

/* All ones if there is nothing to read. */
static uint32_t load(const struct wake *wake, uint64_t address)
{
	return window_holds(wake->registers, address, 4) ? window_load32(wake->registers, address)
							 : UINT32_MAX;
}

/* All ones is no answer: no device is there. */
static bool answers(const struct wake *wake, uint64_t address, uint32_t mask, uint32_t wanted)
{
	uint32_t value = load(wake, address);

	return value != UINT32_MAX && (value & mask) == wanted;
}

static bool wait_until(const struct wake *wake, uint64_t address, uint32_t mask, uint32_t wanted,
		       int64_t limit)
{
	const struct timespec pause = { .tv_nsec = POLL_NS };
	bool met = answers(wake, address, mask, wanted);

	for (limit += clock_ns(CLOCK_MONOTONIC); !met && clock_ns(CLOCK_MONOTONIC) < limit;) {
		nanosleep(&pause, NULL);
		met = answers(wake, address, mask, wanted);
	}
	return met;
}

static void write_request(const struct wake *wake, const struct wake_request *request,
			  uint32_t bits, bool on)
{
	const struct wake_page *page = &wake->pages.items[request->page];
	uint32_t value = on ? bits : 0;

	if (!request_is_plain(request))
		value |= bits << 16;
	window_store(&page->window, request->domain.request - page->start, value, 4);
	/* The read ensures that the write has arrived. */
	load(wake, request->domain.ack);
}

/* If it stays full, i915 writes nevertheless; reading back shows the result. */
void wake_wait_fifo(const struct wake *wake)
{
	const struct timespec pause = { .tv_nsec = POLL_NS };
	int64_t limit = clock_ns(CLOCK_MONOTONIC) + FIFO_LIMIT_NS;

	while (wake->has_fifo && (load(wake, FIFO_CONTROL) & FIFO_FREE) <= FIFO_RESERVED &&
	       clock_ns(CLOCK_MONOTONIC) < limit)
		nanosleep(&pause, NULL);
}

/* All ones is no acknowledgement: no device is there. */
bool wake_held(const struct wake *wake, uint32_t domains)
{
	for (size_t i = 0; i < wake->requests.count; i++) {
		uint32_t ack = domains >> i & 1 ? load(wake, wake->requests.items[i].domain.ack)
						: 1;

		if (!ack || ack == UINT32_MAX)
			return false;
	}
	return !domains || !wake->waits_thread || answers(wake, THREAD_STATUS, THREAD_CORE, 0);
}

static void give_back(const struct wake *wake, struct wake_request *request)
{
	if (!request->asked)
		return;
	write_request(wake, request, wake->bit, false);
	request->asked = false;
}

void wake_take(struct wake *wake, uint32_t domains)
{
	if (wake->mode == GSC_WAKE_AUTO || wake->mode == GSC_WAKE_DRIVER)
		wake_by_driver(wake);
	for (size_t i = 0; wake->mode == GSC_WAKE_REGISTERS && i < wake->requests.count; i++) {
		struct wake_request *request = &wake->requests.items[i];
		uint32_t ack = request->domain.ack;

		if (!(domains >> i & 1) || request->tried)
			continue;
		request->tried = true;
		/* An answer to somebody's previous request must not pass for one to ours (i915). */
		wait_until(wake, ack, wake->bit, 0, CLEAR_LIMIT_NS);
		request->asked = true;
		write_request(wake, request, wake->bit, true);
		request->held = wait_until(wake, ack, wake->bit, wake->bit, ACK_LIMIT_NS) &&
				(!wake->waits_thread ||
				 wait_until(wake, THREAD_STATUS, THREAD_CORE, 0, ACK_LIMIT_NS));
		if (!request->held)
			give_back(wake, request);
	}
}

/*
 * Two of our processes share one bit of a request register, and the first to end clears it. If it
 * was never acknowledged, we do not wait for it again.
 */
bool wake_lost(struct wake *wake, uint32_t domains)
{
	bool lost = false;

	for (size_t i = 0; i < wake->requests.count; i++) {
		struct wake_request *request = &wake->requests.items[i];

		if (domains >> i & 1 && request->held &&
		    !answers(wake, request->domain.ack, wake->bit, wake->bit)) {
			request->tried = request->held = false;
			lost = true;
		}
	}
	return lost;
}

void wake_give_back(struct wake *wake)
{
	for (size_t i = wake->requests.count; i-- > 0;) {
		struct wake_request *request = &wake->requests.items[i];

		request->held = false;
		give_back(wake, request);
	}
}

void wake_rest(struct wake *wake)
{
	wake_give_back(wake);
	for (size_t i = 0; i < wake->requests.count; i++)
		wake->requests.items[i].tried = false;
	if (wake->driver_fd >= 0)
		close(wake->driver_fd);
	wake->driver_fd = -1;
}

/* ---- what others have left ------------------------------------------------------------------ */

/* Of the acknowledged bits, those that only we request; without a driver, both. */
static uint32_t own_bits(const struct wake *wake, const struct wake_request *request)
{
	uint32_t own = request_is_plain(request) ? wake->bit & BIT_ALONE
						 : wake->bit | BIT_BESIDE_DRIVER;
	uint32_t ack = load(wake, request->domain.ack);

	return ack == UINT32_MAX ? 0 : ack & own;
}

static void unlock(struct wake *wake)
{
	if (wake->lock_fd >= 0)
		close(wake->lock_fd);
	wake->lock_fd = -1;
}

static void list_left(const struct wake *wake, struct gsc_error *left)
{
	bool clears = wake->mode == GSC_WAKE_REGISTERS;
	char names[120] = "";

	for (size_t i = 0; i < wake->requests.count; i++) {
		const struct wake_request *request = &wake->requests.items[i];
		uint32_t bits = own_bits(wake, request);

		/* Whoever has just released a bit may not have waited until it was cleared. */
		if (!bits || wait_until(wake, request->domain.ack, bits, 0, CLEAR_LIMIT_NS))
			continue;
		bits = own_bits(wake, request);
		if (!bits)
			continue;
		string_add(names, "%s%s", *names ? "," : "", request->domain.name);
		if (clears)
			write_request(wake, request, bits, false);
	}
	if (*names)
		err_set(left, GSC_OK, wake->bdf,
			"a killed command or another program left the forcewake of %s on%s", names,
			clears ? "; it is released now"
			       : ", and the GPU stays awake: --wake=registers releases it");
}

void wake_find_left(struct wake *wake, const struct bar *bar, struct gsc_error *left)
{
	bool clears = wake->mode == GSC_WAKE_REGISTERS;
	uint32_t bits = 0;
	char name[16];

	for (size_t i = 0; i < wake->requests.count; i++)
		bits |= own_bits(wake, &wake->requests.items[i]);
	if (!clears && !bits)
		return;
	snprintf(name, sizeof(name), "resource%u", bar->number);
	wake->lock_fd = sysfs_open(wake->bdf, name, O_RDONLY);
	if (wake->lock_fd >= 0 && !flock(wake->lock_fd, LOCK_EX | LOCK_NB))
		list_left(wake, left);
	if (!clears || wake->lock_fd < 0 || flock(wake->lock_fd, LOCK_SH))
		unlock(wake);
}

void wake_release(struct wake *wake)
{
	wake_rest(wake);
	unlock(wake);
	for (size_t i = 0; i < wake->pages.count; i++)
		window_unmap(&wake->pages.items[i].window);
	vec_free(&wake->pages);
	vec_free(&wake->requests);
	vec_free(&wake->sleeping);
}
