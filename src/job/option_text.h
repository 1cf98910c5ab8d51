/*
 * option_text.h - what the table of options says to people and editors
 */
#ifndef JOB_OPTION_TEXT_H
#define JOB_OPTION_TEXT_H

#include <stdio.h>

#include "job/job.h"
#include "job/options.h"

/* The whole job as YAML, defaults too, with paths that do not depend on a folder; loading it gives
 * the same job. */
void option_dump(FILE *out, const Job *job);

/* Every key of a job, defaults too, as "models.0.scale" with its value in YAML; of a list its
 * length, then its items; what is below a section that is not there is left out.  Texts live during
 * the call. */
typedef void OptionTake(void *user, const char *dotted, const char *value, OptionAffects reach);
void option_each(const Job *job, OptionTake *take, void *user);

/* JSON Schema (draft 2020-12) of a job file, for editors. */
void option_schema(FILE *out);

/* All keys, or those below one section ("render"), or one key in full ("render.fps").  False when
 * there is no such key. */
bool option_help(FILE *out, const char *dotted);

/* All keys as a Markdown table, for the README. */
void option_markdown(FILE *out);

#endif
