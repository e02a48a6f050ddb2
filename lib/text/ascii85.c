/* SPDX-License-Identifier: MIT */
/* Ascii85 as i915 and xe write it into dumps, decoded piece by piece. */
#include "text/ascii85.h"

#include <string.h>

#define CHUNK (16 << 10)		/* characters for which room is made at a time */

static uint8_t *put_dword(uint8_t *out, uint32_t value)
{
	out[0] = (uint8_t)value;
	out[1] = (uint8_t)(value >> 8);
	out[2] = (uint8_t)(value >> 16);
	out[3] = (uint8_t)(value >> 24);
	return out + 4;
}

#define EACH_OF_FIVE UINT64_C(0x0101010101)

/* Whole groups, as long as nothing is special but zero; returns where that ends. */
static const char *decode_groups(const char *text, const char *end, uint8_t **out)
{
	const uint64_t zeros = 33 * UINT64_C(52822061);	/* of five digits of zero */
	uint8_t *at = *out;

	while (end - text >= (ptrdiff_t)sizeof(uint64_t)) {
		const uint8_t *c = (const uint8_t *)text;
		uint64_t bytes, value;

		memcpy(&bytes, text, sizeof(bytes));
		/* Digits are 33 to 117: others set bit 7 of the sum or the difference. */
		if (((bytes + 10 * EACH_OF_FIVE) | (bytes - 33 * EACH_OF_FIVE)) &
		    128 * EACH_OF_FIVE) {
			if (*text != 'z')
				break;
			at = put_dword(at, 0);
			text++;
			continue;
		}
		value = UINT64_C(52200625) * c[0] + UINT64_C(614125) * c[1] + 7225u * c[2] +
			85u * c[3] + c[4] - zeros;
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

uint64_t ascii85_bytes(const char *text, size_t length)
{
	size_t zeros = 0, done = 0;
	bool other = false;

	/* The compiler compares 16 characters at a time, in blocks that a byte can count. */
	while (done < length && !other) {
		size_t block = MIN(length - done, (size_t)UINT8_MAX / 16 * 16);
		uint8_t here = 0, strange = 0;

		for (size_t i = 0; i < block; i++) {
			signed char c = (signed char)text[done + i];

			here += c == 'z';
			strange |= (uint8_t)(c < '!') | (uint8_t)((c > 'u') & (c != 'z'));
		}
		zeros += here;
		other = strange;
		done += block;
	}
	return other || (length - zeros) % 5 ? 0 : (length - zeros) / 5 * 4 + zeros * 4;
}

size_t ascii85_decode(struct ascii85 *state, const char *text, size_t length, byte_vec *out)
{
	size_t done = 0;

	while (done < length) {
		size_t chunk = MIN(length - done, (size_t)CHUNK);
		const char *at = text + done, *end = at + chunk;
		uint8_t *put;

		/* Each character gives at most four bytes. */
		if (!vec_reserve(out, chunk * 4)) {
			state->memory_out = true;
			return done;
		}
		for (put = out->items + out->count; at < end; at++) {
			if (!state->digits)
				at = decode_groups(at, end, &put);
			if (at == end || !decode_one(state, *at, &put))
				break;
		}
		out->count = (size_t)(put - out->items);
		done = (size_t)(at - text);
		if (at < end)
			break;
	}
	return done;
}
