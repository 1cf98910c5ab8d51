// SPDX-License-Identifier: MIT
/*
 * checkpoint_report.h - report.json of a checkpoint directory: the files of a finished film
 *
 * {"format":"odori-report","version":3,"name":"...","digest":"...","tags_digest":"...","frames":N,
 *  "outputs":[{"file":"out/dance.mp4","bytes":1,"sha256":"..."},
 *             {"file":"out/%05d.png","frames":2,"bytes":1}],
 *  "previews_digest":"...","previews":[{"file":"...","bytes":1,"sha256":"..."}],
 *  "credits":[...],"versions":{...}}
 */
#pragma once

#include <signal.h>

#include "base/arena.h"
#include "base/diag.h"
#include "film/film_types.h"
#include "run/checkpoint/file_record.h"
#include "run/checkpoint/fingerprint.h"

typedef struct CheckpointReport {
    Digest digest, previews_digest;
    FileRecordList outputs, previews; /* all stills of an output are one record */
    bool same_tags;                   /* the name and the credits are those of the job */
} CheckpointReport;

/* Digest of the name and of the metadata that are written into video files. */
Digest checkpoint_tags_digest(const Job *job);

/* False if there is no report, or, with a warning, none that can be read. */
bool checkpoint_report_load(CheckpointReport *report, const char *directory, const Film *film,
                            Arena *arena, Diag *diag);

/* Computes the digests of outputs and previews and writes the report.  `stills` has an entry per
 * output, which is used for outputs in stills. */
bool checkpoint_report_save(const char *directory, const Film *film, const Fingerprint *fingerprint,
                            const FileRecord *stills, const volatile sig_atomic_t *stop,
                            Diag *diag);
