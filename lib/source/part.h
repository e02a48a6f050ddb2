/* SPDX-License-Identifier: MIT */
/* The inside of a source: its parts and their pieces, readers, and what reads go through. */
#ifndef GSC_PART_H
#define GSC_PART_H

#include "source/source.h"
#include "util/text.h"
#include "util/util.h"

#include <string.h>

/*
 * Bytes that are unpacked when they are read. `read` gives as many as it can in one go; if it gives
 * none, `problem` may say why, with GSC_OK if that has been reported. If unpacked bytes are kept,
 * `bytes` says where they are, and how many follow; otherwise it is NULL.
 */
struct packed {
	size_t (*read)(struct packed *packed, uint64_t offset, void *buf, size_t size);
	const uint8_t *(*bytes)(struct packed *packed, uint64_t offset, uint64_t *length);
	struct gsc_error problem;
};

/*
 * A stretch of an address space. With status GSC_READ_OK its bytes are at `data`, or, if that is
 * NULL, at `offset` of `packed`, or else of the open file `fd` (a file that cannot be mapped, such
 * as /proc/kcore). Otherwise there are no bytes, and status says why.
 */
struct piece {
	enum gsc_space space;
	enum gsc_read status;
	uint64_t start, length;
	const uint8_t *data;
	struct packed *packed;
	uint64_t offset;
	int fd;
};

typedef VEC(struct piece) piece_vec;

/*
 * The bytes of one input: mapped, read or unpacked; owns them. A file that has a size but cannot be
 * mapped has data NULL and fd >= 0.
 */
struct blob {
	const char *name;		/* as the user wrote it */
	const uint8_t *data;
	uint64_t size;			/* of a file that is not mapped: any */
	bool mapped, owned;
	int fd;				/* of a file that is not mapped, or has holes; or -1 */
	const char *damage;		/* "gzip data is truncated", or NULL */
	uint64_t damage_at;		/* byte of the file */
};

struct device;				/* device/device.h: a live GPU */
struct aub;				/* formats/aub.h: the index of a trace */
struct aub_memory;			/* formats/aub.h: the memory of a trace at a moment */
struct dump;				/* formats/dump.h: of what a driver wrote after a hang */
struct callbacks;			/* source/callback.h: what the caller reads */
struct record;				/* source/record.h: of what is read of a device's memory */
struct reader;				/* below */

/* Second-level tables of a PCI function, from VT-d text. */
struct vtd_domain {
	unsigned function, levels;
	uint64_t root;
};

/*
 * Values that a dump lists by address, one by one or in rows: whoever reads the dump expects to see
 * each again, whether or not a register is defined there. `length` is that of one value, `unit`, or
 * of a row of dwords. In a part `name` is in its text, in a source it ends in a NUL.
 */
struct listed {
	uint64_t address, length;	/* as those of pieces */
	const char *name;		/* what the dump calls it, or NULL */
	uint16_t name_length;
	uint16_t part;			/* in a source: which one lists it */
	uint8_t space, unit;
	bool row;
};

typedef VEC(struct listed) listed_vec;

/* What a part says about itself and its GPU; the bytes are in its text, or it owns them. */
struct part_property {
	struct slice prefix, key, value;	/* "rcs0", "hung", "1" */
};

struct owned {
	void *data;
	void (*free)(void *data);
};

/*
 * Bytes that change while a trace is replayed, instead of pieces: `run` is the one that contains an
 * address, from there on, else the first after it; false: the space ends.
 */
struct moment_run {
	uint64_t start, length;
	const uint8_t *data;
};
struct moment {
	void *data;
	bool (*run)(void *data, enum gsc_space space, uint64_t address, struct moment_run *run);
};

#define CAPTURE_OF_HANG SIZE_MAX	/* a number that the user did not give */

/* One part of a combined source, in the order given. Earlier parts win. */
struct part {
	char *name;
	const char *owner;		/* the name of the part that contains it, or NULL */
	bool first;			/* it overrides that */
	const struct reader *reader;	/* never NULL: what is no recognised file has one, too */
	struct blob blob;
	piece_vec pieces;		/* sorted by space and start, disjoint, once opened */
	VEC(struct owned) owned;	/* what is freed with the part */
	struct device *device;		/* the live part, else NULL */
	struct callbacks *callbacks;	/* of a part that the caller reads, else NULL */
	struct aub *aub;		/* of an AUB trace, else NULL */
	struct moment moment;		/* of a trace that is replayed */
	struct dump *dump;		/* of a driver's dump, else NULL */
	VEC(struct vtd_domain) domains;
	listed_vec listed;		/* in any order */
	VEC(struct part_property) properties;
	const char *vmcoreinfo;		/* of a memory dump: what its kernel says, or NULL */
	memory_vec kernel;		/* pages that say what the drivers of its GPUs know */
	struct packed *packed;		/* of a dump whose memory is decoded when it is read */
	int platform, pci_device, revision;	/* what this part says, or -1 */
	size_t capture;			/* "guc-capture:": its number, counted from 1; or 0 */
	bool iommu;			/* a capture: of a GPU behind a translating IOMMU */
	bool no_log;			/* no line of it belongs to a kernel log */
	bool redacted;			/* a capture: users' memory is left out */
	bool any_time;			/* a dump by its form, but available at any time */
};

/*
 * What reads go through: neighbouring parts merged into one list, or one device, one trace that is
 * replayed, one set of callbacks with the list of its extents. Earlier ones win.
 */
struct lookup {
	piece_vec pieces;		/* sorted by space and start, disjoint */
	size_t first[GSC_SPACES + 1];	/* where the pieces of each space begin */
	size_t last[GSC_SPACES];	/* found last: neighbours are usually next */
	struct device *device;
	struct callbacks *callbacks;
	struct moment moment;
	uint64_t table_at, table_bytes;	/* of its GGTT entries among its registers */
};

/* What opens files, and makes temporary ones; NULL: open(2), gsc_temporary(). */
struct maker {
	int (*make)(void *context);
	int (*open)(void *context, const char *path);
	void *context;
};

struct gsc_source {
	const struct gsc_db *db;
	struct maker maker;
	VEC(struct part) parts;
	VEC(struct lookup) lookups;
	VEC(char *) notes;
	listed_vec listed;		/* of all parts, by space and address */
	char *listed_names;
	int platform, pci_device, revision;	/* platform -1 in any case without db */
	struct gsc_view *view;		/* of these two, when first needed */
	struct record *record;		/* NULL: nobody wants to know */
};

struct lines;				/* text/lines.h */
struct clean_words;			/* text/clean.h */

/*
 * A format, and everything that others need to know about it. `score` looks at an input (already
 * unpacked; of a long one perhaps only its beginning) and says how certain it is: 0 not mine, 100
 * certain. `load` adds pieces and identity to the part; damage that it can handle becomes a
 * source_note().
 */
struct reader {
	const char *kind;		/* for people */
	enum gsc_source_form form;	/* for programs: readers may share one */
	unsigned (*score)(const uint8_t *data, size_t size);
	enum gsc_status (*load)(struct gsc_source *source, struct part *part,
				struct gsc_error *err);
	bool hang;			/* it is what a driver writes about one hang */
	bool i915_names;		/* it names engines as i915 does, or did */
	bool holds_log;			/* lines of a kernel log may be between its own */
	const char *file;		/* a capture includes its bytes under this name */
	/* In a pasted text: a line that only this format has, without the blanks before it. */
	bool (*begins)(const struct lines *line);
	/* Lines that only `other` has, except for files of this one. */
	bool (*includes)(const struct reader *other, const struct lines *line);
};

/*
 * Helpers for readers. What is added to a part later overrides what was added before. They fail if
 * memory is out and for a range that does not fit 64 bits: range_fits() says which.
 */
bool part_add(struct part *part, enum gsc_space space, uint64_t start, uint64_t length,
	      const uint8_t *data);
bool part_add_file(struct part *part, enum gsc_space space, uint64_t start, uint64_t length, int fd,
		   uint64_t offset);
/* At an offset of part->packed. */
bool part_add_packed(struct part *part, enum gsc_space space, uint64_t start, uint64_t length,
		     uint64_t offset);
bool part_add_status(struct part *part, enum gsc_space space, uint64_t start, uint64_t length,
		     enum gsc_read status);
bool part_property(struct part *part, struct slice prefix, struct slice key, struct slice value);
/* With a value of our own words. The prefix and the key must stay. */
bool part_say(struct part *part, const char *prefix, const char *key, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* The first of that key and without a prefix; empty: it has none. */
struct slice part_says(const struct part *part, const char *key);
void *part_alloc(struct part *part, size_t size);	/* freed with the part */
/* So is this; if it cannot be kept it is freed at once, and the result is false. */
bool part_own(struct part *part, void *data, void (*free)(void *data));
void source_note(struct gsc_source *source, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The part's platform by name; an unknown one is noted. */
void part_set_platform(struct gsc_source *source, struct part *part, const char *name);
/* Identity from the first bytes of a PCI config space, if they are an Intel function's. */
void part_set_config(struct part *part, const uint8_t *config, size_t size);

static inline bool space_has_registers(enum gsc_space space)
{
	return space <= GSC_SIDEBAND;
}

static inline bool row_fits(enum gsc_space space, uint64_t address, unsigned unit)
{
	return (space == GSC_MMIO || space == GSC_CONFIG) && unit == 4 && !(address % 4);
}

static inline bool range_fits(uint64_t start, uint64_t length)
{
	return length <= UINT64_MAX - start;
}

/* Little-endian loads from bytes of any alignment. */
static inline uint64_t load_le(const void *data, unsigned size)
{
	const uint8_t *byte = data;
	uint64_t value = 0;
	uint32_t dword;

	if (size == sizeof(dword)) {
		memcpy(&dword, data, sizeof(dword));
		return dword;
	}
	while (size-- > 0)
		value = value << 8 | byte[size];
	return value;
}

/* Where something of a space is in pieces: a number of the sideband is a register of 4 bytes. */
bool space_place(enum gsc_space space, uint64_t address, uint64_t *place);

/*
 * Reads are those of a device, with their effects on it; also for an image of a BAR, which stands
 * for one and may be a file of sysfs. Other dumps say what was read before.
 */
bool source_is_hardware(const struct gsc_source *source);
/* A part was written by a driver about a hang. */
bool source_has_hang(const struct gsc_source *source);
/* What device_files() gives of its device, or gave when its captures were made. */
#define SOURCE_FILE "sysfs"		/* key: "tile0/gt0/freq0/act_freq 300" */
void source_files(const struct gsc_source *source,
		  void (*each)(void *context, const char *name, const char *value), void *context);
/* It is a capture that has left out memory on purpose. */
bool source_redacted(const struct gsc_source *source);

/*
 * The definitions as its platform sees them: made when a dump that names registers is opened, or on
 * first use, and kept as long as the source. The platform is settled.
 */
enum gsc_status source_view(struct gsc_source *source, const struct gsc_view **view,
			    struct gsc_error *err);

/* piece.c: how many bytes from an address of a piece on could be read. */
size_t piece_read(const struct piece *piece, uint64_t address, void *buf, size_t size);
/* Where they are in memory, and how many, or NULL. */
const uint8_t *piece_data(const struct piece *piece, uint64_t address, uint64_t *length);
/* Makes a list sorted and disjoint; where pieces overlap the later one wins. */
bool pieces_resolve(piece_vec *pieces);

/* Something of the space can be read, or only asking callbacks shows whether it can. */
bool source_may_hold(struct gsc_source *source, enum gsc_space space);

/* Closes one, and moves those after it. */
void source_drop_part(struct gsc_source *source, size_t i);

/* lookup.c: the parts as reads see them; the platform is settled by then. */
enum gsc_status lookups_build(struct gsc_source *source, struct gsc_error *err);
void lookup_free(struct lookup *lookup);

/* listed.c: what the parts list, sorted; a device and the parts after it list nothing. */
bool listed_build(struct gsc_source *source);
/* What a dump calls the value at an address, or NULL. */
const char *listed_name(const struct gsc_source *source, enum gsc_space space, uint64_t address);

/*
 * Bytes from an address on, as many as there are in one go, read in blocks from a device's memory.
 * 0: gsc_read() says what there is.
 */
size_t source_block(struct gsc_source *source, enum gsc_space space, uint64_t address, void *buf,
		    size_t size);

/* All bytes up to the first that is missing; how many. *missing, unless NULL, becomes its state. */
size_t source_copy(struct gsc_source *source, enum gsc_space space, uint64_t address, void *buf,
		   size_t size, enum gsc_read *missing);

/* Writes, which go to the one live device of a source and nowhere else. */
enum gsc_status source_store_open(const struct gsc_source *source,
				  enum gsc_space space, uint64_t address, unsigned size,
				  struct gsc_error *err);
/* Its device was opened for writing. */
bool source_writes(const struct gsc_source *source);
/* After source_store_open() of the same. */
void source_store(const struct gsc_source *source, enum gsc_space space,
		  uint64_t address, unsigned size, uint64_t value);
/* On that device, whatever dumps come before it. */
enum gsc_read source_load(const struct gsc_source *source, enum gsc_space space,
			  uint64_t address, unsigned size, uint64_t *value);

/* ---- bytes of files -------------------------------------------------------------------------- */

/*
 * The most that a compressed input may unpack to: of bytes that must be unpacked, which takes time,
 * and in all, with the zeros that are known without that.
 */
#define INFLATED_MAX (UINT64_C(64) << 30)
#define INFLATED_ZEROS_MAX (UINT64_C(1) << 40)

/* Says from the first bytes of an input whether the rest is worth reading. */
typedef bool (*blob_accept)(const uint8_t *data, size_t size);

/*
 * A file, "-" (stdin) or compressed file as bytes. `accept` sees inputs that must be unpacked or
 * spooled; without it they are an image: any bytes will do, and it is mapped if possible. A maker
 * that is NULL makes a file without a name.
 */
GSC_API enum gsc_status blob_open(struct blob *blob, const char *path, blob_accept accept,
				  const struct maker *maker, struct gsc_error *err);
/* Bytes in memory, which belong to the caller; unpacked if they are compressed. */
GSC_API enum gsc_status blob_from_memory(struct blob *blob, const char *name, const void *data,
					 size_t size, blob_accept accept,
					 const struct maker *maker, struct gsc_error *err);
/* Any bytes. */
GSC_API bool blob_accept_any(const uint8_t *data, size_t size);
/*
 * How many bytes of a file from there on, at most `length`, are in one hole, or how many are not.
 * With fd -1, or if the system does not say, there are no holes.
 */
uint64_t file_run(int fd, uint64_t offset, uint64_t length, bool *hole);
/* Cleans it if it is text (clean.h); anything else is unchanged. */
enum gsc_status blob_clean(struct blob *blob, const struct clean_words *words,
			   struct gsc_error *err);
/* Whole reads only. */
bool blob_read(const struct blob *blob, uint64_t offset, void *buf, size_t size);
GSC_API void blob_close(struct blob *blob);

/* No control characters except blanks in the first bytes. */
bool bytes_are_text(const uint8_t *data, size_t size);

#endif
