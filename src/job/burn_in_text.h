// SPDX-License-Identifier: MIT
/*
 * burn_in_text.h - the text that burn_in writes into an output frame
 *
 * {name} is the job's name, {frame} the output frame number, {time} its time in the film as
 * m:ss.mmm, rounded to the nearest millisecond; {{ and }} are literal braces.  Pure functions.
 */
#pragma once

#include "job/job.h"

enum { BURN_IN_TEXT_SIZE = 1024 }; /* bytes with the NUL; a longer text is truncated */

/* True if all fields of a text are known; else copies the first unknown {field} to `unknown`,
 * truncated to `size`. */
bool burn_in_text_check(const char *text, char *unknown, size_t size);

/* Expands job->burn_in->text for an output frame; never ends inside a UTF-8 character. */
void burn_in_text(char out[BURN_IN_TEXT_SIZE], const Job *job, int64_t frame);
