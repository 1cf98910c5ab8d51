// SPDX-License-Identifier: MIT
/*
 * host_limits.h - the limits file, by which a host bounds what any job may do and use
 *
 * A YAML file with a table of keys of its own (odori help limits).  Its values win over those of
 * the job: where both set a limit, the lower one applies.  `profile: untrusted` gives every key a
 * value that suits jobs of strangers; other keys of the file replace single values of the profile.
 */
#pragma once

#include <stdio.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/limit.h"
#include "record/options.h"
#include "scene/scene.h"

typedef enum HostProfile { HOST_PROFILE_NONE, HOST_PROFILE_UNTRUSTED } HostProfile;
typedef enum HostPaths { HOST_PATHS_ANY, HOST_PATHS_JOB_DIRECTORY } HostPaths;

typedef struct HostLimits {
    const char
        *title;  /* what is in force: "none", "profile untrusted", "FILE, profile untrusted" */
    int profile; /* HostProfile */
    int paths;   /* HostPaths */
    const char *paths_source;
    SceneLimits scene;
#define LIMIT(key, initial, untrusted, measure, text) Limit key;
#define SCENE_LIMIT(key, member, initial, untrusted, measure, text)
#include "job/keys/limits.inc"
} HostLimits;

extern const OptionTable option_limits;

/* The values of the profile untrusted, as a limits file. */
extern const char host_limits_untrusted[];

/* Whether a name is that of a file: it has a slash or a dot.  Others are profiles, whatever files
 * the working directory contains. */
bool host_limits_is_file(const char *name);

/*
 * Reads a limits file; the name of a profile is equivalent to a file with that profile only; NULL
 * or "" gives the defaults.  Strings are in the arena.  Reports all errors with file:line:column
 * (DIAG_JOB, DIAG_MISSING).
 */
bool host_limits_load(HostLimits *limits, const char *name, Arena *arena, Diag *diag);

struct Job;

/* Checks what a job alone shows (sizes, samples, models, explicit frames), and lowers its own
 * limits and its workers to those of the host. */
bool host_limits_apply(struct Job *job, Arena *arena, Diag *diag);

/* Checks the number of frames of a film, and the size of an image that it writes. */
bool host_limits_check_frames(const HostLimits *limits, double frames, Diag *diag);
bool host_limits_check_image(const HostLimits *limits, double width, double height, Diag *diag);
