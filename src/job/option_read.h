/*
 * option_read.h - from a YAML tree to a struct, by a table of options
 *
 * Everything is checked: types in full, ranges, choices, unknown keys (the nearest known one is
 * named), missing ones.  One run tells up to OPTION_MAX_ERRORS errors, each at its place.
 */
#ifndef JOB_OPTION_READ_H
#define JOB_OPTION_READ_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "format/yaml.h"
#include "job/job.h"
#include "job/option_trace.h"
#include "job/options.h"

enum { OPTION_MAX_ERRORS = 20 };

typedef struct OptionReader {
    const char *folder; /* of the job file, with its slash: paths are relative to it */
    Arena *arena;
    Diag *diag;
    unsigned errors;
    bool optional_outputs;    /* "outputs" may be left out */
    const OptionTable *whole; /* where else a misplaced key is looked for; NULL: option_job */

    OptionTrace *trace; /* gets what is no default; or NULL */
} OptionReader;

/* Fills the struct at `out` from the map `root`, and from defaults. */
bool option_read(void *out, const OptionTable *table, const YamlNode *root, OptionReader *reader);

/* An error at a place, counted: "KEY: MESSAGE".  Returns false; tells nothing beyond the maximum.
 */
bool option_error(OptionReader *reader, const YamlNode *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The error for a key that is in no row; `name` is its dotted path.  Names what may be meant. */
bool option_unknown_key(const YamlNode *key, const OptionTable *table, const char *name,
                        OptionReader *reader);

/* A row's default, and a short form ("song.wav") in full ({file: song.wav}), as if they stood in
 * the file. */
const YamlNode *option_default_node(const Option *option, const YamlNode *near,
                                    OptionReader *reader);
const YamlNode *option_expand_short(const YamlNode *node, const OptionTable *table,
                                    OptionReader *reader);

/* 29.97, 60 or "30000/1001", in lowest terms; the NTSC rates exactly.  False if it is none. */
bool option_parse_rate(JobRational *out, const char *text);

/* "all", "5", "0-1799" or "0-99,400-499". */
bool option_parse_frames(JobFrames *out, const char *text, Arena *arena);

#endif
