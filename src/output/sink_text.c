// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/json.h"
#include "base/text_stream.h"
#include "output/sink.h"

/* Writes one text file per frame: keypoints as JSON (PIXEL_TEXT), or the camera. */

static bool check_options(const SinkOptions *options, Diag *diag)
{
    if (options->pixels != PIXEL_TEXT && options->pixels != PIXEL_CAMERA)
        return diag_fail(diag, DIAG_JOB,
                         "'%s': a JSON file can contain only the passes 'keypoints' and 'camera'",
                         options->file);
    return sink_png_check_name(options, diag);
}

static void write_matrix(Json *json, const char *key, const float matrix[4][4])
{
    json_key(json, key);
    json_print(json, "[");
    for (int row = 0; row < 4; row++)
        json_floats(json, matrix[row], 4);
    json_print(json, "]");
}

const char *sink_camera_json(const ImageCamera *camera, int width, int height, Arena *arena)
{
    TextStream stream;
    Json json = json_init(text_stream_open(&stream, arena));
    const double scale[2] = {width / (2 * (double)camera->half_extent[0]),
                             height / (2 * (double)camera->half_extent[1])};

    json_print(&json, "{width:%d height:%d orthographic:%hhd", width, height, camera->orthographic);
    write_matrix(&json, "world_to_camera", camera->world_to_camera);
    write_matrix(&json, "world_to_ndc", camera->world_to_ndc);
    json_print(&json, "focal_px:[%.9g, %.9g] center_px:[%g, %g]}\n", scale[0], scale[1],
               width / 2.0, height / 2.0);
    return text_stream_close(&stream);
}

static bool write_text(Sink *sink, const Image *image, int64_t frame, Diag *diag)
{
    const SinkOptions *options = &sink->options;
    const void *pixels = image->pixels;
    Arena *scratch = arena_create();
    const char *text = options->pixels == PIXEL_CAMERA
                           ? sink_camera_json(pixels, options->width, options->height, scratch)
                           : pixels;
    const bool good = sink_png_save(sink, text, strlen(text), frame, diag);
    arena_destroy(scratch);
    return good;
}

const SinkKind sink_text = {.name = "text",
                            .extension = "json",
                            .help = "passes keypoints and camera as JSON",
                            .check = check_options,
                            .each_frame = true,
                            .open = sink_png_open,
                            .write = write_text,
                            .verify = sink_png_verify_file,
                            .inspect = sink_png_inspect};
