/* SPDX-License-Identifier: MIT */
/*
 * Optional libraries, opened when an input needs them; dynlib-linked.c replaces it in a static
 * build.
 */
#include "util/dynlib.h"

#include "util/util.h"

#include <dlfcn.h>
#include <string.h>

/*
 * What is loaded, for packagers and makers of an initramfs: a note of the ELF file each, as in
 * uapi-group.org's "ELF dlopen metadata".
 */
#define NOTE(variable, soname, feature, text)                                                      \
	static const struct {                                                                      \
		uint32_t name_size, size, type;                                                    \
		char name[4], json[sizeof(NOTE_JSON(soname, feature, text))];                      \
	} variable __attribute__((used, section(".note.dlopen"), aligned(4))) = {                  \
		4, sizeof(NOTE_JSON(soname, feature, text)), 0x407c0c0a, "FDO",                    \
		NOTE_JSON(soname, feature, text)                                                   \
	}
#define NOTE_JSON(soname, feature, text)                                                           \
	"[{\"feature\":\"" feature "\",\"description\":\"" text "\","                            \
	"\"priority\":\"recommended\",\"soname\":[\"" soname "\"]}]"

#if HAVE_ZLIB
NOTE(note_zlib, "libz.so.1", "gzip", "Compressed dumps, error states of i915 and PNG");
#endif
#if HAVE_ZSTD
NOTE(note_zstd, "libzstd.so.1", "zstd", "Compressed dumps and captures");
#endif
#if HAVE_PCIACCESS
NOTE(note_pciaccess, "libpciaccess.so.0", "live", "Registers of a GPU of this machine");
#endif
#if HAVE_LIBDRM
NOTE(note_drm, "libdrm.so.2", "drm", "Nodes of a GPU of this machine and their drivers");
#endif

static const char *dynlib_error(void)
{
	const char *text = dlerror();

	return text ? text : "cannot be loaded";
}

void *dynlib_open(const char *soname, const char *const *names, void *functions, size_t count,
		  struct gsc_error *err)
{
	void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);

	if (!library) {
		err_set(err, GSC_FAILED, soname, "%s", dynlib_error());
		return NULL;
	}
	for (size_t i = 0; i < count; i++) {
		void *symbol = dlsym(library, names[i]);

		if (!symbol) {
			err_set(err, GSC_FAILED, soname, "%s", dynlib_error());
			dlclose(library);
			return NULL;
		}
		memcpy((char *)functions + i * sizeof(symbol), &symbol, sizeof(symbol));
	}
	return library;
}

void gsc_load_libraries(unsigned libraries)
{
	static const struct {
		unsigned bit;
		const char *soname;
	} all[] = {
#if HAVE_ZLIB
		{ GSC_LIBRARY_ZLIB, "libz.so.1" },
#endif
#if HAVE_ZSTD
		{ GSC_LIBRARY_ZSTD, "libzstd.so.1" },
#endif
#if HAVE_PCIACCESS
		{ GSC_LIBRARIES_DEVICE, "libpciaccess.so.0" },
#endif
#if HAVE_LIBDRM
		{ GSC_LIBRARIES_DEVICE, "libdrm.so.2" },
#endif
		{ 0, NULL },
	};

	for (size_t i = 0; all[i].soname; i++)
		if (libraries & all[i].bit)
			dlopen(all[i].soname, RTLD_NOW | RTLD_LOCAL);
}

void dynlib_close(void *library)
{
	if (library)
		dlclose(library);
}
