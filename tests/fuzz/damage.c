/*
 * damage - feeds damaged files to a fuzz harness
 *
 *     damage_FORMAT                   the corpus of the format, made in memory
 *     damage_FORMAT FILE...           these files
 *     damage_FORMAT --write FOLDER    writes the corpus, for the fuzzer to start from
 *
 * Each file goes in whole, cut at PLACES lengths, and PLACES times with one byte changed; the
 * places are the same in every run: the first HEAD of them, then scattered ones.  The harness ends
 * the program where a loader breaks a promise; the line on stderr then says with what.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "corpus.h"

enum { PLACES = 200, HEAD = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is being tried, for the handler of SIGABRT and SIGSEGV. */
static char trying[4096 + 64];

static void tell_what_was_tried(int number)
{
    const ssize_t n = write(STDERR_FILENO, trying, strlen(trying));
    (void)n;
    signal(number, SIG_DFL);
    raise(number);
}

static size_t place_of(int i, size_t size)
{
    if (i < HEAD || size <= PLACES)
        return (size_t)i % size;
    uint64_t x = ((uint64_t)i + 1) * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    return (size_t)((x ^ x >> 27) % size);
}

/* In a block of exactly its size, so that a sanitizer sees the first byte read behind it. */
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
    snprintf(trying, sizeof trying, "failed with %s, whole\n", name);
    feed(bytes.data, bytes.size);
    if (!bytes.size)
        return;
    uint8_t *changed = malloc(bytes.size);
    if (!changed)
        exit(1);
    memcpy(changed, bytes.data, bytes.size);
    for (int i = 0; i < PLACES; i++) {
        const size_t at = place_of(i, bytes.size);
        snprintf(trying, sizeof trying, "failed with %s, cut at %zu\n", name, at);
        feed(bytes.data, at);
        snprintf(trying, sizeof trying, "failed with %s, byte %zu xor %d\n", name, at,
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
    signal(SIGABRT, tell_what_was_tried);
    signal(SIGSEGV, tell_what_was_tried);
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
