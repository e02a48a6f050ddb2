/* SPDX-License-Identifier: MIT */
/* Ascii85 as i915 and xe write it into dumps, decoded piece by piece. */
#include "text/ascii85.h"

#define CHUNK (16 << 10)		/* characters that room is made for at a time */

static uint8_t *put_dword(uint8_t *out, uint32_t value)
{
	out[0] = (uint8_t)value;
	out[1] = (uint8_t)(value >> 8);
	out[2] = (uint8_t)(value >> 16);
	out[3] = (uint8_t)(value >> 24);
	return out + 4;
}

/* Whole groups, as long as nothing is special but zero; returns where that ends. */
static const char *decode_groups(const char *text, const char *end, uint8_t **out)
{
	uint8_t *at = *out;

	while (end - text >= 5) {
		const uint8_t *c = (const uint8_t *)text;
		uint64_t value;
		unsigned a = c[0] - 33u, b = c[1] - 33u, d = c[2] - 33u, e = c[3] - 33u,
			 f = c[4] - 33u;

		if (c[0] == 'z') {
			at = put_dword(at, 0);
			text++;
			continue;
		}
		if (a > 84 || b > 84 || d > 84 || e > 84 || f > 84)
			break;
		value = (((uint64_t)a * 85 + b) * 85 + d) * 7225 + e * 85 + f;
		if (value > UINT32_MAX)
			break;
		at = put_dword(at, (uint32_t)value);
		text += 5;
	}
	*out = at;
	return text;
}

/* One character, whatever it is; false: it does not belong here. */
static bool decode_one(struct ascii85 *state, char c, uint8_t **out)
{
	if (c == ' ' || c == '\t')
		return true;
	if (c == 'z' && !state->digits) {
		*out = put_dword(*out, 0);
		return true;
	}
	if (c < '!' || c > 'u')
		return false;
	state->value = state->value * 85 + (unsigned)(c - '!');
	if (++state->digits < 5)
		return true;
	if (state->value > UINT32_MAX)
		return false;
	*out = put_dword(*out, (uint32_t)state->value);
	state->value = 0;
	state->digits = 0;
	return true;
}

static size_t decode_chunk(struct ascii85 *state, const char *text, size_t length, byte_vec *out)
{
	const char *at = text, *end = text + length;
	uint8_t *put = out->items + out->count;

	while (at < end) {
		if (!state->digits)
			at = decode_groups(at, end, &put);
		if (at == end || !decode_one(state, *at, &put))
			break;
		at++;
	}
	out->count = (size_t)(put - out->items);
	return (size_t)(at - text);
}

size_t ascii85_decode(struct ascii85 *state, const char *text, size_t length, byte_vec *out)
{
	size_t done = 0;

	while (done < length) {
		size_t chunk = MIN(length - done, (size_t)CHUNK), good;

		/* Each character gives four bytes at most. */
		if (!vec_reserve(out, chunk * 4)) {
			state->memory_out = true;
			return done;
		}
		good = decode_chunk(state, text + done, chunk, out);
		done += good;
		if (good < chunk)
			break;
	}
	return done;
}
