#include "format/project/pmm_loader.h"

#include <inttypes.h>

enum {
    ACCESSORY_NAME_SIZE = 100,
    CAMERA_KEY_SIZE = 4 + 12 + 4 + 24 + 24 + 6, /* in version 1, which has no parent */
    PARENT_SIZE = 8,
    LIGHT_KEY_SIZE = 37,
    ACCESSORY_KEY_SIZE = 12 + 9 + 28 + 2,
    GRAVITY_KEY_SIZE = 12 + 1 + 4 + 16 + 1,
    MAX_FOV_DEG = 179
};

/* ---- camera and light ---- */

static bool read_camera_key(VmdCameraKey *key, PmmParentKey *parent, PmmLoader *l, bool numbered)
{
    /* x y z rotation distance fov, in the order of VMD's keys, too */
    key->frame = pmm_read_base(l, numbered).frame;
    if (!pmm_read_vector(&key->distance, 1, l) || !pmm_read_vector(key->target, 3, l) ||
        !pmm_read_vector(key->rotation, 3, l))
        return false;
    *parent = (PmmParentKey){key->frame, -1, {-1, -1}};
    if (l->version == 2)
        parent->parent = pmm_read_parent(l);
    for (size_t i = 0; i < 6; i++)
        key->curves[i] = pmm_read_curve(l);
    key->orthographic = pmm_read_bool(l);
    const uint32_t fov = read_u32(&l->r);
    key->fov_deg = (float)(fov < 1 ? 1 : fov > MAX_FOV_DEG ? MAX_FOV_DEG : fov); /* as in VMD */
    (void)pmm_read_bool(l);
    return true;
}

/* Keys of the same parent are omitted. */
static void keep_changes(PmmProject *p)
{
    uint32_t count = 1;
    for (uint32_t i = 1; i < p->camera_parent_count; i++) {
        const PmmParent last = p->camera_parents[count - 1].parent,
                        next = p->camera_parents[i].parent;
        if (last.model != next.model || last.bone != next.bone)
            p->camera_parents[count++] = p->camera_parents[i];
    }
    p->camera_parent_count = count;
    p->camera_parents[0].frame = 0;
}

bool pmm_read_camera(PmmLoader *l)
{
    PmmProject *p = l->project;
    VmdMotion *stage = &p->stage;
    VmdCameraKey first = {0};
    PmmParentKey parent;
    uint32_t count;
    if (!read_camera_key(&first, &parent, l, false) ||
        !pmm_read_count(&count, l, CAMERA_KEY_SIZE + (l->version == 2 ? PARENT_SIZE : 0),
                        "camera key"))
        return false;
    stage->camera_keys = arena_array(l->arena, VmdCameraKey, (size_t)count + 1);
    p->camera_parents = arena_array(l->arena, PmmParentKey, (size_t)count + 1);
    stage->camera_keys[0] = first;
    p->camera_parents[0] = parent;
    stage->camera_key_count = p->camera_parent_count = count + 1;
    for (uint32_t i = 1; i <= count; i++)
        if (!read_camera_key(&stage->camera_keys[i], &p->camera_parents[i], l, true))
            return false;
    p->camera_parents = pmm_sort_keys(p->camera_parents, sizeof *p->camera_parents,
                                      &p->camera_parent_count, l->arena);
    keep_changes(p);
    pmm_skip(l, 9 * 4 + 1); /* the view */
    return !l->r.failed || pmm_fail_end(l);
}

static bool read_light_key(VmdLightKey *key, PmmLoader *l, bool numbered)
{
    key->frame = pmm_read_base(l, numbered).frame;
    if (!pmm_read_vector(key->color, 3, l) || !pmm_read_vector(key->direction, 3, l))
        return false;
    (void)pmm_read_bool(l);
    return true;
}

bool pmm_read_light(PmmLoader *l)
{
    VmdMotion *stage = &l->project->stage;
    VmdLightKey first = {0};
    uint32_t count;
    if (!read_light_key(&first, l, false) ||
        !pmm_read_count(&count, l, LIGHT_KEY_SIZE + 4, "light key"))
        return false;
    stage->light_keys = arena_array(l->arena, VmdLightKey, (size_t)count + 1);
    stage->light_keys[0] = first;
    stage->light_key_count = count + 1;
    for (uint32_t i = 0; i < count; i++)
        if (!read_light_key(&stage->light_keys[i + 1], l, true))
            return false;
    pmm_skip(l, 6 * 4);
    return !l->r.failed || pmm_fail_end(l);
}

bool pmm_read_self_shadow(PmmLoader *l)
{
    VmdMotion *stage = &l->project->stage;
    uint32_t count;
    l->project->self_shadow = pmm_read_bool(l);
    pmm_skip(l, 4);
    VmdShadowKey first = {.frame = pmm_read_base(l, false).frame};
    first.mode = read_u8(&l->r) % 3;
    if (!pmm_read_vector(&first.distance, 1, l))
        return false;
    (void)pmm_read_bool(l);
    if (!pmm_read_count(&count, l, 22, "self-shadow key"))
        return false;
    stage->shadow_keys = arena_array(l->arena, VmdShadowKey, (size_t)count + 1);
    stage->shadow_keys[0] = first;
    stage->shadow_key_count = count + 1;
    for (uint32_t i = 0; i < count; i++) {
        VmdShadowKey *key = &stage->shadow_keys[i + 1];
        key->frame = pmm_read_base(l, true).frame;
        key->mode = read_u8(&l->r) % 3;
        if (!pmm_read_vector(&key->distance, 1, l))
            return false;
        (void)pmm_read_bool(l);
    }
    return !l->r.failed || pmm_fail_end(l);
}

/* ---- accessories ---- */

/* Opacity and visibility share a byte: 100 % minus its upper 7 bits; the lowest bit. */
static bool read_accessory_key(PmmAccessoryKey *key, PmmLoader *l, bool numbered)
{
    key->frame = pmm_read_base(l, numbered).frame;
    const uint8_t drawn = read_u8(&l->r);
    key->opacity = (float)(drawn >> 1 < 100 ? 100 - (drawn >> 1) : 0) / 100;
    key->visible = drawn & 1;
    key->parent = pmm_read_parent(l);
    if (!pmm_read_vector(key->position, 3, l) || !pmm_read_vector(key->rotation, 3, l) ||
        !pmm_read_vector(&key->scale, 1, l))
        return false;
    key->shadow = pmm_read_bool(l);
    (void)pmm_read_bool(l); /* selected */
    return true;
}

static bool read_accessory(PmmAccessory *a, PmmLoader *l)
{
    PmmAccessoryKey first = {0};
    uint32_t count;
    pmm_skip(l, 1); /* its number */
    a->name = pmm_read_fixed(l, ACCESSORY_NAME_SIZE);
    a->path = pmm_read_fixed(l, PMM_PATH_SIZE);
    pmm_skip(l, 1); /* draw order */
    if (!read_accessory_key(&first, l, false) ||
        !pmm_read_count(&count, l, ACCESSORY_KEY_SIZE + 4, "accessory key"))
        return false;
    a->keys = arena_array(l->arena, PmmAccessoryKey, (size_t)count + 1);
    a->keys[a->key_count++] = first;
    for (uint32_t i = 0; i < count; i++)
        if (!read_accessory_key(&a->keys[a->key_count++], l, true))
            return false;
    pmm_skip(l, 1 + 2 * 4 + 7 * 4 + 1); /* values that were not recorded */
    a->additive = l->version == 2 && pmm_read_bool(l);
    a->keys = pmm_sort_keys(a->keys, sizeof *a->keys, &a->key_count, l->arena);
    a->keys[0].frame = 0;
    return !l->r.failed || pmm_fail_end(l);
}

bool pmm_read_accessories(PmmLoader *l)
{
    PmmProject *p = l->project;
    pmm_skip(l, 1 + 4); /* selected, scroll */
    const uint32_t count = read_u8(&l->r);
    if (count > reader_left(&l->r) / (ACCESSORY_NAME_SIZE + PMM_PATH_SIZE))
        return diag_error(l->diag, "accessory count %" PRIu32 " exceeds the file size", count);
    pmm_skip(l, (size_t)count * ACCESSORY_NAME_SIZE);
    p->accessories = arena_array(l->arena, PmmAccessory, count);
    p->accessory_count = count;
    for (uint32_t i = 0; i < count; i++) {
        diag_item(l->diag, "accessory", i);
        if (!read_accessory(&p->accessories[i], l))
            return false;
    }
    diag_item(l->diag, NULL, 0);
    return true;
}

/* ---- gravity ---- */

static bool read_gravity_key(PmmGravityKey *key, PmmLoader *l, bool numbered)
{
    float acceleration, direction[3];
    key->frame = pmm_read_base(l, numbered).frame;
    const bool noisy = pmm_read_bool(l);
    const int32_t noise = read_i32(&l->r);
    key->noise = noisy && noise > 0 ? (float)(noise < 1000 ? noise : 1000) : 0;
    if (!pmm_read_vector(&acceleration, 1, l) || !pmm_read_vector(direction, 3, l))
        return false;
    for (size_t i = 0; i < 3; i++)
        key->gravity[i] = acceleration * direction[i];
    (void)pmm_read_bool(l);
    return pmm_check_floats(key->gravity, 3, l);
}

bool pmm_read_gravity(PmmLoader *l)
{
    PmmProject *p = l->project;
    PmmGravityKey first = {0};
    uint32_t count;
    pmm_skip(l, 4 + 4 + 12 + 1); /* values that were not recorded */
    if (!read_gravity_key(&first, l, false) ||
        !pmm_read_count(&count, l, GRAVITY_KEY_SIZE + 4, "gravity key"))
        return false;
    p->gravity = arena_array(l->arena, PmmGravityKey, (size_t)count + 1);
    p->gravity[0] = first;
    p->gravity_count = 1;
    for (uint32_t i = 0; i < count; i++)
        if (!read_gravity_key(&p->gravity[p->gravity_count++], l, true))
            return false;
    p->gravity = pmm_sort_keys(p->gravity, sizeof *p->gravity, &p->gravity_count, l->arena);
    p->gravity[0].frame = 0;
    return !l->r.failed || pmm_fail_end(l);
}
