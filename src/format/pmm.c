#include "format/pmm.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/reader.h"
#include "base/text.h"

enum {
    SIGNATURE_SIZE = 30,
    PATH_SIZE = 256,
    ACCESSORY_NAME_SIZE = 100,
    PANELS = 7,
    BONE_KEY_SIZE = 58, /* without the index: base 12, curves 16, vectors 28, flags 2 */
    MORPH_KEY_SIZE = 17,
    BONE_STATE_SIZE = 31,
    PARENT_STATE_SIZE = 16,
    CAMERA_KEY_SIZE = 12 + 4 + 4 + 24 + 8 + 24 + 6,
    LIGHT_KEY_SIZE = 37,
    ACCESSORY_KEY_SIZE = 12 + 9 + 28 + 2,
    SMALLEST_MODEL = 400,
    MAX_FOV_DEG = 179
};

typedef struct Loader {
    Reader r;
    PmmProject *project;
    Arena *arena;
    Diag *diag;
} Loader;

/* ---- values ---- */

static bool fail_end(Loader *l)
{
    return diag_error(l->diag, "file ends inside the project");
}

static const char *read_fixed(Loader *l, size_t size)
{
    const uint8_t *bytes = read_bytes(&l->r, size);
    return bytes && size && bytes[0] ? text_from_cp932(bytes, size, l->arena) : "";
}

static const char *read_text(Loader *l)
{
    return read_fixed(l, read_u8(&l->r));
}

static bool read_bool(Loader *l)
{
    return read_u8(&l->r) != 0;
}

static void skip(Loader *l, size_t count)
{
    (void)read_bytes(&l->r, count);
}

/* A count of records of at least `size` bytes each. */
static bool read_count(uint32_t *out, Loader *l, size_t size, const char *what)
{
    *out = read_u32(&l->r);
    if (l->r.failed)
        return fail_end(l);
    return *out <= reader_left(&l->r) / size ||
           diag_error(l->diag, "%s count %" PRIu32 " exceeds the file size (at most %zu)", what,
                      *out, reader_left(&l->r) / size);
}

static bool check_floats(const float *values, size_t count, Loader *l)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabsf(values[i]) <= VMD_MAX_VALUE))
            return diag_error(l->diag, "a value is not finite or exceeds %d", VMD_MAX_VALUE);
    return true;
}

static bool read_vector(float *out, size_t count, Loader *l)
{
    read_floats(out, count, &l->r);
    return check_floats(out, count, l);
}

/* ---- keys ---- */

/* The start of every key: its number (not of the first keys), frame, and its neighbours. */
typedef struct Base {
    uint32_t index, frame, next;
} Base;

static Base read_base(Loader *l, bool numbered)
{
    Base base = {0};
    if (numbered)
        base.index = read_u32(&l->r);
    base.frame = read_u32(&l->r) & INT32_MAX;
    (void)read_u32(&l->r); /* the key before it */
    base.next = read_u32(&l->r);
    return base;
}

static Curve read_curve(Loader *l)
{
    uint8_t v[4];
    for (size_t i = 0; i < 4; i++) {
        v[i] = read_u8(&l->r);
        if (v[i] > CURVE_ONE)
            v[i] = CURVE_ONE;
    }
    return (Curve){v[0], v[1], v[2], v[3]};
}

static bool read_bone_key(VmdBoneKey *key, Base *base, Loader *l, bool numbered)
{
    *base = read_base(l, numbered);
    key->frame = base->frame;
    for (size_t i = 0; i < 4; i++)
        key->curves[i] = read_curve(l);
    if (!read_vector(key->translation, 3, l) || !read_vector(key->rotation, 4, l))
        return false;
    vmd_normalize(key->rotation);
    (void)read_bool(l); /* selected */
    key->physics = read_bool(l) ? VMD_PHYSICS_OFF : VMD_PHYSICS_ON;
    return true;
}

static bool read_morph_key(VmdMorphKey *key, Base *base, Loader *l, bool numbered)
{
    *base = read_base(l, numbered);
    key->frame = base->frame;
    if (!read_vector(&key->weight, 1, l))
        return false;
    (void)read_bool(l);
    return true;
}

/*
 * First keys, one for each object, then a list of others, each with a number; `next` of a key is
 * the number of the following one of its object, or 0.  A damaged chain ends.
 */
typedef struct Chain {
    Base *first, *others; /* [count], [other_count] */
    uint32_t count, other_count;
    uint32_t *of;       /* [other_count] the object of each; UINT32_MAX: none */
    uint32_t *by_index; /* [count + other_count + 1] position in others plus 1; 0: none */
} Chain;

static void follow_chain(Chain *chain, uint32_t object)
{
    const uint32_t numbers = chain->count + chain->other_count;
    uint32_t next = chain->first[object].next;
    while (next && next <= numbers && chain->by_index[next]) {
        const uint32_t at = chain->by_index[next] - 1;
        if (chain->of[at] != UINT32_MAX)
            return;
        chain->of[at] = object;
        next = chain->others[at].next;
    }
}

static void find_objects(Chain *chain, Arena *arena)
{
    const uint32_t numbers = chain->count + chain->other_count;
    chain->of = arena_array(arena, uint32_t, chain->other_count);
    chain->by_index = arena_array(arena, uint32_t, (size_t)numbers + 1);
    for (uint32_t i = 0; i < chain->other_count; i++) {
        chain->of[i] = UINT32_MAX;
        if (chain->others[i].index <= numbers)
            chain->by_index[chain->others[i].index] = i + 1;
    }
    for (uint32_t i = 0; i < chain->count; i++)
        follow_chain(chain, i);
}

static bool read_bone_keys(PmmModel *model, Loader *l)
{
    VmdMotion *motion = &model->motion;
    Chain chain = {.count = model->bone_count};
    if (chain.count > reader_left(&l->r) / BONE_KEY_SIZE)
        return fail_end(l);
    VmdBoneKey *first = arena_array(l->arena, VmdBoneKey, chain.count);
    chain.first = arena_array(l->arena, Base, chain.count);
    for (uint32_t i = 0; i < chain.count; i++)
        if (!read_bone_key(&first[i], &chain.first[i], l, false))
            return false;
    if (!read_count(&chain.other_count, l, BONE_KEY_SIZE + 4, "bone key"))
        return false;
    motion->bone_keys = arena_array(l->arena, VmdBoneKey, (size_t)chain.count + chain.other_count);
    VmdBoneKey *others = arena_array(l->arena, VmdBoneKey, chain.other_count);
    chain.others = arena_array(l->arena, Base, chain.other_count);
    for (uint32_t i = 0; i < chain.other_count; i++)
        if (!read_bone_key(&others[i], &chain.others[i], l, true))
            return false;
    find_objects(&chain, l->arena);
    for (uint32_t i = 0; i < chain.count; i++) {
        first[i].name = vmd_name_from_utf8(model->bones[i]);
        motion->bone_keys[motion->bone_key_count++] = first[i];
    }
    for (uint32_t i = 0; i < chain.other_count; i++)
        if (chain.of[i] != UINT32_MAX) {
            others[i].name = first[chain.of[i]].name;
            motion->bone_keys[motion->bone_key_count++] = others[i];
        }
    return true;
}

static bool read_morph_keys(PmmModel *model, const char *const *names, uint32_t count, Loader *l)
{
    VmdMotion *motion = &model->motion;
    Chain chain = {.count = count};
    if (count > reader_left(&l->r) / MORPH_KEY_SIZE)
        return fail_end(l);
    VmdMorphKey *first = arena_array(l->arena, VmdMorphKey, count);
    chain.first = arena_array(l->arena, Base, count);
    for (uint32_t i = 0; i < count; i++)
        if (!read_morph_key(&first[i], &chain.first[i], l, false))
            return false;
    if (!read_count(&chain.other_count, l, MORPH_KEY_SIZE + 4, "morph key"))
        return false;
    motion->morph_keys = arena_array(l->arena, VmdMorphKey, (size_t)count + chain.other_count);
    VmdMorphKey *others = arena_array(l->arena, VmdMorphKey, chain.other_count);
    chain.others = arena_array(l->arena, Base, chain.other_count);
    for (uint32_t i = 0; i < chain.other_count; i++)
        if (!read_morph_key(&others[i], &chain.others[i], l, true))
            return false;
    find_objects(&chain, l->arena);
    for (uint32_t i = 0; i < count; i++) {
        first[i].name = vmd_name_from_utf8(names[i]);
        motion->morph_keys[motion->morph_key_count++] = first[i];
    }
    for (uint32_t i = 0; i < chain.other_count; i++)
        if (chain.of[i] != UINT32_MAX) {
            others[i].name = first[chain.of[i]].name;
            motion->morph_keys[motion->morph_key_count++] = others[i];
        }
    return true;
}

/* ---- models ---- */

/* Texts with their lengths; at least a byte each. */
static bool read_names(const char ***names, uint32_t *count, Loader *l, const char *what)
{
    if (!read_count(count, l, 1, what))
        return false;
    *names = arena_array(l->arena, const char *, *count);
    for (uint32_t i = 0; i < *count; i++)
        (*names)[i] = read_text(l);
    return !l->r.failed || fail_end(l);
}

static bool read_indices(int32_t **indices, uint32_t *count, Loader *l, const char *what)
{
    if (!read_count(count, l, 4, what))
        return false;
    *indices = arena_array(l->arena, int32_t, *count);
    for (uint32_t i = 0; i < *count; i++)
        (*indices)[i] = read_i32(&l->r);
    return true;
}

/* What a model has for its property keys. */
typedef struct Subjects {
    int32_t *ik, *carried; /* bones with IK; bones that another model can carry */
    uint32_t ik_count, carried_count;
} Subjects;

static bool is_root(const Subjects *subjects, uint32_t index)
{
    return subjects->carried[index] <= 0;
}

static void read_parents(PmmModel *model, const Subjects *subjects, Loader *l, bool first)
{
    for (uint32_t i = 0; i < subjects->carried_count; i++) {
        PmmParent parent;
        parent.model = read_i32(&l->r);
        parent.bone = read_i32(&l->r);
        const bool same = parent.model == model->parent.model && parent.bone == model->parent.bone;
        if (first && is_root(subjects, i))
            model->parent = parent;
        else if (is_root(subjects, i) ? !same : parent.model >= 0)
            model->has_other_parents = true;
    }
}

static void read_property_key(VmdPropertyKey *key, PmmModel *model, const Subjects *subjects,
                              Loader *l, bool first)
{
    const Base base = read_base(l, !first);
    *key = (VmdPropertyKey){.frame = base.frame,
                            .visible = read_bool(l),
                            .ik = arena_array(l->arena, VmdIkSwitch, subjects->ik_count),
                            .ik_count = subjects->ik_count};
    for (uint32_t i = 0; i < subjects->ik_count; i++) {
        const int32_t bone = subjects->ik[i];
        key->ik[i].enabled = read_bool(l);
        if (bone >= 0 && (uint32_t)bone < model->bone_count)
            key->ik[i].bone = vmd_name_from_utf8(model->bones[bone]);
    }
    read_parents(model, subjects, l, first);
    (void)read_bool(l);
}

static bool read_property_keys(PmmModel *model, const Subjects *subjects, Loader *l)
{
    const size_t size = 18 + (size_t)subjects->ik_count + 8 * (size_t)subjects->carried_count;
    VmdPropertyKey first;
    uint32_t count;
    model->parent = (PmmParent){-1, -1};
    if (size - 4 > reader_left(&l->r))
        return fail_end(l);
    read_property_key(&first, model, subjects, l, true);
    if (!read_count(&count, l, size, "model key"))
        return false;
    model->motion.property_keys = arena_array(l->arena, VmdPropertyKey, (size_t)count + 1);
    model->motion.property_keys[0] = first;
    for (uint32_t i = 0; i < count; i++)
        read_property_key(&model->motion.property_keys[i + 1], model, subjects, l, false);
    model->motion.property_key_count = count + 1;
    return !l->r.failed || fail_end(l);
}

static bool read_model(PmmModel *model, Loader *l)
{
    const char **morphs;
    uint32_t morph_count;
    Subjects subjects = {0};
    skip(l, 1); /* its number */
    model->name = read_text(l);
    (void)read_text(l); /* English */
    model->path = read_fixed(l, PATH_SIZE);
    skip(l, 1); /* rows of the editor */
    if (!read_names(&model->bones, &model->bone_count, l, "bone") ||
        !read_names(&morphs, &morph_count, l, "morph") ||
        !read_indices(&subjects.ik, &subjects.ik_count, l, "IK bone") ||
        !read_indices(&subjects.carried, &subjects.carried_count, l, "outside parent"))
        return false;
    model->draw_order = read_u8(&l->r);
    (void)read_bool(l);
    skip(l, 5 * 4);          /* selected bone and morphs */
    skip(l, read_u8(&l->r)); /* rows that are open */
    skip(l, 2 * 4);          /* scroll, last frame */
    if (!read_bone_keys(model, l) || !read_morph_keys(model, morphs, morph_count, l) ||
        !read_property_keys(model, &subjects, l))
        return false;
    /* the values that were not recorded as keys */
    skip(l, (size_t)model->bone_count * BONE_STATE_SIZE);
    skip(l, (size_t)morph_count * 4);
    skip(l, subjects.ik_count);
    skip(l, (size_t)subjects.carried_count * PARENT_STATE_SIZE);
    (void)read_bool(l); /* additive */
    read_floats(&model->edge_width, 1, &l->r);
    skip(l, 2); /* self-shadow, transform order */
    model->motion.model_name = model->name;
    return l->r.failed ? fail_end(l) : check_floats(&model->edge_width, 1, l);
}

static bool read_models(Loader *l)
{
    PmmProject *p = l->project;
    skip(l, 1); /* the selected one */
    const uint32_t count = read_u8(&l->r);
    if (count > reader_left(&l->r) / SMALLEST_MODEL)
        return diag_error(l->diag, "model count %" PRIu32 " exceeds the file size", count);
    p->models = arena_array(l->arena, PmmModel, count);
    p->model_count = count;
    for (uint32_t i = 0; i < count; i++) {
        diag_item(l->diag, "model", i);
        if (!read_model(&p->models[i], l))
            return false;
    }
    diag_item(l->diag, NULL, 0);
    return true;
}

/* ---- camera and light ---- */

static bool read_camera_key(VmdCameraKey *key, Loader *l, bool numbered)
{
    /* x y z rotation distance fov, in the order of VMD's keys, too */
    key->frame = read_base(l, numbered).frame;
    if (!read_vector(&key->distance, 1, l) || !read_vector(key->target, 3, l) ||
        !read_vector(key->rotation, 3, l))
        return false;
    l->project->has_camera_parent |= read_i32(&l->r) >= 0;
    skip(l, 4); /* bone of the parent */
    for (size_t i = 0; i < 6; i++)
        key->curves[i] = read_curve(l);
    key->orthographic = read_bool(l);
    const uint32_t fov = read_u32(&l->r);
    key->fov_deg = (float)(fov < 1 ? 1 : fov > MAX_FOV_DEG ? MAX_FOV_DEG : fov); /* as in VMD */
    (void)read_bool(l);
    return true;
}

static bool read_camera(Loader *l)
{
    VmdMotion *stage = &l->project->stage;
    VmdCameraKey first = {0};
    uint32_t count;
    if (!read_camera_key(&first, l, false) || !read_count(&count, l, CAMERA_KEY_SIZE, "camera key"))
        return false;
    stage->camera_keys = arena_array(l->arena, VmdCameraKey, (size_t)count + 1);
    stage->camera_keys[0] = first;
    stage->camera_key_count = count + 1;
    for (uint32_t i = 0; i < count; i++)
        if (!read_camera_key(&stage->camera_keys[i + 1], l, true))
            return false;
    skip(l, 9 * 4 + 1); /* the view */
    return !l->r.failed || fail_end(l);
}

static bool read_light_key(VmdLightKey *key, Loader *l, bool numbered)
{
    key->frame = read_base(l, numbered).frame;
    if (!read_vector(key->color, 3, l) || !read_vector(key->direction, 3, l))
        return false;
    (void)read_bool(l);
    return true;
}

static bool read_light(Loader *l)
{
    VmdMotion *stage = &l->project->stage;
    VmdLightKey first = {0};
    uint32_t count;
    if (!read_light_key(&first, l, false) ||
        !read_count(&count, l, LIGHT_KEY_SIZE + 4, "light key"))
        return false;
    stage->light_keys = arena_array(l->arena, VmdLightKey, (size_t)count + 1);
    stage->light_keys[0] = first;
    stage->light_key_count = count + 1;
    for (uint32_t i = 0; i < count; i++)
        if (!read_light_key(&stage->light_keys[i + 1], l, true))
            return false;
    skip(l, 6 * 4);
    return !l->r.failed || fail_end(l);
}

static bool read_self_shadow(Loader *l)
{
    VmdMotion *stage = &l->project->stage;
    uint32_t count;
    l->project->self_shadow = read_bool(l);
    skip(l, 4);
    VmdShadowKey first = {.frame = read_base(l, false).frame};
    first.mode = read_u8(&l->r) % 3;
    if (!read_vector(&first.distance, 1, l))
        return false;
    (void)read_bool(l);
    if (!read_count(&count, l, 22, "self-shadow key"))
        return false;
    stage->shadow_keys = arena_array(l->arena, VmdShadowKey, (size_t)count + 1);
    stage->shadow_keys[0] = first;
    stage->shadow_key_count = count + 1;
    for (uint32_t i = 0; i < count; i++) {
        VmdShadowKey *key = &stage->shadow_keys[i + 1];
        key->frame = read_base(l, true).frame;
        key->mode = read_u8(&l->r) % 3;
        if (!read_vector(&key->distance, 1, l))
            return false;
        (void)read_bool(l);
    }
    return !l->r.failed || fail_end(l);
}

/* ---- accessories ---- */

/* Opacity and visibility share a byte: 100 % minus its upper 7 bits; the lowest bit. */
static bool read_accessory_key(PmmAccessory *a, Loader *l, bool numbered)
{
    (void)read_base(l, numbered);
    const uint8_t drawn = read_u8(&l->r);
    a->opacity = (float)(100 - (drawn >> 1)) / 100;
    a->visible = drawn & 1;
    a->parent.model = read_i32(&l->r);
    a->parent.bone = read_i32(&l->r);
    if (!read_vector(a->position, 3, l) || !read_vector(a->rotation, 3, l) ||
        !read_vector(&a->scale, 1, l))
        return false;
    skip(l, 2); /* shadow, selected */
    return true;
}

static bool read_accessory(PmmAccessory *a, Loader *l)
{
    PmmAccessory later = {0};
    skip(l, 1);
    a->name = read_fixed(l, ACCESSORY_NAME_SIZE);
    a->path = read_fixed(l, PATH_SIZE);
    skip(l, 1); /* draw order */
    if (!read_accessory_key(a, l, false) ||
        !read_count(&a->key_count, l, ACCESSORY_KEY_SIZE + 4, "accessory key"))
        return false;
    for (uint32_t i = 0; i < a->key_count; i++)
        if (!read_accessory_key(&later, l, true))
            return false;
    skip(l, 1 + 2 * 4 + 7 * 4 + 1 + 1); /* values that were not recorded */
    return !l->r.failed || fail_end(l);
}

static bool read_accessories(Loader *l)
{
    PmmProject *p = l->project;
    skip(l, 1 + 4); /* selected, scroll */
    const uint32_t count = read_u8(&l->r);
    if (count > reader_left(&l->r) / (ACCESSORY_NAME_SIZE + PATH_SIZE))
        return diag_error(l->diag, "accessory count %" PRIu32 " exceeds the file size", count);
    skip(l, (size_t)count * ACCESSORY_NAME_SIZE);
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

/* ---- settings ---- */

static const char *path_if(const char *path, bool enabled)
{
    return enabled && *path ? path : NULL;
}

static void read_media(Loader *l)
{
    PmmProject *p = l->project;
    const bool has_audio = read_bool(l);
    p->audio = path_if(read_fixed(l, PATH_SIZE), has_audio);
    skip(l, 12); /* position and scale */
    const char *video = read_fixed(l, PATH_SIZE);
    p->video = path_if(video, read_u32(&l->r) != 0);
    skip(l, 12);
    const char *image = read_fixed(l, PATH_SIZE);
    p->image = path_if(image, read_bool(l));
}

static void read_range(Loader *l)
{
    PmmProject *p = l->project;
    skip(l, 4 * 4 + 2); /* the timeline, camera look mode, loop */
    const bool has_begin = read_bool(l), has_end = read_bool(l);
    const int32_t begin = read_i32(&l->r), end = read_i32(&l->r);
    p->begin = has_begin && begin >= 0 ? begin : -1;
    p->end = has_end && end >= 0 && end >= begin ? end : -1;
}

static bool read_gravity(Loader *l)
{
    PmmProject *p = l->project;
    float acceleration, direction[3];
    uint32_t count;
    skip(l, 4 + 4 + 12 + 1); /* values that were not recorded */
    (void)read_base(l, false);
    p->has_gravity_noise = read_bool(l);
    skip(l, 4);
    if (!read_vector(&acceleration, 1, l) || !read_vector(direction, 3, l))
        return false;
    for (size_t i = 0; i < 3; i++)
        p->gravity[i] = acceleration * direction[i];
    (void)read_bool(l);
    if (!check_floats(p->gravity, 3, l) || !read_count(&count, l, 38, "gravity key"))
        return false;
    p->has_gravity_keys = count > 0;
    skip(l, (size_t)count * 38);
    return !l->r.failed || fail_end(l);
}

static bool read_settings(Loader *l)
{
    PmmProject *p = l->project;
    read_range(l);
    read_media(l);
    skip(l, 2); /* information, grid */
    p->ground_shadow = read_bool(l);
    if (!read_vector(&p->fps, 1, l))
        return false;
    skip(l, 4 + 4 + 4 + 1); /* capture mode, accessories after models, ground shadow */
    p->physics = read_u8(&l->r) != 0;
    if (!read_gravity(l) || !read_self_shadow(l))
        return false;
    for (size_t i = 0; i < 3; i++)
        p->edge_color[i] = (uint8_t)read_u32(&l->r);
    p->black_background = read_bool(l);
    return !l->r.failed || fail_end(l);
}

/* ---- the project ---- */

static PmmParent check_parent(const PmmProject *p, PmmParent parent)
{
    const bool valid = parent.model >= 0 && (uint32_t)parent.model < p->model_count &&
                       parent.bone >= 0 &&
                       (uint32_t)parent.bone < p->models[parent.model].bone_count;
    return valid ? parent : (PmmParent){-1, -1};
}

static bool read_head(Loader *l)
{
    const uint8_t *signature = read_bytes(&l->r, SIGNATURE_SIZE);
    if (!signature || memcmp(signature, "Polygon Movie maker ", 20) != 0)
        return diag_error(l->diag, "not a project of MikuMikuDance");
    if (memcmp(signature + 20, "0001", 4) == 0)
        return diag_error(l->diag, "version 1 (MMD before 7.40) is not supported: open and save it "
                                   "with a newer MMD");
    if (memcmp(signature + 20, "0002", 4) != 0)
        return diag_error(l->diag, "unknown version '%.4s' (0002)", (const char *)signature + 20);
    l->project->width = read_u32(&l->r);
    l->project->height = read_u32(&l->r);
    skip(l, 4 + 4 + PANELS); /* timeline, view angle */
    return !l->r.failed || fail_end(l);
}

bool pmm_load(PmmProject *project, Bytes bytes, Arena *arena, Diag *diag)
{
    Loader l = {reader_init(bytes.data, bytes.size), project, arena, diag};
    *project = (PmmProject){.begin = -1, .end = -1, .stage.model_name = "カメラ・照明"};
    if (!read_head(&l) || !read_models(&l) || !read_camera(&l) || !read_light(&l) ||
        !read_accessories(&l) || !read_settings(&l))
        return false;
    for (uint32_t i = 0; i < project->model_count; i++)
        project->models[i].parent = check_parent(project, project->models[i].parent);
    for (uint32_t i = 0; i < project->accessory_count; i++)
        project->accessories[i].parent = check_parent(project, project->accessories[i].parent);
    return true;
}
