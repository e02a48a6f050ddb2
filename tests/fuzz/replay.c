/* SPDX-License-Identifier: MIT */
/*
 * fuzz-TARGET FOLDER [COUNT]: runs all seeds of a folder, and COUNT mutations of them, always the
 * same ones. A seed that crashes the target is named, with the number of the mutation; fuzz-TARGET
 * FILE [NUMBER [OUT]] runs only that input, and writes it.
 */
#include "fuzz.h"
#include "../default-signals.h"

#include <dirent.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECONDS_MAX 2		/* of the processor, for an input */
#define SIZE_MAX_SEED (1 << 20)
#define FAILURES_MAX 5

struct bytes {
	uint8_t *data;
	size_t size, room;
};

struct seed {
	char name[512];
	struct bytes bytes;
};

struct seeds {
	struct seed *items;
	size_t count;
};

/* What the child is running, for its parent to report. */
struct progress {
	size_t done;			/* inputs that were survived */
};

static void die(const char *what, const char *why)
{
	fprintf(stderr, "fuzz: %s: %s\n", what, why);
	exit(2);
}

/* ---- seeds ---------------------------------------------------------------------------------- */

static void room_for(struct bytes *b, size_t size)
{
	if (size <= b->room)
		return;
	b->room = size * 2;
	b->data = realloc(b->data, b->room);
	if (!b->data)
		die("memory", "there is not enough");
}

static struct bytes read_file(const char *path)
{
	struct bytes b = { .size = 0 };
	FILE *file = fopen(path, "rb");

	if (!file)
		die(path, "cannot be opened");
	room_for(&b, SIZE_MAX_SEED);
	b.size = fread(b.data, 1, SIZE_MAX_SEED, file);
	fclose(file);
	return b;
}

static int is_seed(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static struct seeds read_seeds(const char *path)
{
	struct seeds seeds = { .count = 0 };
	struct dirent **entries;
	int count = scandir(path, &entries, is_seed, alphasort);

	if (count <= 0)
		die(path, "there are no seeds");
	seeds.items = calloc((size_t)count, sizeof(*seeds.items));
	if (!seeds.items)
		die("memory", "there is not enough");
	for (int i = 0; i < count; i++) {
		struct seed *seed = &seeds.items[seeds.count++];

		snprintf(seed->name, sizeof(seed->name), "%s/%s", path, entries[i]->d_name);
		seed->bytes = read_file(seed->name);
		free(entries[i]);
	}
	free(entries);
	return seeds;
}

static void free_seeds(struct seeds *seeds)
{
	for (size_t i = 0; i < seeds->count; i++)
		free(seeds->items[i].bytes.data);
	free(seeds->items);
}

/* ---- changes -------------------------------------------------------------------------------- */

/* The high half of a linear congruential generator (Knuth's MMIX): the same numbers everywhere. */
static uint32_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*state >> 32);
}

static size_t below(uint64_t *state, size_t end)
{
	return end ? next_random(state) % end : 0;
}

static void flip_bits(struct bytes *b, uint64_t *state)
{
	size_t count = 1 + below(state, 4);

	for (size_t i = 0; i < count && b->size; i++)
		b->data[below(state, b->size)] ^= (uint8_t)(1u << below(state, 8));
}

static void put_bytes(struct bytes *b, uint64_t *state)
{
	size_t at = below(state, b->size), length = 1 + below(state, 8);

	for (size_t i = at; i < b->size && i < at + length; i++)
		b->data[i] = (uint8_t)next_random(state);
}

static void cut_end(struct bytes *b, uint64_t *state)
{
	b->size = below(state, b->size);
}

static void cut_out(struct bytes *b, uint64_t *state)
{
	size_t at = below(state, b->size), length = 1 + below(state, b->size - at);

	if (!b->size)
		return;
	memmove(b->data + at, b->data + at + length, b->size - at - length);
	b->size -= length;
}

static void repeat(struct bytes *b, uint64_t *state)
{
	size_t at = below(state, b->size), length = 1 + below(state, b->size - at);
	size_t to = below(state, b->size);

	if (!b->size || b->size + length > SIZE_MAX_SEED)
		return;
	room_for(b, b->size + 2 * length);
	/* After the end there is room for what is repeated. */
	memcpy(b->data + b->size + length, b->data + at, length);
	memmove(b->data + to + length, b->data + to, b->size - to);
	memcpy(b->data + to, b->data + b->size + length, length);
	b->size += length;
}

static const uint64_t extremes[] = {
	0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffc,
	0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000, 0xfffffffffffff000,
	0xffffffffffffffff,
};

static uint64_t extreme(uint64_t *state)
{
	return extremes[below(state, sizeof(extremes) / sizeof(*extremes))];
}

/* Replaces a binary number: a length, a count, an address. */
static void put_extreme(struct bytes *b, uint64_t *state)
{
	size_t size = (size_t)1 << below(state, 4), at = below(state, b->size);
	uint64_t value = extreme(state);

	if (next_random(state) & 1)
		at -= at % 4;
	for (size_t i = 0; i < size && at + i < b->size; i++)
		b->data[at + i] = (uint8_t)(value >> 8 * i);
}

static bool is_digit(uint8_t c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Replaces a number in text: the digits from some place on. */
static void put_extreme_text(struct bytes *b, uint64_t *state)
{
	size_t start = below(state, b->size), end, length;
	char text[24];

	while (start < b->size && !is_digit(b->data[start]))
		start++;
	for (end = start; end < b->size && is_digit(b->data[end]);)
		end++;
	if (start == end)
		return;
	length = (size_t)snprintf(text, sizeof(text), next_random(state) & 1 ? "%llx" : "%llu",
				  (unsigned long long)extreme(state));
	room_for(b, b->size + length);
	memmove(b->data + start + length, b->data + end, b->size - end);
	memcpy(b->data + start, text, length);
	b->size = b->size - (end - start) + length;
}

/* The beginning of one and the end of another. */
static void graft(struct bytes *b, uint64_t *state, const struct seeds *seeds)
{
	const struct bytes *other = &seeds->items[below(state, seeds->count)].bytes;
	size_t at = below(state, b->size), from = below(state, other->size);
	size_t length = other->size - from;

	if (at + length > SIZE_MAX_SEED)
		return;
	room_for(b, at + length);
	memcpy(b->data + at, other->data + from, length);
	b->size = at + length;
}

/* Change number 0 is none. */
static void change(struct bytes *b, const struct seed *seed, const struct seeds *seeds,
		   size_t number)
{
	static void (*const changes[])(struct bytes *, uint64_t *) = {
		flip_bits, put_bytes, cut_end, cut_out, repeat, put_extreme, put_extreme_text,
		put_extreme_text,
	};
	uint64_t state = number * UINT64_C(0x9e3779b97f4a7c15) + seed->bytes.size;
	size_t count = number ? 1 + below(&state, 4) : 0;

	room_for(b, seed->bytes.size + 1);
	memcpy(b->data, seed->bytes.data, seed->bytes.size);
	b->size = seed->bytes.size;
	for (size_t i = 0; i < count; i++) {
		size_t which = below(&state, sizeof(changes) / sizeof(*changes) + 1);

		if (which < sizeof(changes) / sizeof(*changes))
			changes[which](b, &state);
		else
			graft(b, &state, seeds);
	}
}

/* ---- running -------------------------------------------------------------------------------- */

/* Processor time, because the machine may be busy with other things. */
static void limit_time(void)
{
	const struct itimerval limit = { .it_value.tv_sec = SECONDS_MAX };

	setitimer(ITIMER_PROF, &limit, NULL);
}

/* From a copy of exactly that size, so that a sanitizer sees reads past the end. */
static void run(const struct bytes *b)
{
	uint8_t *copy = malloc(b->size);

	if (b->size)
		memcpy(copy, b->data, b->size);
	limit_time();
	LLVMFuzzerTestOneInput(copy, b->size);
	free(copy);
}

/* Input number i of all: the seeds one after the other, mutated more and more. */
static void input_at(struct bytes *b, const struct seeds *seeds, size_t i)
{
	change(b, &seeds->items[i % seeds->count], seeds, i / seeds->count);
}

static void run_from(const struct seeds *seeds, size_t first, size_t count,
		     struct progress *progress)
{
	struct bytes b = { .size = 0 };

	for (size_t i = first; i < count; i++) {
		input_at(&b, seeds, i);
		run(&b);
		progress->done = i + 1;
	}
	free(b.data);
}

static const char *how_it_ended(int status)
{
	static char text[80];

	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
		return "it takes more than 2 seconds";
	if (WIFSIGNALED(status))
		snprintf(text, sizeof(text), "signal %d, %s", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else
		snprintf(text, sizeof(text), "exit status %d", WEXITSTATUS(status));
	return text;
}

/* Runs them in a child, and what follows a crash in another one. */
static int run_all(struct seeds *seeds, size_t changes, const char *program)
{
	struct progress *progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE,
					 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	size_t count = seeds->count + changes, failures = 0;

	if (progress == MAP_FAILED)
		die("memory", "there is not enough");
	while (failures < FAILURES_MAX) {
		size_t i;
		int status;
		pid_t pid = fork();

		if (pid < 0)
			die("fork", "failed");
		if (!pid) {
			run_from(seeds, progress->done, count, progress);
			free_seeds(seeds);
			exit(0);
		}
		waitpid(pid, &status, 0);
		if (!status)
			break;
		failures++;
		i = progress->done++;
		if (i >= count) {
			fprintf(stderr, "fuzz: at the end: %s\n", how_it_ended(status));
			break;
		}
		fprintf(stderr, "fuzz: %s, change %zu: %s\n  again: %s %s %zu\n",
			seeds->items[i % seeds->count].name, i / seeds->count, how_it_ended(status),
			program, seeds->items[i % seeds->count].name, i / seeds->count);
	}
	printf("%zu inputs from %zu seeds, %zu failures\n", progress->done, seeds->count, failures);
	free_seeds(seeds);
	return failures > 0;
}

/* ---- one input ------------------------------------------------------------------------------ */

static void write_file(const char *path, const struct bytes *b)
{
	FILE *file = fopen(path, "wb");

	if (!file || fwrite(b->data, 1, b->size, file) != b->size || fclose(file))
		die(path, "cannot be written");
}

/* A mutation may use other seeds, which are beside it. */
static struct seeds seeds_beside(const char *path, size_t *which)
{
	char folder[400];
	const char *slash = strrchr(path, '/');
	struct seeds seeds;

	snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash - path) : 1,
		 slash ? path : ".");
	seeds = read_seeds(folder);
	for (*which = 0; *which < seeds.count; ++*which)
		if (!strcmp(strrchr(seeds.items[*which].name, '/') + 1, slash ? slash + 1 : path))
			return seeds;
	die(path, "is not there");
	return seeds;
}

static int run_one(const char *path, size_t number, const char *out)
{
	size_t which;
	struct seeds seeds = seeds_beside(path, &which);
	struct bytes b = { .size = 0 };

	change(&b, &seeds.items[which], &seeds, number);
	if (out)
		write_file(out, &b);
	run(&b);
	printf("%zu bytes, survived\n", b.size);
	free(b.data);
	free_seeds(&seeds);
	return 0;
}

int main(int argc, char **argv)
{
	size_t number = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	struct seeds seeds;
	struct stat st;

	default_signals();
	if (argc < 2 || argc > 4 || stat(argv[1], &st))
		die("usage", "fuzz-TARGET FOLDER [COUNT] | FILE [NUMBER [OUT]]");
	if (!S_ISDIR(st.st_mode))
		return run_one(argv[1], number, argc > 3 ? argv[3] : NULL);
	seeds = read_seeds(argv[1]);
	return run_all(&seeds, number, argv[0]);
}
