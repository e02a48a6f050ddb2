/* SPDX-License-Identifier: MIT */
/* The table of rules, by what they are about. */
#include "eu/lint.h"

#define REGIONS_G45 "g45-vol4", "11.3.10 Register Region Restrictions"
#define REGIONS_IVB "ivb-v4p3", "3.3.9 Register Region Restrictions"
#define SEND_IVB "ivb-v4p3", "6.56 send - Send Message"
#define MESA "mesa", "src/intel/compiler/brw_eu_validate.c"
#define TOKENS "mesa", "src/intel/compiler/brw_lower_scoreboard.cpp"

#define OLD "gen4..gen6"
#define NEW "gen7+"

#define BIT(name) (1u << EU_##name)
#define TWO_SOURCES (BIT(BASIC) | BIT(MATH))
#define MESSAGES (BIT(SEND) | BIT(SENDS))

const struct eu_rule eu_rules[] = {
	{ { "region-width", OLD, REGIONS_G45 ", 3" }, TWO_SOURCES, eu_check_width },
	{ { "region-width", NEW, REGIONS_IVB ", 2.A" }, TWO_SOURCES, eu_check_width },
	{ { "region-rows", OLD, REGIONS_G45 ", 4" }, TWO_SOURCES, eu_check_row_stride },
	{ { "region-rows", NEW, REGIONS_IVB ", 2.B" }, TWO_SOURCES, eu_check_row_stride },
	{ { "region-columns", OLD, REGIONS_G45 ", 6" }, TWO_SOURCES, eu_check_columns },
	{ { "region-columns", NEW, REGIONS_IVB ", 2.D" }, TWO_SOURCES, eu_check_columns },
	{ { "region-scalar", OLD, REGIONS_G45 ", 7" }, TWO_SOURCES, eu_check_scalar },
	{ { "region-scalar", NEW, REGIONS_IVB ", 2.E" }, TWO_SOURCES, eu_check_scalar },
	{ { "region-repeated", OLD, REGIONS_G45 ", 8" }, TWO_SOURCES, eu_check_repeated },
	{ { "region-repeated", NEW, REGIONS_IVB ", 2.F" }, TWO_SOURCES, eu_check_repeated },
	{ { "region-crosses", NEW, REGIONS_IVB ", 2.H" }, TWO_SOURCES, eu_check_row_crosses },
	{ { "source-spans", OLD, REGIONS_G45 ", 11" }, TWO_SOURCES, eu_check_source_spans },
	{ { "source-spans", NEW, REGIONS_IVB ", 3.A" }, TWO_SOURCES, eu_check_source_spans },
	{ { "destination-stride", OLD, REGIONS_G45 ", 10.2" }, TWO_SOURCES,
	  eu_check_destination_stride },
	{ { "destination-stride", NEW, REGIONS_IVB ", 2.G" }, TWO_SOURCES,
	  eu_check_destination_stride },
	{ { "destination-spans", OLD, REGIONS_G45 ", 9" }, TWO_SOURCES,
	  eu_check_destination_spans },
	{ { "destination-spans", NEW, REGIONS_IVB ", 3.B" }, TWO_SOURCES,
	  eu_check_destination_spans },
	{ { "destination-narrow", OLD, REGIONS_G45 ", 10.1.2" }, TWO_SOURCES,
	  eu_check_destination_narrow },
	{ { "destination-narrow", "gen7..gen12", REGIONS_IVB ", 3.F.ii" }, TWO_SOURCES,
	  eu_check_destination_narrow },
	{ { "packed-bytes", OLD, REGIONS_G45 ", 10.3" }, TWO_SOURCES, eu_check_packed_bytes },
	{ { "packed-bytes", NEW, REGIONS_IVB ", 4.A" }, TWO_SOURCES, eu_check_packed_bytes },
	{ { "immediate-first", NULL, "ivb-v4p3", "Imm32: 32-bit Immediate" }, TWO_SOURCES,
	  eu_check_immediate },
	{ { "message-length", "gen5+", SEND_IVB }, MESSAGES, eu_check_length },
	{ { "message-registers", NEW, "ivb-v4p3", "3.3.2 GRF Registers" }, MESSAGES,
	  eu_check_beyond },
	{ { "last-message", NEW, SEND_IVB }, MESSAGES,
	  eu_check_last_payload },
	{ { "payloads-overlap", "gen9+", MESA ", send_restrictions" }, MESSAGES, eu_check_overlap },
	{ { "dependency-open", "gen4..gen11", "ivb-v4p3", "4.2.7 Use of NoDDClr" }, ~0u,
	  eu_check_open },
	{ { "token-read", "gen12+", TOKENS }, ~0u, eu_check_token_read },
	{ { "token-write", "gen12+", TOKENS }, ~0u, eu_check_token_write },
};
const unsigned eu_rule_count = ARRAY_SIZE(eu_rules);
