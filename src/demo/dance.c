#include "demo/dance.h"

#include <string.h>

#include "demo/dance_keys.h"

VmdMotion dance_make(Arena *arena)
{
    VmdMotion motion = {.model_name = "踊り子"};
    Keys keys = {.arena = arena};

    dance_add_steps(&keys);
    dance_add_legs(&keys);
    dance_add_trunk(&keys);
    dance_add_arms(&keys);
    dance_add_face(&keys);
    dance_add_sway(&keys);
    /* Keys of all bones, one bone after the other. */
    size_t count = 0;
    for (int b = 0; b < BONE_COUNT; b++)
        count += keys.bones[b].count;
    motion.bone_keys = arena_array(keys.arena, VmdBoneKey, count);
    motion.bone_key_count = (uint32_t)count;
    VmdBoneKey *at = motion.bone_keys;
    for (int b = 0; b < BONE_COUNT; b++) {
        if (keys.bones[b].count)
            memcpy(at, keys.bones[b].items, keys.bones[b].count * sizeof *at);
        at += keys.bones[b].count;
    }
    motion.morph_keys = keys.morphs.items;
    motion.morph_key_count = (uint32_t)keys.morphs.count;
    return motion;
}
