/* SPDX-License-Identifier: MIT */
/* Opening sources: what a spec names, which reader gets it, and whose identity counts. */
#include "open/opening.h"

#include "device/device.h"
#include "formats/demo.h"
#include "formats/dump.h"
#include "formats/kernel-log.h"
#include "log/log.h"
#include "source/callback.h"
#include "text/clean.h"
#include "util/text.h"
#include "util/number.h"

#include <sys/stat.h>

#define SURE 50				/* a score; lines of two numbers have less */
#define TEXT_LOOKED_AT (4 << 20)

#define READER_ADDRESS(name) &reader_##name,
const struct reader *const readers[READER_COUNT + 1] = { READERS(READER_ADDRESS) };
#undef READER_ADDRESS

/* ---- detected files ----------------------------------------------------------------------- */

static const struct reader *best_reader(const uint8_t *data, size_t size)
{
	const struct reader *best = NULL;
	unsigned best_score = 0;

	for (size_t i = 0; readers[i] && best_score < 100; i++) {
		unsigned score = readers[i]->score(data, size);

		if (score > best_score) {
			best_score = score;
			best = readers[i];
		}
	}
	return best;
}

/* Megabytes of text show what it is; if they do not, the rest may. */
const struct reader *source_reader(const uint8_t *data, size_t size)
{
	const struct reader *reader = NULL;

	if (size > TEXT_LOOKED_AT && bytes_are_text(data, size))
		reader = best_reader(data, TEXT_LOOKED_AT);
	return reader ? reader : best_reader(data, size);
}

/* The kind of a text may show later: a kernel log has its trace anywhere. */
static bool worth_reading(const uint8_t *data, size_t size)
{
	return bytes_are_text(data, size) || text_is_wide(data, size) || source_reader(data, size);
}

static enum gsc_status not_recognised(const struct blob *blob, struct gsc_error *err)
{
	if (blob->size >= 4 && !memcmp(blob->data, "\177ELF", 4))
		return err_set(err, GSC_FAILED, blob->name,
			       "not recognised: an ELF file; if it is a memory dump, try: elf:%s",
			       blob->name);
	if (is_foreign(blob, err))
		return err->status;
	if (bytes_are_text(blob->data, blob->size))
		return err_set(err, GSC_FAILED, blob->name,
			       "not recognised; if it is a kernel log: gpu-fault --dmesg %s",
			       name_to_paste(blob->name));
	return err_set(err, GSC_FAILED, blob->name,
		       "not recognised; plain bytes need a prefix: bar:, ggtt:, mem:, lmem:, "
		       "config: or elf:");
}

/* The head of a long one is enough, unless its kind may show later. */
static bool undecided(const uint8_t *data, size_t size)
{
	return bytes_are_text(data, size) && !source_reader(data, size);
}

enum gsc_source_form gsc_file_form(const char *path, bool *sure)
{
	enum gsc_source_form form = GSC_SOURCE_NONE;
	const struct reader *reader;
	struct blob blob;
	struct stat st;

	*sure = false;
	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return form;
	if (!blob_open(&blob, path, undecided, NULL, NULL) && blob.data &&
	    (reader = source_reader(blob.data, blob.size))) {
		form = reader->form;
		*sure = reader->score(blob.data, blob.size) >= SURE;
	}
	blob_close(&blob);
	return form;
}

/* A device id that the database knows gives the platform. */
static void identify_by_device(const struct gsc_source *source, struct part *part)
{
	struct gsc_platform p;

	if (part->platform < 0 && part->pci_device >= 0 && source->db &&
	    gsc_platform_by_id(source->db, (uint16_t)part->pci_device, &p, NULL))
		part->platform = (int)p.index;
}

/*
 * Anybody can choose names of processes, which are in dumps: where a dump is says better than its
 * text what it is, if the text agrees at all. `form`: of a file of the kernel; `member`: the name
 * of a capture's, "gpu.tar: stored/error-state.2".
 */
static const struct reader *known_reader(const struct blob *blob, enum gsc_source_form form,
					 const char *member)
{
	const char *slash = member ? strrchr(member, '/') : NULL;

	for (size_t i = 0; readers[i]; i++) {
		const struct reader *r = readers[i];

		if (!r->hang || (r->form != form && !(slash && !strncmp(slash + 1, r->file,
									 strlen(r->file)))))
			continue;
		if (r->score(blob->data, blob->size))
			return r;
	}
	return NULL;
}

static enum gsc_status load_detected(struct gsc_source *source, struct part *part,
				     enum gsc_source_form form, const char *member,
				     struct gsc_error *err)
{
	const struct blob *blob = &part->blob;
	enum gsc_status status = blob_clean(&part->blob, &kernel_log_words, err);
	const struct reader *reader;

	if (status)
		return status;
	/* Not mapped: an ELF core. */
	if (!blob->data) {
		part->reader = &reader_elf;
		return elf_load(source, part, err);
	}
	reader = known_reader(blob, form, member);
	part->no_log = form && reader;	/* a kernel keeps no log with it */
	if (!reader && bytes_are_text(blob->data, blob->size) && pasted_is_several(part)) {
		part->reader = &reader_pasted;
		return GSC_OK;
	}
	reader = reader ? reader : source_reader(blob->data, blob->size);
	/* A message may stand alone, or in prose. */
	if (!reader && bytes_are_text(blob->data, blob->size) && source->db &&
	    log_has_messages(source->db, blob->data, blob->size))
		reader = &reader_kernel_log;
	if (!reader)
		return not_recognised(blob, err);
	part->reader = reader;
	return reader->load(source, part, err);
}

static enum gsc_status open_detected(struct gsc_source *source, struct part *part,
				     const char *path, struct gsc_error *err)
{
	enum gsc_source_form form = device_kept(path, &part->pci_device, &part->revision);
	enum gsc_status status = blob_open(&part->blob, path, worth_reading, &source->maker, err);

	identify_by_device(source, part);
	return status ? status : load_detected(source, part, form, NULL, err);
}

static enum gsc_status load_bytes(struct gsc_source *source, struct part *part, const void *data,
				  size_t size, const char *member, struct gsc_error *err)
{
	enum gsc_status status = blob_from_memory(&part->blob, part->name, data, size,
						  blob_accept_any, &source->maker, err);

	return status ? status : load_detected(source, part, GSC_SOURCE_NONE, member, err);
}

/* ---- the other kinds ---------------------------------------------------------------------- */

static const struct spec {
	const char *prefix;
	struct reader reader;
	bool has_file;			/* otherwise it is built in, and its reader is found */
	enum gsc_space space;		/* for the bytes of PATH@OFFSET; else GSC_SPACES */
	enum gsc_status (*load)(struct gsc_source *source, struct part *part,
				struct gsc_error *err);
} spec_table[] = {
	{ "bar:", { "bar", GSC_SOURCE_BAR }, true, GSC_MMIO, NULL },
	{ "ggtt:", { "ggtt", GSC_SOURCE_BYTES }, true, GSC_GGTT, NULL },
	{ "mem:", { "mem", GSC_SOURCE_BYTES }, true, GSC_PHYS, NULL },
	{ "lmem:", { "lmem", GSC_SOURCE_BYTES }, true, GSC_LMEM, NULL },
	{ "config:", { "config", GSC_SOURCE_BYTES }, true, GSC_SPACES, config_load },
	{ "elf:", { "elf", GSC_SOURCE_MEMORY }, true, GSC_SPACES, elf_load },
	/* PATH@NUMBER is a dump, whose own kind counts. */
	{ "guc-capture:", { "guc-capture", GSC_SOURCE_NONE }, true, GSC_SPACES, NULL },
	{ "demo:", { "demo", GSC_SOURCE_NONE }, false, GSC_SPACES, NULL },
};

/* The file of a spec, "PATH@NUMBER" at the last @ if bytes can begin at an offset; to be freed. */
static char *spec_path(const struct spec *spec, const char *rest, uint64_t *offset)
{
	const char *at = spec && !spec->load ? strrchr(rest, '@') : NULL;

	*offset = 0;
	if (at && gsc_parse_number(at + 1, offset))
		return strndup(rest, (size_t)(at - rest));
	return strdup(rest);
}

static enum gsc_status open_file(struct gsc_source *source, struct part *part,
				 const struct gsc_input *input, const struct spec *spec,
				 const char *rest, struct gsc_error *err)
{
	struct blob *blob = &part->blob;
	enum gsc_status status;
	uint64_t offset;
	char *path = spec_path(spec, rest, &offset);

	/* The blob's name must outlive it. */
	if (!path || !part_own(part, path, free))
		return err_memory(err);
	if (!*path)
		return err_set(err, GSC_USAGE, part->name, "names no file");
	if (spec->space == GSC_SPACES && !spec->load) {
		part->capture = strlen(path) == strlen(rest) ? CAPTURE_OF_HANG : offset + 1;
		status = input->data ?
			load_bytes(source, part, input->data, input->size, NULL, err) :
			open_detected(source, part, path, err);
		return status || part->dump ? status :
		       err_set(err, GSC_FAILED, part->name, "no error state and no core dump");
	}
	status = input->data ? blob_from_memory(blob, path, input->data, input->size, NULL,
						&source->maker, err)
			     : blob_open(blob, path, NULL, &source->maker, err);
	if (status || spec->load)
		return status;
	if (!range_fits(offset, blob->size))
		return err_set(err, GSC_USAGE, part->name, "ends past the 64-bit address space");
	if (blob->data ? part_add(part, spec->space, offset, blob->size, blob->data) :
			 part_add_file(part, spec->space, offset, blob->size, blob->fd, 0))
		return GSC_OK;
	return err_memory(err);
}

static bool is_hang(const char *name)
{
	return !strncmp(name, HANG_PREFIX, strlen(HANG_PREFIX));
}

static const struct spec *find_spec(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(spec_table); i++)
		if (!strncmp(name, spec_table[i].prefix, strlen(spec_table[i].prefix)))
			return &spec_table[i];
	return NULL;
}

static bool reads_stdin(const char *name)
{
	const struct spec *spec = find_spec(name);
	const char *path = spec ? name + strlen(spec->prefix) : name;

	return path[0] == '-' && (!path[1] || (path[1] == '@' && spec && !spec->load));
}

/* A file, or bytes in its place, of a kind that the name says. */
static enum gsc_status open_prefixed(struct gsc_source *source, struct part *part,
				     const struct gsc_input *input, const struct spec *spec,
				     struct gsc_error *err)
{
	const char *rest = part->name + strlen(spec->prefix);
	enum gsc_status status;

	part->reader = &spec->reader;
	status = open_file(source, part, input, spec, rest, err);
	return status || !spec->load ? status : spec->load(source, part, err);
}

static enum gsc_status open_spec(struct gsc_source *source, struct part *part,
				 const struct gsc_source_options *options, struct gsc_error *err)
{
	static const struct reader definitions = { "definitions", GSC_SOURCE_NONE };
	static const struct reader live = { "live", GSC_SOURCE_DEVICE };
	static const struct gsc_input by_name;
	const struct spec *spec = find_spec(part->name);
	struct device_facts facts;
	enum gsc_status status;
	char driver[32];
	char *path;

	if (!*part->name)
		return err_set(err, GSC_USAGE, "\"\"", "an empty source name");
	if (!strcmp(part->name, "none")) {
		part->reader = &definitions;
		return GSC_OK;
	}
	if (device_name_matches(part->name)) {
		status = device_open(&part->device, part->name, options, err);
		if (status)
			return status;
		part->reader = &live;
		facts = device_facts(part->device);
		part->platform = facts.platform;
		part->pci_device = facts.id;
		part->revision = facts.revision;
		if (device_driver(part->device, driver, sizeof(driver)) &&
		    !part_say(part, "", "driver", "%s", driver))
			return err_memory(err);
		return GSC_OK;
	}
	if (is_hang(part->name)) {
		status = hang_file(part, &path, err);
		/* The blob's name must outlive it. */
		if (!status && !part_own(part, path, free))
			return err_memory(err);
		return status ? status : open_detected(source, part, path, err);
	}
	if (!spec)
		return open_detected(source, part, part->name, err);
	if (spec->has_file)
		return open_prefixed(source, part, &by_name, spec, err);
	part->reader = &spec->reader;
	status = demo_open(&part->blob, part->name + strlen(spec->prefix), err);
	return status ? status : load_detected(source, part, GSC_SOURCE_NONE, NULL, err);
}

static enum gsc_status open_input(struct gsc_source *source, struct part *part,
				  const struct gsc_input *input,
				  const struct gsc_source_options *options, struct gsc_error *err)
{
	static const struct reader callbacks = { "callbacks", GSC_SOURCE_CALLBACKS };
	const struct spec *spec = find_spec(part->name);

	if (input->data && input->callbacks)
		return err_set(err, GSC_USAGE, part->name, "is bytes or callbacks, not both");
	if (input->data && spec && spec->has_file)
		return open_prefixed(source, part, input, spec, err);
	if (input->data)
		return load_bytes(source, part, input->data, input->size, NULL, err);
	if (!input->callbacks)
		return open_spec(source, part, options, err);
	part->reader = &callbacks;
	part->blob.name = part->name;
	return callbacks_new(part, input->callbacks, err);
}

enum gsc_spec_kind gsc_spec_kind(const char *name, char **path)
{
	const struct spec *spec = find_spec(name);
	const char *rest = spec ? name + strlen(spec->prefix) : name;
	uint64_t offset;

	*path = NULL;
	if (device_name_matches(name))
		return GSC_SPEC_DEVICE;
	if (is_hang(name)) {
		*path = hang_folder(name);
		return GSC_SPEC_HANG;
	}
	if (!strcmp(name, "none") || reads_stdin(name) || (spec && !spec->has_file))
		return GSC_SPEC_OTHER;
	*path = spec_path(spec, rest, &offset);
	return GSC_SPEC_FILE;
}

/* ---- opening ------------------------------------------------------------------------------ */

static struct part *add_part(struct gsc_source *source, const char *name, struct gsc_error *err)
{
	static const struct reader unknown = { "unknown", GSC_SOURCE_NONE };
	char *copy = strdup(name);
	struct part *part = copy ? vec_add(&source->parts) : NULL;

	if (!part) {
		free(copy);
		err_memory(err);
		return NULL;
	}
	*part = (struct part){ .blob.fd = -1, .platform = -1, .pci_device = -1, .revision = -1,
			       .name = copy, .reader = &unknown };
	return part;
}

static enum gsc_status finish_part(struct gsc_source *source, struct part *part,
				   struct gsc_error *err)
{
	if (part->blob.damage)
		source_note(source, "%s: %s at byte %llu", part->blob.name, part->blob.damage,
			    LL(part->blob.damage_at));
	identify_by_device(source, part);
	dump_identify(source, part);
	return pieces_resolve(&part->pieces) ? GSC_OK : err_memory(err);
}

enum gsc_status source_add_bytes(struct gsc_source *source, const char *name, const void *data,
				 size_t size, struct gsc_error *err)
{
	struct part *part = add_part(source, name, err);
	enum gsc_status status;

	if (!part)
		return GSC_FAILED;
	status = load_bytes(source, part, data, size, part->name, err);
	return status ? status : finish_part(source, part, err);
}

enum gsc_status source_add_text(struct gsc_source *source, size_t owner, const char *name,
				char *text, size_t size, const struct reader *reader,
				struct gsc_error *err)
{
	struct part *part = add_part(source, name, err);
	enum gsc_status status;

	if (!part) {
		free(text);
		return GSC_FAILED;
	}
	part->blob = (struct blob){ .name = part->name, .data = (const uint8_t *)text,
				    .size = size, .owned = true, .fd = -1 };
	part->owner = source->parts.items[owner].name;
	part->reader = reader;
	status = reader->load(source, part, err);
	return status ? status : finish_part(source, part, err);
}

enum gsc_status source_add_filled(struct gsc_source *source, size_t owner, const char *name,
				  const struct reader *reader, fill_fn *fill, void *context,
				  struct gsc_error *err)
{
	struct part *part = add_part(source, name, err);
	enum gsc_status status;

	if (!part)
		return GSC_FAILED;
	part->blob.name = part->name;
	part->owner = source->parts.items[owner].name;
	part->reader = reader;
	status = fill(context, source, part, err);
	return status ? status : finish_part(source, part, err);
}

/* The rings of messages, as parts of their own; what cannot be read is left out. */
static enum gsc_status open_messages(struct gsc_source *source,
				     const struct gsc_source_options *options,
				     struct gsc_error *err)
{
	char path[200];

	for (size_t i = 0; gsc_guc_file(source, i, path, sizeof(path)); i++) {
		struct gsc_error own = { 0 };
		struct part *part;

		if (!slice_ends(slice_string(path), "/guc_ctb"))
			continue;
		part = add_part(source, path, err);
		if (!part)
			return GSC_FAILED;
		if (!open_spec(source, part, options, &own) && !finish_part(source, part, &own))
			continue;
		if (err_is_memory(&own))
			return err_memory(err);
		source_drop_part(source, source->parts.count - 1);
	}
	return GSC_OK;
}

static enum gsc_status open_parts(struct gsc_source *source, const struct gsc_input *inputs,
				  size_t count, const struct gsc_source_options *options,
				  struct gsc_error *err)
{
	static const struct gsc_input this_machine = { .spec = "live" };
	enum gsc_status status = GSC_OK;
	bool stdin_seen = false;

	for (size_t i = 0; i < count; i++) {
		if (!inputs[i].spec)
			return err_set(err, GSC_USAGE, "source", "a part has no name");
		if (inputs[i].data || inputs[i].callbacks || !reads_stdin(inputs[i].spec))
			continue;
		if (stdin_seen)
			return err_set(err, GSC_USAGE, inputs[i].spec, "standard input can be read "
				       "only once");
		stdin_seen = true;
	}
	if (!count) {
		inputs = &this_machine;
		count = 1;
	}
	for (size_t i = 0; i < count && !status; i++) {
		struct part *part = add_part(source, inputs[i].spec, err);

		if (!part)
			return GSC_FAILED;
		status = open_input(source, part, &inputs[i], options, err);
		if (!status)
			status = finish_part(source, part, err);
	}
	if (!status && options->guc)
		status = open_messages(source, options, err);
	return status ? status : source_open_inside(source, err);
}

/* What the user says comes before what the parts say. */
static enum gsc_status source_new(struct gsc_source **out, const struct gsc_source_options *options,
				  struct gsc_error *err)
{
	struct gsc_source *source = calloc(1, sizeof(*source));
	enum gsc_status status = source ? GSC_OK : err_memory(err);
	struct gsc_platform p;

	*out = source;
	if (status)
		return status;
	source->db = options->db;
	source->maker = (struct maker){ options->temporary, options->open, options->context };
	source->platform = source->pci_device = source->revision = -1;
	if (!options->platform || !source->db)
		return GSC_OK;
	status = gsc_platform_find(source->db, options->platform, &p, &source->pci_device, err);
	if (!status)
		source->platform = (int)p.index;
	return status;
}

/* Its parts are there, unless `status` says otherwise. */
static enum gsc_status source_ready(struct gsc_source **out, struct gsc_source *source,
				    enum gsc_status status, struct gsc_error *err)
{
	/* Whoever names the kind of a file wants it combined. */
	if (!status && source->platform < 0) {
		status = agree_on_platform(source, err);
		if (!status)
			status = agree_on_hang(source, err);
	}
	for (size_t i = 0; !status && i < source->parts.count; i++) {
		const struct part *part = &source->parts.items[i];

		/* Of the first part that gives them and is from the source's platform. */
		if (part->platform >= 0 && part->platform != source->platform)
			continue;
		if (source->pci_device < 0)
			source->pci_device = part->pci_device;
		if (source->revision < 0)
			source->revision = part->revision;
	}
	/* The registers in a driver's dump have addresses only on a platform. */
	for (size_t i = 0; !status && i < source->parts.count; i++)
		if (source->parts.items[i].dump)
			status = dump_place(source, &source->parts.items[i], err);
	if (!status)
		status = lookups_build(source, err);
	if (!status && !listed_build(source))
		status = err_memory(err);
	*out = status ? NULL : source;
	if (status)
		gsc_source_close(source);
	return status;
}

enum gsc_status gsc_source_open_inputs(struct gsc_source **out, const struct gsc_input *inputs,
				       size_t count, const struct gsc_source_options *options,
				       struct gsc_error *err)
{
	struct gsc_source *source;
	enum gsc_status status = source_new(&source, options, err);

	if (!status)
		status = open_parts(source, inputs, count, options, err);
	return source_ready(out, source, status, err);
}

enum gsc_status gsc_source_open(struct gsc_source **out, const char *const *specs, size_t count,
				const struct gsc_source_options *options, struct gsc_error *err)
{
	struct gsc_input *inputs = calloc(count + 1, sizeof(*inputs));
	enum gsc_status status;

	*out = NULL;
	if (!inputs)
		return err_memory(err);
	for (size_t i = 0; i < count; i++)
		inputs[i].spec = specs[i];
	status = gsc_source_open_inputs(out, inputs, count, options, err);
	free(inputs);
	return status;
}

enum gsc_status source_open_bytes(struct gsc_source **out, const char *name, const void *data,
				  size_t size, const struct gsc_source_options *options,
				  struct gsc_error *err)
{
	struct gsc_source *source;
	enum gsc_status status = source_new(&source, options, err);

	if (!status)
		status = source_add_bytes(source, name, data, size, err);
	return source_ready(out, source, status, err);
}
