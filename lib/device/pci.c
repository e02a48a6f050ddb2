/* SPDX-License-Identifier: MIT */
/*
 * libpciaccess keeps one list of devices for the whole process: starting it again replaces the
 * list, stopping it frees the list for everyone, and it refuses two mappings of one range. So it is
 * only asked where things are, under a lock, and stopped again; whatever lives longer (mappings,
 * config reads) does not use it.
 */
#include "device/internal.h"

#include "util/text.h"

#if HAVE_PCIACCESS

#include "util/dynlib.h"

#include <pciaccess.h>
#include <pthread.h>
#include <unistd.h>

#define INTEL 0x8086
#define CLASS_DISPLAY 0x03

struct pci_calls {
	__typeof__(pci_system_init) *init;
	__typeof__(pci_system_cleanup) *cleanup;
	__typeof__(pci_slot_match_iterator_create) *iterate;
	__typeof__(pci_device_next) *next;
	__typeof__(pci_iterator_destroy) *iterated;
	__typeof__(pci_device_probe) *probe;
};

static const char *const pci_symbols[] = {
	"pci_system_init", "pci_system_cleanup",   "pci_slot_match_iterator_create",
	"pci_device_next", "pci_iterator_destroy", "pci_device_probe",
};

_Static_assert(sizeof(struct pci_calls) == ARRAY_SIZE(pci_symbols) * sizeof(void *),
	       "a name for each call");

struct pci_library {
	void *handle;
	struct pci_calls call;
	bool started;			/* by us, not by the program that uses us */
};

static pthread_mutex_t pci_lock = PTHREAD_MUTEX_INITIALIZER;

enum gsc_status pci_begin(struct pci_library **out, struct gsc_error *err)
{
	struct pci_library *library = calloc(1, sizeof(*library));
	struct pci_device_iterator *iterator = NULL;
	enum gsc_status status = GSC_OK;
	int number = 0;

	if (!library)
		return err_memory(err);
	pthread_mutex_lock(&pci_lock);
	library->handle = dynlib_open("libpciaccess.so.0", pci_symbols, &library->call,
				      ARRAY_SIZE(pci_symbols), err);
	if (!library->handle) {
		err_set(err, GSC_FAILED, "libpciaccess.so.0",
			"needed to find GPUs, cannot be loaded: install the package libpciaccess0");
		status = GSC_FAILED;
	} else {
		/* Only a started library hands out iterators. */
		iterator = library->call.iterate(NULL);
		library->started = !iterator;
	}
	if (iterator)
		library->call.iterated(iterator);
	else if (!status)
		number = library->call.init();
	if (number && access(SYSFS_PCI, F_OK))
		status = err_set(err, GSC_FAILED, SYSFS_PCI, "no PCI bus here");
	else if (number)
		status = err_set(err, GSC_FAILED, SYSFS_PCI,
				 "libpciaccess cannot list it (%s): perhaps one entry cannot be "
				 "read", strerror(number));
	if (status)
		pci_end(library);
	else
		*out = library;
	return status;
}

void pci_end(struct pci_library *library)
{
	if (!library)
		return;
	if (library->started)
		library->call.cleanup();
	dynlib_close(library->handle);
	pthread_mutex_unlock(&pci_lock);
	free(library);
}

enum gsc_status pci_scan(struct pci_library *library, pci_function_vec *found,
			 struct gsc_error *err)
{
	struct pci_device_iterator *iterator = library->call.iterate(NULL);
	struct pci_function *function;
	struct pci_device *device;
	bool stored = true;

	if (!iterator)
		return err_memory(err);
	while (stored && (device = library->call.next(iterator))) {
		if (device->vendor_id != INTEL || device->device_class >> 16 != CLASS_DISPLAY)
			continue;
		function = vec_add(found);
		stored = function;
		if (!function)
			break;
		*function = (struct pci_function){ .id = device->device_id,
						   .revision = device->revision,
						   .number = device->func, .handle = device };
		string_set(function->bdf, "%04x:%02x:%02x.%u", device->domain_16, device->bus,
			   device->dev, device->func & 7u);
	}
	library->call.iterated(iterator);
	return stored ? GSC_OK : err_memory(err);
}

static struct bar memory_bar(const struct pci_function *function, unsigned number)
{
	const struct pci_mem_region *region = &function->handle->regions[number];

	return (struct bar){
		.number = number,
		.start = region->base_addr,
		.size = region->is_IO ? 0 : region->size,
	};
}

enum gsc_status pci_bars(struct pci_library *library, const struct pci_function *function,
			 struct bar *registers, struct bar *aperture, struct bar *table,
			 struct gsc_error *err)
{
	int number = library->call.probe(function->handle);

	if (number)
		return err_errno(err, function->bdf, number);
	*registers = memory_bar(function, 0);
	*aperture = memory_bar(function, 2);
	*table = memory_bar(function, table->number);
	if (!registers->size)
		return err_set(err, GSC_FAILED, function->bdf,
			       "its register BAR (BAR 0) has no memory address");
	return GSC_OK;
}

#else

enum gsc_status pci_begin(struct pci_library **out, struct gsc_error *err)
{
	(void)out;
	return err_set(err, GSC_FAILED, "live devices", "this build has no libpciaccess");
}

void pci_end(struct pci_library *library)
{
	(void)library;
}

enum gsc_status pci_scan(struct pci_library *library, pci_function_vec *found,
			 struct gsc_error *err)
{
	(void)library, (void)found;
	return err_set(err, GSC_FAILED, "live devices", "this build has no libpciaccess");
}

enum gsc_status pci_bars(struct pci_library *library, const struct pci_function *function,
			 struct bar *registers, struct bar *aperture, struct bar *table,
			 struct gsc_error *err)
{
	(void)library, (void)function, (void)registers, (void)aperture, (void)table;
	return err_set(err, GSC_FAILED, "live devices", "this build has no libpciaccess");
}

#endif
