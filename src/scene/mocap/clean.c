// SPDX-License-Identifier: MIT
#include "scene/mocap/clean.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "math/scalar.h"
#include "scene/mocap/clean_keys.h"

enum { MAX_SAMPLES = 1 << 23 /* of all bones: at most 168 bytes each */ };

static const double FORCED = 0.3 * PI / 180; /* noise that `always` takes for granted; units: / 2 */
static const double TRACED = 0.5;            /* part of the bones that tremble */
static const double MORE = 1.25;             /* a little smoother than the least error */

/* The model name that OpenMMD and VMD-Lifting write, whose keys are too few for a measurement. */
static const char tracer[] = "Dummy Model Name";

/* All bones, their IK switches in ik_on.  What physics moves may tremble. */
static CleanBody create_body(const ModelMotion *motion, const Model *model, bool **ik_on,
                             Arena *arena)
{
    const PmxModel *pmx = &model->pmx;
    CleanBody body = {
        .model = model, .tracks = arena_array(arena, CleanTrack, pmx->bone_count), .arena = arena};
    *ik_on = arena_array(arena, bool, pmx->bone_count);
    for (uint32_t i = 0; i < pmx->bone_count; i++) {
        body.tracks[i] = clean_track(&motion->bones[i]);
        (*ik_on)[i] = motion_switch(&motion->ik[i], 0);
        if (body.tracks[i].keys.key_count && body.tracks[i].last >= body.frames)
            body.frames = body.tracks[i].last + 1;
    }
    for (uint32_t i = 0; i < pmx->body_count; i++)
        if (pmx->bodies[i].mode != PMX_FOLLOW_BONE && pmx->bodies[i].bone >= 0)
            body.tracks[pmx->bodies[i].bone].dense = false;
    return body;
}

/* Samples the bones with keys on most frames, or all, and measures them.  False if they are too
 * many; nothing is reported. */
static bool measure_bones(CleanReport *report, CleanBody *body, bool always)
{
    const uint32_t count = body->model->pmx.bone_count;
    double *sizes = arena_array(body->arena, double, count);
    uint64_t samples = 0;
    for (uint32_t i = 0; i < count; i++)
        samples += body->tracks[i].dense || (always && body->tracks[i].keys.key_count)
                       ? (uint64_t)body->tracks[i].last + 1
                       : 0;
    if (samples > MAX_SAMPLES || (samples && body->frames > MAX_SAMPLES / 8)) /* legs, センター */
        return false;
    for (uint32_t i = 0; i < count; i++) {
        CleanTrack *track = &body->tracks[i];
        if (track->keys.key_count < 3 || !(track->dense || always))
            continue;
        clean_track_sample(track, 0, body->arena);
        clean_track_measure(track);
        report->bones++;
        if (track->trembles)
            sizes[report->trembling++] = track->turns * 180 / PI;
    }
    report->traced = report->trembling > 0 && report->trembling >= TRACED * report->bones;
    if (report->trembling) {
        qsort(sizes, report->trembling, sizeof *sizes, scalar_compare);
        report->noise_deg = sizes[report->trembling / 2];
    }
    return true;
}

static void clean_bones(CleanReport *report, CleanBody *body, const CleanSpec *spec, bool always)
{
    for (uint32_t i = 0; i < body->model->pmx.bone_count; i++) {
        CleanTrack *track = &body->tracks[i];
        if (!track->offset)
            continue;
        const uint32_t jumps = spec->hands ? clean_track_steady(track) : 0;
        if (jumps)
            clean_track_measure(track);
        if (always) {
            track->turns = fmax(track->turns, FORCED);
            track->shifts = fmax(track->shifts, FORCED / 2);
        }
        if (spec->smooth > 0)
            clean_track_smooth(track, MORE * spec->smooth);
        track->changed |= spec->keys > 0;
        report->jumps += jumps;
    }
}

static void replace_keys(VmdMotion *out, CleanBody *body, const double *shares, double tolerance,
                         Arena *arena)
{
    const VmdMotion in = *out;
    CleanKeys list = {0};
    bool *replaced = arena_array(body->arena, bool, in.bone_key_count);
    clean_keys(&list, body, shares, tolerance, arena);
    for (uint32_t b = 0; b < body->model->pmx.bone_count; b++)
        for (uint32_t i = 0; body->tracks[b].changed && i < in.bone_key_count; i++)
            replaced[i] |= vmd_name_equal(&in.bone_keys[i].name, &body->model->bone_names[b]);
    for (uint32_t i = 0; i < in.bone_key_count; i++)
        if (!replaced[i])
            *arena_push(arena, &list) = in.bone_keys[i];
    out->bone_keys = list.items;
    out->bone_key_count = (uint32_t)list.count;
}

bool clean_motion(VmdMotion *out, CleanReport *report, const VmdMotion *in, const Model *model,
                  const CleanSpec *spec, Arena *arena, Diag *diag)
{
    Arena *scratch = arena_create();
    Diag quiet = diag_quiet(); /* what does not fit is reported when the result is bound */
    ModelMotion bound;
    bool *ik_on;
    *out = *in;
    *report = (CleanReport){0};
    motion_bind(&bound, model, &(MotionLayer){in, {MOTION_DEFAULT}}, 1, false, scratch, &quiet);
    CleanBody body = create_body(&bound, model, &ik_on, scratch);
    const bool is_named = !strncmp(in->model_name, tracer, sizeof tracer - 1);
    const bool always = spec->when == CLEAN_ALWAYS || is_named;
    const bool good =
        in->is_pose || measure_bones(report, &body, always) ||
        diag_error(diag, "%" PRIu32 " frames are too many to be cleaned (at most %d of all bones)",
                   body.frames, MAX_SAMPLES);
    report->traced |= is_named;
    if (good && report->bones && (report->traced || always)) {
        clean_bones(report, &body, spec, always);
        Feet *feet = clean_feet_find(&report->feet, &body, ik_on);
        const double *shares = NULL;
        if (feet && spec->feet) {
            clean_feet_hold(feet);
            if (spec->keys > 0) { /* rotations with few keys would let the feet slide */
                shares = clean_feet_use_ik(feet);
                clean_feet_switch(out, feet, arena);
            }
        }
        replace_keys(out, &body, shares, spec->keys, arena);
    }
    arena_destroy(scratch);
    return good;
}

CleanReport clean_measure(const ModelMotion *motion, const Model *model)
{
    Arena *scratch = arena_create();
    CleanReport report = {0};
    bool *ik_on;
    CleanBody body = create_body(motion, model, &ik_on, scratch);
    if (measure_bones(&report, &body, false) && report.traced)
        clean_feet_find(&report.feet, &body, ik_on);
    arena_destroy(scratch);
    return report;
}

const char *clean_report_text(const CleanReport *r, Arena *arena)
{
    const double seconds = r->feet.planted / (double)MOTION_FPS;
    return arena_printf(arena,
                        "noise of %.2g degrees in %" PRIu32 " of %" PRIu32
                        " bones; planted feet slide by %.2g units/s",
                        r->noise_deg, r->trembling, r->bones,
                        seconds > 0 ? r->feet.slide / seconds : 0);
}
