// SPDX-License-Identifier: MIT
#include "format/motion/vmd.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/encoding.h"
#include "base/parser_entry.h"
#include "base/reader.h"
#include "base/text.h"

enum {
    HEADER_SIZE = 30,
    MODEL_NAME_SIZE = 20,
    OLD_NAME_SIZE = 10,
    EASING_SIZE = 64,   /* bytes of easing of a bone key */
    IK_NAME_SIZE = 20,  /* the field; a name has at most VMD_NAME_SIZE bytes of it */
    IK_SWITCH_SIZE = 21 /* name and u8 enabled */
};

static const char MAGIC[] = "Vocaloid Motion Data", MAGIC_NEW[] = "Vocaloid Motion Data 0002",
                  MAGIC_OLD[] = "Vocaloid Motion Data file";

/* What reads or writes a file: the records are described once for both. */
typedef struct Io {
    Reader r;
    uint8_t *to; /* where to write the next value; NULL: read */
    Arena *arena;
    Diag *diag;
} Io;

/* ---- values ---- */

static void io_u8(Io *io, uint8_t *value)
{
    if (io->to)
        *io->to++ = *value;
    else
        *value = read_u8(&io->r);
}

static void io_bool(Io *io, bool *value)
{
    uint8_t byte = *value;
    io_u8(io, &byte);
    if (!io->to)
        *value = byte != 0;
}

static void io_u32(Io *io, uint32_t *value)
{
    if (!io->to)
        *value = read_u32(&io->r);
    for (int shift = 0; io->to && shift < 32; shift += 8)
        *io->to++ = (uint8_t)(*value >> shift);
}

/* A field of which a name uses the first 15 bytes; the memory that is written to is zeroed. */
static void io_name(Io *io, VmdName *name, size_t field_size)
{
    if (io->to) {
        memcpy(io->to, name->bytes, VMD_NAME_SIZE);
        io->to += field_size;
        return;
    }
    const uint8_t *bytes = read_bytes(&io->r, field_size);
    *name = (VmdName){0};
    if (bytes) /* the bytes after the NUL are undefined */
        memcpy(name->bytes, bytes, strnlen((const char *)bytes, VMD_NAME_SIZE));
}

static void write_floats(Io *io, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        io_u32(io, &bits);
    }
}

static void io_values(Io *io, float *values, size_t count)
{
    bool infinite = false, large = false;
    if (io->to) {
        write_floats(io, values, count);
        return;
    }
    read_floats(values, count, &io->r);
    for (size_t i = 0; i < count; i++) {
        if (fabsf(values[i]) <= VMD_MAX_VALUE)
            continue;
        infinite |= !isfinite(values[i]);
        large |= isfinite(values[i]);
        values[i] = isfinite(values[i]) ? copysignf(VMD_MAX_VALUE, values[i]) : 0.0f;
    }
    if (infinite)
        diag_warn(io->diag, WARN_BAD_VALUE, "value is not finite; 0 is used");
    if (large)
        diag_warn(io->diag, WARN_BAD_VALUE, "value is out of range (-%d..%d); the nearest is used",
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

static void io_rotation(Io *io, float q[4])
{
    bool finite = true;
    if (io->to) {
        write_floats(io, q, 4);
        return;
    }
    read_floats(q, 4, &io->r);
    for (int i = 0; i < 4; i++)
        finite = finite && isfinite(q[i]);
    if (!finite) {
        memset(q, 0, 4 * sizeof *q);
        diag_warn(io->diag, WARN_BAD_VALUE, "rotation is not finite; the identity is used");
    }
    vmd_normalize(q);
}

static uint8_t clamp_point(uint8_t value)
{
    return value < CURVE_ONE ? value : CURVE_ONE;
}

/*
 * 64 bytes: four rows of 16.  Row 0 is x1 of X Y Z R, then y1, x2, y2 of the four; row k is row 0
 * shifted left by k bytes, padded with 0, so it starts with channel k.  Newer versions of MMD store
 * the physics switch in bytes 2 and 3 of row 0 (x1 of Z and R), so each channel is read from its
 * own row (format/motion/README.md 1.2).
 */
static void read_easing(VmdBoneKey *key, const uint8_t *b)
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

static void write_easing(uint8_t *to, const VmdBoneKey *key)
{
    uint8_t row[16];
    for (size_t i = 0; i < 4; i++) {
        row[i] = key->curves[i].x1;
        row[4 + i] = key->curves[i].y1;
        row[8 + i] = key->curves[i].x2;
        row[12 + i] = key->curves[i].y2;
    }
    for (size_t i = 0; i < 4; i++)
        memcpy(to + 16 * i, row + i, 16 - i);
    if (key->physics != VMD_PHYSICS_UNSPECIFIED) {
        to[2] = key->physics == VMD_PHYSICS_OFF ? 0x63 : 0x00;
        to[3] = key->physics == VMD_PHYSICS_OFF ? 0x0F : 0x00;
    }
}

/*
 * ---- keys ----
 *
 * Each function returns false if a key that was read must be ignored.  If the file ends inside a
 * key, the Reader has failed afterwards.
 */

/*
 * Bone key, 111 bytes:
 *    0  u8[15]  name, CP932, NUL-padded        31  f32[4]  rotation x y z w
 *   15  u32     frame                          47  u8[64]  easing, see read_easing
 *   19  f32[3]  offset from rest, MMD units
 */
static bool io_bone_key(Io *io, void *any)
{
    VmdBoneKey *key = any;
    io_name(io, &key->name, VMD_NAME_SIZE);
    io_u32(io, &key->frame);
    io_values(io, key->translation, 3);
    io_rotation(io, key->rotation);
    if (io->to) {
        write_easing(io->to, key);
        io->to += EASING_SIZE;
        return true;
    }
    const uint8_t *easing = read_bytes(&io->r, EASING_SIZE);
    if (easing)
        read_easing(key, easing);
    return easing != NULL;
}

/* Morph key, 23 bytes: u8[15] name, u32 frame, f32 weight */
static bool io_morph_key(Io *io, void *any)
{
    VmdMorphKey *key = any;
    io_name(io, &key->name, VMD_NAME_SIZE);
    io_u32(io, &key->frame);
    io_values(io, &key->weight, 1);
    return true;
}

static void io_fov(Io *io, float *degrees)
{
    uint32_t fov = io->to ? (uint32_t)*degrees : 0;
    io_u32(io, &fov);
    const uint32_t nearest = fov < 1 ? 1 : fov > VMD_MAX_FOV_DEG ? VMD_MAX_FOV_DEG : fov;
    if (io->to)
        return;
    *degrees = (float)nearest;
    if (nearest != fov)
        diag_warn(io->diag, WARN_BAD_VALUE,
                  "field of view of %" PRIu32 " degrees is out of range (1..%d); %" PRIu32
                  " is used",
                  fov, VMD_MAX_FOV_DEG, nearest);
}

/*
 * Camera key, 61 bytes:
 *    0  u32     frame                          32  u8[24]  easing, x1 x2 y1 y2 per channel
 *    4  f32     distance                       56  u32     field of view, degrees
 *    8  f32[3]  target                         60  u8      0: perspective
 *   20  f32[3]  rotation, radians
 */
static bool io_camera_key(Io *io, void *any)
{
    VmdCameraKey *key = any;
    io_u32(io, &key->frame);
    io_values(io, &key->distance, 1);
    io_values(io, key->target, 3);
    io_values(io, key->rotation, 3);
    for (size_t i = 0; i < 6; i++) {
        Curve *c = &key->curves[i];
        uint8_t *const points[] = {&c->x1, &c->x2, &c->y1, &c->y2};
        for (size_t k = 0; k < 4; k++) {
            io_u8(io, points[k]);
            if (!io->to)
                *points[k] = clamp_point(*points[k]);
        }
    }
    io_fov(io, &key->fov_deg);
    io_bool(io, &key->orthographic);
    return true;
}

/* Light key, 28 bytes: u32 frame, f32[3] color 0..1, f32[3] direction the light travels */
static bool io_light_key(Io *io, void *any)
{
    VmdLightKey *key = any;
    io_u32(io, &key->frame);
    io_values(io, key->color, 3);
    io_values(io, key->direction, 3);
    return true;
}

/* Self-shadow key, 9 bytes: u32 frame, u8 mode, f32 distance */
static bool io_shadow_key(Io *io, void *any)
{
    VmdShadowKey *key = any;
    io_u32(io, &key->frame);
    io_u8(io, &key->mode);
    io_values(io, &key->distance, 1);
    if (!io->to && key->mode > 2) {
        diag_warn(io->diag, WARN_BAD_VALUE,
                  "self-shadow mode %d is out of range (0..2); off is used", key->mode);
        key->mode = 0;
    }
    return true;
}

/* Property key: u32 frame, u8 visible, u32 count, count of { u8[20] IK bone name, u8 enabled } */
static bool io_property_key(Io *io, void *any)
{
    VmdPropertyKey *key = any;
    io_u32(io, &key->frame);
    io_bool(io, &key->visible);
    io_u32(io, &key->ik_count);
    if (!io->to) {
        if (io->r.failed || key->ik_count > reader_left(&io->r) / IK_SWITCH_SIZE) {
            diag_warn(io->diag, WARN_TRUNCATED, "file ends inside this key; the key is ignored");
            io->r.failed = true;
            return false;
        }
        key->ik = key->ik_count ? arena_array(io->arena, VmdIkSwitch, key->ik_count) : NULL;
    }
    for (uint32_t i = 0; i < key->ik_count; i++) {
        io_name(io, &key->ik[i].bone, IK_NAME_SIZE);
        io_bool(io, &key->ik[i].enabled);
    }
    return true;
}

/* ---- sections, in file order: a u32 count and that many keys ---- */

typedef struct Section {
    const char *key_name; /* name in messages, e.g. "bone key" */
    bool (*io)(Io *io, void *key);
    size_t record_size;  /* bytes of a key in the file, without its IK switches */
    size_t key_size;     /* bytes of its struct */
    size_t frame_offset; /* offset of `frame` in that struct */
    size_t keys_offset;  /* offset of the pointer to the keys in VmdMotion */
    size_t count_offset; /* offset of their number in VmdMotion */
} Section;

#define SECTION(name, record_size, Key, field)                                        \
    {                                                                                 \
        name, io_##field##_key, record_size, sizeof(Key), offsetof(Key, frame),       \
            offsetof(VmdMotion, field##_keys), offsetof(VmdMotion, field##_key_count) \
    }

/* clang-format off */
static const Section sections[] = {
    SECTION("bone key",        111, VmdBoneKey,     bone),
    SECTION("morph key",        23, VmdMorphKey,    morph),
    SECTION("camera key",       61, VmdCameraKey,   camera),
    SECTION("light key",        28, VmdLightKey,    light),
    SECTION("self-shadow key",   9, VmdShadowKey,   shadow),
    SECTION("property key",      9, VmdPropertyKey, property),
};
/* clang-format on */
enum { SECTIONS = sizeof sections / sizeof *sections };

static uint32_t key_count(const Section *section, const VmdMotion *motion)
{
    uint32_t count;
    memcpy(&count, (const char *)motion + section->count_offset, sizeof count);
    return count;
}

static void *key_at(const Section *section, const VmdMotion *motion, uint32_t index)
{
    char *keys;
    memcpy(&keys, (const char *)motion + section->keys_offset, sizeof keys);
    return keys + index * section->key_size;
}

static uint32_t frame_of(const Section *section, const void *key)
{
    uint32_t frame;
    memcpy(&frame, (const char *)key + section->frame_offset, sizeof frame);
    return frame;
}

/* ---- the file ---- */

/* Frames of 2^31 and more are negative numbers in MMD; such keys are ignored. */
static bool is_frame(uint32_t frame, Diag *diag)
{
    if (frame <= INT32_MAX)
        return true;
    diag_warn(diag, WARN_BAD_VALUE, "frame %" PRIu32 " is out of range (0..%d); the key is ignored",
              frame, INT32_MAX);
    return false;
}

/*
 * Reads a count and compares it with the bytes left.  A file may end before any section.  If it
 * ends inside one, the complete records are kept and *complete becomes false.  A count that no file
 * can hold is damaged data: nothing is read from there on (format/motion/README.md 1.6).
 */
static uint32_t read_count(bool *complete, Reader *r, const Section *section, Diag *diag)
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
static bool read_section(VmdMotion *motion, const Section *section, Io *io)
{
    bool complete;
    const uint32_t count = read_count(&complete, &io->r, section, io->diag);
    char *keys = arena_calloc(io->arena, count, section->key_size);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count && !io->r.failed; i++) {
        char *key = keys + kept * section->key_size;
        diag_item(io->diag, section->key_name, i);
        kept += section->io(io, key) && is_frame(frame_of(section, key), io->diag);
    }
    diag_item(io->diag, NULL, 0);
    memcpy((char *)motion + section->keys_offset, &keys, sizeof keys);
    memcpy((char *)motion + section->count_offset, &kept, sizeof kept);
    return complete && !io->r.failed;
}

/*
 * Header: u8[30] "Vocaloid Motion Data 0002", then u8[20] the model's name, CP932; or, in the first
 * version, "Vocaloid Motion Data file" and u8[10].  The bytes after the text's NUL are undefined.
 * Some exporters write no version; the name then has the size after which the number of bone keys
 * fits into the file.
 */
static size_t name_size_of(const char *magic, const Reader *r)
{
    static const size_t sizes[] = {MODEL_NAME_SIZE, OLD_NAME_SIZE};

    if (!strncmp(magic, MAGIC_NEW, strlen(MAGIC_NEW)))
        return MODEL_NAME_SIZE;
    if (!strncmp(magic, MAGIC_OLD, strlen(MAGIC_OLD)))
        return OLD_NAME_SIZE;
    for (int i = 0; i < 2; i++) {
        Reader probe = *r;
        read_bytes(&probe, sizes[i]);
        const uint32_t count = read_u32(&probe);
        if (!probe.failed && count <= reader_left(&probe) / sections[0].record_size)
            return sizes[i];
    }
    return 0;
}

static bool read_header(VmdMotion *motion, Reader *r, Arena *arena, Diag *diag)
{
    const char *magic = (const char *)read_bytes(r, HEADER_SIZE);
    if (!magic)
        return diag_error(diag, "not a VMD motion: the file is shorter than its header (%d bytes)",
                          HEADER_SIZE);
    if (strncmp(magic, MAGIC, strlen(MAGIC)) != 0)
        return diag_error(diag, "not a VMD motion: it does not start with '%s'", MAGIC);

    const size_t name_size = name_size_of(magic, r);
    if (name_size == 0)
        return diag_error(diag, "VMD header without a known version ('%s' or '%s')", MAGIC_NEW,
                          MAGIC_OLD);
    const uint8_t *name = read_bytes(r, name_size);
    if (!name)
        return diag_error(diag, "file ends inside its header (%zu bytes)", r->size);
    motion->model_name = arena_strndup(arena, (const char *)name, name_size); /* decoded later */
    return true;
}

/* ---- the encoding of the names ---- */

typedef ARENA_LIST(VmdName *) NameList;

static void add_name(NameList *names, VmdName *name, Arena *arena)
{
    bool is_ascii = true;
    for (const char *at = name->bytes; *at; at++)
        is_ascii = is_ascii && (unsigned char)*at < 0x80;
    if (!is_ascii)
        *arena_push(arena, names) = name;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp((*(VmdName *const *)a)->bytes, (*(VmdName *const *)b)->bytes);
}

/* All names that are not ASCII, sorted by their bytes. */
static NameList list_names(VmdMotion *motion, Arena *arena)
{
    NameList names = {0};
    for (uint32_t i = 0; i < motion->bone_key_count; i++)
        add_name(&names, &motion->bone_keys[i].name, arena);
    for (uint32_t i = 0; i < motion->morph_key_count; i++)
        add_name(&names, &motion->morph_keys[i].name, arena);
    for (uint32_t i = 0; i < motion->property_key_count; i++)
        for (uint32_t k = 0; k < motion->property_keys[i].ik_count; k++)
            add_name(&names, &motion->property_keys[i].ik[k].bone, arena);
    if (names.count)
        qsort(names.items, names.count, sizeof *names.items, compare_names);
    return names;
}

static bool is_full(const VmdName *name)
{
    return strlen(name->bytes) == VMD_NAME_SIZE;
}

/* Bytes of the name without a last character of UTF-8 that was cut; 0: it is not UTF-8. */
static size_t utf8_size(const VmdName *name)
{
    size_t size = strlen(name->bytes);
    const size_t least = is_full(name) ? size - 3 : size;
    while (size > least && !text_is_utf8(name->bytes, size))
        size--;
    return text_is_utf8(name->bytes, size) ? size : 0;
}

/*
 * MMD writes CP932.  Other programs write UTF-8, of which Japanese CP932 is hardly ever valid, or
 * the encoding of a Chinese or Korean Windows, in which each name counts once.
 */
static Encoding names_encoding(bool *is_utf8, const NameList *names)
{
    EncodingScores scores = {0};
    *is_utf8 = names->count > 0;
    for (size_t i = 0; i < names->count; i++) {
        const VmdName *name = names->items[i];
        *is_utf8 = *is_utf8 && utf8_size(name);
        if (!i || strcmp(name->bytes, names->items[i - 1]->bytes) != 0)
            encoding_score(&scores, name->bytes, VMD_NAME_SIZE, is_full(name));
    }
    return encoding_choose(&scores);
}

/* A name of another encoding as MMD would have written it, up to the character that was cut. */
static VmdName recode(const VmdName *name, bool is_utf8, Encoding encoding, Arena *scratch)
{
    if (!is_utf8 && encoding == ENCODING_CP932) {
        VmdName unified = *name;
        encoding_unify_cp932(unified.bytes, VMD_NAME_SIZE);
        return unified;
    }
    const char *text = is_utf8 ? arena_strndup(scratch, name->bytes, utf8_size(name))
                               : encoding_decode(name->bytes, VMD_NAME_SIZE, encoding, scratch);
    if (is_full(name)) {
        const char *cut = strstr(text, "\xEF\xBF\xBD"); /* U+FFFD */
        text = cut && !cut[3] ? arena_strndup(scratch, text, (size_t)(cut - text)) : text;
    }
    VmdName out = vmd_name_from_utf8(text);
    out.is_start = is_full(name) && !is_full(&out);
    return out;
}

static void decode_names(VmdMotion *motion, Arena *arena)
{
    Arena *scratch = arena_create();
    const NameList names = list_names(motion, scratch);
    bool is_utf8;
    const Encoding encoding = names_encoding(&is_utf8, &names);
    VmdName last = {0}, recoded = {0};
    for (size_t i = 0; i < names.count; i++) {
        VmdName *name = names.items[i];
        if (strcmp(name->bytes, last.bytes) != 0)
            recoded = recode(name, is_utf8, encoding, scratch);
        last = *name;
        *name = recoded;
    }
    const char *model = motion->model_name;
    motion->model_name = names.count && !is_utf8
                             ? encoding_decode(model, strlen(model), encoding, arena)
                             : encoding_decode_text(model, strlen(model), arena);
    arena_destroy(scratch);
}

bool vmd_load(VmdMotion *motion, Bytes bytes, Arena *arena, Diag *diag)
{
    parser_enter("vmd");
    Io io = {.r = reader_init(bytes.data, bytes.size), .arena = arena, .diag = diag};
    bool complete = true;

    *motion = (VmdMotion){0};
    if (!read_header(motion, &io.r, arena, diag))
        return false;
    for (size_t i = 0; complete && i < SECTIONS; i++)
        complete = read_section(motion, &sections[i], &io);
    if (complete && reader_left(&io.r))
        diag_warn(diag, WARN_TRAILING_DATA, "%zu bytes after the last section are ignored",
                  reader_left(&io.r));
    decode_names(motion, arena);
    return true;
}

static size_t file_size(const VmdMotion *motion)
{
    size_t size = HEADER_SIZE + MODEL_NAME_SIZE;
    for (size_t s = 0; s < SECTIONS; s++)
        size += sizeof(uint32_t) + key_count(&sections[s], motion) * sections[s].record_size;
    for (uint32_t i = 0; i < motion->property_key_count; i++)
        size += (size_t)motion->property_keys[i].ik_count * IK_SWITCH_SIZE;
    return size;
}

Bytes vmd_write(const VmdMotion *motion, Arena *arena)
{
    const size_t size = file_size(motion);
    uint8_t *file = arena_alloc(arena, size);
    Io io = {.to = file};

    memcpy(io.to, MAGIC_NEW, sizeof MAGIC_NEW);
    io.to += HEADER_SIZE;
    encoding_encode_cp932((char *)io.to, MODEL_NAME_SIZE,
                          motion->model_name ? motion->model_name : "");
    io.to += MODEL_NAME_SIZE;
    for (size_t s = 0; s < SECTIONS; s++) {
        uint32_t count = key_count(&sections[s], motion);
        io_u32(&io, &count);
        for (uint32_t i = 0; i < count; i++)
            sections[s].io(&io, key_at(&sections[s], motion, i));
    }
    return (Bytes){file, size};
}

/* ---- queries ---- */

bool vmd_is_camera(Bytes head)
{
    Arena *scratch = arena_create();
    Diag quiet = diag_quiet();
    Reader r = reader_init(head.data, head.size);
    VmdMotion motion;
    uint32_t counts[3] = {0}; /* of the keys of bones, morphs and cameras */
    const bool is_motion = read_header(&motion, &r, scratch, &quiet);
    for (size_t i = 0; is_motion && i < 3; i++)
        counts[i] = read_u32(&r);
    arena_destroy(scratch);
    return !r.failed && !counts[0] && !counts[1] && counts[2];
}

uint32_t vmd_last_frame(const VmdMotion *motion)
{
    uint32_t last = 0;
    for (size_t s = 0; s < SECTIONS; s++)
        for (uint32_t i = 0; i < key_count(&sections[s], motion); i++) {
            const uint32_t frame = frame_of(&sections[s], key_at(&sections[s], motion, i));
            last = frame > last ? frame : last;
        }
    return last;
}

VmdName vmd_name_from_utf8(const char *utf8)
{
    VmdName name = {0};
    encoding_encode_cp932(name.bytes, VMD_NAME_SIZE, utf8);
    return name;
}

bool vmd_name_equal(const VmdName *a, const VmdName *b)
{
    const size_t size = a->is_start   ? strlen(a->bytes)
                        : b->is_start ? strlen(b->bytes)
                                      : VMD_NAME_SIZE;
    return a->bytes[0] && b->bytes[0] && !memcmp(a->bytes, b->bytes, size);
}

const char *vmd_name_to_utf8(const VmdName *name, Arena *arena)
{
    return encoding_decode(name->bytes, VMD_NAME_SIZE, ENCODING_CP932, arena);
}
