// SPDX-License-Identifier: MIT
#include "scene/mocap/body.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { MAX_NAMES = 10, NAME_SIZE = 64 };

/* Normalized names: lower case, letters and digits only, "l" and "r" for the sides; the first that
 * a skeleton has is used, and no joint twice.  A star stands for the side. */
static const char *const joint_names[BODY_FINGERS][MAX_NAMES] = {
    [BODY_HIPS] = {"hips", "hip", "pelvis", "下半身"},
    [BODY_SPINE] = {"spine", "spine1", "spine01", "abdomen", "lowerback", "torso", "chest",
                    "上半身"},
    [BODY_CHEST] = {"upperchest", "spine3", "spine2", "spine03", "chest2", "chest", "spine1",
                    "spine02", "thorax", "上半身2"},
    [BODY_NECK] = {"neck", "neck1", "neck01", "首"},
    [BODY_HEAD] = {"head", "頭"},
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

static bool ends_with_side(const char *text, size_t size, char side)
{
    return size > 2 && strchr("_.- ", text[size - 2]) && (text[size - 1] | 0x20) == side;
}

/* "mixamorig:LeftUpLeg" -> "lupleg", "thigh.L" -> "lthigh", "Bip01_L_Thigh" -> "lthigh"; "左ひざ"
 * as it is */
static void normalize(char out[NAME_SIZE], const char *name)
{
    const char *colon = strrchr(name, ':');
    size_t used = 0;
    memset(out, 0, NAME_SIZE);
    name = colon ? colon + 1 : name;
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

static int32_t find_joint(const Mocap *mocap, const char *wanted, const int32_t joints[BODY_PARTS])
{
    char name[NAME_SIZE];
    for (uint32_t i = 0; i < mocap->joint_count; i++) {
        normalize(name, mocap->joints[i].name);
        if (!strcmp(name, wanted) && !is_taken(joints, (int32_t)i))
            return (int32_t)i;
    }
    return -1;
}

static void find_part(int32_t joints[BODY_PARTS], int part, const Mocap *mocap)
{
    const char *const *names = joint_names[left_of(part)];
    char wanted[NAME_SIZE];
    for (size_t i = 0; i < MAX_NAMES && names[i] && joints[part] < 0; i++) {
        expected_name(wanted, names[i], is_right(part));
        joints[part] = find_joint(mocap, wanted, joints);
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
    default:
        snprintf(out, NAME_SIZE, "%s%s%s", right ? "右" : "左", japanese_fingers[finger],
                 digits[joint + (finger != BODY_THUMB)]);
    }
}

enum { FINGER_STYLES = 7, JAPANESE_STYLE = 6 };

/* Arms come before shoulders, because "LeftShoulder" is the upper arm where there is a collar bone
 * and no "LeftArm". */
void body_find_joints(int32_t joints[BODY_PARTS], const Mocap *mocap)
{
    for (int i = 0; i < BODY_PARTS; i++)
        joints[i] = -1;
    find_part(joints, BODY_ARM, mocap);
    find_part(joints, (int)body_side(BODY_ARM, true), mocap);
    for (int part = 0; part < BODY_PARTS; part++)
        if (left_of(part) < BODY_FINGERS)
            find_part(joints, part, mocap);
    char wanted[NAME_SIZE];
    for (int i = 0; i < 2 * 5 * 3; i++) {
        const int finger = i / 3 % 5, joint = i % 3;
        const bool right = i >= 15;
        const BodyPart part = body_finger(finger, joint, right);
        for (int style = 0; style < FINGER_STYLES && joints[part] < 0; style++) {
            if (style == 4 && finger != 4)
                continue;
            finger_name(wanted, style, finger, joint, right);
            joints[part] = find_joint(mocap, wanted, joints);
        }
    }
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
