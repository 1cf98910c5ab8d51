/* Any job, with any --set: refused with a message, or a Job whose dump loads and dumps the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job/option_read.h"
#include "job/option_set.h"
#include "job/option_text.h"

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

/* `set` NULL: none. */
static bool load(Job *job, const YamlSource *source, const YamlSource *set, Arena *arena)
{
    Diag diag;
    YamlNode *root;
    diag_init(&diag, ignore, NULL);
    OptionReader reader = {.folder = "", .arena = arena, .diag = &diag};
    const bool good = yaml_load(&root, source, arena, &diag) &&
                      (!set || option_set(root, set, arena, &diag)) &&
                      option_read(job, &option_job, root, &reader);
    if (!good && diag.errors == 0)
        abort();
    return good;
}

static char *dump(const Job *job, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (!out)
        abort();
    option_dump(out, job);
    fclose(out);
    return text;
}

static void check_dump(const Job *job, Arena *arena)
{
    size_t size, again_size;
    Job again;
    char *text = dump(job, &size);
    const YamlSource source = {.name = "dump", .text = text, .size = size};
    if (size <= YAML_MAX_SIZE) {
        if (!load(&again, &source, NULL, arena))
            abort();
        char *again_text = dump(&again, &again_size);
        if (strcmp(text, again_text) != 0)
            abort();
        free(again_text);
    }
    free(text);
}

/* "key=value\0job": the part before a zero byte is a --set. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena *arena = arena_create();
    const uint8_t *zero = size ? memchr(data, '\0', size) : NULL;
    const size_t start = zero ? (size_t)(zero - data) + 1 : 0;
    const YamlSource source = {
        .name = "job", .text = (const char *)data + start, .size = size - start};
    const char *set = (const char *)data, *equals = zero ? strchr(set, '=') : NULL;
    const YamlSource value = {.name = "--set",
                              .text = set,
                              .size = start ? start - 1 : 0,
                              .start = equals ? (size_t)(equals - set) + 1 : 0};
    Job job;

    if (load(&job, &source, zero ? &value : NULL, arena))
        check_dump(&job, arena);
    arena_destroy(arena);
    return 0;
}
