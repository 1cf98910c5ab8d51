/*
 * damage - runs a fuzz target on damaged files
 *
 *     damage_FORMAT                   the corpus of the format, made in memory
 *     damage_FORMAT FILE...           these files
 *     damage_FORMAT --write FOLDER    writes the corpus as seeds for libFuzzer
 *
 * The target gets each file unchanged, truncated at OFFSETS lengths, and OFFSETS times with one
 * byte changed.  The offsets are the same in every run: the first HEAD bytes, then scattered ones.
 * If the target aborts, a line on stderr describes the input.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "corpus.h"

enum { OFFSETS = 200, HEAD = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Description of the current input, for the handler of SIGABRT and SIGSEGV. */
static char current_input[4096 + 64];

static void report_input(int number)
{
    const ssize_t n = write(STDERR_FILENO, current_input, strlen(current_input));
    (void)n;
    signal(number, SIG_DFL);
    raise(number);
}

static size_t offset_of(int i, size_t size)
{
    if (i < HEAD || size <= OFFSETS)
        return (size_t)i % size;
    uint64_t x = ((uint64_t)i + 1) * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    return (size_t)((x ^ x >> 27) % size);
}

/* In a block of the exact size, so that a sanitizer detects a read past the end. */
static void feed(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    if (size)
        memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void damage(const char *name, Bytes bytes)
{
    static const uint8_t changes[] = {0xFF, 0x80, 0x01, 0x7F};
    snprintf(current_input, sizeof current_input, "failed with %s, unchanged\n", name);
    feed(bytes.data, bytes.size);
    if (!bytes.size)
        return;
    uint8_t *changed = malloc(bytes.size);
    if (!changed)
        exit(1);
    memcpy(changed, bytes.data, bytes.size);
    for (int i = 0; i < OFFSETS; i++) {
        const size_t at = offset_of(i, bytes.size);
        snprintf(current_input, sizeof current_input, "failed with %s, truncated at %zu\n", name,
                 at);
        feed(bytes.data, at);
        snprintf(current_input, sizeof current_input, "failed with %s, byte %zu xor %d\n", name, at,
                 changes[i % 4]);
        changed[at] ^= changes[i % 4];
        feed(changed, bytes.size);
        changed[at] = bytes.data[at];
    }
    free(changed);
}

static int write_corpus(const char *folder, const Corpus *corpus, Diag *diag)
{
    for (size_t i = 0; i < corpus->count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%zu", folder, i);
        if (!file_save(path, corpus->items[i].data, corpus->items[i].size, diag))
            return 1;
    }
    return 0;
}

static int damage_files(char **paths, int count, Diag *diag)
{
    for (int i = 0; i < count; i++) {
        Arena *arena = arena_create();
        Bytes bytes;
        diag_file(diag, paths[i]);
        const bool ok = file_load(&bytes, paths[i], FILE_MAX_SIZE, arena, diag);
        if (ok)
            damage(paths[i], bytes);
        arena_destroy(arena);
        if (!ok)
            return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    static const char prefix[] = "damage_";
    const char *name = path_name(argv[0]);
    const char *format = strncmp(name, prefix, strlen(prefix)) ? name : name + strlen(prefix);
    Diag diag;
    diag_init(&diag, NULL, NULL);
    signal(SIGABRT, report_input);
    signal(SIGSEGV, report_input);
    if (argc > 1 && strcmp(argv[1], "--write"))
        return damage_files(argv + 1, argc - 1, &diag);

    Arena *arena = arena_create();
    const Corpus corpus = corpus_make(format, arena);
    int status = 0;
    if (argc > 2)
        status = write_corpus(argv[2], &corpus, &diag);
    for (size_t i = 0; argc == 1 && i < corpus.count; i++) {
        char what[64];
        snprintf(what, sizeof what, "file %zu of the corpus", i);
        damage(what, corpus.items[i]);
    }
    arena_destroy(arena);
    return status;
}
