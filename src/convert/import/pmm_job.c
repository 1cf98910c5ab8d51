// SPDX-License-Identifier: MIT
#include "convert/import/pmm_job.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/text.h"
#include "base/text_stream.h"
#include "convert/import/asset_index.h"
#include "convert/import/pmm_effects.h"
#include "convert/import/pmm_keys.h"
#include "format/file_kind.h"
#include "format/model/pmd.h"
#include "format/motion/vmd.h"

/* The motions of a job, in the order in which it names them. */
typedef ARENA_LIST(ArchiveFile) Motions;

typedef struct Writer {
    FILE *out;
    const char *project_path, *assets_path;
    const char *video; /* the output of the job */
    PmmProject project;
    AssetIndex *assets;
    const char *directory;    /* directory of the assets, absolute, with its slash */
    const char *prefix;       /* directory of the motions, relative to the job: "NAME-motions/" */
    const char **model_files; /* [model_count]; NULL: not found */
    uint32_t *order;          /* [model_count] models in drawing order */
    PmmEffects effects;
    const char **model_objects, **accessory_objects; /* names in the .emm; NULL: none */
    const char **accessory_files; /* [accessory_count]; NULL: not found, or not drawn */
    Motions motions;
    PmmKeyWriter keys;
    Arena *arena;
    Diag *diag;
} Writer;

static void write_pair(const Writer *w, const char *key, const char *text)
{
    fputs(key, w->out);
    pmm_keys_text(w->out, text);
    fputc('\n', w->out);
}

/* The absolute path of a file of the project, or NULL after a warning. */
static const char *find_asset(Writer *w, const char *what, const char *path)
{
    const char *found = path ? asset_index_find(w->assets, path, w->arena) : NULL;
    if (path && !found)
        diag_warn(w->diag, WARN_JOB,
                  "%s '%s' is not below '%s' (tried %s, without case); use --assets DIRECTORY",
                  what, path, w->directory, asset_index_tried(path, w->arena));
    return found ? arena_printf(w->arena, "%s%s", w->directory, found) : NULL;
}

static void add_motion(Writer *w, const char *name, const VmdMotion *motion)
{
    const Bytes bytes = vmd_write(motion, w->arena);
    *arena_push(w->arena, &w->motions) =
        (ArchiveFile){.name = name, .data = bytes.data, .size = bytes.size};
}

/* ---- models ---- */

static void write_model(Writer *w, uint32_t index)
{
    const PmmModel *model = &w->project.models[index];
    const char *id = pmm_keys_model_id(index, w->arena), *file = w->model_files[index];
    const char *motion = arena_printf(w->arena, "%s.vmd", id);
    if (!file)
        return;
    fprintf(w->out, "  - id: %s\n", id);
    write_pair(w, "    file: ", file);
    write_pair(w, "    motions:\n      - ", arena_printf(w->arena, "%s%s", w->prefix, motion));
    const uint8_t *c = w->project.edge_color; /* PMX models have colors of their own */
    if (model->edge_width >= 0 && model->edge_width <= 10)
        pmm_keys_pair(w->out, "    edge_scale: ", (double)model->edge_width);
    if (file_kind_of_name(file) == FILE_PMD && (c[0] || c[1] || c[2]))
        fprintf(w->out, "    edge_color: \"#%02x%02x%02x\"\n", c[0], c[1], c[2]);
    pmm_keys_parents(&w->keys, model->parents, model->parent_count, model->bones, "    ", w->arena);
    if (w->model_objects[index])
        pmm_effects_write_object(w->out, &w->effects, w->model_objects[index]);
    add_motion(w, motion, &model->motion);
}

/* ---- accessories ---- */

/* opaque: with an opacity above 0, which is the strength of an effect that may have other uses */
static bool is_ever_drawn(const PmmAccessory *a, bool opaque)
{
    for (uint32_t i = 0; i < a->key_count; i++)
        if (a->keys[i].visible && (!opaque || a->keys[i].opacity > 0))
            return true;
    return false;
}

/* Well-known effects whose files are absent become keys of `look`. */
static void find_accessory(Writer *w, uint32_t index)
{
    const PmmAccessory *a = &w->project.accessories[index];
    const char *found = asset_index_find(w->assets, a->path, w->arena), *object = NULL;
    if (!found && pmm_effects_is_known(&w->effects, a->path, is_ever_drawn(a, false)))
        return;
    if (found) {
        found = arena_printf(w->arena, "%s%s", w->directory, found);
        object = pmm_effects_object(&w->effects, found);
    }
    const bool has_effect = found && pmm_effects_has(&w->effects, found, object);
    if (!is_ever_drawn(a, !has_effect))
        return;
    w->accessory_files[index] = found ? found : find_asset(w, "accessory", a->path);
    w->accessory_objects[index] = object;
}

/* Accessories that something carries have to be models; a stage is not carried. */
static void write_accessories(Writer *w, bool carried)
{
    bool any = carried;
    for (uint32_t i = 0; i < w->project.accessory_count; i++) {
        const PmmAccessory *a = &w->project.accessories[i];
        const char *file = w->accessory_files[i];
        if (!file || pmm_keys_is_carried(a) != carried)
            continue;
        if (!any)
            fputs("stage:\n", w->out);
        any = true;
        write_pair(w, "  - file: ", file);
        pmm_keys_accessory(&w->keys, a, w->arena);
        if (w->accessory_objects[i])
            pmm_effects_write_object(w->out, &w->effects, w->accessory_objects[i]);
        if (a->additive)
            diag_warn(w->diag, WARN_JOB, "accessory '%s': additive blending is not supported",
                      a->name);
    }
}

/* ---- the rest ---- */

static void write_stage_motion(Writer *w, const char *key)
{
    fprintf(w->out, "%s:\n  motion: ", key);
    pmm_keys_text(w->out, arena_printf(w->arena, "%sstage.vmd", w->prefix));
    fputc('\n', w->out);
}

static const char *find_background(Writer *w, const char *what, const PmmMedia *media)
{
    const char *found = find_asset(w, what, media->path);
    if (found && (media->x || media->y || (media->scale != 1 && media->scale != 0)))
        diag_warn(w->diag, WARN_JOB, "%s: its position and scale are not used; it covers the frame",
                  what);
    return found;
}

static void write_background(Writer *w)
{
    const PmmProject *p = &w->project;
    const char *image = find_background(w, "background image", &p->image);
    const char *video = find_background(w, "background video", &p->video);
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

static void write_render(Writer *w)
{
    const PmmProject *p = &w->project;
    const int fps = p->fps > 45 ? 60 : 30;
    fprintf(w->out, "render:\n  fps: %d\n", fps);
    if (p->width >= 16 && p->width <= 8192 && p->height >= 16 && p->height <= 8192)
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

static void write_head(const Writer *w)
{
    fputs("version: 1\n", w->out);
    write_pair(w, "name: ", stem_of(w->project_path, w->arena));
    fputs("models:\n", w->out);
}

static void write_job(Writer *w)
{
    const PmmProject *p = &w->project;
    const float bright = p->ground_brightness;
    const char *sound;
    write_head(w);
    for (uint32_t i = 0; i < p->model_count; i++)
        write_model(w, w->order[i]);
    write_accessories(w, true);
    write_accessories(w, false);
    write_stage_motion(w, "camera");
    pmm_keys_parents(&w->keys, p->camera_parents, p->camera_parent_count, NULL, "  ", w->arena);
    write_stage_motion(w, "light");
    add_motion(w, "stage.vmd", &p->stage);
    write_background(w);
    pmm_effects_add_rest(&w->effects);
    pmm_effects_write_look(w->out, &w->effects);
    fputs("physics:\n", w->out);
    if (!p->physics)
        fputs("  enabled: false\n", w->out);
    pmm_keys_gravity(&w->keys);
    fprintf(w->out, "shadows:\n  ground: %s\n  self: %s\n", p->ground_shadow ? "true" : "false",
            p->self_shadow ? "true" : "false");
    pmm_keys_pair(w->out,
                  "  ground_brightness: ", (double)(bright > 0 ? (bright < 10 ? bright : 10) : 0));
    fprintf(w->out, "  ground_opacity: %s\n", p->ground_translucent ? "0.5" : "1");
    sound = find_asset(w, "sound", p->audio);
    if (sound)
        write_pair(w, "audio: ", sound);
    write_render(w);
    write_pair(w, "outputs:\n  - ", w->video);
    pmm_effects_report(&w->effects, w->diag);
}

/* ---- loading ---- */

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

static bool find_effects(Writer *w)
{
    const PmmProject *p = &w->project;
    w->effects.assets = w->assets;
    w->effects.directory = w->directory;
    w->effects.arena = w->arena;
    w->model_objects = arena_array(w->arena, const char *, p->model_count);
    w->accessory_objects = arena_array(w->arena, const char *, p->accessory_count);
    w->accessory_files = arena_array(w->arena, const char *, p->accessory_count);
    const bool good = pmm_effects_load(&w->effects, w->project_path, w->diag);
    for (uint32_t i = 0; good && i < p->model_count; i++)
        if (w->model_files[i])
            w->model_objects[i] = pmm_effects_object(&w->effects, w->model_files[i]);
    for (uint32_t i = 0; good && i < p->accessory_count; i++)
        find_accessory(w, i);
    return good;
}

/* PmmModelNames.read */
static bool read_names(PmmModelBones *out, void *user, const char *path, Arena *arena, Diag *diag)
{
    const Writer *w = user;
    const char *found = asset_index_find(w->assets, path, arena);
    Bytes bytes;
    if (!found)
        return diag_fail(diag, DIAG_MISSING,
                         "version 1 cannot be read without the model '%s', which is not below '%s' "
                         "(tried %s, without case); use --assets DIRECTORY",
                         path, w->directory, asset_index_tried(path, arena));
    const char *file = path_resolve_input(w->directory, found, arena);
    diag_file(diag, file);
    const bool good = file_load(&bytes, file, FILE_MAX_SIZE, arena, diag) &&
                      pmd_load_names(out, bytes, arena, diag);
    diag_file(diag, w->project_path);
    return good;
}

static bool load(Writer *w)
{
    Bytes bytes;
    const PmmModelNames names = {read_names, w};
    char real[PATH_MAX];
    const char *assets = w->assets_path;
    if (!assets)
        assets = path_directory(w->project_path, w->arena);
    if (!realpath(*assets ? assets : ".", real))
        return diag_fail(w->diag, DIAG_MISSING, "--assets: cannot open '%s'", assets);
    w->directory = arena_printf(w->arena, "%s/", strcmp(real, "/") != 0 ? real : "");
    if (!asset_index_create(&w->assets, w->directory, w->arena, w->diag))
        return false;
    diag_file(w->diag, w->project_path);
    if (!file_load(&bytes, w->project_path, FILE_MAX_SIZE, w->arena, w->diag) ||
        !pmm_load(&w->project, bytes, &names, w->arena, w->diag))
        return false;
    diag_file(w->diag, NULL);
    return find_models(w) && find_effects(w);
}

/* The text of the job; w has the paths, the prefix, the arena and the Diag. */
static bool make(Bytes *text, Writer *w)
{
    TextStream stream;
    if (!load(w)) {
        diag_file(w->diag, NULL);
        return false;
    }
    w->out = text_stream_open(&stream, w->arena);
    w->keys = (PmmKeyWriter){w->out, &w->project, w->model_files, w->diag};
    write_job(w);
    text->data = (const uint8_t *)text_stream_close(&stream);
    text->size = stream.size;
    return true;
}

/* ---- public functions ---- */

bool pmm_job_is_project(const char *path)
{
    return file_kind_of_name(path) == FILE_PMM;
}

bool pmm_job_text(Bytes *text, const char *project, const char *assets, Arena *arena, Diag *diag)
{
    Writer w = {.project_path = project,
                .assets_path = assets,
                .video = arena_printf(arena, "%s.mp4", stem_of(project, arena)),
                .prefix = arena_printf(arena, "%s/", path_name(project)),
                .arena = arena,
                .diag = diag};
    if (!make(text, &w))
        return false;
    qsort(w.motions.items, w.motions.count, sizeof *w.motions.items, text_compare); /* by name */
    return archive_path_add(project, &(Archive){.files = w.motions.items, .count = w.motions.count},
                            diag);
}

Bytes pmm_job_outline(const char *project, Arena *arena)
{
    TextStream text;
    const Writer w = {.out = text_stream_open(&text, arena),
                      .project_path = project,
                      .video = arena_printf(arena, "%s.mp4", stem_of(project, arena)),
                      .arena = arena};
    write_head(&w);
    write_pair(&w, "  - file: ", path_name(project));
    write_pair(&w, "outputs:\n  - ", w.video);
    const char *written = text_stream_close(&text);
    return (Bytes){(const uint8_t *)written, text.size};
}

static bool save_motions(const Writer *w, const PmmJobOptions *options)
{
    const char *directory = path_directory(options->output, w->arena);
    for (size_t i = 0; i < w->motions.count; i++) {
        const ArchiveFile *motion = &w->motions.items[i];
        const char *name = arena_printf(w->arena, "%s%s", w->prefix, motion->name);
        const char *path = path_join(directory, name, w->arena);
        if (!file_check_new(path, options->overwrite, w->diag) ||
            !file_save(path, motion->data, motion->size, w->diag))
            return false;
    }
    return true;
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
    const char *stem = stem_of(options->output, arena);
    Writer w = {.project_path = options->project,
                .assets_path = options->assets,
                .video = arena_printf(arena, "%s.mp4", stem),
                .prefix =
                    arena_printf(arena, "%s/", path_name(pmm_job_motions(options->output, arena))),
                .arena = arena,
                .diag = diag};
    Bytes text;
    const bool good = file_check_new(options->output, options->overwrite, diag) &&
                      make(&text, &w) && save_motions(&w, options) &&
                      file_save(options->output, text.data, text.size, diag);
    diag_file(diag, NULL);
    arena_destroy(arena);
    return good;
}
