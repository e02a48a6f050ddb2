/* SPDX-License-Identifier: MIT */
/*
 * The kernel's log in the memory of its machine: printk's ring of records, as VMCOREINFO describes
 * it since Linux 5.10; no types are needed. Origin: Linux, kernel/printk/printk_ringbuffer.h and
 * log_buf_vmcoreinfo_setup() in printk.c.
 */
#include "kernel/inside.h"

#define ID_MASK (UINT64_MAX >> 2)	/* of a state: its upper bits say whether it is a record */
#define COMMITTED 1
#define FINALIZED 2
#define COUNT_BITS_MAX 17		/* of the number of records */
#define SIZE_BITS_MAX 24		/* of the bytes of text */
#define RECORD_MAX 8192		/* bytes of text */

/* What VMCOREINFO must give, in the order of `names`. */
enum {
	PRB, DESC_RING, TEXT_RING, COUNT_BITS, DESCS, INFOS, HEAD_ID, TAIL_ID, DESC_SIZE, STATE_VAR,
	TEXT_LPOS, BEGIN, NEXT, INFO_SIZE, TS_NSEC, TEXT_LEN, SIZE_BITS, DATA, NUMBERS
};

static const char names[NUMBERS][48] = {
	[PRB] = "SYMBOL(prb)",
	[DESC_RING] = "OFFSET(printk_ringbuffer.desc_ring)",
	[TEXT_RING] = "OFFSET(printk_ringbuffer.text_data_ring)",
	[COUNT_BITS] = "OFFSET(prb_desc_ring.count_bits)",
	[DESCS] = "OFFSET(prb_desc_ring.descs)",
	[INFOS] = "OFFSET(prb_desc_ring.infos)",
	[HEAD_ID] = "OFFSET(prb_desc_ring.head_id)",
	[TAIL_ID] = "OFFSET(prb_desc_ring.tail_id)",
	[DESC_SIZE] = "SIZE(prb_desc)",
	[STATE_VAR] = "OFFSET(prb_desc.state_var)",
	[TEXT_LPOS] = "OFFSET(prb_desc.text_blk_lpos)",
	[BEGIN] = "OFFSET(prb_data_blk_lpos.begin)",
	[NEXT] = "OFFSET(prb_data_blk_lpos.next)",
	[INFO_SIZE] = "SIZE(printk_info)",
	[TS_NSEC] = "OFFSET(printk_info.ts_nsec)",
	[TEXT_LEN] = "OFFSET(printk_info.text_len)",
	[SIZE_BITS] = "OFFSET(prb_data_ring.size_bits)",
	[DATA] = "OFFSET(prb_data_ring.data)",
};

struct reading {
	struct kernel *kernel;
	uint64_t number[NUMBERS];
	VEC(char) text;
};

struct ring {
	uint64_t descs, infos, data;
	uint64_t count, size;		/* of records; of bytes of text */
	uint64_t head, tail;
};

static bool read_ring(struct reading *r, struct ring *ring)
{
	const uint64_t *n = r->number;
	uint64_t prb, records, texts, count_bits, size_bits;

	if (!read_number(r->kernel, n[PRB], 8, &prb))
		return false;
	records = prb + n[DESC_RING];
	texts = prb + n[TEXT_RING];
	if (!read_number(r->kernel, records + n[COUNT_BITS], 4, &count_bits) ||
	    !read_number(r->kernel, records + n[DESCS], 8, &ring->descs) ||
	    !read_number(r->kernel, records + n[INFOS], 8, &ring->infos) ||
	    !read_number(r->kernel, records + n[HEAD_ID], 8, &ring->head) ||
	    !read_number(r->kernel, records + n[TAIL_ID], 8, &ring->tail) ||
	    !read_number(r->kernel, texts + n[SIZE_BITS], 4, &size_bits) ||
	    !read_number(r->kernel, texts + n[DATA], 8, &ring->data) ||
	    count_bits > COUNT_BITS_MAX || size_bits > SIZE_BITS_MAX)
		return false;
	ring->count = UINT64_C(1) << count_bits;
	ring->size = UINT64_C(1) << size_bits;
	return true;
}

/* Lines as dmesg prints them, each with the time; bytes that no terminal can show become marks. */
static bool add_lines(struct reading *r, uint64_t time, const char *text, size_t length)
{
	char stamp[40];
	size_t size = (size_t)snprintf(stamp, sizeof(stamp), "[%5llu.%06llu] ",
				       LL(time / 1000000000), LL(time % 1000000000 / 1000));

	for (size_t at = 0, here; at < length; at += here + 1) {
		const char *end = memchr(text + at, '\n', length - at);
		char *to;

		here = end ? (size_t)(end - text) - at : length - at;
		if (!vec_reserve(&r->text, size + here + 1))
			return false;
		to = r->text.items + r->text.count;
		memcpy(to, stamp, size);
		to += size;
		for (size_t i = at; i < at + here; i++)
			*to++ = (unsigned char)text[i] < ' ' && text[i] != '\t' ? '?' : text[i];
		*to = '\n';
		r->text.count += size + here + 1;
	}
	return true;
}

/* False: memory is out. What is not a record, or cannot be read, is left out. */
static bool add_record(struct reading *r, const struct ring *ring, uint64_t id)
{
	const uint64_t *n = r->number;
	uint64_t desc = ring->descs + id % ring->count * n[DESC_SIZE];
	uint64_t info = ring->infos + id % ring->count * n[INFO_SIZE];
	uint64_t state, begin, next, time, length;
	char line[RECORD_MAX];

	if (!read_number(r->kernel, desc + n[STATE_VAR], 8, &state) || (state & ID_MASK) != id ||
	    (state >> 62 != COMMITTED && state >> 62 != FINALIZED) ||
	    !read_number(r->kernel, desc + n[TEXT_LPOS] + n[BEGIN], 8, &begin) ||
	    !read_number(r->kernel, desc + n[TEXT_LPOS] + n[NEXT], 8, &next) ||
	    !read_number(r->kernel, info + n[TS_NSEC], 8, &time) ||
	    !read_number(r->kernel, info + n[TEXT_LEN], 2, &length))
		return true;
	begin %= ring->size;
	next %= ring->size;
	/*
	 * A record without text; a text that does not fit at the end of the ring begins at its
	 * start.
	 */
	if (begin == next)
		return true;
	begin = (begin > next ? 0 : begin) + 8;
	if (begin >= next)
		return true;
	length = MIN(MIN(length, next - begin), sizeof(line));
	return !kernel_read(r->kernel, ring->data + begin, line, (size_t)length) ||
	       add_lines(r, time, line, (size_t)length);
}

enum gsc_status kernel_log(struct kernel *kernel, char **text, size_t *size,
			   struct gsc_error *err)
{
	struct reading r = { .kernel = kernel };
	bool done = true;
	struct ring ring;
	uint64_t id;

	*text = NULL;
	for (size_t i = 0; i < NUMBERS; i++)
		if (!info_number(kernel->info, names[i], &r.number[i]))
			return GSC_OK;
	if (!read_ring(&r, &ring))
		return GSC_OK;
	id = ring.tail;
	kernel->record.paused = true;
	/* Records share no text: each adds at most its time to it. */
	for (uint64_t i = 0; done && i < ring.count && r.text.count / 4 <= ring.size; i++) {
		done = add_record(&r, &ring, id);
		if (id == ring.head)
			break;
		id = (id + 1) & ID_MASK;
	}
	kernel->record.paused = false;
	if (!done) {
		vec_free(&r.text);
		return err_memory(err);
	}
	*text = r.text.items;
	*size = r.text.count;
	return GSC_OK;
}
