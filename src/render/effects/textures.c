// SPDX-License-Identifier: MIT
#include "render/effects/textures.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum { DEPTH_BYTES = 4 }; /* of depth and stencil of a sample */

/* D3DFORMAT of a target, and what OpenGL draws on for it. */
typedef struct Format {
    const char *name;
    GLenum format;
    unsigned bytes;
    bool opaque;
} Format;

static const Format FORMATS[] = {
    {"A8R8G8B8", GL_RGBA8, 4, false},
    {"X8R8G8B8", GL_RGBA8, 4, true},
    {"A8B8G8R8", GL_RGBA8, 4, false},
    {"X8B8G8R8", GL_RGBA8, 4, true},
    {"R8G8B8", GL_RGBA8, 4, true},
    {"R5G6B5", GL_RGBA8, 4, true},
    {"X1R5G5B5", GL_RGBA8, 4, true},
    {"A1R5G5B5", GL_RGBA8, 4, false},
    {"A4R4G4B4", GL_RGBA8, 4, false},
    {"X4R4G4B4", GL_RGBA8, 4, true},
    {"L8", GL_RGBA8, 4, false},
    {"A8", GL_RGBA8, 4, false},
    {"A8L8", GL_RGBA8, 4, false},
    {"A2B10G10R10", GL_RGB10_A2, 4, false},
    {"A2R10G10B10", GL_RGB10_A2, 4, false},
    {"G16R16", GL_RG16, 4, false},
    {"L16", GL_R16, 2, false},
    {"A16B16G16R16", GL_RGBA16, 8, false},
    {"R16F", GL_R16F, 2, false},
    {"G16R16F", GL_RG16F, 4, false},
    {"A16B16G16R16F", GL_RGBA16F, 8, false},
    {"R32F", GL_R32F, 4, false},
    {"G32R32F", GL_RG32F, 8, false},
    {"A32B32G32R32F", GL_RGBA32F, 16, false},
};

/* ---- annotations ---- */

static const float *numbers_of(const EffectParameter *parameter, const char *name, size_t count)
{
    const EffectAnnotation *found =
        effect_find_annotation(parameter->annotations, parameter->annotation_count, name);

    return found != NULL && found->values != NULL && effect_type_size(found->type) >= count
               ? found->values
               : NULL;
}

int fx_levels_of(const EffectParameter *parameter, int otherwise)
{
    const float *levels = numbers_of(parameter, "MipLevels", 1);

    if (levels == NULL)
        levels = numbers_of(parameter, "Levels", 1);
    return levels == NULL ? otherwise : levels[0] >= 0 && levels[0] < 16 ? (int)levels[0] : 1;
}

static int all_levels(int width, int height)
{
    int levels = 1;

    for (int side = width > height ? width : height; side > 1; side /= 2)
        levels++;
    return levels;
}

static const Format *find_format(const EffectParameter *parameter)
{
    const EffectAnnotation *found =
        effect_find_annotation(parameter->annotations, parameter->annotation_count, "Format");
    const char *name = found != NULL && found->text != NULL ? found->text : FORMATS[0].name;

    if (strncasecmp(name, "D3DFMT_", 7) == 0)
        name += 7;
    else if (strncasecmp(name, "FMT_", 4) == 0)
        name += 4;
    for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++)
        if (strcasecmp(name, FORMATS[i].name) == 0)
            return &FORMATS[i];
    return NULL;
}

/* Larger than a target may be, but of a size that some package could ask for. */
static bool is_larger(const double size[2])
{
    enum { MOST = 65536 };

    return size[0] >= 0 && size[1] >= 0 && size[0] <= MOST && size[1] <= MOST &&
           (fmax(size[0], size[1]) > FX_MAX_SIDE || size[0] * size[1] > FX_MAX_PIXELS);
}

static bool find_size(double size[2], const EffectParameter *parameter, int width, int height)
{
    const float *ratio = numbers_of(parameter, "ViewportRatio", 2);
    const float *both = numbers_of(parameter, "Dimensions", 2);
    const float *w = numbers_of(parameter, "Width", 1), *h = numbers_of(parameter, "Height", 1);

    size[0] = width;
    size[1] = height;
    if (both != NULL) {
        size[0] = both[0];
        size[1] = both[1];
    } else if (w != NULL || h != NULL) {
        size[0] = w != NULL ? w[0] : 64;
        size[1] = h != NULL ? h[0] : 64;
    } else if (ratio != NULL) {
        size[0] = floor(width * (double)ratio[0]);
        size[1] = floor(height * (double)ratio[1]);
    }
    while ((both != NULL || w != NULL || h != NULL) && is_larger(size)) {
        size[0] = floor(size[0] / 2);
        size[1] = floor(size[1] / 2);
    }
    for (int i = 0; i < 2; i++) {
        if (!(size[i] >= 0 && size[i] <= FX_MAX_SIDE))
            return false;
        size[i] = fmax(size[i], 1);
    }
    return size[0] * size[1] <= FX_MAX_PIXELS;
}

bool fx_target_spec(FxTargetSpec *out, const EffectParameter *parameter, int width, int height,
                    const char *file, Diag *diag)
{
    const Format *format = find_format(parameter);
    const float *color = numbers_of(parameter, "ClearColor", 4);
    const float *depth = numbers_of(parameter, "ClearDepth", 1);
    const float *antialias = numbers_of(parameter, "AntiAlias", 1);
    double size[2];

    diag_file(diag, file);
    if (format == NULL)
        return diag_fail(diag, DIAG_DATA, "Format of the target '%s' is not supported",
                         parameter->name);
    if (!find_size(size, parameter, width, height))
        return diag_fail(diag, DIAG_RESOURCE,
                         "the target '%s' has %.0f x %.0f pixels (at most %d a side, %d in all)",
                         parameter->name, size[0], size[1], FX_MAX_SIDE, FX_MAX_PIXELS);
    *out = (FxTargetSpec){.width = (int)size[0],
                          .height = (int)size[1],
                          .format = format->format,
                          .opaque = format->opaque,
                          .antialias = antialias != NULL && antialias[0] != 0,
                          .clear_depth = depth != NULL ? depth[0] : 1.0f};
    const int all = all_levels(out->width, out->height), levels = fx_levels_of(parameter, 1);
    out->levels = levels == 0 || levels > all ? all : levels;
    if (color != NULL)
        memcpy(out->clear_color, color, sizeof out->clear_color);
    return true;
}

static uint64_t bytes_of(double pixels, unsigned texel, bool has_levels, bool antialias)
{
    const uint64_t levels = has_levels ? texel / 3 + 1 : 0;
    const uint64_t samples = antialias ? (uint64_t)FX_SAMPLES * (texel + DEPTH_BYTES) : 0;
    return (uint64_t)pixels * (texel + levels + samples);
}

uint64_t fx_target_bytes(const EffectParameter *parameter, int width, int height)
{
    const bool is_depth = strcasecmp(parameter->semantic, "RENDERDEPTHSTENCILTARGET") == 0;
    const Format *format = is_depth ? NULL : find_format(parameter);
    const float *antialias = numbers_of(parameter, "AntiAlias", 1);
    double size[2];

    if ((!is_depth && format == NULL) || !find_size(size, parameter, width, height))
        return 0;
    return is_depth ? bytes_of(size[0] * size[1], DEPTH_BYTES, false, false)
                    : bytes_of(size[0] * size[1], format->bytes, fx_levels_of(parameter, 1) != 1,
                               antialias != NULL && antialias[0] != 0);
}

/* ---- textures ---- */

static unsigned texel_bytes(GLenum format)
{
    for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++)
        if (FORMATS[i].format == format)
            return FORMATS[i].bytes;
    return 4;
}

bool fx_is_wide(GLenum format)
{
    return format == GL_R16F || format == GL_RG16F || format == GL_RGBA16F || format == GL_R32F ||
           format == GL_RG32F || format == GL_RGBA32F;
}

/* Channels that a format lacks read as Direct3D 9 gives them: 1. */
static void swizzle(const GlApi *gl, GLuint name, GLenum format, bool opaque)
{
    const bool one = format == GL_R16 || format == GL_R16F || format == GL_R32F;
    const bool two = format == GL_RG16 || format == GL_RG16F || format == GL_RG32F;
    const GLint channels[4] = {GL_RED, one ? GL_ONE : GL_GREEN, one || two ? GL_ONE : GL_BLUE,
                               one || two || opaque ? GL_ONE : GL_ALPHA};

    gl->TextureParameteriv(name, GL_TEXTURE_SWIZZLE_RGBA, channels);
}

bool fx_target_create(FxTexture *out, FxTextures *textures, const FxTargetSpec *spec,
                      const char *name, Diag *diag)
{
    const GlApi *gl = textures->gl;
    textures->bytes += bytes_of((double)spec->width * spec->height, texel_bytes(spec->format),
                                spec->levels > 1, spec->antialias);
    if (++textures->target_count > FX_MAX_TARGETS || textures->bytes > FX_MAX_TARGET_BYTES)
        return diag_fail(diag, DIAG_RESOURCE,
                         "the target '%s' is too much: %u targets with %llu MiB (at most %d with "
                         "%llu MiB)",
                         name, textures->target_count, (unsigned long long)(textures->bytes >> 20),
                         FX_MAX_TARGETS, (unsigned long long)(FX_MAX_TARGET_BYTES >> 20));
    *out =
        (FxTexture){.name = gl_texture(gl, spec->format, spec->levels, spec->width, spec->height),
                    .format = spec->format,
                    .width = spec->width,
                    .height = spec->height,
                    .levels = spec->levels,
                    .is_target = true,
                    .opaque = spec->opaque};
    swizzle(gl, out->name, out->format, out->opaque);
    return gl->GetError() == GL_NO_ERROR ||
           diag_fail(diag, DIAG_RESOURCE, "OpenGL rejected the target '%s' of %d x %d pixels", name,
                     spec->width, spec->height);
}

typedef struct Upload {
    GLenum format, type;
    size_t texel;
} Upload;

static Upload upload_of(PixelFormat format)
{
    return format == PIXEL_FLOAT4  ? (Upload){GL_RGBA32F, GL_FLOAT, 16}
           : format == PIXEL_HALF4 ? (Upload){GL_RGBA16F, GL_HALF_FLOAT, 8}
                                   : (Upload){GL_RGBA8, GL_UNSIGNED_BYTE, 4};
}

static int half(int side, int level)
{
    const int length = side >> level;

    return length > 0 ? length : 1;
}

static void create_volume(FxTexture *out, const TextureFile *file, const GlApi *gl)
{
    const Upload upload = upload_of(file->format);
    GLuint name = 0;

    gl->CreateTextures(GL_TEXTURE_3D, 1, &name);
    gl->TextureStorage3D(name, 1, upload.format, file->width, file->height, file->depth);
    gl->TextureSubImage3D(name, 0, 0, 0, 0, file->width, file->height, file->depth, GL_RGBA,
                          upload.type, file->pixels);
    *out = (FxTexture){.name = name,
                       .format = upload.format,
                       .width = file->width,
                       .height = file->height,
                       .levels = 1,
                       .dimension = EFFECT_3D};
}

void fx_picture_create(FxTexture *out, const TextureFile *file, int levels, const GlApi *gl)
{
    const Upload upload = upload_of(file->format);
    const int all = all_levels(file->width, file->height);
    const int wanted = levels == 0 || levels > all ? all : levels;
    const int given = file->levels < wanted ? file->levels : wanted;
    const bool cube = file->faces == 6;
    const uint8_t *at = file->pixels;
    GLuint name = 0;

    if (file->depth > 0) {
        create_volume(out, file, gl);
        return;
    }
    gl->CreateTextures(cube ? GL_TEXTURE_CUBE_MAP : GL_TEXTURE_2D, 1, &name);
    gl->TextureStorage2D(name, wanted, upload.format, file->width, file->height);
    *out = (FxTexture){.name = name,
                       .format = upload.format,
                       .width = file->width,
                       .height = file->height,
                       .levels = wanted,
                       .dimension = cube ? EFFECT_CUBE : EFFECT_2D,
                       .picture = file->frames > 1 ? file : NULL};
    for (int face = 0; face < file->faces; face++)
        for (int level = 0; level < file->levels; level++) {
            const int w = half(file->width, level), h = half(file->height, level);

            if (level < given && cube)
                gl->TextureSubImage3D(name, level, 0, 0, face, w, h, 1, GL_RGBA, upload.type, at);
            else if (level < given)
                gl->TextureSubImage2D(name, level, 0, 0, w, h, GL_RGBA, upload.type, at);
            at += (size_t)w * (size_t)h * upload.texel;
        }
    if (given < wanted)
        gl->GenerateTextureMipmap(name);
}

void fx_picture_show(FxTexture *texture, double time, const GlApi *gl)
{
    const TextureFile *file = texture->picture;
    const Upload upload = upload_of(file->format);
    const size_t size = (size_t)file->width * (size_t)file->height * upload.texel;
    const double length = file->frame_ends[file->frames - 1];
    int frame = 0;

    if (length > 0 && isfinite(time))
        time -= floor(time / length) * length;
    while (frame + 1 < file->frames && !(time < file->frame_ends[frame]))
        frame++;
    if (frame == texture->shown)
        return;
    texture->shown = frame;
    gl->TextureSubImage2D(texture->name, 0, 0, 0, file->width, file->height, GL_RGBA, upload.type,
                          file->pixels + (size_t)frame * size);
    if (texture->levels > 1)
        gl->GenerateTextureMipmap(texture->name);
}

int fx_texels_texture(const Effect *effect, const EffectParameter *p)
{
    const EffectAnnotation *name =
        effect_find_annotation(p->annotations, p->annotation_count, "TextureName");

    return strcasecmp(p->semantic, "TEXTUREVALUE") == 0 && p->type.base == EFFECT_FLOAT &&
                   p->type.rows == 1 && p->type.columns == 4 && name != NULL && name->text != NULL
               ? effect_find_parameter(effect, name->text)
               : -1;
}

void fx_plain_create(FxTexture *out, const uint8_t rgba[4], const GlApi *gl)
{
    *out = (FxTexture){.name = gl_texture(gl, GL_RGBA8, 1, 1, 1),
                       .format = GL_RGBA8,
                       .width = 1,
                       .height = 1,
                       .levels = 1};
    gl->TextureSubImage2D(out->name, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
}

/* ---- depths and framebuffers ---- */

FxDepth *fx_depth(FxTextures *textures, const void *owner, int width, int height, int samples)
{
    const GlApi *gl = textures->gl;

    for (size_t i = 0; i < textures->depth_count; i++) {
        FxDepth *d = textures->depths[i];

        if (d->owner == owner && d->width == width && d->height == height && d->samples == samples)
            return d;
    }
    if (textures->depth_count == textures->depth_capacity)
        textures->depths = arena_grow(textures->arena, textures->depths, textures->depth_count,
                                      &textures->depth_capacity, sizeof *textures->depths);
    FxDepth *depth = arena_array(textures->arena, FxDepth, 1);
    *depth = (FxDepth){.owner = owner, .width = width, .height = height, .samples = samples};
    gl->CreateRenderbuffers(1, &depth->buffer);
    if (samples > 1)
        gl->NamedRenderbufferStorageMultisample(depth->buffer, samples, GL_DEPTH24_STENCIL8, width,
                                                height);
    else
        gl->NamedRenderbufferStorage(depth->buffer, GL_DEPTH24_STENCIL8, width, height);
    textures->depths[textures->depth_count++] = depth;
    return depth;
}

GLuint fx_framebuffer(FxTextures *textures, const GLuint colors[EFFECT_COLOR_TARGETS], GLuint depth)
{
    const GlApi *gl = textures->gl;
    GLenum buffers[EFFECT_COLOR_TARGETS];

    for (size_t i = 0; i < textures->framebuffer_count; i++) {
        const FxFramebuffer *f = &textures->framebuffers[i];

        if (f->depth == depth && memcmp(f->colors, colors, sizeof f->colors) == 0)
            return f->name;
    }
    if (textures->framebuffer_count == textures->framebuffer_capacity)
        textures->framebuffers =
            arena_grow(textures->arena, textures->framebuffers, textures->framebuffer_count,
                       &textures->framebuffer_capacity, sizeof *textures->framebuffers);
    FxFramebuffer *f = &textures->framebuffers[textures->framebuffer_count++];
    *f = (FxFramebuffer){.depth = depth};
    memcpy(f->colors, colors, sizeof f->colors);
    gl->CreateFramebuffers(1, &f->name);
    for (GLuint i = 0; i < EFFECT_COLOR_TARGETS; i++) {
        buffers[i] = colors[i] != 0 ? GL_COLOR_ATTACHMENT0 + i : GL_NONE;
        if (colors[i] != 0)
            gl->NamedFramebufferTexture(f->name, GL_COLOR_ATTACHMENT0 + i, colors[i], 0);
    }
    gl->NamedFramebufferDrawBuffers(f->name, EFFECT_COLOR_TARGETS, buffers);
    if (depth != 0)
        gl->NamedFramebufferRenderbuffer(f->name, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                                         depth);
    return f->name;
}

/* ---- reading ---- */

void fx_texture_clear(FxTexture *texture, const FxTextures *textures, const float color[4])
{
    memcpy(texture->color, color, sizeof texture->color);
    texture->is_plain = texture->is_pending = true;
    texture->stale_levels = texture->levels > 1;
    texture->frame = textures->frame;
}

bool fx_texture_is_used(const FxTexture *texture, const FxTextures *textures)
{
    return texture->frame >= textures->kept_from;
}

void fx_texture_settle(FxTexture *texture, const FxTextures *textures)
{
    static const float nothing[4] = {0};

    if (!fx_texture_is_used(texture, textures))
        fx_texture_clear(texture, textures, nothing);
    if (texture->is_pending)
        textures->gl->ClearTexSubImage(texture->name, 0, 0, 0, 0, texture->width, texture->height,
                                       1, GL_RGBA, GL_FLOAT, texture->color);
    texture->is_pending = false;
}

void fx_texture_drawn(FxTexture *texture, const FxTextures *textures)
{
    texture->frame = textures->frame;
    texture->is_plain = texture->is_pending = false;
    texture->stale_levels = texture->levels > 1;
}

GLuint fx_texture_read(FxTexture *texture, FxTextures *textures, bool srgb)
{
    const GlApi *gl = textures->gl;

    if (texture->is_target)
        fx_texture_settle(texture, textures);
    if (texture->stale_levels && texture->levels > 1)
        gl->GenerateTextureMipmap(texture->name);
    texture->stale_levels = false;
    if (!srgb || texture->format != GL_RGBA8 || texture->dimension == EFFECT_CUBE ||
        texture->dimension == EFFECT_3D)
        return texture->name;
    if (texture->linear == 0) {
        gl->GenTextures(1, &texture->linear);
        gl->TextureView(texture->linear, GL_TEXTURE_2D, texture->name, GL_SRGB8_ALPHA8, 0,
                        (GLuint)texture->levels, 0, 1);
        swizzle(gl, texture->linear, texture->format, texture->opaque);
    }
    return texture->linear;
}

GLuint fx_texture_copy(FxTexture *texture, const GlApi *gl)
{
    if (texture->copy == 0) {
        texture->copy = gl_texture(gl, texture->format, 1, texture->width, texture->height);
        swizzle(gl, texture->copy, texture->format, texture->opaque);
    }
    gl->CopyImageSubData(texture->name, GL_TEXTURE_2D, 0, 0, 0, 0, texture->copy, GL_TEXTURE_2D, 0,
                         0, 0, 0, texture->width, texture->height, 1);
    return texture->copy;
}

/* ---- several samples per pixel ---- */

GLuint fx_texture_samples(FxTexture *texture, const FxTextures *textures, Diag *diag)
{
    const GlApi *gl = textures->gl;

    if (texture->samples != 0)
        return texture->samples;
    gl->CreateFramebuffers(1, &texture->samples);
    gl_attach_buffer(gl, texture->samples, GL_COLOR_ATTACHMENT0, FX_SAMPLES, texture->format,
                     texture->width, texture->height);
    gl_attach_buffer(gl, texture->samples, GL_DEPTH_STENCIL_ATTACHMENT, FX_SAMPLES,
                     GL_DEPTH24_STENCIL8, texture->width, texture->height);
    if (gl_is_complete(gl, texture->samples))
        return texture->samples;
    diag_fail(diag, DIAG_RESOURCE, "OpenGL rejected an antialiased target of %d x %d pixels",
              texture->width, texture->height);
    return 0;
}

void fx_texture_resolve(FxTexture *texture, FxTextures *textures)
{
    const GLuint names[EFFECT_COLOR_TARGETS] = {texture->name};

    textures->gl->BlitNamedFramebuffer(texture->samples, fx_framebuffer(textures, names, 0), 0, 0,
                                       texture->width, texture->height, 0, 0, texture->width,
                                       texture->height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}
