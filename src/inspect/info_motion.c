// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/text_escape.h"
#include "base/units.h"
#include "format/motion/motion_file.h"
#include "inspect/info_facts.h"
#include "inspect/key_density.h"
#include "scene/camera.h"
#include "scene/mocap/body.h"
#include "scene/motion.h"

enum { COLUMNS = 60, MAX_CUTS = 8, MAX_MISSING = 8 }; /* in text; MAX_MISSING without --names */

/* ---- tracks ---- */

/* The names of a motion, without duplicates. */
typedef struct TrackNames {
    const VmdName **items;
    size_t count;
} TrackNames;

static int compare_names(const void *a, const void *b)
{
    return strcmp((*(const VmdName *const *)a)->bytes, (*(const VmdName *const *)b)->bytes);
}

/* Collects the names of `key_count` keys of `key_size` bytes; the first key has the name `first`.
 */
static TrackNames track_names(const VmdName *first, size_t key_size, size_t key_count, Arena *arena)
{
    TrackNames names = {arena_array(arena, const VmdName *, key_count), 0};
    for (size_t i = 0; i < key_count; i++)
        names.items[i] = (const VmdName *)((const char *)first + i * key_size);
    if (key_count)
        qsort(names.items, key_count, sizeof *names.items, compare_names);
    for (size_t i = 0; i < key_count; i++)
        if (!i || compare_names(&names.items[i], &names.items[names.count - 1]) != 0)
            names.items[names.count++] = names.items[i];
    return names;
}

static void write_tracks(Facts *facts, const char *key, const char *names_key, TrackNames tracks)
{
    const char **names = arena_array(facts->arena, const char *, tracks.count);
    for (size_t i = 0; i < tracks.count; i++)
        names[i] = vmd_name_to_utf8(tracks.items[i], facts->arena);
    facts_count(facts, key, tracks.count);
    facts_names(facts, names_key, (TextNames){names, tracks.count, sizeof *names, 0});
}

/* ---- keys over time ---- */

/* "  keys over time: ▁▂▇█▃, up to 213 in a second" */
static void write_density(Facts *facts, const VmdMotion *motion)
{
    const KeyDensity density = key_density_of(motion, facts->arena);
    char line[KEY_DENSITY_LINE_SIZE(COLUMNS)];
    uint32_t largest = 0;
    json_print(&facts->json, "keys_per_second:[");
    for (size_t i = 0; i < density.seconds; i++) {
        json_int(&facts->json, density.all[i]);
        largest = density.all[i] > largest ? density.all[i] : largest;
    }
    json_print(&facts->json, "]");
    key_density_line(line, density.all, density.seconds, COLUMNS);
    if (density.seconds >= 2)
        fprintf(facts->text, "  keys over time: %s, up to %" PRIu32 " in a second\n", line,
                largest);
}

/* The frames of keys after cuts: two keys on neighbouring frames (scene/camera.h). */
static void write_cuts(Facts *facts, const VmdMotion *motion)
{
    const CameraTrack track = camera_bind(motion, (TimeMap){0, 1}, facts->arena);
    uint64_t count = 0;
    json_print(&facts->json, "cut_frames:[");
    for (uint32_t i = 1; i < track.key_count; i++) {
        if (track.frames[i] != track.frames[i - 1] + 1)
            continue;
        json_int(&facts->json, (int64_t)track.frames[i]);
        if (count < MAX_CUTS)
            fprintf(facts->text, "%s%.0f", count ? ", " : "  cuts at frames: ", track.frames[i]);
        count++;
    }
    json_print(&facts->json, "]");
    if (count)
        fputs(count > MAX_CUTS ? ", ...\n" : "\n", facts->text);
    facts_count(facts, "cuts", count);
}

/* ---- fit to a model ---- */

bool info_fit_motion(MotionFit *out, Model *model, const char *model_path, const VmdMotion *motion,
                     const char *path, Arena *arena, Diag *diag)
{
    const MotionLayer layer = {.vmd = motion, .file = path, .time = {0, 1}, .parts = MOTION_ALL};
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

/* The names of a motion that a model lacks. */
static void write_missing(Facts *facts, const char *key, const NameList *names)
{
    const size_t max = facts->options->names ? names->count : MAX_MISSING; /* in text */
    json_key(&facts->json, key);
    json_print(&facts->json, "[");
    for (size_t i = 0; i < names->count; i++) {
        json_text(&facts->json, names->items[i]);
        if (!i)
            fprintf(facts->text, "  %s: ", key);
        if (i < max)
            text_printf(facts->text, "%s'%s'", i ? ", " : "", names->items[i]);
    }
    json_print(&facts->json, "]");
    if (names->count)
        fputs(names->count > max ? ", ...\n" : "\n", facts->text);
}

static bool write_fit(Facts *facts, const char *path, const VmdMotion *motion, Diag *diag)
{
    const char *file = facts->options->model;
    Json *json = &facts->json;
    Model model = {0};
    MotionFit fit = {0};
    if (!file || !(motion->bone_key_count || motion->morph_key_count))
        return true;
    if (!info_fit_motion(&fit, &model, file, motion, path, facts->arena, diag))
        return false;
    text_printf(facts->text, "  fit: %s of %s\n", motion_fit_text(&fit, facts->arena),
                path_name(file));
    json_print(json, "fit:{model:%s bones:%u bones_found:%u morphs:%u morphs_found:%u", file,
               fit.bones, fit.bones_found, fit.morphs, fit.morphs_found);
    write_missing(facts, "missing_bones", &fit.missing_bones);
    write_missing(facts, "missing_morphs", &fit.missing_morphs);
    json_print(json, "}");
    return true;
}

/* ---- a motion, and motion capture ---- */

bool info_write_motion(Facts *facts, const char *path, Bytes bytes, Diag *diag)
{
    VmdMotion motion;
    if (!motion_file_load(&motion, bytes, facts->arena, diag))
        return false;
    const uint32_t last = vmd_last_frame(&motion);
    const TrackNames bones = track_names(motion.bone_keys ? &motion.bone_keys->name : NULL,
                                         sizeof(VmdBoneKey), motion.bone_key_count, facts->arena),
                     morphs =
                         track_names(motion.morph_keys ? &motion.morph_keys->name : NULL,
                                     sizeof(VmdMorphKey), motion.morph_key_count, facts->arena);
    facts_text(facts, "kind", motion.is_pose ? "vpd" : "vmd");
    facts_text(facts, "model", motion.model_name);
    facts_count(facts, "last_frame", last);
    facts_number(facts, "seconds", last / (double)MOTION_FPS);
    facts_count(facts, "bone_keys", motion.bone_key_count);
    facts_count(facts, "morph_keys", motion.morph_key_count);
    facts_count(facts, "camera_keys", motion.camera_key_count);
    facts_count(facts, "light_keys", motion.light_key_count);
    facts_count(facts, "shadow_keys", motion.shadow_key_count);
    facts_count(facts, "property_keys", motion.property_key_count);
    write_tracks(facts, "bones", "bone_names", bones);
    write_tracks(facts, "morphs", "morph_names", morphs);
    write_density(facts, &motion);
    write_cuts(facts, &motion);
    return write_fit(facts, path, &motion, diag);
}

bool info_write_mocap(Facts *facts, Bytes bytes, Diag *diag)
{
    Mocap mocap;
    int32_t joints[BODY_PARTS];
    uint64_t parts = 0;
    size_t named = 0;
    if (!mocap_load(&mocap, bytes, facts->arena, diag))
        return false;
    body_find_joints(joints, &mocap);
    for (int i = 0; i < BODY_PARTS; i++)
        parts += joints[i] >= 0;
    const char **names = arena_array(facts->arena, const char *, mocap.joint_count);
    for (uint32_t i = 0; i < mocap.joint_count; i++)
        if (*mocap.joints[i].name)
            names[named++] = mocap.joints[i].name;

    facts_text(facts, "kind", mocap.bvh ? "bvh" : "vrma");
    facts_count(facts, "joints", mocap.joint_count);
    facts_number(facts, "seconds", mocap.duration_s);
    if (mocap.bvh)
        facts_number(facts, "fps", 1 / mocap.frame_s);
    facts_count(facts, "known_parts", parts);
    facts_names(facts, "joint_names", (TextNames){names, named, sizeof *names, 0});
    return true;
}
