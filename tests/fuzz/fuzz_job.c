// SPDX-License-Identifier: MIT
/* Arbitrary job and --set: an error message, or a Job whose dump loads and dumps identically. */
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "job/job_options.h"
#include "job/job_scenes.h"
#include "job/job_visit.h"
#include "record/option_read.h"
#include "record/option_set.h"

/* `set` may be NULL. */
static bool load(Job *job, const YamlSource *source, const YamlSource *set, Arena *arena)
{
    Diag diag = fuzz_diag();
    YamlNode *root;
    OptionReader reader = {.directory = "", .arena = arena, .diag = &diag};
    const bool good = yaml_load(&root, source, arena, &diag) &&
                      (!set || option_set(root, &option_job, set, arena, &diag)) &&
                      job_scenes_complete(root, arena, &diag) &&
                      option_read(job, &option_job, root, &reader);
    fuzz_require(good || diag.errors > 0);
    return good;
}

static char *dump(const Job *job, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    fuzz_require(out != NULL);
    job_write(out, job);
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
        fuzz_require(load(&again, &source, NULL, arena));
        char *again_text = dump(&again, &again_size);
        fuzz_require(!strcmp(text, again_text));
        free(again_text);
    }
    free(text);
}

/* "key=value\0job": the bytes before the first NUL are the argument of --set. */
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
