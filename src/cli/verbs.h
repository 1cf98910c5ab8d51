// SPDX-License-Identifier: MIT
/*
 * verbs.h - the table of verbs, and their functions
 */
#pragma once

#include "cli/arguments.h"
#include "record/result.h"

typedef struct Session Session;
typedef bool VerbFunction(Session *session);

/* The parts of its session that a verb needs (session.h). */
typedef enum VerbNeeds {
    VERB_JOB = 1 << 0,      /* operands: a job file, or models, motions and a sound */
    VERB_PROGRESS = 1 << 1, /* a progress report, and the limits of time and memory of its job */
    VERB_DRAWS = 1 << 2,    /* shaders */
    VERB_WRITES = 1 << 3,   /* the outputs of the job are written, not only inspected */
    VERB_OUTPUT = 1 << 4,   /* the job must have an output */
    VERB_OUTPUT_OF_FILE = 1 << 5, /* the same, unless it is made of models and motions */
    VERB_OWN_OUTPUT = 1 << 6,     /* -o names a file of the verb, not an output of the job */
    VERB_PROBLEMS = 1 << 7        /* the messages about the job */
} VerbNeeds;

typedef struct Verb {
    const char *name; /* its texts are in text/verbs.txt */
    VerbFunction *run;
    unsigned needs;      /* VerbNeeds */
    const char *flags;   /* names of the accepted flags, separated by blanks */
    size_t min_operands; /* 1 with VERB_JOB */
    const char *words;   /* words that the first operand can be, separated by blanks; or NULL */
    unsigned files;      /* bits of FileUse: files that can be operands; see verb_files */
    const char *schema;  /* name of what it prints as JSON; NULL: what it did (run_result.h) */
} Verb;

extern const Verb verbs[]; /* ends with a row without a name */

/* What is printed or written as JSON, for the verb schema; ends with a row without a name. */
typedef struct VerbResult {
    const char *name; /* that of the verb, unless a file has it */
    const ResultTable *table;
} VerbResult;

extern const VerbResult verb_results[];

/* The table of that name, or of the verb of that name; NULL: there is none. */
const ResultTable *verb_result(const char *name);

/* The row of a verb, or NULL. */
const Verb *verb_find(const char *name);

/* Writes the words of the row, and those that follow from other tables, separated by blanks. */
void verb_write_words(FILE *out, const Verb *verb);

/* Bits of FileUse: files that can be operands, of VERB_JOB those of a job; 0: none. */
unsigned verb_files(const Verb *verb);

struct Flag;
bool verb_accepts(const Verb *verb, const struct Flag *flag);

/* The texts about a verb, in text/verbs.txt the paragraphs of its section. */
typedef struct VerbText {
    const char *synopsis;    /* "JOB [--set KEY=VALUE]..." */
    const char *summary;     /* a phrase without a full stop */
    const char *description; /* paragraphs, each of which ends with a newline; may be empty */
    const char *examples;    /* lines of text/examples.txt, each begins with two blanks; or "" */
} VerbText;

VerbText verb_text(const Verb *verb, Arena *arena);

/* verbs_render.c */
VerbFunction verb_render, verb_join, verb_preview, verb_bake, verb_demo;
/* verbs_inspect.c */
VerbFunction verb_check, verb_pose, verb_plot, verb_plan, verb_status, verb_verify, verb_compare;
/* verbs_info.c, verbs_report.c, verbs_export.c */
VerbFunction verb_info, verb_report, verb_export, verb_job, verb_convert;
/* verbs_clean.c, and what it prints as JSON */
VerbFunction verb_clean;
extern const ResultTable clean_result;
/* verbs_init.c; verb_write_job prints the job of a session in a short form, with comments. */
VerbFunction verb_init;
void verb_write_job(Session *session);
/* verbs_dispatch.c */
VerbFunction verb_batch, verb_submit;
/* verbs_serve.c */
VerbFunction verb_serve;
/* verbs_help.c */
VerbFunction verb_help, verb_schema, verb_completion, verb_doctor, verb_version;
