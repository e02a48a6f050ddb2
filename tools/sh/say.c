/* SPDX-License-Identifier: MIT */
/* Verbs of scripts that read no source by themselves: print, echo, sleep. */
#include "sh.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define BLANKS " \t"

/* ---- print ---------------------------------------------------------------------------------- */

static const char *digits(uint64_t value, unsigned base, char *buf, size_t size)
{
	char *at = buf + size - 1;

	*at = 0;
	do
		*--at = (char)('0' + value % base);
	while (value /= base);
	return at;
}

static void put_value(struct gsc_out *out, char format, uint64_t value)
{
	char buf[72];

	switch (format) {
	case 'x':
		gsc_out_format(out, "0x%llx", (unsigned long long)value);
		break;
	case 'd':
		gsc_out_format(out, "%lld", (long long)value);
		break;
	case 'u':
		gsc_out_format(out, "%llu", (unsigned long long)value);
		break;
	case 't':
		gsc_out_format(out, "0b%s", digits(value, 2, buf, sizeof(buf)));
		break;
	default:
		gsc_out_format(out, "0x%llx  %llu", (unsigned long long)value,
			       (unsigned long long)value);
	}
	gsc_out_end(out);
}

enum gsc_status print_run(struct shell *shell, const char *rest, struct gsc_error *err)
{
	bool formatted = *rest == '/';
	char format = formatted ? rest[1] : 0;
	enum gsc_status status;
	uint64_t value;

	if (formatted && (!format || !strchr("xdut", format) ||
			  !strchr(BLANKS, rest[2] ? rest[2] : ' ')))
		return usage_error(err, "print", "expected /x, /d, /u or /t");
	rest += formatted ? 2 : 0;
	rest += strspn(rest, BLANKS);
	if (!*rest)
		return usage_error(err, "print", "expected an expression");
	status = value_of(shell, rest, &value, err);
	if (status)
		return status;
	if (wants_json(&shell->common))
		event_value(shell, rest, value);
	else
		put_value(shell->common.out, format, value);
	return GSC_OK;
}

/* ---- echo, sleep ---------------------------------------------------------------------------- */

enum gsc_status echo_run(struct shell *shell, const char *rest, struct gsc_error *err)
{
	struct words words;
	enum gsc_status status = words_split(&words, rest, err);

	for (size_t i = 0; !status && i < words.count; i++) {
		gsc_text_clean(words.items[i]);
		gsc_out_format(shell->common.out, "%s%s", i ? " " : "", words.items[i]);
	}
	if (!status)
		gsc_out_end(shell->common.out);
	words_free(&words);
	return status;
}

enum gsc_status sleep_run(struct shell *shell, const char *rest, struct gsc_error *err)
{
	struct timespec left;
	struct gsc_error ignored;
	uint64_t time, end;
	sigset_t open;

	if (!parse_time(rest, &time))
		return usage_error(err, *rest ? rest : "sleep",
				   "expected a time such as 1s or 500ms");
	gsc_out_flush(shell->common.out, &ignored);
	end = milliseconds_now() + time;
	signals_hold(&open);
	for (uint64_t now; !signal_seen() && (now = milliseconds_now()) < end;) {
		left = (struct timespec){ (time_t)((end - now) / 1000),
					  (long)((end - now) % 1000) * 1000000 };
		ppoll(NULL, 0, &left, &open);
	}
	sigprocmask(SIG_SETMASK, &open, NULL);
	return signal_seen() ? GSC_FAILED : GSC_OK;
}
