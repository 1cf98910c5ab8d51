// SPDX-License-Identifier: MIT
#include "effect_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "shared_data.h"

static bool read_text(void *user, EffectText *text, const char *path)
{
    for (const EffectFile *file = user; file && file->path; file++)
        if (text_equal_ignoring_case(file->path, path)) {
            *text = (EffectText){file->text, strlen(file->text)};
            return true;
        }
    return false;
}

static bool load(EffectFixture *fixture, const EffectSource *source)
{
    fixture->effect = NULL;
    return effect_load(&fixture->effect, source, fixture->arena, &fixture->log.diag);
}

bool effect_fixture_load(EffectFixture *fixture, const char *text, const EffectFile *files)
{
    EffectFile *list = NULL; /* the callback takes no const */
    size_t count = 0;
    fixture->arena = arena_create();
    diag_log_init(&fixture->log);
    for (; files && files[count].path; count++) {
    }
    list = arena_array(fixture->arena, EffectFile, count + 1);
    for (size_t i = 0; i < count; i++)
        list[i] = files[i];
    const EffectSource source = {
        .name = "pack/a.fx", .text = {text, strlen(text)}, .read = read_text, .user = list};
    return load(fixture, &source);
}

bool effect_fixture_shader(EffectFixture *fixture, const char *globals, const char *statements)
{
    Arena *scratch = arena_create();
    const char *text = arena_printf(
        scratch,
        "%s\n"
        "float4 V(float4 p : POSITION, out float4 t : TEXCOORD0) : POSITION { t = p; return p; }\n"
        "float4 P(float4 t : TEXCOORD0) : COLOR { float4 o = 0; %s return o; }\n"
        "technique T { pass P0 { VertexShader = compile vs_3_0 V();"
        " PixelShader = compile ps_3_0 P(); } }\n",
        globals, statements);
    const bool loaded = effect_fixture_load(fixture, text, NULL);
    arena_destroy(scratch);
    return loaded;
}

void effect_fixture_finish(EffectFixture *fixture)
{
    arena_destroy(fixture->arena);
}

const EffectShader *effect_fixture_fragment(const EffectFixture *fixture)
{
    return fixture->effect->techniques[0].passes[0].fragment;
}

static bool read_file(void *user, EffectText *text, const char *path)
{
    EffectFixture *fixture = user;
    Diag diag = diag_quiet();
    Bytes bytes;
    const char *real = path_resolve_input("", path, fixture->arena);
    if (!path_is_file(real) || !file_load(&bytes, real, EFFECT_MAX_TEXT, fixture->arena, &diag))
        return false;
    *text = (EffectText){bytes.data, bytes.size};
    return true;
}

bool effect_fixture_source(EffectFixture *fixture, EffectSource *source, const char *path)
{
    Bytes bytes;
    fixture->arena = arena_create();
    fixture->effect = NULL;
    diag_log_init(&fixture->log);
    if (!file_load(&bytes, path, EFFECT_MAX_TEXT, fixture->arena, &fixture->log.diag))
        return false;
    *source = (EffectSource){
        .name = path, .text = {bytes.data, bytes.size}, .read = read_file, .user = fixture};
    return true;
}

bool effect_fixture_open(EffectFixture *fixture, const char *path)
{
    EffectSource source;
    return effect_fixture_source(fixture, &source, path) && load(fixture, &source);
}

static int compare_names(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

/* Appends the effects of a directory and of those in it. */
static void find_effects(EffectPaths *out, const char *directory, Arena *arena)
{
    const ArchiveNames names = path_list_names(directory, arena);
    const char **sorted = arena_array(arena, const char *, names.count);
    for (size_t i = 0; i < names.count; i++)
        sorted[i] = names.items[i];
    qsort(sorted, names.count, sizeof *sorted, compare_names);
    for (size_t i = 0; i < names.count; i++) {
        const char *path = arena_printf(arena, "%s%s", directory, sorted[i]);
        if (text_equal_ignoring_case(path_extension(path), "fx"))
            *arena_push(arena, out) = path;
        else if (!path_is_file(path))
            find_effects(out, arena_printf(arena, "%s/", path), arena);
    }
}

EffectPaths effect_fixture_packages(Arena *arena)
{
    EffectPaths out = {0};
    find_effects(&out, arena_printf(arena, "%seffects/", shared_data_directory()), arena);
    if (!out.count)
        fprintf(stderr, "skipped: no effects in %s\n", shared_data_directory());
    return out;
}
