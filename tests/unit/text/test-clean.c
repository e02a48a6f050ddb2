/* SPDX-License-Identifier: MIT */
/* Text recovered from what mails, terminals and web pages made of it. */
#include "formats/kernel-log.h"
#include "text/clean.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool cleans_bytes(const void *data, size_t size, const char *expected)
{
	size_t out_size;
	char *out;
	bool same;

	CU_ASSERT_FATAL(text_clean(&kernel_log_words, data, size, &out, &out_size));
	same = out_size == strlen(expected) && !memcmp(out ? out : data, expected, out_size);
	if (!same)
		fprintf(stderr, "\n%.*s\ninstead of\n%s\n", (int)out_size,
			out ? out : (const char *)data, expected);
	free(out);
	return same;
}

static bool cleans(const char *text, const char *expected)
{
	return cleans_bytes(text, strlen(text), expected);
}

static bool stays(const char *text)
{
	size_t size;
	char *out;

	CU_ASSERT_FATAL(text_clean(&kernel_log_words, text, strlen(text), &out, &size));
	if (out)
		fprintf(stderr, "\nnot clean: %.*s\n", (int)size, out);
	free(out);
	return !out;
}

static void already_clean(void)
{
	CU_ASSERT(stays(""));
	CU_ASSERT(stays("\n"));
	CU_ASSERT(stays("00: 86 80 12 19\n10: 04 00 00 f7\n20: 01 f0 00 00\n"));
	CU_ASSERT(stays("0x2030 0x1f\n0x2034 0x0\n0x2038 0x1000\n"));
	CU_ASSERT(stays("[    1.000001] i915 0000:00:02.0: [drm] A & B <c> =5\n"
			"[    1.000002] i915 0000:00:02.0: [drm] 10: more\n"));
	CU_ASSERT(stays("  fence[0] = bf00500000003\n  fence[1] = 0\nrcs0 command stream:\n"));
	CU_ASSERT(stays("01:00.0 VGA\n02:00.0 VGA\n03:00.0 VGA\n"));
	CU_ASSERT(stays("00000000 :  7a000003\n00000004 :  00000000\n00000008 :  00000000\n"));
}

/* Base 85 has all of the characters that the steps look for. */
static void base85(void)
{
	CU_ASSERT(stays(":ltU&gt;<b>=3D>zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz\n"
			">zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz\n"
			">zzzzzz&zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz=zzzzzzzzzzzzzzzz\n"
			"|zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz\n"));
}

static void encodings(void)
{
	CU_ASSERT(cleans_bytes("\xff\xfe" "E\0I\0R\0:\0 \0" "1\0\n\0", 16, "EIR: 1\n"));
	CU_ASSERT(cleans_bytes("\xfe\xff" "\0E\0I\0R\0:\0 \0" "1\0\n", 16, "EIR: 1\n"));
	CU_ASSERT(cleans_bytes("E\0I\0R\0:\0 \0" "1\0\n\0", 14, "EIR: 1\n"));
	CU_ASSERT(cleans("\xef\xbb\xbf" "EIR: 1\r\nIER: 2\r\n", "EIR: 1\nIER: 2\n"));
	CU_ASSERT(cleans("EIR:\xc2\xa0" "1\xe2\x80\x8b\n", "EIR: 1\n"));
	CU_ASSERT(cleans("EIR:\xa0" "1\n", "EIR: 1\n"));
	CU_ASSERT(cleans("\033[32m[ 1.0]\033[0m a\n", "[ 1.0] a\n"));
}

static void web(void)
{
	CU_ASSERT(cleans("<pre><code>PCI ID: 0x1912</code></pre>\n", "PCI ID: 0x1912\n"));
	CU_ASSERT(cleans("a -&gt; b &amp; &quot;c&quot; rcs&#x27;0&nbsp;&#39;\n",
			 "a -> b & \"c\" rcs'0 '\n"));
	CU_ASSERT(cleans("[code]\nEIR: 1\n[/code]\n", "\nEIR: 1\n\n"));
	CU_ASSERT(cleans("\\[drm\\] \\*ERROR\\* seqno\\_a\n", "[drm] *ERROR* seqno_a\n"));
	CU_ASSERT(stays("C:\\dir \\[a\\] \\d \\e \\f\n"));
}

static void mail(void)
{
	CU_ASSERT(cleans("a =3D 1\nfault addr =\n7fa8 [reason]\nb\n",
			 "a = 1\nfault addr 7fa8 [reason]\n\nb\n"));
	CU_ASSERT(cleans("Content-Transfer-Encoding: base64\n\nRUlSOiAweDEwCklFUjogMQo=\n",
			 "Content-Transfer-Encoding: base64\n\nEIR: 0x10\nIER: 1\n"));
	CU_ASSERT(cleans("Content-Transfer-Encoding: quoted-printable\n\nx=20=\ny=41\n",
			 "Content-Transfer-Encoding: quoted-printable\n\nx yA\n\n"));
}

static void prefixes(void)
{
	CU_ASSERT(cleans("> EIR: 1\n> IER: 2\n", "EIR: 1\nIER: 2\n"));
	CU_ASSERT(cleans("> > EIR: 1\n> >\n> > IER: 2\n", "EIR: 1\n\nIER: 2\n"));
	CU_ASSERT(cleans("| EIR: 1\n| IER: 2\n", "EIR: 1\nIER: 2\n"));
	CU_ASSERT(cleans("+EIR: 1\n+IER: 2\n", "EIR: 1\nIER: 2\n"));
	CU_ASSERT(cleans("1:EIR: 1\n2:IER: 2\n3:\n4:CCID: 3\n", "EIR: 1\nIER: 2\n\nCCID: 3\n"));
	CU_ASSERT(cleans("     1\tEIR: 1\n     2\tIER: 2\n     3\tCCID: 3\n",
			 "EIR: 1\nIER: 2\nCCID: 3\n"));
	CU_ASSERT(cleans("a.txt:EIR: 1\na.txt:IER: 2\na.txt:CCID: 3\n",
			 "EIR: 1\nIER: 2\nCCID: 3\n"));
	CU_ASSERT(cleans("Hello,\n> 1: EIR: 1\n> 2: IER: 2\n> 3: CCID: 3\nbye\n",
			 "Hello,\n EIR: 1\n IER: 2\n CCID: 3\nbye\n"));
}

/* What went through a log line by line: no message of a kernel is empty or quoted. */
static void journals(void)
{
	CU_ASSERT(cleans("Nov 03 10:11:01 box kernel: Hello,\nNov 03 10:11:02 box kernel:\n"
			 "Nov 03 10:11:03 box kernel: DMAR: a\nNov 03 10:11:04 box kernel: \n",
			 "Hello,\n\nDMAR: a\n\n"));
	CU_ASSERT(cleans("2025-11-03T10:11:01+01:00 box kernel: > one\n"
			 "2025-11-03T10:11:02+01:00 box kernel: > two\n"
			 "2025-11-03T10:11:03+01:00 box kernel: > three\n", "one\ntwo\nthree\n"));
	CU_ASSERT(stays("Nov 03 10:11:01 box kernel: one\nNov 03 10:11:02 box kernel:\n"
			"Nov 03 10:11:03 box kernel: two\nNov 03 10:11:04 box kernel: three\n"));
	CU_ASSERT(stays("Nov 03 10:11:01 box kernel: >one\nNov 03 10:11:02 box cron: > one\n"
			"Nov 03 10:11:03 box kernel: > one\nNov 03 10:11:04 box kernel: > two\n"));
}

/* Marks in front of all lines were added last, after the mail was encoded. */
static void quoted_mail(void)
{
	CU_ASSERT(cleans("> status =3D 0x4=\n> 0\n> next =3D 1\n",
			 "status = 0x40\n\nnext = 1\n"));
	CU_ASSERT(cleans("> status =3D 0x4=\n0\n> next =3D 1\n", "status = 0x40\n\nnext = 1\n"));
}

#define STAMP "  2026-09-13T22:23:00 xe 0000:3d:00.0: [drm] GT0: "

/* Mail leaves a blank where it breaks; the continuation of an indented block is indented too. */
static void flowed(void)
{
	CU_ASSERT(cleans(STAMP "Engine reset: class=ccs, logical_mask: 0x1,\n  state=0x29\n"
			 STAMP "Timedout job: seqno=15, lrc_seqno=15, in\n  python [26]\n"
			 STAMP "Engine reset: class=bcs, logical_mask: 0x2,\n  state=0x20\n",
			 STAMP "Engine reset: class=ccs, logical_mask: 0x1, state=0x29\n\n"
			 STAMP "Timedout job: seqno=15, lrc_seqno=15, in python [26]\n\n"
			 STAMP "Engine reset: class=bcs, logical_mask: 0x2, state=0x20\n\n"));
}

static void wrapped(void)
{
	CU_ASSERT(cleans("[  104.381655] DMAR: DRHD: handling fault status reg 3\n"
			 "[  104.381658] DMAR: [DMA Read] Request device [00:02.0] PASID ffffffff\n"
			 "fault addr 9bd00000 [fault reason 06] PTE Read access is not set\n"
			 "[  104.382080] DMAR: x\n",
			 "[  104.381655] DMAR: DRHD: handling fault status reg 3\n"
			 "[  104.381658] DMAR: [DMA Read] Request device [00:02.0] PASID ffffffff "
			 "fault addr 9bd00000 [fault reason 06] PTE Read access is not set\n\n"
			 "[  104.382080] DMAR: x\n"));
	/* Messages that a mail program merged into one paragraph. */
	CU_ASSERT(cleans("xe 0000:00:02.0: [drm] GT0: Engine reset: engine_class=bcs, mask:\n"
			 "0x2, guc_id=0 xe 0000:00:02.0: [drm] GT0: Timedout job: seqno=1,\n"
			 "guc_id=0, flags=0x13\n",
			 "xe 0000:00:02.0: [drm] GT0: Engine reset: engine_class=bcs, mask: "
			 "0x2, guc_id=0\n"
			 "xe 0000:00:02.0: [drm] GT0: Timedout job: seqno=1, "
			 "guc_id=0, flags=0x13\n\n"));
}

#define GPU "i915 0000:00:02.0: [drm] "

/* A log whose other lines one width explains, whatever they look like. */
static void paragraphs(void)
{
	/* The middle of a message may look like a key or a row. */
	CU_ASSERT(cleans(GPU "*ERROR* GT0: GUC: Engine reset failed on 0:0\n"
			 "(rcs0) because 0x00000000\n" GPU "MediaPDecoder #3[124241] context reset due\n"
			 "to GPU hang\n",
			 GPU "*ERROR* GT0: GUC: Engine reset failed on 0:0 (rcs0) because 0x00000000\n"
			 "\n" GPU "MediaPDecoder #3[124241] context reset due to GPU hang\n\n"));
	/* Any width, and an indented continuation; prose around it is not part of it. */
	CU_ASSERT(cleans("I see this:\n[  100.123456] " GPU "GPU HANG: ecode 12:1:85dffffb,\n"
			 "    in gnome-shell [2211]\n[  100.124500] " GPU "gnome-shell[2211] context\n"
			 "    reset due to GPU hang\n\nWhat is it?\n",
			 "I see this:\n[  100.123456] " GPU "GPU HANG: ecode 12:1:85dffffb, in "
			 "gnome-shell [2211]\n\n[  100.124500] " GPU "gnome-shell[2211] context "
			 "reset due to GPU hang\n\n\nWhat is it?\n"));
	/* By hand, at no width. */
	CU_ASSERT(cleans(GPU "GPU HANG: ecode 12:1:85dffffb, in gnome-shell [2211]\n"
			 GPU "X[1] context reset due\nto GPU hang\n" GPU "x\n",
			 GPU "GPU HANG: ecode 12:1:85dffffb, in gnome-shell [2211]\n"
			 GPU "X[1] context reset due to GPU hang\n\n" GPU "x\n"));
	/* No width explains these: what fits was not broken. */
	CU_ASSERT(stays("[    1.0] " GPU "Unexpected fault in the address space of a process\n"
			"\tAddr: 0x1000\n\tAddress space: PPGTT\n[    1.0] " GPU "x\n"));
}

static size_t lines_of(const char *text, size_t size)
{
	size_t count = 0;

	for (size_t i = 0; i < size; i++)
		count += text[i] == '\n';
	return count;
}

/* Whatever it is, each line keeps its number, and the work grows only with the size. */
static void hostile(void)
{
	static const char *const pieces[] = {
		"> ", "=\n", "=3D", "&gt;", "<b>", "\033[", "1:", "[ 1.5] ", "\n", "\r\n", "|",
		"0000:00:02.0: ", "+", "\xc2\xa0", "zzzzzzzzzzzz", "a.b:", " xe ", "i915 ", ", ",
	};
	size_t size = 1 << 20;
	char *text = malloc(size), *out;
	uint32_t state = 12345;

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	for (unsigned round = 0; round < 8; round++) {
		size_t used = 0, cleaned;

		while (used + 16 < size) {
			const char *piece;

			state = state * 1664525 + 1013904223;
			piece = pieces[(state >> 16) % (round < 7 ? ARRAY_SIZE(pieces) : 3)];
			memcpy(text + used, piece, strlen(piece));
			used += strlen(piece);
		}
		CU_ASSERT_FATAL(text_clean(&kernel_log_words, text, used, &out, &cleaned));
		CU_ASSERT_EQUAL(lines_of(out ? out : text, cleaned), lines_of(text, used));
		free(out);
	}
	free(text);
}

/* fold and terminals break words: what they left whole proves nothing, and is not joined so. */
static void folded(void)
{
	CU_ASSERT(cleans("[    5.678123] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffffb, in\n"
			 " Xorg [1981]\n[    5.678124] short\n",
			 "[    5.678123] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffffb, in"
			 " Xorg [1981]\n\n[    5.678124] short\n"));
	CU_ASSERT(cleans("[    5.678123] i915 0000:00:02.0: [drm] GPU HA\n"
			 "NG: ecode 9:1:85dffffb, in Xorg [1981]\n[    5.678124] short\n",
			 "[    5.678123] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffffb, in "
			 "Xorg [1981]\n\n[    5.678124] short\n"));
	CU_ASSERT(cleans("[    7.838741] i915 0000:00:02.0: [drm] *ERROR* GT0: GUC: mmio\n"
			 "request 0x4100: failure 201/0\n"
			 "[    7.838762] i915 0000:00:02.0: [drm] *ERROR* GT0: Failed to\n"
			 "retrieve hwconfig table: -ENOENT\n[    8.000001] short\n",
			 "[    7.838741] i915 0000:00:02.0: [drm] *ERROR* GT0: GUC: mmio "
			 "request 0x4100: failure 201/0\n\n"
			 "[    7.838762] i915 0000:00:02.0: [drm] *ERROR* GT0: Failed to "
			 "retrieve hwconfig table: -ENOENT\n\n[    8.000001] short\n"));
}

/* Journals as JSON, dmesg's: one message per line, where its text was. */
static void records(void)
{
	CU_ASSERT(cleans("{\"__MONOTONIC_TIMESTAMP\":\"77\",\"MESSAGE\":\"a \\\"b\\\" \\u00e9\\n\","
			 "\"_SOURCE_MONOTONIC_TIMESTAMP\":\"5678123\"}\n{\"MESSAGE\":[105,57,27]}\n",
			 "[    5.678123] a \"b\" ? \ni9 \n"));
	CU_ASSERT(cleans("__CURSOR=s=1;i=2\n_SOURCE_MONOTONIC_TIMESTAMP=5678123\nPRIORITY=6\n"
			 "MESSAGE=a b\n\n", "\n\n\n<6>[    5.678123] a b\n\n"));
	CU_ASSERT(cleans("   \"time\":   5.678123,\n      \"msg\": \"a b\"\n",
			 "\n[    5.678123] a b\n"));
	CU_ASSERT(cleans("{\n   \"dmesg\": [\n      {\n         \"pri\": 3,\n"
			 "         \"time\":     5.678123,\n         \"msg\": \"a b\"\n      }\n   ]\n}\n",
			 "\n\n\n\n\n<3>[    5.678123] a b\n\n\n\n"));
	CU_ASSERT(cleans("{\"dmesg\": [{\"pri\": 3, \"time\": 1.5, \"msg\": \"a\"}, "
			 "{\"pri\": 3, \"time\": 2.500000, \"msg\": \"b\"}]}\n",
			 "<3>[    1.500000] a <3>[    2.500000] b\n"));
	CU_ASSERT(stays("\"MESSAGE\n{\"msg\n"));
}

/* A NUL in a text is not the end of a list. */
static void listed(void)
{
	static const char list[] = "i915|xe\0|drm";

	CU_ASSERT(text_is_any(slice_string("xe"), list));
	CU_ASSERT(text_is_any(slice_string("i915"), list));
	CU_ASSERT(text_begins_any(slice_string("xe_guc"), list));
	CU_ASSERT_FALSE(text_is_any(slice_string("x"), list));
	CU_ASSERT_FALSE(text_is_any(slice_string("xe_guc"), list));
	CU_ASSERT_FALSE(text_is_any(slice_string("drm"), list));
	CU_ASSERT_FALSE(text_is_any(slice_of("xe\0", 3), list));
	CU_ASSERT_FALSE(text_is_any(slice_of("xe\0|drm", 7), list));
}

SUITE(clean,
	{ "folded lines", folded },
	{ "records", records },
	{ "clean text", already_clean },
	{ "base 85", base85 },
	{ "encodings", encodings },
	{ "web pages", web },
	{ "mail", mail },
	{ "prefixes", prefixes },
	{ "broken lines", wrapped },
	{ "mails through a journal", journals },
	{ "quoted mails", quoted_mail },
	{ "flowed lines", flowed },
	{ "paragraphs of a log", paragraphs },
	{ "words of a list", listed },
	{ "hostile", hostile })
