/* SPDX-License-Identifier: MIT */
/*
 * An entry in the journal, by its native protocol (systemd, docs/JOURNAL_NATIVE_PROTOCOL.md): a
 * datagram with a line for each field.
 */
#include "collect.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define JOURNAL "/run/systemd/journal/socket"
/* The one in the message catalogue, data/collect/gpuscope.catalog. */
#define MESSAGE_ID "dfc558b086d7494288b7579f8335c62f"
#define PRIORITY_ERROR 3

void journal_send(struct collect *c, const struct hang *hang)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct gsc_error ignored;
	struct gsc_out *out;
	const char *data;
	size_t size;

	if (fd < 0 || gsc_out_new(&out, -1, false, &ignored)) {
		if (fd >= 0)
			close(fd);
		return;
	}
	gsc_out_format(out, "MESSAGE_ID=" MESSAGE_ID "\nPRIORITY=%d\nSYSLOG_IDENTIFIER=%s\n",
		       PRIORITY_ERROR, c->common.command->name);
	gsc_out_format(out, "MESSAGE=%s\n", hang->text[HANG_VERDICT]);
	for (size_t i = 0; i < FIELDS; i++)
		if (*hang->text[i])
			gsc_out_format(out, "%s=%s%s%s\n", field_names[i],
				       i == HANG_CAPTURE ? c->store.path : "",
				       i == HANG_CAPTURE ? "/" : "", hang->text[i]);
	data = gsc_out_data(out, &size);
	string_set(address.sun_path, "%s", c->journal ? c->journal : JOURNAL);
	/* Without a journal there is nowhere to send it. */
	sendto(fd, data, size, MSG_NOSIGNAL | MSG_DONTWAIT, (struct sockaddr *)&address,
	       sizeof(address));
	gsc_out_free(out);
	close(fd);
}
