// SPDX-License-Identifier: MIT
/* info: bone trees, textures, motions beside a model; what a hostile model shows */

#include <stdio.h>
#include <string.h>

#include "base/text_stream.h"
#include "film_fixture.h"
#include "format/model/pmx.h"
#include "inspect/info.h"
#include "model_fixture.h"
#include "record/json_read.h"
#include "unit_test.h"

static const char *info(FilmFixture *f, const char *name, const InfoOptions *options)
{
    TextStream stream;
    FILE *out = text_stream_open(&stream, f->arena);
    const bool good = info_write(out, film_fixture_path(f, name), options, &f->log.diag);
    const char *text = text_stream_close(&stream);
    if (!good)
        fail_msg("%s: %s", name, f->log.text);
    return text;
}

static void expect(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no '%s' in:\n%s", part, text);
}

static void expect_json(FilmFixture *f, const char *text)
{
    unsigned line;
    if (!json_read(&line, text, strlen(text), f->arena))
        fail_msg("line %u is not JSON: %s", line, text);
}

static void save_model(FilmFixture *f, const char *name, const PmxModel *model)
{
    const Bytes bytes = pmx_write(model, (PmxWriteOptions){0}, f->arena);
    assert_true(file_save(film_fixture_path(f, name), bytes.data, bytes.size, &f->log.diag));
}

/* 0 root, 1 its child with a child 2 of its own, 3 a second child; 4 a second root. */
static PmxModel make_tree(Arena *arena)
{
    PmxModel model = fixture_leg(arena);
    static const int32_t parents[] = {-1, 0, 1, 0, -1};
    for (uint32_t i = 0; i < model.bone_count; i++)
        model.bones[i].parent = parents[i];
    model.bones[2].name_en = "knee";
    model.bones[3].layer = 2;
    model.bones[3].flags |= PMX_BONE_APPEND_ROTATION | PMX_BONE_AFTER_PHYSICS;
    model.bones[3].append_source = 1;
    model.bones[3].append_ratio = -0.5f;
    return model;
}

static void shows_bone_trees(void **state)
{
    FilmFixture f;
    (void)state;
    film_fixture_make(&f);
    const PmxModel model = make_tree(f.arena);
    save_model(&f, "tree.pmx", &model);
    const char *text = info(&f, "tree.pmx", &(InfoOptions){.bones = true});
    expect(text, "  bone tree:\n"
                 "    センター\n"
                 "    ├ 左足\n"
                 "    │ └ 左ひざ (knee)\n"
                 "    └ 左足首, -0.5 of 左足, layer 2, after physics\n"
                 "    左足ＩＫ, IK of 左足首, layer 1\n");
    assert_null(strstr(info(&f, "tree.pmx", &(InfoOptions){0}), "bone tree"));
    text = info(&f, "tree.pmx", &(InfoOptions){.bones = true, .json = true});
    expect_json(&f, text);
    expect(text, "\"bone_tree\":[{\"name\":\"センター\",\"name_en\":");
    expect(text, "\"parent\":1,\"layer\":0,\"ik\":false,\"physics\":false}");
    film_fixture_remove(&f);
}

enum { DEEP = 20000 };

/* A chain as deep as it is long must not print an indent of its depth, nor recurse. */
static void survives_deep_chains(void **state)
{
    FilmFixture f;
    (void)state;
    film_fixture_make(&f);
    PmxModel model = fixture_bone_only(f.arena);
    model.bones = arena_array(f.arena, PmxBone, DEEP);
    model.bone_count = DEEP;
    for (int32_t i = 0; i < DEEP; i++)
        model.bones[i] = fixture_bone("b\x1B<", i - 1, 0, 0, 0);
    save_model(&f, "deep.pmx", &model);
    const char *text = info(&f, "deep.pmx", &(InfoOptions){.bones = true});
    assert_true(strlen(text) < 50 * DEEP);
    expect(text, "(19999 levels) b\\x1B<\n");
    assert_null(strchr(text, '\x1B'));
    film_fixture_remove(&f);
}

static void reports_textures(void **state)
{
    FilmFixture f;
    (void)state;
    film_fixture_make(&f);
    PmxModel model = fixture_quad(f.arena);
    const char *names[] = {"quad.png", "QUAD.PNG", "C:\\author\\quad.png",
                           "quad.tga", "lost.png", "toon03.bmp"};
    model.textures = names;
    model.texture_count = 6;
    model.materials[0].texture = 0;
    save_model(&f, "textures.pmx", &model);
    const char *text = info(&f, "textures.pmx", &(InfoOptions){0});
    expect(text, "  texture C:\\author\\quad.png: found by its name only: ");
    expect(text, "  texture quad.tga: found with another extension: ");
    expect(text, "  texture lost.png: missing; looked below ");
    expect(text, "  missing_textures: 1\n");
    assert_null(strstr(text, "toon03"));
    assert_null(strstr(text, "texture quad.png:"));
    expect(info(&f, "textures.pmx", &(InfoOptions){.names = true}), "  texture quad.png: found: ");
    text = info(&f, "textures.pmx", &(InfoOptions){.json = true});
    expect_json(&f, text);
    expect(text, "{\"name\":\"lost.png\",\"state\":\"missing\",\"file\":null}");
    film_fixture_remove(&f);
}

static void compares_motions_with_models(void **state)
{
    FilmFixture f;
    (void)state;
    film_fixture_make(&f);
    const char *model = film_fixture_path(&f, "strip.pmx");
    const char *text = info(&f, "move.vmd", &(InfoOptions){.model = model});
    expect(text, "  fit: 1 of ");
    expect(text, " of strip.pmx\n");
    text = info(&f, "move.vmd", &(InfoOptions){.model = model, .json = true});
    expect_json(&f, text);
    expect(text, "\"fit\":{\"model\":\"");
    expect(text, "\"bones_found\":1,");
    text = info(&f, "camera.vmd", &(InfoOptions){.model = model});
    expect(text, "  fit: 0 of 1 bone and 0 of 1 morph of strip.pmx\n");
    expect(text, "  missing_bones: 'head'\n  missing_morphs: 'smile'\n");
    text = info(&f, "camera.vmd", &(InfoOptions){.json = true});
    expect_json(&f, text);
    expect(text, "\"keys_per_second\":[");
    expect(text, "\"cut_frames\":[");

    TextStream stream;
    const InfoOptions missing = {.model = film_fixture_path(&f, "none.pmx")};
    assert_false(info_write(text_stream_open(&stream, f.arena), film_fixture_path(&f, "move.vmd"),
                            &missing, &f.log.diag));
    assert_string_equal(text_stream_close(&stream), "");
    assert_int_equal(f.log.diag.kind, DIAG_MISSING);
    film_fixture_remove(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_bone_trees),
        cmocka_unit_test(survives_deep_chains),
        cmocka_unit_test(reports_textures),
        cmocka_unit_test(compares_motions_with_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
