#include "film/output_keys.h"

#include <string.h>

#include "format/yaml.h"
#include "job/job_place.h"
#include "job/option_error.h"

static const char *const video_keys[] = {"codec",        "crf",         "preset",    "gop",
                                         "pixel_format", "audio_codec", "audio_kbps"};
enum { VIDEO_KEYS = sizeof video_keys / sizeof *video_keys };

/* Whether the command line gives a key of an output a value other than its default. */
static bool is_given(const Job *job, size_t index, const char *key)
{
    const YamlNode *outputs = job->root ? yaml_find(job->root, "outputs") : NULL;
    const YamlNode *output = outputs ? yaml_item(outputs, index) : NULL;
    const YamlNode *value = output ? yaml_find(output, key) : NULL;
    return value && option_is_from_command_line(value) && !yaml_is_null(value) &&
           strcmp(value->text, "auto") != 0;
}

static bool is_video(const SinkKind *kind)
{
    return kind == &sink_ffmpeg || kind == &sink_ffmpeg_unsegmented;
}

static bool report_key(const FilmOutput *output, const Job *job, size_t index, const char *key,
                       Arena *arena, Diag *diag)
{
    const char *name = arena_printf(arena, "outputs.%zu.%s", index, key);
    return diag_fail_at(
        diag, job_place(job, name, NULL, arena), DIAG_JOB, "'%s': %s", output->options.file,
        is_video(output->kind) ? "its codec has no such option" : "only videos have this option");
}

bool output_keys_check(const FilmOutput *output, const Job *job, size_t index, Arena *arena,
                       Diag *diag)
{
    bool good = true;
    for (size_t i = 0; i < VIDEO_KEYS; i++) {
        const char *key = video_keys[i];
        if (is_given(job, index, key) &&
            !(is_video(output->kind) && sink_ffmpeg_has_key(&output->options, key)))
            good = report_key(output, job, index, key, arena, diag);
    }
    return good;
}
