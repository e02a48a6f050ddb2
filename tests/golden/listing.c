/* SPDX-License-Identifier: MIT */
/*
 * The registers of every platform as they resolve, a line each, with the platforms that have it
 * so: what a change of the definitions moves shows as a difference of this listing.
 *
 *   reg SPACE OFFSET NAME BITS ACCESS [FLAGS] [wake=DOMAIN]: PLATFORMS
 *   fields NAME ... HI:LO=NAME BIT=NAME ...: PLATFORMS
 */
#include "db/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
	char *line;
	uint64_t platforms;
};

struct listing {
	struct entry *entries;
	size_t count, room;
};

static void out_of_memory(void)
{
	perror("listing");
	exit(1);
}

static void add(struct listing *l, const char *line, unsigned platform)
{
	if (l->count == l->room) {
		l->room = l->room ? 2 * l->room : 4096;
		l->entries = reallocarray(l->entries, l->room, sizeof(*l->entries));
		if (!l->entries)
			out_of_memory();
	}
	l->entries[l->count].line = strdup(line);
	if (!l->entries[l->count].line)
		out_of_memory();
	l->entries[l->count++].platforms = UINT64_C(1) << platform;
}

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->line, ((const struct entry *)b)->line);
}

/* Equal lines become one with the platforms of all. */
static void merge(struct listing *l)
{
	size_t to = 0;

	if (!l->count)
		return;
	qsort(l->entries, l->count, sizeof(*l->entries), compare);
	for (size_t i = 1; i < l->count; i++) {
		if (strcmp(l->entries[to].line, l->entries[i].line)) {
			l->entries[++to] = l->entries[i];
			continue;
		}
		l->entries[to].platforms |= l->entries[i].platforms;
		free(l->entries[i].line);
	}
	l->count = to + 1;
}

static int compare_contents(const void *pa, const void *pb)
{
	const struct entry *a = pa, *b = pb;
	int difference = strcmp(strchr(a->line, ' '), strchr(b->line, ' '));

	if (!difference)
		difference = (a->platforms > b->platforms) - (a->platforms < b->platforms);
	return difference ? difference : strcmp(a->line, b->line);
}

/*
 * Registers with the same fields on the same platforms, such as the elements of a list, share a
 * line.
 */
static void join_names(struct listing *l)
{
	size_t to = 0;

	if (!l->count)
		return;
	qsort(l->entries, l->count, sizeof(*l->entries), compare_contents);
	for (size_t i = 1; i < l->count; i++) {
		struct entry *have = &l->entries[to], *next = &l->entries[i];
		char *joined, *space = strchr(next->line, ' ');

		if (strcmp(strchr(have->line, ' '), space) || have->platforms != next->platforms) {
			l->entries[++to] = *next;
			continue;
		}
		if (asprintf(&joined, "%.*s,%s", (int)strcspn(have->line, " "), have->line,
			     next->line) < 0)
			out_of_memory();
		free(have->line);
		free(next->line);
		have->line = joined;
	}
	l->count = to + 1;
	qsort(l->entries, l->count, sizeof(*l->entries), compare);
}

/* "snb..bdw skl" */
static void put_platforms(const struct gsc_db *db, uint64_t mask)
{
	struct gsc_platform first, last;
	unsigned count = gsc_platform_count(db);

	for (unsigned i = 0; i < count; i++) {
		unsigned end = i;

		if (!(mask >> i & 1))
			continue;
		while (end + 1 < count && mask >> (end + 1) & 1)
			end++;
		gsc_platform_at(db, i, &first);
		gsc_platform_at(db, end, &last);
		printf(end == i ? " %s" : " %s..%s", first.name, last.name);
		i = end;
	}
	putchar('\n');
}

static const char *access_words(unsigned access)
{
	static char words[64];
	size_t n = 0;

	words[0] = '\0';
	for (unsigned bit = 1; bit <= GSC_STICKY; bit <<= 1)
		if (access & bit)
			n += (size_t)snprintf(words + n, sizeof(words) - n, "%s%s", n ? "," : "",
					      gsc_access_word((enum gsc_access)bit));
	return words;
}

/* An array is listed once, with the number of its elements and their distance. */
static void put_array(const struct gsc_view *view, size_t i, const struct gsc_reg *first,
		      char *text, size_t size)
{
	struct gsc_reg reg;
	unsigned elements = 1;
	uint64_t stride = 0;

	text[0] = '\0';
	if (first->index != 0)
		return;
	for (size_t k = i + 1; k < gsc_view_count(view); k++) {
		gsc_view_reg(view, k, &reg);
		if (reg.def != first->def || reg.engine != first->engine)
			continue;
		if (reg.index == 1)
			stride = reg.offset - first->offset;
		elements++;
	}
	snprintf(text, size, "[%u]/%" PRIu64, elements, stride);
}

static void add_reg(struct listing *l, const struct gsc_view *view, size_t i,
		    const struct gsc_reg *reg)
{
	static const struct { unsigned flag; const char *word; } flags[] = {
		{ GSC_REG_VOLATILE, " volatile" }, { GSC_REG_MULTICAST, " multicast" },
		{ GSC_REG_HAZARD_READ, " hazard-read" }, { GSC_REG_HAZARD_HANG, " hazard-hang" },
		{ GSC_REG_HAZARD_WRITE, " hazard-write" },
	};
	char line[512], array[32], more[128] = "";
	size_t n = 0;

	if (reg->index > 0)
		return;
	put_array(view, i, reg, array, sizeof(array));
	for (size_t k = 0; k < sizeof(flags) / sizeof(flags[0]); k++)
		if (reg->flags & flags[k].flag)
			n += (size_t)snprintf(more + n, sizeof(more) - n, "%s", flags[k].word);
	if (reg->wake)
		n += (size_t)snprintf(more + n, sizeof(more) - n, " wake=%s", reg->wake);
	if (reg->flags & GSC_REG_HAS_RESET)
		snprintf(more + n, sizeof(more) - n, " reset=%" PRIx64, reg->reset);
	snprintf(line, sizeof(line), "%s 0x%06" PRIx64 " %s%s%s%s %u %s%s",
		 gsc_space_name(reg->space), reg->offset, reg->engine ? reg->engine : "",
		 reg->engine ? "." : "", reg->name, array, reg->bits, access_words(reg->access),
		 more);
	add(l, line, gsc_view_platform(view));
}

static void add_fields(struct listing *l, const struct gsc_view *view, const struct gsc_reg *reg)
{
	static char line[1 << 15];
	struct gsc_field_iter it;
	struct gsc_field field;
	size_t n = (size_t)snprintf(line, sizeof(line), "%s", reg->name), none = n;

	if (reg->index > 0)
		return;
	gsc_reg_fields(view, reg, 0, &it);
	while (gsc_field_next(&it, &field) && n < sizeof(line))
		n += (size_t)(field.hi == field.lo
				      ? snprintf(line + n, sizeof(line) - n, " %u=%s", field.lo,
						 field.name)
				      : snprintf(line + n, sizeof(line) - n, " %u:%u=%s", field.hi,
						 field.lo, field.name));
	if (n >= sizeof(line)) {
		fprintf(stderr, "listing: %s: too many fields\n", reg->name);
		exit(1);
	}
	if (n > none)
		add(l, line, gsc_view_platform(view));
}

static void add_platform(struct listing *l, struct listing *fields, const struct gsc_db *db,
			 unsigned platform)
{
	struct gsc_error err = { 0 };
	struct gsc_view *view;
	struct gsc_reg reg;

	if (gsc_view_new(&view, db, platform, -1, &err)) {
		fprintf(stderr, "listing: %s: %s\n", err.what, err.why);
		exit(1);
	}
	for (size_t i = 0; i < gsc_view_count(view); i++) {
		gsc_view_reg(view, i, &reg);
		add_reg(l, view, i, &reg);
		add_fields(fields, view, &reg);
	}
	gsc_view_free(view);
}

static void put(struct listing *l, const struct gsc_db *db, const char *kind)
{
	for (size_t i = 0; i < l->count; i++) {
		printf("%s %s:", kind, l->entries[i].line);
		put_platforms(db, l->entries[i].platforms);
		free(l->entries[i].line);
	}
	free(l->entries);
}

int main(void)
{
	struct listing regs = { 0 }, fields = { 0 };
	struct gsc_error err = { 0 };
	struct gsc_db *db;

	if (gsc_db_new(&db, &err)) {
		fprintf(stderr, "listing: %s: %s\n", err.what, err.why);
		return 1;
	}
	for (unsigned i = 0; i < gsc_platform_count(db); i++)
		add_platform(&regs, &fields, db, i);
	merge(&regs);
	merge(&fields);
	join_names(&fields);
	put(&regs, db, "reg");
	put(&fields, db, "fields");
	gsc_db_free(db);
	return 0;
}
