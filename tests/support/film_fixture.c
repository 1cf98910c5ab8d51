// SPDX-License-Identifier: MIT
#include "film_fixture.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/name_pattern.h"
#include "format/model/pmx.h"
#include "format/motion/vmd.h"
#include "model_fixture.h"
#include "motion_fixture.h"
#include "scene_fixture.h"
#include "tiny_picture.h"
#include "unit_test.h"

const char *film_fixture_path(FilmFixture *fixture, const char *name)
{
    return arena_strdup(fixture->arena, scratch_path(&fixture->scratch, name));
}

static void save(FilmFixture *f, const char *name, Bytes bytes)
{
    FILE *out =
        fopen(scratch_path(&f->scratch, name), "wb"); /* without fsync, since it is called often */
    assert_non_null(out);
    assert_int_equal(fwrite(bytes.data, 1, bytes.size, out), bytes.size);
    assert_int_equal(fclose(out), 0);
}

void film_fixture_save(FilmFixture *fixture, const char *name, const char *text)
{
    save(fixture, name, (Bytes){(const uint8_t *)text, strlen(text)});
}

/* 0.1 s of silence: 8 kHz, 8 bits, mono. */
static void save_sound(FilmFixture *f)
{
    enum { SAMPLES = 800 };
    uint8_t bytes[44 + SAMPLES];
    static const uint8_t head[44] = {'R', 'I', 'F',  'F',  0x44, 0x03, 0,    0,    'W',  'A', 'V',
                                     'E', 'f', 'm',  't',  ' ',  16,   0,    0,    0,    1,   0,
                                     1,   0,   0x40, 0x1f, 0,    0,    0x40, 0x1f, 0,    0,   1,
                                     0,   8,   0,    'd',  'a',  't',  'a',  0x20, 0x03, 0,   0};
    memcpy(bytes, head, sizeof head);
    memset(bytes + sizeof head, 0x80, SAMPLES);
    save(f, "song.wav", (Bytes){bytes, sizeof bytes});
}

static void save_texture(FilmFixture *f)
{
    static const TinyPng row = {
        .type = PNG_COLOR_TYPE_RGB, .bits = 8, .width = 2, .raw = {9, 8, 7}};
    PictureFile picture = {.size = 0};
    tiny_png(&picture, &row, 2);
    save(f, "quad.png", tiny_bytes(&picture));
}

static void save_models(FilmFixture *f)
{
    PmxModel quad = fixture_quad(f->arena), strip = fixture_strip(f->arena);
    const char *textures[] = {"quad.png"};
    VmdBoneKey keys[] = {fixture_key("upper", 0, 0, 0, 0), fixture_key("upper", 30, 12, 3, 0)};
    const VmdMotion move = fixture_motion_of(keys, 2), camera = fixture_full_motion(f->arena);
    quad.textures = textures;
    quad.texture_count = 1;
    quad.materials[0].texture = 0;
    save(f, "quad.pmx", pmx_write(&quad, (PmxWriteOptions){0}, f->arena));
    save(f, "strip.pmx", pmx_write(&strip, (PmxWriteOptions){0}, f->arena));
    save(f, "move.vmd", vmd_write(&move, f->arena));
    save(f, "camera.vmd", vmd_write(&camera, f->arena));
}

void film_fixture_make(FilmFixture *fixture)
{
    *fixture = (FilmFixture){0};
    scratch_make(&fixture->scratch);
    diag_log_init(&fixture->log);
    fixture->arena = arena_create();
    save_models(fixture);
    save_texture(fixture);
    save_sound(fixture);
}

void film_fixture_remove(FilmFixture *fixture)
{
    arena_destroy(fixture->arena);
    scratch_remove(&fixture->scratch);
}

/* ---- outputs whose files are text ---- */

static bool inspect_still(SinkRecord *out, const SinkOptions *options, int64_t frame)
{
    char name[4096];
    DiagLog unheard;
    diag_log_init(&unheard);
    return name_pattern_file(name, sizeof name, options->file, frame) &&
           file_digest(&out->digest, &out->bytes, name, NULL, &unheard.diag);
}

static bool inspect_segment(SinkRecord *out, size_t count, const char *segment)
{
    char line[256];
    size_t lines = 0;
    FILE *in = fopen(segment, "rb");
    while (in && fgets(line, sizeof line, in)) {
        if (lines < count)
            out[lines] = (SinkRecord){strlen(line), hash_bytes(line, strlen(line))};
        lines++;
    }
    if (in)
        fclose(in);
    return in && lines == count;
}

static const SinkSegments text_segments = {.extension = "txt", .inspect = inspect_segment};
static const SinkKind stills = {.name = "stills", .inspect = inspect_still};
static const SinkKind segments = {.name = "segments", .ordered = true, .segments = &text_segments};

Film *film_fixture_load(FilmFixture *fixture, const char *job)
{
    Arena *arena = fixture->arena;
    Film *film = arena_array(arena, Film, 1);
    Job *loaded = arena_array(arena, Job, 1);
    const JobSource source = {.path = film_fixture_path(fixture, "job.yaml"),
                              .needs_output = true,
                              .sets = &fixture->set,
                              .set_count = fixture->set != NULL};
    film_fixture_save(fixture, "job.yaml", job);
    if (!job_load(loaded, &source, arena, &fixture->log.diag) ||
        !film_load(film, loaded, arena, &fixture->log.diag))
        fail_msg("%s", fixture->log.text);
    for (size_t i = 0; i < film->output_count; i++) {
        if (film->outputs[i].kind == &sink_png)
            film->outputs[i].kind = &stills;
        else if (film->outputs[i].kind == &sink_hash) {
            film->outputs[i].kind = &segments;
            film->segment_frames = FILM_FIXTURE_PIECE;
        }
    }
    return film;
}
