// SPDX-License-Identifier: MIT
#include "scene/mocap/body.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

enum { MAX_NAMES = 12, NAME_SIZE = 64 };

/* Normalized names: lower case, letters and digits only, "l" and "r" for the sides; the first that
 * a skeleton has is used, and no joint twice.  A star stands for the side. */
static const char *const joint_names[BODY_FINGERS][MAX_NAMES] = {
    [BODY_HIPS] = {"hips", "hip", "pelvis", "下半身"},
    [BODY_SPINE] = {"spine", "spine1", "spine01", "spine001", "abdomen", "lowerback", "torso",
                    "chest", "上半身"},
    [BODY_CHEST] = {"upperchest", "spine3", "spine003", "spine2", "spine03", "chest2", "chest",
                    "spine1", "spine02", "spine002", "thorax", "上半身2"},
    [BODY_NECK] = {"neck", "neck1", "neck01", "spine004", "首"},
    [BODY_HEAD] = {"head", "spine006", "頭"},
    [BODY_SHOULDER] = {"*collar", "*clavicle", "*shoulder", "*肩"},
    [BODY_ARM] = {"*arm", "*uparm", "*upperarm", "*shldr", "*shoulder", "*腕"},
    [BODY_ELBOW] = {"*forearm", "*lowerarm", "*lowarm", "*elbow", "*ひじ"},
    [BODY_HAND] = {"*wrist", "*hand", "*手首"},
    [BODY_LEG] = {"*upleg", "*upperleg", "*thigh", "*hip", "*足"},
    [BODY_KNEE] = {"*leg", "*lowerleg", "*lowleg", "*shin", "*calf", "*knee", "*ひざ"},
    [BODY_FOOT] = {"*ankle", "*foot", "*足首"},
    [BODY_TOE] = {"*toebase", "*toes", "*toe", "*toe0", "*ball", "*foot", "*足先ex", "*つま先"},
};

static const char *const bone_names[BODY_FINGERS] = {"下半身", "上半身", "上半身2", "首",    "頭",
                                                     "*肩",    "*腕",    "*ひじ",   "*手首", "*足",
                                                     "*ひざ",  "*足首",  "*足先EX"};

/* Names of fingers: of VRM, of Mixamo and others, of Biped, of MMD. */
static const char *const fingers[] = {"thumb", "index", "middle", "ring", "little"};
static const char *const japanese_fingers[] = {"親指", "人指", "中指", "薬指", "小指"};

static bool is_right(int part)
{
    return part >= BODY_RIGHT;
}

static int left_of(int part)
{
    return is_right(part) ? part - BODY_SIDE : part;
}

/* ---- names ---- */

/* Whether the first `size` bytes end with a word, as a word or after a separator. */
static bool ends_with_word(const char *text, size_t size, const char *word)
{
    const size_t length = strlen(word);
    return size >= length && !strncasecmp(text + size - length, word, length) &&
           (size == length || strchr("_- .", text[size - length - 1]));
}

static bool ends_with_side(const char *text, size_t size, char side)
{
    return size > 2 && strchr("_.- ", text[size - 2]) && (text[size - 1] | 0x20) == side;
}

/* What the names of all joints of a skeleton begin with, such as "Bip001 " or "Character1_". */
typedef struct Prefix {
    const char *text;
    size_t size;
    bool is_required; /* other names are not those of joints */
} Prefix;

static const char *without_namespace(const char *name)
{
    const char *colon = strrchr(name, ':');
    return colon ? colon + 1 : name;
}

/* What is before the name of the hips, if that is no side; of Rigify, whose bones that deform a
 * mesh are beside others of the same names, "DEF-". */
static Prefix find_prefix(const Mocap *mocap)
{
    static const char *const hips[] = {"hips", "pelvis", "hip"};
    Prefix prefix = {"", 0, false};
    for (uint32_t i = 0; i < mocap->joint_count; i++)
        if (!strncmp(without_namespace(mocap->joints[i].name), "DEF-", 4))
            return (Prefix){"DEF-", 4, true};
    for (uint32_t i = 0; i < mocap->joint_count; i++) {
        const char *name = without_namespace(mocap->joints[i].name);
        const size_t size = strlen(name);
        for (int k = 0; k < 3 && !prefix.size; k++) {
            const size_t end = strlen(hips[k]);
            if (size < end || !text_equal_ignoring_case(name + size - end, hips[k]))
                continue;
            const size_t before = size - end;
            if (!before)
                return (Prefix){"", 0, false};
            if (before < 3)
                continue;
            if (strchr("_- .", name[before - 1]) && !ends_with_word(name, before - 1, "left") &&
                !ends_with_word(name, before - 1, "right") &&
                !ends_with_word(name, before - 1, "l") && !ends_with_word(name, before - 1, "r"))
                prefix = (Prefix){name, before, false};
        }
    }
    return prefix;
}

/* "mixamorig:LeftUpLeg" -> "lupleg", "thigh.L" -> "lthigh", "Bip01_L_Thigh" -> "lthigh" without
 * its prefix; "左ひざ" as it is */
static void normalize(char out[NAME_SIZE], const char *name, const Prefix *prefix)
{
    name = without_namespace(name);
    size_t used = 0;
    memset(out, 0, NAME_SIZE);
    if (!strncmp(name, prefix->text, prefix->size))
        name += prefix->size;
    else if (prefix->is_required)
        return;
    size_t size = strlen(name);
    if (ends_with_side(name, size, 'l') || ends_with_side(name, size, 'r')) {
        out[used++] = (char)(name[size - 1] | 0x20);
        size -= 2;
    }
    for (size_t i = 0; i < size && used + 1 < NAME_SIZE; i++) {
        const char c = name[i];
        if (c >= 'A' && c <= 'Z')
            out[used++] = (char)(c - 'A' + 'a');
        else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (unsigned char)c >= 0x80)
            out[used++] = c;
    }
    if (!strncmp(out, "bip01", 5))
        memmove(out, out + 5, strlen(out + 5) + 1);
    if (!strncmp(out, "left", 4) && out[4])
        memmove(out + 1, out + 4, strlen(out + 4) + 1);
    if (!strncmp(out, "right", 5) && out[5])
        memmove(out + 1, out + 5, strlen(out + 5) + 1);
}

/* The star of a pattern, replaced by the side. */
static void expected_name(char out[NAME_SIZE], const char *pattern, bool right)
{
    const bool japanese = (unsigned char)pattern[1] >= 0x80;
    if (pattern[0] != '*')
        snprintf(out, NAME_SIZE, "%s", pattern);
    else
        snprintf(out, NAME_SIZE, "%s%s", japanese ? (right ? "右" : "左") : (right ? "r" : "l"),
                 pattern + 1);
}

/* ---- joints ---- */

static bool is_taken(const int32_t joints[BODY_PARTS], int32_t joint)
{
    for (int i = 0; i < BODY_PARTS; i++)
        if (joints[i] == joint)
            return true;
    return false;
}

static int32_t find_joint(const Mocap *mocap, const Prefix *prefix, const char *wanted,
                          const int32_t joints[BODY_PARTS])
{
    char name[NAME_SIZE];
    for (uint32_t i = 0; i < mocap->joint_count; i++) {
        normalize(name, mocap->joints[i].name, prefix);
        if (!strcmp(name, wanted) && !is_taken(joints, (int32_t)i))
            return (int32_t)i;
    }
    return -1;
}

static void find_part(int32_t joints[BODY_PARTS], int part, const Mocap *mocap,
                      const Prefix *prefix)
{
    const char *const *names = joint_names[left_of(part)];
    char wanted[NAME_SIZE];
    for (size_t i = 0; i < MAX_NAMES && names[i] && joints[part] < 0; i++) {
        expected_name(wanted, names[i], is_right(part));
        joints[part] = find_joint(mocap, prefix, wanted, joints);
    }
}

/* Fingers have joints 1 to 3; of thumbs MMD counts 0 to 2. */
static void finger_name(char out[NAME_SIZE], int style, int finger, int joint, bool right)
{
    static const char *const digits[] = {"０", "１", "２", "３"};
    static const char *const segments[] = {"proximal", "intermediate", "distal"};
    static const char *const thumb_segments[] = {"metacarpal", "proximal", "distal"};
    const char *name = style == 3 && finger == 4 ? "pinky" : fingers[finger];
    const char *side = right ? "r" : "l";
    switch (style) {
    case 0:
        snprintf(out, NAME_SIZE, "%s%s%s", side, name,
                 (finger == BODY_THUMB ? thumb_segments : segments)[joint]);
        break;
    case 1:
        snprintf(out, NAME_SIZE, "%shand%s%d", side, name, joint + 1);
        break;
    case 2:
        snprintf(out, NAME_SIZE, "%s%s%d", side, name, joint + 1);
        break;
    case 3:
        snprintf(out, NAME_SIZE, "%s%s0%d", side, name, joint + 1);
        break;
    case 4:
        snprintf(out, NAME_SIZE, "%shandpinky%d", side, joint + 1);
        break;
    case 5:
        if (joint)
            snprintf(out, NAME_SIZE, "%sfinger%d%d", side, finger, joint);
        else
            snprintf(out, NAME_SIZE, "%sfinger%d", side, finger);
        break;
    case 7: /* SMPL */
        snprintf(out, NAME_SIZE, "%spinky%d", side, joint + 1);
        break;
    case 6: /* Rigify */
        snprintf(out, NAME_SIZE, "%sf%s0%d", side, finger == 4 ? "pinky" : name, joint + 1);
        break;
    default:
        snprintf(out, NAME_SIZE, "%s%s%s", right ? "右" : "左", japanese_fingers[finger],
                 digits[joint + (finger != BODY_THUMB)]);
    }
}

enum { FINGER_STYLES = 9, JAPANESE_STYLE = 8 };

/* Arms come before shoulders, because "LeftShoulder" is the upper arm where there is a collar bone
 * and no "LeftArm". */
void body_find_joints(int32_t joints[BODY_PARTS], const Mocap *mocap)
{
    const Prefix prefix = find_prefix(mocap);
    for (int i = 0; i < BODY_PARTS; i++)
        joints[i] = -1;
    find_part(joints, BODY_ARM, mocap, &prefix);
    find_part(joints, (int)body_side(BODY_ARM, true), mocap, &prefix);
    find_part(joints, BODY_HIPS, mocap, &prefix);
    if (joints[BODY_HIPS] < 0 && find_joint(mocap, &prefix, "spine001", joints) >= 0)
        joints[BODY_HIPS] = find_joint(mocap, &prefix, "spine", joints); /* Rigify */
    for (int part = 0; part < BODY_PARTS; part++)
        if (left_of(part) < BODY_FINGERS)
            find_part(joints, part, mocap, &prefix);
    char wanted[NAME_SIZE];
    for (int i = 0; i < 2 * 5 * 3; i++) {
        const int finger = i / 3 % 5, joint = i % 3;
        const bool right = i >= 15;
        const BodyPart part = body_finger(finger, joint, right);
        for (int style = 0; style < FINGER_STYLES && joints[part] < 0; style++) {
            if ((style == 4 || style == 7) && finger != 4)
                continue;
            finger_name(wanted, style, finger, joint, right);
            joints[part] = find_joint(mocap, &prefix, wanted, joints);
        }
    }
}

const char *body_missing(const int32_t parts[BODY_PARTS])
{
    static const BodyPart needed[] = {BODY_HIPS, BODY_LEG, BODY_KNEE, BODY_FOOT};
    static const char *const names[2][4] = {{"hips", "left leg", "left knee", "left foot"},
                                            {"hips", "right leg", "right knee", "right foot"}};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 4; i++)
            if (parts[body_side(needed[i], side && i > 0)] < 0)
                return names[side][i];
    return NULL;
}

/* ---- bones ---- */

int32_t body_find_bone(const PmxModel *model, const char *name)
{
    return text_find(TEXT_NAMES(PmxBone, name, model->bones, model->bone_count), name);
}

void body_find_bones(int32_t bones[BODY_PARTS], const PmxModel *model)
{
    char name[NAME_SIZE];
    for (int part = 0; part < BODY_PARTS; part++) {
        const int left = left_of(part);
        if (left < BODY_FINGERS)
            expected_name(name, bone_names[left], is_right(part));
        else
            finger_name(name, JAPANESE_STYLE, (left - BODY_FINGERS) / 3, (left - BODY_FINGERS) % 3,
                        is_right(part));
        bones[part] = body_find_bone(model, name);
    }
}

double body_distance(const PmxModel *model, int32_t a, int32_t b)
{
    return vec3_length(
        vec3_sub(vec3_load(model->bones[a].position), vec3_load(model->bones[b].position)));
}

bool body_has_link(const PmxIk *ik, int32_t bone)
{
    for (uint32_t i = 0; i < ik->link_count; i++)
        if (ik->links[i].bone == bone)
            return true;
    return false;
}

int32_t body_find_foot_ik(const PmxModel *model, const int32_t bones[BODY_PARTS], bool right)
{
    for (uint32_t i = 0; i < model->bone_count; i++) {
        const PmxBone *bone = &model->bones[i];
        if (bone->flags & PMX_BONE_IK && bone->ik.effector == bones[body_side(BODY_FOOT, right)] &&
            body_has_link(&bone->ik, bones[body_side(BODY_LEG, right)]))
            return (int32_t)i;
    }
    return -1;
}

bool body_is_foot_ik(const PmxIk *ik, const int32_t bones[BODY_PARTS])
{
    for (int side = 0; side < 2; side++) {
        const int32_t foot = bones[body_side(BODY_FOOT, side)];
        if (ik->effector == foot || (ik->link_count == 1 && ik->links[0].bone == foot))
            return true;
    }
    return false;
}
