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
#include "util/text.h"

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

/* ---- the errors of a streamer --------------------------------------------------------------- */

/* EIR and ESR have 16 bits: the upper half masks writes from Gen8 on. */
static const struct suspect streamer_bits = { .mask = 0xffff };

struct streamer {
	uint64_t identity, mask;	/* EIR, EMR */
	bool has_identity, has_mask;
};

static uint32_t bits_of(const struct gsc_field *field)
{
	return UINT32_MAX >> (31 - (field->hi - field->lo)) << field->lo;
}

/* What follows from a bit of EIR, or from one of ESR that EIR does not have. */
static const char *streamer_after(const struct streamer *s, const struct gsc_reg *reg,
				  const struct gsc_field *field)
{
	if (!strcmp(reg->name, "EIR"))
		return !strcmp(field->name, "PAGE_TABLE_ERROR") ? "only a reset clears it" :
		       "clear it at its source, then here, then in IIR";
	if (!s->has_mask)
		return s->has_identity ? "present, not in EIR" : "present";
	if (s->mask & bits_of(field))
		return "present, but masked by EMR, so EIR does not report it";
	return s->has_identity ? "present; EMR does not mask it, yet EIR does not have it" :
	       "present; EMR does not mask it";
}

/* ---- telling -------------------------------------------------------------------------------- */

static enum gsc_status tell(struct gsc_hang *hang, const struct gsc_reg *reg, uint64_t value,
			    const struct gsc_field *field, const char *after, struct gsc_error *err)
{
	struct gsc_trouble *trouble = vec_add(&hang->errors);
	const char *doc = field->doc ? field->doc : "";

	if (!trouble)
		return err_memory(err);
	*trouble = (struct gsc_trouble){ .reg = *reg, .value = value, .hi = field->hi,
					 .lo = field->lo, .name = field->name };
	/* Some definitions say themselves what follows. */
	if (!after || strstr(doc, after))
		after = "";
	string_set(trouble->text, "%s%s%s", doc, *doc && *after ? "; " : "", after);
	return GSC_OK;
}

/*
 * The fields of a register that are errors; then its bits that are set although no definition has
 * them. `s`: it is of a streamer, and what ESR shares with EIR is reported with that. Numbers next
 * to flags are no errors, but may say how often.
 */
static enum gsc_status examine(struct gsc_hang *hang, const struct suspect *suspect,
			       const struct gsc_reg *reg, uint64_t value, const struct streamer *s,
			       struct gsc_error *err)
{
	uint64_t told = s && s->has_identity && !strcmp(reg->name, "ESR") ? s->identity : 0;
	const char *after = suspect->after;
	enum gsc_status status = GSC_OK;
	struct gsc_field_iter it;
	struct gsc_field field;
	uint32_t known = 0;
	char text[96];

	gsc_reg_fields(hang->gpu->view, reg, value, &it);
	while (!status && gsc_field_next(&it, &field)) {
		bool error = field.value && field.name && field.hi <= 31;

		if (error && suspect->only)
			error = glob_list(suspect->only, field.name);
		else if (error)
			error = field.hi == field.lo &&
				!(field.flags & (GSC_FIELD_MBZ | GSC_FIELD_IGNORED));
		if (s ? error : field.name && !(field.flags & GSC_FIELD_MBZ) && field.hi < 32)
			known |= bits_of(&field);
		if (error && !(told & bits_of(&field)))
			status = tell(hang, reg, value, &field,
				      s ? streamer_after(s, reg, &field) : after, err);
	}
	known = (uint32_t)(value & ~told) & suspect->mask & ~known;
	if (known && !status) {
		field = (struct gsc_field){
			.name = known & (known - 1) ? "undocumented bits" : "undocumented bit",
			.hi = 31u - (unsigned)__builtin_clz(known),
			.lo = (unsigned)__builtin_ctz(known),
		};
		string_set(text, "0x%x: no public document says what it means here%s%s", known,
			   after ? "; " : "", after ? after : "");
		status = tell(hang, reg, value, &field, text, err);
	}
	gsc_reg_fields(hang->gpu->view, reg, value, &it);
	while (!s && !status && gsc_field_next(&it, &field)) {
		if (strncmp(field.name, "PENDING_", 8) || !field.value || field.hi == field.lo)
			continue;
		string_set(text, "%llu of them", LL(field.value));
		status = tell(hang, reg, value, &field, text, err);
	}
	return status;
}

/* ---- all of them ---------------------------------------------------------------------------- */

bool hang_error_of_engines(const struct gsc_trouble *trouble)
{
	for (size_t i = 0; i < ARRAY_SIZE(suspects); i++)
		if (!strcmp(suspects[i].name, trouble->reg.name))
			return suspects[i].engines && glob_list(suspects[i].engines, trouble->name);
	return true;
}

static enum gsc_status examine_suspect(struct gsc_hang *hang, const struct suspect *suspect,
				       const struct gsc_reg *reg, struct gsc_error *err)
{
	uint64_t value;

	if (!hang_read_reg(hang, reg, &value) || !value || value == UINT32_MAX)
		return GSC_OK;
	return examine(hang, suspect, reg, value, NULL, err);
}

enum gsc_status hang_errors(struct gsc_hang *hang, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;
	struct gsc_reg reg, own;

	for (size_t i = 0; i < hang->engines.count && !status; i++) {
		const char *engine = hang->engines.items[i].e.name;
		struct gsc_reg identity, present;
		struct streamer s;
		uint64_t value;
		bool has;

		s.has_identity = hang_read(hang, engine, "EIR", -1, &identity, &s.identity) &&
				 s.identity != UINT32_MAX;
		has = hang_read(hang, engine, "ESR", -1, &present, &value) && value != UINT32_MAX;
		/* All errors may be masked: all ones is a value. */
		s.has_mask = hang_read(hang, engine, "EMR", -1, NULL, &s.mask);
		if (s.has_identity)
			status = examine(hang, &streamer_bits, &identity, s.identity, &s, err);
		if (has && !status)
			status = examine(hang, &streamer_bits, &present, value, &s, err);
	}
	for (size_t n = 0; n < ARRAY_SIZE(suspects) && !status; n++) {
		const char *name = suspects[n].name;
		bool one = gpu_find(hang->gpu, NULL, name, -1, &reg);

		if (one && !reg.engine)
			status = examine_suspect(hang, &suspects[n], &reg, err);
		for (size_t i = 0; one && reg.engine && i < hang->engines.count && !status; i++)
			if (gpu_find(hang->gpu, hang->engines.items[i].e.name, name, -1, &own))
				status = examine_suspect(hang, &suspects[n], &own, err);
		for (int i = 0; !one && !status && gpu_find(hang->gpu, NULL, name, i, &reg); i++)
			status = examine_suspect(hang, &suspects[n], &reg, err);
	}
	return status;
}
