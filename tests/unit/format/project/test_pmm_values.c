// SPDX-License-Identifier: MIT
/* pmm: values of a project at their limits, by edits of the fixture's bytes (format/README.md 2) */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "diag_log.h"
#include "format/project/pmm.h"
#include "pmm_fixture.h"
#include "unit_test.h"

typedef struct Project {
    Arena *arena;
    ByteList *list;
    PmmProject project;
    DiagLog log;
} Project;

static void make(Project *p)
{
    p->arena = arena_create();
    p->list = arena_array(p->arena, ByteList, 1);
    pmm_put_all(p->list);
}

static bool load(Project *p)
{
    diag_log_init(&p->log);
    return pmm_load(&p->project, (Bytes){p->list->data, p->list->size}, NULL, p->arena,
                    &p->log.diag);
}

static void must_load(Project *p, const char *what)
{
    if (!load(p))
        fail_msg("%s: %s", what, p->log.text);
}

static void put_u32(Project *p, size_t at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        p->list->data[at + (size_t)i] = (uint8_t)(value >> 8 * i);
}

static void put_f32(Project *p, size_t at, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(p, at, bits);
}

/* The first place of these bytes. */
static size_t find(const Project *p, const void *bytes, size_t size)
{
    const uint8_t *at = memmem(p->list->data, p->list->size, bytes, size);
    assert_non_null(at);
    return (size_t)(at - p->list->data);
}

typedef struct Floats {
    const char *what;
    float values[7];
    size_t count;
    size_t to_count; /* bytes from their start to the number of later keys */
    size_t key_size; /* of a later key */
    const char *counted;
} Floats;

/* The values of the first keys, and what follows them.  Sizes of keys, by field:
 *   bone      number 4, base 12, curves 16, translation and rotation 28, flags 2
 *   morph     number 4, base 12, weight 4, flag 1
 *   model     number 4, base 12, visible 1, one IK 1, one parent 8, flag 1
 *   camera    number 4, base 12, distance 4, target and rotation 24, parent 8, curves 24,
 *             perspective 1, view angle 4, flag 1
 *   light     number 4, base 12, color and direction 24, flag 1
 *   accessory number 4, base 12, drawn 1, parent 8, position, rotation and scale 28, flags 2
 *   shadow    number 4, base 12, mode 1, distance 4, flag 1
 *   gravity   number 4, base 12, noise 5, acceleration and direction 16, flag 1 */
static const Floats FLOATS[] = {
    {"bone key", {5, 2, 3, 0, 0, 0, 1}, 7, 30, 62, "bone key"},
    {"morph key", {0.25f}, 1, 5, 21, "morph key"},
    {"later morph key", {0.75f}, 1, 28, 27, "model key"},
    {"camera key", {-45, 0, 10, 0, 0.5f, 0, 0}, 7, 66, 82, "camera key"},
    {"light key", {0.6f, 0.5f, 0.4f, -0.5f, -1, 0.5f}, 6, 25, 41, "light key"},
    {"accessory key", {1, 2, 3, 0, 1.5707964f, 0, 2}, 7, 30, 55, "accessory key"},
    {"self-shadow key", {0.01f}, 1, 5, 22, "self-shadow key"},
    {"gravity", {9.8f, 0, -0.5f, 0}, 4, 17, 38, "gravity key"},
    {"later bone key", {6, 2, 3, 0, 0, 0, 1}, 7, 0, 0, NULL},
    {"later light key", {0.1f, 0.2f, 0.3f, 0, -1, 0}, 6, 0, 0, NULL},
    {"edge width", {1.5f}, 1, 0, 0, NULL},
    {"frame rate", {60}, 1, 0, 0, NULL},
};
enum { FLOATS_COUNT = sizeof FLOATS / sizeof *FLOATS };

static void values_are_checked(void **state)
{
    (void)state;
    static const float good[] = {VMD_MAX_VALUE, -VMD_MAX_VALUE, 0};
    static const float bad[] = {NAN, INFINITY, -INFINITY, VMD_MAX_VALUE * 1.000001f,
                                -VMD_MAX_VALUE * 1.000001f};
    for (size_t i = 0; i < FLOATS_COUNT; i++)
        for (size_t k = 0; k < FLOATS[i].count; k++) {
            Project p;
            make(&p);
            const size_t at = find(&p, FLOATS[i].values, FLOATS[i].count * sizeof(float)) + 4 * k;
            const bool product = !strcmp(FLOATS[i].what, "gravity"); /* of two limited values */
            for (size_t v = 0; v < sizeof good / sizeof *good && !product; v++) {
                put_f32(&p, at, good[v]);
                must_load(&p, FLOATS[i].what);
            }
            for (size_t v = 0; v < sizeof bad / sizeof *bad; v++) {
                put_f32(&p, at, bad[v]);
                if (load(&p) || !strstr(p.log.text, "a value is not finite or exceeds"))
                    fail_msg("%s, value %zu: %g accepted; %s", FLOATS[i].what, k, (double)bad[v],
                             p.log.text);
            }
            arena_destroy(p.arena);
        }
}

/* A number of keys is accepted if that many could follow in the file. */
static void counts_are_checked(void **state)
{
    (void)state;
    for (size_t i = 0; i < FLOATS_COUNT; i++) {
        if (!FLOATS[i].counted)
            continue;
        Project p;
        char message[100];
        make(&p);
        const size_t at =
            find(&p, FLOATS[i].values, FLOATS[i].count * sizeof(float)) + FLOATS[i].to_count;
        const size_t most = (p.list->size - at - 4) / FLOATS[i].key_size;
        snprintf(message, sizeof message, "%s count %zu exceeds the file size (at most %zu)",
                 FLOATS[i].counted, most + 1, most);
        put_u32(&p, at, (uint32_t)most + 1);
        if (load(&p) || !strstr(p.log.text, message))
            fail_msg("%s\n%s", message, p.log.text);
        put_u32(&p, at, (uint32_t)most);
        if (load(&p) || strstr(p.log.text, "exceeds the file size (at most"))
            fail_msg("%s: %zu: %s", FLOATS[i].counted, most, p.log.text);
        put_u32(&p, at, UINT32_MAX);
        assert_false(load(&p));
        assert_non_null(strstr(p.log.text, "count 4294967295 exceeds the file size"));
        arena_destroy(p.arena);
    }
}

/* Cut before the edge color and the background that follow the self-shadow keys, the file is
 * refused; what follows them is not read. */
static void no_part_is_a_project(void **state)
{
    (void)state;
    Project p;
    make(&p);
    const size_t size = find(&p, FLOATS[6].values, 4) + 5 + 4 + 3 * 4 + 1;
    for (size_t i = 0; i <= size; i++) {
        Arena *arena = arena_create();
        diag_log_init(&p.log);
        if (pmm_load(&p.project, (Bytes){p.list->data, i}, NULL, arena, &p.log.diag) != (i == size))
            fail_msg("%zu of %zu bytes: %s", i, size, p.log.text);
        arena_destroy(arena);
    }
    arena_destroy(p.arena);
}

/* Models have at least 400 bytes, accessories 356. */
static void counts_of_objects(void **state)
{
    (void)state;
    Project p;
    char hat[100] = "hat";
    make(&p);
    enum { MODELS_AT = 30 + 4 + 4 + 4 + 4 + 7 + 1 };
    assert_int_equal(p.list->data[MODELS_AT], 2);
    const size_t hat_at = find(&p, hat, sizeof hat) - 1;
    assert_int_equal(p.list->data[hat_at], 1);
    const struct {
        size_t at, each;
        const char *what;
    } rows[] = {{MODELS_AT, 400, "model"}, {hat_at, 356, "accessory"}};
    for (size_t i = 0; i < 2; i++) {
        const uint8_t before = p.list->data[rows[i].at];
        const size_t most = (p.list->size - rows[i].at - 1) / rows[i].each;
        char message[100];
        snprintf(message, sizeof message, "%s count %zu exceeds the file size", rows[i].what,
                 most + 1);
        p.list->data[rows[i].at] = (uint8_t)(most + 1);
        assert_false(load(&p));
        assert_non_null(strstr(p.log.text, message));
        p.list->data[rows[i].at] = (uint8_t)most;
        assert_false(load(&p));
        assert_null(strstr(p.log.text, message + strlen(rows[i].what)));
        p.list->data[rows[i].at] = before;
    }
    must_load(&p, "restored");
    arena_destroy(p.arena);
}

static void frames_to_play(void **state)
{
    (void)state;
    static const struct {
        bool has_begin, has_end;
        int begin, end;         /* in the file */
        int out_begin, out_end; /* -1: none */
    } rows[] = {
        {true, true, 5, 25, 5, 25},    {false, true, 5, 25, -1, 25}, {true, false, 5, 25, 5, -1},
        {false, false, 5, 25, -1, -1}, {true, true, 25, 25, 25, 25}, {true, true, 26, 25, 26, -1},
        {true, true, 0, 0, 0, 0},      {true, true, -1, 25, -1, 25}, {true, true, -2, -1, -1, -1},
    };
    Project p;
    make(&p);
    const size_t at = find(&p, "wav\\song.wav", 12) - 11;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        p.list->data[at] = rows[i].has_begin;
        p.list->data[at + 1] = rows[i].has_end;
        put_u32(&p, at + 2, (uint32_t)rows[i].begin);
        put_u32(&p, at + 6, (uint32_t)rows[i].end);
        must_load(&p, "range");
        if (p.project.begin != rows[i].out_begin || p.project.end != rows[i].out_end)
            fail_msg("row %zu: %d to %d", i, (int)p.project.begin, (int)p.project.end);
    }
    arena_destroy(p.arena);
}

static void files_that_are_switched_off(void **state)
{
    (void)state;
    Project p;
    make(&p);
    const size_t audio = find(&p, "wav\\song.wav", 12), video = find(&p, "AVI\\off.avi", 11);
    const size_t image = find(&p, "bg.png", 6);
    p.list->data[audio - 1] = 0;
    put_u32(&p, video + 256, 0x100);
    p.list->data[image + 256] = 0;
    must_load(&p, "switched");
    assert_null(p.project.audio);
    assert_null(p.project.image.path);
    assert_string_equal(p.project.video.path, "AVI\\off.avi");
    p.list->data[video] = 0; /* no name */
    must_load(&p, "no name");
    assert_null(p.project.video.path);
    arena_destroy(p.arena);
}

static void camera_and_shadow(void **state)
{
    (void)state;
    static const uint32_t angles[][2] = {{0, 1},     {1, 1},     {2, 2},           {178, 178},
                                         {179, 179}, {180, 179}, {UINT32_MAX, 179}};
    static const uint8_t points[][2] = {{0, 0}, {127, 127}, {128, 127}, {255, 127}};
    Project p;
    make(&p);
    const size_t camera = find(&p, FLOATS[3].values, 28);
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        put_u32(&p, camera + 28 + 8 + 24 + 1, angles[i][0]);
        must_load(&p, "view angle");
        assert_true(p.project.stage.camera_keys[0].fov_deg == (float)angles[i][1]);
    }
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        p.list->data[camera + 28 + 8 + 23] = points[i][0];
        must_load(&p, "curve");
        assert_int_equal(p.project.stage.camera_keys[0].curves[5].y2, points[i][1]);
    }
    p.list->data[camera + 28 + 8 + 24] = 1;
    must_load(&p, "orthographic");
    assert_true(p.project.stage.camera_keys[0].orthographic);
    assert_false(p.project.stage.camera_keys[1].orthographic);
    put_u32(&p, camera + 28, 0); /* a bone carries the camera */
    put_u32(&p, camera + 32, 0);
    must_load(&p, "parent");
    assert_true(
        p.project.camera_parent_count == 2 && p.project.camera_parents[0].parent.model == 0 &&
        p.project.camera_parents[1].frame == 40 && p.project.camera_parents[1].parent.model == -1);
    const size_t shadow = find(&p, FLOATS[6].values, 4);
    for (unsigned mode = 0; mode < 7; mode++) {
        p.list->data[shadow - 1] = (uint8_t)mode;
        must_load(&p, "mode");
        assert_int_equal(p.project.stage.shadow_keys[0].mode, mode % 3);
    }
    put_u32(&p, shadow - 13, 0x80000005); /* the frame has 31 bits */
    must_load(&p, "frame");
    assert_int_equal(p.project.stage.shadow_keys[0].frame, 5);
    arena_destroy(p.arena);
}

/* Of its first key; none if nothing ever carries it. */
static PmmParent first_parent(const PmmModel *model)
{
    return model->parent_count ? model->parents[0].parent : (PmmParent){-1, -1};
}

/* A parent that is not a bone of the project's models is none. */
static void parents(void **state)
{
    (void)state;
    static const struct {
        int model, bone;
        bool valid;
    } rows[] = {{0, 0, true},  {0, 1, true},   {0, 2, false},  {1, 0, true},   {1, 1, false},
                {2, 0, false}, {-1, 0, false}, {0, -1, false}, {-1, -1, false}};
    Project p;
    make(&p);
    const size_t hat = find(&p, FLOATS[5].values, 28) - 8;
    const size_t edges = find(&p, FLOATS[10].values, 4);
    const size_t end = find(&p, FLOATS[3].values, 28) - 12; /* of the models: base of the camera */
    /* the end of model 1 backwards: 2, edge width 4, 1, parent 16, bone 31, number of keys 4, 1 */
    const size_t carried = end - 2 - 4 - 1 - 16 - 31 - 4 - 1 - 8;
    assert_true(edges < carried);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        put_u32(&p, hat, (uint32_t)rows[i].model);
        put_u32(&p, hat + 4, (uint32_t)rows[i].bone);
        put_u32(&p, carried, (uint32_t)rows[i].model);
        put_u32(&p, carried + 4, (uint32_t)rows[i].bone);
        must_load(&p, "parent");
        const PmmParent got[] = {p.project.accessories[0].keys[0].parent,
                                 first_parent(&p.project.models[1])};
        for (int k = 0; k < 2; k++) {
            assert_int_equal(got[k].model, rows[i].valid ? rows[i].model : -1);
            assert_int_equal(got[k].bone, rows[i].valid ? rows[i].bone : -1);
        }
    }
    arena_destroy(p.arena);
}

/* The IK bone of property keys, and a parent that changes with a later key. */
static void property_keys(void **state)
{
    (void)state;
    static const struct {
        int bone;
        const char *name;
    } rows[] = {{0, "センター"}, {1, "左足ＩＫ"}, {2, ""}, {-1, ""}};
    Project p;
    make(&p);
    const size_t smile = find(&p, "\x8F\xCE\x82\xA2", 4);
    const size_t key = find(&p, FLOATS[2].values, 4) + 5; /* the first property key */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        put_u32(&p, smile + 4 + 4, (uint32_t)rows[i].bone);
        must_load(&p, "IK bone");
        const VmdIkSwitch *ik = p.project.models[0].motion.property_keys[1].ik;
        const VmdName expected = *rows[i].name ? vmd_name_from_utf8(rows[i].name) : (VmdName){0};
        assert_memory_equal(&ik->bone, &expected, sizeof expected);
    }
    const size_t later = key + 23 + 4 + 16 + 2;
    static const struct {
        int32_t carried, first[2], later[2];
        int32_t own_bone; /* of the keys */
        uint32_t count;
    } changes[] = {
        {0, {-1, -1}, {-1, -1}, 0, 0}, {0, {-1, -1}, {1, 0}, 0, 1}, {0, {1, 0}, {1, 0}, 0, 1},
        {0, {1, 0}, {1, 1}, 0, 2},     {0, {1, 0}, {0, 0}, 0, 2},   {-1, {1, 0}, {1, 0}, -1, 1},
        {1, {-1, -1}, {-1, -1}, 1, 0}, {1, {0, 0}, {-1, -1}, 1, 2}, {1, {-1, -1}, {0, 0}, 1, 1},
        {2, {0, 0}, {-1, 7}, -1, 2}, /* a bone that does not exist */
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        put_u32(&p, smile + 4 + 4 + 4 + 4, (uint32_t)changes[i].carried);
        for (size_t k = 0; k < 2; k++) {
            put_u32(&p, key + 12 + 2 + 4 * k, (uint32_t)changes[i].first[k]);
            put_u32(&p, later + 4 * k, (uint32_t)changes[i].later[k]);
        }
        must_load(&p, "parent");
        const PmmModel *model = &p.project.models[0];
        if (model->parent_count != changes[i].count)
            fail_msg("change %zu: %u keys", i, model->parent_count);
        for (uint32_t k = 0; k < model->parent_count; k++)
            assert_int_equal(model->parents[k].own_bone, changes[i].own_bone);
        if (model->parent_count == 2)
            assert_int_equal(model->parents[1].frame, 15);
    }
    arena_destroy(p.arena);
}

/* Keys that no first key leads to, once each, are omitted. */
static void chains(void **state)
{
    (void)state;
    /* next of the first keys of two bones; number and next of the later keys at 5, 20 and 10 */
    static const struct {
        const char *what;
        uint32_t first[2], later[3][2];
        unsigned keys[2]; /* of each bone, first one included */
    } rows[] = {
        {"the fixture", {4, 2}, {{2, 0}, {3, 0}, {4, 3}}, {3, 2}},
        {"no chain", {0, 0}, {{2, 0}, {3, 0}, {4, 3}}, {1, 1}},
        {"the other bone", {2, 4}, {{2, 0}, {3, 0}, {4, 3}}, {2, 3}},
        {"itself", {4, 2}, {{2, 2}, {3, 0}, {4, 4}}, {2, 2}},
        {"both to one key", {4, 3}, {{2, 0}, {3, 0}, {4, 3}}, {3, 1}},
        {"the last number", {5, 2}, {{2, 0}, {3, 0}, {5, 3}}, {3, 2}},
        {"after the last number", {6, 2}, {{2, 0}, {3, 0}, {6, 3}}, {1, 2}},
        {"a number that no key has", {5, 2}, {{2, 0}, {3, 0}, {4, 3}}, {1, 2}},
        {"one for all", {2, 0}, {{2, 3}, {3, 4}, {4, 2}}, {4, 1}},
        {"a later key of the same number", {2, 0}, {{2, 3}, {3, 0}, {2, 0}}, {2, 1}},
        {"number 1", {1, 2}, {{2, 0}, {1, 0}, {4, 3}}, {2, 2}},
    };
    Project p;
    make(&p);
    const size_t second = find(&p, FLOATS[0].values, 28) - 16 - 12, first = second - 58;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        put_u32(&p, first + 8, rows[i].first[0]);
        put_u32(&p, second + 8, rows[i].first[1]);
        for (size_t k = 0; k < 3; k++) {
            const size_t key = second + 58 + 4 + 62 * k;
            put_u32(&p, key, rows[i].later[k][0]);
            put_u32(&p, key + 12, rows[i].later[k][1]);
        }
        must_load(&p, rows[i].what);
        const VmdMotion *motion = &p.project.models[0].motion;
        const VmdName center = vmd_name_from_utf8("センター");
        unsigned keys[2] = {0, 0};
        for (uint32_t k = 0; k < motion->bone_key_count; k++)
            keys[!vmd_name_equal(&motion->bone_keys[k].name, &center)]++;
        if (keys[0] != rows[i].keys[0] || keys[1] != rows[i].keys[1])
            fail_msg("%s: %u and %u keys", rows[i].what, keys[0], keys[1]);
    }
    arena_destroy(p.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_checked),   cmocka_unit_test(counts_are_checked),
        cmocka_unit_test(no_part_is_a_project), cmocka_unit_test(counts_of_objects),
        cmocka_unit_test(frames_to_play),       cmocka_unit_test(files_that_are_switched_off),
        cmocka_unit_test(camera_and_shadow),    cmocka_unit_test(parents),
        cmocka_unit_test(property_keys),        cmocka_unit_test(chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
