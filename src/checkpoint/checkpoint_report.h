/*
 * checkpoint_report.h - report.json of a state folder: what was made, when all of it is there
 *
 * {"format":"odori-report","version":1,"name":"...","digest":"...","tags_digest":"...","frames":N,
 *  "outputs":[{"file":"out/dance.mp4","bytes":1,"sha256":"..."},
 *             {"file":"out/%05d.png","pictures":2,"bytes":1}],
 *  "previews_digest":"...","previews":[{"file":"...","bytes":1,"sha256":"..."}],
 *  "credits":[...],"versions":{...}}
 */
#ifndef CHECKPOINT_CHECKPOINT_REPORT_H
#define CHECKPOINT_CHECKPOINT_REPORT_H

#include <signal.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "film/film.h"
#include "checkpoint/fingerprint.h"

/* A file of the report, or pictures together. */
typedef struct ReportFile {
    uint64_t bytes;
    Digest digest;
    int64_t pictures; /* 0: one file, by its digest */
} ReportFile;

typedef struct ReportFiles {
    ReportFile *items;
    size_t count, capacity;
} ReportFiles;

typedef struct CheckpointReport {
    Digest digest, previews_digest;
    ReportFiles outputs, previews;
    bool same_tags; /* the name and the credits are this job's */
} CheckpointReport;

/* False when there is none, or (with a warning) none that can be used. */
bool checkpoint_report_load(CheckpointReport *report, const char *folder, const Film *film,
                            Arena *arena, Diag *diag);

/* Is a file what the report says?  Polls *stop (or NULL), and says no then. */
bool checkpoint_report_confirms(const ReportFile *entry, const char *file,
                                const volatile sig_atomic_t *stop);

/* Reads the outputs and previews and writes the report; `stills` has an entry for each output, of
 * which those with pictures count. */
bool checkpoint_report_save(const char *folder, const Film *film, const Fingerprint *identity,
                            const ReportFile *stills, const volatile sig_atomic_t *stop,
                            Diag *diag);

#endif
