// SPDX-License-Identifier: MIT
#include "inspect/resource_estimate.h"

#include <math.h>

#include "base/text.h"
#include "effect/effect.h"
#include "film/film_scenes.h"
#include "film/overlays.h"
#include "film/sub_frames.h"
#include "media/video_reader.h"
#include "output/codec.h"
#include "picture/look/look.h"
#include "render/effects/textures.h"
#include "render/panorama.h"
#include "scene/complexity.h"
#include "scene/texture_pixels.h"

/*
 * Measured on Debian 12 (Mesa 22.3, llvmpipe on LLVM 15) as the proportional set sizes of all
 * processes of a run, for scenes of one square to four models and frames of 64x36 to 3840x2160
 * pixels.  Constants are rounded up.
 */
enum {
    MIB = 1 << 20,
    MAIN_BASE = 44 * MIB,    /* the program, its libraries and the spawner */
    WORKER_BASE = 92 * MIB,  /* a GL context with its compiler and programs */
    CONTEXT_BASE = 24 * MIB, /* a further GL context with its programs */
    FORKED_BASE = 12 * MIB,  /* in a worker that shares a renderer: what it writes to */
    ENCODER_BASE = 28 * MIB,
    VERTEX_BYTES = 200, /* in a worker: rest position, skinned position, copies of the driver */
    INDEX_BYTES = 8,
    SAMPLE_BYTES = 12, /* color, depth and stencil */
    SHADOW_TEXEL_BYTES = 2,
    PASS_BYTES = 3 * MIB / 2, /* an effect's pass as a program of llvmpipe */
    VIDEO_FRAMES = 12,        /* held by the decoder of a background video */
    VIDEO_PIXEL_BYTES = 2,    /* 4:2:0, rounded up */
    LEDGER_BYTES = 160,       /* a line per frame */
    PAIR_BYTES = 4800,        /* contacts of a pair of bodies that overlap */
    MIN_SHARD_FRAMES = 64,
    MIN_START_RATIO = 20, /* shortest time of a shard, relative to its start-up time */
    MAX_SHARDS = 1000
};

/* ---- memory ---- */

static uint64_t image_bytes(const RenderOptions *r)
{
    return (uint64_t)r->width * (uint64_t)r->height * 4;
}

/* What is drawn of a frame: of a panorama the faces of a cube. */
typedef struct DrawnViews {
    RenderOptions render; /* of each */
    uint64_t kept;        /* bytes */
    int count;
} DrawnViews;

static DrawnViews drawn_views(const RenderOptions *r)
{
    const Panorama panorama = panorama_of(&r->panorama, r->width, r->height);
    DrawnViews views = {.render = *r, .count = 1};
    int faces = 0;
    if (r->panorama.projection == PROJECTION_PERSPECTIVE)
        return views;
    for (int i = 0; i < PANORAMA_FACES; i++)
        faces += panorama.used[i];
    views.render.width = views.render.height = panorama.side;
    views.count = faces * panorama.eyes;
    views.kept = (uint64_t)faces * image_bytes(&views.render);
    return views;
}

/* Render targets and the background. */
static uint64_t surface_bytes(const RenderOptions *finished)
{
    const DrawnViews views = drawn_views(finished);
    const RenderOptions *r = &views.render;
    const uint64_t scale = (uint64_t)r->supersample;
    const uint64_t pixels = image_bytes(r) / 4 * scale * scale;
    const uint64_t samples = (uint64_t)r->samples;
    const uint64_t resolved = samples > 1 ? 4 * pixels : 0;
    const uint64_t background = image_bytes(r) * (r->background_image ? 2 : 1);
    const uint64_t shadow = (uint64_t)r->shadow_map * (uint64_t)r->shadow_map * SHADOW_TEXEL_BYTES;
    return pixels * samples * SAMPLE_BYTES + resolved + background + shadow + views.kept;
}

/* The kept picture of the stage (render/stage_layer.h). */
static uint64_t stage_bytes(const Scene *scene, const RenderOptions *r)
{
    const uint64_t scale = (uint64_t)r->supersample;
    for (size_t i = 0; i < scene->model_count; i++)
        if (scene->models[i].spec.stage && r->panorama.projection == PROJECTION_PERSPECTIVE)
            return image_bytes(r) + image_bytes(r) / 4 * scale * scale * SAMPLE_BYTES;
    return 0;
}

/* Textures with their mipmaps. */
static uint64_t texture_bytes(const Model *model, uint64_t *largest)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < model->pmx.texture_count; i++) {
        const Image *image = model->textures[i];
        const uint64_t bytes = image ? (uint64_t)image->width * (uint64_t)image->height * 4 : 0;
        sum += bytes + bytes / 3;
        *largest = bytes > *largest ? bytes : *largest;
    }
    return sum;
}

/* ---- effects ---- */

static bool is_target(const EffectParameter *p)
{
    static const char *const semantics[] = {"RENDERCOLORTARGET", "OFFSCREENRENDERTARGET",
                                            "RENDERDEPTHSTENCILTARGET"};
    return text_find_ignoring_case(TEXT_ARRAY(semantics), p->semantic) >= 0;
}

/* Programs and pictures of the effects that run; they exist once for all that share a renderer. */
static uint64_t effect_bytes(const SceneEffects *effects)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < effects->count; i++) {
        const Effect *effect = effects->items[i].effect;
        for (size_t t = 0; effect && t < effect->technique_count; t++)
            sum += effect->techniques[t].pass_count * PASS_BYTES;
        for (size_t k = 0; effect && k < effect->parameter_count; k++) {
            const TextureFile *picture = effects->items[i].pictures[k];
            sum += picture ? (uint64_t)picture->width * (uint64_t)picture->height *
                                 (uint64_t)picture->faces *
                                 (uint64_t)(picture->depth ? picture->depth : 1) *
                                 texture_file_pixel_size(picture->format) * 4 / 3
                           : 0;
        }
    }
    return sum;
}

/* The targets that effects which draw the frame declare. */
static uint64_t effect_target_bytes(const FilmScene *scene, const RenderOptions *r)
{
    const SceneEffects *effects = &scene->scene.effects;
    uint64_t sum = 0;
    for (size_t i = 0; i < effects->count; i++) {
        const Effect *effect = effects->items[i].effect;
        for (size_t k = 0; effect && k < effect->parameter_count; k++)
            if (is_target(&effect->parameters[k]))
                sum += fx_target_bytes(&effect->parameters[k], r->width, r->height);
    }
    return sum ? sum + 8 * (uint64_t)r->width * (uint64_t)r->height : 0;
}

/* True if an earlier entry of the scene has the same model. */
static bool is_shared(const Scene *scene, size_t number)
{
    for (size_t i = 0; i < number; i++)
        if (scene->models[i].model == scene->models[number].model)
            return true;
    return false;
}

/* Memory of the scene in the GL of a worker, or of all that share a renderer. */
static uint64_t scene_bytes(const Scene *scene)
{
    uint64_t sum = 0, largest = 0;
    for (size_t i = 0; i < scene->model_count; i++) {
        const Model *model = scene->models[i].model;
        sum += (uint64_t)model->pmx.vertex_count * VERTEX_BYTES;
        if (is_shared(scene, i))
            continue;
        sum += (uint64_t)model->pmx.index_count * INDEX_BYTES;
        if (model->textures)
            sum += texture_bytes(model, &largest);
    }
    return sum + largest + effect_bytes(&scene->effects); /* while its mipmaps are generated */
}

/* The frames of the decoder have the size of the video. */
static uint64_t video_bytes(const FilmScene *scene, const RenderOptions *r)
{
    const char *file = scene->job->background.video;
    Diag silent = diag_quiet();
    VideoReader *reader = file ? video_reader_open(file, 1, &silent) : NULL;
    if (!reader)
        return 0;
    const VideoInfo info = video_reader_info(reader);
    video_reader_close(reader);
    return (uint64_t)info.width * (uint64_t)info.height * VIDEO_FRAMES * VIDEO_PIXEL_BYTES +
           2 * image_bytes(r);
}

/* The sums of an average are 16 bytes for each pixel. */
static uint64_t look_bytes(const FilmScene *scene, const RenderOptions *r)
{
    const uint64_t sums = scene->job->look.accumulate ? 16 : 0;
    return (sums + look_pixel_bytes(&scene->look)) * image_bytes(r) / 4;
}

/* The copies and caches of libass. */
static uint64_t subtitle_bytes(const Film *film)
{
    uint64_t bytes =
        film->subtitles.script ? SUBTITLE_CACHE_BYTES + (uint64_t)film->subtitles.peak_bytes : 0;
    for (size_t i = 0; i < film->subtitles.fonts.count; i++)
        bytes += film->subtitles.fonts.items[i].bytes.size;
    for (size_t i = 0; i < film->subtitles.attached.count; i++)
        bytes += film->subtitles.attached.items[i].bytes.size;
    return bytes;
}

/* A worker writes to this memory of a scene, so that it is its own even if it shares renderers. */
static uint64_t scene_own_bytes(const Film *film, const FilmScene *scene)
{
    const RenderOptions r = film_scene_render(&film->render, scene);
    uint64_t surfaces = surface_bytes(&r) + stage_bytes(&scene->scene, &r);
    for (size_t i = 0; i < film->preview_count; i++) {
        const RenderOptions preview = film_scene_render(&film->previews[i].render, scene);
        const uint64_t other = surface_bytes(&preview) + stage_bytes(&scene->scene, &preview);
        surfaces = other > surfaces ? other : surfaces;
    }
    return surfaces + effect_target_bytes(scene, &r) + video_bytes(scene, &r) +
           frame_state_size(&scene->scene) + look_bytes(scene, &r);
}

/* The most that the scenes need which a worker has at the same time: one, or two in a transition.
 * gl: their textures and meshes, too, and their pixels while they are decoded. */
static uint64_t largest_scenes(const Film *film, bool gl)
{
    uint64_t largest = 0, before = 0;
    for (size_t i = 0; i < film->scene_count; i++) {
        const FilmScene *s = &film->scenes[i];
        uint64_t bytes = scene_own_bytes(film, s);
        if (gl)
            bytes += scene_bytes(&s->scene) +
                     (film_keeps_pixels(film, i) ? 0 : texture_pixels_size(&s->scene));
        if (i > 0)
            bytes += CONTEXT_BASE;
        const bool overlaps =
            film_overlap(film, i) > 0; /* the second image is mixed with the first */
        const uint64_t both = overlaps ? before + bytes + image_bytes(&film->render) : bytes;
        largest = both > largest ? both : largest;
        before = bytes;
    }
    return largest;
}

/* The renderers of all scenes. */
static uint64_t all_scenes(const Film *film)
{
    uint64_t sum = (film->scene_count - 1) * (uint64_t)CONTEXT_BASE;
    for (size_t i = 0; i < film->scene_count; i++)
        sum += scene_bytes(&film->scenes[i].scene);
    return sum;
}

static uint64_t encoder_bytes(const Film *film)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < film->output_count; i++)
        if (sink_is_video(film->outputs[i].kind))
            sum += codec_memory_estimate(&film->outputs[i].options);
    return film->ordered ? ENCODER_BASE + sum : 0;
}

MemoryEstimate estimate_memory(const Film *film, size_t loaded, int workers)
{
    const uint64_t slots = 2 * (uint64_t)workers + 2;
    const bool shares = film_shares_renderer(film, workers);
    uint64_t largest = 0, pairs = 0, passing = 0;
    for (size_t s = 0; s < film->scene_count; s++) {
        const Scene *scene = &film->scenes[s].scene;
        for (size_t i = 0; i < scene->model_count; i++)
            if (scene->models[i].model->textures)
                texture_bytes(scene->models[i].model, &largest);
        if (!film_keeps_pixels(film, s)) {
            const uint64_t pixels = texture_pixels_size(scene);
            passing = pixels > passing ? pixels : passing;
            loaded -= pixels;
        }
        pairs += (uint64_t)complexity_pairs(scene); /* at most two scenes are evaluated at a time */
    }

    loaded += passing;
    MemoryEstimate m = {
        .main = MAIN_BASE + loaded + loaded / 8 + largest + pairs * PAIR_BYTES,
        /* Pages of the contexts, textures and meshes exist once: workers are forked with them. */
        .shared = shares ? WORKER_BASE + all_scenes(film) : 0,
        .worker = (shares ? FORKED_BASE : WORKER_BASE) + largest_scenes(film, !shares) +
                  subtitle_bytes(film) + overlays_bytes(film),
        .encoder = encoder_bytes(film),
        .ring = slots * (film->image_bytes + film_state_bytes(film)),
    };
    const uint64_t sum = m.main + m.shared + (uint64_t)workers * m.worker + m.encoder + m.ring;
    m.peak = sum + sum / 16; /* memory that the allocator keeps */
    return m;
}

/* ---- time ---- */

/* Seconds on a core of 3 GHz, measured with the same scenes; of bodies, pairs and masses for each
 * tick. */
static const double FACE_S = 1.1e-6, SAMPLED_PIXEL_S = 2.8e-8, PIXEL_S = 1.5e-8, FRAME_S = 3e-3,
                    BONE_S = 1.5e-6, IK_BONE_S = 5e-8, BODY_S = 3.8e-6, PAIR_S = 2e-8,
                    CLOTH_VERTEX_S = 1.3e-6, START_S = 0.6, H264_PIXEL_S = 1.4e-8,
                    PNG_PIXEL_S = 2e-8;

static double pose_s(const Scene *scene)
{
    double sum = 0;
    for (size_t i = 0; i < scene->model_count; i++) {
        const PmxModel *pmx = &scene->models[i].model->pmx;
        sum += pmx->bone_count * BONE_S + complexity_pose(pmx) * IK_BONE_S;
    }
    return sum;
}

/* Physics and cloth for a second of the film. */
static double simulate_s(const Scene *scene)
{
    double bodies = 0, masses = 0;
    for (size_t i = 0; i < scene->model_count; i++) {
        const SceneModel *model = &scene->models[i];
        bodies += model->spec.physics ? model->model->pmx.body_count : 0;
        masses += model->cloth_vertex_count;
    }
    const double cloth_hz = scene->cloth_count ? scene->cloths[0].topology.tuning.step_hz : 0;
    return scene->physics.step_hz * (bodies * BODY_S + complexity_pairs(scene) * PAIR_S) +
           cloth_hz * masses * CLOTH_VERTEX_S;
}

static double draw_s(const Scene *scene, const RenderOptions *finished)
{
    const DrawnViews views = drawn_views(finished);
    const RenderOptions *r = &views.render;
    const double pixels = (double)r->width * r->height * r->supersample * r->supersample;
    uint64_t faces = 0;
    for (size_t i = 0; i < scene->model_count; i++)
        faces += scene->models[i].model->pmx.index_count / 3;
    return views.count * (FRAME_S + (double)faces * FACE_S +
                          pixels * (r->samples > 1 ? SAMPLED_PIXEL_S : PIXEL_S));
}

/* Anime at constant quality needs about 0.05 bits per pixel; lossless images are mostly
 * background, which 16 bits a channel without it (EXR) are not. */
static double output_bytes(const FilmOutput *out, double pixels)
{
    static const struct {
        const SinkKind *kind;
        double pixel_bytes, frame_bytes;
    } rows[] = {
        {&sink_png, 0.4, 0},   {&sink_sheet, 0.8, 0},       {&sink_gif, 0.16, 64},
        {&sink_webp, 0.1, 64}, {&sink_ffmpeg, 0.00625, 64}, {&sink_ffmpeg_unsegmented, 0.4, 64},
        {&sink_exr, 2, 0},     {&sink_tar, 8, 1536},        {&sink_hash, 0, 72}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (out->kind == rows[i].kind)
            return pixels * rows[i].pixel_bytes + rows[i].frame_bytes;
    return 0;
}

/* How many of some frames show a scene, and how many frames of it are simulated for them. */
typedef struct SceneFrames {
    double shown, simulated;
} SceneFrames;

static SceneFrames frames_of_scene(const Film *film, size_t scene, const FrameRanges *frames)
{
    SceneFrames out = {0, film_simulated_frames(film, scene, frames)};
    FrameRange own;
    for (size_t i = 0; i < frames->count; i++)
        if (film_scene_range(&own, film, scene, frames->items[i]))
            out.shown += (double)(own.last - own.first + 1);
    return out;
}

/* Seconds to draw some frames. */
static double draw_frames_s(const Film *film, const FrameRanges *frames, const RenderOptions *r)
{
    double sum = 0;
    for (size_t i = 0; i < film->scene_count; i++)
        sum += frames_of_scene(film, i, frames).shown * sub_frames_samples(film->scenes[i].job) *
               draw_s(&film->scenes[i].scene, r);
    return sum;
}

/* Frames that are simulated, but not shown. */
static double frames_before(const Film *film, const FrameRanges *frames)
{
    double sum = 0;
    for (size_t i = 0; i < film->scene_count; i++) {
        const SceneFrames f = frames_of_scene(film, i, frames);
        sum += scene_is_simulated(&film->scenes[i].scene) ? f.simulated - f.shown : 0;
    }
    return sum;
}

FrameEstimate estimate_frame(const Film *film)
{
    const RenderOptions *r = &film->render;
    const double pixels = (double)r->width * r->height, count = (double)film->frame_count;
    const Rational fps = film->job->render.fps;
    FrameEstimate frame = {.draw_s = draw_frames_s(film, &film->frames, r) / count,
                           .start_s = START_S};
    for (size_t i = 0; i < film->scene_count; i++) {
        const Scene *scene = &film->scenes[i].scene;
        const double shown = frames_of_scene(film, i, &film->frames).shown;
        const double second_s = simulate_s(scene);
        const double poses_s = sub_frames_count(film->scenes[i].job) * pose_s(scene);
        frame.evaluate_s += shown / count * (poses_s + second_s * fps.den / fps.num);
        frame.start_s += shown > 0 ? second_s * (double)scene->physics.warmup_s : 0;
    }
    for (size_t i = 0; i < film->output_count && i < JOB_MAX_OUTPUTS; i++) {
        const FilmOutput *out = &film->outputs[i];
        frame.bytes[i] = output_bytes(out, pixels);
        if (sink_is_video(out->kind))
            frame.encode_s += pixels * H264_PIXEL_S;
        if (out->kind == &sink_png)
            frame.draw_s += pixels * PNG_PIXEL_S;
    }
    return frame;
}

double estimate_seconds(const FrameEstimate *frame, int64_t before, int64_t frames, int workers)
{
    const double each = (frame->evaluate_s + frame->draw_s + frame->encode_s) / workers;
    const double slowest = fmax(each, frame->evaluate_s);
    return frame->start_s + (double)before * frame->evaluate_s + (double)frames * slowest;
}

int64_t estimate_before(const Film *film)
{
    return (int64_t)frames_before(film, &film->frames);
}

/* CPU seconds of a run: the film, and its previews, which are films of their own. */
static double cpu_s(const Film *film, const FrameEstimate *frame)
{
    double sum = estimate_seconds(frame, estimate_before(film), film->frame_count, 1);
    for (size_t i = 0; i < film->preview_count; i++) {
        const FilmPreview *preview = &film->previews[i];
        const FrameRanges *frames = &preview->output.frames;
        const double evaluated = (double)frames->count + frames_before(film, frames);
        sum += draw_frames_s(film, frames, &preview->render) + evaluated * frame->evaluate_s;
    }
    return sum;
}

static bool warn_limit(const Limit *limit, double value, const char *unit, const char *what,
                       Diag *diag)
{
    return !limit_exceeded(limit, value) ||
           diag_warn(diag, WARN_OVER_LIMIT,
                     "%s: about %.3g %s of %s are needed, more than the limit of %.10g %s (%s)",
                     limit->name, value, unit, what, limit->max, unit, limit->source);
}

bool estimate_warn(const Film *film, const FrameEstimate *frame, Diag *diag)
{
    const HostLimits *host = &film->job->host;
    const DiskEstimate disk = estimate_disk(film, frame);
    const double mib = (double)(disk.outputs + disk.state) / MIB;
    return warn_limit(&host->cpu_s, cpu_s(film, frame), "s", "CPU time", diag) &&
           warn_limit(&host->output_mib, mib, "MiB", "disk space", diag);
}

/* ---- disk ---- */

DiskEstimate estimate_disk(const Film *film, const FrameEstimate *frame)
{
    DiskEstimate disk = {0};
    for (size_t i = 0; i < film->output_count && i < JOB_MAX_OUTPUTS; i++) {
        const uint64_t bytes = (uint64_t)(frame->bytes[i] * (double)film->frame_count);
        disk.outputs += bytes;
        disk.state += LEDGER_BYTES * (uint64_t)film->frame_count;
        if (film->outputs[i].kind->segments)
            disk.state += bytes;
    }
    for (size_t i = 0; i < film->preview_count; i++) {
        const FilmPreview *preview = &film->previews[i];
        const double pixels = (double)preview->render.width * preview->render.height;
        disk.outputs += (uint64_t)(output_bytes(&preview->output, pixels) *
                                   (double)preview->output.frames.count);
    }
    return disk;
}

/* ---- shards ---- */

int estimate_shards(const Film *film, const FrameEstimate *frame, int workers)
{
    const double all_s = estimate_seconds(frame, 0, film->frame_count, workers) - frame->start_s;
    double max = fmin((double)film->frame_count / MIN_SHARD_FRAMES,
                      all_s / (MIN_START_RATIO * frame->start_s));
    max = fmin(max, (double)film_segment_count(film));
    return max < 1 ? 1 : max < MAX_SHARDS ? (int)max : MAX_SHARDS;
}
