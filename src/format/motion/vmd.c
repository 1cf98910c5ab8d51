#include "format/motion/vmd.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/reader.h"
#include "base/text.h"

enum {
    HEADER_SIZE = 30,
    BONE_KEY_SIZE = 111,
    MORPH_KEY_SIZE = 23,
    CAMERA_KEY_SIZE = 61,
    LIGHT_KEY_SIZE = 28,
    SHADOW_KEY_SIZE = 9,
    PROPERTY_KEY_SIZE = 9, /* and IK_SWITCH_SIZE for each switch */
    IK_SWITCH_SIZE = 21,
    MAX_FOV_DEG = 179
};

/* ---- values ---- */

static VmdName read_name(Reader *r, size_t field_size)
{
    VmdName name = {{0}};
    const uint8_t *bytes = read_bytes(r, field_size);
    if (bytes) /* behind the NUL stands garbage */
        memcpy(name.bytes, bytes, strnlen((const char *)bytes, VMD_NAME_SIZE));
    return name;
}

static void read_finite(float *out, size_t count, Reader *r, Diag *diag)
{
    bool repaired = false;
    read_floats(out, count, r);
    for (size_t i = 0; i < count; i++) {
        if (isfinite(out[i]))
            continue;
        out[i] = 0.0f;
        repaired = true;
    }
    if (repaired)
        diag_warn(diag, "a value is not finite, read as 0");
}

void vmd_normalize(float q[4])
{
    double square = 0.0;
    for (int i = 0; i < 4; i++)
        square += (double)q[i] * (double)q[i];
    const double length = sqrt(square);
    if (length > 0.0) {
        for (int i = 0; i < 4; i++)
            q[i] = (float)((double)q[i] / length);
    } else {
        q[3] = 1.0f;
    }
}

static void read_rotation(float q[4], Reader *r, Diag *diag)
{
    bool finite = true;
    read_floats(q, 4, r);
    for (int i = 0; i < 4; i++)
        finite = finite && isfinite(q[i]);
    if (!finite) {
        memset(q, 0, 4 * sizeof *q);
        diag_warn(diag, "rotation is not finite, read as none");
    }
    vmd_normalize(q);
}

/* Frames from 2^31 on are nonsense (negative): such a key is left out. */
static bool is_frame(uint32_t frame, Diag *diag)
{
    if (frame <= INT32_MAX)
        return true;
    diag_warn(diag, "frame %" PRIu32 " is out of range, key ignored (0..%d)", frame, INT32_MAX);
    return false;
}

static uint8_t clamp_point(uint8_t value)
{
    return value < CURVE_ONE ? value : CURVE_ONE;
}

/*
 * 64 bytes: four rows of 16.  Row 0 is x1 of X Y Z R, then y1, x2, y2 of the four; row k is row 0
 * shifted left by k bytes, so it starts with channel k.  Newer MMD overwrites bytes 2 and 3 of row
 * 0 (x1 of Z and R) with its physics switch: hence each channel is taken from its own row.
 */
static void unpack_curves(VmdBoneKey *key, const uint8_t *b)
{
    for (size_t i = 0; i < 4; i++) {
        const uint8_t *row = b + 16 * i;
        key->curves[i] = (Curve){clamp_point(row[0]), clamp_point(row[4]), clamp_point(row[8]),
                                 clamp_point(row[12])};
    }
    key->physics = b[2] == 0x00 && b[3] == 0x00   ? VMD_PHYSICS_ON
                   : b[2] == 0x63 && b[3] == 0x0F ? VMD_PHYSICS_OFF
                                                  : VMD_PHYSICS_UNSPECIFIED;
}

/* ---- keys; each returns false for a key to leave out ---- */

/*
 * Bone key, 111 bytes:
 *    0  u8[15]  name, CP932, NUL-padded        31  f32[4]  rotation x y z w
 *   15  u32     frame                          47  u8[64]  easing, see unpack_curves
 *   19  f32[3]  offset from rest, MMD units
 */
static bool read_bone_key(VmdBoneKey *key, Reader *r, Diag *diag)
{
    key->name = read_name(r, VMD_NAME_SIZE);
    key->frame = read_u32(r);
    read_finite(key->translation, 3, r, diag);
    read_rotation(key->rotation, r, diag);
    const uint8_t *easing = read_bytes(r, 64);
    if (!easing)
        return false;
    unpack_curves(key, easing);
    return is_frame(key->frame, diag);
}

/* Morph key, 23 bytes: u8[15] name, u32 frame, f32 weight */
static bool read_morph_key(VmdMorphKey *key, Reader *r, Diag *diag)
{
    key->name = read_name(r, VMD_NAME_SIZE);
    key->frame = read_u32(r);
    read_finite(&key->weight, 1, r, diag);
    return is_frame(key->frame, diag);
}

static float read_fov(Reader *r, Diag *diag)
{
    const uint32_t fov = read_u32(r);
    if (fov >= 1 && fov <= MAX_FOV_DEG)
        return (float)fov;
    const uint32_t nearest = fov < 1 ? 1 : MAX_FOV_DEG;
    diag_warn(diag, "view angle of %" PRIu32 " degrees, read as %" PRIu32 " (1..%d)", fov, nearest,
              MAX_FOV_DEG);
    return (float)nearest;
}

/*
 * Camera key, 61 bytes:
 *    0  u32     frame                          32  u8[24]  easing, x1 x2 y1 y2 per channel
 *    4  f32     distance                       56  u32     view angle, degrees
 *    8  f32[3]  target                         60  u8      0: perspective
 *   20  f32[3]  rotation, radians
 */
static bool read_camera_key(VmdCameraKey *key, Reader *r, Diag *diag)
{
    key->frame = read_u32(r);
    read_finite(&key->distance, 1, r, diag);
    read_finite(key->target, 3, r, diag);
    read_finite(key->rotation, 3, r, diag);
    const uint8_t *easing = read_bytes(r, 24);
    if (!easing)
        return false;
    for (size_t i = 0; i < 6; i++) {
        const uint8_t *b = easing + 4 * i;
        key->curves[i] =
            (Curve){clamp_point(b[0]), clamp_point(b[2]), clamp_point(b[1]), clamp_point(b[3])};
    }
    key->fov_deg = read_fov(r, diag);
    key->orthographic = read_u8(r) != 0;
    return is_frame(key->frame, diag);
}

/* Light key, 28 bytes: u32 frame, f32[3] colour 0..1, f32[3] direction the light travels */
static bool read_light_key(VmdLightKey *key, Reader *r, Diag *diag)
{
    key->frame = read_u32(r);
    read_finite(key->color, 3, r, diag);
    read_finite(key->direction, 3, r, diag);
    return is_frame(key->frame, diag);
}

/* Self-shadow key, 9 bytes: u32 frame, u8 mode, f32 distance */
static bool read_shadow_key(VmdShadowKey *key, Reader *r, Diag *diag)
{
    key->frame = read_u32(r);
    key->mode = read_u8(r);
    read_finite(&key->distance, 1, r, diag);
    if (key->mode > 2) {
        diag_warn(diag, "self-shadow mode %d, read as off (0..2)", key->mode);
        key->mode = 0;
    }
    return is_frame(key->frame, diag);
}

/* ---- sections ---- */

typedef struct Section {
    uint32_t count; /* complete records */
    bool whole;     /* all that were announced are there, so that the next section may follow */
} Section;

/*
 * Reads a count and compares it with the bytes left.  A file may end before any section; it may be
 * cut in one, which keeps its complete records.  A count that no file can hold is nonsense: nothing
 * is read from there on (such a file exists, after valid bone and morph keys).
 */
static Section open_section(Reader *r, const char *what, size_t record_size, Diag *diag)
{
    const Section none = {0, false};
    if (reader_left(r) == 0)
        return none;
    const uint32_t count = read_u32(r);
    if (r->failed) {
        diag_warn(diag, "file ends in the number of %ss, read as none", what);
        return none;
    }
    const size_t room = reader_left(r) / record_size;
    if (count <= room)
        return (Section){count, true};
    if (count > FILE_MAX_SIZE / record_size) {
        diag_warn(diag, "%" PRIu32 " %ss are announced, which cannot be: the rest is not read",
                  count, what);
        return none;
    }
    diag_warn(diag, "%" PRIu32 " %ss are announced, the file is cut after %zu", count, what, room);
    return (Section){(uint32_t)room, false};
}

static bool read_bone_keys(VmdMotion *motion, Reader *r, Arena *arena, Diag *diag)
{
    const Section section = open_section(r, "bone key", BONE_KEY_SIZE, diag);
    motion->bone_keys = arena_array(arena, VmdBoneKey, section.count);
    for (uint32_t i = 0; i < section.count; i++) {
        diag_item(diag, "bone key", i);
        if (read_bone_key(&motion->bone_keys[motion->bone_key_count], r, diag))
            motion->bone_key_count++;
    }
    return section.whole;
}

static bool read_morph_keys(VmdMotion *motion, Reader *r, Arena *arena, Diag *diag)
{
    const Section section = open_section(r, "morph key", MORPH_KEY_SIZE, diag);
    motion->morph_keys = arena_array(arena, VmdMorphKey, section.count);
    for (uint32_t i = 0; i < section.count; i++) {
        diag_item(diag, "morph key", i);
        if (read_morph_key(&motion->morph_keys[motion->morph_key_count], r, diag))
            motion->morph_key_count++;
    }
    return section.whole;
}

static bool read_camera_keys(VmdMotion *motion, Reader *r, Arena *arena, Diag *diag)
{
    const Section section = open_section(r, "camera key", CAMERA_KEY_SIZE, diag);
    motion->camera_keys = arena_array(arena, VmdCameraKey, section.count);
    for (uint32_t i = 0; i < section.count; i++) {
        diag_item(diag, "camera key", i);
        if (read_camera_key(&motion->camera_keys[motion->camera_key_count], r, diag))
            motion->camera_key_count++;
    }
    return section.whole;
}

static bool read_light_keys(VmdMotion *motion, Reader *r, Arena *arena, Diag *diag)
{
    const Section section = open_section(r, "light key", LIGHT_KEY_SIZE, diag);
    motion->light_keys = arena_array(arena, VmdLightKey, section.count);
    for (uint32_t i = 0; i < section.count; i++) {
        diag_item(diag, "light key", i);
        if (read_light_key(&motion->light_keys[motion->light_key_count], r, diag))
            motion->light_key_count++;
    }
    return section.whole;
}

static bool read_shadow_keys(VmdMotion *motion, Reader *r, Arena *arena, Diag *diag)
{
    const Section section = open_section(r, "self-shadow key", SHADOW_KEY_SIZE, diag);
    motion->shadow_keys = arena_array(arena, VmdShadowKey, section.count);
    for (uint32_t i = 0; i < section.count; i++) {
        diag_item(diag, "self-shadow key", i);
        if (read_shadow_key(&motion->shadow_keys[motion->shadow_key_count], r, diag))
            motion->shadow_key_count++;
    }
    return section.whole;
}

/* Property key: u32 frame, u8 visible, u32 count, count of { u8[20] IK bone name, u8 enabled }.
 * False at the end of the file. */
static bool read_property_key(VmdPropertyKey *key, Reader *r, Arena *arena, Diag *diag)
{
    key->frame = read_u32(r);
    key->visible = read_u8(r) != 0;
    key->ik_count = read_u32(r);
    if (r->failed || key->ik_count > reader_left(r) / IK_SWITCH_SIZE) {
        diag_warn(diag, "the file is cut in this key, which is left out");
        return false;
    }

    key->ik = key->ik_count ? arena_array(arena, VmdIkSwitch, key->ik_count) : NULL;
    for (uint32_t i = 0; i < key->ik_count; i++) {
        key->ik[i].bone = read_name(r, IK_SWITCH_SIZE - 1);
        key->ik[i].enabled = read_u8(r) != 0;
    }
    return true;
}

static bool read_property_keys(VmdMotion *motion, Reader *r, Arena *arena, Diag *diag)
{
    const Section section = open_section(r, "property key", PROPERTY_KEY_SIZE, diag);
    motion->property_keys = arena_array(arena, VmdPropertyKey, section.count);
    for (uint32_t i = 0; i < section.count; i++) {
        diag_item(diag, "property key", i);
        VmdPropertyKey *key = &motion->property_keys[motion->property_key_count];
        if (!read_property_key(key, r, arena, diag))
            return false;
        if (is_frame(key->frame, diag))
            motion->property_key_count++;
    }
    return section.whole;
}

/*
 * Header: u8[30] "Vocaloid Motion Data 0002", then u8[20] the model's name, CP932; or, in the first
 * version, "Vocaloid Motion Data file" and u8[10].  Behind the text's NUL stands garbage.
 */
static bool read_header(VmdMotion *motion, Reader *r, Arena *arena, Diag *diag)
{
    const char *magic = (const char *)read_bytes(r, HEADER_SIZE);
    if (!magic)
        return diag_error(diag, "not a VMD motion: the file is shorter than its header");
    static const char new_magic[] = "Vocaloid Motion Data 0002",
                      old_magic[] = "Vocaloid Motion Data file";
    const bool is_new = !strncmp(magic, new_magic, strlen(new_magic));
    if (!is_new && strncmp(magic, old_magic, strlen(old_magic)))
        return diag_error(diag, "not a VMD motion: it does not start with 'Vocaloid Motion Data'");

    const size_t name_size = is_new ? 20 : 10;
    const uint8_t *name = read_bytes(r, name_size);
    if (!name)
        return diag_error(diag, "the file is cut in its header");
    motion->model_name = text_from_cp932(name, name_size, arena);
    return true;
}

bool vmd_load(VmdMotion *motion, Bytes bytes, Arena *arena, Diag *diag)
{
    typedef bool ReadSection(VmdMotion *, Reader *, Arena *, Diag *);
    static ReadSection *const sections[] = {read_bone_keys,  read_morph_keys,  read_camera_keys,
                                            read_light_keys, read_shadow_keys, read_property_keys};
    Reader r = reader_init(bytes.data, bytes.size);
    bool whole = true;

    *motion = (VmdMotion){0};
    if (!read_header(motion, &r, arena, diag))
        return false;
    for (size_t i = 0; whole && i < sizeof sections / sizeof *sections; i++) {
        whole = sections[i](motion, &r, arena, diag);
        diag_item(diag, NULL, 0);
    }
    if (whole && reader_left(&r))
        diag_warn(diag, "%zu bytes after the last section, not read", reader_left(&r));
    return true;
}

/* ---- check ---- */

static bool are_finite(const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

static bool are_curves(const Curve *c, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (c[i].x1 > CURVE_ONE || c[i].y1 > CURVE_ONE || c[i].x2 > CURVE_ONE ||
            c[i].y2 > CURVE_ONE)
            return false;
    return true;
}

static bool is_name(const VmdName *name)
{
    const size_t size = strnlen(name->bytes, sizeof name->bytes);
    for (size_t i = size; i < sizeof name->bytes; i++)
        if (name->bytes[i])
            return false;
    return size <= VMD_NAME_SIZE;
}

static bool is_bone_key(const VmdBoneKey *key)
{
    const float *q = key->rotation;
    const double square = (double)q[0] * (double)q[0] + (double)q[1] * (double)q[1] +
                          (double)q[2] * (double)q[2] + (double)q[3] * (double)q[3];
    return is_name(&key->name) && key->frame <= INT32_MAX && are_finite(key->translation, 3) &&
           fabs(square - 1.0) < 1e-5 && are_curves(key->curves, 4) &&
           key->physics <= VMD_PHYSICS_OFF;
}

static bool is_camera_key(const VmdCameraKey *key)
{
    return key->frame <= INT32_MAX && isfinite(key->distance) && are_finite(key->target, 3) &&
           are_finite(key->rotation, 3) && are_curves(key->curves, 6) && key->fov_deg >= 1.0f &&
           key->fov_deg <= (float)MAX_FOV_DEG;
}

static bool is_property_key(const VmdPropertyKey *key)
{
    for (uint32_t i = 0; i < key->ik_count; i++)
        if (!is_name(&key->ik[i].bone))
            return false;
    return key->frame <= INT32_MAX;
}

static bool check_bone_keys(const VmdMotion *motion)
{
    for (uint32_t i = 0; i < motion->bone_key_count; i++)
        if (!is_bone_key(&motion->bone_keys[i]))
            return false;
    return true;
}

static bool check_morph_keys(const VmdMotion *motion)
{
    for (uint32_t i = 0; i < motion->morph_key_count; i++) {
        const VmdMorphKey *key = &motion->morph_keys[i];
        if (!is_name(&key->name) || key->frame > INT32_MAX || !isfinite(key->weight))
            return false;
    }
    return true;
}

static bool check_view_keys(const VmdMotion *motion)
{
    for (uint32_t i = 0; i < motion->camera_key_count; i++)
        if (!is_camera_key(&motion->camera_keys[i]))
            return false;
    for (uint32_t i = 0; i < motion->light_key_count; i++) {
        const VmdLightKey *key = &motion->light_keys[i];
        if (key->frame > INT32_MAX || !are_finite(key->color, 3) || !are_finite(key->direction, 3))
            return false;
    }
    for (uint32_t i = 0; i < motion->shadow_key_count; i++) {
        const VmdShadowKey *key = &motion->shadow_keys[i];
        if (key->frame > INT32_MAX || key->mode > 2 || !isfinite(key->distance))
            return false;
    }
    return true;
}

static bool check_property_keys(const VmdMotion *motion)
{
    for (uint32_t i = 0; i < motion->property_key_count; i++)
        if (!is_property_key(&motion->property_keys[i]))
            return false;
    return true;
}

bool vmd_check(const VmdMotion *motion, Diag *diag)
{
    const char *bad = !motion->model_name            ? "name"
                      : !check_bone_keys(motion)     ? "bone key"
                      : !check_morph_keys(motion)    ? "morph key"
                      : !check_view_keys(motion)     ? "camera, light or self-shadow key"
                      : !check_property_keys(motion) ? "property key"
                                                     : NULL;
    return bad ? diag_fail(diag, DIAG_INTERNAL, "a motion with a bad %s", bad) : true;
}

/* ---- questions ---- */

static uint32_t later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

uint32_t vmd_last_frame(const VmdMotion *motion)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < motion->bone_key_count; i++)
        last = later(last, motion->bone_keys[i].frame);
    for (uint32_t i = 0; i < motion->morph_key_count; i++)
        last = later(last, motion->morph_keys[i].frame);
    for (uint32_t i = 0; i < motion->camera_key_count; i++)
        last = later(last, motion->camera_keys[i].frame);
    for (uint32_t i = 0; i < motion->light_key_count; i++)
        last = later(last, motion->light_keys[i].frame);
    for (uint32_t i = 0; i < motion->shadow_key_count; i++)
        last = later(last, motion->shadow_keys[i].frame);
    for (uint32_t i = 0; i < motion->property_key_count; i++)
        last = later(last, motion->property_keys[i].frame);
    return last;
}

VmdName vmd_name_from_utf8(const char *utf8)
{
    VmdName name = {{0}};
    text_to_cp932(name.bytes, VMD_NAME_SIZE, utf8);
    return name;
}

bool vmd_name_equal(const VmdName *a, const VmdName *b)
{
    return a->bytes[0] && !memcmp(a->bytes, b->bytes, VMD_NAME_SIZE);
}

const char *vmd_name_to_utf8(const VmdName *name, Arena *arena)
{
    return text_from_cp932(name->bytes, VMD_NAME_SIZE, arena);
}
