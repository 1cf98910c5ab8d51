// SPDX-License-Identifier: MIT
#include "dispatch/stages.h"

#include <string.h>

#include <utf8proc.h>

#include "base/hash.h"
#include "film/film.h"
#include "inspect/resource_estimate.h"

const char *const stage_names[STAGE_KINDS] = {"bake", "shards", "join"};

enum { DEFAULT_CORES = 4 }; /* of a shard if render.workers is auto, and machines have as many */

static bool moves_bodies(const Scene *scene)
{
    for (size_t i = 0; i < scene->model_count; i++) {
        const SceneModel *m = &scene->models[i];
        if (m->spec.physics &&
            (m->model->dynamics.moving_count || m->model->soft.count || model_swings(m->model)))
            return true;
    }
    return scene->cloth_count > 0;
}

bool stages_need_bake(const Film *film)
{
    if (strcmp(film->job->physics.bake, "auto") != 0) /* a bake is given, or disabled */
        return false;
    for (size_t i = 0; i < film->scene_count; i++)
        if (moves_bodies(&film->scenes[i].scene))
            return true;
    return false;
}

/* Replaces control characters and line separators, for a comment of a shell script or YAML. */
static const char *single_line(const char *text, Arena *arena)
{
    char *copy = arena_strdup(arena, text), *out = copy;
    const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)text;
    utf8proc_int32_t code;
    utf8proc_ssize_t n;
    for (; *at && (n = utf8proc_iterate(at, -1, &code)) > 0; at += n) {
        const utf8proc_category_t category = utf8proc_category(code);
        if (category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_ZL ||
            category == UTF8PROC_CATEGORY_ZP)
            *out++ = '_';
        else
            out += utf8proc_encode_char(code, (utf8proc_uint8_t *)out);
    }
    *out = 0;
    return copy;
}

enum { OVERHEAD_MIB = 32 }; /* memory of the shell and other processes of the job */

static int to_mib(uint64_t bytes)
{
    return (int)(bytes / 10 * 11 >> 20) + OVERHEAD_MIB;
}

void stages_fill(Stages *stages, const Film *film, size_t loaded, Arena *arena)
{
    const int requested = film->job->render.workers;
    const bool is_small = stages->node_cores > 0 && stages->node_cores < DEFAULT_CORES;
    const int usual = is_small ? stages->node_cores : DEFAULT_CORES;
    const int cores = requested > 0 ? requested : usual;
    const int join_cores = film->preview_count ? cores : 1; /* join renders previews */
    const MemoryEstimate cost = estimate_memory(film, loaded, cores);

    stages->name = single_line(film->job->name, arena);
    stages->resources[STAGE_BAKE] = (StageResources){1, to_mib(cost.main)};
    stages->resources[STAGE_SHARDS] = (StageResources){cores, to_mib(cost.peak)};
    stages->resources[STAGE_JOIN] =
        (StageResources){join_cores, to_mib(film->preview_count ? cost.peak : cost.main)};
}

/* ---- as bytes ---- */

typedef struct StagesRecord {
    int bake;
    StageResources resources[STAGE_KINDS];
} StagesRecord; /* name and checkpoint follow, each terminated */

void stages_write(FILE *out, const Stages *stages)
{
    StagesRecord record = {.bake = stages->bake};
    memcpy(record.resources, stages->resources, sizeof record.resources);
    fwrite(&record, sizeof record, 1, out);
    fwrite(stages->name, strlen(stages->name) + 1, 1, out);
    fwrite(stages->checkpoint, strlen(stages->checkpoint) + 1, 1, out);
}

bool stages_load(Stages *stages, Bytes bytes, Arena *arena, Diag *diag)
{
    StagesRecord record = {0};
    const char *end = (const char *)bytes.data + bytes.size, *name = end, *checkpoint = end;
    if (bytes.size > sizeof record) {
        memcpy(&record, bytes.data, sizeof record);
        name = (const char *)bytes.data + sizeof record;
        checkpoint = name + strnlen(name, (size_t)(end - name));
        checkpoint += checkpoint < end;
    }
    bool good = record.bake == 0 || record.bake == 1;
    for (int i = 0; i < STAGE_KINDS; i++)
        good &= record.resources[i].cores > 0 && record.resources[i].memory_mib > 0;
    if (!good || checkpoint == end || checkpoint[0] == '\0' ||
        memchr(checkpoint, 0, (size_t)(end - checkpoint)) != end - 1)
        return diag_fail(diag, DIAG_INTERNAL, "loading the job gave a damaged result");
    stages->name = single_line(name, arena);
    stages->bake = record.bake;
    memcpy(stages->resources, record.resources, sizeof stages->resources);
    stages->checkpoint = arena_strdup(arena, checkpoint);
    return true;
}

/* ---- commands ---- */

static void add(StageCommand *list, const char *word, Arena *arena)
{
    *arena_push(arena, list) = word;
}

StageCommand stages_command(const Stages *stages, StageKind kind, Arena *arena)
{
    static const char *const verbs[STAGE_KINDS] = {"bake", "render", "join"};
    StageCommand list = {0};
    add(&list, stages->program, arena);
    add(&list, verbs[kind], arena);
    for (size_t i = 0; i < stages->argument_count; i++)
        add(&list, stages->arguments[i], arena);

    /* A bake is written to the checkpoint directory, where the other stages find it.  But -o of
     * bake is the bake file: if the film has an -o, which may affect the digest of the directory
     * (another codec), the bake is passed to all stages by name. */
    const char *bake = arena_printf(arena, "%s/bake/film.bake", stages->checkpoint);
    if (stages->output) {
        add(&list, "--output", arena);
        add(&list, kind == STAGE_BAKE ? bake : stages->output, arena);
    }
    if (stages->output && stages->bake && kind != STAGE_BAKE) {
        add(&list, "--set", arena);
        add(&list, arena_printf(arena, "physics.bake=%s", bake), arena);
    }
    if (kind == STAGE_SHARDS && stages->accept_renderer)
        add(&list, "--accept-renderer", arena);
    if (kind != STAGE_BAKE || !stages->output) {
        add(&list, "--state", arena);
        add(&list, stages->checkpoint, arena);
    }
    return list;
}

/* ---- labels ---- */

enum { DIGEST_DIGITS = 8 };

/* Letters in lower case and digits; any other run of bytes becomes one dash. */
static size_t simplify_name(char *out, size_t size, const char *name)
{
    size_t used = 0;
    for (const char *at = name; *at && used + 1 < size; at++) {
        const char letter = *at >= 'A' && *at <= 'Z' ? (char)(*at - 'A' + 'a') : *at;
        if (strchr("abcdefghijklmnopqrstuvwxyz0123456789", letter))
            out[used++] = letter;
        else if (used && out[used - 1] != '-')
            out[used++] = '-';
    }
    while (used && out[used - 1] == '-')
        used--;
    return used;
}

void stages_label(char out[STAGES_LABEL_SIZE], const Stages *stages)
{
    char digest[DIGEST_TEXT_SIZE];
    Hash *hash = hash_create();
    hash_add(hash, stages->name, strlen(stages->name) + 1);
    for (size_t i = 0; i < stages->argument_count; i++)
        hash_add(hash, stages->arguments[i], strlen(stages->arguments[i]) + 1);
    hash_add(hash, stages->checkpoint, strlen(stages->checkpoint) + 1);
    const Digest sum = hash_finish(hash);
    digest_text(digest, &sum);

    size_t used = simplify_name(out, STAGES_LABEL_SIZE - DIGEST_DIGITS - 1, stages->name);
    if (!used)
        used = simplify_name(out, STAGES_LABEL_SIZE - DIGEST_DIGITS - 1, "film");
    snprintf(out + used, STAGES_LABEL_SIZE - used, "-%.*s", DIGEST_DIGITS, digest);
}
