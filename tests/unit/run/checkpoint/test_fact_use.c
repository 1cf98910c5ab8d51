// SPDX-License-Identifier: MIT
/* fact_use, frame_identity: what a fact decides, and which frames have equal bytes */

#include <string.h>

#include "run/checkpoint/fact_use.h"
#include "run/checkpoint/frame_identity.h"
#include "unit_test.h"

static const struct {
    const char *key;
    FactUse use;
    int scene, output;
} rows[] = {
    {"render.size", FACT_PICTURE, -1, -1},
    {"render.fps", FACT_PICTURE, -1, -1},
    {"render.frames", FACT_LENGTH, -1, -1},
    {"frames", FACT_LENGTH, -1, -1},
    {"frames of a segment", FACT_LENGTH, -1, -1},
    {"picture version", FACT_PICTURE, -1, -1},
    {"a key of another version", FACT_PICTURE, -1, -1},
    {"models", FACT_PICTURE, -1, -1},
    {"models.0.file", FACT_PICTURE, -1, -1},
    {"models.12.textures.3", FACT_PICTURE, -1, -1},
    {"models.0.edge_color", FACT_PICTURE, -1, -1},
    {"models.0.hide_materials", FACT_PICTURE, -1, -1},
    {"models.0.motions", FACT_STATE, -1, -1},
    {"models.0.motions.1.file", FACT_STATE, -1, -1},
    {"motions.0.file", FACT_STATE, -1, -1},
    {"scenes.2.motions.0.file", FACT_STATE, 2, -1},
    {"models.0.physics", FACT_STATE, -1, -1},
    {"models.0.keys.2.opacity", FACT_PLACE, -1, -1},
    {"stage.0.position", FACT_PLACE, -1, -1},
    {"models.0.attach.to", FACT_PICTURE, -1, -1},
    {"camera.motion.file", FACT_STATE, -1, -1},
    {"camera.attach.to.0", FACT_PICTURE, -1, -1},
    {"camera.projection", FACT_PICTURE, -1, -1},
    {"physics.gravity", FACT_STATE, -1, -1},
    {"effects.history", FACT_PICTURE, -1, -1},
    {"look.grade.saturation", FACT_PICTURE, -1, -1},
    {"scenes.3.models.0.motions.0.file", FACT_STATE, 3, -1},
    {"scenes.3.look.glow", FACT_PICTURE, 3, -1},
    {"scenes.0.titles.1.text", FACT_SHOWN, 0, -1},
    {"scenes.1.transition.length", FACT_PICTURE, 1, -1},
    {"titles.0.fonts.0", FACT_SHOWN, -1, -1},
    {"subtitles.file", FACT_SHOWN, -1, -1},
    {"libass", FACT_SHOWN, -1, -1},
    {"credits.show", FACT_SHOWN, -1, -1},
    {"credits that are shown", FACT_SHOWN, -1, -1},
    {"fade.in", FACT_SHOWN, -1, -1},
    {"burn_in of frame 0", FACT_PICTURE, -1, -1},
    {"outputs.1.crf", FACT_OUTPUT, -1, 1},
    {"outputs.1.ending", FACT_OUTPUT, -1, 1},
    {"outputs.0.audio_kbps", FACT_SOUND, -1, 0},
    {"audio", FACT_SOUND, -1, -1},
    {"audio.gain_db", FACT_SOUND, -1, -1},
    {"sounds.0.file", FACT_SOUND, -1, -1},
    {"loudness_lufs", FACT_SOUND, -1, -1},
    {"cover", FACT_SOUND, -1, -1},
    {"models.0.face.sing", FACT_STATE, -1, -1},
};

static void test_keys(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const FactPlace place = fact_place(rows[i].key);
        if (place.use != rows[i].use || place.scene != rows[i].scene ||
            place.output != rows[i].output)
            fail_msg("%s: use %d, scene %d, output %d", rows[i].key, (int)place.use, place.scene,
                     place.output);
    }
}

static const Digest one = {{1}}, other = {{2}};

static void test_identities(void **state)
{
    (void)state;
    const PictureDigest pictures[] = {{{1}}, {{2}}, {{3}}}, changed[] = {{{1}}, {{2}}, {{4}}},
                        unknown[] = {{{1}}, {{0}}, {{3}}};
    const FrameIdentity a = frame_identity_make(&one, pictures, 3, 0);
    const FrameIdentity same = frame_identity_make(&one, pictures, 3, 0);
    const FrameIdentity settings = frame_identity_make(&other, pictures, 3, 0);
    const FrameIdentity segment = frame_identity_make(&one, changed, 3, 0);
    const FrameIdentity next = frame_identity_make(&one, pictures, 3, 1);
    const FrameIdentity none = frame_identity_make(&one, unknown, 3, 0);
    assert_true(frame_identities_equal(&a, &same));
    assert_false(frame_identities_equal(&a, &settings));
    assert_false(frame_identities_equal(&a, &segment)); /* its packet may be another one */
    assert_false(frame_identities_equal(&a, &next));
    assert_false(frame_identities_equal(&none, &none));

    char text[FRAME_IDENTITY_TEXT_SIZE];
    FrameIdentity read;
    frame_identity_text(text, &a);
    assert_int_equal(strlen(text), 44);
    assert_true(frame_identity_parse(&read, text));
    assert_memory_equal(&read, &a, sizeof a);
    text[43] = 'x';
    assert_false(frame_identity_parse(&read, text));
    text[43] = '\0';
    assert_false(frame_identity_parse(&read, text));
}

/* Facts that are the same are no change, also in another order; one that is gone is one. */
static void test_changes(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    CheckpointJob before = {0};
    Fingerprint now = {0};
    static const char *const keys[] = {"render.size", "audio.gain_db", "titles.0.text"};
    for (size_t i = 0; i < 3; i++) {
        *arena_push(arena, &before.facts) = (CheckpointFact){keys[i], "1"};
        *arena_push(arena, &now.facts) = (FingerprintFact){keys[2 - i], "1", NULL};
    }
    before.covered = 3;
    assert_int_equal(fact_changes(&before, &now, arena).uses, 0);
    now.facts.items[1].value = "2";
    assert_int_equal(fact_changes(&before, &now, arena).uses, 1u << FACT_SOUND);
    now.facts.count = 2; /* without the size */
    const FactChanges changes = fact_changes(&before, &now, arena);
    assert_int_equal(changes.uses, 1u << FACT_SOUND | 1u << FACT_PICTURE);
    assert_true(changes.all_pictures);
    assert_false(changes.voice);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_identities),
        cmocka_unit_test(test_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
