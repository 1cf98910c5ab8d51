// SPDX-License-Identifier: MIT
/* What a job must fulfil beyond the values of its keys: each rule broken alone, and at its limit.
 */

#include <stdio.h>
#include <string.h>

#include "base/text_stream.h"
#include "diag_log.h"
#include "job/host_limits.h"
#include "job/job.h"
#include "job/job_options.h"
#include "job/job_visit.h"
#include "scratch.h"
#include "unit_test.h"

typedef struct Table {
    Scratch scratch;
    DiagLog log;
    Arena *arena;
    Job job;
} Table;

/* Without fsync, since it is called often. */
static const char *save(Table *t, const char *text)
{
    const char *path = scratch_path(&t->scratch, "job.yaml");
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
    return path;
}

static bool load(Table *t, const char *text, const char *set)
{
    memset(t, 0, sizeof *t);
    scratch_make(&t->scratch);
    diag_log_init(&t->log);
    t->arena = arena_create();
    const char *path = save(t, text);
    const JobSource source = {
        .path = path, .needs_output = true, .sets = &set, .set_count = set ? 1 : 0};
    return job_load(&t->job, &source, t->arena, &t->log.diag);
}

static void clear(Table *t)
{
    scratch_remove(&t->scratch);
    arena_destroy(t->arena);
}

#define MODEL "version: 1\nmodels: [{ id: a, file: a.pmx }]\n"
#define REST MODEL "outputs: [o.mp4]\n"

/* `text` follows two models and an output. */
static void expect(const char *text, const char *message)
{
    Table t;
    char job[2000];
    snprintf(job, sizeof job, "%s%s", strstr(text, "outputs:") ? MODEL : REST, text);
    const bool good = load(&t, job, NULL);
    if (good == (message != NULL) || (message && !strstr(t.log.text, message)))
        fail_msg("%s\n%s", text, good ? "accepted" : t.log.text);
    clear(&t);
}

/* Keys of a camera that follows models do nothing with another kind: their defaults are accepted.
 */
static void keys_of_following_cameras(void **state)
{
    (void)state;
    static const char *const kinds[][2] = {
        {"motion", "motion: c.vmd"},
        {"fixed", "fixed: { distance: 5 }"},
        {"path", "path: [{ frame: 0, eye: [0, 0, 1], target: [0, 0, 0] }]"},
    };
    static const struct {
        const char *key, *value, *none;
    } keys[] = {
        {"follow", "[a]", "auto"},
        {"shot", "bust", NULL},
        {"cuts", "4s", "none"},
        {"cuts", "auto", NULL},
        {"smooth_s", "0.999", "1"},
        {"smooth_s", "2", NULL},
        {"margin", "0.051", "0.05"},
        {"margin", "0", NULL},
        {"rotation_deg", "[1, 0, 0]", "[0, 0, 0]"},
        {"rotation_deg", "[0, 1, 0]", NULL},
        {"rotation_deg", "[0, 0, 1]", NULL},
        {"rotation_deg", "[0, 0, -0.5]", NULL},
        {"fov_deg", "31", "30"},
        {"fov_deg", "29", NULL},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
            char text[300], message[200];
            snprintf(text, sizeof text, "camera: { %s, %s: %s }\n", kinds[k][1], keys[i].key,
                     keys[i].value);
            snprintf(message, sizeof message,
                     "camera.%s: only for a camera that follows models, not with %s", keys[i].key,
                     kinds[k][0]);
            expect(text, message);
            if (!keys[i].none)
                continue;
            snprintf(text, sizeof text, "camera: { %s, %s: %s }\n", kinds[k][1], keys[i].key,
                     keys[i].none);
            if (strcmp(keys[i].key, "follow") != 0)
                expect(text, NULL);
        }
    for (size_t a = 0; a < 3; a++)
        for (size_t b = a + 1; b < 3; b++) {
            char text[300];
            snprintf(text, sizeof text, "camera: { %s, %s }\n", kinds[a][1], kinds[b][1]);
            expect(text, "camera: at most one of motion, fixed and path can be given");
        }
}

static void rules(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"camera: { follow: [a, b] }\n", "camera.follow.1: no model has the id 'b'"},
        {"camera: { follow: a }\n", NULL},
        {"camera: { cuts: auto }\n", "camera.cuts: auto needs a sound"},
        {"camera: { cuts: auto }\naudio: s.wav\n", NULL},
        {"camera: { cuts: 4s }\n", NULL},
        {"light: { direction: [0, 0, 0] }\n", "light.direction: must not be the zero vector"},
        {"light: { direction: [0, 0, -1] }\n", NULL},
        {"light: { motion: l.vmd, path: [{ frame: 0, direction: [0, 0, 1] }] }\n",
         "light: at most one of motion and path can be given"},
        {"light: { path: [{ frame: 0, direction: [0, 0, 0] }] }\n",
         "light.path.0.direction: must not be the zero vector"},
        {"light: { path: [{ frame: 0, direction: [0, 0, 1] }, { frame: 5, direction: [0, 0, 0] "
         "}] }\n",
         "light.path.1.direction: must not be the zero vector"},
        {"light: { path: [{ frame: 0, direction: [1, 0, 0] }, { frame: 5, direction: [0, 1, 0] "
         "}, { frame: 6, direction: [0, 0, 1] }] }\n",
         NULL},
        {"light: { path: [{ frame: 5 }, { frame: 5 }] }\n", "light.path.1: time 0.1666666667 s"},
        {"background: { image: a.png, video: b.mp4 }\n",
         "background: at most one of image and video can be given"},
        {"background: { image: a.png }\n", NULL},
        {"background: { video: b.mp4 }\n", NULL},
        {"look: { focus: { model: b } }\n", "look.focus.model: no model has the id 'b'"},
        {"look: { focus: { model: a } }\n", NULL},
        {"look: { focus: {} }\n", NULL},
        {"audio: { file: s.mid, synth: fluidsynth }\n",
         "audio.synth: fluidsynth needs audio.soundfont"},
        {"audio: { file: s.mid, synth: fluidsynth, soundfont: f.sf2 }\n", NULL},
        {"audio: { file: s.mid }\n", NULL},
        {"render: { shader_dir: s }\n", "render.shader_dir: accepted on the command line only"},
        /* key points of a camera */
        {"camera: { path: [{ frame: 0, eye: [1, 2, 3], target: [1, 2, 3] }] }\n",
         "camera.path.0: eye and target must differ"},
        {"camera: { path: [{ frame: 0, eye: [1, 2, 3], target: [0, 2, 3] }] }\n", NULL},
        {"camera: { path: [{ frame: 0, eye: [1, 2, 3], target: [1, 0, 3] }] }\n", NULL},
        {"camera: { path: [{ frame: 0, eye: [1, 2, 3], target: [1, 2, 0] }] }\n", NULL},
        {"camera: { path: [{ frame: 0, eye: [0, 0, 1], target: [0, 0, 0], up: [0, 0, 0] }] }\n",
         "camera.path.0.up: must not be the zero vector"},
        {"camera: { path: [{ frame: 0, eye: [0, 0, 1], target: [0, 0, 0], up: [0, 0, 1] }] }\n",
         NULL},
        /* keys that need or exclude each other; one at its default is not given */
        {"outputs: [{ file: o.mp4, buffer_kbit: 9 }]\n", "outputs.0.buffer_kbit: needs max_kbps"},
        {"outputs: [{ file: o.mp4, buffer_kbit: 9, max_kbps: 5 }]\n", NULL},
        {"outputs: [{ file: o.mp4, two_pass: true, size_mb: 1 }]\n",
         "outputs.0.two_pass: needs bitrate_kbps"},
        {"outputs: [{ file: o.mp4, bitrate_kbps: 5, crf: 20 }]\n",
         "outputs.0: at most one of crf and bitrate_kbps can be given"},
        {"outputs: [{ file: o.mp4, bitrate_kbps: 5, size_mb: 1 }]\n",
         "outputs.0: at most one of bitrate_kbps and size_mb can be given"},
        {"outputs: [{ file: o.mp4, bitrate_kbps: 5, crf: auto, size_mb: 0 }]\n", NULL},
        {"outputs: [{ file: o.mp4, crf: 20, size_mb: 1 }]\n", NULL},
        {"stage: [{ file: b.pmx, path: [{ frame: 0 }], keys: [{ frame: 0 }] }]\n",
         "stage.0: at most one of path and keys can be given"},
        /* stages that move, and what they carry */
        {"stage: [{ id: hall, file: b.pmx, motions: [b.vmd], physics: true }]\n", NULL},
        {"stage: [{ file: b.pmx, motions: [{ file: b.vmd, from: 3, to: 2 }] }]\n",
         "stage.0.motions.0.to: 2 is not after from, 3"},
        {"stage: [{ id: a, file: b.pmx }]\n", "stage.0.id: 'a' is the id of another model"},
        {"stage: [{ id: b, file: b.pmx }, { id: b, file: b.pmx }]\n",
         "stage.1.id: 'b' is the id of another model"},
        {"stage: [{ id: lift, file: b.pmx }]\n"
         "camera: { fixed: {}, attach_keys: [{ frame: 0, model: lift, bone: top }] }\n",
         NULL},
        {"stage: [b.pmx]\n"
         "camera: { fixed: {}, attach_keys: [{ frame: 0, model: stage-0, bone: top }] }\n",
         NULL},
        {"stage: [b.pmx]\n"
         "camera: { fixed: {}, attach_keys: [{ frame: 0, model: stage-1, bone: top }] }\n",
         "no model has the id 'stage-1'"},
        /* two previews or outputs of one name */
        {"outputs: [o.mp4, p.mp4, p.mp4]\n", "outputs.2.file: outputs.1 has the same file"},
        {"outputs: [o.mp4, p.mp4]\npreviews: [{ type: still, file: a.png }, "
         "{ type: still, file: b.png }, { type: still, file: b.png }]\n",
         "previews.2.file: previews.1 has the same file"},
        {"outputs: [o.mp4, \"%04d.png\", b.webp]\npreviews: [{ type: webp, file: b.webp }]\n",
         "previews.0.file: outputs.2 has the same file"},
        {"previews: [{ type: still, file: \"a.jpg\" }]\n", "is not the name of a single .png"},
        {"previews: [{ type: sheet, file: a.PNG }, { type: gif, file: a.gif }]\n", NULL},
        {"previews: [{ type: gif, file: a.gif, range_s: [2, 1] }]\n",
         "previews.0.range_s: the end 1 is before the start 2"},
        {"previews: [{ type: gif, file: a.gif, range_s: [1, 2] }, "
         "{ type: gif, file: b.gif, range_s: [3, 2] }]\n",
         "previews.1.range_s"},
        {"previews: [{ type: still, file: a.png, frame: 1, time_s: 1 }]\n",
         "previews.0: at most one of frame and time_s"},
        /* sizes: 16384 pixels, supersampling included */
        {"render: { size: [8192, 2], supersample: 2 }\n", NULL},
        {"render: { size: [5462, 2], supersample: 3 }\n", "5462 x 3 pixels exceed"},
        {"render: { size: [5461, 2], supersample: 3 }\n", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect(rows[i][0], rows[i][1]);
}

/* Times of key points, in the unit that the message has: seconds. */
static void times_of_key_points(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"{ time_s: 1 }, { frame: 31 }", NULL},
        {"{ time_s: 1 }, { frame: 30 }",
         "models.0.path.1: time 1 s is not after that of the previous point (1 s); equal times "
         "need cut: true"},
        {"{ time_s: 1 }, { frame: 30, cut: true }", NULL},
        {"{ time_s: 1 }, { frame: 29, cut: true }",
         "time 0.9666666667 s is not after that of the previous point (1 s)\n"},
        {"{ time_s: 0.1 }, { frame: 3, cut: true }, { frame: 2.9 }", "models.0.path.2: time"},
        {"{ cut: true }", "models.0.path.0: exactly one of time_s and frame must be given"},
        {"{ frame: 1 }, { frame: 2, time_s: 3 }",
         "models.0.path.1: exactly one of time_s and frame must be given"},
        {"{ frame: 1 }, { position: [1, 2, 3] }, { frame: 0 }",
         "models.0.path.1: exactly one of time_s and frame must be given"},
        {"{ frame: 1.0000001 }, { frame: 1.0000002 }", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Table t;
        char job[1000];
        snprintf(job, sizeof job,
                 "version: 1\noutputs: [o.mp4]\nmodels: [{ file: a.pmx, path: [%s] }]\n",
                 rows[i][0]);
        const bool good = load(&t, job, NULL);
        if (good == (rows[i][1] != NULL) || (rows[i][1] && !strstr(t.log.text, rows[i][1])))
            fail_msg("%s\n%s", rows[i][0], good ? "accepted" : t.log.text);
        clear(&t);
    }
}

/* The quality chooses supersampling; multisampling or accumulation turns it off. */
static void samples_by_quality(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int samples, supersample;
    } rows[] = {
        {"", 1, 2},
        {"render: { quality: draft }\n", 1, 1},
        {"render: { quality: good }\n", 1, 2},
        {"render: { quality: best }\n", 1, 4},
        {"render: { samples: 4 }\n", 4, 1},
        {"render: { samples: 1, quality: best }\n", 1, 1},
        {"render: { supersample: 4 }\n", 1, 4},
        {"render: { supersample: 1, quality: best }\n", 1, 1},
        {"render: { samples: 4, supersample: 2 }\n", 4, 2},
        {"look: { accumulate: {} }\n", 1, 1},
        {"look: { accumulate: {} }\nrender: { supersample: 2, samples: 4 }\n", 4, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Table t;
        char job[500];
        snprintf(job, sizeof job, REST "%s", rows[i].text);
        if (!load(&t, job, NULL))
            fail_msg("%s%s", rows[i].text, t.log.text);
        if (t.job.render.samples != rows[i].samples ||
            t.job.render.supersample != rows[i].supersample)
            fail_msg("%s: %d samples, supersample %d", rows[i].text, t.job.render.samples,
                     t.job.render.supersample);
        clear(&t);
    }
}

static void fonts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool burn_in, subtitle, installed; /* a file; a file; any of the system */
    } rows[] = {
        {"", false, false, false},
        {"burn_in: { text: x }\n", false, false, false},
        {"burn_in: { text: x, font: auto }\n", false, false, true},
        {"burn_in: { text: x, font: f.ttf }\n", true, false, false},
        {"subtitles: s.srt\n", false, false, true},
        {"subtitles: { file: s.srt, font: f.ttf }\n", false, true, false},
        {"subtitles: { file: s.srt, font: auto }\nburn_in: { text: x, font: f.ttf }\n", true, false,
         true},
        {"subtitles: { file: s.srt, font: f.ttf }\nburn_in: { text: x, font: auto }\n", false, true,
         true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Table t;
        char job[500];
        snprintf(job, sizeof job, REST "%s", rows[i].text);
        if (!load(&t, job, NULL))
            fail_msg("%s%s", rows[i].text, t.log.text);
        if (!job_burn_in_font(&t.job) == rows[i].burn_in ||
            !job_subtitle_font(&t.job) == rows[i].subtitle ||
            job_uses_installed_fonts(&t.job) != rows[i].installed)
            fail_msg("%s", rows[i].text);
        clear(&t);
    }
}

/* A host may confine the paths of a job to its directory; those of the command line are free. */
static void confined_paths(void **state)
{
    (void)state;
    static const struct {
        const char *file, *set;
        bool good;
    } rows[] = {
        {"o.mp4", NULL, true},
        {"new/o.mp4", NULL, true},
        {"../o.mp4", NULL, false},
        {"/tmp/o.mp4", NULL, false},
        {"a/../../o.mp4", NULL, false},
        {"\"null:\"", NULL, true},
        {"\"o:\"", NULL, true},
        {"\"/tmp/o:\"", NULL, false},
        {"\"../null:\"", NULL, false},
        {"o.mp4", "outputs.0.file=/tmp/o.mp4", true},
        {"../o.mp4", "outputs.0.file=/tmp/o.mp4", true},
        {"../o.mp4", "name=n", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Table t = {.arena = arena_create()};
        HostLimits host;
        scratch_make(&t.scratch);
        diag_log_init(&t.log);
        assert_true(host_limits_load(&host, "untrusted", t.arena, &t.log.diag));
        const char *text = arena_printf(t.arena, MODEL "outputs: [ %s ]\n", rows[i].file);
        const char *path = save(&t, text);
        const JobSource source = {.path = path,
                                  .needs_output = true,
                                  .sets = &rows[i].set,
                                  .set_count = rows[i].set ? 1 : 0,
                                  .host = &host};
        const bool good = job_load(&t.job, &source, t.arena, &t.log.diag);
        if (good != rows[i].good || (!good && !strstr(t.log.text, "outputs.0.file: '")) ||
            (!good && !strstr(t.log.text, "is not below the directory of the job file (paths: "
                                          "profile untrusted)")))
            fail_msg("%s: %s", rows[i].file, good ? "accepted" : t.log.text);
        clear(&t);
    }
}

/* Sizes as on a command line, and as lists. */
static void sizes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int width, height; /* 0: refused */
    } rows[] = {
        {"640x360", 640, 360}, {"[640, 360]", 640, 360}, {"2x2", 2, 2},
        {"x360", 0, 0},        {"640x", 0, 0},           {"640x360x2", 0, 0},
        {"640X360", 0, 0},     {"640 x 360", 0, 0},      {"6a0x360", 0, 0},
        {"640", 0, 0},         {"[640]", 0, 0},          {"[640, 360, 2]", 0, 0},
        {"-2x-2", 0, 0},       {"0x360", 0, 0},          {"{ a: 1, b: 2 }", 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Table t;
        char job[300];
        snprintf(job, sizeof job, REST "render: { size: %s }\n", rows[i].text);
        const bool good = load(&t, job, NULL);
        if (good != (rows[i].width > 0) || (good && (t.job.render.size[0] != rows[i].width ||
                                                     t.job.render.size[1] != rows[i].height)))
            fail_msg("%s: %s", rows[i].text, good ? "accepted" : t.log.text);
        clear(&t);
    }
}

/* Capsules, renames and morphs are written as they are read. */
static void lists_and_maps_are_written(void **state)
{
    (void)state;
    static const struct {
        const char *text, *dumped; /* NULL: refused */
    } rows[] = {
        {"cloth: [{ model: a, material: m, capsules: [[b, c, 0.5], auto, [d, e, 2]] }]\n",
         "capsules: [[\"b\", \"c\", 0.5], auto, [\"d\", \"e\", 2]]"},
        {"cloth: [{ model: a, material: m, capsules: [auto] }]\n", "capsules: [auto]"},
        {"cloth: [{ model: a, material: m }]\n", "capsules: []"},
        {"cloth: [{ model: a, material: m, capsules: [[b, c]] }]\n", NULL},
        {"cloth: [{ model: a, material: m, capsules: [[b, c, 1, 2]] }]\n", NULL},
        {"cloth: [{ model: a, material: m, capsules: [[b, [c], 1]] }]\n", NULL},
        {"cloth: [{ model: a, material: m, capsules: [[[b], c, 1]] }]\n", NULL},
        {"cloth: [{ model: a, material: m, capsules: [[b, c, x]] }]\n", NULL},
        {"cloth: [{ model: a, material: m, capsules: [[b, c, -1]] }]\n", NULL},
        {"cloth: [{ model: a, material: m, capsules: [car] }]\n", NULL},
        {"stage: [{ file: s.x, morphs: { x: 1, y: 0.5 } }]\n", "morphs: {\"x\": 1, \"y\": 0.5}"},
        {"stage: [s.x]\n", "morphs: {}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Table t;
        TextStream stream;
        char job[500];
        snprintf(job, sizeof job, REST "%s", rows[i].text);
        const bool good = load(&t, job, NULL);
        if (good != (rows[i].dumped != NULL))
            fail_msg("%s: %s", rows[i].text, good ? "accepted" : t.log.text);
        if (good) {
            FILE *out = text_stream_open(&stream, t.arena);
            job_write(out, &t.job);
            const char *text = text_stream_close(&stream);
            if (!strstr(text, rows[i].dumped))
                fail_msg("no\n%s\nin\n%s", rows[i].dumped, text);
        }
        clear(&t);
    }
}

/* A key that the job does not set has the location of what is around it; a name is its own
 * location, not its value. */
static void places_of_values(void **state)
{
    (void)state;
    static const char text[] = "version: 1\n"
                               "models:\n"
                               "  - file: a.pmx\n"
                               "    morphs: { x.y: 1, z: 2 }\n"
                               "  - { file: b.pmx, motions: [c.vmd, { file: d.vmd }] }\n"
                               "outputs: [o.mp4]\n"
                               "render: { fps: 60 }\n";
    static const struct {
        const char *key, *name;
        unsigned line, column;
        const char *full;
    } rows[] = {
        {"version", NULL, 1, 10, "version"},
        {"models.0.file", NULL, 3, 11, "models.0.file"},
        {"models.1.file", NULL, 5, 13, "models.1.file"},
        {"models.1.motions.0.file", NULL, 5, 30, "models.1.motions.0.file"},
        {"models.1.motions.1.file", NULL, 5, 45, "models.1.motions.1.file"},
        {"models.0.morphs", "x.y", 4, 15, "models.0.morphs.x.y"},
        {"models.0.morphs", "z", 4, 23, "models.0.morphs.z"},
        {"models.0.morphs", "w", 4, 13, "models.0.morphs.w"},
        {"models.1.morphs", "z", 5, 5, "models.1.morphs.z"},
        {"render.fps", NULL, 7, 16, "render.fps"},
        {"render.size", NULL, 7, 9, "render.size"},
        {"render.size.1", "x", 7, 9, "render.size.1.x"},
        {"models.0.attach.bone", NULL, 3, 5, "models.0.attach.bone"},
        {"models.7.file", NULL, 3, 3, "models.7.file"},
        {"outputs", "0", 6, 11, "outputs.0"},
    };
    Table t;
    if (!load(&t, text, NULL))
        fail_msg("%s", t.log.text);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const DiagLocation *location = job_location(&t.job, rows[i].key, rows[i].name, t.arena);
        assert_non_null(location);
        if (location->line != rows[i].line || location->column != rows[i].column ||
            strcmp(location->key, rows[i].full) != 0)
            fail_msg("%s %s: %u:%u %s", rows[i].key, rows[i].name ? rows[i].name : "",
                     location->line, location->column, location->key);
    }
    const Job none = {.root = NULL};
    assert_null(job_location(&none, "version", NULL, t.arena));
    clear(&t);
}

/* ---- lists that are too long, and lists with a wrong item ---- */

static bool is_map_of_items(OptionType type)
{
    return type == OPTION_WEIGHTS || type == OPTION_RENAMES || type == OPTION_FILES;
}

/* A value of `count` items, the last of which is `last`; NULL: one like the others. */
static const char *many(const Option *row, size_t count, const char *last, Arena *arena)
{
    const bool is_map = is_map_of_items(row->type);
    const char *item = row->type == OPTION_LIST ? "{}" : row->choices ? row->choices[0] : "1";
    TextStream stream;
    FILE *out = text_stream_open(&stream, arena);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ", " : is_map ? "{ " : "[ ", out);
        if (is_map)
            fprintf(out, "k%zu: ", i);
        fputs(last && i + 1 == count ? last : item, out);
    }
    fputs(is_map ? " }" : " ]", out);
    return text_stream_close(&stream);
}

/* The checks of a job go on after an error, so that all are reported: with what was read. */
static void refuse(const char *key, const char *value, const char *message)
{
    Table t;
    Arena *arena = arena_create();
    const char *const set = arena_printf(arena, "%s=%s", key, value);
    if (load(&t, REST, set))
        fail_msg("%s is accepted", key);
    if (message && !strstr(t.log.text, message))
        fail_msg("%s: %s", key, t.log.text);
    clear(&t);
    arena_destroy(arena);
}

static void refuse_lists(const OptionTable *table, const char *prefix, bool is_in_list)
{
    Arena *arena = arena_create();
    for (size_t i = 0; i < table->count; i++) {
        const Option *row = &table->rows[i];
        const char *key = arena_printf(arena, "%s%s", prefix, row->key);
        const size_t most =
            row->type == OPTION_LIST && option_is_ranged(row) ? (size_t)row->max : OPTION_MAX_ITEMS;
        if (row->table)
            refuse_lists(row->table,
                         arena_printf(arena, "%s.%s", key, row->type == OPTION_LIST ? "0." : ""),
                         is_in_list || row->type == OPTION_LIST);
        if (row->type != OPTION_LIST && !is_map_of_items(row->type) && row->type != OPTION_TEXTS &&
            row->type != OPTION_NAMES && row->type != OPTION_CHOICES &&
            row->type != OPTION_CAPSULES)
            continue;
        const char *message = is_in_list ? NULL : "items; expected";
        refuse(key, many(row, most + 1, NULL, arena), message);
        refuse(key, many(row, OPTION_MAX_ITEMS + 1, NULL, arena), message);
        refuse(key, many(row, 3, "[[]]", arena), NULL);
    }
    arena_destroy(arena);
}

static void refused_lists(void **state)
{
    (void)state;
    refuse_lists(&option_job, "", false);
    refuse("scenes", "[ {}, { look: { grade: [] } } ]", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_of_following_cameras),
        cmocka_unit_test(rules),
        cmocka_unit_test(times_of_key_points),
        cmocka_unit_test(samples_by_quality),
        cmocka_unit_test(fonts),
        cmocka_unit_test(confined_paths),
        cmocka_unit_test(sizes),
        cmocka_unit_test(lists_and_maps_are_written),
        cmocka_unit_test(places_of_values),
        cmocka_unit_test(refused_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
