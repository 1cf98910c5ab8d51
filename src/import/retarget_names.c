#include "import/retarget_names.h"

#include <stdio.h>
#include <string.h>

enum { MAX_NAMES = 8, NAME_SIZE = 64 };

/* Normalized names: lower case, letters and digits only, "l" and "r" for the sides; the first that
 * a skeleton has is used, and no joint twice.  A star stands for the side. */
static const char *const joint_names[][MAX_NAMES] = {
    [BODY_HIPS] = {"hips", "hip", "pelvis", "下半身"},
    [BODY_SPINE] = {"spine", "spine1", "abdomen", "lowerback", "torso", "上半身"},
    [BODY_CHEST] = {"upperchest", "chest", "spine2", "spine1", "spine3", "thorax", "上半身2"},
    [BODY_NECK] = {"neck", "neck1", "首"},
    [BODY_HEAD] = {"head", "頭"},
    [BODY_SHOULDER_L] = {"*collar", "*clavicle", "*shoulder", "*肩"},
    [BODY_ARM_L] = {"*arm", "*uparm", "*upperarm", "*shldr", "*shoulder", "*腕"},
    [BODY_ELBOW_L] = {"*forearm", "*lowerarm", "*lowarm", "*elbow", "*ひじ"},
    [BODY_HAND_L] = {"*hand", "*wrist", "*手首"},
    [BODY_LEG_L] = {"*upleg", "*upperleg", "*thigh", "*hip", "*足"},
    [BODY_KNEE_L] = {"*leg", "*lowerleg", "*lowleg", "*shin", "*calf", "*knee", "*ひざ"},
    [BODY_FOOT_L] = {"*foot", "*ankle", "*足首"},
};

static const char *const bone_names[BODY_PARTS] = {
    "下半身", "上半身", "上半身2", "首",   "頭",     "左肩",   "左腕", "左ひじ", "左手首", "右肩",
    "右腕",   "右ひじ", "右手首",  "左足", "左ひざ", "左足首", "右足", "右ひざ", "右足首"};

static bool is_right(int part)
{
    return (part >= BODY_SHOULDER_R && part <= BODY_HAND_R) || part >= BODY_LEG_R;
}

static const char *const *names_of(int part)
{
    if (part >= BODY_SHOULDER_R && part <= BODY_HAND_R)
        part -= BODY_SHOULDER_R - BODY_SHOULDER_L;
    else if (part >= BODY_LEG_R)
        part -= BODY_LEG_R - BODY_LEG_L;
    return joint_names[part];
}

/* "mixamorig:LeftUpLeg" -> "lupleg", "左ひざ" as it is, "Bip01_L_Thigh" -> "bip01lthigh" */
static void normalize(char out[NAME_SIZE], const char *name)
{
    const char *colon = strrchr(name, ':');
    size_t size = 0;
    memset(out, 0, NAME_SIZE);
    for (name = colon ? colon + 1 : name; *name && size + 1 < NAME_SIZE; name++) {
        const char c = *name;
        if (c >= 'A' && c <= 'Z')
            out[size++] = (char)(c - 'A' + 'a');
        else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (unsigned char)c >= 0x80)
            out[size++] = c;
    }
    if (!strncmp(out, "bip01", 5))
        memmove(out, out + 5, strlen(out + 5) + 1);
    if (!strncmp(out, "left", 4) && out[4])
        memmove(out + 1, out + 4, strlen(out + 4) + 1);
    if (!strncmp(out, "right", 5) && out[5])
        memmove(out + 1, out + 5, strlen(out + 5) + 1);
}

static void expected_name(char out[NAME_SIZE], const char *pattern, bool right)
{
    const bool japanese = (unsigned char)pattern[1] >= 0x80;
    if (pattern[0] != '*')
        snprintf(out, NAME_SIZE, "%s", pattern);
    else
        snprintf(out, NAME_SIZE, "%s%s", japanese ? (right ? "右" : "左") : (right ? "r" : "l"),
                 pattern + 1);
}

static bool is_taken(const int32_t joints[BODY_PARTS], int32_t joint)
{
    for (int i = 0; i < BODY_PARTS; i++)
        if (joints[i] == joint)
            return true;
    return false;
}

static int32_t find_joint(const BvhMotion *source, const char *wanted,
                          const int32_t joints[BODY_PARTS])
{
    char name[NAME_SIZE];
    for (uint32_t i = 0; i < source->joint_count; i++) {
        normalize(name, source->joints[i].name);
        if (!strcmp(name, wanted) && !is_taken(joints, (int32_t)i))
            return (int32_t)i;
    }
    return -1;
}

static void find_part(int32_t joints[BODY_PARTS], int part, const BvhMotion *source)
{
    const char *const *names = names_of(part);
    char wanted[NAME_SIZE];
    for (size_t i = 0; i < MAX_NAMES && names[i] && joints[part] < 0; i++) {
        expected_name(wanted, names[i], is_right(part));
        joints[part] = find_joint(source, wanted, joints);
    }
}

/* Arms come before shoulders, because "LeftShoulder" is the upper arm where there is a collar bone
 * and no "LeftArm". */
void retarget_find_joints(int32_t joints[BODY_PARTS], const BvhMotion *source)
{
    for (int i = 0; i < BODY_PARTS; i++)
        joints[i] = -1;
    find_part(joints, BODY_ARM_L, source);
    find_part(joints, BODY_ARM_R, source);
    for (int i = 0; i < BODY_PARTS; i++)
        find_part(joints, i, source);
}

void retarget_find_bones(int32_t bones[BODY_PARTS], const PmxModel *model)
{
    for (int i = 0; i < BODY_PARTS; i++) {
        bones[i] = -1;
        for (uint32_t b = 0; b < model->bone_count && bones[i] < 0; b++)
            if (!strcmp(model->bones[b].name, bone_names[i]))
                bones[i] = (int32_t)b;
    }
}
