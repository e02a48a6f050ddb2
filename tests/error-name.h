/* SPDX-License-Identifier: MIT */
/* "EPERM" for EPERM: only glibc has a function for it. */
#ifndef ERROR_NAME_H
#define ERROR_NAME_H

#include <errno.h>
#include <stddef.h>

static inline const char *error_name(int error)
{
	static const struct {
		int error;
		const char *name;
	} names[] = {
#define X(name) { name, #name }
		X(EACCES), X(EAGAIN), X(EBADF),	 X(EBUSY),  X(EINVAL), X(EIO),	  X(ENODEV),
		X(ENOENT), X(ENOMEM), X(ENOSYS), X(EPERM), X(EROFS), X(EXDEV),
#undef X
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].error == error)
			return names[i].name;
	return "another error";
}

#endif
