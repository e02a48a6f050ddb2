/* SPDX-License-Identifier: MIT */
/* Tar archives: the members of an untrusted one in turn, and writing one member after the other. */
#include "util/tar.h"

#include "util/text.h"
#include "util/util.h"

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

/* GNU's header of a file with holes says here whether a block with more of them follows. */
#define SPARSE_MORE 482
#define SPARSE_BLOCK_MORE 504

/* One header and what follows it, whatever its type. */
static enum tar_result next_raw(struct tar_reader *tar, struct tar_member *member)
{
	size_t left = tar->size - tar->offset, length = 0;
	struct header h;
	bool more;

	if (left < TAR_BLOCK)
		return TAR_BROKEN;
	if (bytes_are_zero(tar->data + tar->offset, TAR_BLOCK))
		return TAR_END;
	memcpy(&h, tar->data + tar->offset, sizeof(h));
	if (!header_valid(&h) || !parse_field(h.size, sizeof(h.size), &member->size))
		return TAR_BROKEN;
	/* GNU tar's own format ("ustar  ") has times where ustar has the prefix. */
	if (!memcmp(h.magic, "ustar", 6) && h.prefix[0]) {
		length = copy_text(member->name, sizeof(h.prefix), h.prefix, sizeof(h.prefix));
		member->name[length++] = '/';
	}
	length += copy_text(member->name + length, sizeof(member->name) - 1 - length, h.name,
			    sizeof(h.name));
	member->name[length] = 0;
	member->type = h.type ? h.type : '0';
	tar->offset += TAR_BLOCK;
	more = member->type == TAR_SPARSE && !memcmp(h.magic, "ustar ", 6) &&
	       ((const char *)&h)[SPARSE_MORE];
	for (; more; tar->offset += TAR_BLOCK) {
		if (tar->size - tar->offset < TAR_BLOCK)
			return TAR_BROKEN;
		more = tar->data[tar->offset + SPARSE_BLOCK_MORE];
	}
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

/* Records are "LENGTH KEY=VALUE\n", LENGTH counting all of it. */
static void pax_records(struct extension *ext, const char *text, size_t size)
{
	while (size) {
		struct slice number = slice_of(text, size), record;
		uint64_t length;

		if (!take_decimal(&number, &length) || length > size || number.at == text + size ||
		    *number.at != ' ' || length < (size_t)(number.at - text) + 2)
			return;
		record = (struct slice){ number.at + 1, text + length - 1 };
		/* With holes the path is one that GNU tar invents. */
		ext->sparse |= slice_begins(record, "GNU.sparse.");
		if ((take_text(&record, "GNU.sparse.name=") ||
		     (!ext->sparse && take_text(&record, "path="))) && slice_length(record))
			set_name(ext, record.at, slice_length(record));
		else if (take_text(&record, "size="))
			ext->has_size = take_decimal(&record, &ext->size) &&
					record.at == record.end;
		text += length;
		size -= (size_t)length;
	}
}

enum tar_result tar_next(struct tar_reader *tar, struct tar_member *member)
{
	struct extension ext = { 0 };
	size_t skip = 0;

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
	while (member->name[skip] == '.' && member->name[skip + 1] == '/')
		skip += 2;
	memmove(member->name, member->name + skip, strlen(member->name + skip) + 1);
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

static bool put_header(struct tar_writer *tar, struct header *h, char type, uint64_t size)
{
	static const char magic[] = "ustar";
	uint64_t left = size;

	h->type = type;
	memcpy(h->magic, magic, sizeof(magic));
	memcpy(h->version, "00", 2);
	put_octal(h->mode, sizeof(h->mode), 0644);
	put_octal(h->uid, sizeof(h->uid), 0);
	put_octal(h->gid, sizeof(h->gid), 0);
	/* Base 256 from 8 GiB on. */
	put_octal(h->size, sizeof(h->size), size);
	if (size >> 33) {
		memset(h->size, 0, sizeof(h->size));
		h->size[0] = (char)0x80;
		for (size_t i = sizeof(h->size); --i && left; left >>= 8)
			h->size[i] = (char)left;
	}
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

bool tar_member_begin(struct tar_writer *tar, const char *name, uint64_t size)
{
	struct header h = { .name = "" }, path = { .name = "././@PaxHeader" };
	char record[300];
	int length;

	tar->failed |= tar->left != 0;
	if (tar->failed)
		return false;
	/* "LENGTH path=NAME\n", LENGTH counting its own digits: three, as a name has 101 to 255. */
	if (!split_name(&h, name)) {
		length = string_set(record, "%03zu path=%s\n", strlen(name) + 10, name);
		tar->failed = length >= (int)sizeof(record) ||
			      !put_header(tar, &path, 'x', (uint64_t)length) ||
			      !tar_member_data(tar, record, (size_t)length);
		if (tar->failed)
			return false;
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
