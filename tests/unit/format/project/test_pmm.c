// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "diag_log.h"
#include "format/project/pmm.h"
#include "pmm_fixture.h"
#include "unit_test.h"

static PmmProject load(Arena *arena)
{
    ByteList *list = arena_array(arena, ByteList, 1);
    PmmProject project;
    DiagLog log;
    diag_log_init(&log);
    pmm_put_all(list);
    if (!pmm_load(&project, (Bytes){list->data, list->size}, NULL, arena, &log.diag))
        fail_msg("%s", log.text);
    return project;
}

static const VmdBoneKey *find_key(const VmdMotion *motion, const char *bone, uint32_t frame)
{
    const VmdName name = vmd_name_from_utf8(bone);
    for (uint32_t i = 0; i < motion->bone_key_count; i++)
        if (vmd_name_equal(&motion->bone_keys[i].name, &name) &&
            motion->bone_keys[i].frame == frame)
            return &motion->bone_keys[i];
    fail_msg("no key of '%s' at %u", bone, frame);
    return NULL;
}

static void test_models(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const PmmProject project = load(arena);
    const PmmModel *model = &project.models[0];
    assert_int_equal(project.model_count, 2);
    assert_string_equal(model->name, "一");
    assert_string_equal(model->path, "C:\\MMD\\Model\\一\\a.pmx");
    assert_string_equal(model->bones[1], "左足ＩＫ");
    assert_int_equal(model->draw_order, 2);
    assert_true(model->edge_width == 1.5f);
    assert_int_equal(model->motion.bone_key_count, 5);
    assert_true(find_key(&model->motion, "センター", 0)->translation[0] == 1);
    assert_true(find_key(&model->motion, "センター", 10)->translation[0] == 2);
    assert_true(find_key(&model->motion, "センター", 20)->translation[0] == 4);
    assert_true(find_key(&model->motion, "左足ＩＫ", 0)->translation[0] == 5);
    const VmdBoneKey *key = find_key(&model->motion, "左足ＩＫ", 5);
    assert_true(key->translation[0] == 6);
    assert_memory_equal(&key->curves[3], (&(Curve){13, 23, 103, 113}), sizeof(Curve));
    assert_int_equal(key->physics, VMD_PHYSICS_ON);
    assert_int_equal(find_key(&model->motion, "センター", 10)->physics, VMD_PHYSICS_OFF);
    assert_int_equal(model->motion.morph_key_count, 2);
    assert_int_equal(model->motion.morph_keys[1].frame, 30);
    assert_true(model->motion.morph_keys[1].weight == 0.75f);
    assert_int_equal(model->motion.property_key_count, 2);
    assert_true(model->motion.property_keys[0].visible);
    assert_false(model->motion.property_keys[1].visible);
    assert_int_equal(model->motion.property_keys[1].frame, 15);
    assert_false(model->motion.property_keys[1].ik[0].enabled);
    assert_int_equal(model->parent_count, 0);
    const PmmParentKey *parent = project.models[1].parents;
    assert_int_equal(project.models[1].parent_count, 1);
    assert_true(parent->frame == 0 && parent->own_bone == 0 && parent->parent.model == 0 &&
                parent->parent.bone == 0);
    arena_destroy(arena);
}

static void test_stage(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const PmmProject p = load(arena);
    assert_int_equal(p.stage.camera_key_count, 2);
    const VmdCameraKey *camera = &p.stage.camera_keys[1];
    assert_int_equal(camera->frame, 40);
    assert_true(camera->fov_deg == 45 && camera->distance == -45 && camera->target[1] == 10);
    assert_memory_equal(&camera->curves[5], (&(Curve){20, 21, 22, 23}), sizeof(Curve));
    assert_false(camera->orthographic);
    assert_int_equal(p.camera_parent_count, 1);
    assert_int_equal(p.camera_parents[0].parent.model, -1);
    assert_int_equal(p.stage.light_key_count, 2);
    assert_int_equal(p.stage.light_keys[1].frame, 33);
    assert_true(p.stage.light_keys[1].color[2] == 0.3f);
    assert_int_equal(p.stage.shadow_key_count, 1);
    assert_int_equal(p.stage.shadow_keys[0].mode, 2);
    assert_int_equal(p.accessory_count, 1);
    const PmmAccessory *hat = &p.accessories[0];
    assert_string_equal(hat->path, "UserFile\\Accessory\\hat.x");
    const PmmAccessoryKey *key = &hat->keys[1];
    assert_int_equal(hat->key_count, 2);
    assert_int_equal(key->frame, 9);
    assert_true(key->visible && fabsf(key->opacity - 0.6f) < 1e-6f && key->scale == 2);
    assert_true(key->position[2] == 3 && key->rotation[1] > 1.57f && !key->shadow);
    assert_int_equal(key->parent.bone, 1);
    assert_int_equal(p.begin, 5);
    assert_int_equal(p.end, 25);
    assert_string_equal(p.audio, "wav\\song.wav");
    assert_null(p.video.path);
    assert_string_equal(p.image.path, "bg.png");
    assert_true(p.fps == 60 && !p.ground_shadow && p.self_shadow && p.physics);
    assert_true(p.black_background && p.gravity_count == 1 && p.gravity[0].noise == 10);
    assert_true(fabsf(p.gravity[0].gravity[1] + 4.9f) < 1e-5f && !p.ground_translucent);
    assert_int_equal(p.edge_color[2], 128);
    assert_int_equal(p.width, 1280);
    arena_destroy(arena);
}

/* Cut at each length, and with each byte changed: loaded, or refused with one message. */
static void test_damage(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    ByteList *list = arena_array(arena, ByteList, 1);
    pmm_put_all(list);
    const size_t size = list->size;
    for (size_t i = 0; i < 2 * size; i++) {
        Arena *own = arena_create();
        PmmProject project;
        DiagLog log;
        diag_log_init(&log);
        if (i < size)
            list->data[i] ^= 0xFF;
        const Bytes bytes = {list->data, i < size ? size : i - size};
        if (pmm_load(&project, bytes, NULL, own, &log.diag))
            assert_int_equal(project.models[0].bone_count, 2);
        else
            assert_int_equal(log.diag.errors, 1);
        assert_true(arena_bytes(own) < 16 * size + ((size_t)1 << 20));
        if (i < size)
            list->data[i] ^= 0xFF;
        arena_destroy(own);
    }
    arena_destroy(arena);
}

static bool read_names(PmmModelBones *out, void *user, const char *path, Arena *arena, Diag *diag)
{
    static const char *bones[] = {"センター", "左足ＩＫ"}, *morphs[] = {"base", "笑い"};
    static int32_t ik[] = {1};
    (void)arena;
    assert_string_equal(path, "UserFile\\Model\\a.pmd");
    if (user)
        return diag_error(diag, "no such model");
    *out = (PmmModelBones){bones, morphs, 2, 2, ik, 1};
    return true;
}

/* As the fixture's projects, in the layout of version 1 (format/README.md 2). */
static void test_version_1(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    ByteList *list = arena_array(arena, ByteList, 1);
    PmmProject p;
    DiagLog log;
    PmmModelNames names = {read_names, NULL};
    diag_log_init(&log);
    pmm_put_version_1(list);
    if (!pmm_load(&p, (Bytes){list->data, list->size}, &names, arena, &log.diag))
        fail_msg("%s", log.text);
    const VmdMotion *motion = &p.models[0].motion;
    assert_int_equal(p.version, 1);
    assert_int_equal(p.width, 640);
    assert_string_equal(p.models[0].name, "一");
    assert_int_equal(motion->bone_key_count, 3);
    assert_true(find_key(motion, "左足ＩＫ", 12)->translation[0] == 7);
    assert_int_equal(find_key(motion, "左足ＩＫ", 12)->physics, VMD_PHYSICS_ON);
    assert_int_equal(motion->morph_key_count, 2);
    assert_true(motion->morph_keys[1].weight == 0.5f);
    assert_false(motion->property_keys[0].ik[0].enabled);
    assert_int_equal(p.models[0].parent_count, 0);
    assert_int_equal(p.stage.camera_key_count, 2);
    assert_true(p.stage.camera_keys[1].fov_deg == 45);
    assert_int_equal(p.accessory_count, 1);
    assert_int_equal(p.accessories[0].keys[0].parent.bone, 1);
    assert_int_equal(p.end, 25);
    assert_true(p.fps == 30 && p.ground_brightness == 0.25f && p.physics && p.ground_translucent);
    assert_true(p.gravity_count == 1 && p.gravity[0].gravity[1] == -9.8f);
    for (size_t i = 0; i < list->size; i++) {
        Arena *own = arena_create();
        diag_log_init(&log);
        assert_false(pmm_load(&p, (Bytes){list->data, i}, &names, own, &log.diag));
        assert_int_equal(log.diag.errors, 1);
        arena_destroy(own);
    }
    names.user = &log;
    diag_log_init(&log);
    assert_false(pmm_load(&p, (Bytes){list->data, list->size}, &names, arena, &log.diag));
    assert_non_null(strstr(log.text, "no such model"));
    arena_destroy(arena);
}

static void test_versions(void **state)
{
    (void)state;
    static const struct {
        const char *head, *message;
    } rows[] = {{"Polygon Movie maker 0001", "version 1 needs the files of its models"},
                {"Polygon Movie maker 0003", "unknown version '0003'"},
                {"Vocaloid Motion Data 0002", "not a project"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        PmmProject project;
        DiagLog log;
        char bytes[64] = {0};
        diag_log_init(&log);
        memcpy(bytes, rows[i].head, strlen(rows[i].head));
        assert_false(pmm_load(&project, (Bytes){(const uint8_t *)bytes, sizeof bytes}, NULL, arena,
                              &log.diag));
        if (!strstr(log.text, rows[i].message))
            fail_msg("%s", log.text);
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models),   cmocka_unit_test(test_stage),
        cmocka_unit_test(test_damage),   cmocka_unit_test(test_version_1),
        cmocka_unit_test(test_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
