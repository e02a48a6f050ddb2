/* SPDX-License-Identifier: MIT */
/*
 * The registers that report errors. The definitions say which bits there are and what they mean;
 * this file says only which registers are read, and which of their fields are errors.
 *
 * ESR has what is wrong now, EIR what was and is not masked by EMR. An error is cleared from its
 * source on: the source, then EIR, which clears ESR, then the master error of IIR (P2 5.7.2). We
 * clear nothing.
 */
#include "hang/hang.h"

#include <stdio.h>
#include <string.h>

struct suspect {
	const char *name;
	const char *only;		/* fields that are errors, by patterns; NULL: every flag */
	uint32_t mask;			/* bits that are examined */
	const char *after;		/* what follows from it, printed after its meaning */
	const char *engines;		/* fields that may stop an engine, likewise; NULL: none */
};

/* In a sensible order for reading: the streamers, translation, display, the host interface. */
static const struct suspect suspects[] = {
	{ "PGTBL_ER", NULL, UINT32_MAX, "only a reset clears it",
	  "SAMPLER_* RENDER_* INSTRUCTION_* VERTEX_* COMMAND_* CS_*" },
	{ "GFX_ARB_ERROR_RPT", NULL, UINT32_MAX, NULL, "*" },
	{ "AUX_ERR_DBG", NULL, UINT32_MAX, NULL, "*" },
	{ "AVD_ERROR_FLAGS", NULL, UINT32_MAX, NULL, "*" },
	{ "MFX_ERROR_FLAG", NULL, UINT32_MAX, NULL, "*" },
	{ "L3CDERRST1_SLICE0", "PARITY_ERROR_VALID", 1u << 13, NULL, "*" },
	{ "L3CDERRST1_SLICE1", "PARITY_ERROR_VALID", 1u << 13, NULL, "*" },
	{ "ERR_INT", "POISON MMIO_UNCLAIMED FIFO_UNDERRUN_*", 0x80002049, NULL, NULL },
	{ "DEIIR", "*FAULT* *POISON*", 0, NULL, NULL },
	{ "DE_PIPE_IIR", "*FAULT* FIFO_UNDERRUN", 0, NULL, NULL },
	{ "SERR_INT", NULL, UINT32_MAX, NULL, NULL },
	{ "FPGA_DBG", "RM_NOCLAIM", 0, "the register of that access is unknown", NULL },
	{ "CLAIM_ER", "CLR OVERFLOW", 0, NULL, NULL },
	{ "GTFIFODBG", "*ERROR", 0, NULL, NULL },
};

/* ---- telling -------------------------------------------------------------------------------- */

static enum gsc_status tell(struct gsc_hang *hang, const struct gsc_reg *reg, uint64_t value,
			    const struct gsc_field *field, const char *after,
			    struct gsc_error *err)
{
	struct gsc_trouble *trouble = vec_add(&hang->errors);
	const char *doc = field->doc ? field->doc : "";

	if (!trouble)
		return err_memory(err);
	memset(trouble, 0, sizeof(*trouble));
	trouble->reg = *reg;
	trouble->value = value;
	trouble->hi = field->hi;
	trouble->lo = field->lo;
	trouble->name = field->name;
	after = after ? after : "";
	/* Some definitions say themselves what follows. */
	if (*after && strstr(doc, after))
		after = "";
	snprintf(trouble->text, sizeof(trouble->text), "%s%s%s", doc, *doc && *after ? "; " : "",
		 after);
	return GSC_OK;
}

/* Bits that are set although no definition has them. */
static enum gsc_status tell_unknown(struct gsc_hang *hang, const struct gsc_reg *reg,
				    uint64_t value, uint32_t bits, const char *after,
				    struct gsc_error *err)
{
	const struct gsc_field field = {
		.name = bits & (bits - 1) ? "undocumented bits" : "undocumented bit",
		.hi = 31u - (unsigned)__builtin_clz(bits), .lo = (unsigned)__builtin_ctz(bits),
	};
	char text[96];

	snprintf(text, sizeof(text), "0x%x: no public document says what it means here%s%s", bits,
		 after ? "; " : "", after ? after : "");
	return tell(hang, reg, value, &field, text, err);
}

static uint32_t bits_of(const struct gsc_field *field)
{
	return UINT32_MAX >> (31 - (field->hi - field->lo)) << field->lo;
}

/* A flag that is set; numbers next to flags are not errors. */
static bool is_error(const struct gsc_field *field, const char *only)
{
	if (!field->value || !field->name || field->hi > 31)
		return false;
	if (only)
		return glob_list(only, field->name);
	return field->hi == field->lo && !(field->flags & (GSC_FIELD_MBZ | GSC_FIELD_IGNORED));
}

/* ---- the errors of a streamer --------------------------------------------------------------- */

#define STREAMER_BITS 0xffff		/* the upper half masks writes from Gen8 on */

struct streamer {
	struct gsc_reg identity_reg, status_reg;
	uint64_t identity, status, mask;
	bool has_identity, has_status, has_mask;
};

static enum gsc_status tell_identity(struct gsc_hang *hang, const struct streamer *s,
				     struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;
	struct gsc_field_iter it;
	struct gsc_field field;
	uint32_t known = 0;

	gsc_reg_fields(hang->gpu->view, &s->identity_reg, s->identity, &it);
	while (!status && gsc_field_next(&it, &field)) {
		if (!is_error(&field, NULL))
			continue;
		known |= bits_of(&field);
		status = tell(hang, &s->identity_reg, s->identity, &field,
			      !strcmp(field.name, "PAGE_TABLE_ERROR") ? "only a reset clears it" :
			      "clear it at its source, then here, then in IIR", err);
	}
	known = (uint32_t)s->identity & STREAMER_BITS & ~known;
	return status || !known ? status :
		tell_unknown(hang, &s->identity_reg, s->identity, known, NULL, err);
}

/* Errors in EIR have been reported already. */
static enum gsc_status tell_status(struct gsc_hang *hang, const struct streamer *s,
				   struct gsc_error *err)
{
	uint64_t told = s->has_identity ? s->identity : 0;
	enum gsc_status status = GSC_OK;
	struct gsc_field_iter it;
	struct gsc_field field;
	uint32_t known = 0;

	gsc_reg_fields(hang->gpu->view, &s->status_reg, s->status, &it);
	while (!status && gsc_field_next(&it, &field)) {
		const char *after = s->has_identity ?
			"present; EMR does not mask it, yet EIR does not have it" :
			"present; EMR does not mask it";

		if (!is_error(&field, NULL))
			continue;
		known |= bits_of(&field);
		if (told & bits_of(&field))
			continue;
		if (!s->has_mask)
			after = s->has_identity ? "present, not in EIR" : "present";
		else if (s->mask & bits_of(&field))
			after = "present, but masked by EMR, so EIR does not report it";
		status = tell(hang, &s->status_reg, s->status, &field, after, err);
	}
	known = (uint32_t)(s->status & ~told) & STREAMER_BITS & ~known;
	return status || !known ? status :
		tell_unknown(hang, &s->status_reg, s->status, known, NULL, err);
}

static enum gsc_status streamer_errors(struct gsc_hang *hang, const char *engine,
				       struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;
	struct gsc_reg mask_reg;
	struct streamer s;

	s.has_identity = hang_read(hang, engine, "EIR", -1, &s.identity_reg, &s.identity) &&
			 s.identity != UINT32_MAX;
	s.has_status = hang_read(hang, engine, "ESR", -1, &s.status_reg, &s.status) &&
		       s.status != UINT32_MAX;
	/* All errors may be masked: all ones is a value. */
	s.has_mask = hang_read(hang, engine, "EMR", -1, &mask_reg, &s.mask);
	if (s.has_identity)
		status = tell_identity(hang, &s, err);
	if (s.has_status && !status)
		status = tell_status(hang, &s, err);
	return status;
}

/* ---- the others ----------------------------------------------------------------------------- */

static enum gsc_status examine(struct gsc_hang *hang, const struct suspect *suspect,
			       const struct gsc_reg *reg, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;
	struct gsc_field_iter it;
	struct gsc_field field;
	uint64_t value;
	uint32_t known = 0;
	char text[32];

	if (!hang_read_reg(hang, reg, &value) || !value || value == UINT32_MAX)
		return GSC_OK;
	gsc_reg_fields(hang->gpu->view, reg, value, &it);
	while (!status && gsc_field_next(&it, &field)) {
		if (field.name && !(field.flags & GSC_FIELD_MBZ) && field.hi < 32)
			known |= bits_of(&field);
		if (is_error(&field, suspect->only))
			status = tell(hang, reg, value, &field, suspect->after, err);
	}
	known = (uint32_t)value & suspect->mask & ~known;
	if (known && !status)
		status = tell_unknown(hang, reg, value, known, suspect->after, err);
	/* Numbers next to the flags say how often. */
	gsc_reg_fields(hang->gpu->view, reg, value, &it);
	while (!status && gsc_field_next(&it, &field)) {
		if (strncmp(field.name, "PENDING_", 8) || !field.value || field.hi == field.lo)
			continue;
		snprintf(text, sizeof(text), "%llu of them", (unsigned long long)field.value);
		status = tell(hang, reg, value, &field, text, err);
	}
	return status;
}

bool hang_error_of_engines(const struct gsc_trouble *trouble)
{
	for (size_t i = 0; i < ARRAY_SIZE(suspects); i++)
		if (!strcmp(suspects[i].name, trouble->reg.name))
			return suspects[i].engines && glob_list(suspects[i].engines, trouble->name);
	return true;
}

enum gsc_status hang_errors(struct gsc_hang *hang, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;
	struct gsc_reg reg;

	for (size_t i = 0; i < hang->engines.count && !status; i++)
		status = streamer_errors(hang, hang->engines.items[i].e.name, err);
	for (size_t n = 0; n < ARRAY_SIZE(suspects) && !status; n++) {
		const char *name = suspects[n].name;
		bool one = gpu_find(hang->gpu, NULL, name, -1, &reg);

		if (one && !reg.engine)
			status = examine(hang, &suspects[n], &reg, err);
		for (size_t i = 0; one && reg.engine && i < hang->engines.count && !status; i++) {
			struct gsc_reg own;

			if (gpu_find(hang->gpu, hang->engines.items[i].e.name, name, -1, &own))
				status = examine(hang, &suspects[n], &own, err);
		}
		for (int i = 0; !one && !status && gpu_find(hang->gpu, NULL, name, i, &reg); i++)
			status = examine(hang, &suspects[n], &reg, err);
	}
	return status;
}
