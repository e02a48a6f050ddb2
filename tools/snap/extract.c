/* SPDX-License-Identifier: MIT */
/* gpu-snap extract: a part of a capture or of another dump, as plain bytes. */
#include "snap.h"
#include "db/words.h"
#include "open/open.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define HOLE 4096
#define CHUNK (64u << 10)
/* A space without a length is not made longer than this: memory has holes of any size. */
#define WHOLE_MOST (UINT64_C(1) << 32)

/* Either a file inside, or a stretch of a space. */
struct extract {
	struct gsc_member member;
	bool is_member;
	enum gsc_space space;
	uint64_t start, length;
};

/* ---- which ---------------------------------------------------------------------------------- */

/* Tables and registers begin at 0 whatever is held of them; memory where it is. */
static bool begins_at_0(enum gsc_space space)
{
	return space <= GSC_GGTT;
}

static enum gsc_status whole_space(struct gsc_source *source, struct extract *part,
				   const char *name, struct gsc_error *err)
{
	uint64_t from = 0, start, length, first = 0, stretches = 0;

	for (; gsc_extent(source, part->space, from, &start, &length); from = start + length) {
		first = stretches++ ? first : start;
		if (length > UINT64_MAX - start)
			break;
	}
	if (!stretches)
		return err_set(err, GSC_UNKNOWN, name, "not in this dump");
	part->start = begins_at_0(part->space) ? 0 : first;
	part->length = from - part->start;
	if (part->length <= WHOLE_MOST && (begins_at_0(part->space) || stretches == 1))
		return GSC_OK;
	return usage_error(err, name,
			   "%s: name a range, such as %s@0x%llx+4K (info --json lists them)",
			   stretches > 1 ? "is in several ranges" : "is longer than 4 GB",
			   gsc_space_name(part->space), LL(first));
}

/* MEMBER, SPACE, SPACE@A+LEN */
static enum gsc_status find_part(struct gsc_source *source, const char *name, struct extract *part,
				 struct gsc_error *err)
{
	const char *at = strchr(name, '@');
	struct gsc_memory memory;

	/* If two in an archive have one name, the later one counts. */
	for (size_t i = 0; i < gsc_source_count(source) && !part->is_member; i++) {
		struct gsc_member member = { .next = 0 };

		while (gsc_capture_member(source, i, &member))
			if (!strcmp(member.name, name)) {
				part->member = member;
				part->is_member = true;
			}
	}
	if (part->is_member)
		return GSC_OK;
	if (!gsc_space_by_name(name, at ? (size_t)(at - name) : strlen(name), &part->space))
		return err_set(err, GSC_UNKNOWN, name, "no such member or space (info lists them)");
	if (!at)
		return whole_space(source, part, name, err);
	if (!parse_stretch(at + 1, &memory))
		return usage_error(err, name, "expected SPACE@ADDRESS+LENGTH");
	part->start = memory.start;
	part->length = memory.length;
	return GSC_OK;
}

/* ---- its bytes ------------------------------------------------------------------------------ */

/* As many bytes as are in one piece, at most `size`; zeros for missing ones, which are counted. */
static size_t take(struct gsc_source *source, enum gsc_space space, uint64_t address, uint8_t *buf,
		   size_t size, struct missing *missing)
{
	uint64_t value, start, length;
	size_t span = 0;
	const void *data = gsc_span(source, space, address, &span);

	if (data && span) {
		size = MIN(span, size);
		memcpy(buf, data, size);
		return size;
	}
	if (!gsc_read(source, space, address, 1, &value)) {
		*buf = (uint8_t)value;
		return 1;
	}
	/* A stretch without bytes, up to where there are some. */
	if (gsc_extent(source, space, address, &start, &length) && start - address < size)
		size = start > address ? (size_t)(start - address) : 1;
	memset(buf, 0, size);
	if (!missing->bytes)
		missing->first = address;
	missing->bytes += size;
	return size;
}

bool stretch_write(struct common *common, int fd, enum gsc_space space, uint64_t start,
		   uint64_t length, struct missing *missing)
{
	int flags = fcntl(fd, F_GETFL);
	uint8_t *buf = malloc(CHUNK);
	bool done = buf != NULL, sparse;
	struct stat st;

	/* A file of ours, still empty: what is not written is zero. */
	sparse = flags >= 0 && !(flags & O_APPEND) && !fstat(fd, &st) && S_ISREG(st.st_mode) &&
		 !st.st_size && !lseek(fd, 0, SEEK_CUR);
	for (uint64_t at = 0; done && at < length;) {
		size_t want = (size_t)MIN(CHUNK, length - at), filled = 0;

		while (filled < want)
			filled += take(common->source, space, start + at + filled, buf + filled,
				       want - filled, missing);
		for (size_t i = 0, run; done && i < filled; i += run) {
			run = sparse ? MIN(filled - i, HOLE) : filled;
			done = sparse && bytes_are_zero(buf + i, run)
				       ? lseek(fd, (off_t)run, SEEK_CUR) >= 0
				       : fd_write(fd, buf + i, run);
		}
		at += filled;
		progress_show(common, at, length);
	}
	progress_clear(common);
	free(buf);
	return done && (!sparse || !ftruncate(fd, (off_t)length));
}

/* Registers are never complete: only if a range was requested is that reported. */
static enum gsc_status write_part(struct common *common, int fd, const char *path,
				  struct gsc_error *err)
{
	struct extract *part = ((struct snap *)common)->part;
	struct missing missing = { 0 };

	errno = 0;
	if (part->is_member ? !fd_write(fd, part->member.data, (size_t)part->member.held)
			    : !stretch_write(common, fd, part->space, part->start, part->length,
					     &missing)) {
		int error = errno ? errno : ENOMEM;

		err_errno(err, path, error);
		errno = error;
		return err->status;
	}
	if (!missing.bytes || !strchr(common->operands[0], '@'))
		return GSC_OK;
	return err_set(err, GSC_PARTIAL, gsc_space_name(part->space),
		       "%llu of %llu bytes are missing, the first at 0x%llx: written as zeros",
		       LL(missing.bytes), LL(part->length), LL(missing.first));
}

/* Files inside are mostly text; control characters and invisible ones are replaced. */
static bool for_terminal(const struct extract *part)
{
	size_t size = part->is_member ? (size_t)part->member.held : 0;
	char *text = part->is_member ? malloc(size + 1) : NULL, *clean;
	bool same;

	if (!text)
		return false;
	memcpy(text, part->member.data, size);
	text[size] = 0;
	same = strlen(text) == size;
	for (size_t i = 0; same && i < size; i++)
		if (text[i] == '\n' || text[i] == '\t' || (text[i] == '\r' && text[i + 1] == '\n'))
			text[i] = ' ';
	clean = same ? strdup(text) : NULL;
	same = clean != NULL;
	if (clean)
		gsc_text_clean(clean);
	same = same && !strcmp(text, clean);
	free(clean);
	free(text);
	return same;
}

enum gsc_status extract_run(struct common *common, struct gsc_error *err)
{
	struct snap *snap = (struct snap *)common;
	struct extract part = { .is_member = false };
	enum gsc_status status = common_source(common, true, err);
	uint64_t start, length, value;
	const char *path;

	if (!status)
		status = find_part(common->source, common->operands[0], &part, err);
	if (status)
		return status;
	if (!part.is_member &&
	    (!gsc_extent(common->source, part.space, part.start, &start, &length) ||
	     start - part.start >= part.length))
		return err_set(err, GSC_UNKNOWN, common->operands[0], "%s",
			       gsc_read(common->source, part.space, part.start & ~UINT64_C(3), 4,
					&value) == GSC_READ_EXCLUDED ? "excluded from the dump"
								     : "not in this dump");
	path = snap->output ? snap->output : "-";
	if (file_is_terminal(path) && !for_terminal(&part))
		return usage_error(err, "standard output",
				   "is a terminal, and this is not plain text: use -o FILE");
	snap->part = &part;
	status = file_save(common, path, FILE_PRIVATE, write_part, err);
	snap->part = NULL;
	return status;
}
