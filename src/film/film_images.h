// SPDX-License-Identifier: MIT
/*
 * film_images.h - the images that a worker draws for each frame: one for each pass that outputs
 * take
 *
 * They are stored one after another in the slot of the frame (run/workers/worker_pool.h).
 */
#pragma once

#include "film/film.h"

/* Sets images, image_count and image_bytes of the film, and `image` of its outputs. */
void film_choose_images(Film *film);

/*
 * A film of some frames of another one, for previews and samples: with the same scene, drawn with
 * `render` and written to outputs[count] instead, in segments of one frame.
 *
 * frames  ascending ranges of output frames
 */
Film film_part(const Film *film, const RenderOptions *render, FrameRanges frames,
               FilmOutput *outputs, size_t count);

/* Lets physics of such a film begin shortly before its own frames (physics.preroll_s), instead of
 * before those of the film that it is of. */
void film_part_alone(Film *part);

/* Whether an output takes a pass. */
bool film_has_image(const Film *film, Pass pass);

/* The image with this index of a frame whose slot has these pixels. */
Image film_image(const Film *film, size_t index, uint8_t *pixels);

/* The parts of the images of a frame that are set, [image_count], which follow them in its slot:
 * outside of them is nothing. */
ImageRect *film_image_parts(const Film *film, uint8_t *pixels);

/* The JSON beside an output of a pass that says what its values mean: depth/depth.json for
 * "depth/%05d.png", mask.mkv.json for mask.mkv; film_note_file: NULL for outputs that need none. */
const char *film_note_name(const char *output, const char *format, Pass pass, Arena *arena);
const char *film_note_file(const FilmOutput *output, Arena *arena);

/* Other names of bones that the job gives for the pose. */
const struct BoneAlias *film_bone_aliases(size_t *count, const Job *job, Arena *arena);

/* Bytes of an image of the film. */
size_t film_image_bytes(const Film *film, PixelFormat format);
