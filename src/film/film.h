// SPDX-License-Identifier: MIT
/*
 * film.h - a job with all of its assets loaded, shared by all processes of a run
 *
 * Loaded once before any process is forked and constant from then on.  It is in the arena of
 * film_load.
 */
#pragma once

#include <signal.h>

#include "base/arena.h"
#include "base/diag.h"
#include "film/film_fonts.h"
#include "film/film_types.h"
#include "job/job.h"
#include "output/sink.h"
#include "picture/passes/pass_settings.h"
#include "render/render_options.h"
#include "scene/scene.h"
#include "typesetting/font.h"
#include "typesetting/subtitles.h"

struct FilmOutput {
    const SinkKind *kind;
    SinkOptions options;
    FrameRanges frames; /* frames that it writes; count 0: all frames of the film */
    Pass pass;          /* the first image that it writes */
    size_t image;       /* index of the film's image that it writes */
    bool packed_alpha;  /* it writes it packed, twice as wide (output/pixels/packed_alpha.h) */
    Pass layers[PASS_COUNT];
    size_t layer_images[PASS_COUNT], layer_count; /* 0: a file without layers */
};

/* An image that is drawn for each frame (film_images.h). */
typedef struct FilmImage {
    Pass pass;
    size_t offset; /* in the frame's slot, bytes */
} FilmImage;

/* A preview, rendered with options of its own. */
typedef struct FilmPreview {
    FilmOutput output;
    RenderOptions render;
    bool installed_font; /* for the labels of a sheet; it is read when the sheet is rendered */
} FilmPreview;

/* Who made the parts of the film (credits.h). */
typedef struct FilmCredits {
    const char **lines;
    size_t count;
    FontSources fonts; /* if they are shown */
    int64_t end;       /* output frame after the last one of the film, also for parts of it */
} FilmCredits;

/* One of the scenes that a film consists of; a job without scenes is one. */
struct FilmScene {
    const Job *job; /* the keys of the scene and, besides, those of the film */
    Scene scene;
    RenderOptions render; /* with the size of the film (film_scene_render) */
    LookOptions look;     /* that of the job, with what it names */
    int64_t start;        /* output frame of the film at which it begins */
    int64_t first, count; /* its own output frames that are shown */
};

struct Film {
    const Job *job;
    FilmScene *scenes;
    size_t scene_count; /* >= 1 */
    FrameRanges frames; /* ranges of output frames, in order, never empty */
    FrameRanges drawn;  /* these, and what effects.history needs */
    int64_t frame_count;
    FrameRanges simulated;         /* the frames that physics begins before (film_start) */
    double preroll_s;              /* physics.preroll_s of scenes that have none */
    RenderOptions render;          /* those options that all scenes have in common */
    ARENA_LIST(FilmFontUse) fonts; /* of all texts */
    FontSources font_files;        /* all that were read */
    FontSources burn_in_fonts;
    Subtitles subtitles; /* script NULL: none */
    FilmCredits credits;
    struct FilmOverlay *overlays; /* titles and pictures (overlays.h) */
    size_t overlay_count;
    uint64_t largest_picture; /* bytes, decoded */
    FrameRange fade;          /* the frames that job->fade is about: of the whole film, of a job
                               * without scenes those that it renders */
    FilmOutput *outputs;
    size_t output_count;
    FilmImage images[PASS_COUNT];
    size_t image_count, image_bytes; /* image_bytes: of all images of a frame and their parts */
    size_t parts_offset;             /* film_image_parts */
    PassSettings passes;
    bool ordered;           /* an output needs its frames in order */
    int64_t segment_frames; /* length of a segment; the last one may be shorter */
    FilmPreview *previews;
    size_t preview_count;
    struct WarmInputs *inputs;         /* digests of inputs that are known; or NULL */
    struct StateCache *states;         /* evaluated frames that are known; or NULL */
    const FileApproval *note_approval; /* for files beside outputs; or NULL */
    const char *record_directory;      /* where outputs record what they wrote; or NULL */
};

/* Opens every asset and checks every output.  Reports as many problems as possible before it
 * returns false. */
bool film_load(Film *film, const Job *job, Arena *arena, Diag *diag);

/* The same without outputs and sound, to render only previews. */
bool film_load_previews(Film *film, const Job *job, Arena *arena, Diag *diag);

/* What differs besides: bits. */
typedef enum FilmView { FILM_CAMERA = 1, FILM_LIGHT = 2 } FilmView;

/*
 * Makes a loaded film of one scene that of another job, whose keys are the same but for its frames,
 * its outputs, limits and those that scene_change_camera and scene_change_light are about, if
 * `view` says so.  The scene, what is shown over it and the addresses of both stay.
 */
bool film_change(Film *film, const Job *job, FilmView view, Arena *arena, Diag *diag);

/* Loads its scenes without textures, and its frames: for what evaluates, but draws nothing. */
bool film_load_scenes(Film *film, const Job *job, Arena *arena, Diag *diag);

/* True if an output writes an output frame. */
bool film_output_has_frame(const FilmOutput *output, int64_t frame);

/* The last output frame of motions that end at a motion frame. */
int64_t film_last_frame(const Job *job, double last_motion_frame);

int64_t film_frame_count(const FrameRanges *frames);

/*
 * A film is a sequence of frames.  The index of a frame, 0..frame_count - 1, differs from its
 * number if the job renders several ranges.  Segments do not depend on shards: segment s has the
 * frame indices from s * segment_frames on.  A shard is a span of segments; the lengths of shards
 * differ by at most one segment, and some shards are empty if there are more shards than segments.
 */
int64_t film_frame_at(const Film *film, int64_t index);
int64_t film_index_of(const Film *film, int64_t frame); /* -1: not in the film */
int64_t film_segment_count(const Film *film);
FilmSpan film_segment(const Film *film, int64_t segment);        /* frame indices */
FilmSpan film_shard_segments(const Film *film, FilmShard shard); /* segments */
FilmSpan film_shard_span(const Film *film, FilmShard shard);     /* frame indices */

/* Index in the scene of the model with an id; NULL: the first model that is not a stage.  -1 after
 * an error. */
int32_t film_find_model(const Scene *scene, const Job *job, const char *id, Arena *arena,
                        Diag *diag);

/* The motion frame of a scene at which physics begins for an own output frame of it: 0, or so long
 * before the first of the frames as physics.preroll_s says, where those that are nearer to each
 * other than that count as one range.  It depends on the job, not on shards. */
double film_start(const Film *film, size_t scene, int64_t frame);

/* physics.preroll_s of a scene; 0: physics begins at frame 0. */
double film_preroll_s(const Film *film, size_t scene);

/* How many frames of a scene are simulated for some frames of the film, in ascending order. */
double film_simulated_frames(const Film *film, size_t scene, const FrameRanges *frames);

/* An evaluator with the limits of a job.  stop: ends its evaluations; may be NULL. */
struct Evaluator *film_evaluator(const Scene *scene, const Job *job,
                                 const volatile sig_atomic_t *stop);
void film_limit_evaluator(struct Evaluator *evaluator, const Job *job,
                          const volatile sig_atomic_t *stop);

/* A motion frame of a flag: an error (DIAG_USAGE) if it is more than an hour after the last key of
 * the scene, because everything before it would be simulated. */
bool film_check_motion_frame(const Scene *scene, double frame, Diag *diag);

/* Motion time (30 per second) of an output frame.  It depends on integers only, so that it is equal
 * for every range of frames. */
double film_time(const Job *job, int64_t frame);

/* The background video of a scene (file NULL: none), and its time for an output frame of it. */
struct VideoSourceSpec film_video_source(const Film *film, const FilmScene *scene);
double film_video_time_s(const FilmScene *scene, int64_t frame);

/*
 * Number of processes that draw so many frames: render.workers, by default one per core
 * (cpu_quota_cores) but no more than save time; with effects.history one for each block of frames
 * that is drawn at a time: 1 or 2.
 *
 * source  where the default comes from; NULL: the job sets it
 */
int film_workers(const Film *film, int64_t frames, const char **source);

/*
 * effects.history: the first frame of those that are drawn, one after another, for the effects of a
 * frame; the frame itself without that key.  With a number of frames it is the begin of the block
 * of so many frames before that of the frame, so that it is the same for each shard.
 */
int64_t film_history_begin(const Job *job, int64_t frame);

/* Whether so many workers are forked from a process that has created the renderer, whose textures
 * and meshes they then share copy-on-write (run/pipeline/frame_loop.c). */
bool film_shares_renderer(const Film *film, int workers);
