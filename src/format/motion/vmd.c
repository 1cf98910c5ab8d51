#include "format/motion/vmd.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/reader.h"
#include "base/text.h"
#include "format/motion/vmd_sections.h"

enum { OLD_NAME_SIZE = 10 };

static const char MAGIC[] = "Vocaloid Motion Data", MAGIC_NEW[] = "Vocaloid Motion Data 0002",
                  MAGIC_OLD[] = "Vocaloid Motion Data file";

/* ---- sections ---- */

#define SECTION(name, record_size, Key, field)                                                   \
    {                                                                                            \
        name, record_size, sizeof(Key), offsetof(Key, frame), offsetof(VmdMotion, field##_keys), \
            offsetof(VmdMotion, field##_key_count)                                               \
    }

/* clang-format off */
const VmdSection vmd_sections[VMD_SECTION_COUNT] = {
    SECTION("bone key",        111, VmdBoneKey,     bone),
    SECTION("morph key",        23, VmdMorphKey,    morph),
    SECTION("camera key",       61, VmdCameraKey,   camera),
    SECTION("light key",        28, VmdLightKey,    light),
    SECTION("self-shadow key",   9, VmdShadowKey,   shadow),
    SECTION("property key",      9, VmdPropertyKey, property),
};
/* clang-format on */

uint32_t vmd_section_key_count(const VmdSection *section, const VmdMotion *motion)
{
    uint32_t count;
    memcpy(&count, (const char *)motion + section->count_offset, sizeof count);
    return count;
}

const void *vmd_section_key(const VmdSection *section, const VmdMotion *motion, uint32_t index)
{
    const char *keys;
    memcpy(&keys, (const char *)motion + section->keys_offset, sizeof keys);
    return keys + index * section->key_size;
}

/* ---- values ---- */

static VmdName read_name(Reader *r, size_t field_size)
{
    VmdName name = {{0}};
    const uint8_t *bytes = read_bytes(r, field_size);
    if (bytes) /* the bytes after the NUL are undefined */
        memcpy(name.bytes, bytes, strnlen((const char *)bytes, VMD_NAME_SIZE));
    return name;
}

static void read_values(float *out, size_t count, Reader *r, Diag *diag)
{
    bool infinite = false, large = false;
    read_floats(out, count, r);
    for (size_t i = 0; i < count; i++) {
        if (fabsf(out[i]) <= VMD_MAX_VALUE)
            continue;
        infinite |= !isfinite(out[i]);
        large |= isfinite(out[i]);
        out[i] = isfinite(out[i]) ? copysignf(VMD_MAX_VALUE, out[i]) : 0.0f;
    }
    if (infinite)
        diag_warn(diag, WARN_BAD_VALUE, "value is not finite; 0 is used");
    if (large)
        diag_warn(diag, WARN_BAD_VALUE, "value is out of range (-%d..%d); the nearest is used",
                  VMD_MAX_VALUE, VMD_MAX_VALUE);
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
        diag_warn(diag, WARN_BAD_VALUE, "rotation is not finite; the identity is used");
    }
    vmd_normalize(q);
}

/* Frames of 2^31 and more are negative numbers in MMD; such keys are ignored. */
static bool is_frame(uint32_t frame, Diag *diag)
{
    if (frame <= INT32_MAX)
        return true;
    diag_warn(diag, WARN_BAD_VALUE, "frame %" PRIu32 " is out of range (0..%d); the key is ignored",
              frame, INT32_MAX);
    return false;
}

static uint8_t clamp_point(uint8_t value)
{
    return value < CURVE_ONE ? value : CURVE_ONE;
}

/*
 * 64 bytes: four rows of 16.  Row 0 is x1 of X Y Z R, then y1, x2, y2 of the four; row k is row 0
 * shifted left by k bytes, so it starts with channel k.  Newer versions of MMD store the physics
 * switch in bytes 2 and 3 of row 0 (x1 of Z and R), so each channel is read from its own row
 * (format/motion/README.md 1.2).
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

/*
 * ---- keys ----
 *
 * Each reader returns false if the key must be ignored.  If the file ends inside a key, the Reader
 * has failed afterwards.
 */

/*
 * Bone key, 111 bytes:
 *    0  u8[15]  name, CP932, NUL-padded        31  f32[4]  rotation x y z w
 *   15  u32     frame                          47  u8[64]  easing, see unpack_curves
 *   19  f32[3]  offset from rest, MMD units
 */
static bool read_bone_key(void *out, Reader *r, Arena *arena, Diag *diag)
{
    VmdBoneKey *key = out;
    (void)arena;
    key->name = read_name(r, VMD_NAME_SIZE);
    key->frame = read_u32(r);
    read_values(key->translation, 3, r, diag);
    read_rotation(key->rotation, r, diag);
    const uint8_t *easing = read_bytes(r, VMD_EASING_SIZE);
    if (!easing)
        return false;
    unpack_curves(key, easing);
    return is_frame(key->frame, diag);
}

/* Morph key, 23 bytes: u8[15] name, u32 frame, f32 weight */
static bool read_morph_key(void *out, Reader *r, Arena *arena, Diag *diag)
{
    VmdMorphKey *key = out;
    (void)arena;
    key->name = read_name(r, VMD_NAME_SIZE);
    key->frame = read_u32(r);
    read_values(&key->weight, 1, r, diag);
    return is_frame(key->frame, diag);
}

static float read_fov(Reader *r, Diag *diag)
{
    const uint32_t fov = read_u32(r);
    if (fov >= 1 && fov <= VMD_MAX_FOV_DEG)
        return (float)fov;
    const uint32_t nearest = fov < 1 ? 1 : VMD_MAX_FOV_DEG;
    diag_warn(diag, WARN_BAD_VALUE,
              "field of view of %" PRIu32 " degrees is out of range (1..%d); %" PRIu32 " is used",
              fov, VMD_MAX_FOV_DEG, nearest);
    return (float)nearest;
}

/*
 * Camera key, 61 bytes:
 *    0  u32     frame                          32  u8[24]  easing, x1 x2 y1 y2 per channel
 *    4  f32     distance                       56  u32     field of view, degrees
 *    8  f32[3]  target                         60  u8      0: perspective
 *   20  f32[3]  rotation, radians
 */
static bool read_camera_key(void *out, Reader *r, Arena *arena, Diag *diag)
{
    VmdCameraKey *key = out;
    (void)arena;
    key->frame = read_u32(r);
    read_values(&key->distance, 1, r, diag);
    read_values(key->target, 3, r, diag);
    read_values(key->rotation, 3, r, diag);
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

/* Light key, 28 bytes: u32 frame, f32[3] color 0..1, f32[3] direction the light travels */
static bool read_light_key(void *out, Reader *r, Arena *arena, Diag *diag)
{
    VmdLightKey *key = out;
    (void)arena;
    key->frame = read_u32(r);
    read_values(key->color, 3, r, diag);
    read_values(key->direction, 3, r, diag);
    return is_frame(key->frame, diag);
}

/* Self-shadow key, 9 bytes: u32 frame, u8 mode, f32 distance */
static bool read_shadow_key(void *out, Reader *r, Arena *arena, Diag *diag)
{
    VmdShadowKey *key = out;
    (void)arena;
    key->frame = read_u32(r);
    key->mode = read_u8(r);
    read_values(&key->distance, 1, r, diag);
    if (key->mode > 2) {
        diag_warn(diag, WARN_BAD_VALUE, "self-shadow mode %d is out of range (0..2); off is used",
                  key->mode);
        key->mode = 0;
    }
    return is_frame(key->frame, diag);
}

/* Property key: u32 frame, u8 visible, u32 count, count of { u8[20] IK bone name, u8 enabled } */
static bool read_property_key(void *out, Reader *r, Arena *arena, Diag *diag)
{
    VmdPropertyKey *key = out;
    key->frame = read_u32(r);
    key->visible = read_u8(r) != 0;
    key->ik_count = read_u32(r);
    if (r->failed || key->ik_count > reader_left(r) / VMD_IK_SWITCH_SIZE) {
        diag_warn(diag, WARN_TRUNCATED, "file ends inside this key; the key is ignored");
        r->failed = true;
        return false;
    }

    key->ik = key->ik_count ? arena_array(arena, VmdIkSwitch, key->ik_count) : NULL;
    for (uint32_t i = 0; i < key->ik_count; i++) {
        key->ik[i].bone = read_name(r, VMD_IK_NAME_SIZE);
        key->ik[i].enabled = read_u8(r) != 0;
    }
    return is_frame(key->frame, diag);
}

typedef bool ReadKey(void *key, Reader *r, Arena *arena, Diag *diag);

static ReadKey *const read_key[VMD_SECTION_COUNT] = {read_bone_key,   read_morph_key,
                                                     read_camera_key, read_light_key,
                                                     read_shadow_key, read_property_key};

/* ---- the file ---- */

/*
 * Reads a count and compares it with the bytes left.  A file may end before any section.  If it
 * ends inside one, the complete records are kept and *complete becomes false.  A count that no file
 * can hold is damaged data: nothing is read from there on (format/motion/README.md 1.6).
 */
static uint32_t read_count(bool *complete, Reader *r, const VmdSection *section, Diag *diag)
{
    *complete = false;
    if (reader_left(r) == 0)
        return 0;
    const uint32_t count = read_u32(r);
    if (r->failed) {
        diag_warn(diag, WARN_TRUNCATED, "file ends inside the %s count; no %ss are read",
                  section->key_name, section->key_name);
        return 0;
    }
    const size_t available = reader_left(r) / section->record_size;
    *complete = count <= available;
    if (*complete)
        return count;
    if (count > FILE_MAX_SIZE / section->record_size) {
        diag_warn(diag, WARN_TRUNCATED,
                  "%s count %" PRIu32 " exceeds the file size; the rest of the file is ignored",
                  section->key_name, count);
        return 0;
    }
    diag_warn(diag, WARN_TRUNCATED,
              "%s count is %" PRIu32 ", but the file ends after %zu; those are kept",
              section->key_name, count, available);
    return (uint32_t)available;
}

/* Returns true if the next section may follow. */
static bool read_section(VmdMotion *motion, size_t index, Reader *r, Arena *arena, Diag *diag)
{
    const VmdSection *section = &vmd_sections[index];
    bool complete;
    const uint32_t count = read_count(&complete, r, section, diag);
    char *keys = arena_calloc(arena, count, section->key_size);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        diag_item(diag, section->key_name, i);
        kept += read_key[index](keys + kept * section->key_size, r, arena, diag);
    }
    diag_item(diag, NULL, 0);
    memcpy((char *)motion + section->keys_offset, &keys, sizeof keys);
    memcpy((char *)motion + section->count_offset, &kept, sizeof kept);
    return complete && !r->failed;
}

/*
 * Header: u8[30] "Vocaloid Motion Data 0002", then u8[20] the model's name, CP932; or, in the first
 * version, "Vocaloid Motion Data file" and u8[10].  The bytes after the text's NUL are undefined.
 * Some exporters write no version; the name then has the size after which the number of bone keys
 * fits into the file.
 */
static size_t name_size_of(const char *magic, const Reader *r)
{
    static const size_t sizes[] = {VMD_MODEL_NAME_SIZE, OLD_NAME_SIZE};

    if (!strncmp(magic, MAGIC_NEW, strlen(MAGIC_NEW)))
        return VMD_MODEL_NAME_SIZE;
    if (!strncmp(magic, MAGIC_OLD, strlen(MAGIC_OLD)))
        return OLD_NAME_SIZE;
    for (int i = 0; i < 2; i++) {
        Reader probe = *r;
        read_bytes(&probe, sizes[i]);
        const uint32_t count = read_u32(&probe);
        if (!probe.failed && count <= reader_left(&probe) / vmd_sections[0].record_size)
            return sizes[i];
    }
    return 0;
}

static bool read_header(VmdMotion *motion, Reader *r, Arena *arena, Diag *diag)
{
    const char *magic = (const char *)read_bytes(r, VMD_HEADER_SIZE);
    if (!magic)
        return diag_error(diag, "not a VMD motion: the file is shorter than its header (%d bytes)",
                          VMD_HEADER_SIZE);
    if (strncmp(magic, MAGIC, strlen(MAGIC)) != 0)
        return diag_error(diag, "not a VMD motion: it does not start with '%s'", MAGIC);

    const size_t name_size = name_size_of(magic, r);
    if (name_size == 0)
        return diag_error(diag, "VMD header without a known version ('%s' or '%s')", MAGIC_NEW,
                          MAGIC_OLD);
    const uint8_t *name = read_bytes(r, name_size);
    if (!name)
        return diag_error(diag, "file ends inside its header (%zu bytes)", r->size);
    motion->model_name = text_from_cp932(name, name_size, arena);
    return true;
}

bool vmd_load(VmdMotion *motion, Bytes bytes, Arena *arena, Diag *diag)
{
    Reader r = reader_init(bytes.data, bytes.size);
    bool complete = true;

    *motion = (VmdMotion){0};
    if (!read_header(motion, &r, arena, diag))
        return false;
    for (size_t i = 0; complete && i < VMD_SECTION_COUNT; i++)
        complete = read_section(motion, i, &r, arena, diag);
    if (complete && reader_left(&r))
        diag_warn(diag, WARN_TRAILING_DATA, "%zu bytes after the last section are ignored",
                  reader_left(&r));
    return true;
}

/* ---- queries ---- */

static uint32_t frame_of(const VmdSection *section, const void *key)
{
    uint32_t frame;
    memcpy(&frame, (const char *)key + section->frame_offset, sizeof frame);
    return frame;
}

uint32_t vmd_last_frame(const VmdMotion *motion)
{
    uint32_t last = 0;
    for (size_t s = 0; s < VMD_SECTION_COUNT; s++) {
        const VmdSection *section = &vmd_sections[s];
        for (uint32_t i = 0; i < vmd_section_key_count(section, motion); i++) {
            const uint32_t frame = frame_of(section, vmd_section_key(section, motion, i));
            last = frame > last ? frame : last;
        }
    }
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
