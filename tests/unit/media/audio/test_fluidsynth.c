// SPDX-License-Identifier: MIT
/* FluidSynth with a generated instrument, if it is built in; otherwise the error message */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diag_log.h"
#include "format/midi_write.h"
#include "media/audio/fluidsynth.h"
#include "scratch.h"
#include "tiny_soundfont.h"
#include "unit_test.h"

static const MidiBeatNote notes[] = {{1, 2, 0, 69, 127}, {4, 2, 3, 81, 127}};

/* Each error has its kind, and does not end the program. */
static void test_refused(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Scratch scratch;
    DiagLog log;
    Sound sound;
    const Bytes midi = midi_write(notes, 2, 500000, arena);

    scratch_make(&scratch);
    diag_log_init(&log);
    assert_false(
        fluidsynth_play(&sound, midi, scratch_path(&scratch, "no.sf2"), 4, arena, &log.diag));
#ifdef HAVE_FLUIDSYNTH
    assert_int_equal(log.diag.kind, DIAG_MISSING);
    diag_log_init(&log);
    assert_true(file_save(scratch_path(&scratch, "bad.sf2"), "RIFFxxxxsfbk", 12, &log.diag));
    assert_false(fluidsynth_play(&sound, midi, scratch.path, 4, arena, &log.diag));
    assert_int_equal(log.diag.kind, DIAG_DATA);
#else
    assert_int_equal(log.diag.kind, DIAG_RESOURCE);
    assert_non_null(strstr(log.text, "not built in: install libfluidsynth-dev"));
#endif
    scratch_remove(&scratch);
    arena_destroy(arena);
}

#ifdef HAVE_FLUIDSYNTH
/* Upward zero crossings per second of the left channel after a time. */
static int crossings(const Sound *sound, double from_s)
{
    const size_t first = (size_t)(from_s * sound->rate);
    int count = 0;
    for (size_t i = first; i < first + (size_t)sound->rate / 2; i++)
        count += sound->samples[2 * i] < 0 && sound->samples[2 * i + 2] >= 0;
    return 2 * count;
}

static void test_pitch(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    ByteList *font = arena_array(arena, ByteList, 1);
    Scratch scratch;
    DiagLog log;
    Sound sound;
    const Bytes midi = midi_write(notes, 2, 500000, arena);

    scratch_make(&scratch);
    diag_log_init(&log);
    tiny_soundfont(font);
    assert_true(file_save(scratch_path(&scratch, "tiny.sf2"), font->data, font->size, &log.diag));
    if (!fluidsynth_play(&sound, midi, scratch.path, 3, arena, &log.diag))
        fail_msg("%s", log.text);
    assert_int_equal(sound.channels, 2);
    assert_int_equal(sound.frames, 6 * 48000);
    for (size_t i = 0; i < 2 * 23900; i++) /* nothing before the first beat */
        assert_true(fabsf(sound.samples[i]) < 1e-3f);
    assert_true(abs(crossings(&sound, 0.7) - 440) <= 4);
    assert_true(abs(crossings(&sound, 2.2) - 880) <= 8);
    scratch_remove(&scratch);
    arena_destroy(arena);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),
#ifdef HAVE_FLUIDSYNTH
        cmocka_unit_test(test_pitch),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
