// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag_log.h"
#include "film/burn_in.h"
#include "job/job.h"
#include "job/job_scene.h"
#include "job/job_visit.h"
#include "render/gl/gl.h"
#include "unit_test.h"

/* A job file in a directory of its own, so that paths have something to be relative to. */
typedef struct Bench {
    Arena *arena;
    DiagLog log;
    char directory[64], path[96];
    Job job;
} Bench;

static int set_up(void **state)
{
    Bench *bench = calloc(1, sizeof *bench);
    if (!bench)
        return 1;
    bench->arena = arena_create();
    snprintf(bench->directory, sizeof bench->directory, "/tmp/odori-test-job-XXXXXX");
    if (!mkdtemp(bench->directory))
        return 1;
    snprintf(bench->path, sizeof bench->path, "%s/job.yaml", bench->directory);
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    Bench *bench = *state;
    unlink(bench->path);
    rmdir(bench->directory);
    arena_destroy(bench->arena);
    free(bench);
    return 0;
}

static bool load(Bench *bench, const char *text, const char *const *sets, size_t set_count)
{
    FILE *file = fopen(bench->path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    diag_log_init(&bench->log);
    const JobSource source = {
        .path = bench->path, .sets = sets, .set_count = set_count, .needs_output = true};
    return job_load(&bench->job, &source, bench->arena, &bench->log.diag);
}

/* A job with most of its keys. */
static const char example[] =
    "version: 1\n"
    "name: my-dance\n"
    "models:\n"
    "  - id: gene\n"
    "    file: models/gene/Gene_light.pmx\n"
    "    motions:                          # later ones win, per bone and per morph\n"
    "      - motions/dance.vmd             # short form\n"
    "      - { file: motions/face.vmd, offset: 0, speed: 1.0, only: [morphs] }\n"
    "    position: [0, 0, 0]               # MMD units\n"
    "    rotation_deg: [0, 0, 0]\n"
    "    scale: 1.0\n"
    "    physics: true\n"
    "    morphs: { \"笑い\": 0.4 }           # constants, applied last\n"
    "    hide_materials: []\n"
    "  - { id: glasses, file: models/glasses/glasses.pmx, attach: { model: gene, bone: \"頭\", "
    "offset: [0, 0, 0] } }\n"
    "stage: [ { file: stages/room.pmx } ]   # a model or .x accessory without motion\n"
    "cloth:\n"
    "  - { model: gene, material: \"スカート\", integrator: symplectic,\n"
    "      pin: { bone: \"下半身\" }, capsules: [ [\"左足\", \"左ひざ\", 0.9], [\"右足\", "
    "\"右ひざ\", 0.9] ] }\n"
    "camera: { motion: motions/camera.vmd }   # or fixed: {target, distance, rotation_deg, "
    "fov_deg}, or path:\n"
    "light: { color: [0.6, 0.6, 0.6], direction: [-0.5, -1, 0.5], motion: null }\n"
    "shadows: { ground: true, self: true, map_size: 2048 }\n"
    "background: { color: \"#ffffff\", image: null, alpha: false }\n"
    "physics: { gravity: [0, -98, 0], step_hz: 120, warmup_s: 1.0, floor: true, bake: auto }   # "
    "bake: auto | none | FILE\n"
    "compat: { curve_halvings: 12, ik: plane, append_chain: appended, fixed_axis: keys }   # the "
    "disputed rules, each with its alternatives\n"
    "audio: { file: music/song.wav, offset_s: 0, gain_db: 0, fade_out_s: 1.5 }   # .mid: synth: "
    "beep\n"
    "render: { size: [1920, 1080], fps: 60, frames: all, samples: 4, supersample: 1, workers: auto "
    "}\n"
    "                                      # frames: all | \"0-1799\" | \"0-99,400-499\": output "
    "frames, inclusive; samples 1 or 4: all that llvmpipe has\n"
    "outputs:\n"
    "  - { file: out/dance.mp4, codec: h264, crf: 18, preset: medium }\n"
    "  - { file: \"out/frames/%05d.png\" }   # the output frame's number, whatever range is drawn\n"
    "previews:\n"
    "  - { type: sheet, file: out/sheet.png, cells: [6, 4] }\n"
    "  - { type: webp, file: out/preview.webp, width: 480, fps: 12, range_s: [30, 36] }\n"
    "burn_in: { text: \"{name} {frame} {time}\", corner: bottom-left }\n"
    "limits: { frame_timeout_s: 60, total_timeout_s: 7200, memory_mib: 4096 }\n"
    "credits: [ \"Model: Gene, CC BY 4.0 ...\" ]   # many MMD assets demand it: copied into the "
    "video's metadata and the report\n";

static void assert_path(const Bench *bench, const char *path, const char *relative)
{
    char expected[256];
    snprintf(expected, sizeof expected, "%s/%s", bench->directory, relative);
    assert_string_equal(path, expected);
}

static void test_example(void **state)
{
    Bench *bench = *state;
    const Job *job = &bench->job;
    const bool good = load(bench, example, NULL, 0);
    if (!good)
        print_message("%s", bench->log.text);
    assert_true(good);

    assert_string_equal(job->name, "my-dance");
    assert_int_equal(job->model_count, 2);
    assert_path(bench, job->models[0].file, "models/gene/Gene_light.pmx");
    assert_int_equal(job->models[0].motion_count, 2);
    assert_path(bench, job->models[0].motions[0].file, "motions/dance.vmd");
    assert_int_equal(job->models[0].motions[0].only, MOTION_ALL);
    assert_int_equal(job->models[0].motions[1].only, MOTION_MORPHS);
    assert_int_equal(job->models[0].morph_count, 1);
    assert_string_equal(job->models[0].morphs[0].name, "笑い");
    assert_true(job->models[0].morphs[0].weight == 0.4);
    assert_null(job->models[0].attach);
    assert_string_equal(job->models[1].attach->bone, "頭");
    assert_int_equal(job->stage_count, 1);
    assert_int_equal(job->cloth_count, 1);
    assert_string_equal(INTEGRATORS[job->cloth[0].integrator].name, "symplectic");
    assert_string_equal(job->cloth[0].pin.bone, "下半身");
    assert_int_equal(job->cloth[0].capsule_count, 2);
    assert_string_equal(job->cloth[0].capsules[1].to, "右ひざ");
    assert_path(bench, job->camera.motion->file, "motions/camera.vmd");
    assert_null(job->light.motion);
    assert_true(job->light.color[1] == 0.6 && job->light.direction.z == 0.5);
    assert_true(job->background.color[2] == 1 && !job->background.image);
    assert_string_equal(job->physics.bake, "auto");
    assert_true(job->audio->fade_out_s == 1.5 && job->audio->fade_in_s == 0);
    assert_int_equal(job->render.size[1], 1080);
    assert_int_equal(job->render.fps.num, 60);
    assert_int_equal(job->render.frames.count, 0);
    assert_int_equal(job->render.workers, 0);
    assert_int_equal(job->outputs[0].crf, 18);
    assert_int_equal(job->outputs[1].crf, -1);
    assert_int_equal(job->preview_count, 2);
    assert_true(job->previews[1].range_s[1] == 36);
    assert_int_equal(job->burn_in->corner, CAPTION_BOTTOM_LEFT);
    assert_int_equal(job->credits.line_count, 1);

    assert_string_equal(bench->log.text, "");
}

/* The smallest job; the lines of a test row precede it. */
#define REST "version: 1\nmodels: [a.pmx]\noutputs: [o.mp4]\n"

static void test_errors(void **state)
{
    static const struct {
        const char *what, *text, *message;
    } rows[] = {
        {"a still at two times",
         "previews: [ { type: still, file: a.png, frame: 3, time_s: 1 } ]\n" REST,
         "job.yaml:1:59: previews.0: at most one of frame and time_s can be given\n"},
        {"a range that ends before it begins",
         "previews: [ { type: sheet, file: a.png, range_s: [3, 2] } ]\n" REST,
         "previews.0.range_s: the end 2 is before the start 3\n"},
        {"a preview that is no PNG", "previews: [ { type: sheet, file: x/a.jpg } ]\n" REST,
         "job.yaml:1:34: previews.0.file: 'a.jpg' is not the name of a single .png file\n"},
        {"two previews with one file",
         "previews:\n- { type: sheet, file: a.png }\n- { type: still, file: a.png }\n" REST,
         "previews.1.file: previews.0 has the same file\n"},
        {"a preview with the file of an output",
         "previews: [ { type: sheet, file: a.png } ]\nversion: 1\nmodels: [a.pmx]\noutputs: "
         "[a.png]\n",
         "previews.0.file: outputs.0 has the same file\n"},
        {"not a number", "render:\n  size: [640, 360]\n  fps: sixty\n" REST,
         "error: job.yaml:3:8: render.fps: 'sixty' is not a number (1..240)\n"
         "    3 |   fps: sixty\n"
         "      |        ^\n"},
        {"number not in full", "render: { size: [640, 12x80] }\n" REST,
         "job.yaml:1:23: render.size: '12x80' is not a whole number (2..8192)\n"},
        {"infinity", "render: { fps: .inf }\n" REST, "render.fps: '.inf' is not a number (1..240)"},
        {"hexadecimal", "render: { samples: 0x4 }\n" REST, "'0x4' is not a whole number (1, 4)"},
        {"a fraction", "render: { supersample: 1.5 }\n" REST,
         "'1.5' is not a whole number (auto or 1..4)"},
        {"below the range", "render: { workers: 0 }\n" REST,
         "job.yaml:1:20: render.workers: 0 is out of range (auto or 1..256)"},
        {"above the range", "render: { fps: 240.5 }\n" REST,
         "render.fps: 240.5 is out of range (1..240)"},
        {"samples", "render: { samples: 3 }\n" REST,
         "job.yaml:1:20: render.samples: 3 is out of range (1, 4)"},
        {"quoted number", "limits: { memory_mib: \"512\" }\n" REST,
         "job.yaml:1:23: limits.memory_mib: \"512\" in quotes is not a whole number "
         "(64..16777216)"},
        {"yes is no boolean", "shadows: { ground: yes }\n" REST,
         "job.yaml:1:20: shadows.ground: 'yes' is not true or false"},
        {"quoted boolean", "shadows: { ground: \"true\" }\n" REST, "is not true or false"},
        {"choice", "compat: { ik: pmx }\n" REST,
         "job.yaml:1:15: compat.ik: 'pmx' is not one of plane, pmxe"},
        {"color", "background: { color: \"#ffff\" }\n" REST, "is not a color"},
        {"color out of range", "light: { color: [1, 1, 1.5] }\n" REST,
         "light.color: expected a color: \"#rrggbb\" or [r, g, b] of 0..1, not a list of 3"},
        {"descending frames", "render: { frames: \"9-5\" }\n" REST,
         "is not all or ascending ranges like 0-1799, 0-99,400-499, m150-m300"},
        {"frames overlap", "render: { frames: \"0-9,9-12\" }\n" REST, "ascending ranges"},
        {"a key of the top, mistyped", "rendr: {}\n" REST,
         "error: job.yaml:1:1: unknown key 'rendr'; did you mean 'render'?\n"
         "    1 | rendr: {}\n"
         "      | ^\n"},
        {"a key inside, mistyped", "render: { fsp: 30 }\n" REST,
         "job.yaml:1:11: unknown key 'render.fsp'; did you mean 'fps'?"},
        {"a key in the wrong section", "fps: 30\n" REST,
         "unknown key 'fps'; did you mean 'render.fps'?"},
        {"a key like no other", "limits: { xyzzy: 1 }\n" REST,
         "unknown key 'limits.xyzzy'; known here: frame_timeout_s, total_timeout_s, memory_mib"},
        {"two errors", "rendr: {}\nlimits: { memory_mib: lots }\n" REST,
         "job.yaml:2:23: limits.memory_mib: 'lots' is not a whole number (64..16777216)"},
        {"no version", "models: [a.pmx]\noutputs: [o.mp4]\n",
         "job.yaml:1:1: version is missing: version of the job format"},
        {"another version", "version: 2\nmodels: [a.pmx]\noutputs: [o.mp4]\n",
         "job.yaml:1:10: version: 2 is out of range"},
        {"no model", "version: 1\noutputs: [o.mp4]\n", "models is missing"},
        {"an empty list of models", "version: 1\nmodels: []\noutputs: [o.mp4]\n",
         "job.yaml:2:9: models: 0 items; expected 1..1000"},
        {"no output", "version: 1\nmodels: [a.pmx]\n", "outputs is missing"},
        {"a model without file", "version: 1\nmodels: [{ id: a }]\noutputs: [o.mp4]\n",
         "job.yaml:2:10: models.0.file is missing"},
        {"not a list", "version: 1\nmodels: a.pmx\noutputs: [o.mp4]\n",
         "job.yaml:2:9: models: 'a.pmx' is not a list"},
        {"not a map", "limits: 5\n" REST, "job.yaml:1:9: limits: '5' is not a map"},
        {"too few numbers", "light: { direction: [1, 2] }\n" REST,
         "light.direction: expected a list of 3 numbers (-1000000..1000000), not a list of 2"},
        {"light without direction", "light: { direction: [0, 0, 0] }\n" REST,
         "job.yaml:1:21: light.direction: must not be the zero vector"},
        {"two cameras", "camera: { motion: c.vmd, fixed: {} }\n" REST,
         "camera: at most one of motion, fixed and path can be given"},
        {"a shot of a fixed camera", "camera: { fixed: {}, shot: bust }\n" REST,
         "job.yaml:1:28: camera.shot: only for a camera that follows models, not with fixed"},
        {"smoothing of a motion", "camera: { motion: c.vmd, smooth_s: 2 }\n" REST,
         "job.yaml:1:36: camera.smooth_s: only for a camera that follows models, not with motion"},
        {"a shot that does not exist", "camera: { shot: [full, knees] }\n" REST,
         "job.yaml:1:24: camera.shot: 'knees' is not one of full, knee, waist, bust, face"},
        {"following a map", "camera: { follow: {} }\n" REST,
         "job.yaml:1:19: camera.follow: expected a text or a list of texts, not a map"},
        {"following an unknown model",
         "version: 1\nmodels: [{ id: gene, file: a.pmx }]\noutputs: [o.mp4]\n"
         "camera: { follow: [gene, gen] }\n",
         "job.yaml:4:26: camera.follow.1: no model has the id 'gen'; did you mean 'gene'?"},
        {"cuts without a sound", "camera: { cuts: auto }\n" REST,
         "job.yaml:1:17: camera.cuts: auto needs a sound; give audio, or a time like 4s"},
        {"cuts of another unit", "camera: { cuts: 4m }\n" REST,
         "job.yaml:1:17: camera.cuts: '4m' is not none, auto or a time like 4s"},
        {"cuts too often", "camera: { cuts: 0.4s }\n" REST,
         "job.yaml:1:17: camera.cuts: 0.4s is out of range (0.5..3600)"},
        {"same id",
         "version: 1\nmodels: [{id: a, file: a.pmx}, {id: a, file: b.pmx}]\noutputs: [o.mp4]\n",
         "job.yaml:2:37: models.1.id: 'a' is the id of another model"},
        {"unknown parent",
         "version: 1\nmodels:\n  - { id: gene, file: a.pmx }\n"
         "  - { file: b.pmx, attach: { model: gen, bone: x } }\noutputs: [o.mp4]\n",
         "models.1: no model has the id 'gen'; did you mean 'gene'?"},
        {"attached to itself",
         "version: 1\nmodels: [{ id: a, file: a.pmx, attach: { model: a, bone: x } }]\noutputs: "
         "[o.mp4]\n",
         "models.0.attach: attachment cycle a -> a"},
        {"one output twice", "version: 1\nmodels: [a.pmx]\noutputs: [o.mp4, o.mp4]\n",
         "job.yaml:3:18: outputs.1.file: outputs.0 has the same file"},
        {"too many pixels", "render: { size: [8192, 8192], supersample: 4 }\n" REST,
         "job.yaml:1:44: render.supersample: 8192 x 4 pixels exceed the limit of 16384"},
        {"a list at the top", "- a\n", "job.yaml:1:1: expected a map of keys"},
        {"an empty file", "", "expected a map of keys"},
        {"a key twice", "name: a\nname: b\n" REST,
         "job.yaml:2:1: duplicate key 'name', first used in line 1"},
        {"a morph's weight",
         "version: 1\nmodels: [{ file: a.pmx, morphs: { \"笑い\": big } }]\noutputs: [o.mp4]\n",
         "job.yaml:2:41: models.0.morphs.笑い: 'big' is not a number (-10..10)"},
        {"a part of a motion",
         "version: 1\nmodels: [{ file: a.pmx, motions: [{ file: m.vmd, only: [bone] }] "
         "}]\noutputs: [o.mp4]\n",
         "models.0.motions.0.only: 'bone' is not one of bones, morphs, properties"},
    };
    Bench *bench = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bool good = load(bench, rows[i].text, NULL, 0);
        char *message = bench->log.text, *directory;
        while ((directory = strstr(message, bench->directory)))
            memmove(directory, directory + strlen(bench->directory) + 1,
                    strlen(directory + strlen(bench->directory) + 1) + 1);
        if (good || !strstr(message, rows[i].message) || bench->log.diag.kind != DIAG_JOB)
            fail_msg("%s: expected:\n%s\nreported:\n%s", rows[i].what, rows[i].message, message);
    }
}

/* Reading stops after twenty errors. */
static void test_many_errors(void **state)
{
    Bench *bench = *state;
    char text[2048] = REST;
    for (int i = 0; i < 30; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "wrong-%d: 1\n", i);
    assert_false(load(bench, text, NULL, 0));
    assert_int_equal(bench->log.diag.errors, 20);
    assert_non_null(strstr(bench->log.text, "stopped after 20 errors"));
}

static void test_missing_file(void **state)
{
    Bench *bench = *state;
    Job job;
    diag_log_init(&bench->log);
    const JobSource source = {.path = "/nowhere/job.yaml"};
    assert_false(job_load(&job, &source, bench->arena, &bench->log.diag));
    assert_int_equal(bench->log.diag.kind, DIAG_MISSING);
}

/* Missing keys have their defaults. */
static void test_defaults(void **state)
{
    Bench *bench = *state;
    const Job *job = &bench->job;
    assert_true(load(bench, REST, NULL, 0));
    assert_int_equal(bench->log.diag.warnings, 0);
    assert_string_equal(job->name, "job");
    assert_string_equal(job->models[0].id, "a");
    assert_path(bench, job->models[0].file, "a.pmx");
    assert_path(bench, job->outputs[0].file, "o.mp4");
    assert_true(job->models[0].scale == 1 && job->models[0].edge_scale == 1);
    assert_int_equal(job->render.size[0], 1920);
    assert_int_equal(job->render.fps.num, 60);
    assert_int_equal(job->render.fps.den, 1);
    assert_int_equal(job->render.samples, 1);
    assert_int_equal(job->render.supersample, 2);
    assert_int_equal(job->render.gl, GL_AUTO);
    assert_true(job->background.color[0] == 1 && !job->background.alpha);
    assert_true(job->shadows.ground && job->shadows.self);
    assert_true((float)job->light.color[0] == LIGHT_DEFAULT.color[0]);
    assert_int_equal(job->compat.curve_halvings, 12);
    assert_null(job->audio);
    assert_null(job->camera.motion);
    assert_null(job->camera.fixed);
    assert_true(job->limits.frame_timeout_s == 60);
}

/* What a song needs has its defaults in the short form too. */
static void test_song(void **state)
{
    Bench *bench = *state;
    const JobAudio *audio;
    assert_true(load(bench, "audio: song.mid\n" REST, NULL, 0));
    audio = bench->job.audio;
    assert_true(audio->synth == SYNTH_BEEP && audio->voices == 16 && audio->slice_ms == 10);
    assert_true(!audio->percussion && !audio->soundfont);
    assert_true(load(bench,
                     "audio: { file: s.mid, synth: fluidsynth, soundfont: gm.sf2, voices: 5, "
                     "slice_ms: 2.5, percussion: true }\n" REST,
                     NULL, 0));
    audio = bench->job.audio;
    assert_true(audio->synth == SYNTH_FLUIDSYNTH && audio->voices == 5 && audio->percussion);
    assert_true(audio->slice_ms == 2.5);
    assert_path(bench, audio->soundfont, "gm.sf2");
    assert_false(load(bench, "audio: { file: s.mid, synth: fluidsynth }\n" REST, NULL, 0));
    assert_non_null(strstr(bench->log.text, "fluidsynth needs audio.soundfont"));
}

/* A set key wins over the quality, and turns the other kind of samples off. */
static void test_quality(void **state)
{
    static const struct {
        const char *render;
        int samples, supersample;
    } rows[] = {
        {"", 1, 2},
        {"quality: draft", 1, 1},
        {"quality: good", 1, 2},
        {"quality: best", 1, 4},
        {"quality: best, size: [5120, 2880]", 1, 3},
        {"samples: 4", 4, 1},
        {"samples: 1", 1, 1},
        {"supersample: 3", 1, 3},
        {"samples: 4, supersample: 2", 4, 2},
        {"samples: 4, quality: best", 4, 1},
        {"supersample: 4, quality: draft", 1, 4},
        {"samples: auto, supersample: auto, quality: best", 1, 4},
    };
    Bench *bench = *state;
    char text[200];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        snprintf(text, sizeof text, "render: { %s }\n" REST, rows[i].render);
        assert_true(load(bench, text, NULL, 0));
        if (bench->job.render.samples != rows[i].samples ||
            bench->job.render.supersample != rows[i].supersample)
            fail_msg("%s: %d samples, supersample %d", rows[i].render, bench->job.render.samples,
                     bench->job.render.supersample);
    }
}

static void test_ids(void **state)
{
    Bench *bench = *state;
    assert_true(load(bench,
                     "version: 1\nmodels: [x/a.pmx, y/a.pmx, {id: a-2, file: b.pmx}]\n"
                     "outputs: [o.mp4]\n",
                     NULL, 0));
    assert_string_equal(bench->job.models[0].id, "a");
    assert_string_equal(bench->job.models[1].id, "a-3");
    assert_string_equal(bench->job.models[2].id, "a-2");
}

static void test_sets(void **state)
{
    static const char *const sets[] = {
        "render.size=[640, 360]",
        "render.fps=29.97",
        "models.0.file=other.pmx",
        "models.0.motions.0=m.vmd",
        "models.0.motions.1.file=n.vmd",
        "models.0.motions.1.only=[morphs]",
        "models.1={file: second.pmx}",
        "models.0.position.1=5",
        "models.0.morphs.笑い=0.5",
        "audio.gain_db=-3",
        "background.color.2=0",
        "camera.fixed.fov_deg=45",
        "outputs.0.crf=20",
        "name='12'",
    };
    Bench *bench = *state;
    const Job *job = &bench->job;
    const bool good = load(bench, "audio: song.wav\nbackground: {color: [1, 1, 1]}\n" REST, sets,
                           sizeof sets / sizeof *sets);
    if (!good)
        fail_msg("%s", bench->log.text);
    assert_int_equal(job->render.size[0], 640);
    assert_int_equal(job->render.fps.num, 30000);
    assert_int_equal(job->render.fps.den, 1001);
    assert_path(bench, job->models[0].file, "other.pmx");
    assert_int_equal(job->models[0].motion_count, 2);
    assert_int_equal(job->models[0].motions[1].only, MOTION_MORPHS);
    assert_path(bench, job->models[1].file, "second.pmx");
    assert_true(job->models[0].position.x == 0 && job->models[0].position.y == 5);
    assert_true(job->models[0].morphs[0].weight == 0.5);
    assert_path(bench, job->audio->file, "song.wav");
    assert_true(job->audio->gain_db == -3);
    assert_true(job->background.color[1] == 1 && job->background.color[2] == 0);
    assert_true(job->camera.fixed->fov_deg == 45 && job->camera.fixed->distance == -45);
    assert_path(bench, job->outputs[0].file, "o.mp4");
    assert_int_equal(job->outputs[0].crf, 20);
    assert_string_equal(job->name, "12");
}

/* The value of a key that is not a default; NULL if it is a default. */
static const OptionSetting *find_value(const Job *job, const char *key)
{
    for (size_t i = 0; i < job->value_count; i++)
        if (!strcmp(job->values[i].key, key))
            return &job->values[i];
    return NULL;
}

/* A flag overrides --set, which overrides the file, in any order on the command line. */
static void test_sources(void **state)
{
    static const char *const sets[] = {"render.samples=1", "render.workers=2", "audio.gain_db=-3",
                                       "models.0.position.1=5", "camera={fixed: {fov_deg: 45}}"};
    static const JobFlag flags[] = {{"--workers", "render.workers=3"}};
    static const struct {
        const char *key, *value, *source;
    } rows[] = {
        {"version", "1", "FILE:3"},
        {"audio.file", "song.wav", "FILE:1"},
        {"audio.gain_db", "-3", "--set"},
        {"render.size", "[640, 360]", "FILE:2"},
        {"render.samples", "1", "--set"},
        {"render.workers", "3", "--workers"},
        {"camera.fixed.fov_deg", "45", "--set"},
        {"models.0.position", "[0, 5, 0]", "--set"},
        {"outputs.0.file", "\"DIR/x.png\"", "--output"},
        {"render.fps", NULL, NULL},
        {"physics.bake", NULL, NULL},
    };
    Bench *bench = *state;
    FILE *file = fopen(bench->path, "w");
    assert_non_null(file);
    fputs("audio: song.wav\nrender: {size: [640, 360], samples: 4, fps: null}\n" REST, file);
    fclose(file);
    diag_log_init(&bench->log);
    const JobSource source = {.path = bench->path,
                              .sets = sets,
                              .set_count = 5,
                              .flags = flags,
                              .flag_count = 1,
                              .output = "DIR/x.png",
                              .needs_output = true};
    if (!job_load(&bench->job, &source, bench->arena, &bench->log.diag))
        fail_msg("%s", bench->log.text);
    assert_int_equal(bench->job.render.workers, 3);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const OptionSetting *value = find_value(&bench->job, rows[i].key);
        if (!value != !rows[i].value)
            fail_msg("%s is %s", rows[i].key, value ? value->value : "not there");
        if (!value)
            continue;
        const char *from = rows[i].source;
        if (!strncmp(from, "FILE", 4))
            from = arena_printf(bench->arena, "%s%s", bench->path, from + 4);
        assert_string_equal(value->source, from);
        if (strncmp(rows[i].value, "\"DIR", 4) != 0)
            assert_string_equal(value->value, rows[i].value);
    }
}

static void test_bad_sets(void **state)
{
    static const struct {
        const char *set, *message;
    } rows[] = {
        {"render.fps=sixty", "error: --set:1:12: render.fps: 'sixty' is not a number (1..240)\n"
                             "    1 | render.fps=sixty\n"
                             "      |            ^\n"},
        {"rendr.fps=60", "--set:1:1: unknown key 'rendr'; did you mean 'render'?"},
        {"render.fp=60", "--set:1:8: unknown key 'fp'; did you mean 'fps'?"},
        {"render.fps.x=60", "--set:1:12: 'fps' has no key 'x'"},
        {"models.3=x", "--set:1:8: index 3 is out of range (0..1)"},
        {"models.999=x", "--set:1:8: index 999 is out of range (0..1)"},
        {"models.1000=x", "--set:1:8: '1000' is not an index (0..1)"},
        {"models.-1=x", "--set:1:8: '-1' is not an index (0..1)"},
        {"models.x=x", "--set:1:8: 'x' is not an index (0..1)"},
        {"models.0.position.1.2=x", "--set:1:21: 'position' has no key '2'"},
        {"render.size=[640", "--set:1:13: flow sequence without a closing bracket"},
        {"=5", "--set:1:1: expected key=value"},
        {"fps", "expected key=value"},
        {"a.b.c.d=1", "unknown key 'a'"},
        {".=1", "unknown key ''"},
    };
    Bench *bench = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (load(bench, REST, &rows[i].set, 1) || !strstr(bench->log.text, rows[i].message))
            fail_msg("%s: reported:\n%s", rows[i].set, bench->log.text);
}

/* null is the same as a missing key. */
static void test_null(void **state)
{
    Bench *bench = *state;
    assert_true(load(bench, "burn_in: null\nphysics: null\ncloth: []\n" REST, NULL, 0));
    assert_int_equal(bench->log.diag.warnings, 0);
    assert_null(bench->job.burn_in);
    assert_int_equal(bench->job.physics.step_hz, 120);
}

static char *dump(const Job *job)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    job_write(out, job);
    fclose(out);
    return text;
}

/* A dump that is loaded and dumped again is unchanged, and does not depend on the directory. */
static void test_dump(void **state)
{
    static const char *const jobs[] = {
        REST,
        example,
        "camera: { fixed: { fov_deg: 33.3, target: [0.1, 1e-7, 123456.789] } }\n"
        "render: { fps: 23.976, frames: \"0-9,20,30-39\", workers: 3 }\n"
        "audio: { file: a.wav, gain_db: -0.1 }\ncredits: [\"a \\\"b\\\" \\\\ \\n c\"]\n"
        "light: { motion: { file: l.vmd, offset: 10 }, color: \"#102030\" }\n" REST,
        "camera: { follow: a, shot: [knee, face], cuts: 2.5s, margin: 0.1 }\n" REST,
        "camera: { shot: bust, cuts: auto, fov_deg: 20 }\naudio: a.wav\n" REST,
    };
    Bench *bench = *state;
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        assert_true(load(bench, jobs[i], NULL, 0));
        char *first = dump(&bench->job);
        if (!load(bench, first, NULL, 0))
            fail_msg("%s\n%s", first, bench->log.text);
        char *second = dump(&bench->job);
        assert_string_equal(first, second);
        free(first);
        free(second);
    }
}

/* A single text is a list of one. */
static void test_following(void **state)
{
    static const struct {
        const char *camera;
        size_t follow_count, shot_count;
        double cuts;
    } rows[] = {
        {"{}", 0, 0, 0},
        {"{ follow: a }", 1, 0, 0},
        {"{ follow: [a], shot: face }", 1, 1, 0},
        {"{ shot: [full, bust, full], cuts: 4s }", 0, 3, 4},
        {"{ cuts: 2.5 }", 0, 0, 2.5},
        {"{ cuts: 0.5s, follow: null }", 0, 0, 0.5},
        {"{ cuts: none }", 0, 0, 0},
        {"{ cuts: auto }", 0, 0, -1},
    };
    Bench *bench = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const CameraSpec *camera = &bench->job.camera;
        char text[256];
        snprintf(text, sizeof text, "camera: %s\naudio: a.wav\n" REST, rows[i].camera);
        if (!load(bench, text, NULL, 0))
            fail_msg("%s: %s", rows[i].camera, bench->log.text);
        if (camera->follow_count != rows[i].follow_count ||
            camera->shot_count != rows[i].shot_count || camera->cuts != rows[i].cuts)
            fail_msg("%s: %zu models, %zu shots, cuts %g", rows[i].camera, camera->follow_count,
                     camera->shot_count, camera->cuts);
        if (camera->follow_count)
            assert_string_equal(camera->follow[0], "a");
        if (camera->shot_count == 3)
            assert_int_equal(camera->shot[1], SHOT_BUST);
        assert_true(camera->smooth_s == 1 && camera->margin == 0.05 && camera->fov_deg == 30);
    }
}

static void test_scene_spec(void **state)
{
    Bench *bench = *state;
    SceneSpec spec;
    assert_true(
        load(bench,
             "version: 1\n"
             "models:\n"
             "  - { id: m, file: a.pmx, rotation_deg: [0, 90, 0], position: [1, 2, 3], scale: 2,\n"
             "      motions: [{ file: m.vmd, offset: 15, speed: 2, only: [bones, properties] }] }\n"
             "  - { id: hat, file: h.pmx, attach: { model: m, bone: head, offset: [0, 1, 0] } }\n"
             "stage: [room.pmx]\n"
             "camera: { fixed: { rotation_deg: [-90, 0, 180] } }\n"
             "compat: { ik: pmxe, append_chain: own, fixed_axis: off, curve_halvings: 15 }\n"
             "outputs: [o.mp4]\n",
             NULL, 0));
    spec = job_scene_spec(&bench->job, true, bench->arena);
    assert_int_equal(spec.model_count, 3);
    assert_path(bench, spec.models[0].file, "room.pmx");
    assert_true(spec.models[0].stage && !spec.models[1].stage);
    assert_string_equal(spec.models[1].id, "m");
    assert_true(spec.models[1].motions[0].time.offset == 15 &&
                spec.models[1].motions[0].time.speed == 2);
    assert_int_equal(spec.models[1].motions[0].only, MOTION_BONES | MOTION_PROPERTIES);
    /* a quarter turn about y: (0, sin 45, 0, cos 45) */
    const Placement placement = placement_of_model(&spec.models[1]);
    const float *q = placement.rotation;
    assert_true(fabsf(q[0]) < 1e-7f && fabsf(q[1] - 0.70710678f) < 1e-6f && fabsf(q[2]) < 1e-7f &&
                fabsf(q[3] - 0.70710678f) < 1e-6f);
    assert_true(placement.scale == 2 && placement.position[2] == 3);
    assert_string_equal(spec.models[2].attach->bone, "head");
    assert_true(placement_of_model(&spec.models[2]).position[1] == 1);
    const CameraState camera = camera_fixed(spec.camera.fixed);
    assert_true(fabsf(camera.rotation[0] + 1.5707963f) < 1e-6f);
    assert_true(fabsf(camera.rotation[2] - 3.1415927f) < 1e-6f);
    assert_int_equal(spec.compat.ik, IK_PMXE);
    assert_true(spec.compat.append_chain == APPEND_OWN && spec.compat.fixed_axis == FIXED_AXIS_OFF);
    assert_int_equal(spec.compat.curve_halvings, 15);
}

/* -o replaces all outputs and keeps the settings of the output with its extension. */
static void test_output(void **state)
{
    Bench *bench = *state;
    Job job;
    assert_true(load(bench,
                     "version: 1\nmodels: [a.pmx]\noutputs: [f/%05d.png, {file: o.mp4, crf: 7}]\n",
                     NULL, 0));
    JobSource source = {.path = bench->path, .output = "/else/where.mp4", .needs_output = true};
    assert_true(job_load(&job, &source, bench->arena, &bench->log.diag));
    assert_int_equal(job.output_count, 1);
    assert_string_equal(job.outputs[0].file, "/else/where.mp4");
    assert_int_equal(job.outputs[0].crf, 7);
    source.output = "null:";
    assert_true(job_load(&job, &source, bench->arena, &bench->log.diag));
    assert_string_equal(job.outputs[0].file, "null:");
    assert_int_equal(job.outputs[0].crf, -1);
}

/* With -o, outputs.0 is its output, whichever output of the job it keeps the settings of. */
static void test_set_of_named_output(void **state)
{
    static const struct {
        const char *output, *format, *set;
        int crf;
        const char *preset; /* or the message */
    } rows[] = {
        {"/x.mkv", NULL, "outputs.0.preset=fast", -1, "fast"},
        {"/x.mp4", NULL, "outputs.0.preset=fast", 7, "fast"},
        {"/x.mp4", NULL, "outputs.1.preset=fast", 7, "fast"},
        {"/x.mp4", NULL, "outputs.0={file: y.mp4, crf: 9}", 9, NULL},
        {"/x.mp4", NULL, "outputs=[{file: y.mp4, crf: 9, preset: slow}]", 9, "slow"},
        {"/x.bin", "mp4", "outputs.0.crf=8", 8, NULL},
        {NULL, NULL, "outputs.1.crf=8", 8, NULL},
        {"/x.mkv", NULL, "outputs.1.preset=fast", 0,
         "--set:1:1: outputs.1: replaced by --output, whose keys are those of outputs.0\n"},
        {"/x.mp4", NULL, "outputs.2.preset=fast", 0, "--set:1:1: outputs.2: replaced by --output"},
        {"/x.mp4", NULL, "outputs.0.file=y.mp4", 0,
         "--set:1:1: outputs.0.file: --output names this file\n"},
        {"/x.mp4", NULL, "outputs.0.fast=1", 0, "--set:1:11: unknown key 'fast'"},
    };
    Bench *bench = *state;
    Job job;
    assert_true(load(bench,
                     "version: 1\nmodels: [a.pmx]\noutputs: [f/%05d.png, {file: o.mp4, crf: 7}]\n",
                     NULL, 0));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const JobSource source = {.path = bench->path,
                                  .sets = &rows[i].set,
                                  .set_count = 1,
                                  .output = rows[i].output,
                                  .output_format = rows[i].format,
                                  .needs_output = true};
        diag_log_init(&bench->log);
        if (!job_load(&job, &source, bench->arena, &bench->log.diag)) {
            if (!rows[i].preset || !strstr(bench->log.text, rows[i].preset))
                fail_msg("%s: %s", rows[i].set, bench->log.text);
            continue;
        }
        const JobOutput *output = &job.outputs[rows[i].output ? 0 : 1];
        if (output->crf != rows[i].crf ||
            strcmp(output->preset ? output->preset : "", rows[i].preset ? rows[i].preset : "") != 0)
            fail_msg("%s: crf %d, preset %s", rows[i].set, output->crf, output->preset);
        if (rows[i].output) {
            assert_int_equal(job.output_count, 1);
            assert_string_equal(output->file, rows[i].output);
        }
    }
}

/* A job from the files of a command line. */
static void test_files(void **state)
{
    static const char *const files[] = {"early.vmd", "a \"b\".pmx", "m.vmd", "p.VPD",
                                        "c.pmd",     "song.WAV",    "n.vmd"};
    static const char *const two_sounds[] = {"a.pmx", "a.wav", "b.mp3"};
    static const char *const no_model[] = {"m.vmd"};
    static const char *const strange[] = {"a.pmx", "b.xyz"};
    static const char *const worn[] = {"stick.x", "a.pmx", "glasses.VAC", "m.vmd"};
    Bench *bench = *state;
    Job job;

    diag_log_init(&bench->log);
    JobSource source = {.files = files, .file_count = 7};
    if (!job_load(&job, &source, bench->arena, &bench->log.diag))
        fail_msg("%s", bench->log.text);
    assert_int_equal(job.model_count, 2);
    assert_string_equal(job.models[0].file, "a \"b\".pmx");
    assert_int_equal(job.models[0].motion_count, 3);
    assert_string_equal(job.models[0].motions[0].file, "early.vmd");
    assert_string_equal(job.models[0].motions[2].file, "p.VPD");
    assert_string_equal(job.models[1].motions[0].file, "n.vmd");
    assert_string_equal(job.audio->file, "song.WAV");
    assert_int_equal(job.output_count, 0);

    source = (JobSource){.files = two_sounds, .file_count = 3};
    assert_false(job_load(&job, &source, bench->arena, &bench->log.diag));
    assert_non_null(strstr(bench->log.text, "b.mp3: more than one sound; the first is a.wav"));
    assert_int_equal(bench->log.diag.kind, DIAG_USAGE);
    source = (JobSource){.files = no_model, .file_count = 1};
    assert_false(job_load(&job, &source, bench->arena, &bench->log.diag));
    assert_non_null(
        strstr(bench->log.text,
               "no model (.pmx, .pmd, .x, .vac, .vrm, .glb, .gltf, .obj) among the files"));
    source = (JobSource){.files = strange, .file_count = 2};
    assert_false(job_load(&job, &source, bench->arena, &bench->log.diag));
    assert_non_null(strstr(bench->log.text, "b.xyz: unknown kind of file"));

    source = (JobSource){
        .files = worn, .file_count = 4}; /* motions belong to the last model, not to accessories */
    assert_true(job_load(&job, &source, bench->arena, &bench->log.diag));
    assert_int_equal(job.model_count, 3);
    assert_string_equal(job.models[2].file, "glasses.VAC");
    assert_int_equal(job.models[1].motion_count, 1);
    assert_int_equal(job.models[2].motion_count, 0);
}

/* Where a value of a job is written; a list is indexed by decimal numbers. */
static void test_places(void **state)
{
    Bench *bench = *state;
    assert_true(load(bench, REST "credits: [a, b, c, d, e, f, g, h, i, j, k]\n", NULL, 0));
    const DiagLocation *location = job_location(&bench->job, "credits.10", NULL, bench->arena);
    assert_non_null(location);
    assert_int_equal(location->line, 4);
    assert_int_equal(location->column, 41);
    location = job_location(&bench->job, "models", NULL, bench->arena);
    assert_int_equal(location->line, 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_example),      TEST(test_errors),   TEST(test_many_errors),
        TEST(test_missing_file), TEST(test_defaults), TEST(test_quality),
        TEST(test_ids),          TEST(test_sets),     TEST(test_bad_sets),
        TEST(test_sources),      TEST(test_null),     TEST(test_dump),
        TEST(test_scene_spec),   TEST(test_output),   TEST(test_set_of_named_output),
        TEST(test_files),        TEST(test_song),     TEST(test_following),
        TEST(test_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
