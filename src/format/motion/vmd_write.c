#include "format/motion/vmd_write.h"

#include <string.h>

#include "base/text.h"
#include "format/motion/vmd_sections.h"

/* The next byte to write; the buffer has file_size bytes. */
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

/* A field of `size` bytes, of which a name uses the first 15; the arena's memory is zeroed. */
static void write_name(Writer *w, const VmdName *name, size_t size)
{
    memcpy(w->at, name->bytes, VMD_NAME_SIZE);
    w->at += size;
}

/* The inverse of unpack_curves in vmd.c: row k is row 0 shifted left by k bytes, padded with 0. */
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
    w->at += VMD_EASING_SIZE;
}

static void write_bone_key(Writer *w, const void *any)
{
    const VmdBoneKey *key = any;
    write_name(w, &key->name, VMD_NAME_SIZE);
    write_u32(w, key->frame);
    write_floats(w, key->translation, 3);
    write_floats(w, key->rotation, 4);
    write_easing(w, key);
}

static void write_morph_key(Writer *w, const void *any)
{
    const VmdMorphKey *key = any;
    write_name(w, &key->name, VMD_NAME_SIZE);
    write_u32(w, key->frame);
    write_floats(w, &key->weight, 1);
}

static void write_camera_key(Writer *w, const void *any)
{
    const VmdCameraKey *key = any;
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

static void write_light_key(Writer *w, const void *any)
{
    const VmdLightKey *key = any;
    write_u32(w, key->frame);
    write_floats(w, key->color, 3);
    write_floats(w, key->direction, 3);
}

static void write_shadow_key(Writer *w, const void *any)
{
    const VmdShadowKey *key = any;
    write_u32(w, key->frame);
    write_u8(w, key->mode);
    write_floats(w, &key->distance, 1);
}

static void write_property_key(Writer *w, const void *any)
{
    const VmdPropertyKey *key = any;
    write_u32(w, key->frame);
    write_u8(w, key->visible);
    write_u32(w, key->ik_count);
    for (uint32_t k = 0; k < key->ik_count; k++) {
        write_name(w, &key->ik[k].bone, VMD_IK_NAME_SIZE);
        write_u8(w, key->ik[k].enabled);
    }
}

static void write_section(Writer *w, size_t index, const VmdMotion *motion)
{
    static void (*const write_key[VMD_SECTION_COUNT])(Writer *, const void *) = {
        write_bone_key,  write_morph_key,  write_camera_key,
        write_light_key, write_shadow_key, write_property_key};
    const uint32_t count = vmd_section_key_count(&vmd_sections[index], motion);

    write_u32(w, count);
    for (uint32_t i = 0; i < count; i++)
        write_key[index](w, vmd_section_key(&vmd_sections[index], motion, i));
}

static size_t file_size(const VmdMotion *motion)
{
    size_t size = VMD_HEADER_SIZE + VMD_MODEL_NAME_SIZE;
    for (size_t s = 0; s < VMD_SECTION_COUNT; s++)
        size += sizeof(uint32_t) + (size_t)vmd_section_key_count(&vmd_sections[s], motion) *
                                       vmd_sections[s].record_size;
    for (uint32_t i = 0; i < motion->property_key_count; i++)
        size += (size_t)motion->property_keys[i].ik_count * VMD_IK_SWITCH_SIZE;
    return size;
}

Bytes vmd_write(const VmdMotion *motion, Arena *arena)
{
    static const char magic[VMD_HEADER_SIZE] = "Vocaloid Motion Data 0002";
    const size_t size = file_size(motion);
    uint8_t *data = arena_alloc(arena, size);
    Writer w = {data};

    write_bytes(&w, magic, VMD_HEADER_SIZE);
    text_to_cp932((char *)w.at, VMD_MODEL_NAME_SIZE, motion->model_name ? motion->model_name : "");
    w.at += VMD_MODEL_NAME_SIZE;
    for (size_t i = 0; i < VMD_SECTION_COUNT; i++)
        write_section(&w, i, motion);
    return (Bytes){data, size};
}
