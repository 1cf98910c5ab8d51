#include "format/motion/vmd_write.h"

#include <string.h>

#include "base/text.h"

enum { HEADER_SIZE = 30, MODEL_NAME_SIZE = 20, IK_NAME_SIZE = 20, EASING_SIZE = 64 };

/* Bytes at the end of what is written; there is always room, see file_size. */
typedef struct Writer {
    uint8_t *at;
} Writer;

static void write_u8(Writer *w, uint8_t value)
{
    *w->at++ = value;
}

static void write_u32(Writer *w, uint32_t value)
{
    for (int shift = 0; shift < 32; shift += 8)
        write_u8(w, (uint8_t)(value >> shift));
}

static void write_floats(Writer *w, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        write_u32(w, bits);
    }
}

static void write_bytes(Writer *w, const void *bytes, size_t count)
{
    memcpy(w->at, bytes, count);
    w->at += count;
}

/* `size` bytes of a field whose name takes the first 15; the arena's memory is already zero. */
static void write_name(Writer *w, const VmdName *name, size_t size)
{
    memcpy(w->at, name->bytes, VMD_NAME_SIZE);
    w->at += size;
}

/* As vmd.c unpack_curves reads it: row k is row 0 shifted left by k bytes, zeros behind. */
static void write_easing(Writer *w, const VmdBoneKey *key)
{
    uint8_t row[16];
    for (size_t i = 0; i < 4; i++) {
        row[i] = key->curves[i].x1;
        row[4 + i] = key->curves[i].y1;
        row[8 + i] = key->curves[i].x2;
        row[12 + i] = key->curves[i].y2;
    }
    for (size_t i = 0; i < 4; i++)
        memcpy(w->at + 16 * i, row + i, 16 - i);
    if (key->physics != VMD_PHYSICS_UNSPECIFIED) {
        w->at[2] = key->physics == VMD_PHYSICS_OFF ? 0x63 : 0x00;
        w->at[3] = key->physics == VMD_PHYSICS_OFF ? 0x0F : 0x00;
    }
    w->at += EASING_SIZE;
}

static void write_bone_keys(Writer *w, const VmdMotion *motion)
{
    write_u32(w, motion->bone_key_count);
    for (uint32_t i = 0; i < motion->bone_key_count; i++) {
        const VmdBoneKey *key = &motion->bone_keys[i];
        write_name(w, &key->name, VMD_NAME_SIZE);
        write_u32(w, key->frame);
        write_floats(w, key->translation, 3);
        write_floats(w, key->rotation, 4);
        write_easing(w, key);
    }
}

static void write_morph_keys(Writer *w, const VmdMotion *motion)
{
    write_u32(w, motion->morph_key_count);
    for (uint32_t i = 0; i < motion->morph_key_count; i++) {
        const VmdMorphKey *key = &motion->morph_keys[i];
        write_name(w, &key->name, VMD_NAME_SIZE);
        write_u32(w, key->frame);
        write_floats(w, &key->weight, 1);
    }
}

static void write_camera_keys(Writer *w, const VmdMotion *motion)
{
    write_u32(w, motion->camera_key_count);
    for (uint32_t i = 0; i < motion->camera_key_count; i++) {
        const VmdCameraKey *key = &motion->camera_keys[i];
        write_u32(w, key->frame);
        write_floats(w, &key->distance, 1);
        write_floats(w, key->target, 3);
        write_floats(w, key->rotation, 3);
        for (size_t c = 0; c < 6; c++) {
            const Curve *curve = &key->curves[c];
            write_bytes(w, (uint8_t[]){curve->x1, curve->x2, curve->y1, curve->y2}, 4);
        }
        write_u32(w, (uint32_t)key->fov_deg);
        write_u8(w, key->orthographic);
    }
}

static void write_light_keys(Writer *w, const VmdMotion *motion)
{
    write_u32(w, motion->light_key_count);
    for (uint32_t i = 0; i < motion->light_key_count; i++) {
        write_u32(w, motion->light_keys[i].frame);
        write_floats(w, motion->light_keys[i].color, 3);
        write_floats(w, motion->light_keys[i].direction, 3);
    }
}

static void write_shadow_keys(Writer *w, const VmdMotion *motion)
{
    write_u32(w, motion->shadow_key_count);
    for (uint32_t i = 0; i < motion->shadow_key_count; i++) {
        write_u32(w, motion->shadow_keys[i].frame);
        write_u8(w, motion->shadow_keys[i].mode);
        write_floats(w, &motion->shadow_keys[i].distance, 1);
    }
}

static void write_property_keys(Writer *w, const VmdMotion *motion)
{
    write_u32(w, motion->property_key_count);
    for (uint32_t i = 0; i < motion->property_key_count; i++) {
        const VmdPropertyKey *key = &motion->property_keys[i];
        write_u32(w, key->frame);
        write_u8(w, key->visible);
        write_u32(w, key->ik_count);
        for (uint32_t k = 0; k < key->ik_count; k++) {
            write_name(w, &key->ik[k].bone, IK_NAME_SIZE);
            write_u8(w, key->ik[k].enabled);
        }
    }
}

static size_t file_size(const VmdMotion *motion)
{
    size_t size = HEADER_SIZE + MODEL_NAME_SIZE + 6 * sizeof(uint32_t);
    size += (size_t)motion->bone_key_count * (VMD_NAME_SIZE + 4 + 7 * 4 + EASING_SIZE);
    size += (size_t)motion->morph_key_count * (VMD_NAME_SIZE + 4 + 4);
    size += (size_t)motion->camera_key_count * (4 + 7 * 4 + 24 + 4 + 1);
    size += (size_t)motion->light_key_count * (4 + 6 * 4);
    size += (size_t)motion->shadow_key_count * (4 + 1 + 4);
    for (uint32_t i = 0; i < motion->property_key_count; i++)
        size += 4 + 1 + 4 + (size_t)motion->property_keys[i].ik_count * (IK_NAME_SIZE + 1);
    return size;
}

Bytes vmd_write(const VmdMotion *motion, Arena *arena)
{
    static const char magic[HEADER_SIZE] = "Vocaloid Motion Data 0002";
    const size_t size = file_size(motion);
    uint8_t *data = arena_alloc(arena, size);
    Writer w = {data};

    write_bytes(&w, magic, HEADER_SIZE);
    text_to_cp932((char *)w.at, MODEL_NAME_SIZE, motion->model_name ? motion->model_name : "");
    w.at += MODEL_NAME_SIZE;
    write_bone_keys(&w, motion);
    write_morph_keys(&w, motion);
    write_camera_keys(&w, motion);
    write_light_keys(&w, motion);
    write_shadow_keys(&w, motion);
    write_property_keys(&w, motion);
    return (Bytes){data, size};
}
