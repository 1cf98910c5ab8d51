// SPDX-License-Identifier: MIT
#include "film/film.h"

#include <inttypes.h>
#include <math.h>

#include "base/cpu_quota.h"
#include "base/file.h"
#include "base/text.h"
#include "base/units.h"
#include "evaluate/frame.h"
#include "film/burn_in.h"
#include "film/credits.h"
#include "film/depth_range.h"
#include "film/file_contents.h"
#include "film/film_images.h"
#include "film/film_layers.h"
#include "film/film_scenes.h"
#include "film/film_sound.h"
#include "film/follow_load.h"
#include "film/frame_ranges.h"
#include "film/output_keys.h"
#include "film/overlays.h"
#include "film/path_conflicts.h"
#include "film/preview_plan.h"
#include "film/sub_frames.h"
#include "film/subtitle_load.h"
#include "job/job_scene.h"
#include "job/job_scenes.h"
#include "job/job_visit.h"
#include "media/picture.h"
#include "media/sound.h"
#include "media/video_source.h"
#include "picture/look/focus.h"
#include "picture/look/look.h"
#include "picture/passes/pass_painter.h"
#include "render/geometry_image.h"
#include "scene/texture_pixels.h"

/* Constant, because the output of an encoder depends on its number of threads.  With four, x264
 * "medium" is faster than rendering. */
enum { ENCODER_THREADS = 4 };

enum { MAX_IDLE_FRAMES = 3600 * MOTION_FPS }; /* an hour of the motion */

double film_time(const Job *job, int64_t frame)
{
    const Rational fps = job->render.fps;
    return (double)(frame * MOTION_FPS * fps.den) / (double)fps.num;
}

int64_t film_frame_count(const FrameRanges *frames)
{
    int64_t count = 0;
    for (size_t i = 0; i < frames->count; i++)
        count += frames->items[i].last - frames->items[i].first + 1;
    return count;
}

int64_t film_last_frame(const Job *job, double last_motion_frame)
{
    const Rational fps = job->render.fps;
    const double last = floor(last_motion_frame * fps.num / ((double)MOTION_FPS * fps.den));
    return last > OUTPUT_FRAME_MAX ? OUTPUT_FRAME_MAX : last > 0 ? (int64_t)last : 0;
}

/* The ranges of a job; without an end: up to the last frame. */
static FrameRanges frames_of(const FrameRanges *wanted, int64_t end, Arena *arena)
{
    static FrameRange whole = {0, FRAME_RANGE_END};
    const FrameRanges given = wanted->count ? *wanted : (FrameRanges){&whole, 1};
    FrameRanges frames = {arena_copy(arena, given.items, given.count * sizeof *given.items),
                          given.count};
    FrameRange *last = &frames.items[frames.count - 1];
    if (last->last == FRAME_RANGE_END)
        last->last = end > last->first ? end : last->first;
    return frames;
}

int64_t film_history_begin(const Job *job, int64_t frame)
{
    const int64_t length = job->effects.history;
    const int64_t block = length > 0 ? frame / length : 0;
    return !length ? frame : block > 0 ? (block - 1) * length : 0;
}

/* The frames that must be evaluated for `frames`: with those before. */
static FrameRanges drawn_frames(const Job *job, FrameRanges frames, Arena *arena)
{
    if (!job->effects.history)
        return frames;
    const FrameRange all = {film_history_begin(job, frames.items[0].first),
                            frames.items[frames.count - 1].last};
    return (FrameRanges){arena_copy(arena, &all, sizeof all), 1};
}

/* Warns about frames after the last motion.  A typing error would cost the simulation of all frames
 * before them.  The last motion frame lasts until the next one would begin. */
static void warn_frames_after_end(const FilmScene *scene, const FrameRanges *frames,
                                  const char *key, Arena *arena, Diag *diag)
{
    const Job *job = scene->job;
    const double last_motion_frame = scene->scene.last_frame;
    const int64_t last = film_last_frame(job, last_motion_frame);
    const int64_t end = film_last_frame(job, last_motion_frame + 1);
    int64_t after = 0;
    if (!last)
        return;
    for (size_t i = 0; i < frames->count; i++) {
        const FrameRange r = frames->items[i];
        if (r.last > end)
            after += r.last - (r.first > end ? r.first - 1 : end);
    }
    if (after)
        diag_warn_at(diag, job_location(job, key, NULL, arena), WARN_PAST_END,
                     "%" PRId64 " of %" PRId64 " frames are after the end of all motions, which "
                     "is frame %" PRId64 " (motion frame %.10g)",
                     after, film_frame_count(frames), last, last_motion_frame);
}

/* ---- frame indices, segments, shards ---- */

int64_t film_frame_at(const Film *film, int64_t index)
{
    return frame_ranges_at(&film->frames, index);
}

int64_t film_index_of(const Film *film, int64_t frame)
{
    return frame_ranges_find(&film->frames, frame);
}

double film_preroll_s(const Film *film, size_t scene)
{
    const double given = film->scenes[scene].job->physics.preroll_s;
    return isnan(given) ? film->preroll_s : given;
}

double film_start(const Film *film, size_t scene, int64_t frame)
{
    const FilmScene *s = &film->scenes[scene];
    const double preroll_s = film_preroll_s(film, scene);
    const double gap = fmax(2, preroll_s * s->job->render.fps.num / s->job->render.fps.den);
    const FrameRanges *ranges = &film->simulated;
    const int64_t of_film = frame - s->first + s->start;
    if (!(preroll_s > 0) || !ranges->count)
        return 0;
    int64_t first = ranges->items[0].first;
    for (size_t i = 1; i < ranges->count && ranges->items[i - 1].last < of_film; i++)
        if ((double)(ranges->items[i].first - ranges->items[i - 1].last) > gap)
            first = ranges->items[i].first;
    first = film_history_begin(film->job, first);
    const int64_t own = (first > s->start ? first : s->start) - s->start + s->first;
    return fmax(0, floor(film_time(s->job, own) - preroll_s * MOTION_FPS));
}

double film_simulated_frames(const Film *film, size_t scene, const FrameRanges *frames)
{
    const Job *job = film->scenes[scene].job;
    double count = 0;
    int64_t from = 0;
    for (size_t i = 0; i < frames->count; i++) {
        FrameRange own;
        if (!film_scene_range(&own, film, scene, frames->items[i]))
            continue;
        const int64_t start = film_last_frame(job, film_start(film, scene, own.first));
        count += (double)(own.last + 1 - (start > from ? start : from));
        from = own.last + 1;
    }
    return count;
}

void film_limit_evaluator(Evaluator *evaluator, const Job *job, const volatile sig_atomic_t *stop)
{
    evaluator_set_limits(evaluator, stop, job->limits.frame_timeout_s, job->limits.frame_origin);
}

Evaluator *film_evaluator(const Scene *scene, const Job *job, const volatile sig_atomic_t *stop)
{
    Evaluator *evaluator = evaluator_create(scene);
    film_limit_evaluator(evaluator, job, stop);
    return evaluator;
}

bool film_check_motion_frame(const Scene *scene, double frame, Diag *diag)
{
    return frame <= scene->last_frame + MAX_IDLE_FRAMES ||
           diag_fail(diag, DIAG_USAGE,
                     "--frames: frame %.10g is more than an hour after the last key, frame %.10g",
                     frame, scene->last_frame);
}

int64_t film_segment_count(const Film *film)
{
    return (film->frame_count + film->segment_frames - 1) / film->segment_frames;
}

FilmSpan film_segment(const Film *film, int64_t segment)
{
    const int64_t first = segment * film->segment_frames, end = first + film->segment_frames;
    return (FilmSpan){first, end < film->frame_count ? end : film->frame_count};
}

FilmSpan film_shard_segments(const Film *film, FilmShard shard)
{
    const int64_t segments = shard.count ? film_segment_count(film) : 0;
    if (!segments)
        return (FilmSpan){0, 0};
    return (FilmSpan){segments * (shard.index - 1) / shard.count,
                      segments * shard.index / shard.count};
}

FilmSpan film_shard_span(const Film *film, FilmShard shard)
{
    const FilmSpan segments = film_shard_segments(film, shard);
    const int64_t end = segments.end * film->segment_frames;
    return (FilmSpan){segments.first * film->segment_frames,
                      end < film->frame_count ? end : film->frame_count};
}

/* A multiple of the GOP length, at least 30 frames because each segment starts an encoder; 1 if no
 * output is written in segments. */
static int64_t segment_frames(const Film *film)
{
    for (size_t i = 0; i < film->output_count; i++)
        if (film->outputs[i].kind && film->outputs[i].kind->segments) {
            const int gop = sink_gop(&film->outputs[i].options);
            return (int64_t)gop * ((30 + gop - 1) / gop);
        }
    return 1;
}

/* Pixels and vertices of the frames; a process draws about as many of one kind as of the other in a
 * second. */
static double drawing_work(const Film *film, int64_t frames)
{
    const double pixels = (double)film->render.width * film->render.height;
    const double vertices = (double)film->scenes[film->scene_count - 1].scene.vertices;
    return (double)frames * sub_frames_samples(film->job) * (pixels + vertices);
}

int film_workers(const Film *film, int64_t frames, const char **source)
{
    /* A process starts, with a context and shaders of its own, in the time of so much drawing. */
    const double start = 1 << 19;
    const Job *job = film->job;
    const Limit *limit = &job->host.workers;
    const double useful = ceil(drawing_work(film, frames) / start);
    int workers = job->render.workers;
    *source = NULL;
    if (job->effects.history)
        return job->effects.history > 0 ? 2 : 1;
    if (workers <= 0) {
        workers = cpu_quota_cores_and_source(source);
        if (useful < workers) {
            *source = "length and size of the film";
            workers = useful < 1 ? 1 : (int)useful;
        }
    }
    return limit_exceeded(limit, workers) ? (int)limit->max : workers;
}

/* The memory that shared textures save, with mip levels, must be worth compiling all
 * shaders: the process that forks them cannot use Mesa's cache.  A process of its own has the
 * textures of one scene, in a transition of two; those that share have the textures of all. */
bool film_shares_renderer(const Film *film, int workers)
{
    const uint64_t min = (uint64_t)32 << 20;
    uint64_t sum = 0, largest = 0, before = 0;
    for (size_t i = 0; i < film->scene_count; i++) {
        const uint64_t size = texture_pixels_size(&film->scenes[i].scene) / 3 * 4;
        const uint64_t open = size + (film_overlap(film, i) ? before : 0);
        largest = open > largest ? open : largest;
        sum += size;
        before = size;
    }
    return workers > 1 && largest * (uint64_t)workers >= sum + min;
}

bool film_output_has_frame(const FilmOutput *output, int64_t frame)
{
    return !output->frames.count || frame_ranges_find(&output->frames, frame) >= 0;
}

/* ---- background ---- */

VideoSourceSpec film_video_source(const Film *film, const FilmScene *scene)
{
    const BackgroundOptions *b = &scene->job->background;
    return (VideoSourceSpec){.file = b->video,
                             .width = film->render.width,
                             .height = film->render.height,
                             .fit = b->fit,
                             .loop = b->video_loop};
}

double film_video_time_s(const FilmScene *scene, int64_t frame)
{
    const Rational fps = scene->job->render.fps;
    return (double)(frame * fps.den) / (double)fps.num - scene->job->background.video_offset_s;
}

/* ---- outputs ---- */

/* Applies outputs.N.alpha, which only videos have. */
static bool pack_alpha(FilmOutput *out, const Film *film, size_t index, Arena *arena, Diag *diag)
{
    const char *key = arena_printf(arena, "outputs.%zu.alpha", index);
    SinkOptions *options = &out->options;
    if (film->job->outputs[index].alpha != ALPHA_SIDE_BY_SIDE || !sink_is_video(out->kind))
        return true;
    if (!options->alpha)
        return diag_fail_at(diag, job_location(film->job, key, NULL, arena), DIAG_JOB,
                            "'%s': side-by-side needs the picture with background: { alpha: true }",
                            options->file);
    out->packed_alpha = true;
    options->alpha = false;
    options->width *= 2;
    return true;
}

static bool load_outputs(Film *film, Arena *arena, Diag *diag)
{
    const Job *job = film->job;
    SinkSound sound = {0};
    bool ok = job_check_files(job, STAGE_ENCODING, arena, diag);
    if (ok && film_needs_sound(film))
        ok = film_load_sound(&sound, film, arena, diag);
    SinkContents contents = {0};
    ok &= film_load_contents(&contents, film, arena, diag);

    ok &= output_keys_check(job, arena, diag);
    film->passes.label_scale = film_label_scale(&film->render);
    film->passes.label_size =
        geometry_label_size(film_labels_before(film, film->scene_count).materials);
    film->outputs = arena_array(arena, FilmOutput, job->output_count);
    film->output_count = job->output_count;
    for (size_t i = 0; i < job->output_count; i++) {
        const JobOutput *o = &job->outputs[i];
        FilmOutput *out = &film->outputs[i];
        const bool picture = o->pass == PASS_BEAUTY;
        contents.sound = picture ? sound : (SinkSound){0};
        const char *key = arena_printf(arena, "outputs.%zu", i);
        diag_place(diag, job_location(job, key, NULL, arena));
        out->kind = sink_find(o->file, o->format, diag);
        out->options = (SinkOptions){
            .file = o->file,
            .format = o->format,
            .width = job->render.size[0],
            .height = job->render.size[1],
            .fps_num = job->render.fps.num,
            .fps_den = job->render.fps.den,
            .alpha = job->background.alpha && picture,
            .first_frame = film->frames.items[0].first,
            .frame_count = film->frame_count,
            .video = o->video,
            .contents = contents,
            .threads = ENCODER_THREADS,
        };
        if (out->kind && pack_alpha(out, film, i, arena, diag))
            out->kind = sink_with_rate(out->kind, &out->options, diag);
        else
            out->kind = NULL;
        if (!out->kind) {
            ok = false;
            continue;
        }
        film->ordered |= out->kind->ordered;
        if (!film_layers_load(out, film, i, arena, diag)) {
            ok = false;
            continue;
        }
        out->options.pixels = pass_format(out->pass);
        if (out->kind->check)
            ok &= out->kind->check(&out->options, diag);
        out->options.checked = true;
    }
    diag_place(diag, NULL);
    film->segment_frames = segment_frames(film);
    film->passes.keypoints = (KeypointFormat)job->passes.keypoints;
    film->passes.aliases = film_bone_aliases(&film->passes.alias_count, job, arena);
    film_choose_images(film);
    return ok;
}

/* ---- background and render options ---- */

/* Opens the video to check it; each worker opens it again. */
static bool check_video(const Film *film, const FilmScene *scene, Diag *diag)
{
    const VideoSourceSpec spec = film_video_source(film, scene);
    if (!spec.file)
        return true;
    VideoSource *source = video_source_open(&spec, diag);
    video_source_close(source);
    diag_file(diag, NULL);
    return source != NULL;
}

/* A background image counts as a texture, before it is decoded. */
static bool check_background_size(const FilmScene *scene, Bytes bytes, Diag *diag)
{
    int64_t width, height;
    if (!picture_size(&width, &height, bytes))
        return true;
    const double sum = (double)scene->scene.texture_bytes + 4.0 * (double)width * (double)height;
    return limit_check(&scene->job->host.scene.textures, ceil(sum / (1 << 20)), " MiB", diag);
}

static bool load_background(const Film *film, FilmScene *scene, Arena *arena, Diag *diag)
{
    const char *file = scene->job->background.image;
    if (!file)
        return check_video(film, scene, diag);
    Image *image = arena_array(arena, Image, 1);
    Arena *bytes_arena = arena_create();
    Bytes bytes;
    diag_file(diag, file);
    const bool ok = file_load(&bytes, file, FILE_MAX_SIZE, bytes_arena, diag) &&
                    check_background_size(scene, bytes, diag) &&
                    picture_load(image, bytes, arena, diag);
    diag_file(diag, NULL);
    arena_destroy(bytes_arena);
    scene->render.background_image = image;
    return ok;
}

static RenderOptions render_options(const Job *job)
{
    const BackgroundOptions *b = &job->background;
    RenderOptions options = {
        .backend = {(GlBackend)job->render.gl, job->render.device + 1},
        .width = job->render.size[0],
        .height = job->render.size[1],
        .panorama = job_panorama(&job->camera),
        .samples = job->render.samples,
        .supersample = job->render.supersample,
        .anisotropy = job->render.anisotropy,
        .background = {(float)b->color[0], (float)b->color[1], (float)b->color[2],
                       b->alpha ? 0.0f : 1.0f},
        .alpha = b->alpha,
        .background_fit = b->fit,
        .split_transparency = job->render.transparency == TRANSPARENCY_SPLIT,
        .ground_shadow = job->shadows.ground,
        .ground_height = (float)job->shadows.ground_height,
        .ground_brightness = (float)job->shadows.ground_brightness,
        .ground_opacity = (float)job->shadows.ground_opacity,
        .shadow_map = job->shadows.self ? job->shadows.map_size : 0,
        .shadow_soft = (float)job->shadows.soft,
        .edges = job->render.edges,
        .frame_s = (double)job->render.fps.den / job->render.fps.num,
        .shader_dir = job->render.shader_dir,
    };
    const LookOptions *look = &job->look;
    if (look->ground_shadow)
        options.ground_light =
            (GroundLightOptions){.soft = true, .angle = look->ground_shadow->angle};
    if (look->glow)
        options.emission = (EmissionOptions){look->glow->materials, look->glow->material_count};
    if (look->mirror)
        options.mirror = *look->mirror;
    return options;
}

/* By default the first model is in focus; stages come before it. */
static bool find_focus(FilmScene *scene, Arena *arena, Diag *diag)
{
    const Job *job = scene->job;
    return !job->look.focus ||
           focus_find(&scene->look, &scene->scene, (uint32_t)job->stage_count,
                      sub_frames_samples(job), job_location(job, "look.focus.bone", NULL, arena),
                      arena, diag);
}

/* Effects of models know one view: their axes, their projection, their targets. */
static bool check_effects(const FilmScene *s, Arena *arena, Diag *diag)
{
    if (s->render.panorama.projection == PROJECTION_PERSPECTIVE || !s->scene.effects.draws)
        return true;
    diag_place(diag, job_location(s->job, "camera.projection", NULL, arena));
    diag_fail(diag, DIAG_JOB,
              "effects of models (.fx) draw one flat view; give effects.mode: off to render "
              "without them");
    diag_place(diag, NULL);
    return false;
}

static bool is_stopped(const Job *job)
{
    return job->stop && *job->stop;
}

/* Of a job with scenes, frames of a scene may be after the end of its motions, and those of the
 * film after its last scene. */
static void warn_frames(const Film *film, Arena *arena, Diag *diag)
{
    const Job *job = film->job;
    const int64_t end = film_end(film), last = film->frames.items[film->frames.count - 1].last;
    if (!job->scene_count)
        warn_frames_after_end(&film->scenes[0], &film->frames, "render.frames", arena, diag);
    for (size_t i = 0; i < job->scene_count; i++) {
        const FilmScene *s = &film->scenes[i];
        FrameRange own = {s->first, s->first + s->count - 1};
        warn_frames_after_end(s, &(FrameRanges){&own, 1}, "frames", arena, diag);
    }
    if (job->scene_count && last > end)
        diag_warn_at(diag, job_location(job, "render.frames", NULL, arena), WARN_PAST_END,
                     "the last scene ends at frame %" PRId64 ", before frame %" PRId64, end, last);
}

/* Finds the frames of the film, whose scenes are loaded. */
static void choose_frames(Film *film, Arena *arena)
{
    const Job *job = film->job;
    film->frames = frames_of(&job->render.frames, film_end(film), arena);
    film->drawn = film->simulated = drawn_frames(job, film->frames, arena);
    film->frame_count = film_frame_count(&film->frames);
    const int64_t first = film->frames.items[0].first;
    const int64_t last = film->frames.items[film->frames.count - 1].last;
    film->credits.end = last + 1;
    film->fade = job->scene_count ? (FrameRange){0, film_end(film)} : (FrameRange){first, last};
}

/* Loads the scenes and finds the frames of the film.  *usable is set if further problems can be
 * looked for after an error. */
static bool load_scenes(Film *film, const Job *job, bool textures, Arena *arena, bool *usable,
                        Diag *diag)
{
    bool ok = true;
    DiagOnce once = {.count = 0}; /* scenes have assets in common, and values of the top level */
    *usable = false;
    *film = (Film){.job = job,
                   .scenes = arena_array(arena, FilmScene, job_scene_count(job)),
                   .scene_count = job_scene_count(job),
                   .render = render_options(job),
                   .segment_frames = 1};
    DiagOnce *outer = diag->once;
    if (job->scene_count && !outer)
        diag->once = &once;
    for (size_t i = 0; i < film->scene_count && !is_stopped(job); i++) {
        FilmScene *s = &film->scenes[i];
        film_begin_scene(film, i, arena);
        s->render = render_options(s->job);
        SceneSpec spec = job_scene_spec(s->job, textures, arena);
        spec.vertices_before = i ? s[-1].scene.vertices : 0;
        ok &= scene_load(&s->scene, &spec, arena, diag);
        ok = ok && film_end_scene(film, i, arena, diag);
        if (ok && !film_keeps_pixels(film, i))
            texture_pixels_discard(&s->scene);
    }
    diag->once = outer;
    diag_file(diag, NULL);
    choose_frames(film, arena);
    ok &= host_limits_check_frames(&job->host, (double)film->frame_count, diag);
    *usable = !is_stopped(job) && !limit_exceeded(&job->host.frames, (double)film->frame_count);
    return ok && *usable;
}

bool film_load_scenes(Film *film, const Job *job, Arena *arena, Diag *diag)
{
    bool usable;
    if (!load_scenes(film, job, false, arena, &usable, diag))
        return false;
    for (size_t i = 0; i < film->scene_count; i++)
        reframe_load(&film->scenes[i].scene, film->scenes[i].job, arena);
    return true;
}

static bool load(Film *film, const Job *job, bool with_outputs, Arena *arena, Diag *diag)
{
    bool usable, ok = load_scenes(film, job, true, arena, &usable, diag);
    if (!usable)
        return false;

    if (ok)
        warn_frames(film, arena, diag);
    if (job_check_files(job, STAGE_PICTURE, arena, diag)) {
        for (size_t i = 0; i < film->scene_count; i++) {
            ok &= load_background(film, &film->scenes[i], arena, diag);
            FilmScene *scene = &film->scenes[i];
            scene->look = scene->job->look;
            ok &= look_load(&scene->look, &scene->scene, arena, diag);
            ok &= check_effects(&film->scenes[i], arena, diag);
        }
        ok &= burn_in_load(film, arena, diag);
        ok &= credits_load(film, arena, diag);
        ok &= subtitle_load(film, arena, diag);
        ok &= overlays_load(film, arena, diag);
    } else {
        ok = false;
    }
    ok &= preview_plan(film, arena, diag);
    if (is_stopped(job))
        return false;
    if (with_outputs)
        ok &= load_outputs(film, arena, diag);

    /* The following camera comes late, because it may read the sound, whose errors the outputs
     * report. */
    ok &= !diag->errors;
    for (size_t i = 0; ok && i < film->scene_count; i++)
        ok = follow_load(&film->scenes[i].scene, film->scenes[i].job, arena, diag) &&
             find_focus(&film->scenes[i], arena, diag);
    return ok && depth_range_load(film, arena, diag) && path_conflicts_check_film(film, diag);
}

bool film_load(Film *film, const Job *job, Arena *arena, Diag *diag)
{
    return load(film, job, true, arena, diag);
}

bool film_load_previews(Film *film, const Job *job, Arena *arena, Diag *diag)
{
    return load(film, job, false, arena, diag);
}

bool film_change(Film *film, const Job *job, FilmView view, Arena *arena, Diag *diag)
{
    FilmScene *scene = &film->scenes[0];
    film->job = scene->job = job;
    if (view & FILM_CAMERA)
        scene_change_camera(&scene->scene, &job->camera);
    if (view & FILM_LIGHT)
        scene_change_light(&scene->scene, &job->light);
    film->ordered = false;
    choose_frames(film, arena);
    if (!host_limits_check_frames(&job->host, (double)film->frame_count, diag))
        return false;
    warn_frames(film, arena, diag);
    return load_outputs(film, arena, diag) && !diag->errors &&
           (!(view & FILM_CAMERA) || follow_load(&scene->scene, job, arena, diag)) &&
           depth_range_load(film, arena, diag) && path_conflicts_check_film(film, diag);
}

int32_t film_find_model(const Scene *scene, const Job *job, const char *id, Arena *arena,
                        Diag *diag)
{
    if (!id)
        return (int32_t)job->stage_count; /* stages come first */
    const int32_t found = scene_find_model(scene, id);
    if (found >= 0)
        return found;

    const TextNames ids = TEXT_NAMES(SceneModel, id, scene->models, scene->model_count);
    diag_fail(diag, DIAG_USAGE, "no model has the id '%s'%s", id, text_suggestion(id, ids, arena));
    return -1;
}
