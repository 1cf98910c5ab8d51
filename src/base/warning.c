// SPDX-License-Identifier: MIT
#include "base/warning.h"

#include <string.h>

/* One row per class: its name, and below it what is wrong and what the program does about it. */
/* clang-format off */
#define WARNING_CLASSES(ROW) \
    ROW(MISSING_TEXTURE, "missing-texture", false, \
        "a texture of a model does not exist; the material is drawn without it") \
    ROW(OTHER_TEXTURE, "other-texture", false, \
        "a texture or part of a model was found only under another path or extension, which is used") \
    ROW(BAD_TEXTURE, "bad-texture", false, \
        "a texture cannot be decoded; the material is drawn without it") \
    ROW(EFFECT, "effect", false, \
        "an effect or a picture of it cannot be used; what it draws is drawn without it") \
    ROW(MISFIT, "misfit", false, \
        "less than a quarter of the bones and morphs of a motion exist in the model") \
    ROW(PARTIAL_FIT, "partial-fit", false, \
        "some bones or morphs of a motion do not exist in the model; their keys are ignored") \
    ROW(UNUSED_MOTION, "unused-motion", false, \
        "a motion has no keys that are used, so it has no effect") \
    ROW(PAST_END, "past-end", false, \
        "frames after the last key of all motions are rendered") \
    ROW(SOUND_LENGTH, "sound-length", false, \
        "the sound is shorter or longer than the film (reported by check)") \
    ROW(SAME_PLACE, "same-place", false, \
        "a model is loaded twice with the same place and motions (reported by check)") \
    ROW(ATTACH, "attach", false, \
        "the bone that an accessory names is in no model or in several; it is not attached") \
    ROW(CLOTH, "cloth", false, \
        "a cloth has no fixed or no free vertices") \
    ROW(PREVIEW, "preview", false, \
        "a preview cannot be made as described; it is changed or skipped") \
    ROW(MISSING_GLYPH, "missing-glyph", false, \
        "a character of burn_in or of subtitles is not in the font; a box is drawn") \
    ROW(SUBTITLES, "subtitles", false, \
        "subtitles are after the end of the film or damaged, or their font is not installed") \
    ROW(LOST_ALPHA, "lost-alpha", false, \
        "the codec does not support alpha; the film is opaque") \
    ROW(LOST_SOUND, "lost-sound", false, \
        "the container cannot contain sound; the film is silent") \
    ROW(TRUNCATED, "truncated", false, \
        "a file is incomplete or damaged; its readable part is used") \
    ROW(TRAILING_DATA, "trailing-data", false, \
        "a file has bytes after its last section; they are ignored") \
    ROW(BAD_VALUE, "bad-value", false, \
        "a number in a file is not finite or out of range; a valid one is used") \
    ROW(BAD_REFERENCE, "bad-reference", false, \
        "an index or name in a file refers to nothing; it is ignored") \
    ROW(EMPTY_MODEL, "empty-model", false, \
        "a model has no bones or no mesh") \
    ROW(VOICE, "voice", false, \
        "a sound that moves lips has instruments or no voice, or a model lacks morphs for it") \
    ROW(BAD_SONG, "bad-song", false, \
        "a MIDI file breaks the rules of its format; it is played as far as possible") \
    ROW(PHYSICS, "physics", false, \
        "a rigid body or joint cannot be simulated as described; it is changed or ignored") \
    ROW(SOFT_BODY, "soft-body", false, \
        "a soft body cannot be simulated as described; it is changed or ignored") \
    ROW(BONE_ORDER, "bone-order", true, \
        "a bone precedes its parent in transform order; it uses the parent's keys only, as in MMD") \
    ROW(DUPLICATE_NAME, "duplicate-name", true, \
        "several bones or morphs of a model have one name; motions move the first, as in MMD") \
    ROW(CHECKPOINT, "checkpoint", false, \
        "a checkpoint, bake or result is damaged and is made again, or cannot be locked") \
    ROW(WORKER, "worker", false, \
        "a render process ended and was replaced, or reports a problem") \
    ROW(OVER_LIMIT, "over-limit", false, \
        "a run is estimated to need more CPU time or disk space than the host allows") \
    ROW(JOB, "job", false, \
        "a job of a batch cannot be loaded; the others are run")
/* clang-format on */

#define INFO(id, name_text, is_quirk, help_text) \
    [WARN_##id] = {(name_text), (help_text), (is_quirk)},
#define NAME(id, name_text, is_quirk, help_text) [WARN_##id] = (name_text),

const WarningInfo warning_classes[WARN_CLASS_COUNT] = {WARNING_CLASSES(INFO)};
const char *const warning_names[WARN_CLASS_COUNT + 1] = {WARNING_CLASSES(NAME)};

_Static_assert(WARN_CLASS_COUNT <= 32, "a set of classes is a uint32_t");

int warning_find(const char *text, unsigned size)
{
    for (int i = 0; i < WARN_CLASS_COUNT; i++)
        if (strlen(warning_names[i]) == size && !memcmp(warning_names[i], text, size))
            return i;
    return -1;
}
