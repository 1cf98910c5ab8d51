// SPDX-License-Identifier: MIT
#include "media/exr/exr_file.h"

#ifdef HAVE_OPENEXR

#include <OpenEXR/openexr.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/parser_entry.h"
#include "media/exr/time_code.h"

/* Fast; the largest level makes files of passes 5 % smaller. */
enum { ZIP_LEVEL = 1 };

enum { MAX_RATIO = 1100 }; /* largest ratio of the sizes of values and of their deflated bytes */

enum { MAX_POSITION = 1 << 20 }; /* largest coordinate of a corner of a window that is read */

enum { MAX_ALLOCATION = 1 << 30 }; /* limit of OpenEXR: 256 rows of 16384 pixels, 64 channels */

const char *exr_version(void)
{
    return OPENEXR_VERSION_STRING;
}

/* ---- a context ---- */

/* A file in memory: one that grows while it is written, or one that is read. */
typedef struct Stream {
    uint8_t *data;
    size_t size, capacity;
    Diag *diag;
    bool reported;
} Stream;

/* A damaged header can ask for any size: NULL then, which OpenEXR reports. */
static void *allocate(size_t size)
{
    return size > MAX_ALLOCATION ? NULL : memory_resize(NULL, size);
}

static void report_error(exr_const_context_t context, exr_result_t code, const char *message)
{
    void *user = NULL;

    if (exr_get_user_data(context, &user) != EXR_ERR_SUCCESS || !user)
        return;
    Stream *stream = user;
    if (!stream->reported)
        diag_fail(stream->diag, code == EXR_ERR_OUT_OF_MEMORY ? DIAG_RESOURCE : DIAG_DATA,
                  "OpenEXR: %s", message);
    stream->reported = true;
}

static void reserve(Stream *stream, size_t size)
{
    if (size > stream->capacity) {
        stream->capacity = size > 2 * stream->capacity ? size : 2 * stream->capacity;
        stream->data = memory_resize(stream->data, stream->capacity);
    }
    if (size > stream->size) {
        memset(stream->data + stream->size, 0, size - stream->size);
        stream->size = size;
    }
}

static int64_t write_bytes(exr_const_context_t context, void *user, const void *bytes,
                           uint64_t size, uint64_t offset, exr_stream_error_func_ptr_t error)
{
    Stream *stream = user;

    (void)context;
    (void)error;
    if (size == 0)
        return 0;
    reserve(stream, (size_t)(offset + size));
    memcpy(stream->data + offset, bytes, (size_t)size);
    return (int64_t)size;
}

static int64_t read_bytes(exr_const_context_t context, void *user, void *out, uint64_t size,
                          uint64_t offset, exr_stream_error_func_ptr_t error)
{
    const Stream *stream = user;

    (void)context;
    (void)error;
    if (offset >= stream->size)
        return 0;
    if (size > stream->size - offset)
        size = stream->size - offset;
    memcpy(out, stream->data + offset, (size_t)size);
    return (int64_t)size;
}

static int64_t stream_size(exr_const_context_t context, void *user)
{
    (void)context;
    return (int64_t)((const Stream *)user)->size;
}

static exr_context_initializer_t initializer(Stream *stream)
{
    exr_context_initializer_t init = EXR_DEFAULT_CONTEXT_INITIALIZER;

    init.error_handler_fn = report_error;
    init.alloc_fn = allocate;
    init.free_fn = memory_free;
    init.user_data = stream;
    init.write_fn = write_bytes;
    init.read_fn = read_bytes;
    init.size_fn = stream_size;
    init.max_image_width = init.max_image_height = IMAGE_MAX_SIDE;
    init.zip_level = ZIP_LEVEL;
    init.flags = EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
    return init;
}

static bool check(exr_result_t result, Stream *stream, DiagKind kind)
{
    if (result == EXR_ERR_SUCCESS)
        return true;
    if (result == EXR_ERR_OUT_OF_MEMORY && kind == DIAG_INTERNAL) /* while writing */
        memory_exhausted(0);
    if (result == EXR_ERR_OUT_OF_MEMORY)
        kind = DIAG_RESOURCE;
    if (!stream->reported)
        diag_fail(stream->diag, kind, "OpenEXR: %s", exr_get_default_error_message(result));
    stream->reported = true;
    return false;
}

/* ---- writing ---- */

/* Primaries of Rec. ITU-R BT.709, which sRGB has too: x and y of red, green, blue and white. */
static const exr_attr_chromaticities_t PRIMARIES = {0.64f, 0.33f, 0.30f,   0.60f,
                                                    0.15f, 0.06f, 0.3127f, 0.3290f};

static ImageRect stored_part(const ExrSpec *spec)
{
    return spec->window.left < spec->window.right ? spec->window
                                                  : (ImageRect){0, 0, spec->width, spec->height};
}

static exr_attr_box2i_t box_of(ImageRect rect)
{
    exr_attr_box2i_t box;

    box.min.x = rect.left;
    box.min.y = rect.top;
    box.max.x = rect.right - 1;
    box.max.y = rect.bottom - 1;
    return box;
}

static exr_attr_m44f_t matrix_of(const float from[4][4])
{
    exr_attr_m44f_t matrix;

    memcpy(matrix.m, from, sizeof matrix.m);
    return matrix;
}

/* The attributes of a camera with a sensor of SENSOR_MM height. */
static exr_result_t set_camera(exr_context_t context, const ImageCamera *camera, int height)
{
    enum { SENSOR_MM = 24 };
    const exr_attr_m44f_t to_camera = matrix_of(camera->world_to_camera);
    const exr_attr_m44f_t to_ndc = matrix_of(camera->world_to_ndc);
    exr_result_t result = exr_attr_set_m44f(context, 0, "worldToCamera", &to_camera);

    if (result == EXR_ERR_SUCCESS)
        result = exr_attr_set_m44f(context, 0, "worldToNDC", &to_ndc);
    if (result == EXR_ERR_SUCCESS && !camera->orthographic)
        result = exr_attr_set_float(context, 0, "pinholeFocalLength",
                                    SENSOR_MM / (2.0f * camera->half_extent[1]));
    if (result == EXR_ERR_SUCCESS && !camera->orthographic)
        result = exr_attr_set_float(context, 0, "sensorPhotositePitch",
                                    1000.0f * SENSOR_MM / (float)height);
    return result;
}

static exr_result_t set_time(exr_context_t context, const ExrSpec *spec)
{
    const exr_attr_rational_t rate = {spec->fps_num, (uint32_t)spec->fps_den};
    exr_attr_timecode_t code = {0};
    exr_result_t result = exr_attr_set_rational(context, 0, "framesPerSecond", &rate);

    if (result == EXR_ERR_SUCCESS &&
        time_code_of(&code.time_and_flags, spec->frame, spec->fps_num, spec->fps_den))
        result = exr_attr_set_timecode(context, 0, "timeCode", &code);
    return result;
}

/* Width of the image plane at distance 1, of perspective projections; else 1. */
static float screen_window_width(const ExrSpec *spec)
{
    const ImageCamera *camera = spec->camera;

    return camera && !camera->orthographic ? 2.0f * camera->half_extent[0] : 1.0f;
}

static exr_result_t set_header(exr_context_t context, const ExrSpec *spec)
{
    const exr_attr_box2i_t display = box_of((ImageRect){0, 0, spec->width, spec->height});
    const exr_attr_box2i_t data = box_of(stored_part(spec));
    exr_attr_v2f_t center;
    int part = 0;
    exr_result_t result = exr_add_part(context, "passes", EXR_STORAGE_SCANLINE, &part);

    center.x = center.y = 0.0f;
    if (result == EXR_ERR_SUCCESS)
        result = exr_initialize_required_attr(context, part, &display, &data, 1.0f, &center,
                                              screen_window_width(spec), EXR_LINEORDER_INCREASING_Y,
                                              EXR_COMPRESSION_ZIP);
    for (size_t i = 0; i < spec->channel_count && result == EXR_ERR_SUCCESS; i++)
        result = exr_add_channel(context, part, spec->channels[i].name,
                                 spec->channels[i].type == EXR_TYPE_HALF ? EXR_PIXEL_HALF
                                                                         : EXR_PIXEL_FLOAT,
                                 EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1);
    for (size_t i = 0; i < spec->attribute_count && result == EXR_ERR_SUCCESS; i++)
        result =
            exr_attr_set_string(context, part, spec->attributes[i].name, spec->attributes[i].value);
    if (result == EXR_ERR_SUCCESS)
        result = exr_attr_set_chromaticities(context, part, "chromaticities", &PRIMARIES);
    if (result == EXR_ERR_SUCCESS && spec->fps_num > 0)
        result = set_time(context, spec);
    if (result == EXR_ERR_SUCCESS && spec->camera)
        result = set_camera(context, spec->camera, spec->height);
    return result == EXR_ERR_SUCCESS ? exr_write_header(context) : result;
}

/* The values of one chunk of rows, [channel][rows][width], and those of the one before it. */
typedef struct Rows {
    const ExrSpec *spec;
    ExrRowReader *read;
    void *user;
    float *values, *previous;
    float **current; /* [channel_count] of the row that is read */
    int capacity;    /* rows */
    uint8_t *packed; /* the chunk before, as it was stored; NULL: none of `capacity` rows */
    size_t packed_size;
} Rows;

static Rows make_rows(const ExrSpec *spec, ExrRowReader *read, void *user, int capacity,
                      Arena *scratch)
{
    const size_t row = spec->channel_count * (size_t)spec->width;

    return (Rows){.spec = spec,
                  .read = read,
                  .user = user,
                  .values = arena_calloc(scratch, row * (size_t)capacity, sizeof(float)),
                  .previous = arena_calloc(scratch, row * (size_t)capacity, sizeof(float)),
                  .current = arena_array(scratch, float *, spec->channel_count),
                  .capacity = capacity};
}

static float *row_of(const Rows *rows, size_t channel, int row)
{
    const size_t index = channel * (size_t)rows->capacity + (size_t)row;

    return rows->values + index * (size_t)rows->spec->width;
}

static void read_rows(const Rows *rows, int first, int count)
{
    for (int y = 0; y < count; y++) {
        for (size_t c = 0; c < rows->spec->channel_count; c++)
            rows->current[c] = row_of(rows, c, y);
        rows->read(rows->user, rows->current, first + y);
    }
}

static size_t channel_named(const ExrSpec *spec, const char *name)
{
    size_t i = 0;

    while (i + 1 < spec->channel_count && strcmp(spec->channels[i].name, name) != 0)
        i++;
    return i;
}

/* Whether the chunk is that before; in images of passes many have nothing at all. */
static bool is_repeated(const Rows *rows, int height)
{
    const size_t values =
        rows->spec->channel_count * (size_t)rows->capacity * (size_t)rows->spec->width;

    return rows->packed != NULL && height == rows->capacity &&
           memcmp(rows->values, rows->previous, values * sizeof(float)) == 0;
}

/* Keeps the chunk that was written at an offset of the stream, after its number and size. */
static void keep_chunk(Rows *rows, const Stream *stream, size_t offset)
{
    enum { HEADER = 8 };
    float *const values = rows->values;

    rows->packed_size = stream->size - offset - HEADER;
    rows->packed = memory_resize(rows->packed, rows->packed_size);
    memcpy(rows->packed, stream->data + offset + HEADER, rows->packed_size);
    rows->values = rows->previous;
    rows->previous = values;
}

static exr_result_t encode_chunk(exr_context_t context, exr_encode_pipeline_t *encoder,
                                 const exr_chunk_info_t *chunk, const Rows *rows)
{
    const bool first = encoder->channels == NULL;
    exr_result_t result = first ? exr_encoding_initialize(context, 0, chunk, encoder)
                                : exr_encoding_update(context, 0, chunk, encoder);

    if (result != EXR_ERR_SUCCESS)
        return result;
    const size_t left = (size_t)stored_part(rows->spec).left;

    for (int i = 0; i < encoder->channel_count; i++) {
        exr_coding_channel_info_t *to = &encoder->channels[i];

        to->user_data_type = EXR_PIXEL_FLOAT;
        to->user_bytes_per_element = (int16_t)sizeof(float);
        to->user_pixel_stride = (int32_t)sizeof(float);
        to->user_line_stride = (int32_t)sizeof(float) * rows->spec->width;
        to->encode_from_ptr =
            (const uint8_t *)(row_of(rows, channel_named(rows->spec, to->channel_name), 0) + left);
    }
    if (first)
        result = exr_encoding_choose_default_routines(context, 0, encoder);
    return result == EXR_ERR_SUCCESS ? exr_encoding_run(context, 0, encoder) : result;
}

static exr_result_t write_chunk(exr_context_t context, exr_encode_pipeline_t *encoder, Rows *rows,
                                const Stream *stream, int y)
{
    exr_chunk_info_t chunk;
    const size_t offset = stream->size;
    const bool first = encoder->channels == NULL; /* the table of chunks is before it */
    exr_result_t result = exr_write_scanline_chunk_info(context, 0, y, &chunk);

    if (result != EXR_ERR_SUCCESS)
        return result;
    read_rows(rows, y, chunk.height);
    if (is_repeated(rows, chunk.height))
        return exr_write_scanline_chunk(context, 0, y, rows->packed, rows->packed_size);
    result = encode_chunk(context, encoder, &chunk, rows);
    if (result == EXR_ERR_SUCCESS && !first && chunk.height == rows->capacity)
        keep_chunk(rows, stream, offset);
    return result;
}

static exr_result_t write_chunks(exr_context_t context, const ExrSpec *spec, ExrRowReader *read,
                                 void *user, const Stream *stream, Arena *scratch)
{
    exr_encode_pipeline_t encoder = {0};
    int32_t lines = 1;
    exr_result_t result = exr_get_scanlines_per_chunk(context, 0, &lines);
    Rows rows = make_rows(spec, read, user, lines, scratch);
    const ImageRect stored = stored_part(spec);

    for (int y = stored.top; y < stored.bottom && result == EXR_ERR_SUCCESS; y += lines)
        result = write_chunk(context, &encoder, &rows, stream, y);
    exr_encoding_destroy(context, &encoder);
    memory_free(rows.packed);
    return result;
}

bool exr_write(Bytes *out, const ExrSpec *spec, ExrRowReader *read_row, void *user, Arena *arena,
               Diag *diag)
{
    Arena *scratch = arena_create();
    Stream stream = {.diag = diag};
    const exr_context_initializer_t init = initializer(&stream);
    exr_context_t context = NULL;
    exr_result_t result = exr_start_write(&context, "image.exr", EXR_WRITE_FILE_DIRECTLY, &init);

    if (result == EXR_ERR_SUCCESS)
        result = set_header(context, spec);
    if (result == EXR_ERR_SUCCESS)
        result = write_chunks(context, spec, read_row, user, &stream, scratch);
    const exr_result_t finished = exr_finish(&context); /* writes the table of chunks */
    const bool good = check(result != EXR_ERR_SUCCESS ? result : finished, &stream, DIAG_INTERNAL);
    if (good)
        *out = (Bytes){arena_copy(arena, stream.data, stream.size), stream.size};
    memory_free(stream.data);
    arena_destroy(scratch);
    return good;
}

/* ---- reading ---- */

static int window_width(const ExrImage *image)
{
    return image->window.right - image->window.left;
}

static int window_height(const ExrImage *image)
{
    return image->window.bottom - image->window.top;
}

static bool check_size(const ExrImage *image, const Stream *stream)
{
    const int width = window_width(image), height = window_height(image);
    const double values = (double)width * height * (double)image->channel_count * sizeof(float);

    if (image->width < 1 || image->height < 1 || width < 1 || height < 1 ||
        image->channel_count < 1)
        return diag_fail(stream->diag, DIAG_DATA, "the image is empty");
    if (values / sizeof(float) > EXR_MAX_SAMPLES)
        return diag_fail(stream->diag, DIAG_DATA,
                         "%dx%d pixels of %zu channels are too large (at most %d samples)", width,
                         height, image->channel_count, EXR_MAX_SAMPLES);
    return values <= (double)stream->size * MAX_RATIO ||
           diag_fail(stream->diag, DIAG_DATA, "%dx%d pixels of %zu channels in %zu bytes", width,
                     height, image->channel_count, stream->size);
}

static bool set_windows(ExrImage *out, const exr_attr_box2i_t *display,
                        const exr_attr_box2i_t *data, const Stream *stream)
{
    const exr_attr_box2i_t *const boxes[] = {display, data};

    for (int i = 0; i < 2; i++)
        if (abs(boxes[i]->min.x) > MAX_POSITION || abs(boxes[i]->min.y) > MAX_POSITION ||
            abs(boxes[i]->max.x) > MAX_POSITION || abs(boxes[i]->max.y) > MAX_POSITION)
            return diag_fail(stream->diag, DIAG_DATA, "a window is beyond %d pixels", MAX_POSITION);
    out->width = display->max.x - display->min.x + 1;
    out->height = display->max.y - display->min.y + 1;
    out->window = (ImageRect){data->min.x - display->min.x, data->min.y - display->min.y,
                              data->max.x - display->min.x + 1, data->max.y - display->min.y + 1};
    return true;
}

static bool read_header(ExrImage *out, exr_context_t context, Stream *stream, Arena *arena)
{
    exr_attr_box2i_t display, data;
    exr_storage_t storage = EXR_STORAGE_SCANLINE;
    const exr_attr_chlist_t *channels = NULL;
    int parts = 0;

    if (!check(exr_get_count(context, &parts), stream, DIAG_DATA))
        return false;
    if (parts != 1)
        return diag_fail(stream->diag, DIAG_DATA, "%d parts; only files of one part can be read",
                         parts);
    if (!check(exr_get_storage(context, 0, &storage), stream, DIAG_DATA) ||
        !check(exr_get_display_window(context, 0, &display), stream, DIAG_DATA) ||
        !check(exr_get_data_window(context, 0, &data), stream, DIAG_DATA) ||
        !check(exr_get_channels(context, 0, &channels), stream, DIAG_DATA))
        return false;
    if (storage != EXR_STORAGE_SCANLINE)
        return diag_fail(stream->diag, DIAG_DATA, "the pixels are not stored in scanlines");
    out->channel_count = (size_t)channels->num_channels;
    if (!set_windows(out, &display, &data, stream) || !check_size(out, stream))
        return false;
    out->channels = arena_array(arena, ExrChannel, out->channel_count);
    out->values = arena_array(arena, float *, out->channel_count);
    for (size_t i = 0; i < out->channel_count; i++) {
        const exr_attr_chlist_entry_t *from = &channels->entries[i];
        if (from->x_sampling != 1 || from->y_sampling != 1)
            return diag_fail(stream->diag, DIAG_DATA, "channel '%s' has another size",
                             from->name.str);
        out->channels[i] =
            (ExrChannel){arena_strdup(arena, from->name.str),
                         from->pixel_type == EXR_PIXEL_HALF ? EXR_TYPE_HALF : EXR_TYPE_FLOAT};
        out->values[i] = arena_calloc(arena, (size_t)window_width(out) * (size_t)window_height(out),
                                      sizeof(float));
    }
    return true;
}

static void read_texts(ExrImage *out, exr_const_context_t context, Arena *arena)
{
    int32_t count = 0;

    exr_get_attribute_count(context, 0, &count);
    out->attributes = arena_array(arena, ExrAttribute, (size_t)count);
    for (int32_t i = 0; i < count; i++) {
        const exr_attribute_t *from = NULL;
        if (exr_get_attribute_by_index(context, 0, EXR_ATTR_LIST_FILE_ORDER, i, &from) ==
                EXR_ERR_SUCCESS &&
            from->type == EXR_ATTR_STRING)
            out->attributes[out->attribute_count++] = (ExrAttribute){
                arena_strdup(arena, from->name),
                arena_strndup(arena, from->string->str, (size_t)from->string->length)};
    }
}

static exr_result_t read_chunk(exr_context_t context, exr_decode_pipeline_t *decoder,
                               const ExrImage *image, int top, int row)
{
    exr_chunk_info_t chunk;
    exr_result_t result = exr_read_scanline_chunk_info(context, 0, top + row, &chunk);

    if (result == EXR_ERR_SUCCESS)
        result = row == 0 ? exr_decoding_initialize(context, 0, &chunk, decoder)
                          : exr_decoding_update(context, 0, &chunk, decoder);
    if (result != EXR_ERR_SUCCESS)
        return result;
    for (int i = 0; i < decoder->channel_count; i++) {
        exr_coding_channel_info_t *from = &decoder->channels[i];

        from->user_data_type = EXR_PIXEL_FLOAT;
        from->user_bytes_per_element = (int16_t)sizeof(float);
        from->user_pixel_stride = (int32_t)sizeof(float);
        from->user_line_stride = (int32_t)sizeof(float) * window_width(image);
        from->decode_to_ptr =
            (uint8_t *)(image->values[i] + (size_t)row * (size_t)window_width(image));
    }
    if (row == 0)
        result = exr_decoding_choose_default_routines(context, 0, decoder);
    return result == EXR_ERR_SUCCESS ? exr_decoding_run(context, 0, decoder) : result;
}

static exr_result_t read_chunks(exr_context_t context, const ExrImage *image)
{
    exr_decode_pipeline_t decoder = {0};
    exr_attr_box2i_t window;
    int32_t lines = 1;
    exr_result_t result = exr_get_scanlines_per_chunk(context, 0, &lines);

    if (result == EXR_ERR_SUCCESS)
        result = exr_get_data_window(context, 0, &window);
    for (int row = 0; row < window_height(image) && result == EXR_ERR_SUCCESS; row += lines)
        result = read_chunk(context, &decoder, image, window.min.y, row);
    exr_decoding_destroy(context, &decoder);
    return result;
}

bool exr_read(ExrImage *out, Bytes file, Arena *arena, Diag *diag)
{
    parser_enter("exr");
    Stream stream = {
        .data = arena_copy(arena, file.data, file.size), .size = file.size, .diag = diag};
    const exr_context_initializer_t init = initializer(&stream);
    exr_context_t context = NULL;

    *out = (ExrImage){0};
    bool good = check(exr_start_read(&context, "image.exr", &init), &stream, DIAG_DATA) &&
                read_header(out, context, &stream, arena);
    if (good) {
        read_texts(out, context, arena);
        good = check(read_chunks(context, out), &stream, DIAG_DATA);
    }
    exr_finish(&context);
    return good;
}

#else

static bool fail(Diag *diag)
{
    return diag_fail(diag, DIAG_RESOURCE,
                     ".exr files need OpenEXR; this program was built without it");
}

const char *exr_version(void)
{
    return NULL;
}

bool exr_write(Bytes *out, const ExrSpec *spec, ExrRowReader *read_row, void *user, Arena *arena,
               Diag *diag)
{
    (void)spec;
    (void)read_row;
    (void)user;
    (void)arena;
    *out = (Bytes){0};
    return fail(diag);
}

bool exr_read(ExrImage *out, Bytes file, Arena *arena, Diag *diag)
{
    (void)file;
    (void)arena;
    *out = (ExrImage){0};
    return fail(diag);
}

#endif
