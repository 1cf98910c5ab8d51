// SPDX-License-Identifier: MIT
#include "film/film_images.h"

#include <string.h>

#include "base/file.h"
#include "base/name_pattern.h"
#include "base/path.h"
#include "picture/passes/keypoints.h"
#include "picture/passes/pass_painter.h"

enum { ALIGNMENT = 64 };

size_t film_image_bytes(const Film *film, PixelFormat format)
{
    const size_t pixels = (size_t)film->render.width * (size_t)film->render.height;
    const size_t scale = (size_t)film->passes.label_scale;
    size_t largest;
    switch (format) {
    case PIXEL_TEXT:
        largest = 0;
        for (size_t i = 0; i < film->scene_count; i++) {
            const size_t size = pass_text_size(&film->scenes[i].scene);
            largest = size > largest ? size : largest;
        }
        return largest;
    case PIXEL_CAMERA:
        return sizeof(ImageCamera);
    case PIXEL_GREY16:
        return 2 * pixels;
    case PIXEL_HALF4:
        return 8 * pixels;
    case PIXEL_FLOAT4:
        return 16 * pixels;
    case PIXEL_LABELS:
        return scale * scale * film->passes.label_size * pixels;
    default:
        return 4 * pixels;
    }
}

static size_t find_image(const Film *film, Pass pass)
{
    size_t i = 0;
    while (i < film->image_count && film->images[i].pass != pass)
        i++;
    return i;
}

/* The index of the image of a pass, which is added if it is new. */
static size_t image_of(Film *film, Pass pass)
{
    const size_t index = find_image(film, pass);
    if (index < film->image_count)
        return index;
    const size_t bytes = film_image_bytes(film, pass_format(pass));
    film->images[film->image_count++] = (FilmImage){.pass = pass, .offset = film->image_bytes};
    film->image_bytes += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return index;
}

void film_choose_images(Film *film)
{
    film->image_count = film->image_bytes = 0;
    for (size_t i = 0; i < film->output_count; i++) {
        FilmOutput *output = &film->outputs[i];
        for (size_t k = 0; k < output->layer_count; k++)
            output->layer_images[k] = image_of(film, output->layers[k]);
        output->image = image_of(film, output->pass);
    }
    film->parts_offset = film->image_bytes;
    film->image_bytes += sizeof(ImageRect) * film->image_count;
}

ImageRect *film_image_parts(const Film *film, uint8_t *pixels)
{
    return (ImageRect *)(void *)(pixels + film->parts_offset);
}

Film film_part(const Film *film, const RenderOptions *render, FrameRanges frames,
               FilmOutput *outputs, size_t count)
{
    Film part = *film;
    part.render = *render;
    part.frames = frames;
    part.frame_count = film_frame_count(&frames);
    part.outputs = outputs;
    part.output_count = count;
    part.segment_frames = 1;
    part.ordered = false;
    for (size_t i = 0; i < count; i++)
        part.ordered |= outputs[i].kind->ordered;
    film_choose_images(&part);
    return part;
}

void film_part_alone(Film *part)
{
    const double still_s = 2; /* more hardly brings hair nearer to that of the film */
    const char *bake = part->job->physics.bake;
    if (strcmp(bake, "auto") != 0 && strcmp(bake, "none") != 0)
        return;
    part->simulated = part->frames;
    part->preroll_s = still_s;
}

bool film_has_image(const Film *film, Pass pass)
{
    return find_image(film, pass) < film->image_count;
}

Image film_image(const Film *film, size_t index, uint8_t *pixels)
{
    const FilmImage *image = &film->images[index];
    return (Image){.width = film->render.width,
                   .height = film->render.height,
                   .has_alpha = film->render.alpha && image->pass == PASS_BEAUTY,
                   .pixels = pixels + image->offset};
}

const BoneAlias *film_bone_aliases(size_t *count, const Job *job, Arena *arena)
{
    const JobPasses *passes = &job->passes;
    BoneAlias *aliases = arena_array(arena, BoneAlias, passes->bone_count);
    for (size_t i = 0; i < passes->bone_count; i++)
        aliases[i] = (BoneAlias){passes->bones[i].from, passes->bones[i].to};
    *count = passes->bone_count;
    return aliases;
}

const char *film_note_name(const char *output, const char *format, Pass pass, Arena *arena)
{
    if (!sink_is_sequence(output, format) || !name_pattern_has_number(output))
        return arena_printf(arena, "%s.json", output);
    return arena_printf(arena, "%s%s.json", path_directory(output, arena), pass_name(pass));
}

/* Digests and discarded frames have nothing beside them, nor has a stream. */
static bool has_note(const FilmOutput *output)
{
    const bool values = output->pass == PASS_DEPTH || output->pass == PASS_MASK_MODEL ||
                        output->pass == PASS_MASK_MATERIAL;
    return values && output->kind != &sink_null && output->kind != &sink_hash &&
           output->kind != &sink_tar && !file_is_stream(output->options.file);
}

const char *film_note_file(const FilmOutput *output, Arena *arena)
{
    return has_note(output)
               ? film_note_name(output->options.file, output->options.format, output->pass, arena)
               : NULL;
}
