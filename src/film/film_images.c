#include "film/film_images.h"

enum { ALIGNMENT = 64 };

size_t film_image_bytes(const Film *film, PixelFormat format)
{
    const size_t pixels = (size_t)film->render.width * (size_t)film->render.height;
    if (format == PIXEL_TEXT)
        return pass_text_size(&film->scene);
    return pixels * (format == PIXEL_GREY16 ? 2 : 4);
}

static size_t find_image(const Film *film, Pass pass)
{
    size_t i = 0;
    while (i < film->image_count && film->images[i].pass != pass)
        i++;
    return i;
}

static void add_image(Film *film, Pass pass)
{
    const size_t bytes = film_image_bytes(film, pass_format(pass));
    film->images[film->image_count++] = (FilmImage){.pass = pass, .offset = film->image_bytes};
    film->image_bytes += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

void film_choose_images(Film *film)
{
    film->image_count = film->image_bytes = 0;
    for (size_t i = 0; i < film->output_count; i++) {
        FilmOutput *output = &film->outputs[i];
        output->image = find_image(film, output->pass);
        if (output->image == film->image_count)
            add_image(film, output->pass);
    }
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
