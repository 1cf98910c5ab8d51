// SPDX-License-Identifier: MIT
#include "scene/effects/effect_load.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "base/text.h"
#include "effect/effect.h"
#include "media/animation.h"
#include "scene/effects/effect_known.h"

enum { MAX_EFFECT = 4 << 20, MIB = 1 << 20 };

/* The error of a trial, which becomes a warning. */
typedef struct Kept {
    char file[1024], text[1024];
    unsigned line, column;
} Kept;

static void keep(void *user, const DiagMessage *message)
{
    Kept *kept = user;
    if (message->level != DIAG_ERROR || *kept->text)
        return;
    snprintf(kept->file, sizeof kept->file, "%s", message->file);
    snprintf(kept->text, sizeof kept->text, "%s", message->text);
    kept->line = message->line;
    kept->column = message->column;
}

static Diag trial_diag(Kept *kept)
{
    Diag diag;
    *kept = (Kept){0};
    diag_init(&diag, keep, kept);
    return diag;
}

/* ---- pictures ---- */

static bool spend(EffectLoader *l, uint64_t bytes, Diag *diag)
{
    l->budget->bytes += bytes;
    return limit_check(&l->budget->limit, ceil((double)l->budget->bytes / MIB), " MiB", diag);
}

static uint64_t bytes_left(const EffectLoader *l)
{
    const double max = l->budget->limit.max * MIB, used = (double)l->budget->bytes;
    return l->budget->limit.max <= 0 ? UINT64_MAX : max > used ? (uint64_t)(max - used) : 0;
}

/* animated: frames of a GIF or PNG; else, and if it has only one, a picture. */
static bool decode(EffectLoader *l, TextureFile *texture, const char *path, bool animated,
                   Diag *diag)
{
    bool is_animation = false;
    if (animated && !animation_load(texture, &is_animation, path, bytes_left(l), l->arena, diag))
        return false;
    if (is_animation)
        return spend(
            l, (uint64_t)texture->frames * (uint64_t)texture->width * (uint64_t)texture->height * 4,
            diag);
    Arena *scratch = arena_create();
    Bytes bytes;
    const bool good = file_load(&bytes, path, FILE_MAX_SIZE, scratch, diag) &&
                      spend(l, texture_file_decoded_size(bytes), diag) &&
                      texture_file_load(texture, bytes, l->arena, diag);
    arena_destroy(scratch);
    return good;
}

static const TextureFile *load_picture(EffectLoader *l, const char *path, const char *name,
                                       bool animated)
{
    for (size_t i = 0; i < l->pictures.count; i++)
        if (!strcmp(l->pictures.items[i].path, path) && l->pictures.items[i].animated == animated)
            return l->pictures.items[i].texture;
    TextureFile *texture = arena_array(l->arena, TextureFile, 1);
    Kept kept;
    Diag trial = trial_diag(&kept);
    if (!decode(l, texture, path, animated, &trial)) {
        texture = NULL;
        if (trial.kind == DIAG_IO || trial.kind == DIAG_RESOURCE) /* the next run may succeed */
            diag_fail(l->diag, trial.kind, "picture '%s': %s", name, kept.text);
        else
            diag_warn(l->diag, WARN_EFFECT, "picture '%s' cannot be read (%s); it is black", name,
                      kept.text);
    }
    effect_files_add(l->files, path);
    *arena_push(l->arena, &l->pictures) = (LoadedPicture){path, animated, texture};
    return texture;
}

static const char *resource_name(const EffectParameter *parameter)
{
    const EffectAnnotation *name =
        effect_find_annotation(parameter->annotations, parameter->annotation_count, "ResourceName");
    return parameter->type.base == EFFECT_TEXTURE && name && name->text && *name->text ? name->text
                                                                                       : NULL;
}

static void load_pictures(EffectLoader *l, SceneEffect *item)
{
    const Effect *effect = item->effect;
    const char *directory = path_directory(item->file, l->arena);
    const TextureFile **pictures =
        arena_array(l->arena, const TextureFile *, effect->parameter_count);
    item->pictures = pictures;
    diag_file(l->diag, item->file);
    for (size_t i = 0; i < effect->parameter_count; i++) {
        const EffectParameter *parameter = &effect->parameters[i];
        const char *name = resource_name(parameter);
        const char *path = name ? effect_files_find(l->files, directory, name, true) : NULL;
        if (l->budget->stop && *l->budget->stop)
            break;
        if (path)
            pictures[i] = load_picture(
                l, path, name, text_equal_ignoring_case(parameter->semantic, "ANIMATEDTEXTURE"));
        else if (name)
            diag_warn(l->diag, WARN_EFFECT, "picture '%s' of '%s' is missing; it is black", name,
                      parameter->name);
    }
    diag_file(l->diag, NULL);
}

/* ---- effects ---- */

static bool set_state(SceneEffect *item, SceneEffectState state, const char *why)
{
    item->state = state;
    item->why = why;
    return false;
}

/* What becomes of a failed effect, for its warning. */
static const char *failure(const EffectLoader *l, const char *what)
{
    return l->rule ? arena_printf(l->arena, "%s is not drawn (%s)", what, l->rule)
                   : arena_printf(l->arena, "%s is drawn without it", what);
}

static bool parse(EffectLoader *l, SceneEffect *item, const DiagLocation *named)
{
    Kept kept;
    Diag trial = trial_diag(&kept);
    Arena *scratch = arena_create();
    Bytes bytes;
    Effect *effect;
    diag_file(&trial, item->file);
    effect_files_allow(l->files, item->file);
    effect_files_add(l->files, item->file);
    const bool loaded = file_load(&bytes, item->file, MAX_EFFECT, scratch, &trial) &&
                        effect_load(&effect,
                                    &(EffectSource){.name = item->file,
                                                    .text = {bytes.data, bytes.size},
                                                    .read = effect_files_read,
                                                    .user = l->files},
                                    l->arena, &trial);
    arena_destroy(scratch);
    if (loaded) {
        item->effect = effect;
        load_pictures(l, item);
        return true;
    }
    const DiagLocation at = {.file = kept.file, .line = kept.line, .column = kept.column};
    diag_warn_at(l->diag, *kept.file ? &at : named, WARN_EFFECT, "%s; %s", kept.text,
                 failure(l, "what the effect draws"));
    return set_state(item, EFFECT_FAILED,
                     kept.line ? arena_printf(l->arena, "%s:%u:%u: %s", kept.file, kept.line,
                                              kept.column, kept.text)
                               : arena_strdup(l->arena, kept.text));
}

/* Sets the state of a new effect; parses it if it runs. */
static bool load(EffectLoader *l, SceneEffect *item, const DiagLocation *named)
{
    const KnownEffect *known =
        l->mode == EFFECTS_MAP ? effect_known_find(item->file, l->arena) : NULL;
    if (l->mode == EFFECTS_OFF)
        return set_state(item, EFFECT_OFF, "effects.mode is off");
    if (known)
        return set_state(item, EFFECT_MAPPED,
                         arena_printf(l->arena, "%s takes its place", known->key));
    if (l->mode == EFFECTS_MAP)
        return set_state(item, EFFECT_OFF, "no key of look is its counterpart");
    if (!path_is_file(item->file)) {
        diag_warn_at(l->diag, named, WARN_EFFECT, "effect '%s' is missing; %s", item->file,
                     failure(l, "what it draws"));
        return set_state(item, EFFECT_FAILED,
                         l->rule ? arena_printf(l->arena, "the file is missing (%s)", l->rule)
                                 : "the file is missing");
    }
    return parse(l, item, named);
}

static void add_user(EffectLoader *l, SceneEffect *item, const char *user)
{
    const size_t size = strlen(user);
    const char *at = item->used_by;
    while (*at &&
           (strncmp(at, user, size) != 0 || (at[size] && strncmp(at + size, ", ", 2) != 0))) {
        const char *comma = strstr(at, ", ");
        at = comma ? comma + 2 : at + strlen(at);
    }
    if (!*at)
        item->used_by =
            arena_printf(l->arena, "%s%s%s", item->used_by, *item->used_by ? ", " : "", user);
}

int effect_load_file(EffectLoader *l, const char *path, const char *user, const DiagLocation *named)
{
    const char *file = effect_files_normalize(path, l->arena);
    size_t i = 0;
    while (i < l->items.count && strcmp(l->items.items[i].file, file) != 0)
        i++;
    if (i == l->items.count) {
        SceneEffect item = {.file = file, .state = EFFECT_RUN, .used_by = ""};
        if (i >= EFFECT_LOAD_MAX) {
            diag_warn_at(l->diag, named, WARN_EFFECT, "a scene has at most %d effects",
                         EFFECT_LOAD_MAX);
            return EFFECT_STANDARD;
        }
        load(l, &item, named);
        *arena_push(l->arena, &l->items) = item;
    }
    SceneEffect *found = &l->items.items[i];
    add_user(l, found, user);
    return (int)i;
}
