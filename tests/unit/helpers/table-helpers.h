/* SPDX-License-Identifier: MIT */
/* Page tables for tests: an image of physical memory, and address spaces in it. */
#ifndef TABLE_HELPERS_H
#define TABLE_HELPERS_H


/* A stretch of physical memory. Its pages are allocated from the beginning on. */
struct image {
	uint8_t *bytes;
	uint64_t base, size, used;
};

void image_init(struct image *m, uint64_t base, uint64_t size);
void image_free(struct image *m);
uint64_t image_page(struct image *m);	/* the address of a page of zeros */
void image_put(struct image *m, uint64_t address, unsigned size, uint64_t value);
uint64_t image_get(const struct image *m, uint64_t address, unsigned size);

/* The image as a source, and the definitions as the platform sees them. */
struct rig {
	struct gsc_source *source;
	struct gsc_view *view;
};

struct rig rig_open(const struct image *m, const char *platform);
struct rig rig_demo(const char *spec);
void rig_close(struct rig *rig);
/* Must be possible. */
struct gsc_translation *rig_translation(const struct rig *rig,
					const struct gsc_translation_options *options);

#define SPACE_TABLES 512

/*
 * Tables of 512 entries of 8 bytes. If there is a space below, tables have addresses of that space:
 * their place in memory plus `shift`, if that is set, otherwise anywhere.
 */
struct space {
	struct image *m;
	struct space *below;
	unsigned top;			/* the lowest address bit that selects in the root */
	uint64_t flags;			/* of entries that point to tables */
	uint64_t shift;
	uint64_t root;
	uint64_t next;			/* the next address of a table in the space below */
	unsigned count;
	struct {
		uint64_t address, place;
	} tables[SPACE_TABLES];
};

void space_init(struct space *s, struct image *m, struct space *below, unsigned top,
		uint64_t flags);
/* Where in memory the entry of an address is, for the level that begins at bit `low`. */
uint64_t space_entry(struct space *s, uint64_t address, unsigned low);
void space_set(struct space *s, uint64_t address, unsigned low, uint64_t entry);

#endif
