/*
 * vmd_sections.h - the six sections of a VMD file, in file order; shared by vmd.c and vmd_write.c
 *
 * A section is a u32 count and that many records.  The table describes where VmdMotion stores the
 * keys of each section, so that one loop can read, write, check or search all of them.
 */
#pragma once

#include "format/motion/vmd.h"

enum {
    VMD_SECTION_COUNT = 6,
    VMD_HEADER_SIZE = 30,
    VMD_MODEL_NAME_SIZE = 20,
    VMD_EASING_SIZE = 64,   /* bytes of easing of a bone key */
    VMD_IK_NAME_SIZE = 20,  /* the field; a name has at most VMD_NAME_SIZE bytes of it */
    VMD_IK_SWITCH_SIZE = 21 /* name and u8 enabled */
};

typedef struct VmdSection {
    const char *key_name; /* name in messages, e.g. "bone key" */
    size_t record_size;   /* bytes of a key in the file, without its IK switches */
    size_t key_size;      /* bytes of its struct */
    size_t frame_offset;  /* offset of `frame` in that struct */
    size_t keys_offset;   /* offset of the pointer to the keys in VmdMotion */
    size_t count_offset;  /* offset of their number in VmdMotion */
} VmdSection;

extern const VmdSection vmd_sections[VMD_SECTION_COUNT];

uint32_t vmd_section_key_count(const VmdSection *section, const VmdMotion *motion);
const void *vmd_section_key(const VmdSection *section, const VmdMotion *motion, uint32_t index);
