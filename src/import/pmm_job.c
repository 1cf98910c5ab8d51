#include "import/pmm_job.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/path.h"
#include "base/text_stream.h"
#include "format/motion/vmd_write.h"
#include "format/pmm.h"
#include "import/asset_index.h"

static const double DEGREES = 57.29577951308232, GRAVITY_SCALE = 10; /* of MMD's unit, 9.8 */

typedef struct Writer {
    FILE *out;
    const PmmJobOptions *options;
    PmmProject project;
    AssetIndex *assets;
    const char *folder;       /* of the assets, absolute, with its slash */
    const char *motions;      /* "NAME-motions/", relative to the job */
    const char **model_files; /* [model_count]; NULL: not found */
    uint32_t *order;          /* [model_count] models in drawing order */
    Arena *arena;
    Diag *diag;
} Writer;

/* Texts as JSON strings, which are YAML, too. */
static void write_text(Writer *w, const char *text)
{
    Json json = json_init(w->out);
    json_text(&json, text);
}

static void write_pair(Writer *w, const char *key, const char *text)
{
    fputs(key, w->out);
    write_text(w, text);
    fputc('\n', w->out);
}

static void write_vector(FILE *out, const double values[3])
{
    fprintf(out, "[%.7g, %.7g, %.7g]", values[0], values[1], values[2]);
}

/* The absolute path of a file of the project, or NULL after a warning. */
static const char *find_asset(Writer *w, const char *what, const char *path)
{
    const char *found = path ? asset_index_find(w->assets, path, w->arena) : NULL;
    if (path && !found)
        diag_warn(w->diag, WARN_JOB, "%s '%s' is not below '%s'; use --assets FOLDER", what, path,
                  w->folder);
    return found ? arena_printf(w->arena, "%s%s", w->folder, found) : NULL;
}

static bool save(Writer *w, const char *path, Bytes bytes)
{
    return file_check_new(path, w->options->overwrite, w->diag) &&
           file_save(path, bytes.data, bytes.size, w->diag);
}

/* A motion beside the job. */
static bool save_motion(Writer *w, const char *name, const VmdMotion *motion)
{
    const char *path = path_join(path_folder(w->options->output, w->arena),
                                 arena_printf(w->arena, "%s%s", w->motions, name), w->arena);
    return save(w, path, vmd_write(motion, w->arena));
}

/* ---- models ---- */

static const char *model_id(const Writer *w, uint32_t model)
{
    return arena_printf(w->arena, "model-%" PRIu32, model + 1);
}

static const char *motion_name(const Writer *w, uint32_t model)
{
    return arena_printf(w->arena, "model-%" PRIu32 ".vmd", model + 1);
}

static void write_parent(Writer *w, PmmParent parent)
{
    if (parent.model < 0 || !w->model_files[parent.model])
        return;
    fputs("    attach: { model: ", w->out);
    write_text(w, model_id(w, (uint32_t)parent.model));
    fputs(", bone: ", w->out);
    write_text(w, w->project.models[parent.model].bones[parent.bone]);
    fputs(" }\n", w->out);
}

static bool write_model(Writer *w, uint32_t index)
{
    const PmmModel *model = &w->project.models[index];
    if (!w->model_files[index])
        return true;
    fprintf(w->out, "  - id: %s\n", model_id(w, index));
    write_pair(w, "    file: ", w->model_files[index]);
    write_pair(w, "    motions:\n      - ",
               arena_printf(w->arena, "%s%s", w->motions, motion_name(w, index)));
    write_parent(w, model->parent);
    if (!w->project.physics)
        fputs("    physics: false\n", w->out);
    if (model->edge_width >= 0 && model->edge_width <= 10)
        fprintf(w->out, "    edge_scale: %.7g\n", (double)model->edge_width);
    if (model->has_other_parents)
        diag_warn(w->diag, WARN_JOB,
                  "model '%s': outside parents of single bones, or that change over time, are not "
                  "supported",
                  model->name);
    return save_motion(w, motion_name(w, index), &model->motion);
}

static bool write_models(Writer *w)
{
    bool good = true;
    fputs("models:\n", w->out);
    for (uint32_t i = 0; good && i < w->project.model_count; i++)
        good = write_model(w, w->order[i]);
    return good;
}

/* ---- accessories ---- */

static bool is_drawn(const PmmAccessory *a)
{
    return a->visible && a->opacity > 0;
}

static void warn_accessory(Writer *w, const PmmAccessory *a)
{
    if (a->key_count)
        diag_warn(w->diag, WARN_JOB,
                  "accessory '%s': only the first of its %" PRIu32 " keys is used", a->name,
                  a->key_count + 1);
    if (is_drawn(a) && a->opacity < 1)
        diag_warn(w->diag, WARN_JOB, "accessory '%s': drawn opaque, not with %.0f %%", a->name,
                  100 * (double)a->opacity);
}

static void write_accessory(Writer *w, const PmmAccessory *a, const char *file)
{
    double position[3], rotation[3];
    for (size_t i = 0; i < 3; i++) {
        position[i] = (double)a->position[i];
        rotation[i] = remainder((double)a->rotation[i] * DEGREES, 360);
    }
    write_pair(w, "  - file: ", file);
    fputs("    position: ", w->out);
    write_vector(w->out, position);
    fputs("\n    rotation_deg: ", w->out);
    write_vector(w->out, rotation);
    fputc('\n', w->out);
    if (a->scale >= 0.001f && a->scale <= 1000)
        fprintf(w->out, "    scale: %.7g\n", (double)a->scale);
    write_parent(w, a->parent);
    warn_accessory(w, a);
}

/* Those that are attached to a model have to be models; a stage is not attached. */
static void write_accessories(Writer *w, bool attached)
{
    bool any = attached;
    for (uint32_t i = 0; i < w->project.accessory_count; i++) {
        const PmmAccessory *a = &w->project.accessories[i];
        if (!is_drawn(a) || (a->parent.model >= 0) != attached)
            continue;
        const char *file = find_asset(w, "accessory", a->path);
        if (!file)
            continue;
        if (!any)
            fputs("stage:\n", w->out);
        any = true;
        write_accessory(w, a, file);
    }
}

/* ---- the rest ---- */

static void write_stage_motion(Writer *w, const char *key)
{
    fprintf(w->out, "%s: { motion: ", key);
    write_text(w, arena_printf(w->arena, "%sstage.vmd", w->motions));
    fputs(" }\n", w->out);
}

static bool write_camera(Writer *w)
{
    write_stage_motion(w, "camera");
    write_stage_motion(w, "light");
    if (w->project.has_camera_parent)
        diag_warn(w->diag, WARN_JOB,
                  "the camera follows a bone, which is not supported; it is at "
                  "the recorded offsets from the origin");
    return save_motion(w, "stage.vmd", &w->project.stage);
}

static void write_background(Writer *w)
{
    const PmmProject *p = &w->project;
    const char *image = find_asset(w, "background image", p->image);
    const char *video = find_asset(w, "background video", p->video);
    if (!image && !video && !p->black_background)
        return;
    fputs("background:\n", w->out);
    if (p->black_background)
        fputs("  color: \"#000000\"\n", w->out);
    if (image)
        write_pair(w, "  image: ", image);
    else if (video)
        write_pair(w, "  video: ", video);
}

static void write_physics(Writer *w)
{
    const PmmProject *p = &w->project;
    double gravity[3];
    for (size_t i = 0; i < 3; i++)
        gravity[i] = GRAVITY_SCALE * (double)p->gravity[i];
    fputs("physics:\n  gravity: ", w->out);
    write_vector(w->out, gravity);
    fputc('\n', w->out);
    if (p->has_gravity_keys || p->has_gravity_noise)
        diag_warn(w->diag, WARN_JOB,
                  "keys and noise of gravity are not supported; the first value "
                  "is used");
}

static void write_render(Writer *w)
{
    const PmmProject *p = &w->project;
    const int fps = p->fps > 45 ? 60 : 30;
    fprintf(w->out, "render:\n  fps: %d\n", fps);
    if (p->width >= 16 && p->width <= 16384 && p->height >= 16 && p->height <= 16384)
        fprintf(w->out, "  size: [%" PRIu32 ", %" PRIu32 "]\n", p->width & ~1u, p->height & ~1u);
    if (p->end >= 0)
        fprintf(w->out, "  frames: m%" PRId32 "-m%" PRId32 "\n", p->begin < 0 ? 0 : p->begin,
                p->end);
}

static const char *stem_of(const char *path, Arena *arena)
{
    const char *name = path_name(path), *dot = strrchr(name, '.');
    return arena_strndup(arena, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

static bool write_job(Writer *w)
{
    const PmmProject *p = &w->project;
    const char *sound;
    fputs("version: 1\n", w->out);
    write_pair(w, "name: ", stem_of(w->options->project, w->arena));
    if (!write_models(w))
        return false;
    write_accessories(w, true);
    write_accessories(w, false);
    if (!write_camera(w))
        return false;
    write_background(w);
    write_physics(w);
    fprintf(w->out, "shadows: { ground: %s, self: %s }\n", p->ground_shadow ? "true" : "false",
            p->self_shadow ? "true" : "false");
    sound = find_asset(w, "sound", p->audio);
    if (sound)
        write_pair(w, "audio: ", sound);
    write_render(w);
    write_pair(w, "outputs:\n  - ",
               arena_printf(w->arena, "%s.mp4", stem_of(w->options->output, w->arena)));
    if (p->edge_color[0] || p->edge_color[1] || p->edge_color[2])
        diag_warn(w->diag, WARN_JOB, "the colour of the outlines, #%02x%02x%02x, is not supported",
                  p->edge_color[0], p->edge_color[1], p->edge_color[2]);
    return true;
}

/* ---- the verb ---- */

static bool find_models(Writer *w)
{
    bool any = false;
    w->model_files = arena_array(w->arena, const char *, w->project.model_count);
    w->order = arena_array(w->arena, uint32_t, w->project.model_count);
    for (uint32_t i = 0; i < w->project.model_count; i++) {
        uint32_t at = i; /* insertion, stable */
        w->model_files[i] = find_asset(w, "model", w->project.models[i].path);
        any |= w->model_files[i] != NULL;
        for (;
             at && w->project.models[w->order[at - 1]].draw_order > w->project.models[i].draw_order;
             at--)
            w->order[at] = w->order[at - 1];
        w->order[at] = i;
    }
    return any || diag_fail(w->diag, DIAG_MISSING, "none of the %" PRIu32 " models was found",
                            w->project.model_count);
}

static bool load(Writer *w)
{
    Bytes bytes;
    const char *assets = w->options->assets;
    char real[PATH_MAX];
    diag_file(w->diag, w->options->project);
    if (!file_load(&bytes, w->options->project, FILE_MAX_SIZE, w->arena, w->diag) ||
        !pmm_load(&w->project, bytes, w->arena, w->diag))
        return false;
    diag_file(w->diag, NULL);
    if (!assets)
        assets = path_folder(w->options->project, w->arena);
    if (!realpath(*assets ? assets : ".", real))
        return diag_fail(w->diag, DIAG_MISSING, "--assets: cannot open '%s'", assets);
    w->folder = arena_printf(w->arena, "%s/", strcmp(real, "/") != 0 ? real : "");
    return asset_index_create(&w->assets, w->folder, w->arena, w->diag) && find_models(w);
}

const char *pmm_job_motions(const char *output, Arena *arena)
{
    const char *name = path_name(output);
    return arena_printf(arena, "%.*s%s-motions", (int)(name - output), output,
                        stem_of(output, arena));
}

bool pmm_job_run(const PmmJobOptions *options, Diag *diag)
{
    Arena *arena = arena_create();
    Writer w = {.options = options, .arena = arena, .diag = diag};
    TextStream stream;
    w.motions = arena_printf(arena, "%s/", path_name(pmm_job_motions(options->output, arena)));
    bool good = file_check_new(options->output, options->overwrite, diag) && load(&w);
    if (good) {
        w.out = text_stream_open(&stream, arena);
        good = write_job(&w);
        const char *text = text_stream_close(&stream);
        good = good && file_save(options->output, text, stream.size, diag);
    }
    diag_file(diag, NULL);
    arena_destroy(arena);
    return good;
}
