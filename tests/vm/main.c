/* SPDX-License-Identifier: MIT */
/*
 * gpu-vm: runs test scripts against modelled GPUs in virtual machines.
 *
 *	gpu-vm -c CACHE -d DIRECTORY SCRIPT...
 *	gpu-vm -K KERNEL -I INITRD ...		those for machines with i915, -x and -X with xe
 *
 * Into DIRECTORY go "access.log", a line an access, and "console", what the guest's kernel said.
 */
#include "script.h"
#include "db/db.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool parse(struct session *s, int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "c:d:")) != -1)
		switch (option) {
		case 'c':
			s->cache = optarg;
			break;
		case 'd':
			s->directory = optarg;
			break;
		default:
			return false;
		}
	return s->cache && s->directory && optind < argc;
}

static FILE *open_log(const struct session *s)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/access.log", s->directory);
	return fopen(path, "we");
}

static void finish(struct session *s)
{
	machine_stop(&s->machine);
	log_text(&s->machine.log, "end");
	reply_clear(&s->last);
	free(s->machine.log.items);
	free(s->command);
	fclose(s->machine.log.file);
	gsc_db_free(s->db);
}

int main(int argc, char **argv)
{
	struct session s = { 0 };
	struct gsc_error err = { 0 };

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!parse(&s, argc, argv)) {
		fprintf(stderr, "gpu-vm -c CACHE -d DIRECTORY SCRIPT...\n");
		return 2;
	}
	s.machine.log.file = open_log(&s);
	if (!s.machine.log.file || gsc_db_new(&s.db, &err)) {
		fprintf(stderr, "gpu-vm: %s: cannot begin: %s\n", s.directory, err.why);
		return 1;
	}
	for (int i = optind; i < argc; i++)
		script_run(&s, argv[i]);
	printf("%u directives, %u failed, %.1f s\n", s.checks, s.failures, seconds());
	finish(&s);
	return s.failures ? 1 : 0;
}
