/* SPDX-License-Identifier: MIT */
/* Directives that do something: boot, run, and what happens to the hardware. */
#include "script.h"

#include "definitions.h"
#include "engine.h"
#include "util/error.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define BOOT_LIMIT 240
#define GUEST_MEMORY 256
#define LARGE_MEMORY 1024	/* of one with a disk, or with a kernel that follows a panic */
#define OUTPUT_MAX (1 << 20)

static bool fail_library(struct session *s, const struct gsc_error *err)
{
	return fail(s, "%s: %s", err->what, err->why);
}

static bool parse_platforms(struct session *s, char *list, struct boot *boot)
{
	char *save;

	for (char *name = strtok_r(list, ",", &save); name; name = strtok_r(NULL, ",", &save)) {
		const struct platform *platform = platform_find(name);

		if (!strcmp(name, "none"))
			continue;
		if (!platform || boot->count == GPUS_MAX)
			return fail(s, "no such platform, or one too many: %s", name);
		boot->platforms[boot->count++] = platform;
	}
	return true;
}

static bool mark_hazards(struct session *s)
{
	struct gsc_error err = { 0 };

	for (unsigned i = 0; i < s->machine.count; i++)
		if (!hazards_mark(s->machine.gpus[i], s->db, &err))
			return fail_library(s, &err);
	return true;
}

static void in_directory(const struct session *s, char *path, size_t size, const char *name)
{
	snprintf(path, size, "%s/%s", s->directory, name);
}

/* ---- the moment work is first handed over --------------------------------------------------- */

static bool is_empty(const uint8_t *bytes, size_t size)
{
	return !bytes[0] && !memcmp(bytes, bytes + 1, size - 1);
}

/* Pages of zeros stay holes of the file. */
static bool write_pages(int fd, uint64_t start, const uint8_t *bytes, uint64_t size)
{
	for (uint64_t at = 0, length; at < size; at += length) {
		length = size - at < 4096 ? size - at : 4096;
		if (!is_empty(bytes + at, length) &&
		    pwrite(fd, bytes + at, length, (off_t)(start + at)) != (ssize_t)length)
			return false;
	}
	return true;
}

/* Adds to the file NAME.SUFFIX, `start` bytes into it. */
static void save_part(struct session *s, const char *suffix, uint64_t start, const void *bytes,
		      uint64_t size)
{
	char path[512];
	struct stat status;
	bool done;
	int fd;

	snprintf(path, sizeof(path), "%s/%s.%s", s->directory, s->snapshot, suffix);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	done = fd >= 0 && !fstat(fd, &status) &&
	       ((uint64_t)status.st_size >= start + size || !ftruncate(fd, (off_t)(start + size)));
	done = done && write_pages(fd, start, bytes, size);
	if (fd >= 0 && !close(fd) && done)
		return;
	printf("FAILED %s: cannot be written\n", path);
	s->failures++;
}

/* For commands of the host: the files as sources, and the context's descriptor. */
static void tell_snapshot(const struct session *s, const char *descriptor)
{
	const char *name = s->snapshot;
	char sources[400];

	snprintf(sources, sizeof(sources),
		 "-s bar:%s.bar -s mem:%s.mem -s mem:%s.stolen@0x%x -s config:%s.config", name,
		 name, name, STOLEN_BASE, name);
	setenv("SNAPSHOT", sources, 1);
	setenv("DESCRIPTOR", descriptor, 1);
}

/* NAME.bar, .mem (guest RAM by its addresses), .stolen, .config and .descriptor, the context's. */
static void take_snapshot(struct gpu *gpu, void *data)
{
	struct session *s = data;
	char text[32];

	save_part(s, "bar", 0, gpu->bar0, gpu->platform->bar0_size);
	save_part(s, "stolen", 0, gpu->stolen, STOLEN_SIZE);
	save_part(s, "config", 0, gpu->config, CONFIG_SIZE);
	for (size_t i = 0; i < RAM_REGIONS; i++)
		if (gpu->ram[i].bytes)
			save_part(s, "mem", gpu->ram[i].start, gpu->ram[i].bytes, gpu->ram[i].size);
	snprintf(text, sizeof(text), "0x%" PRIx64, gpu->submission);
	save_part(s, "descriptor", 0, text, strlen(text));
	tell_snapshot(s, text);
	log_text(&s->machine.log, "first submission");
}

/* snapshot NAME: of the next boot */
static bool do_snapshot(struct session *s, char *rest)
{
	snprintf(s->snapshot, sizeof(s->snapshot), "%s", rest);
	unsetenv("SNAPSHOT");
	unsetenv("DESCRIPTOR");
	return rest[0] || fail(s, "snapshot NAME");
}

static bool take_word(char **text, const char *name)
{
	size_t length = strlen(name);

	if (strncmp(*text, name, length) || ((*text)[length] && (*text)[length] != ' '))
		return false;
	*text += length;
	*text += strspn(*text, " ");
	return true;
}

/* boot PLATFORM[,PLATFORM] [DRIVER] [iommu] [systemd|crashkernel=SIZE] [WORDS FOR THE KERNEL] */
static bool do_boot(struct session *s, char *rest)
{
	struct boot boot = { .memory = GUEST_MEMORY, .limit = BOOT_LIMIT };
	char *platforms = word(&rest);
	static const char *const drivers[] = { "i915", "i915-6.12", "i915-7.2", "xe", "xe-7.2" };
	char append[256], console[512], kernel[512], initrd[512], disk[512];
	const char *driver = NULL;
	const char *problem;
	double start = seconds();
	bool systemd, crash;

	for (size_t i = 0; i < sizeof(drivers) / sizeof(drivers[0]) && !driver; i++)
		if (take_word(&rest, drivers[i]))
			driver = drivers[i];
	boot.iommu = take_word(&rest, "iommu");
	machine_stop(&s->machine);
	if (!platforms || !parse_platforms(s, platforms, &boot))
		return false;
	in_directory(s, console, sizeof(console), "console");
	boot.console = console;
	snprintf(kernel, sizeof(kernel), "%s/%s.kernel", s->cache, driver ? driver : "plain");
	systemd = !strncmp(rest, "systemd", 7);
	crash = !strncmp(rest, "crashkernel=", 12);
	snprintf(initrd, sizeof(initrd), "%s/%s%s.img", s->cache, driver ? driver : "plain",
		 systemd ? "-systemd" : crash ? "-crash" : "");
	snprintf(disk, sizeof(disk), "%s/disk", s->cache);
	boot.disk = systemd && !access(disk, R_OK) ? disk : NULL;
	if (boot.disk || crash)
		boot.memory = LARGE_MEMORY;
	snprintf(append, sizeof(append), "%s%s%s", driver ? "gpu-vm.driver " : "",
		 boot.disk ? "root=/dev/vda rw " : "", rest);
	boot.append = append;
	boot.kernel = kernel;
	boot.initrd = initrd;
	boot.submitted = s->snapshot[0] ? take_snapshot : NULL;
	boot.submitted_data = s;
	problem = machine_boot(&s->machine, &boot);
	if (problem)
		return fail(s, "%s; %s", problem, console);
	printf("# boot %.1f s\n", seconds() - start);
	return mark_hazards(s);
}

static bool read_file(const struct session *s, const char *name, struct text *text)
{
	char path[512];
	FILE *file;

	in_directory(s, path, sizeof(path), name);
	file = fopen(path, "re");
	text->bytes = calloc(1, OUTPUT_MAX + 1);
	if (!file || !text->bytes)
		return false;
	text->length = fread(text->bytes, 1, OUTPUT_MAX, file);
	fclose(file);
	return true;
}

/* host COMMAND: here, in the directory of what is written */
static bool do_host(struct session *s, char *rest)
{
	char command[4096];
	int status;

	snprintf(command, sizeof(command), "cd '%s' && { %s; } >out 2>err", s->directory, rest);
	fflush(s->machine.log.file);
	free(s->command);
	s->command = strdup(rest);
	status = system(command);
	reply_clear(&s->last);
	s->last.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return (read_file(s, "out", &s->last.out) && read_file(s, "err", &s->last.err)) ||
	       fail(s, "its output cannot be read");
}

static bool do_run(struct session *s, char *rest)
{
	const char *problem;

	free(s->command);
	s->command = strdup(rest);
	problem = machine_run(&s->machine, rest, &s->last);
	return !problem || fail(s, "%s", problem);
}

/* set OFFSET VALUE...: dwords, unnoticed by everyone */
static bool do_set(struct session *s, char *rest)
{
	uint64_t offset, value;

	if (!number(word(&rest), &offset) || offset % 4)
		return fail(s, "set OFFSET VALUE...");
	for (char *text; (text = word(&rest)); offset += 4) {
		if (!number(text, &value) || offset >= first_gpu(s)->platform->bar0_size)
			return fail(s, "set OFFSET VALUE...");
		first_gpu(s)->bar0[offset / 4] = (uint32_t)value;
	}
	registers_hold(first_gpu(s), first_gpu(s)->held);
	return true;
}

/* set-memory ADDRESS VALUE...: dwords of physical memory */
static bool do_set_memory(struct session *s, char *rest)
{
	uint64_t address, value;
	uint8_t *bytes;

	if (!number(word(&rest), &address))
		return fail(s, "set-memory ADDRESS VALUE...");
	for (char *text; (text = word(&rest)); address += 4) {
		bytes = memory_at(first_gpu(s), address, 4);
		if (!number(text, &value) || !bytes)
			return fail(s, "set-memory ADDRESS VALUE...");
		memcpy(bytes, &(uint32_t){ (uint32_t)value }, 4);
	}
	return true;
}

/* The process whose batch is being executed: where an address of it leads. */
static bool in_process(struct session *s, char **rest, struct reached *to)
{
	struct gpu *gpu = first_gpu(s);
	uint64_t address;

	if (!number(word(rest), &address))
		return fail(s, "no address");
	for (const struct engine *e = gpu->engines; e->kind; e++)
		if (e->active && streamer_in_process(e)) {
			*to = process_at(gpu, e, address);
			return true;
		}
	return fail(s, "no engine executes a batch of a process");
}

/* store ADDRESS VALUE: a dword of that process */
static bool do_store(struct session *s, char *rest)
{
	struct reached to;
	uint64_t value;

	if (!in_process(s, &rest, &to) || !to.bytes || !number(word(&rest), &value))
		return fail(s, "store ADDRESS VALUE");
	memcpy(to.bytes, &(uint32_t){ (uint32_t)value }, 4);
	return true;
}

/* unmap ADDRESS LEVEL: its tables lose the entry of that level, 0: that of the page */
static bool do_unmap(struct session *s, char *rest)
{
	struct reached to;
	uint64_t level;

	if (!in_process(s, &rest, &to) || !number(word(&rest), &level) || level > 4 ||
	    !to.entries[level])
		return fail(s, "unmap ADDRESS LEVEL");
	memset(to.entries[level], 0, first_gpu(s)->platform->gen < 8 ? 4 : 8);
	return true;
}

static bool do_fault(struct session *s, char *rest)
{
	uint64_t fault = 0, data0 = 0, data1 = 0;

	if (!number(word(&rest), &fault))
		return fail(s, "fault VALUE [DATA0 DATA1]");
	if (!fault) {
		registers_forget_fault(first_gpu(s));
		return true;
	}
	number(word(&rest), &data0);
	number(word(&rest), &data1);
	register_fault(first_gpu(s), 0, (uint32_t)fault, (uint32_t)data0, (uint32_t)data1);
	return true;
}

/* gone on|bars|off|OFFSET N: all ones to everything, or from its BARs */
static bool do_gone(struct session *s, char *rest)
{
	struct gpu *gpu = first_gpu(s);
	char *how = word(&rest);
	uint64_t offset, count;

	if (number(how, &offset)) {
		if (!number(word(&rest), &count) || !count)
			return fail(s, "gone OFFSET N");
		gpu->lost_at = (uint32_t)offset;
		gpu->lost_after = (unsigned)count;
		return true;
	}
	gpu->lost_after = 0;
	gpu->gone = !strcmp(how, "on");
	gpu->bars_gone = !strcmp(how, "bars");
	return gpu->gone || gpu->bars_gone || !strcmp(how, "off") ||
	       fail(s, "gone on|bars|off|OFFSET N");
}

/* lose N VALUE: at every Nth read of what sleeps all wells are lost, and answer that; 0: no more */
static bool do_lose(struct session *s, char *rest)
{
	struct gpu *gpu = first_gpu(s);
	uint64_t every, value = 0;

	if (!number(word(&rest), &every) || (every && !number(word(&rest), &value)))
		return fail(s, "lose N VALUE");
	gpu->lose_every = gpu->lose_left = (unsigned)every;
	gpu->asleep_value = (uint32_t)value;
	return true;
}

/* guc STATE: until it is loaded again, or for good */
static bool do_guc(struct session *s, char *rest)
{
	static const struct {
		const char *name;
		enum guc_health health;
		bool crashes;
	} states[] = {
		{ "well", GUC_WELL }, { "silent", GUC_SILENT }, { "crashed", GUC_SILENT, true },
		{ "broken", GUC_BROKEN, true }, { "forgetful", GUC_FORGETFUL },
		{ "scanty", GUC_SCANTY }, { "full", GUC_FULL },
	};
	struct gpu *gpu = first_gpu(s);

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (!strcmp(rest, states[i].name)) {
			if (states[i].crashes)
				guc_crash(gpu);
			gpu->guc_health = states[i].health;
			return true;
		}
	return fail(s, "guc silent|crashed|broken|forgetful|scanty|full|well");
}

static bool do_seed(struct session *s, char *rest)
{
	struct gsc_error err = { 0 };

	if (!gpu_seed(first_gpu(s), s->db, rest, &err))
		return fail_library(s, &err);
	registers_hold(first_gpu(s), first_gpu(s)->held);
	return true;
}

/* dump NAME [memory] */
static bool do_dump(struct session *s, char *rest)
{
	char path[512], *name = word(&rest);

	if (!name)
		return fail(s, "dump NAME [memory]");
	in_directory(s, path, sizeof(path), name);
	return gpu_dump(first_gpu(s), path, take_word(&rest, "memory")) ||
	       fail(s, "%s: cannot be written", path);
}

/* vmcore NAME [-z] */
static bool do_vmcore(struct session *s, char *rest)
{
	char path[512], *name = word(&rest), *option = word(&rest);
	const char *problem;

	if (!name)
		return fail(s, "vmcore NAME [-z]");
	in_directory(s, path, sizeof(path), name);
	problem = machine_dump(&s->machine, option ? option : "", path);
	return !problem || fail(s, "%s: %s", name, problem);
}

/* hold MASK: these domains are kept awake by somebody else, a bit for each of the platform's */
static bool do_hold(struct session *s, char *rest)
{
	uint64_t domains;

	if (!number(rest, &domains))
		return fail(s, "hold MASK");
	registers_hold(first_gpu(s), (unsigned)domains);
	return true;
}

/* For the author of a script. */
static bool do_show(struct session *s, char *rest)
{
	(void)rest;
	printf("# %s (status %d, %.2f s)\n", s->command, s->last.status, s->last.time);
	show_text("out:", &s->last.out);
	show_text("err:", &s->last.err);
	return true;
}

/* crash: the kernel panics; what follows runs in the one that was loaded for that */
static bool do_crash(struct session *s, char *rest)
{
	const char *problem = machine_crash(&s->machine);

	(void)rest;
	return !problem || fail(s, "%s", problem);
}

/* fetch PATH NAME: a file of the guest */
static bool do_fetch(struct session *s, char *rest)
{
	char *from = word(&rest), *name = word(&rest);
	struct reply file = { 0 };
	char command[512], path[512];
	const char *problem;
	FILE *out;
	bool done;

	if (!from || !name)
		return fail(s, "fetch PATH NAME");
	snprintf(command, sizeof(command), "cat %s", from);
	problem = machine_run(&s->machine, command, &file);
	if (problem || file.status)
		return fail(s, "%s", problem ? problem : file.err.bytes);
	in_directory(s, path, sizeof(path), name);
	out = fopen(path, "we");
	done = out && fwrite(file.out.bytes, 1, file.out.length, out) == file.out.length;
	done = out && !fclose(out) && done;
	reply_clear(&file);
	return done || fail(s, "%s cannot be written", path);
}

/* A mark for each entry that was ever written. */
static uint8_t *written_entries(const struct session *s)
{
	const struct log *log = &s->machine.log;
	const struct platform *p = s->machine.gpus[0]->platform;
	uint8_t *written = calloc(1, p->ggtt_size / p->entry + 1);

	for (size_t i = 0; written && i < log->count; i++) {
		const struct access *a = &log->items[i];

		if (a->write && !a->gpu && a->space == SPACE_BAR0 && a->offset >= p->ggtt_offset &&
		    a->offset - p->ggtt_offset < p->ggtt_size)
			written[(a->offset - p->ggtt_offset) / p->entry] = 1;
	}
	return written;
}

/* read-ggtt COUNT: the first entries, and all others whose writes the hardware saw */
static bool do_read_ggtt(struct session *s, char *rest)
{
	uint32_t count = ggtt_entries(first_gpu(s)), first;
	uint8_t *written = written_entries(s);
	char command[4096];
	uint64_t beginning;
	size_t length;

	if (!written || !number(rest, &beginning) || beginning > count) {
		free(written);
		return fail(s, "read-ggtt COUNT");
	}
	memset(written, 1, beginning);
	length = (size_t)snprintf(command, sizeof(command), "vm-probe ggtt");
	for (uint32_t i = 0; i < count && length < sizeof(command); i++) {
		for (first = i; written[i]; i++)
			;
		if (i > first)
			length += (size_t)snprintf(command + length, sizeof(command) - length,
						   " %u-%u", first, i - 1);
	}
	free(written);
	return length < sizeof(command) ? do_run(s, command) : fail(s, "too many stretches");
}

const struct directive acts[] = {
	{ "snapshot", do_snapshot },
	{ "boot", do_boot },
	{ "run", do_run },
	{ "host", do_host },
	{ "crash", do_crash },
	{ "fetch", do_fetch },
	{ "read-ggtt", do_read_ggtt },
	{ "set", do_set },
	{ "set-memory", do_set_memory },
	{ "store", do_store },
	{ "unmap", do_unmap },
	{ "fault", do_fault },
	{ "hold", do_hold },
	{ "gone", do_gone },
	{ "lose", do_lose },
	{ "guc", do_guc },
	{ "seed", do_seed },
	{ "dump", do_dump },
	{ "vmcore", do_vmcore },
	{ "show", do_show },
	{ 0 },
};
