// SPDX-License-Identifier: MIT
/*
 * job.h - the contents of a job file: what to load, how to render it, where to write it
 *
 * Plain values in the units of the file; job/keys/ declares every key: its type, its default, which
 * "null" makes NULL or NaN, and its help.  A choice is an int, an index in the list of its words;
 * the word "auto" of an integer is the number in AUTO().  Angles are in degrees
 * (_deg), times in seconds (_s) or in motion frames (30 per second).  Everything, including texts,
 * is in the arena of job_load.  Paths in a job file are relative to it; here they are paths that
 * can be opened, NULL if there is none.  Read-only after job_load, so threads may share it.
 */
#pragma once

#include <signal.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "job/host_limits.h"
#include "output/video_options.h"
#include "picture/look/look_options.h"
#include "picture/picture_options.h"
#include "record/values.h"
#include "render/render_options.h"
#include "sandbox/sandbox.h"
#include "scene/cloth/cloth_options.h"
#include "scene/scene_options.h"

#define FONT_AUTO "auto" /* fonts of this machine */

/* The largest number of outputs of a job; arrays with an entry per output have this length. */
enum { JOB_MAX_OUTPUTS = 16 };

/* The structs of all sections, from their keys. */
#include "job/keys/all.inc"

typedef struct JobFlag { /* a command line flag that sets a key */
    const char *name;    /* "--workers", for messages */
    const char *set;     /* "render.workers=4" */
} JobFlag;

/* Reads files of other programs as the text of a job. */
typedef struct JobConverter {
    bool (*matches)(const char *path);
    bool (*convert)(Bytes *text, void *user, const char *path, Arena *arena, Diag *diag);
    void *user;
} JobConverter;

/* The sources of a job: a job file, or the files of a command line; and what overrides it. */
typedef struct JobSource {
    const char *path;         /* the job file, "-" for standard input; NULL: `files` */
    const char *const *files; /* models, each followed by its motions; a camera motion; a sound */
    size_t file_count;

    const char *preset, *preset_file; /* applied before layers (preset.h): its name, NULL for none;
                                       * its file, NULL for one of the program */
    const struct YamlNode *const *layers; /* maps of dotted keys, applied before `sets` */
    size_t layer_count;
    const char *const *sets; /* "dotted.key=value" with a YAML value: "render.size=[640,360]" */
    size_t set_count;
    const JobFlag *flags; /* applied after all sets */
    size_t flag_count;
    const char *output; /* replaces all outputs; relative to the current directory; or NULL */
    const char *output_format;         /* its format, or NULL: by its extension */
    const JobConverter *converter;     /* converter of files at `path`; or NULL */
    bool needs_output;                 /* false: a job without outputs is valid (pose, check) */
    bool checks_files;                 /* missing files are reported beside wrong values */
    const HostLimits *host;            /* NULL: the defaults */
    const volatile sig_atomic_t *stop; /* polled by long loops that load or evaluate; or NULL */
    const Bytes *text; /* what standard input contained, if `path` is "-"; NULL: it is read */
    bool takes_first; /* of several cameras, sounds and subtitles in `files` the first one counts */
    bool compares_looks; /* a scene for each look (look_preset.h) */
    bool names_only;     /* for the names of its files: none of them is opened, so that an archive
                          * stands for the file in it, and each motion is one of a model */
} JobSource;

/* The name of a job from standard input in messages. */
#define JOB_STDIN_NAME "<stdin>"

/* The name of the source in messages. */
const char *job_source_name(const JobSource *source);

/* Reads what a source with the path "-" needs as its text.  Errors: DIAG_IO, DIAG_DATA. */
bool job_read_standard_input(Bytes *text, Arena *arena, Diag *diag);

/*
 * Reads and checks a job and fills in defaults.  Reports up to 20 errors, each with
 * file:line:column.
 * Errors: DIAG_JOB; DIAG_MISSING when a file cannot be read; DIAG_USAGE for files of an unknown
 * kind.
 */
bool job_load(Job *job, const JobSource *source, Arena *arena, Diag *diag);

/* The node of a dotted key in the tree of a job; if the tree does not have it, that of the section
 * or list around it. */
const struct YamlNode *job_find(const struct YamlNode *root, const char *key, bool *found,
                                Arena *arena);

/*
 * The location of a dotted key, such as "models.0.motions.1.file"; if the job does not set it, that
 * of the section or list around it.  `name` is appended as one more word that may contain dots,
 * such as the name of a morph, which is then the location; NULL: none.  The location is in the
 * arena.
 *
 * returns  NULL if the job has no text: files of a command line, or a job made by the program
 */
const DiagLocation *job_location(const Job *job, const char *key, const char *name, Arena *arena);

/* The camera in a word or two: the name of its file, "fixed", "path" or "follows the models". */
const char *job_camera_text(const CameraSpec *camera);

/* The font file that burn_in names; NULL if there is none or the font is installed. */
const char *job_burn_in_font(const Job *job);

/* The same for the subtitles. */
const char *job_subtitle_font(const Job *job);

/* Whether fonts are chosen among those of this machine. */
bool job_uses_installed_fonts(const Job *job);

/* True unless the name is that of a model, motion or sound: a job file (.yaml, .yml, .json). */
bool job_is_job_name(const char *path);

/* True for a name that ends in .yaml, .yml or .json. */
bool job_has_job_extension(const char *path);
