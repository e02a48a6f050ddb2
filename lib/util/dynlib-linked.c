/* SPDX-License-Identifier: MIT */
/*
 * dynlib.h for a static program, which cannot load anything: the functions that the files of other
 * rooms request by name, if their libraries were linked in.
 */
#include "util/dynlib.h"

#include "util/util.h"

#include <string.h>

#if HAVE_LIBDRM
#include <xf86drm.h>
#endif
#if HAVE_PCIACCESS
#include <pciaccess.h>
#endif
#if HAVE_ZLIB
#include <zlib.h>
#endif
#if HAVE_ZSTD
#include <zstd.h>
#endif

#define FUNCTION(name) { #name, (void (*)(void))(name) }

static const struct linked {
	const char *name;
	void (*function)(void);
} all_linked[] = {
#if HAVE_LIBDRM
	FUNCTION(drmFreeDevice),
	FUNCTION(drmFreeVersion),
	FUNCTION(drmGetDeviceFromDevId),
	FUNCTION(drmGetVersion),
	FUNCTION(drmIoctl),
#endif
#if HAVE_PCIACCESS
	FUNCTION(pci_device_next),
	FUNCTION(pci_device_probe),
	FUNCTION(pci_iterator_destroy),
	FUNCTION(pci_slot_match_iterator_create),
	FUNCTION(pci_system_cleanup),
	FUNCTION(pci_system_init),
#endif
#if HAVE_ZLIB
	FUNCTION(deflate),
	FUNCTION(deflateEnd),
	FUNCTION(deflateInit2_),
	FUNCTION(deflateInit_),
	FUNCTION(deflateReset),
	FUNCTION(inflate),
	FUNCTION(inflateEnd),
	FUNCTION(inflateInit2_),
	FUNCTION(inflateReset),
	FUNCTION(uncompress),
#endif
#if HAVE_ZSTD
	FUNCTION(ZSTD_compressStream),
	FUNCTION(ZSTD_createCStream),
	FUNCTION(ZSTD_createDStream),
	FUNCTION(ZSTD_decompress),
	FUNCTION(ZSTD_decompressStream),
	FUNCTION(ZSTD_endStream),
	FUNCTION(ZSTD_freeCStream),
	FUNCTION(ZSTD_freeDStream),
	FUNCTION(ZSTD_initCStream),
	FUNCTION(ZSTD_isError),
#endif
	{ NULL, NULL },
};

void *dynlib_open(const char *soname, const char *const *names, void *functions, size_t count,
		  struct gsc_error *err)
{
	for (size_t i = 0; i < count; i++) {
		const struct linked *linked = all_linked;

		while (linked->name && strcmp(linked->name, names[i]))
			linked++;
		if (!linked->name) {
			err_set(err, GSC_FAILED, soname, "%s is not in this static program",
				names[i]);
			return NULL;
		}
		memcpy((char *)functions + i * sizeof(void *), &linked->function, sizeof(void *));
	}
	return (void *)(uintptr_t)all_linked;
}

void gsc_load_libraries(unsigned libraries)
{
	(void)libraries;
}

void dynlib_close(void *library)
{
	(void)library;
}
