/* SPDX-License-Identifier: MIT */
/* The table of rules, grouped by subject. */
#include "eu/lint.h"

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

/* A restriction in both manuals, under different numbers. */
#define REGION_TO(name, old, g45, new, ivb, check)                                                 \
	{ { name, old, REGIONS_G45 ", " g45 }, TWO_SOURCES, check },                               \
	{ { name, new, REGIONS_IVB ", " ivb }, TWO_SOURCES, check }
#define REGION(name, old, g45, ivb, check) REGION_TO(name, old, g45, NEW, ivb, check)

const struct eu_rule eu_rules[] = {
	REGION("region-width", OLD, "3", "2.A", eu_check_width),
	REGION("region-rows", USED, "4", "2.B", eu_check_row_stride),
	REGION("region-columns", OLD, "6", "2.D", eu_check_columns),
	REGION("region-scalar", USED, "7", "2.E", eu_check_scalar),
	REGION("region-repeated", OLD, "8", "2.F", eu_check_repeated),
	{ { "region-crosses", NEW, REGIONS_IVB ", 2.H" }, TWO_SOURCES, eu_check_row_crosses },
	REGION_TO("source-spans", OLD, "11", TO_XE3, "3.A", eu_check_source_spans),
	REGION("destination-stride", OLD, "10.2", "2.G", eu_check_destination_stride),
	REGION_TO("destination-spans", OLD, "9", TO_XE3, "3.B", eu_check_destination_spans),
	{ { "destination-narrow", OLD, REGIONS_G45 ", 10.1.2" }, TWO_SOURCES,
	  eu_check_destination_narrow },
	{ { "destination-narrow", "gen7..gen12", REGIONS_IVB ", 3.F.ii" }, TWO_SOURCES,
	  eu_check_destination_narrow },
	REGION("packed-bytes", OLD, "10.3", "4.A", eu_check_packed_bytes),
	{ { "immediate-first", NULL, "ivb-v4p3", "Imm32: 32-bit Immediate" }, TWO_SOURCES,
	  eu_check_immediate },
	{ { "message-length", "gen5+", SEND_IVB }, MESSAGES, eu_check_length },
	{ { "message-registers", NEW, "ivb-v4p3", "3.3.2 GRF Registers" }, MESSAGES,
	  eu_check_beyond },
	{ { "last-message", TO_XE2, SEND_IVB }, MESSAGES,
	  eu_check_last_payload },
	{ { "payloads-overlap", "gen9+", MESA ", send_restrictions" }, MESSAGES, eu_check_overlap },
	{ { "dependency-open", "gen4..gen11", "ivb-v4p3", "4.2.7 Use of NoDDClr" }, ~0u,
	  eu_check_open },
	{ { "token-read", "gen12+", TOKENS }, ~0u, eu_check_token_read },
	{ { "token-write", "gen12+", TOKENS }, ~0u, eu_check_token_write },
};
const unsigned eu_rule_count = ARRAY_SIZE(eu_rules);
