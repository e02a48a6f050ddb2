/* SPDX-License-Identifier: MIT */
/*
 * What the documents forbid instructions to do: the checks of an instruction, the table of rules
 * that names them, and a program checked by them. What is uncertain is no breach, such as indirect
 * operands. What is in flight is known only from one instruction to the next: at a label, and after
 * a jump, anything may have been waited for.
 */
#include "eu/program.h"

#include "db/rule.h"
#include "db/view.h"

#include <stdarg.h>

/* Registers [first, end); none if both are equal. */
struct eu_registers { uint16_t first, end; };

/* A token of the scoreboard: the instruction that set it, while nothing has waited for it. */
struct eu_token {
	bool writes, reads;		/* it may still write, or read */
	uint32_t offset;
	struct eu_registers written, read[2];
};

#define EU_TOKENS 32

struct eu_lint {
	const struct eu_isa *isa;
	struct gsc_platform platform;
	unsigned register_bytes, registers;
	uint64_t address;		/* of the program */
	uint64_t rules;			/* those that apply to the platform */
	struct findings findings;
	struct eu_token token[EU_TOKENS];
	uint32_t open[128];		/* by register: who left its dependency set, plus 1 */
};

struct eu_rule;
struct eu_look {
	struct eu_lint *lint;
	const struct eu_instruction *in;
	const struct eu_rule *rule;
};

struct eu_rule {
	struct rule rule;
	unsigned forms;			/* bits by enum eu_form */
	bool (*check)(const struct eu_look *look);
	/* Instead of it, of each source with a region. */
	bool (*test)(const struct eu_look *look, const struct eu_operand *o);
};

/* Reports a breach of the rule by the instruction; false. */
static bool __attribute__((format(printf, 2, 3)))
found(const struct eu_look *look, const char *format, ...)
{
	struct eu_lint *lint = look->lint;
	struct gsc_breach breach;
	char where[64];
	va_list args;

	string_set(where, "0x%08llx %s(%u)", LL(lint->address + look->in->offset),
		   look->in->opcode->name, look->in->exec_size);
	va_start(args, format);
	breach = rule_found(&look->rule->rule, where, format, args);
	va_end(args);
	findings_add(&lint->findings, &breach);
	return false;
}

/* ---- operands -------------------------------------------------------------------------------- */

static unsigned size_of(const struct eu_operand *o)
{
	return eu_types[o->type].size;
}

static bool has_region(const struct eu_operand *o)
{
	return o->file != EU_IMM && o->region == EU_REGION_ALIGN1 && o->vertical >= 0 &&
	       o->width > 0 && o->horizontal >= 0;
}

static struct eu_registers operand_registers(const struct eu_lint *lint,
					 const struct eu_instruction *in,
					 const struct eu_operand *o, bool is_destination)
{
	unsigned last, width, bytes = lint->register_bytes;

	if (o->file != EU_GRF || o->indirect || !size_of(o) || !in->exec_size ||
	    (is_destination ? o->region != EU_REGION_STRIDE || o->horizontal < 0
			    : !has_region(o)))
		return (struct eu_registers){ 0, 0 };
	width = is_destination ? in->exec_size : MIN((unsigned)o->width, in->exec_size);
	last = (width - 1) * (unsigned)o->horizontal;
	if (!is_destination)
		last += (in->exec_size / width - 1) * (unsigned)o->vertical;
	return (struct eu_registers){
		(uint16_t)(o->reg + o->sub / bytes),
		(uint16_t)(o->reg + (o->sub + (last + 1) * size_of(o) + bytes - 1) / bytes),
	};
}

/* ---- regions --------------------------------------------------------------------------------- */

/* Tests of a source with a region: what is wrong with it is said in the table of rules. */

static bool is_too_wide(const struct eu_look *look, const struct eu_operand *o)
{
	return (unsigned)o->width > look->in->exec_size;
}

static bool rows_apart(const struct eu_look *look, const struct eu_operand *o)
{
	return (unsigned)o->width == look->in->exec_size && o->width > 1 && o->horizontal &&
	       o->vertical != o->width * o->horizontal;
}

static bool has_no_columns(const struct eu_look *look, const struct eu_operand *o)
{
	return o->width == 1 && o->horizontal && look->in->exec_size > 1;
}

static bool is_no_scalar(const struct eu_look *look, const struct eu_operand *o)
{
	return look->in->exec_size == 1 && o->width == 1 && (o->vertical || o->horizontal);
}

static bool repeats_rows(const struct eu_look *look, const struct eu_operand *o)
{
	(void)look;
	return !o->vertical && !o->horizontal && o->width != 1;
}

/* The first row that spans two registers. */
static bool row_crosses(const struct eu_look *look, const struct eu_operand *o)
{
	unsigned bytes = look->lint->register_bytes, size = size_of(o);
	unsigned width = (unsigned)o->width;
	unsigned length = ((width - 1) * (unsigned)o->horizontal + 1) * size;

	if (o->file != EU_GRF || o->indirect || width > look->in->exec_size || !size)
		return false;
	for (unsigned row = 0; row < look->in->exec_size / width; row++) {
		unsigned start = o->sub + row * (unsigned)o->vertical * size;

		if (start / bytes != (start + length - 1) / bytes)
			return true;
	}
	return false;
}

static bool spans_more(const struct eu_look *look, const struct eu_operand *o)
{
	struct eu_registers r = operand_registers(look->lint, look->in, o, false);

	return r.end - r.first > 2;
}

static bool writes_registers(const struct eu_instruction *in)
{
	const struct eu_operand *o = &in->destination;

	return o->file != EU_IMM && !o->indirect && o->file != EU_ARF &&
	       o->region == EU_REGION_STRIDE;
}

static bool check_destination_stride(const struct eu_look *look)
{
	return writes_registers(look->in) && !look->in->destination.horizontal;
}

static bool check_destination_spans(const struct eu_look *look)
{
	struct eu_registers r = operand_registers(look->lint, look->in, &look->in->destination,
						     true);

	return r.end - r.first > 2 &&
	       found(look, "the destination spans %u registers, of at most 2", r.end - r.first);
}

static bool writes_packed_bytes(const struct eu_instruction *in)
{
	return in->destination.horizontal == 1 && size_of(&in->destination) == 1;
}

static bool check_destination_narrow(const struct eu_look *look)
{
	const struct eu_instruction *in = look->in;
	bool small = in->destination.type == EU_HF || in->destination.type == EU_BF;
	unsigned stride, wanted = 0;

	/* The type in which it executes: bytes as words, packed vectors as what they stand for. */
	for (unsigned i = 0; i < in->operands; i++) {
		const struct eu_operand *o = &in->source[i];
		unsigned size = o->type == EU_V || o->type == EU_UV ? 2
				: o->type == EU_VF ? 4 : MAX(size_of(o), 2u);

		wanted = MAX(wanted, size);
		small |= o->type == EU_HF || o->type == EU_BF;
	}
	/* Mixed floats have their own rules, which differ by platform. */
	if (!writes_registers(in) || in->exec_size < 2 || in->destination.horizontal < 1 ||
	    !size_of(&in->destination) || small || writes_packed_bytes(in))
		return false;
	stride = (unsigned)in->destination.horizontal * size_of(&in->destination);
	return stride < wanted &&
	       found(look, "the destination has an element every %u bytes, but the execution "
			"type has %u bytes", stride, wanted);
}

/* A mov that only copies may. */
static bool check_packed_bytes(const struct eu_look *look)
{
	const struct eu_instruction *in = look->in;
	const struct eu_operand *source = &in->source[0];

	return writes_registers(in) && in->exec_size >= 2 && writes_packed_bytes(in) &&
	       (strcmp(in->opcode->name, "mov") || size_of(source) != size_of(&in->destination) ||
		source->negate || source->absolute || source->type == EU_V ||
		source->type == EU_UV || eu_value(in, EU_INSTRUCTION_SATURATE));
}

static bool check_immediate(const struct eu_look *look)
{
	return look->in->operands == 2 && look->in->source[0].file == EU_IMM;
}

/* ---- messages -------------------------------------------------------------------------------- */

static unsigned length_of(const struct eu_instruction *in, unsigned i)
{
	return i ? in->extended >> 6 & 31 : in->descriptor >> 25 & 15;
}

static struct eu_registers payload(const struct eu_instruction *in, unsigned i)
{
	const struct eu_operand *o = &in->source[i];

	if (o->file != EU_GRF || o->indirect || (i ? !in->split || !in->extended_known
						     : !in->descriptor_known))
		return (struct eu_registers){ 0, 0 };
	return (struct eu_registers){ o->reg, (uint16_t)(o->reg + length_of(in, i)) };
}

static struct eu_registers response(const struct eu_instruction *in)
{
	const struct eu_operand *o = &in->destination;

	if (o->file != EU_GRF || o->indirect || !in->descriptor_known)
		return (struct eu_registers){ 0, 0 };
	return (struct eu_registers){ o->reg, (uint16_t)(o->reg + (in->descriptor >> 20 & 31)) };
}

static bool check_length(const struct eu_look *look)
{
	return look->in->descriptor_known && !length_of(look->in, 0);
}

static bool check_beyond(const struct eu_look *look)
{
	const struct { const char *of; struct eu_registers r; } parts[] = {
		{ "the message", payload(look->in, 0) },
		{ "its second part", payload(look->in, 1) },
		{ "the response", response(look->in) },
	};

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (parts[i].r.end > look->lint->registers)
			found(look, "%s uses registers %u to %u, but there are only %u",
				 parts[i].of, parts[i].r.first, parts[i].r.end - 1u,
				 look->lint->registers);
	return false;
}

static bool check_last_payload(const struct eu_look *look)
{
	const struct eu_instruction *in = look->in;

	for (unsigned i = 0; in->ends && i < (in->split ? 2u : 1u); i++)
		if (in->source[i].file == EU_GRF && !in->source[i].indirect &&
		    in->source[i].reg < 112)
			found(look, "the send that ends the thread takes its payload from g%u, "
				 "not from g112 to g127", in->source[i].reg);
	return false;
}

static bool overlap(struct eu_registers a, struct eu_registers b)
{
	return a.first < b.end && b.first < a.end;
}

static bool check_overlap(const struct eu_look *look)
{
	return look->in->split && overlap(payload(look->in, 0), payload(look->in, 1));
}

/* ---- dependencies ---------------------------------------------------------------------------- */

static struct eu_registers read_by(const struct eu_look *look, unsigned i)
{
	const struct eu_instruction *in = look->in;

	if (eu_is_message(in))
		return i < 2 ? payload(in, i) : (struct eu_registers){ 0, 0 };
	return i < in->operands ? operand_registers(look->lint, in, &in->source[i], false)
				: (struct eu_registers){ 0, 0 };
}

/* A register whose dependency nothing clears: whoever reads it waits for ever. */
static bool check_open(const struct eu_look *look)
{
	for (unsigned i = 0; i < 3; i++) {
		struct eu_registers r = read_by(look, i);

		for (unsigned n = r.first; n < MIN(r.end, 128u); n++)
			if (look->lint->open[n])
				return found(look, "reads g%u, whose dependency has not been "
					     "cleared since the NoDDClr at 0x%llx", n,
					     LL(look->lint->address + look->lint->open[n] - 1));
	}
	return false;
}

static bool check_token(const struct eu_look *look, struct eu_registers r, const char *does,
			bool written)
{
	for (unsigned n = 0; n < EU_TOKENS; n++) {
		const struct eu_token *token = &look->lint->token[n];
		unsigned long long at = look->lint->address + token->offset;

		if (token->writes && overlap(r, token->written))
			found(look, "%s g%u, which the instruction at 0x%llx writes: nothing "
				 "waits for $%u.dst", does, MAX(r.first, token->written.first), at,
				 n);
		else if (written && token->reads &&
			 (overlap(r, token->read[0]) || overlap(r, token->read[1])))
			found(look, "%s g%u, which the instruction at 0x%llx reads: nothing "
				 "waits for $%u.src", does, r.first, at, n);
	}
	return false;
}

static bool check_token_read(const struct eu_look *look)
{
	for (unsigned i = 0; i < 3; i++)
		check_token(look, read_by(look, i), "reads", false);
	return false;
}

static bool check_token_write(const struct eu_look *look)
{
	const struct eu_instruction *in = look->in;

	return check_token(look, eu_is_message(in) ? response(in)
			   : operand_registers(look->lint, in, &in->destination, true),
			   "writes", true);
}

/* ---- the rules ------------------------------------------------------------------------------- */

#define REGIONS_G45 "g45-vol4", "11.3.10 Register Region Restrictions"
#define REGIONS_IVB "ivb-v4p3", "3.3.9 Register Region Restrictions"
#define SEND_IVB "ivb-v4p3", "6.56 send - Send Message"
#define MESA "mesa", "src/intel/compiler/brw_eu_validate.c"
#define TOKENS "mesa", "src/intel/compiler/brw_lower_scoreboard.cpp"

#define OLD "gen4..gen6"
#define NEW "gen7+"
/* Gen4 and Gen5 ignore an unused stride: Intel's own programs for them have any. */
#define USED "gen6"

#define BIT(name) (1u << EU_##name)
#define TWO_SOURCES (BIT(BASIC) | BIT(MATH))
#define MESSAGES (BIT(SEND) | BIT(SENDS))
/*
 * What compilers make for Xe3P has operands of four registers, and from Xe3 on the last payload is
 * in any register.
 */
#define TO_XE3 "gen7..gen30"
#define TO_XE2 "gen7..gen20"

/* A restriction in both manuals, under different numbers: a check, or of sources a test. */
#define REGION_TO(name, old, g45, new, ivb, text, ...)                                             \
	{ { name, old, REGIONS_G45 ", " g45, text }, TWO_SOURCES, __VA_ARGS__ },                   \
	{ { name, new, REGIONS_IVB ", " ivb, text }, TWO_SOURCES, __VA_ARGS__ }
#define REGION(name, old, g45, ivb, ...) REGION_TO(name, old, g45, NEW, ivb, __VA_ARGS__)
#define NARROW "the elements of the destination are closer than the execution type is wide"

static const struct eu_rule rules[] = {
	REGION("region-width", OLD, "3", "2.A", "a row is wider than the instruction executes",
	       .test = is_too_wide),
	REGION("region-rows", USED, "4", "2.B", "the region is one row, so the vertical stride "
	       "must be the width times the horizontal stride", .test = rows_apart),
	REGION("region-columns", OLD, "6", "2.D",
	       "with a width of 1 the horizontal stride must be 0", .test = has_no_columns),
	REGION("region-scalar", USED, "7", "2.E", "one element: both strides must be 0",
	       .test = is_no_scalar),
	REGION("region-repeated", OLD, "8", "2.F", "if both strides are 0, the width must be 1",
	       .test = repeats_rows),
	{ { "region-crosses", NEW, REGIONS_IVB ", 2.H", "a row lies in two registers" },
	  TWO_SOURCES, .test = row_crosses },
	REGION_TO("source-spans", OLD, "11", TO_XE3, "3.A", "it spans more than two registers",
		  .test = spans_more),
	REGION("destination-stride", OLD, "10.2", "2.G", "the destination has a stride of 0",
	       check_destination_stride),
	REGION_TO("destination-spans", OLD, "9", TO_XE3, "3.B",
		  "the destination spans more than two registers", check_destination_spans),
	{ { "destination-narrow", OLD, REGIONS_G45 ", 10.1.2", NARROW }, TWO_SOURCES,
	  check_destination_narrow },
	{ { "destination-narrow", "gen7..gen12", REGIONS_IVB ", 3.F.ii", NARROW }, TWO_SOURCES,
	  check_destination_narrow },
	REGION("packed-bytes", OLD, "10.3", "4.A",
	       "packed bytes may be written only by a mov that does not change the data",
	       check_packed_bytes),
	{ { "immediate-first", NULL, "ivb-v4p3", "Imm32: 32-bit Immediate",
	    "only the last source may be an immediate" }, TWO_SOURCES, check_immediate },
	{ { "message-length", "gen5+", SEND_IVB, "the message has no registers" }, MESSAGES,
	  check_length },
	{ { "message-registers", NEW, "ivb-v4p3", "3.3.2 GRF Registers",
	    "a message or its response uses registers that do not exist" }, MESSAGES,
	  check_beyond },
	{ { "last-message", TO_XE2, SEND_IVB,
	    "the send that ends the thread takes its payload from below g112" }, MESSAGES,
	  check_last_payload },
	{ { "payloads-overlap", "gen9+", MESA ", send_restrictions",
	    "the two parts of the message share registers" }, MESSAGES, check_overlap },
	{ { "dependency-open", "gen4..gen11", "ivb-v4p3", "4.2.7 Use of NoDDClr",
	    "reads a register whose dependency nothing has cleared since NoDDClr" }, ~0u,
	  check_open },
	{ { "token-read", "gen12+", TOKENS, "reads a register that an instruction with a token may "
	    "still write, without waiting for the token" }, ~0u, check_token_read },
	{ { "token-write", "gen12+", TOKENS, "writes a register that an instruction with a token "
	    "may still read or write, without waiting for the token" }, ~0u, check_token_write },
};

const struct rule *gsc_eu_rule(size_t i)
{
	return i < ARRAY_SIZE(rules) ? &rules[i].rule : NULL;
}

/* ---- what is in flight ----------------------------------------------------------------------- */

static void forget(struct eu_lint *lint)
{
	memset(lint->token, 0, sizeof(lint->token));
	memset(lint->open, 0, sizeof(lint->open));
}

/* Tokens and dependencies that an instruction leaves to those after it. */
static void keep(struct eu_lint *lint, const struct eu_instruction *in,
		 const struct eu_scoreboard *s)
{
	const bool is_message = eu_is_message(in);
	const struct eu_word *word = eu_word(lint->isa, EU_INSTRUCTION_DEPENDENCY_CONTROL,
					     eu_value(in, EU_INSTRUCTION_DEPENDENCY_CONTROL));
	bool open = word && strstr(word->name, "NoDDClr");
	struct eu_token *token = &lint->token[s->token % EU_TOKENS];
	struct eu_registers r = is_message ? response(in)
					   : operand_registers(lint, in, &in->destination, true);

	if (s->use && !*s->use && !eu_is_dpas(in)) {
		*token = (struct eu_token){ .writes = true, .reads = true, .offset = in->offset,
					    .written = r };
		for (unsigned i = 0; i < (is_message ? 2u : MIN(in->operands, 2u)); i++)
			token->read[i] = is_message ? payload(in, i)
						    : operand_registers(lint, in,
									   &in->source[i], false);
	}
	/* What it writes is not known. */
	if (r.first == r.end)
		memset(lint->open, 0, sizeof(lint->open));
	for (unsigned n = r.first; n < MIN(r.end, 128u); n++)
		lint->open[n] = open ? in->offset + 1 : 0;
	if (in->opcode->form == EU_BRANCH || in->opcode->traits & EU_JUMPS)
		forget(lint);
}

static void look_at(struct eu_lint *lint, const struct eu_instruction *in)
{
	const struct eu_scoreboard s = eu_scoreboard(in);
	struct eu_look look = { .lint = lint, .in = in };
	struct eu_token *token = &lint->token[s.token % EU_TOKENS];

	/* "$3" waits until the token is free before it sets it; a sync may wait for many. */
	if (in->opcode->form == EU_SYNC && eu_value(in, EU_SYNC_FUNCTION))
		memset(lint->token, 0, sizeof(lint->token));
	if (s.use) {
		token->reads = false;
		token->writes &= !strcmp(s.use, ".src");
	}
	for (unsigned i = 0; i < ARRAY_SIZE(rules) && !lint->findings.ended; i++) {
		const struct eu_rule *rule = look.rule = &rules[i];

		if (!(lint->rules >> i & 1) || !(rule->forms >> in->opcode->form & 1) ||
		    in->align16)
			continue;
		if (rule->check && rule->check(&look))
			found(&look, "%s", rule->rule.text);
		for (unsigned k = 0; rule->test && k < in->operands; k++) {
			const struct eu_operand *o = &in->source[k];

			if (has_region(o) && rule->test(&look, o))
				found(&look, "source %u, <%d;%d,%d>: %s", k, o->vertical,
					 o->width, o->horizontal, rule->rule.text);
		}
	}
	keep(lint, in, &s);
}

enum gsc_status gsc_program_lint(const struct gsc_program *program, uint64_t address,
				 gsc_breach_fn *each, void *context, struct gsc_error *err)
{
	const struct eu_isa *isa = program->eu->isa;
	struct eu_lint *lint = calloc(1, sizeof(*lint));
	struct eu_instruction in;

	if (!lint)
		return err_memory(err);
	*lint = (struct eu_lint){ .isa = isa, .address = address, .findings = { each, context } };
	gsc_platform_at(isa->view->db, isa->view->platform, &lint->platform);
	lint->register_bytes = platform_is(&lint->platform, "pvc,gen20+") ? 64 : 32;
	/* A thread may have all of them, or half. */
	lint->registers = eu_has(lint->isa, EU_HIGH_DESTINATION)	      ? 512
			  : platform_is(&lint->platform, "gen12.5+") ? 256 : 128;
	for (unsigned i = 0; i < ARRAY_SIZE(rules); i++)
		lint->rules |= (uint64_t)platform_is(&lint->platform, rules[i].rule.only) << i;
	for (size_t at = 0; !lint->findings.ended &&
			    eu_decode(isa, program->data, program->size, at, &in);
	     at += in.size) {
		if (label_at(&program->labels, (int64_t)at) >= 0)
			forget(lint);
		if (!in.opcode) {
			forget(lint);
			continue;
		}
		/* Math with one source has null as the second, whose region means nothing. */
		if (in.opcode->form == EU_MATH && in.operands == 2 &&
		    in.source[1].file == EU_ARF && !in.source[1].reg)
			in.operands = 1;
		look_at(lint, &in);
	}
	free(lint);
	return GSC_OK;
}
