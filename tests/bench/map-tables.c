/* SPDX-License-Identifier: MIT */
/*
 * map-tables image FILE ordered|scattered linear|random: a physical image with the tables of a
 * 4-level space of 4 M pages; ordered: tables lie one after the other, else anywhere; linear,
 * random: where the pages are.
 * map-tables bar FILE ordered|random: a register BAR of 16 MiB with a global table of 1 M entries.
 * map-tables time FILE RUNS: medians in milliseconds of a plain sum of the tables in such an image,
 * and of the library's map of it.
 */
#include "db/db.h"
#include "device/options.h"
#include "gpu/gpu.h"
#include "gtt/map.h"
#include "gtt/root.h"
#include "gtt/walk.h"
#include "open/open.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096u
#define ENTRIES 512u
#define TABLES 8192u			/* of pages: 4 M entries */
#define DIRECTORIES (TABLES / ENTRIES)
#define FIRST_TABLE (2 + DIRECTORIES)	/* in pages of the image */
#define IMAGE_PAGES (FIRST_TABLE + TABLES)
#define PRESENT 3u

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static uint64_t next_random(void)
{
	static uint64_t state = 0x9e3779b97f4a7c15;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static void *map_file(const char *path, size_t *size, int writable)
{
	int fd = open(path, writable ? O_RDWR | O_CREAT | O_TRUNC : O_RDONLY, 0600);
	struct stat st;
	void *data;

	if (fd < 0 || (writable && ftruncate(fd, (off_t)*size)) || fstat(fd, &st))
		die(path);
	*size = (size_t)st.st_size;
	data = mmap(NULL, *size, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, fd, 0);
	if (data == MAP_FAILED)
		die(path);
	close(fd);
	return data;
}

/* ---- making inputs ------------------------------------------------------------------------ */

static uint64_t page_address(int linear, uint64_t i)
{
	return linear ? (i + (1 << 20)) * PAGE : (next_random() >> 25 & 0x7ffffff) * PAGE;
}

static void shuffle(uint32_t *order, unsigned count)
{
	for (unsigned i = count - 1; i; i--) {
		unsigned other = (unsigned)(next_random() % (i + 1));
		uint32_t kept = order[i];

		order[i] = order[other];
		order[other] = kept;
	}
}

static void make_image(const char *path, int scattered, int linear)
{
	static uint32_t place[TABLES];
	size_t size = (size_t)IMAGE_PAGES * PAGE;
	uint64_t *image = map_file(path, &size, 1);

	for (unsigned i = 0; i < TABLES; i++)
		place[i] = FIRST_TABLE + i;
	if (scattered)
		shuffle(place, TABLES);
	image[0] = PAGE | PRESENT;
	for (unsigned i = 0; i < DIRECTORIES; i++)
		image[ENTRIES + i] = (2 + i) * PAGE | PRESENT;
	for (unsigned i = 0; i < TABLES; i++)
		image[2 * ENTRIES + i] = (uint64_t)place[i] * PAGE | PRESENT;
	for (unsigned i = 0; i < TABLES; i++)
		for (unsigned j = 0; j < ENTRIES; j++)
			image[(size_t)place[i] * ENTRIES + j] =
				page_address(linear, (uint64_t)i * ENTRIES + j) | PRESENT;
}

static void make_bar(const char *path, int linear)
{
	size_t size = 16 << 20;
	uint64_t *bar = map_file(path, &size, 1);

	for (unsigned i = 0; i < 1 << 20; i++)
		bar[(1 << 20) + i] = page_address(linear, i) | 1;
}

/* ---- timing ------------------------------------------------------------------------------- */

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static uint64_t sum_tables(const uint64_t *image)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < TABLES; i++) {
		const uint64_t *table = image + (image[2 * ENTRIES + i] & ~0xfffull) / 8;

		for (unsigned j = 0; j < ENTRIES; j++)
			sum += table[j];
	}
	return sum;
}

struct counted {
	uint64_t ranges, pages;
};

static bool count(void *context, const struct gsc_mapping *mapping)
{
	struct counted *counted = context;

	counted->ranges++;
	counted->pages += mapping->pages;
	return true;
}

static void need(enum gsc_status status, const struct gsc_error *err)
{
	if (status) {
		fprintf(stderr, "%s: %s\n", err->what, err->why);
		exit(1);
	}
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void print_median(double *times, unsigned runs)
{
	qsort(times, runs, sizeof(*times), by_size);
	printf("%.3f\n", times[runs / 2] * 1e3);
}

#define RUNS_MAX 1000

static void time_map(const char *path, unsigned runs)
{
	static double sums[RUNS_MAX], maps[RUNS_MAX];
	struct gsc_translation_options options = { .root = { .mode = GSC_MODE_PML4, .count = 1 } };
	struct gsc_translation *translation;
	struct counted counted = { 0, 0 };
	struct gsc_source *source;
	struct gsc_error err;
	struct gsc_gpu *gpu;
	struct gsc_db *db;
	volatile uint64_t sum;
	char spec[4200];
	const char *specs[] = { spec };
	size_t size;
	const uint64_t *image = map_file(path, &size, 0);

	snprintf(spec, sizeof(spec), "mem:%s", path);
	need(gsc_db_new(&db, &err), &err);
	need(gsc_source_open(&source, specs, 1,
			     &(struct gsc_source_options){ .db = db, .platform = "skl" }, &err),
	     &err);
	need(gsc_gpu_new(&gpu, source, NULL, &err), &err);
	need(gsc_translation_new(&translation, gpu, &options, &err), &err);
	need(gsc_map(translation, 0, count, &counted, NULL, &err), &err);
	for (unsigned i = 0; i < runs; i++) {
		double start = seconds(), middle;

		sum = sum_tables(image);
		middle = seconds();
		counted = (struct counted){ 0, 0 };
		need(gsc_map(translation, 0, count, &counted, NULL, &err), &err);
		sums[i] = middle - start;
		maps[i] = seconds() - middle;
	}
	(void)sum;
	print_median(sums, runs);
	print_median(maps, runs);
	gsc_translation_free(translation);
	gsc_gpu_close(gpu);
	gsc_source_close(source);
	gsc_db_free(db);
}

int main(int argc, char **argv)
{
	if (argc == 5 && !strcmp(argv[1], "image"))
		make_image(argv[2], !strcmp(argv[3], "scattered"), !strcmp(argv[4], "linear"));
	else if (argc == 4 && !strcmp(argv[1], "bar"))
		make_bar(argv[2], !strcmp(argv[3], "ordered"));
	else if (argc == 4 && !strcmp(argv[1], "time") && atoi(argv[3]) > 0 &&
		 atoi(argv[3]) <= RUNS_MAX)
		time_map(argv[2], (unsigned)atoi(argv[3]));
	else
		return fputs("usage: map-tables image|bar|time ...\n", stderr), 2;
	return 0;
}
