// SPDX-License-Identifier: MIT
#include "format/model/vrm_names.h"

#include <string.h>

typedef enum Language { VRM, MMD } Language;
typedef const char *Name[2]; /* by language; NULL after the last of a list */

static const Name middle_names[] = {
    {"hips", "下半身"}, {"spine", "上半身"}, {"chest", "上半身2"}, {"upperChest", "上半身3"},
    {"neck", "首"},     {"head", "頭"},      {"jaw", "あご"},      {0}};

/* After "left" and "right", 左 and 右. */
static const Name side_names[] = {{"Shoulder", "肩"},
                                  {"UpperArm", "腕"},
                                  {"LowerArm", "ひじ"},
                                  {"Hand", "手首"},
                                  {"UpperLeg", "足"},
                                  {"LowerLeg", "ひざ"},
                                  {"Foot", "足首"},
                                  {"Toes", "足先EX"},
                                  {"Toes", "つま先"}, /* of models without 足先EX */
                                  {"Eye", "目"},
                                  {"IndexProximal", "人指１"},
                                  {"IndexIntermediate", "人指２"},
                                  {"IndexDistal", "人指３"},
                                  {"MiddleProximal", "中指１"},
                                  {"MiddleIntermediate", "中指２"},
                                  {"MiddleDistal", "中指３"},
                                  {"RingProximal", "薬指１"},
                                  {"RingIntermediate", "薬指２"},
                                  {"RingDistal", "薬指３"},
                                  {"LittleProximal", "小指１"},
                                  {"LittleIntermediate", "小指２"},
                                  {"LittleDistal", "小指３"},
                                  {0}};

/* VRM 0.x names the bones of the thumb as those of the other fingers. */
static const Name thumb_names[][4] = {
    {{"ThumbMetacarpal", "親指０"}, {"ThumbProximal", "親指１"}, {"ThumbDistal", "親指２"}, {0}},
    {{"ThumbProximal", "親指０"}, {"ThumbIntermediate", "親指１"}, {"ThumbDistal", "親指２"}, {0}}};

static const Name sides[] = {{"left", "左"}, {"right", "右"}};

/* The same name in the other language; NULL if the list does not have it. */
static const char *translate(const Name *names, Language from, const char *name)
{
    for (; (*names)[from]; names++)
        if (!strcmp((*names)[from], name))
            return (*names)[!from];
    return NULL;
}

static const char *translate_bone(const char *name, Language from, bool older, Arena *arena)
{
    for (size_t side = 0; side < 2; side++) {
        const size_t length = strlen(sides[side][from]);
        if (strncmp(name, sides[side][from], length) != 0)
            continue;
        const char *found = translate(side_names, from, name + length);
        found = found ? found : translate(thumb_names[older], from, name + length);
        return found ? arena_printf(arena, "%s%s", sides[side][!from], found) : NULL;
    }
    return translate(middle_names, from, name);
}

const char *vrm_name_bone(const char *human, bool older, Arena *arena)
{
    return translate_bone(human, VRM, older, arena);
}

const char *vrm_find_human(const char *mmd, bool older, Arena *arena)
{
    return translate_bone(mmd, MMD, older, arena);
}

enum { EYE_PANEL = 2, MOUTH_PANEL, OTHER_PANEL };

static const VrmPreset presets[] = {{"aa", "a", "あ", MOUTH_PANEL},
                                    {"ih", "i", "い", MOUTH_PANEL},
                                    {"ou", "u", "う", MOUTH_PANEL},
                                    {"ee", "e", "え", MOUTH_PANEL},
                                    {"oh", "o", "お", MOUTH_PANEL},
                                    {"blink", "blink", "まばたき", EYE_PANEL},
                                    {"blinkLeft", "blink_l", "ウィンク", EYE_PANEL},
                                    {"blinkRight", "blink_r", "ウィンク右", EYE_PANEL},
                                    {"happy", "joy", "笑い", EYE_PANEL},
                                    {"angry", "angry", "怒り", OTHER_PANEL},
                                    {"sad", "sorrow", "困る", OTHER_PANEL},
                                    {"relaxed", "fun", "なごみ", EYE_PANEL},
                                    {"surprised", "", "びっくり", EYE_PANEL}};

const VrmPreset *vrm_preset_find(const char *name, bool older)
{
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++)
        if (*name && !strcmp(name, older ? presets[i].older : presets[i].name))
            return &presets[i];
    return NULL;
}

const VrmPreset *vrm_preset_of_morph(const char *mmd)
{
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++)
        if (!strcmp(mmd, presets[i].mmd))
            return &presets[i];
    return NULL;
}
