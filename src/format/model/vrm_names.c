#include "format/model/vrm_names.h"

#include <string.h>

typedef struct Name {
    const char *vrm, *mmd;
} Name;

static const Name middle_names[] = {
    {"hips", "下半身"}, {"spine", "上半身"}, {"chest", "上半身2"}, {"upperChest", "上半身3"},
    {"neck", "首"},     {"head", "頭"},      {"jaw", "あご"}};

/* After "left" and "right", 左 and 右. */
static const Name side_names[] = {{"Shoulder", "肩"},
                                  {"UpperArm", "腕"},
                                  {"LowerArm", "ひじ"},
                                  {"Hand", "手首"},
                                  {"UpperLeg", "足"},
                                  {"LowerLeg", "ひざ"},
                                  {"Foot", "足首"},
                                  {"Toes", "つま先"},
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

static const struct {
    const char *vrm, *mmd;
} sides[] = {{"left", "左"}, {"right", "右"}};

static const char *find_mmd(const Name *names, const char *vrm)
{
    for (; names->vrm; names++)
        if (!strcmp(names->vrm, vrm))
            return names->mmd;
    return NULL;
}

static const char *find_vrm(const Name *names, const char *mmd)
{
    for (; names->vrm; names++)
        if (!strcmp(names->mmd, mmd))
            return names->vrm;
    return NULL;
}

const char *vrm_name_bone(const char *human, bool older, Arena *arena)
{
    for (size_t side = 0; side < 2; side++) {
        const size_t length = strlen(sides[side].vrm);
        if (strncmp(human, sides[side].vrm, length) != 0)
            continue;
        const char *found = find_mmd(side_names, human + length);
        found = found ? found : find_mmd(thumb_names[older], human + length);
        return found ? arena_printf(arena, "%s%s", sides[side].mmd, found) : NULL;
    }
    for (size_t i = 0; i < sizeof middle_names / sizeof *middle_names; i++)
        if (!strcmp(human, middle_names[i].vrm))
            return middle_names[i].mmd;
    return NULL;
}

const char *vrm_find_human(const char *mmd, bool older, Arena *arena)
{
    for (size_t side = 0; side < 2; side++) {
        const size_t length = strlen(sides[side].mmd);
        if (strncmp(mmd, sides[side].mmd, length) != 0)
            continue;
        const char *found = find_vrm(side_names, mmd + length);
        found = found ? found : find_vrm(thumb_names[older], mmd + length);
        return found ? arena_printf(arena, "%s%s", sides[side].vrm, found) : NULL;
    }
    for (size_t i = 0; i < sizeof middle_names / sizeof *middle_names; i++)
        if (!strcmp(mmd, middle_names[i].mmd))
            return middle_names[i].vrm;
    return NULL;
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
