// SPDX-License-Identifier: MIT
#include "format/project/pmm.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/encoding.h"
#include "base/parser_entry.h"
#include "base/text.h"
#include "format/project/pmm_loader.h"

enum { SIGNATURE_SIZE = 30, PANELS = 6 };

/* ---- values ---- */

bool pmm_fail_end(PmmLoader *l)
{
    return diag_error(l->diag, "file ends inside the project");
}

const char *pmm_read_fixed(PmmLoader *l, size_t size)
{
    const uint8_t *bytes = read_bytes(&l->r, size);
    return bytes && size && bytes[0] ? encoding_decode(bytes, size, ENCODING_CP932, l->arena) : "";
}

const char *pmm_read_path(PmmLoader *l)
{
    const uint8_t *bytes = read_bytes(&l->r, PMM_PATH_SIZE);
    const size_t size = bytes ? strnlen((const char *)bytes, PMM_PATH_SIZE) : 0;
    return size ? encoding_decode_text(bytes, size, l->arena) : "";
}

const char *pmm_read_text(PmmLoader *l)
{
    return pmm_read_fixed(l, read_u8(&l->r));
}

bool pmm_read_bool(PmmLoader *l)
{
    return read_u8(&l->r) != 0;
}

void pmm_skip(PmmLoader *l, size_t count)
{
    (void)read_bytes(&l->r, count);
}

/* A count of records of at least `size` bytes each. */
bool pmm_read_count(uint32_t *out, PmmLoader *l, size_t size, const char *what)
{
    *out = read_u32(&l->r);
    if (l->r.failed)
        return pmm_fail_end(l);
    return *out <= reader_left(&l->r) / size ||
           diag_error(l->diag, "%s count %" PRIu32 " exceeds the file size (at most %zu)", what,
                      *out, reader_left(&l->r) / size);
}

bool pmm_check_floats(const float *values, size_t count, PmmLoader *l)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabsf(values[i]) <= VMD_MAX_VALUE))
            return diag_error(l->diag, "a value is not finite or exceeds %d", VMD_MAX_VALUE);
    return true;
}

bool pmm_read_vector(float *out, size_t count, PmmLoader *l)
{
    read_floats(out, count, &l->r);
    return pmm_check_floats(out, count, l);
}

/* ---- keys ---- */

PmmBase pmm_read_base(PmmLoader *l, bool numbered)
{
    PmmBase base = {0};
    if (numbered)
        base.index = read_u32(&l->r);
    base.frame = read_u32(&l->r) & INT32_MAX;
    (void)read_u32(&l->r); /* the key before it */
    base.next = read_u32(&l->r);
    return base;
}

Curve pmm_read_curve(PmmLoader *l)
{
    uint8_t v[4];
    for (size_t i = 0; i < 4; i++) {
        v[i] = read_u8(&l->r);
        if (v[i] > CURVE_ONE)
            v[i] = CURVE_ONE;
    }
    return (Curve){v[0], v[1], v[2], v[3]};
}

PmmParent pmm_read_parent(PmmLoader *l)
{
    PmmParent parent;
    parent.model = read_i32(&l->r);
    parent.bone = read_i32(&l->r);
    return parent.model < 0 ? (PmmParent){-1, -1} : parent;
}

void *pmm_read_keys(uint32_t *count, PmmLoader *l, size_t size, size_t record_size,
                    const char *what, PmmReadKey *read)
{
    void *first = arena_calloc(l->arena, 1, size);
    *count = 0;
    if (!read(first, l, false))
        return NULL;
    pmm_skip(l, 1);
    if (!pmm_read_count(count, l, record_size, what))
        return NULL;
    uint8_t *keys = arena_calloc(l->arena, (size_t)*count + 1, size);
    memcpy(keys, first, size);
    for (uint32_t i = 1; i <= *count; i++) {
        if (!read(keys + i * size, l, true))
            return NULL;
        pmm_skip(l, 1);
    }
    ++*count;
    return keys;
}

static int compare_order(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void *pmm_sort_keys(const void *keys, size_t size, uint32_t *count, Arena *arena)
{
    uint64_t *order = arena_array(arena, uint64_t, *count);
    uint8_t *out = arena_calloc(arena, *count, size);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count; i++) {
        uint32_t frame;
        memcpy(&frame, (const uint8_t *)keys + i * size, sizeof frame);
        order[i] = (uint64_t)frame << 32 | i;
    }
    qsort(order, *count, sizeof *order, compare_order);
    for (uint32_t i = 0; i < *count; i++) {
        if (i + 1 < *count && order[i] >> 32 == order[i + 1] >> 32)
            continue;
        memcpy(out + kept++ * size, (const uint8_t *)keys + (order[i] & UINT32_MAX) * size, size);
    }
    *count = kept;
    return out;
}

enum {
    ACCESSORY_NAME_SIZE = 100,
    CAMERA_KEY_SIZE = 4 + 12 + 4 + 24 + 24 + 6, /* in version 1, which has no parent */
    PARENT_SIZE = 8,
    LIGHT_KEY_SIZE = 37,
    SHADOW_KEY_SIZE = 12 + 1 + 4 + 1,
    ACCESSORY_KEY_SIZE = 12 + 9 + 28 + 2,
    GRAVITY_KEY_SIZE = 12 + 1 + 4 + 16 + 1,
    MAX_FOV_DEG = 179
};

/* ---- camera and light ---- */

typedef struct CameraKey {
    VmdCameraKey key;
    PmmParentKey parent;
} CameraKey;

static bool read_camera_key(void *out, PmmLoader *l, bool numbered)
{
    CameraKey *camera = out;
    VmdCameraKey *key = &camera->key;
    /* x y z rotation distance fov, in the order of VMD's keys, too */
    key->frame = pmm_read_base(l, numbered).frame;
    if (!pmm_read_vector(&key->distance, 1, l) || !pmm_read_vector(key->target, 3, l) ||
        !pmm_read_vector(key->rotation, 3, l))
        return false;
    camera->parent = (PmmParentKey){key->frame, -1, {-1, -1}};
    if (l->version == 2)
        camera->parent.parent = pmm_read_parent(l);
    for (size_t i = 0; i < 6; i++)
        key->curves[i] = pmm_read_curve(l);
    key->orthographic = pmm_read_bool(l);
    const uint32_t fov = read_u32(&l->r);
    key->fov_deg = (float)(fov < 1 ? 1 : fov > MAX_FOV_DEG ? MAX_FOV_DEG : fov); /* as in VMD */
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

static bool read_camera(PmmLoader *l)
{
    PmmProject *p = l->project;
    uint32_t count;
    const CameraKey *keys = pmm_read_keys(&count, l, sizeof *keys,
                                          CAMERA_KEY_SIZE + (l->version == 2 ? PARENT_SIZE : 0),
                                          "camera key", read_camera_key);
    if (!keys)
        return false;
    p->stage.camera_keys = arena_array(l->arena, VmdCameraKey, count);
    p->camera_parents = arena_array(l->arena, PmmParentKey, count);
    p->stage.camera_key_count = p->camera_parent_count = count;
    for (uint32_t i = 0; i < count; i++) {
        p->stage.camera_keys[i] = keys[i].key;
        p->camera_parents[i] = keys[i].parent;
    }
    p->camera_parents = pmm_sort_keys(p->camera_parents, sizeof *p->camera_parents,
                                      &p->camera_parent_count, l->arena);
    keep_changes(p);
    pmm_skip(l, 9 * 4 + 1); /* the view */
    return !l->r.failed || pmm_fail_end(l);
}

static bool read_light_key(void *out, PmmLoader *l, bool numbered)
{
    VmdLightKey *key = out;
    key->frame = pmm_read_base(l, numbered).frame;
    return pmm_read_vector(key->color, 3, l) && pmm_read_vector(key->direction, 3, l);
}

static bool read_light(PmmLoader *l)
{
    VmdMotion *stage = &l->project->stage;
    stage->light_keys = pmm_read_keys(&stage->light_key_count, l, sizeof *stage->light_keys,
                                      LIGHT_KEY_SIZE + 4, "light key", read_light_key);
    pmm_skip(l, 6 * 4);
    return stage->light_keys && (!l->r.failed || pmm_fail_end(l));
}

static bool read_shadow_key(void *out, PmmLoader *l, bool numbered)
{
    VmdShadowKey *key = out;
    key->frame = pmm_read_base(l, numbered).frame;
    key->mode = read_u8(&l->r) % 3;
    return pmm_read_vector(&key->distance, 1, l);
}

static bool read_self_shadow(PmmLoader *l)
{
    VmdMotion *stage = &l->project->stage;
    l->project->self_shadow = pmm_read_bool(l);
    pmm_skip(l, 4);
    stage->shadow_keys = pmm_read_keys(&stage->shadow_key_count, l, sizeof *stage->shadow_keys,
                                       SHADOW_KEY_SIZE + 4, "self-shadow key", read_shadow_key);
    return stage->shadow_keys && (!l->r.failed || pmm_fail_end(l));
}

/* ---- accessories ---- */

/* Opacity and visibility share a byte: 100 % minus its upper 7 bits; the lowest bit. */
static bool read_accessory_key(void *out, PmmLoader *l, bool numbered)
{
    PmmAccessoryKey *key = out;
    key->frame = pmm_read_base(l, numbered).frame;
    const uint8_t drawn = read_u8(&l->r);
    key->opacity = (float)(drawn >> 1 < 100 ? 100 - (drawn >> 1) : 0) / 100;
    key->visible = drawn & 1;
    key->parent = pmm_read_parent(l);
    if (!pmm_read_vector(key->position, 3, l) || !pmm_read_vector(key->rotation, 3, l) ||
        !pmm_read_vector(&key->scale, 1, l))
        return false;
    key->shadow = pmm_read_bool(l);
    return true;
}

static bool read_accessory(PmmAccessory *a, PmmLoader *l)
{
    pmm_skip(l, 1); /* its number */
    a->name = pmm_read_fixed(l, ACCESSORY_NAME_SIZE);
    a->path = pmm_read_path(l);
    pmm_skip(l, 1); /* draw order */
    a->keys = pmm_read_keys(&a->key_count, l, sizeof *a->keys, ACCESSORY_KEY_SIZE + 4,
                            "accessory key", read_accessory_key);
    if (!a->keys)
        return false;
    pmm_skip(l, 1 + 2 * 4 + 7 * 4 + 1); /* values that were not recorded */
    a->additive = l->version == 2 && pmm_read_bool(l);
    a->keys = pmm_sort_keys(a->keys, sizeof *a->keys, &a->key_count, l->arena);
    a->keys[0].frame = 0;
    return !l->r.failed || pmm_fail_end(l);
}

static bool read_accessories(PmmLoader *l)
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

static bool read_gravity_key(void *out, PmmLoader *l, bool numbered)
{
    PmmGravityKey *key = out;
    float acceleration, direction[3];
    key->frame = pmm_read_base(l, numbered).frame;
    const bool noisy = pmm_read_bool(l);
    const int32_t noise = read_i32(&l->r);
    key->noise = noisy && noise > 0 ? (float)(noise < 1000 ? noise : 1000) : 0;
    if (!pmm_read_vector(&acceleration, 1, l) || !pmm_read_vector(direction, 3, l))
        return false;
    for (size_t i = 0; i < 3; i++)
        key->gravity[i] = acceleration * direction[i];
    return pmm_check_floats(key->gravity, 3, l);
}

static bool read_gravity(PmmLoader *l)
{
    PmmProject *p = l->project;
    pmm_skip(l, 4 + 4 + 12 + 1); /* values that were not recorded */
    p->gravity = pmm_read_keys(&p->gravity_count, l, sizeof *p->gravity, GRAVITY_KEY_SIZE + 4,
                               "gravity key", read_gravity_key);
    if (!p->gravity)
        return false;
    p->gravity = pmm_sort_keys(p->gravity, sizeof *p->gravity, &p->gravity_count, l->arena);
    p->gravity[0].frame = 0;
    return !l->r.failed || pmm_fail_end(l);
}

/* ---- settings ---- */

static const char *path_if(const char *path, bool enabled)
{
    return enabled && *path ? path : NULL;
}

static bool read_place(PmmMedia *media, PmmLoader *l)
{
    media->x = read_i32(&l->r);
    media->y = read_i32(&l->r);
    return pmm_read_vector(&media->scale, 1, l);
}

static bool read_media(PmmLoader *l)
{
    PmmProject *p = l->project;
    const bool has_audio = pmm_read_bool(l);
    p->audio = path_if(pmm_read_path(l), has_audio);
    if (!read_place(&p->video, l))
        return false;
    const char *video = pmm_read_path(l);
    p->video.path = path_if(video, read_u32(&l->r) != 0);
    if (!read_place(&p->image, l))
        return false;
    const char *image = pmm_read_path(l);
    p->image.path = path_if(image, pmm_read_bool(l));
    return true;
}

static void read_range(PmmLoader *l)
{
    PmmProject *p = l->project;
    pmm_skip(l, 4 * 4 + 2); /* the timeline, camera look mode, loop */
    const bool has_begin = pmm_read_bool(l), has_end = pmm_read_bool(l);
    const int32_t begin = read_i32(&l->r), end = read_i32(&l->r);
    p->begin = has_begin && begin >= 0 ? begin : -1;
    p->end = has_end && end >= 0 && end >= begin ? end : -1;
}

/* Only version 2 has these settings. */
static bool read_physics(PmmLoader *l)
{
    PmmProject *p = l->project;
    p->ground_translucent = pmm_read_bool(l);
    p->physics = read_u8(&l->r) != 0;
    if (!read_gravity(l) || !read_self_shadow(l))
        return false;
    for (size_t i = 0; i < 3; i++)
        p->edge_color[i] = (uint8_t)read_u32(&l->r);
    p->black_background = pmm_read_bool(l);
    return true;
}

static bool read_settings(PmmLoader *l)
{
    PmmProject *p = l->project;
    read_range(l);
    if (!read_media(l))
        return false;
    pmm_skip(l, 2); /* information, grid */
    p->ground_shadow = pmm_read_bool(l);
    if (!pmm_read_vector(&p->fps, 1, l))
        return false;
    pmm_skip(l, 4 + 4); /* capture mode, accessories after models */
    if (!pmm_read_vector(&p->ground_brightness, 1, l) || (l->version == 2 && !read_physics(l)))
        return false;
    return !l->r.failed || pmm_fail_end(l);
}

/* ---- the project ---- */

static PmmParent check_parent(const PmmProject *p, PmmParent parent)
{
    const bool valid = parent.model >= 0 && (uint32_t)parent.model < p->model_count &&
                       parent.bone >= 0 &&
                       (uint32_t)parent.bone < p->models[parent.model].bone_count;
    return valid ? parent : (PmmParent){-1, -1};
}

static bool read_head(PmmLoader *l)
{
    const uint8_t *signature = read_bytes(&l->r, SIGNATURE_SIZE);
    if (!signature || memcmp(signature, "Polygon Movie maker ", 20) != 0)
        return diag_error(l->diag, "not a project of MikuMikuDance");
    const bool first = memcmp(signature + 20, "0001", 4) == 0;
    if (!first && memcmp(signature + 20, "0002", 4) != 0)
        return diag_error(l->diag, "unknown version '%.4s' (0001, 0002)",
                          (const char *)signature + 20);
    if (first && !l->names)
        return diag_error(l->diag, "version 1 needs the files of its models");
    l->version = l->project->version = first ? 1 : 2;
    l->project->width = read_u32(&l->r);
    l->project->height = read_u32(&l->r);
    pmm_skip(l, 4 + 4 + PANELS + (l->version == 2)); /* timeline, view angle */
    return !l->r.failed || pmm_fail_end(l);
}

bool pmm_load(PmmProject *project, Bytes bytes, const PmmModelNames *names, Arena *arena,
              Diag *diag)
{
    parser_enter("pmm");
    static PmmGravityKey earth = {.gravity = {0, -9.8f, 0}};
    PmmLoader l = {.r = reader_init(bytes.data, bytes.size),
                   .project = project,
                   .names = names,
                   .arena = arena,
                   .diag = diag};
    *project = (PmmProject){.begin = -1,
                            .end = -1,
                            .stage.model_name = "カメラ・照明",
                            .ground_translucent = true,
                            .self_shadow = true,
                            .physics = true,
                            .gravity = &earth,
                            .gravity_count = 1};
    if (!read_head(&l) || !pmm_read_models(&l) || !read_camera(&l) || !read_light(&l) ||
        !read_accessories(&l) || !read_settings(&l))
        return false;
    for (uint32_t i = 0; i < project->model_count; i++)
        for (uint32_t k = 0; k < project->models[i].parent_count; k++)
            project->models[i].parents[k].parent =
                check_parent(project, project->models[i].parents[k].parent);
    for (uint32_t i = 0; i < project->accessory_count; i++)
        for (uint32_t k = 0; k < project->accessories[i].key_count; k++)
            project->accessories[i].keys[k].parent =
                check_parent(project, project->accessories[i].keys[k].parent);
    for (uint32_t k = 0; k < project->camera_parent_count; k++)
        project->camera_parents[k].parent =
            check_parent(project, project->camera_parents[k].parent);
    return true;
}
