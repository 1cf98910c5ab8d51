// SPDX-License-Identifier: MIT
/*
 * damage - runs a fuzz target on damaged files
 *
 *     damage FORMAT                    the corpus of the format, made in memory, and
 * tests/fuzz/corpus damage FORMAT FILE...            these files damage FORMAT --write DIRECTORY
 * writes the corpus as seeds for libFuzzer damage FORMAT --mutate N FILE    N mutants of the
 * corpus, each saved to FILE before it is run
 *
 * The target gets each file unchanged, truncated at OFFSETS lengths, OFFSETS times with one byte
 * changed, as MUTANTS mutants (mutate.h), and with each float of a format that has a grammar set to
 * huge, tiny and not finite values.  All are the same in every run: the offsets are the
 * first HEAD bytes, then scattered ones.  Of tests/fuzz/corpus, inputs that fuzzing found, each
 * file is fed unchanged.  If the target aborts, a line on stderr describes the input.
 */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "corpus.h"
#include "damage.h"
#include "grammars.h"
#include "layout.h"
#include "mutate.h"

enum { OFFSETS = 200, HEAD = 64, MUTANTS = 200, MUTANT_SIZE = 64 * 1024 };

/* The target of the format that was asked for. */
static FuzzTarget *target;

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
    target(copy, size);
    free(copy);
}

static void feed_unchanged(const char *name, Bytes bytes)
{
    snprintf(current_input, sizeof current_input, "failed with %s, unchanged\n", name);
    feed(bytes.data, bytes.size);
}

/* Not by file_save, which would wait for the disk each time. */
static void save_mutant(const char *path, const Buffer *buffer)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(buffer->data, 1, buffer->size, file) != buffer->size || fclose(file) != 0)
        exit(1);
}

/* Half of the mutants are changed further.  Each is written to `save` first, unless it is NULL. */
static void feed_mutants(const char *name, Bytes bytes, size_t count, const char *save)
{
    const char *format = strrchr(name, ' ') + 1;
    Random random = {count + bytes.size};
    Buffer buffer = {malloc(MUTANT_SIZE), 0, MUTANT_SIZE};
    if (!buffer.data || bytes.size > MUTANT_SIZE)
        exit(1);
    for (size_t i = 0; i < count; i++) {
        if (!buffer.size || random_below(&random, 2)) {
            memcpy(buffer.data, bytes.data, bytes.size);
            buffer.size = bytes.size;
        }
        if (!mutate(&buffer, format, &random))
            break;
        snprintf(current_input, sizeof current_input, "failed with mutant %zu of %s\n", i, name);
        if (save)
            save_mutant(save, &buffer);
        feed(buffer.data, buffer.size);
    }
    free(buffer.data);
}

static void damage(const char *name, Bytes bytes)
{
    static const uint8_t changes[] = {0xFF, 0x80, 0x01, 0x7F};
    feed_unchanged(name, bytes);
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

/* Little-endian floats that a loader must refuse or bound: each field is set to each of them. */
static void damage_float(const char *name, uint8_t *data, size_t size, const Field *field)
{
    static const float values[] = {3e38f, -3e38f, 1e-40f, INFINITY, NAN};
    uint8_t before[sizeof *values];
    memcpy(before, data + field->offset, sizeof before);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        snprintf(current_input, sizeof current_input, "failed with %s, %g at %zu\n", name,
                 (double)values[i], field->offset);
        memcpy(data + field->offset, &values[i], sizeof values[i]);
        feed(data, size);
    }
    memcpy(data + field->offset, before, sizeof before);
}

static void damage_floats(const char *name, const char *format, Bytes bytes)
{
    const Grammar *grammar = grammar_find(format, bytes.data, bytes.size);
    Layout *layout = malloc(sizeof *layout);
    uint8_t *changed = malloc(bytes.size + 1);
    if (!layout || !changed)
        exit(1);
    memcpy(changed, bytes.data, bytes.size);
    if (!strcmp(format, "evaluate"))
        changed[0] |= 128; /* three frames (fuzz_evaluate.c) */
    if (grammar && grammar->layout)
        layout_read(layout, grammar->layout, bytes.data, bytes.size);
    for (size_t i = 0; grammar && grammar->layout && i < layout->count; i++)
        if (layout->fields[i].kind == FIELD_FLOAT && layout->fields[i].size == sizeof(float))
            damage_float(name, changed, bytes.size, &layout->fields[i]);
    free(changed);
    free(layout);
}

static int write_corpus(const char *directory, const Corpus *corpus, Diag *diag)
{
    for (size_t i = 0; i < corpus->count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%zu", directory, i);
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

/* The files of a directory; none if it does not exist. */
static int feed_directory(const char *directory, Diag *diag)
{
    DIR *entries = opendir(directory);
    int status = 0;
    for (struct dirent *entry; entries && (entry = readdir(entries)) != NULL;) {
        char path[4096];
        Arena *arena = arena_create();
        Bytes bytes;
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        if (entry->d_name[0] != '.' && file_load(&bytes, path, FILE_MAX_SIZE, arena, diag))
            feed_unchanged(path, bytes);
        else if (entry->d_name[0] != '.')
            status = 1;
        arena_destroy(arena);
    }
    if (entries)
        closedir(entries);
    return status;
}

/* Whether the grammar of a binary format describes the file to its end. */
static bool is_described(const char *name, const char *format, Bytes bytes)
{
    const Grammar *grammar = grammar_find(format, bytes.data, bytes.size);
    if (!grammar || !grammar->layout)
        return true;
    Layout *layout = malloc(sizeof *layout);
    if (!layout)
        return false;
    layout_read(layout, grammar->layout, bytes.data, bytes.size);
    size_t end = 0;
    for (size_t i = 0; i < layout->count; i++)
        if (layout->fields[i].offset + layout->fields[i].size > end)
            end = layout->fields[i].offset + layout->fields[i].size;
    free(layout);
    if (end != bytes.size)
        fprintf(stderr, "%s: the grammar ends at %zu of %zu\n", name, end, bytes.size);
    return end == bytes.size;
}

static int damage_all(const Corpus *corpus, const char *format, Diag *diag)
{
    char name[256];
    for (size_t i = 0; i < corpus->count; i++) {
        snprintf(name, sizeof name, "file %zu of the corpus of %s", i, format);
        if (!is_described(name, format, corpus->items[i]))
            return 1;
        damage(name, corpus->items[i]);
        feed_mutants(name, corpus->items[i], MUTANTS, NULL);
        damage_floats(name, format, corpus->items[i]);
    }
    snprintf(name, sizeof name, "tests/fuzz/corpus/%s", format);
    return feed_directory(name, diag);
}

static int mutate_all(const Corpus *corpus, const char *format, size_t count, const char *save)
{
    for (size_t i = 0; i < corpus->count; i++) {
        char name[256];
        snprintf(name, sizeof name, "file %zu of the corpus of %s", i, format);
        feed_mutants(name, corpus->items[i], count / corpus->count + 1, save);
    }
    return 0;
}

static FuzzTarget *find_target(const char *format)
{
    const DamageFormat *row = DAMAGE_FORMATS;
    while (row->name && strcmp(row->name, format) != 0)
        row++;
    return row->target;
}

int main(int argc, char **argv)
{
    const char *format = argc > 1 ? argv[1] : "";
    Diag diag;
    diag_init(&diag, NULL, NULL);
    target = find_target(format);
    if (!target) {
        fprintf(stderr, "usage: damage FORMAT [FILE... | --write DIRECTORY | --mutate N FILE]\n");
        return 2;
    }
    signal(SIGABRT, report_input);
    signal(SIGSEGV, report_input);
    if (argc > 2 && strncmp(argv[2], "--", 2) != 0)
        return damage_files(argv + 2, argc - 2, &diag);

    Arena *arena = arena_create();
    const Corpus corpus = corpus_make(format, arena);
    int status = 2;
    if (argc == 2)
        status = damage_all(&corpus, format, &diag);
    else if (argc == 4 && !strcmp(argv[2], "--write"))
        status = write_corpus(argv[3], &corpus, &diag);
    else if (argc == 5 && !strcmp(argv[2], "--mutate"))
        status = mutate_all(&corpus, format, strtoul(argv[3], NULL, 10), argv[4]);
    arena_destroy(arena);
    return status;
}
