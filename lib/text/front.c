/* SPDX-License-Identifier: MIT */
/* The forms in which logs write times. */
#include "text/front.h"

#include "util/util.h"

bool slice_has_form(struct slice text, const char *form)
{
	for (; *form; form++, text.at++) {
		if (text.at == text.end)
			return false;
		if (*form == '9' ? !is_digit(*text.at) :
		    *form == '%' ? !is_hex(*text.at) :
		    *form == '?' ? !is_letter(*text.at) : *text.at != *form)
			return false;
	}
	return true;
}

bool take_seconds(struct slice *text, struct slice *number)
{
	struct slice rest = *text, part;

	if (!take_text(&rest, "["))
		return false;
	take_blanks(&rest);
	take_text(&rest, "+");
	*number = take_while(&rest, is_digit);
	if (number->at == number->end || !take_text(&rest, "."))
		return false;
	part = take_while(&rest, is_digit);
	if (part.at == part.end || rest.at == rest.end)
		return false;
	number->end = rest.at;
	*text = rest;
	return true;
}

bool take_record(struct slice *text, unsigned *level, uint64_t *time)
{
	struct slice rest = *text;
	uint64_t numbers[3];

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (!take_decimal(&rest, &numbers[i]) || !take_text(&rest, ","))
			return false;
	*level = numbers[0] & 7;
	*time = numbers[2];
	*text = rest;
	return true;
}

/*
 * "[  12.345678]", "[  +0.000010]", "[Nov27 22:00]", "[Mon Nov  3 10:11:12 2025]", "<6>[",
 * "Nov 03 10:11:12", "2025-11-03T10:11"
 */
bool is_stamp(struct slice text)
{
	static const char bare[][12] = { "??? 99 ", "???  9 ", "9999-99-99", "99:99:99" };
	static const char enclosed[][12] = { "??? ??? ", "???99 99:99", "9999-99-99" };
	struct slice number;

	if (slice_has_form(text, "<9>")) {
		text.at += 3;
		take_blanks(&text);
	}
	if (take_seconds(&text, &number))
		return *text.at == ']' || *text.at == '[';
	if (!take_text(&text, "[")) {
		for (size_t i = 0; i < ARRAY_SIZE(bare); i++)
			if (slice_has_form(text, bare[i]))
				return true;
		return false;
	}
	take_blanks(&text);
	take_text(&text, "+");
	for (size_t i = 0; i < ARRAY_SIZE(enclosed); i++)
		if (slice_has_form(text, enclosed[i]))
			return true;
	return false;
}
