// SPDX-License-Identifier: MIT
#include "scene/lips.h"

#include <math.h>

#include "base/path.h"
#include "base/text.h"
#include "base/units.h"

/* In the order of Vowel, then the blink. */
enum { BLINK = VOWELS, NAMES = BLINK + 1, OTHER_NAMES = 5 };
enum { EYE_PANEL = 2 /* of PmxMorph */ };

typedef struct LipName {
    const char *name;                /* as in MMD */
    const char *others[OTHER_NAMES]; /* in other models; any case */
    double as_a;                     /* weight of あ for a model without this morph */
} LipName;

static const LipName names[NAMES] = {
    [VOWEL_A] = {"あ", {"a", "aa", "ah", "mouth_a"}, 0},
    [VOWEL_I] = {"い", {"i", "ih", "mouth_i"}, 0.2},
    [VOWEL_U] = {"う", {"u", "ou", "mouth_u"}, 0.2},
    [VOWEL_E] = {"え", {"e", "ee", "eh", "mouth_e"}, 0.5},
    [VOWEL_O] = {"お", {"o", "oh", "mouth_o"}, 0.6},
    [VOWEL_N] = {"ん", {"n", "nn", "mouth_n"}, 0},
    [BLINK] = {"まばたき", {"blink", "eye_blink"}, 0},
};

/* ---- names ---- */

typedef struct Binding {
    ModelMotion *motion;
    const Model *model;
    const LipsSpec *spec;
    int32_t morphs[NAMES]; /* -1: the model has none */
    Arena *arena;
    Diag *diag;
} Binding;

static int32_t find_morph(const Model *model, const LipName *name)
{
    const int32_t found = model_find_morph(model, name->name);
    if (found >= 0)
        return found;
    const TextNames others = TEXT_ARRAY(name->others);
    for (uint32_t i = 0; i < model->pmx.morph_count; i++)
        if (text_find_ignoring_case(others, model->pmx.morphs[i].name) >= 0 ||
            text_find_ignoring_case(others, model->pmx.morphs[i].name_en) >= 0)
            return (int32_t)i;
    return -1;
}

static bool find_morphs(Binding *b)
{
    const TextNames known = TEXT_NAMES(LipName, name, names, NAMES);
    bool good = true;
    for (int n = 0; n < NAMES; n++)
        b->morphs[n] = find_morph(b->model, &names[n]);
    for (size_t i = 0; i < b->spec->rename_count; i++) {
        const NamePair *rename = &b->spec->rename[i];
        const int n = text_find(TEXT_NAMES(LipName, name, names, NAMES), rename->from);
        const DiagLocation *place =
            diag_named_key(b->diag, rename->from, "%s.rename", b->spec->key);
        const int32_t to = model_require_morph(b->model, rename->to, place, b->diag);
        good &= to >= 0;
        if (n >= 0)
            b->morphs[n] = to;
        else
            good = diag_unknown_name(b->diag, place, "mouth shape", rename->from, "face.rename",
                                     known);
    }
    return good;
}

/* "あ, い": the mouth shapes for which a predicate holds. */
static const char *list_shapes(const Binding *b, bool (*holds)(const Binding *, int))
{
    const char *list = "";
    for (int n = 0; n < VOWELS; n++)
        if (holds(b, n))
            list = arena_printf(b->arena, "%s%s%s", list, *list ? " " : "", names[n].name);
    return list;
}

static bool has_morph(const Binding *b, int n)
{
    return b->morphs[n] >= 0;
}

/* A closed mouth needs no morph. */
static bool lacks_morph(const Binding *b, int n)
{
    return b->morphs[n] < 0 && n != VOWEL_N;
}

/* ---- keys ---- */

static bool is_moved(const MorphTrack *track)
{
    for (uint32_t i = 0; i < track->key_count; i++)
        if (((const VmdMorphKey *)track->keys[i])->weight != 0)
            return true;
    return false;
}

static bool is_replaced(const Binding *b, int n)
{
    return has_morph(b, n) && is_moved(&b->motion->morphs[b->morphs[n]]);
}

/* A name that several morphs share drives all of them, as in a motion. */
static void set_track(Binding *b, int n, const VmdMorphKey *keys, uint32_t count)
{
    const VmdName *name = &b->model->morph_names[b->morphs[n]];
    TimelineItem *items = arena_array(b->arena, TimelineItem, count);
    for (uint32_t i = 0; i < count; i++)
        items[i] = (TimelineItem){keys[i].frame, i};
    const MorphTrack track =
        motion_track((TimeMap){0, 1}, items, count, keys, sizeof *keys, b->arena);
    b->motion->morphs[b->morphs[n]] = track;
    for (uint32_t m = 0; m < b->model->pmx.morph_count; m++)
        if (name->bytes[0] && vmd_name_equal(&b->model->morph_names[m], name))
            b->motion->morphs[m] = track;
}

/* ---- lips ---- */

static const double LEAD_S = 1.0 / 30; /* lips are seen before the sound that they shape */
static const double REACH = 4;         /* moments of the voice on both sides that are averaged */
static const double STEPS = 100;       /* weights are hundredths: rounding of decoders is lost */

double lips_last_frame(const Voice *voice, const LipsSpec *spec)
{
    const double end_s = (double)voice->count / VOICE_RATE + spec->offset_s;
    return voice->voiced_s > 0 && end_s > 0 ? ceil(end_s * MOTION_FPS) : 0;
}

/* The mean of the moments around a frame, with the weights of a Hann window. */
static void mean_vowels(double out[VOWELS], const Voice *voice, const LipsSpec *spec, double frame)
{
    const double center = (frame / MOTION_FPS + LEAD_S - spec->offset_s) * VOICE_RATE;
    for (int v = 0; v < VOWELS; v++)
        out[v] = 0;
    for (double at = ceil(center - REACH); at <= center + REACH; at++) {
        const double weight = (1 + cos(PI * (at - center) / REACH)) / (2 * REACH);
        for (int v = 0; v < VOWELS && at >= 0 && at < (double)voice->count; v++)
            out[v] += weight * (double)voice->moments[(size_t)at].vowels[v];
    }
}

/* Weights of all morphs at each frame: what a missing morph would do is done by あ. */
static float *make_weights(const Binding *b, const Voice *voice, size_t count)
{
    float *weights = arena_calloc(b->arena, count * VOWELS, sizeof *weights);
    for (size_t i = 0; i < count; i++) {
        double vowels[VOWELS];
        mean_vowels(vowels, voice, b->spec, (double)i);
        for (int v = 0; v < VOWELS; v++)
            if (b->morphs[v] < 0)
                vowels[VOWEL_A] += names[v].as_a * vowels[v];
        for (int v = 0; v < VOWELS; v++)
            weights[(size_t)v * count + i] =
                (float)(round(STEPS * fmin(b->spec->strength * vowels[v], 1)) / STEPS);
    }
    return weights;
}

/* Keys where the weight changes; returns their number. */
static uint32_t add_lip(Binding *b, int vowel, const float *weights, size_t count)
{
    VmdMorphKey *keys = arena_array(b->arena, VmdMorphKey, count);
    uint32_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (!i || i + 1 == count || weights[i] != weights[i - 1] || weights[i] != weights[i + 1])
            keys[used++] = (VmdMorphKey){.frame = (uint32_t)i, .weight = weights[i]};
    set_track(b, vowel, keys, used);
    return used;
}

/* ---- blinks ---- */

/* Frames from the start of a blink, and weights: eyelids close faster than they open. */
static const struct {
    uint32_t frame;
    float weight;
} blink_keys[] = {{0, 0}, {3, 1}, {4, 1}, {9, 0}};
enum { BLINK_KEYS = sizeof blink_keys / sizeof *blink_keys };
static const double SHORTEST_S = 1.5, LONGEST_S = 5; /* from one blink to the next: 18 a minute */

/* 0..1 */
static double next_random(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return (*state >> 8) / (double)(1 << 24);
}

/* Whether another morph of the eyes is in use. */
static bool eyes_move(const Binding *b, double frame)
{
    for (uint32_t m = 0; m < b->model->pmx.morph_count; m++)
        if (b->model->pmx.morphs[m].panel == EYE_PANEL &&
            (double)motion_morph(&b->motion->morphs[m], frame) > 0.3)
            return true;
    return false;
}

static uint32_t add_blinks(Binding *b)
{
    const size_t most = (size_t)(b->spec->last_frame / (SHORTEST_S * MOTION_FPS)) + 1;
    VmdMorphKey *keys = arena_array(b->arena, VmdMorphKey, most * BLINK_KEYS);
    uint32_t count = 0, blinks = 0, state = b->spec->seed;
    for (double at = 0;;) {
        at += (SHORTEST_S + (LONGEST_S - SHORTEST_S) * next_random(&state)) * MOTION_FPS;
        if (at > b->spec->last_frame)
            break;
        if (eyes_move(b, at))
            continue;
        for (int i = 0; i < BLINK_KEYS; i++)
            keys[count++] = (VmdMorphKey){.frame = (uint32_t)at + blink_keys[i].frame,
                                          .weight = blink_keys[i].weight};
        blinks++;
    }
    if (blinks)
        set_track(b, BLINK, keys, count);
    return blinks;
}

/* ---- a model ---- */

static bool warn(const Binding *b, const Voice *voice)
{
    const char *file = path_name(b->spec->sing), *model = path_name(b->model->file);
    const char *missing = list_shapes(b, lacks_morph), *replaced = list_shapes(b, is_replaced);
    const DiagLocation *place = diag_key(b->diag, "%s.sing", b->spec->key);
    bool good = true;
    if (!(voice->voiced_s > 0))
        good &= diag_warn_at(b->diag, place, WARN_VOICE, "no voice in '%s'", file);
    else if (!voice->alone)
        good &= diag_warn_at(b->diag, place, WARN_VOICE,
                             "'%s' seems to have instruments: lips need a vocal stem, a "
                             "recording of one voice alone; those of this one follow the mix",
                             file);
    if (*missing)
        good &= diag_warn_at(b->diag, place, WARN_VOICE,
                             "'%s' has no morphs %s for lips; rename: { %s: MORPH } names others",
                             model, missing, names[VOWEL_A].name);
    if (*replaced)
        good &= diag_warn_at(b->diag, place, WARN_VOICE,
                             "the voice replaces the keys of %s in the motions of '%s'", replaced,
                             model);
    return good;
}

bool lips_bind(Lips *out, ModelMotion *motion, const Model *model, const Voice *voice,
               const LipsSpec *spec, Arena *arena, Diag *diag)
{
    Binding b = {.motion = motion, .model = model, .spec = spec, .arena = arena, .diag = diag};
    if (!find_morphs(&b) || !warn(&b, voice))
        return false;
    *out = (Lips){.file = spec->sing,
                  .length_s = (double)voice->count / VOICE_RATE,
                  .voiced_s = voice->voiced_s,
                  .scale = voice->scale,
                  .periodicity = voice->periodicity,
                  .pauses = voice->pauses,
                  .morphs = list_shapes(&b, has_morph)};
    const size_t count = (size_t)lips_last_frame(voice, spec) + 4;
    const float *weights = make_weights(&b, voice, count);
    for (int v = 0; v < VOWELS; v++)
        if (b.morphs[v] >= 0)
            out->keys += add_lip(&b, v, weights + (size_t)v * count, count);
    if (spec->blinks && b.morphs[BLINK] >= 0 && !is_moved(&motion->morphs[b.morphs[BLINK]]))
        out->blinks = add_blinks(&b);
    return true;
}
