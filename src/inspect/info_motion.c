// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/text_escape.h"
#include "base/units.h"
#include "format/file_kind.h"
#include "format/motion/motion_file.h"
#include "inspect/info_facts.h"
#include "inspect/key_density.h"
#include "scene/asset_files.h"
#include "scene/camera.h"
#include "scene/mocap/body.h"
#include "scene/motion.h"

enum { COLUMNS = 60, MAX_CUTS = 8, MAX_MISSING = 8 }; /* in text; MAX_MISSING without --names */

/* ---- tracks ---- */

static int compare_names(const void *a, const void *b)
{
    return strcmp((*(const VmdName *const *)a)->bytes, (*(const VmdName *const *)b)->bytes);
}

/* The names of `key_count` keys of `key_size` bytes, each once; the first key has the name
 * `first`. */
static NameList track_names(const VmdName *first, size_t key_size, size_t key_count, Arena *arena)
{
    const VmdName **found = arena_array(arena, const VmdName *, key_count);
    NameList names = {arena_array(arena, const char *, key_count), 0};
    for (size_t i = 0; i < key_count; i++)
        found[i] = (const VmdName *)((const char *)first + i * key_size);
    if (key_count)
        qsort(found, key_count, sizeof *found, compare_names);
    for (size_t i = 0; i < key_count; i++)
        if (!i || compare_names(&found[i], &found[i - 1]) != 0)
            names.items[names.count++] = vmd_name_to_utf8(found[i], arena);
    return names;
}

/* ---- fit to a model ---- */

bool info_fit_motion(MotionFit *out, Model *model, const char *model_path, const VmdMotion *motion,
                     const char *path, Arena *arena, Diag *diag)
{
    const MotionLayer layer = {motion, {.file = path, MOTION_DEFAULT}};
    Diag silent = diag_quiet();
    ModelMotion bound;
    if (!model_load(model, model_path, NULL, arena, diag))
        return false;
    diag_file(diag, path);
    if (!motion_bind(&bound, model, &layer, 1, false, arena, &silent))
        return diag_error(diag, "the motion cannot be applied to '%s'", model_path);
    *out = bound.fits[0];
    return true;
}

typedef struct FitInfo {
    const char *model;
    MotionFit fit;
} FitInfo;

static const ResultField FitInfo_fields[] = {
    MEMBER(FitInfo, model, "file of the model"),
    MEMBER_NAMED(FitInfo, fit.bones, "bones", "bones of the motion with a key away from rest"),
    MEMBER_NAMED(FitInfo, fit.bones_found, "bones_found", "bones of these that the model has"),
    MEMBER_NAMED(FitInfo, fit.morphs, "morphs", "morphs of the motion with a key away from rest"),
    MEMBER_NAMED(FitInfo, fit.morphs_found, "morphs_found", "morphs of these that the model has"),
    MEMBER_VALUES_NAMED(FitInfo, fit.missing_bones.items, fit.missing_bones.count, "missing_bones",
                        "bones that the model lacks"),
    MEMBER_VALUES_NAMED(FitInfo, fit.missing_morphs.items, fit.missing_morphs.count,
                        "missing_morphs", "morphs that the model lacks"),
};
RESULT(FitInfo, "how a motion fits a model");

/* ---- a motion ---- */

typedef struct MotionInfo {
    VmdMotion motion;
    unsigned last_frame;
    double seconds;
    NameList bones, morphs;
    KeyDensity density;
    unsigned
        *cuts; /* frames of keys after cuts: two keys on neighbouring frames (scene/camera.h) */
    size_t cut_count;
    FitInfo *fit;
    const char *fit_text;
} MotionInfo;

/* "  keys over time: ▁▂▇█▃, up to 213 in a second" */
static void print_density(FILE *out, const void *record, bool all)
{
    const KeyDensity *density = &((const MotionInfo *)record)->density;
    char line[KEY_DENSITY_LINE_SIZE(COLUMNS)];
    uint32_t largest = 0;
    (void)all;
    for (size_t i = 0; i < density->seconds; i++)
        largest = density->all[i] > largest ? density->all[i] : largest;
    key_density_line(line, density->all, density->seconds, COLUMNS);
    if (density->seconds >= 2)
        fprintf(out, "  keys over time: %s, up to %" PRIu32 " in a second\n", line, largest);
}

static void print_cuts(FILE *out, const void *record, bool all)
{
    const MotionInfo *info = record;
    (void)all;
    for (size_t i = 0; i < info->cut_count && i < MAX_CUTS; i++)
        fprintf(out, "%s%u", i ? ", " : "  cuts at frames: ", info->cuts[i]);
    if (info->cut_count)
        fputs(info->cut_count > MAX_CUTS ? ", ...\n" : "\n", out);
}

static void print_names(FILE *out, const char *key, const NameList *names, bool all)
{
    for (size_t i = 0; i < names->count && (all || i < MAX_MISSING); i++) {
        fprintf(out, i ? ", " : "  %s: ", key);
        text_printf(out, "'%s'", names->items[i]);
    }
    if (names->count)
        fputs(names->count > MAX_MISSING && !all ? ", ...\n" : "\n", out);
}

static void print_fit(FILE *out, const void *record, bool all)
{
    const MotionInfo *info = record;
    if (!info->fit)
        return;
    text_printf(out, "  fit: %s of %s\n", info->fit_text, path_name(info->fit->model));
    print_names(out, "missing_bones", &info->fit->fit.missing_bones, all);
    print_names(out, "missing_morphs", &info->fit->fit.missing_morphs, all);
}

static const ResultField MotionInfo_fields[] = {
    MEMBER_NAMED(MotionInfo, motion.model_name, "model", "name of the model in the file"),
    MEMBER(MotionInfo, last_frame, "frame of the last key, at 30 per second"),
    MEMBER(MotionInfo, seconds, "time of the last key", .unit = "seconds"),
    MEMBER_NAMED(MotionInfo, motion.bone_key_count, "bone_keys", "keys of bones"),
    MEMBER_NAMED(MotionInfo, motion.morph_key_count, "morph_keys", "keys of morphs"),
    MEMBER_NAMED(MotionInfo, motion.camera_key_count, "camera_keys", "keys of the camera"),
    MEMBER_NAMED(MotionInfo, motion.light_key_count, "light_keys", "keys of the light"),
    MEMBER_NAMED(MotionInfo, motion.shadow_key_count, "shadow_keys", "keys of self-shadow"),
    MEMBER_NAMED(MotionInfo, motion.property_key_count, "property_keys",
                 "keys of visibility and IK"),
    MEMBER_NAMED(MotionInfo, bones.count, "bones", "bones with keys"),
    MEMBER_VALUES_NAMED(MotionInfo, bones.items, bones.count, "bone_names", "their names"),
    MEMBER_NAMED(MotionInfo, morphs.count, "morphs", "morphs with keys"),
    MEMBER_VALUES_NAMED(MotionInfo, morphs.items, morphs.count, "morph_names", "their names"),
    MEMBER_VALUES_NAMED(MotionInfo, density.all, density.seconds, "keys_per_second",
                        "keys of all kinds in each second", .text = print_density),
    MEMBER_VALUES_NAMED(MotionInfo, cuts, cut_count, "cut_frames",
                        "frames of the first keys after cuts of the camera", .text = print_cuts),
    MEMBER_NAMED(MotionInfo, cut_count, "cuts", "cuts of the camera"),
    MEMBER_OPTIONAL(MotionInfo, fit, FitInfo, "how it fits the model of --model",
                    .text = print_fit),
};
const ResultTable motion_info_result = RESULT_CASE_TABLE(MotionInfo, "a motion", "vmd", "vpd");

static bool find_fit(MotionInfo *info, const InfoFile *file, Diag *diag)
{
    const VmdMotion *motion = &info->motion;
    const char *path = file->options->model;
    Model model = {0};
    if (!path || !(motion->bone_key_count || motion->morph_key_count))
        return true;
    info->fit = arena_array(file->arena, FitInfo, 1);
    info->fit->model = path;
    if (!info_fit_motion(&info->fit->fit, &model, path, motion, file->path, file->arena, diag))
        return false;
    info->fit_text = motion_fit_text(&info->fit->fit, file->arena);
    return true;
}

bool info_load_motion(ResultCase *out, const InfoFile *file, Diag *diag)
{
    Arena *arena = file->arena;
    MotionInfo *info = arena_array(arena, MotionInfo, 1);
    VmdMotion *motion = &info->motion;
    if (!motion_file_load(motion, file->bytes, arena, diag))
        return false;
    *out = (ResultCase){motion->is_pose ? "vpd" : "vmd", &motion_info_result, info};
    info->last_frame = vmd_last_frame(motion);
    info->seconds = info->last_frame / (double)MOTION_FPS;
    info->bones = track_names(motion->bone_keys ? &motion->bone_keys->name : NULL,
                              sizeof(VmdBoneKey), motion->bone_key_count, arena);
    info->morphs = track_names(motion->morph_keys ? &motion->morph_keys->name : NULL,
                               sizeof(VmdMorphKey), motion->morph_key_count, arena);
    info->density = key_density_of(motion, arena);
    const CameraTrack track = camera_bind(&info->motion, (TimeMap){0, 1}, arena);
    info->cuts = arena_array(arena, unsigned, track.key_count);
    for (uint32_t i = 1; i < track.key_count; i++)
        if (track.frames[i] == track.frames[i - 1] + 1)
            info->cuts[info->cut_count++] = (unsigned)track.frames[i];
    return find_fit(info, file, diag);
}

/* ---- motion capture ---- */

typedef struct MocapInfo {
    unsigned joints, parts, meshes;
    double seconds, fps;
    NameList names, takes;
    const char *take, *up; /* NULL: the file has none */
} MocapInfo;

static void print_meshes(FILE *out, const void *record, bool all)
{
    (void)all;
    if (((const MocapInfo *)record)->meshes)
        fputs("  a motion; its mesh is not drawn\n", out);
}

static void print_takes(FILE *out, const void *record, bool all)
{
    (void)all;
    print_names(out, "takes", &((const MocapInfo *)record)->takes, true);
}

static const ResultField MocapInfo_fields[] = {
    MEMBER(MocapInfo, joints, "joints"),
    MEMBER(MocapInfo, seconds, "duration", .unit = "seconds"),
    MEMBER(MocapInfo, fps, "frames per second of a BVH, FBX or SMPL file", .nullable = true),
    MEMBER(
        MocapInfo, take,
        "name of the take of an FBX or glTF file, or the person of an SMPL file, that these are of",
        .nullable = true),
    MEMBER_VALUES_NAMED(MocapInfo, takes.items, takes.count, "takes",
                        "takes of an FBX or glTF file, persons of an SMPL file",
                        .text = print_takes),
    MEMBER(MocapInfo, meshes, "meshes of an FBX file, which are not drawn", .text = print_meshes),
    MEMBER(MocapInfo, up, "axis of an SMPL file that is up", .nullable = true),
    MEMBER_NAMED(MocapInfo, parts, "known_parts", "parts of a body that were recognized"),
    MEMBER_VALUES_NAMED(MocapInfo, names.items, names.count, "joint_names", "names of the joints"),
};
const ResultTable mocap_info_result =
    RESULT_CASE_TABLE(MocapInfo, "motion capture", "bvh", "fbx", "vrma", "npz");

static const char *const ups[] = {NULL, "y", "z", "-y"}; /* by MocapUp */

static unsigned count_parts(const int32_t joints[BODY_PARTS])
{
    unsigned count = 0;
    for (int i = 0; i < BODY_PARTS; i++)
        count += joints[i] >= 0;
    return count;
}

static bool load_mocap(Mocap *mocap, const InfoFile *file, Diag *diag)
{
    const MocapOptions options = {.side = asset_files_search(NULL, file->path, file->arena)};
    return mocap_load(mocap, file->bytes, &options, file->arena, diag);
}

InfoTakes info_takes(const InfoFile *file)
{
    Mocap mocap;
    int32_t joints[BODY_PARTS];
    Diag quiet = diag_quiet();
    if (!load_mocap(&mocap, file, &quiet))
        return (InfoTakes){0};
    body_find_joints(joints, &mocap);
    if (body_missing(joints))
        return (InfoTakes){0};
    return (InfoTakes){{mocap.takes, mocap.take_count}, mocap.duration_s, count_parts(joints)};
}

bool info_load_mocap(ResultCase *out, const InfoFile *file, Diag *diag)
{
    MocapInfo *info = arena_array(file->arena, MocapInfo, 1);
    Mocap mocap;
    int32_t joints[BODY_PARTS];
    if (!load_mocap(&mocap, file, diag))
        return false;
    *out = (ResultCase){file_kinds[mocap.kind].extensions, &mocap_info_result, info};
    *info = (MocapInfo){.joints = mocap.joint_count,
                        .seconds = mocap.duration_s,
                        .fps = mocap.fps > 0 ? mocap.fps : (double)NAN,
                        .takes = {mocap.takes, mocap.take_count},
                        .take = mocap.take_count ? mocap.takes[mocap.take] : NULL,
                        .meshes = mocap.meshes,
                        .up = mocap.up ? ups[mocap.up] : NULL,
                        .names = {arena_array(file->arena, const char *, mocap.joint_count), 0}};
    body_find_joints(joints, &mocap);
    info->parts = count_parts(joints);
    for (uint32_t i = 0; i < mocap.joint_count; i++)
        if (*mocap.joints[i].name)
            info->names.items[info->names.count++] = mocap.joints[i].name;
    return true;
}
