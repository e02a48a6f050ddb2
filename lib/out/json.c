/* SPDX-License-Identifier: MIT */
/* JSON: keys, values and nesting, checked as they are written. */
#include "out/keys.h"
#include "out/out.h"

#include "util/number.h"

/* ---- strings -------------------------------------------------------------------------------- */

/* JSON is also printed on terminals: control characters are escaped, and so not lost. */
static void put_string(struct gsc_out *out, const char *text)
{
	static const char plain[] = "\"\\\n\t\r\b\f", letters[] = "\"\\ntrbf";

	out_byte(out, '"');
	while (*text) {
		const char *run = text;
		unsigned point;
		size_t length;

		while (*text >= 0x20 && *text < 0x7f && *text != '"' && *text != '\\')
			text++;
		gsc_out_bytes(out, run, (size_t)(text - run));
		if (!*text)
			break;
		length = utf8_take(text, &point);
		if (!length)
			gsc_out_text(out, "\\ufffd");
		else if (point >= 0x80 && !point_is_steering(point))
			gsc_out_bytes(out, text, length);
		else if (point < 0x80 && strchr(plain, (int)point))
			gsc_out_format(out, "\\%c", letters[strchr(plain, (int)point) - plain]);
		else if (point > 0xffff)
			gsc_out_format(out, "\\u%04x\\u%04x", 0xd800 + ((point - 0x10000) >> 10),
				       0xdc00 + (point & 0x3ff));
		else
			gsc_out_format(out, "\\u%04x", point);
		text += length ? length : 1;
	}
	out_byte(out, '"');
}

char *json_quoted(const char *text)
{
	struct gsc_out memory = { .fd = -1 };

	put_string(&memory, text);
	gsc_out_bytes(&memory, "", 1);
	if (!memory.error)
		return memory.data;
	free(memory.data);
	return NULL;
}

/* ---- structure ------------------------------------------------------------------------------ */

/* The depth at which the elements of the document's list begin. */
static bool at_element(const struct gsc_json *json)
{
	return json->in_list && json->depth == (json->lines ? 0 : 2);
}

/* A comma and a key, if they are due: in room for them and this much more, or NULL. */
static char *put_key(struct gsc_json *json, const char *key, size_t more)
{
	size_t length = key ? strlen(key) : 0;
	char *at = out_room(json->out, length + 4 + more);

	if (at && json->more)
		*at++ = ',';
	json->more = true;
	if (!at || !key)
		return at;
	*at++ = '"';
	memcpy(at, key, length);
	at += length;
	*at++ = '"';
	*at++ = ':';
	return at;
}

static void begin_value(struct gsc_json *json, const char *key)
{
	char *at = put_key(json, key, 0);

	if (at)
		out_used(json->out, at);
}

static void open_bracket(struct gsc_json *json, char bracket)
{
	out_byte(json->out, bracket);
	json->depth++;
	json->more = false;
}

static void close_bracket(struct gsc_json *json, char bracket)
{
	out_byte(json->out, bracket);
	json->depth--;
	json->more = true;
}

void gsc_json_object(struct gsc_json *json, const char *key)
{
	bool element = at_element(json);

	begin_value(json, key);
	if (element && !json->lines)
		gsc_out_end(json->out);
	open_bracket(json, '{');
}

void gsc_json_object_end(struct gsc_json *json)
{
	close_bracket(json, '}');
	if (json->lines && at_element(json)) {
		gsc_out_end(json->out);
		json->more = false;
	}
	out_spill(json->out);
}

void gsc_json_array(struct gsc_json *json, const char *key)
{
	begin_value(json, key);
	open_bracket(json, '[');
}

void gsc_json_array_end(struct gsc_json *json)
{
	close_bracket(json, ']');
}

void gsc_json_list(struct gsc_json *json, const char *key)
{
	bool inside = json->in_list || json->depth > 1;

	json->in_list |= !inside;
	if (inside || !json->lines) {
		gsc_json_array(json, key);
		return;
	}
	close_bracket(json, '}');
	gsc_out_end(json->out);
	json->more = false;
}

void gsc_json_list_end(struct gsc_json *json)
{
	if (!at_element(json)) {
		gsc_json_array_end(json);
		return;
	}
	json->in_list = false;
	if (json->lines)
		return;
	if (json->more)
		gsc_out_end(json->out);
	gsc_json_array_end(json);
}

void gsc_json_begin(struct gsc_json *json, struct gsc_out *out, bool lines)
{
	*json = (struct gsc_json){ .out = out, .lines = lines };
	open_bracket(json, '{');
}

void gsc_json_finish(struct gsc_json *json)
{
	if (at_element(json))
		gsc_json_list_end(json);
	if (!json->depth)
		return;
	close_bracket(json, '}');
	gsc_out_end(json->out);
}

/* ---- values --------------------------------------------------------------------------------- */

void gsc_json_null(struct gsc_json *json, const char *key)
{
	begin_value(json, key);
	gsc_out_bytes(json->out, "null", 4);
}

void gsc_json_string(struct gsc_json *json, const char *key, const char *text)
{
	if (!text) {
		gsc_json_null(json, key);
		return;
	}
	begin_value(json, key);
	put_string(json->out, text);
}

void gsc_json_hex(struct gsc_json *json, const char *key, uint64_t value)
{
	char *at = put_key(json, key, NUMBER_MAX + 2);

	if (!at)
		return;
	*at++ = '"';
	at = number_hex(at, value);
	*at++ = '"';
	out_used(json->out, at);
}

void gsc_json_number(struct gsc_json *json, const char *key, uint64_t value)
{
	char *at = put_key(json, key, NUMBER_MAX);

	if (at)
		out_used(json->out, number_decimal(at, value));
}

void gsc_json_bool(struct gsc_json *json, const char *key, bool value)
{
	begin_value(json, key);
	gsc_out_text(json->out, value ? "true" : "false");
}

void gsc_json_thousandths(struct gsc_json *json, const char *key, uint64_t milliseconds)
{
	begin_value(json, key);
	gsc_out_format(json->out, "%llu.%03u", LL(milliseconds / 1000),
		       (unsigned)(milliseconds % 1000));
}

/* The beginning of every document. */
KEYS(head)
void gsc_json_head(struct gsc_json *json, const char *schema, const char *platform, int device,
		   const char *const *sources, size_t count)
{
	KEY(text, "schema", schema);
	KEY(text_or_null, "platform", platform);
	KEY_OR_NULL(device >= 0, hex, "device", (uint64_t)device);
	KEY_EACH(text, "source", for (size_t i = 0; i < count; i++), sources[i]);
}
