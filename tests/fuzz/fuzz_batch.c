/* Any manifest: refused with a message, or jobs with names, whose values read back as they were. */
#include <stdlib.h>
#include <string.h>

#include "dispatch/batch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Asked by the leak sanitizer: libfyaml 0.7 loses a buffer when a long quoted text goes wrong. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
    return "leak:libfyaml";
}

static void ignore(void *user, DiagLevel level, const char *message)
{
    (void)user, (void)level, (void)message;
}

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
    const char *text = batch_set_text(value, arena);
    const size_t key = strlen(value->key->text);
    const YamlSource source = {"--set", text, strlen(text), key + 1};
    YamlNode *back;
    /* one line may be too long, or too deep by one, for a document of its own */
    if (source.size < YAML_MAX_SIZE / 2 && text[key] == '=' &&
        yaml_load(&back, &source, arena, diag) && !same(value, back))
        abort();
    arena_destroy(arena);
}

static void check(const Batch *batch, Diag *diag)
{
    if (!batch->job_count || batch->job_count > BATCH_MAX_JOBS)
        abort();
    for (size_t i = 0; i < batch->job_count && i < 100; i++) {
        const BatchJob *job = &batch->jobs[i];
        if (!job->name[0] || strlen(job->name) > BATCH_NAME_SIZE || strchr(job->name, '/'))
            abort();
        for (size_t k = 0; k < job->layer_count; k++)
            for (const YamlNode *value = job->layers[k]->first; value; value = value->next)
                check_value(value, diag);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST_PER_BYTE = 2048, MOST_MORE = 16 * 1024 * 1024 };
    Arena *arena = arena_create();
    Diag diag;
    diag_init(&diag, ignore, NULL);
    const YamlSource source = {.name = "a.yaml", .text = (const char *)data, .size = size};
    Batch batch;
    if (batch_read(&batch, &source, "/f/", arena, &diag))
        check(&batch, &diag);
    else if (diag.errors == 0)
        abort();
    if (arena_bytes(arena) > MOST_PER_BYTE * size + MOST_MORE)
        abort();
    arena_destroy(arena);
    return 0;
}
