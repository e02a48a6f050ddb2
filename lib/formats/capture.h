/* SPDX-License-Identifier: MIT */
/* Writing captures; the format is described in capture.c. */
#ifndef GSC_CAPTURE_H
#define GSC_CAPTURE_H

#include "formats/contents.h"
#include "source/part.h"
#include "util/tar.h"
#include "util/text.h"

#define CAPTURE_FORMAT 1
#define CAPTURE_INFO "gpuscope/info"
/*
 * Files: a dump or trace whose content the capture has, as a separate part; dumps that the kernel
 * had kept from its GPU; what its log said.
 */
#define CAPTURE_DUMPS "dump/"
#define CAPTURE_STORED "stored/"
#define CAPTURE_LOG GSC_MEMBER_LOG
#define CAPTURE_VMCOREINFO "kernel/vmcoreinfo"
/* In either of CAPTURE_DUMPS and CAPTURE_STORED. */
#define CAPTURE_ERROR_STATE "error-state"
#define CAPTURE_DEVCOREDUMP "devcoredump"
/* Value of the key iommu: addresses that the GPU sends out are not those of memory. */
#define CAPTURE_IOMMU "translates"
/* Key: damage in what was saved; it still counts. */
#define CAPTURE_DAMAGE "damage"
/*
 * Key: a file in CAPTURE_DUMPS that was given before the capture's own contents, and overrides
 * them.
 */
#define CAPTURE_FIRST "first"
#define CAPTURE_WATCHED "watched"

typedef VEC(char) capture_text;

/*
 * begin, info any number of times, then pieces, statuses and members in any order, end. A failure
 * is remembered: only capture_end() must be checked.
 */
struct capture {
	struct tar_writer tar;
	capture_text info, status[GSC_SPACES], listed[GSC_SPACES];
	bool info_written, memory_out;
};

/*
 * mtime: seconds since 1970, for all members. `write` takes all the bytes or fails; a writer of
 * zeros as holes also sets `tar.zeros`.
 */
void capture_begin(struct capture *capture, tar_write write, void *context, uint64_t mtime);
/* tar_write to a file descriptor, which `context` points to; errno says why it failed. */
bool capture_write_fd(void *context, const void *data, size_t size);

void capture_info(struct capture *capture, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void capture_piece(struct capture *capture, enum gsc_space space, uint64_t address,
		   const void *data, size_t length);
/* The same in steps: capture_data() until `length` bytes are there. */
void capture_piece_begin(struct capture *capture, enum gsc_space space, uint64_t address,
			 uint64_t length);
void capture_data(struct capture *capture, const void *data, size_t length);
void capture_zeros(struct capture *capture, uint64_t length);
void capture_status(struct capture *capture, enum gsc_space space, uint64_t start, uint64_t length,
		    enum gsc_read status);
/* What a dump lists there; without its name if that is NULL. */
void capture_listed(struct capture *capture, const struct listed *listed, const char *name);
/* Anything else to include, such as a kernel's error state. */
void capture_member(struct capture *capture, const char *name, const void *data, size_t length);
bool capture_end(struct capture *capture);

/* Does this format give a member of that name a meaning, as "SPACE/..." or as the info? */
bool capture_owns(const char *name);

#endif
