/*
 * film.h - a job with all its assets loaded: what the frame loop and its processes share
 *
 * Made once in main before anything is forked; const from then on.  Lives in the arena of
 * film_load.
 */
#ifndef FILM_FILM_H
#define FILM_FILM_H

#include <stdbool.h>
#include <stdint.h>

#include "media/sound.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/image.h"
#include "media/video_source.h"
#include "job/job.h"
#include "output/sink.h"
#include "render/gl_probe.h"
#include "render/renderer.h"
#include "scene/scene.h"

typedef struct FilmOutput {
    const SinkKind *kind;
    SinkOptions options;
    JobFrames frames; /* the frames it takes; count 0: every one that is drawn */
} FilmOutput;

/* A small picture of the film, drawn as `render` says. */
typedef struct FilmPreview {
    FilmOutput output;
    RenderOptions render;
} FilmPreview;

typedef struct Film {
    const Job *job;
    Scene scene;
    JobFrames frames; /* ranges of output frames, in order, never empty */
    int64_t frame_count;
    RenderOptions render;
    Bytes burn_in_font; /* a file's; data NULL: none */
    FilmOutput *outputs;
    size_t output_count;
    bool ordered; /* one of them takes pictures in order */
    int64_t
        segment_frames; /* pictures of a piece, the last one's may be fewer; the unit of shards */
    FilmPreview *previews;
    size_t preview_count;
} Film;

/* A shard of a film: number `index` (from 1) of `count`; {1, 1} is all of it, {0, 0} nothing. */
typedef struct FilmShard {
    int index, count;
} FilmShard;

/* Consecutive things, first included, end not. */
typedef struct FilmSpan {
    int64_t first, end;
} FilmSpan;

/* Opens every asset and checks every output.  Tells every problem that it can before it returns
 * false. */
bool film_load(Film *film, const Job *job, Arena *arena, Diag *diag);

/* The same without outputs and sound, for who wants only the previews. */
bool film_load_previews(Film *film, const Job *job, Arena *arena, Diag *diag);

/* Which OpenGL will draw the film (render/gl_probe.h). */
bool film_probe_gl(GlProbe *probe, const Film *film, Diag *diag);

bool film_output_takes(const FilmOutput *output, int64_t frame);

/* Only which output frames the job draws; needs the scene's last frame when the job says "all". */
JobFrames film_frames(const Job *job, double last_frame, Arena *arena);
int64_t film_frame_count(const JobFrames *frames);

/*
 * A film is a row of pictures; the place of a picture, 0..frame_count - 1, is not its frame number
 * when the job draws several ranges.  Pieces lie on a grid that begins at place 0 and does not
 * depend on shards: piece p holds the places from p * segment_frames on.  A shard is a run of
 * pieces; shards differ by one piece at most, and some are empty when there are more shards than
 * pieces.
 */
int64_t film_frame_at(const Film *film, int64_t place);
int64_t film_index_of(const Film *film, int64_t frame); /* -1: the job does not draw it */
int64_t film_segment_count(const Film *film);
FilmSpan film_segment(const Film *film, int64_t piece);          /* its places */
FilmSpan film_shard_segments(const Film *film, FilmShard shard); /* its pieces */
FilmSpan film_shard_span(const Film *film, FilmShard shard);     /* and their places */

/* Index in the scene of the model with an id, of the first that is no stage for NULL; -1 after an
 * error. */
int32_t film_find_model(const Scene *scene, const Job *job, const char *id, Arena *arena,
                        Diag *diag);

/* Motion time (30 a second) of an output frame, from integers alone: any range gives the same
 * value. */
double film_time(const Job *job, int64_t frame);

/* The video behind the film's pictures, file NULL: none; and its moment for an output frame. */
VideoSourceSpec film_video_source(const Film *film);
double film_video_time_s(const Film *film, int64_t frame);

/* Cores that this process may use: SLURM_CPUS_PER_TASK, affinity mask, cgroup quota. */
int film_workers(const Job *job);

#endif
