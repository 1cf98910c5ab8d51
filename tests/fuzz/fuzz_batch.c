// SPDX-License-Identifier: MIT
/* Arbitrary manifest: an error message, or named jobs whose values survive a round trip as text. */
#include <string.h>

#include "dispatch/batch.h"
#include "fuzz.h"

static bool same(const YamlNode *a, const YamlNode *b)
{
    if (yaml_is_null(a) || yaml_is_null(b))
        return yaml_is_null(a) && yaml_is_null(b);
    if (a->kind != b->kind || a->count != b->count || strcmp(a->text, b->text) != 0)
        return false;
    for (a = a->first, b = b->first; a; a = a->next, b = b->next)
        if ((a->key && strcmp(a->key->text, b->key->text) != 0) || !same(a, b))
            return false;
    return true;
}

static void check_value(const YamlNode *value, Diag *diag)
{
    Arena *arena = arena_create();
    const char *text = batch_set_argument(value, arena);
    const size_t key = strlen(value->key->text);
    const YamlSource source = {"--set", text, strlen(text), key + 1};
    YamlNode *back;
    /* A single value may be too long, or nested one level too deep, for a document of its own. */
    if (source.size < YAML_MAX_SIZE / 2 && text[key] == '=' &&
        yaml_load(&back, &source, arena, diag))
        fuzz_require(same(value, back));
    arena_destroy(arena);
}

static void check(const Batch *batch, Diag *diag)
{
    fuzz_require(batch->job_count && batch->job_count <= BATCH_MAX_JOBS);
    for (size_t i = 0; i < batch->job_count && i < 100; i++) {
        const BatchJob *job = &batch->jobs[i];
        fuzz_require(job->name[0] && strlen(job->name) <= BATCH_NAME_SIZE &&
                     !strchr(job->name, '/'));
        for (size_t k = 0; k < job->layer_count; k++)
            for (const YamlNode *value = job->layers[k]->first; value; value = value->next)
                check_value(value, diag);
    }
}

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    const YamlSource source = {
        .name = "a.yaml", .text = (const char *)bytes.data, .size = bytes.size};
    Batch batch;
    if (!batch_parse(&batch, &source, "/f/", arena, diag))
        return false;
    check(&batch, diag);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_loader(load, data, size, 2048 * size + 16 * 1024 * 1024);
}
