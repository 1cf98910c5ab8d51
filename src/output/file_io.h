// SPDX-License-Identifier: MIT
/*
 * file_io.h - a file that libavformat writes through a descriptor
 *
 * libavformat opens files by name, which a confined process may not do (base/file_calls.h).
 */
#pragma once

#include <signal.h>

#include "media/libav.h"

/* Creates or empties a file.  stop: when not 0, writing fails (AVERROR_EXIT); NULL: never.  Returns
 * 0 or an error of libavformat. */
int file_io_open(AVIOContext **out, const char *path, const volatile sig_atomic_t *stop);

/* Writes what is buffered, closes and sets *io to NULL.  Returns 0 or the first error of
 * libavformat that a write or the close met.  *io NULL is fine. */
int file_io_close(AVIOContext **io);
