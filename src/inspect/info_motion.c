#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/text_escape.h"
#include "base/units.h"
#include "format/motion/motion_file.h"
#include "inspect/info_facts.h"
#include "inspect/key_density.h"
#include "inspect/motion_fit.h"
#include "scene/camera.h"
#include "scene/mocap/body.h"
#include "scene/motion.h"

static int compare_strings(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorts names and removes duplicates; returns the new count. */
static size_t unique_names(const char **names, size_t count)
{
    size_t unique = 0;
    if (count)
        qsort(names, count, sizeof *names, compare_strings);
    for (size_t i = 0; i < count; i++)
        if (!i || strcmp(names[i], names[unique - 1]) != 0)
            names[unique++] = names[i];
    return unique;
}

/* Writes the number of distinct tracks of `keys` as `key`, their names as `names_key`. */
static void write_tracks(Facts *facts, const char *key, const char *names_key, const VmdName **keys,
                         size_t key_count, Arena *arena)
{
    const char **names = arena_array(arena, const char *, key_count);
    for (size_t i = 0; i < key_count; i++)
        names[i] = keys[i]->bytes;
    const size_t count = unique_names(names, key_count);
    facts_count(facts, key, count);
    if (facts_names_begin(facts, names_key))
        for (size_t i = 0; i < count; i++) {
            VmdName name = {{0}};
            strncpy(name.bytes, names[i], VMD_NAME_SIZE);
            facts_name(facts, vmd_name_to_utf8(&name, arena));
        }
    facts_names_end(facts);
}

/* ---- keys over time ---- */

enum { COLUMNS = 60 };

/* "  keys over time: ▁▂▇█▃, up to 213 in a second" */
static void write_density_text(const Facts *facts, const KeyDensity *density)
{
    char line[KEY_DENSITY_LINE_SIZE(COLUMNS)];
    uint32_t largest = 0;
    if (density->seconds < 2)
        return;
    for (size_t i = 0; i < density->seconds; i++)
        largest = density->all[i] > largest ? density->all[i] : largest;
    key_density_line(line, density->all, density->seconds, COLUMNS);
    fprintf(facts->out, "  keys over time: %s, up to %" PRIu32 " in a second\n", line, largest);
}

static void write_density(Facts *facts, const VmdMotion *motion)
{
    const KeyDensity density = key_density_of(motion, facts->arena);
    if (!facts->options->json) {
        write_density_text(facts, &density);
        return;
    }
    json_pair_open(&facts->json, "keys_per_second", '[');
    for (size_t i = 0; i < density.seconds; i++)
        json_int(&facts->json, density.all[i]);
    json_close(&facts->json, ']');
}

/* ---- cuts ---- */

enum { MAX_CUTS = 8 }; /* in text */

/* Frames of the keys after cuts: two keys on neighbouring frames (scene/camera.h). */
static void write_cuts(Facts *facts, const VmdMotion *motion)
{
    const CameraTrack track = camera_bind(motion, (TimeMap){0, 1}, facts->arena);
    uint64_t count = 0;
    if (!track.key_count && !facts->options->json)
        return;
    if (facts->options->json) {
        json_pair_open(&facts->json, "cut_frames", '[');
    }
    for (uint32_t i = 1; i < track.key_count; i++) {
        if (track.frames[i] != track.frames[i - 1] + 1)
            continue;
        if (facts->options->json)
            json_int(&facts->json, track.frames[i]);
        else if (count < MAX_CUTS)
            fprintf(facts->out, "%s%" PRIu32, count ? ", " : "  cuts at frames: ", track.frames[i]);
        count++;
    }
    if (facts->options->json)
        json_close(&facts->json, ']');
    else if (count)
        fputs(count > MAX_CUTS ? ", ...\n" : "\n", facts->out);
    facts_count(facts, "cuts", count);
}

/* ---- fit to a model ---- */

enum { MAX_MISSING = 8 }; /* in text, without --names */

static bool has_name(const VmdName *names, uint32_t count, const char *bytes)
{
    VmdName name = {{0}};
    strncpy(name.bytes, bytes, VMD_NAME_SIZE);
    for (uint32_t i = 0; i < count; i++)
        if (vmd_name_equal(&names[i], &name))
            return true;
    return false;
}

static void write_missing_name(Facts *facts, const char *bytes, size_t index)
{
    VmdName name = {{0}};
    strncpy(name.bytes, bytes, VMD_NAME_SIZE);
    const char *text = vmd_name_to_utf8(&name, facts->arena);
    if (facts->options->json)
        json_text(&facts->json, text);
    else if (facts->options->names || index < MAX_MISSING)
        text_printf(facts->out, "%s'%s'", index ? ", " : "", text);
    else if (index == MAX_MISSING)
        fputs(", ...", facts->out);
}

/* The names of a motion, without duplicates, that a model lacks. */
static void write_missing(Facts *facts, const char *key, const char **names, size_t name_count,
                          const VmdName *of_model, uint32_t model_count)
{
    size_t missing = 0;
    if (facts->options->json) {
        json_pair_open(&facts->json, key, '[');
    }
    for (size_t i = 0; i < name_count; i++) {
        if (has_name(of_model, model_count, names[i]))
            continue;
        if (!missing && !facts->options->json)
            fprintf(facts->out, "  %s: ", key);
        write_missing_name(facts, names[i], missing++);
    }
    if (facts->options->json)
        json_close(&facts->json, ']');
    else if (missing)
        fputc('\n', facts->out);
}

static void write_fit_counts(Facts *facts, const MotionFit *fit, const char *model)
{
    if (!facts->options->json) {
        text_printf(facts->out, "  fit: %s of %s\n", motion_fit_text(fit, facts->arena),
                    path_name(model));
        return;
    }
    json_pair_text(&facts->json, "model", model);
    json_pair_int(&facts->json, "bones", fit->bones);
    json_pair_int(&facts->json, "bones_found", fit->bones_found);
    json_pair_int(&facts->json, "morphs", fit->morphs);
    json_pair_int(&facts->json, "morphs_found", fit->morphs_found);
}

static void write_missing_names(Facts *facts, const VmdMotion *motion, const Model *model)
{
    const uint32_t bones = motion->bone_key_count, morphs = motion->morph_key_count;
    const char **names = arena_array(facts->arena, const char *, bones > morphs ? bones : morphs);
    for (uint32_t i = 0; i < bones; i++)
        names[i] = motion->bone_keys[i].name.bytes;
    write_missing(facts, "missing_bones", names, unique_names(names, bones), model->bone_names,
                  model->pmx.bone_count);
    for (uint32_t i = 0; i < morphs; i++)
        names[i] = motion->morph_keys[i].name.bytes;
    write_missing(facts, "missing_morphs", names, unique_names(names, morphs), model->morph_names,
                  model->pmx.morph_count);
}

static bool write_fit(Facts *facts, const char *path, const VmdMotion *motion, Diag *diag)
{
    const char *file = facts->options->model;
    Model model = {0};
    MotionFit fit;
    if (!file || !(motion->bone_key_count || motion->morph_key_count))
        return true;
    if (!motion_fit_load(&fit, &model, file, motion, path, facts->arena, diag))
        return false;
    if (facts->options->json) {
        json_pair_open(&facts->json, "fit", '{');
    }
    write_fit_counts(facts, &fit, file);
    write_missing_names(facts, motion, &model);
    if (facts->options->json)
        json_close(&facts->json, '}');
    return true;
}

/* ---- all of it ---- */

static void write_track_names(Facts *facts, const VmdMotion *motion)
{
    const size_t capacity = (size_t)motion->bone_key_count + motion->morph_key_count;
    const VmdName **names = arena_array(facts->arena, const VmdName *, capacity);
    for (uint32_t i = 0; i < motion->bone_key_count; i++)
        names[i] = &motion->bone_keys[i].name;
    write_tracks(facts, "bones", "bone_names", names, motion->bone_key_count, facts->arena);
    for (uint32_t i = 0; i < motion->morph_key_count; i++)
        names[i] = &motion->morph_keys[i].name;
    write_tracks(facts, "morphs", "morph_names", names, motion->morph_key_count, facts->arena);
}

bool info_write_motion(Facts *facts, const char *path, Bytes bytes, Diag *diag)
{
    VmdMotion motion;
    if (!motion_file_load(&motion, bytes, facts->arena, diag))
        return false;
    const uint32_t last = vmd_last_frame(&motion);
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
    write_track_names(facts, &motion);
    write_density(facts, &motion);
    write_cuts(facts, &motion);
    return write_fit(facts, path, &motion, diag);
}

/* ---- motion capture ---- */

static void write_parts(Facts *facts, const Mocap *mocap)
{
    int32_t joints[BODY_PARTS];
    uint64_t parts = 0;
    body_find_joints(joints, mocap);
    for (int i = 0; i < BODY_PARTS; i++)
        parts += joints[i] >= 0;
    facts_count(facts, "known_parts", parts);
}

bool info_write_mocap(Facts *facts, Bytes bytes, Diag *diag)
{
    Mocap mocap;
    if (!mocap_load(&mocap, bytes, facts->arena, diag))
        return false;
    facts_text(facts, "kind", mocap.bvh ? "bvh" : "vrma");
    facts_count(facts, "joints", mocap.joint_count);
    facts_number(facts, "seconds", mocap.duration_s);
    if (mocap.bvh)
        facts_number(facts, "fps", 1 / mocap.frame_s);
    write_parts(facts, &mocap);
    if (facts_names_begin(facts, "joint_names"))
        for (uint32_t i = 0; i < mocap.joint_count; i++)
            if (*mocap.joints[i].name)
                facts_name(facts, mocap.joints[i].name);
    facts_names_end(facts);
    return true;
}
