/* SPDX-License-Identifier: MIT */
/* The words of enums: those that the language has too, and the results of reads. */
#include "db/words.h"
#include "util/util.h"

#include <string.h>

static const char *const space_names[GSC_SPACES] = {
	[GSC_MMIO] = "mmio",	   [GSC_CONFIG] = "config", [GSC_IO] = "io",
	[GSC_VGA_SR] = "vga-sr",   [GSC_VGA_GR] = "vga-gr", [GSC_VGA_AR] = "vga-ar",
	[GSC_VGA_CR] = "vga-cr",   [GSC_SIDEBAND] = "sideband", [GSC_GGTT] = "ggtt",
	[GSC_PHYS] = "phys",	   [GSC_LMEM] = "lmem",	    [GSC_GTTMEM] = "gttmem",
	[GSC_PPGTTMEM] = "ppgttmem", [GSC_STOLEN] = "stolen",
};

const char *gsc_access_word(enum gsc_access bit)
{
	static const struct { const char *word; enum gsc_access bit; } words[] = {
		{ "ro", GSC_RO },   { "rw", GSC_RW },	      { "wo", GSC_WO },
		{ "w1c", GSC_W1C }, { "rc", GSC_RC },	      { "masked", GSC_MASKED },
		{ "sticky", GSC_STICKY },
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (words[i].bit == bit)
			return words[i].word;
	return NULL;
}

static const char *const mode_names[GSC_MODES] = {
	[GSC_MODE_GGTT] = "ggtt",	[GSC_MODE_FLAT] = "flat",
	[GSC_MODE_2LEVEL] = "2level",	[GSC_MODE_PDP32] = "pdp32",
	[GSC_MODE_PML4] = "pml4",	[GSC_MODE_IA32E] = "ia32e",
	[GSC_MODE_TRTT] = "trtt",	[GSC_MODE_VTD] = "vtd",
};

const char *const base_words[BASES] = {
	[BASE_GENERAL] = "general",
	[BASE_SURFACE] = "surface",
	[BASE_DYNAMIC] = "dynamic",
	[BASE_INDIRECT] = "indirect",
	[BASE_INSTRUCTION] = "instruction",
	[BASE_BINDLESS_SURFACE] = "bindless-surface",
	[BASE_BINDLESS_SAMPLER] = "bindless-sampler",
	[BASE_BINDING_TABLE] = "binding-table",
	[BASE_CONSTANT] = "constant",
};

const char *const about_words[ABOUTS] = {
	[ABOUT_RESULT] = "result",   [ABOUT_SNOOPING] = "snooping", [ABOUT_ATOMICS] = "atomics",
	[ABOUT_ORDER] = "order",     [ABOUT_DRIVERS] = "drivers",
};

static const char *const engine_words[ENGINE_CLASSES] = { "rcs", "bcs", "vcs", "vecs", "ccs",
							  "gsccs" };

const char *gsc_engine_class(unsigned bit)
{
	return bit < ENGINE_CLASSES ? engine_words[bit] : NULL;
}

const char *gsc_space_name(enum gsc_space space)
{
	return (unsigned)space < GSC_SPACES ? space_names[space] : "?";
}

bool gsc_space_by_name(const char *name, size_t length, enum gsc_space *space)
{
	for (unsigned i = 0; i < GSC_SPACES; i++) {
		if (strlen(space_names[i]) != length || memcmp(space_names[i], name, length))
			continue;
		*space = (enum gsc_space)i;
		return true;
	}
	return false;
}

const char *gsc_mode_name(enum gsc_mode mode)
{
	return (unsigned)mode < GSC_MODES ? mode_names[mode] : "?";
}

bool gsc_mode_by_name(const char *name, enum gsc_mode *mode)
{
	for (unsigned i = 0; i < GSC_MODES; i++) {
		if (!name_compare(mode_names[i], name)) {
			*mode = (enum gsc_mode)i;
			return true;
		}
	}
	return false;
}

static const char *const read_words[] = {
	[GSC_READ_OK] = "ok",	      [GSC_READ_ABSENT] = "absent",
	[GSC_READ_SKIPPED] = "skipped", [GSC_READ_ASLEEP] = "asleep",
	[GSC_READ_DENIED] = "denied", [GSC_READ_ALL_ONES] = "all-ones",
	[GSC_READ_EXCLUDED] = "excluded",
};

const char *const workaround_words[WORKAROUND_KINDS] = { "gt", "engine", "context",
							    "whitelist", "other" };

const char *const cache_words[CACHE_WORDS] = { "tlb", "walk", "gtt", "context", "pasid", "data",
					       "register", "command", "guc", "event" };

const char *const known_words[KNOWN_PARTS] = { "driver", "kernel", "firmware", "process", "words",
					       "signature", "says", "fixed", "link" };

const char *const firmware_words[FIRMWARE_KINDS] = { "guc", "huc", "gsc", "dmc", "package" };

const char *const eu_form_words[EU_FORMS] = { "basic", "nop",  "math",  "three",  "dpas",
					      "send",  "sends", "branch", "sync",  "sendg",
					      "sendgx", "bdpas" };

const char *gsc_kind_word(enum gsc_kind kind)
{
	static const char *const words[] = {
		[GSC_REGISTER] = "register",
		[GSC_COMMAND] = "command",
		[GSC_STRUCTURE] = "structure",
		[GSC_ENTRY] = "entry",
		[GSC_INSTRUCTION] = "instruction",
		[GSC_TOPIC] = "topic",
		[GSC_WORKAROUND] = "workaround",
		[GSC_MESSAGE] = "message",
	};

	return (unsigned)kind < ARRAY_SIZE(words) ? words[kind] : "?";
}

const char *gsc_read_word(enum gsc_read status)
{
	return (unsigned)status < ARRAY_SIZE(read_words) ? read_words[status] : "?";
}

enum gsc_status gsc_read_status(enum gsc_read status)
{
	switch (status) {
	case GSC_READ_OK:
		return GSC_OK;
	case GSC_READ_DENIED:
		return GSC_DENIED;
	case GSC_READ_ASLEEP:
	case GSC_READ_ALL_ONES:
		return GSC_GONE;
	default:
		return GSC_UNKNOWN;
	}
}

bool read_by_word(const char *word, size_t length, enum gsc_read *status)
{
	for (unsigned i = 0; i < ARRAY_SIZE(read_words); i++) {
		if (strlen(read_words[i]) != length || memcmp(read_words[i], word, length))
			continue;
		*status = (enum gsc_read)i;
		return true;
	}
	return false;
}
