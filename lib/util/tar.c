/* SPDX-License-Identifier: MIT */
/* Tar archives: the members of an untrusted one in turn, and writing one member after the other. */
#include "util/tar.h"

#include "util/util.h"

#include <stdio.h>
#include <string.h>

/* POSIX.1-1988 header, with the fields of ustar. */
struct header {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], checksum[8], type;
	char link[100], magic[6], version[2], user[32], group[32], major[8], minor[8];
	char prefix[155], pad[12];
};

_Static_assert(sizeof(struct header) == TAR_BLOCK, "a header is one block");

/* The sum of all bytes, with those of the sum itself counting as blanks. */
static unsigned header_sum(const struct header *h)
{
	const uint8_t *byte = (const uint8_t *)h;
	unsigned sum = 0;

	for (size_t i = 0; i < TAR_BLOCK; i++)
		sum += byte[i];
	for (size_t i = 0; i < sizeof(h->checksum); i++)
		sum += ' ' - (uint8_t)h->checksum[i];
	return sum;
}

/* Octal digits between blanks or NULs; GNU's base 256 if the first bit is set. */
static bool parse_field(const char *text, size_t length, uint64_t *value)
{
	size_t i = 0;

	*value = 0;
	if ((uint8_t)text[0] == 0x80) {
		for (i = 1; i < length; i++) {
			if (*value >> 56)
				return false;
			*value = *value << 8 | (uint8_t)text[i];
		}
		return true;
	}
	while (i < length && text[i] == ' ')
		i++;
	for (; i < length && text[i] >= '0' && text[i] <= '7'; i++) {
		if (*value >> 61)
			return false;
		*value = *value << 3 | (uint64_t)(text[i] - '0');
	}
	for (; i < length; i++)
		if (text[i] != ' ' && text[i])
			return false;
	return true;
}

static bool header_valid(const struct header *h)
{
	uint64_t sum;

	return parse_field(h->checksum, sizeof(h->checksum), &sum) && sum == header_sum(h);
}

bool tar_matches(const uint8_t *data, size_t size)
{
	struct header h;

	if (size < TAR_BLOCK)
		return false;
	memcpy(&h, data, sizeof(h));
	return !memcmp(h.magic, "ustar", 5) && header_valid(&h);
}

static size_t copy_text(char *out, size_t room, const char *text, size_t length)
{
	length = strnlen(text, length);
	if (length > room)
		length = room;
	memcpy(out, text, length);
	return length;
}

static void strip_dot(char *name)
{
	size_t skip = 0;

	while (name[skip] == '.' && name[skip + 1] == '/')
		skip += 2;
	memmove(name, name + skip, strlen(name + skip) + 1);
}

static void header_name(const struct header *h, struct tar_member *member)
{
	size_t length = 0;

	/* GNU tar's own format ("ustar  ") has times where ustar has the prefix. */
	if (!memcmp(h->magic, "ustar", 6) && h->prefix[0]) {
		length = copy_text(member->name, sizeof(h->prefix), h->prefix, sizeof(h->prefix));
		member->name[length++] = '/';
	}
	length += copy_text(member->name + length, sizeof(member->name) - 1 - length, h->name,
			    sizeof(h->name));
	member->name[length] = 0;
}

/* GNU's header of a file with holes says here whether a block with more of them follows. */
#define SPARSE_MORE 482
#define SPARSE_BLOCK_MORE 504

static bool skip_sparse_blocks(struct tar_reader *tar, bool more)
{
	while (more) {
		if (tar->size - tar->offset < TAR_BLOCK)
			return false;
		more = tar->data[tar->offset + SPARSE_BLOCK_MORE];
		tar->offset += TAR_BLOCK;
	}
	return true;
}

/* One header and what follows it, whatever its type. */
static enum tar_result next_raw(struct tar_reader *tar, struct tar_member *member)
{
	size_t left = tar->size - tar->offset;
	struct header h;

	if (left < TAR_BLOCK)
		return TAR_BROKEN;
	if (bytes_are_zero(tar->data + tar->offset, TAR_BLOCK))
		return TAR_END;
	memcpy(&h, tar->data + tar->offset, sizeof(h));
	if (!header_valid(&h) || !parse_field(h.size, sizeof(h.size), &member->size))
		return TAR_BROKEN;
	header_name(&h, member);
	member->type = h.type ? h.type : '0';
	tar->offset += TAR_BLOCK;
	if (member->type == TAR_SPARSE && !memcmp(h.magic, "ustar ", 6) &&
	    !skip_sparse_blocks(tar, ((const char *)&h)[SPARSE_MORE]))
		return TAR_BROKEN;
	return TAR_MEMBER;
}

static void take_data(struct tar_reader *tar, struct tar_member *member)
{
	size_t left = tar->size - tar->offset;
	uint64_t padded = member->size;

	member->data = tar->data + tar->offset;
	member->at = tar->offset;
	if (padded > left) {
		member->held = left;
		tar->offset = tar->size;
		return;
	}
	member->held = (size_t)member->size;
	padded += -padded % TAR_BLOCK;
	tar->offset += padded > left ? left : (size_t)padded;
}

/* What the extended headers before a member say about it. */
struct extension {
	char name[256];
	bool has_name, has_size, sparse;
	uint64_t size;
};

static void set_name(struct extension *ext, const char *text, size_t length)
{
	length = copy_text(ext->name, sizeof(ext->name) - 1, text, length);
	ext->name[length] = 0;
	ext->has_name = true;
}

static bool parse_decimal(const char *text, size_t length, uint64_t *value)
{
	*value = 0;
	for (size_t i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9' ||
		    __builtin_mul_overflow(*value, UINT64_C(10), value) ||
		    __builtin_add_overflow(*value, (uint64_t)(text[i] - '0'), value))
			return false;
	}
	return length > 0;
}

static bool begins(const char *text, size_t length, const char *with)
{
	return length > strlen(with) && !memcmp(text, with, strlen(with));
}

/* With holes the path is one that GNU tar invents. */
static void pax_record(struct extension *ext, const char *text, size_t length)
{
	static const char sparse[] = "GNU.sparse.", name[] = "GNU.sparse.name=";

	if (begins(text, length, "path=") && !ext->sparse)
		set_name(ext, text + 5, length - 5);
	else if (begins(text, length, "size="))
		ext->has_size = parse_decimal(text + 5, length - 5, &ext->size);
	else if (begins(text, length, name))
		set_name(ext, text + strlen(name), length - strlen(name));
	ext->sparse |= begins(text, length, sparse);
}

/* Records are "LENGTH KEY=VALUE\n", LENGTH counting all of it. */
static void pax_records(struct extension *ext, const char *text, size_t size)
{
	while (size) {
		const char *blank = memchr(text, ' ', size);
		size_t digits = blank ? (size_t)(blank - text) : 0;
		uint64_t length;

		if (!blank || !parse_decimal(text, digits, &length) || length > size ||
		    length < digits + 2)
			return;
		pax_record(ext, blank + 1, (size_t)length - digits - 2);
		text += length;
		size -= (size_t)length;
	}
}

enum tar_result tar_next(struct tar_reader *tar, struct tar_member *member)
{
	struct extension ext = { 0 };

	for (;;) {
		enum tar_result result = next_raw(tar, member);
		bool extended;

		if (result != TAR_MEMBER)
			return result;
		extended = member->type == 'x' || member->type == 'g' || member->type == 'L' ||
			   member->type == 'K';
		if (!extended && ext.has_size)
			member->size = ext.size;
		take_data(tar, member);
		if (!extended)
			break;
		if (member->type == 'x')
			pax_records(&ext, (const char *)member->data, member->held);
		else if (member->type == 'L')
			set_name(&ext, (const char *)member->data, member->held);
	}
	if (ext.has_name)
		memcpy(member->name, ext.name, sizeof(ext.name));
	if (ext.sparse)
		member->type = TAR_SPARSE;
	strip_dot(member->name);
	return TAR_MEMBER;
}

static bool put(struct tar_writer *tar, const void *data, size_t size)
{
	if (!tar->failed && size && !tar->write(tar->context, data, size))
		tar->failed = true;
	return !tar->failed;
}

/* `length` counts the NUL. */
static void put_octal(char *field, size_t length, uint64_t value)
{
	field[--length] = 0;
	while (length) {
		field[--length] = (char)('0' + (value & 7));
		value >>= 3;
	}
}

static void put_size(char *field, size_t length, uint64_t value)
{
	if (value < UINT64_C(1) << 33) {
		put_octal(field, length, value);
		return;
	}
	field[0] = (char)0x80;
	for (; --length; value >>= 8)
		field[length] = (char)(value & 0xff);
}

static bool put_header(struct tar_writer *tar, struct header *h, char type, uint64_t size)
{
	static const char magic[] = "ustar";

	h->type = type;
	memcpy(h->magic, magic, sizeof(magic));
	memcpy(h->version, "00", 2);
	put_octal(h->mode, sizeof(h->mode), 0644);
	put_octal(h->uid, sizeof(h->uid), 0);
	put_octal(h->gid, sizeof(h->gid), 0);
	put_size(h->size, sizeof(h->size), size);
	put_octal(h->mtime, sizeof(h->mtime), tar->mtime);
	put_octal(h->checksum, sizeof(h->checksum) - 1, header_sum(h));
	h->checksum[7] = ' ';
	tar->left = size;
	tar->padding = (unsigned)(-size % TAR_BLOCK);
	return put(tar, h, sizeof(*h));
}

/* A name may be split at a slash with at most 155 bytes before it and 100 after it. */
static bool split_name(struct header *h, const char *name)
{
	size_t length = strlen(name);
	const char *slash = name;

	if (length <= sizeof(h->name)) {
		memcpy(h->name, name, length);
		return true;
	}
	while ((slash = strchr(slash + 1, '/')))
		if (slash - name <= (ptrdiff_t)sizeof(h->prefix) && slash[1] &&
		    strlen(slash + 1) <= sizeof(h->name)) {
			memcpy(h->prefix, name, (size_t)(slash - name));
			memcpy(h->name, slash + 1, strlen(slash + 1));
			return true;
		}
	return false;
}

/*
 * "LENGTH path=NAME\n", the length counting its own digits: three, because a name has 101 to 255.
 */
static bool put_path(struct tar_writer *tar, const char *name)
{
	struct header h = { .name = "././@PaxHeader" };
	char record[300];
	int length = snprintf(record, sizeof(record), "%03zu path=%s\n", strlen(name) + 10, name);

	return length < (int)sizeof(record) && put_header(tar, &h, 'x', (uint64_t)length) &&
	       tar_member_data(tar, record, (size_t)length);
}

bool tar_member_begin(struct tar_writer *tar, const char *name, uint64_t size)
{
	struct header h = { .name = "" };

	if (tar->left) {
		tar->failed = true;
		return false;
	}
	if (!split_name(&h, name)) {
		if (!put_path(tar, name)) {
			tar->failed = true;
			return false;
		}
		memcpy(h.name, name, sizeof(h.name));
	}
	return put_header(tar, &h, '0', size);
}

static bool pad_member(struct tar_writer *tar)
{
	static const char zeros[TAR_BLOCK];

	return tar->left || put(tar, zeros, tar->padding);
}

bool tar_member_data(struct tar_writer *tar, const void *data, size_t size)
{
	if (size > tar->left) {
		tar->failed = true;
		return false;
	}
	if (!size)
		return !tar->failed;
	tar->left -= size;
	return put(tar, data, size) && pad_member(tar);
}

bool tar_member_zeros(struct tar_writer *tar, uint64_t size)
{
	if (size > tar->left) {
		tar->failed = true;
		return false;
	}
	tar->left -= size;
	if (!tar->failed && size && !tar->zeros(tar->context, size))
		tar->failed = true;
	return !tar->failed && (!size || pad_member(tar));
}

bool tar_end(struct tar_writer *tar)
{
	static const char zeros[2 * TAR_BLOCK];

	if (tar->left)
		tar->failed = true;
	return put(tar, zeros, sizeof(zeros));
}
