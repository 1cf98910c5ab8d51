// SPDX-License-Identifier: MIT
#include "demo/dance_keys.h"
#include "demo/tune.h"

/* ---- upper body and head ---- */

/*
 * Angles in degrees: lean (forwards above 0), face and tilt (to her left above 0) of the trunk;
 * nod, look and cock are the same of the head.
 */
typedef struct Bearing {
    double beat;
    double lean, face, tilt;
    double nod, look, cock;
} Bearing;

static const Bearing BEARINGS[] = {
    {0, 2, 0, 0, 0, 0, 0},         {1, 2, 4, 4, 3, -4, 5},       {2, 0, -6, -4, -2, 2, -7},
    {3, 2, -4, 3, 2, 0, 7},        {4, 0, -6, -3, -2, 2, -6},    {5, 2, 0, 3, 3, 0, 5},
    {6, 8, 0, 0, 8, 0, 0},         {7, 2, 0, 0, 2, 0, 0},        {7.3, -5, 0, 0, -8, 0, 0},
    {8, 3, 10, 7, 2, 10, 4},       {9, 4, 0, -3, 5, 0, -5},      {10, 3, 10, 7, 2, 10, 4},
    {11, 4, 0, -3, 5, 0, -5},      {12, 3, -10, -7, 2, -10, -4}, {13, 4, 0, 3, 5, 0, 5},
    {14, 3, -10, -7, 2, -10, -4},  {15, 4, 0, 0, 5, 0, 0},       {16, 5, -14, -3, 3, 10, 6},
    {17, 5, 14, 3, 3, -10, -6},    {18, -2, 0, 0, -3, 0, 0},     {19, 6, 0, 0, 6, 0, 0},
    {20, -3, -12, 0, 2, 8, 5},     {21, 3, 4, 0, 4, 0, 0},       {22, -3, 12, 0, 2, -8, -5},
    {23, 5, 0, 0, 6, 0, 0},        {24, 3, -14, 0, 0, 4, 0},     {25.3, -2, 4, 0, -2, 0, 0},
    {27, -5, 0, 0, -7, 0, 0},      {28.2, 10, 0, 0, 4, 0, 0},    {29, -4, 0, 0, -6, 0, 0},
    {29.8, 8, 0, 0, 5, 0, 4},      {30.3, 10, 0, 0, 4, 0, 0},    {31, -3, 0, 0, -5, 0, 0},
    {31.8, 8, 0, 0, 5, 0, -4},     {32.3, 10, 0, 0, 4, 0, 0},    {33, -4, 0, 0, -6, 0, 0},
    {33.8, 8, 0, 0, 5, 0, 4},      {34.3, 10, 0, 0, 4, 0, 0},    {35, -5, 0, 0, -8, 0, 0},
    {35.8, 7, 0, 0, 4, 0, 0},      {36, 4, -10, -8, 2, -8, -5},  {37, 2, -12, -10, 0, -8, -7},
    {38, 4, 10, 8, 2, 8, 5},       {39, 2, 12, 10, 0, 8, 7},     {40, 4, 0, -4, 4, 0, -8},
    {41, 2, 0, 4, 2, 0, 8},        {41.8, 8, 0, 0, 2, 0, 0},     {42.8, -2, 0, 0, -3, 0, 0},
    {44, 12, 0, 0, 10, 0, 0},      {44.8, 12, 0, 0, 10, 0, 0},   {45.5, -2, -8, -5, -2, 8, -10},
    {46.3, -2, -9, -6, 0, 8, -12}, {47, -2, -8, -5, -2, 8, -10}, {48, 2, 0, 0, 0, 0, 0},
};

/* A rotation forwards is about -x, to the left about -y, a tilt to the left about -z. */
static Quat bearing(double forwards, double left, double tilt)
{
    return quat_from_degrees(-forwards, -left, -tilt);
}

void dance_add_trunk(Keys *keys)
{
    for (size_t i = 0; i < sizeof BEARINGS / sizeof *BEARINGS; i++) {
        const Bearing *b = &BEARINGS[i];
        dance_key_rotation(keys, BONE_UPPER, b->beat,
                           bearing(0.4 * b->lean, 0.5 * b->face, 0.45 * b->tilt), EASE_SMOOTH);
        dance_key_rotation(keys, BONE_UPPER2, b->beat,
                           bearing(0.6 * b->lean, 0.5 * b->face, 0.55 * b->tilt), EASE_SMOOTH);
        /* the head follows a little later, and compensates the rotation of the trunk */
        const double late = b->beat > 0 && b->beat < DANCE_BEATS ? b->beat + 0.1 : b->beat;
        dance_key_rotation(keys, BONE_NECK, late,
                           bearing(0.3 * b->nod - 0.3 * b->lean, 0.3 * b->look - 0.2 * b->face,
                                   0.3 * b->cock - 0.25 * b->tilt),
                           EASE_SMOOTH);
        dance_key_rotation(keys, BONE_HEAD, late,
                           bearing(0.7 * b->nod - 0.4 * b->lean, 0.7 * b->look - 0.4 * b->face,
                                   0.7 * b->cock - 0.45 * b->tilt),
                           EASE_SMOOTH);
        dance_key_rotation(keys, BONE_EYES, b->beat, bearing(0, -0.25 * b->look, 0), EASE_SNAP);
    }
}

/* ---- face ---- */

static const double BLINKS[] = {2.2, 5.6, 9.4, 14.7, 19.6, 23.5, 27.9, 36.4, 39.8, 42.6};

/* An expression from one beat to another. */
typedef struct Expression {
    FaceMorph morph;
    double from, to;
    float weight;
} Expression;

static const Expression EXPRESSIONS[] = {
    {MORPH_HAPPY_EYES, 7.2, 8.2, 1.0f},     {MORPH_HAPPY_EYES, 25.4, 27.0, 1.0f},
    {MORPH_HAPPY_EYES, 28.9, 29.4, 1.0f},   {MORPH_HAPPY_EYES, 32.9, 33.4, 1.0f},
    {MORPH_HAPPY_EYES, 40.2, 41.2, 1.0f},   {MORPH_WINK_RIGHT, 45.7, 46.9, 1.0f},
    {MORPH_BLUSH, 39.8, 41.6, 0.8f},        {MORPH_BLUSH, 45.4, 47.2, 0.6f},
    {MORPH_BROW_UP, 6.9, 8.4, 0.7f},        {MORPH_BROW_UP, 28.8, 35.6, 0.5f},
    {MORPH_BROW_TROUBLE, 40.0, 41.4, 0.6f}, {MORPH_BROW_UP, 45.5, 47.0, 0.6f},
    {MORPH_GRIN, 4.8, 5.9, 0.8f},           {MORPH_GRIN, 45.5, 47.2, 1.0f},
};

static void add_expression(Keys *keys, const Expression *e)
{
    dance_key_morph(keys, e->morph, e->from - 0.2, 0.0f);
    dance_key_morph(keys, e->morph, e->from, e->weight);
    dance_key_morph(keys, e->morph, e->to, e->weight);
    dance_key_morph(keys, e->morph, e->to + 0.3, 0.0f);
}

static bool mouth_is_busy(double beat)
{
    for (size_t i = 0; i < sizeof EXPRESSIONS / sizeof *EXPRESSIONS; i++)
        if (EXPRESSIONS[i].morph == MORPH_GRIN && beat > EXPRESSIONS[i].from - 0.6 &&
            beat < EXPRESSIONS[i].to + 0.3)
            return true;
    return false;
}

/* The mouth sings the melody: one vowel per note, open for its length. */
static void add_mouth(Keys *keys)
{
    static const FaceMorph vowels[] = {MORPH_A, MORPH_I, MORPH_A, MORPH_O,
                                       MORPH_E, MORPH_A, MORPH_U};
    static const float sizes[] = {0.8f, 0.9f, 0.65f, 0.8f, 0.8f, 0.9f, 0.9f};
    size_t count;
    const TuneNote *notes = tune_melody(&count);

    for (size_t i = 0; i < count; i++) {
        const size_t v = i % (sizeof vowels / sizeof *vowels);
        const double from = notes[i].beat, to = from + notes[i].length;
        if (mouth_is_busy(from))
            continue;
        dance_key_morph(keys, vowels[v], fmax(from - 0.1, 0), 0.0f);
        dance_key_morph(keys, vowels[v], from + 0.07, sizes[v]);
        dance_key_morph(keys, vowels[v], to - 0.15, 0.7f * sizes[v]);
        dance_key_morph(keys, vowels[v], to, 0.0f);
    }
}

void dance_add_face(Keys *keys)
{
    for (int m = 0; m < MORPH_COUNT; m++)
        dance_key_morph(keys, (FaceMorph)m, 0, 0.0f);
    for (size_t i = 0; i < sizeof BLINKS / sizeof *BLINKS; i++) {
        dance_key_morph(keys, MORPH_BLINK, BLINKS[i], 0.0f);
        dance_key_morph(keys, MORPH_BLINK, BLINKS[i] + 0.14, 1.0f);
        dance_key_morph(keys, MORPH_BLINK, BLINKS[i] + 0.2, 1.0f);
        dance_key_morph(keys, MORPH_BLINK, BLINKS[i] + 0.42, 0.0f);
    }
    for (size_t i = 0; i < sizeof EXPRESSIONS / sizeof *EXPRESSIONS; i++)
        add_expression(keys, &EXPRESSIONS[i]);
    add_mouth(keys);
}
