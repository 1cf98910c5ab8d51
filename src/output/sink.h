// SPDX-License-Identifier: MIT
/*
 * sink.h - outputs: where finished images are written
 *
 * A sink writes images of one size.  There are two classes of sinks:
 *   ordered    video, hash, sheet, webp, gif: images arrive one by one in the order of their frames
 *              (encoder process)
 *   unordered  PNG and EXR sequences, null: every image is a file of its own (or none); several
 * worker processes write at the same time, each with its own Sink, in any order
 *
 * Life cycle: create -> write... -> finish, which commits and reads back what was written; destroy
 * at any time, which removes everything that is not committed.  Images of a PNG sequence are
 * complete, and remain, as soon as write returns.  Reading back means: a video is opened as a
 * container and its frames are counted; of a PNG file the header and the last chunk are compared.
 * After an error only destroy may be called.  Not thread-safe.
 */
#pragma once

#include <signal.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/image.h"
#include "base/projection.h"
#include "output/sheet.h"
#include "output/video_options.h"
#include "typesetting/font.h"

/* ---- the layers of a file with several images of a frame (.exr, .tar): what they mean ---- */

typedef enum SinkLayerKind {
    SINK_LAYER_COLOR,   /* PIXEL_RGBA8 -> R, G, B, and A of an image with alpha */
    SINK_LAYER_GREY,    /* PIXEL_RGBA8, of which only red is used -> Y */
    SINK_LAYER_DEPTH,   /* PIXEL_FLOAT -> Z */
    SINK_LAYER_NORMAL,  /* PIXEL_HALF4 -> X, Y, Z */
    SINK_LAYER_VECTOR,  /* PIXEL_FLOAT4 -> X, Y, Z, W */
    SINK_LAYER_MATTE,   /* PIXEL_LABELS -> Cryptomatte, only in .exr */
    SINK_LAYER_NUMBERS, /* PIXEL_GREY16: labels of pixels, only in .tar */
    SINK_LAYER_TEXT,    /* PIXEL_TEXT: JSON, only in .tar */
    SINK_LAYER_CAMERA   /* PIXEL_CAMERA -> attributes, or JSON */
} SinkLayerKind;

typedef struct SinkLayer {
    SinkLayerKind kind;
    const char *name;  /* .exr: prefix of the channels' names, "N" for N.X, "" for none; .tar:
                        * name of the pass */
    bool alpha;        /* SINK_LAYER_COLOR: straight alpha is stored */
    int samples;       /* SINK_LAYER_MATTE: labels in a pixel */
    size_t label_size; /* SINK_LAYER_MATTE: 1 (uint8_t) or 2 (uint16_t) bytes */
    const char *const *names; /* MATTE, NUMBERS: [name_count] of the labels from 1 */
    size_t name_count;
} SinkLayer;

/* The image of a layer in a frame. */
typedef struct SinkLayerImage {
    Image image;
    ImageRect part; /* outside of it there is nothing, and pixels are not set */
} SinkLayerImage;

/* ---- options ---- */

/* Sound for a container: 32-bit float, interleaved, sample 0 belongs to the first frame. */
typedef struct SinkSound {
    const float *samples; /* frames * channels; NULL if there is no sound */
    size_t frames;
    int channels; /* 1 or 2 */
    int rate;     /* Hz */
} SinkSound;

typedef struct SinkTag { /* container metadata */
    const char *key, *value;
} SinkTag;

typedef struct SinkChapter {
    double start_s; /* since the first frame */
    const char *title;
} SinkChapter;

/* A picture that players show for a file: the bytes of a PNG or JPEG file. */
typedef struct SinkCover {
    const uint8_t *data; /* NULL: none */
    size_t size;
    bool jpeg;
    int width, height;
} SinkCover;

/* What a video file contains besides its images, and what players need to know of them. */
typedef struct SinkContents {
    SinkSound sound;
    struct SoundTrack *sound_track; /* its packets, encoded in part (sound_track.h), for
                                     * SinkSegments.join; NULL: all are encoded there */
    const SinkTag *tags;
    size_t tag_count;
    const SinkChapter *chapters; /* in ascending order */
    size_t chapter_count;
    SinkCover cover;
    Projection projection;
    Stereo stereo;
} SinkContents;

/* Options of contact sheets, whose SinkOptions.width and height are the size of one cell. */
typedef struct SinkSheetOptions {
    int columns, rows;
    int64_t last_frame; /* the largest frame number in a label */
    FontSources fonts;  /* of the labels, if they fit in them */
} SinkSheetOptions;

/* Strings are borrowed and must outlive the sink. */
typedef struct SinkOptions {
    const char *file;      /* "out/dance.mp4", "out/%05d.png" */
    const char *film_file; /* for a segment: the film's file, which selects container and codec */
    const char *format;    /* an extension, "mkv", or a name of libavformat, "matroska"; NULL or
                            * "auto": the extension of the file */
    int width, height;
    int fps_num, fps_den;
    PixelFormat pixels;           /* format of the images' pixels */
    bool alpha;                   /* keep the alpha channel */
    int64_t first_frame;          /* number of the first frame */
    int64_t frame_count;          /* frames to be written, which finish checks; 0: unknown */
    const FileApproval *approval; /* asked before a file is renamed to its name; or NULL */
    const SinkLayer *layers;      /* [layer_count] of an image with layers */
    size_t layer_count;
    bool crop_layers; /* store only the part of an image with layers where there is something */
    VideoOptions video;
    SinkContents contents; /* of a video */
    int threads;           /* of a video's encoder; 0: all cores */
    double crf_offset;     /* added to the constant quality of a video whose size is searched for */
    bool checked; /* SinkKind.check reported the warnings; sink_create does not repeat them */
    SinkSheetOptions sheet;
} SinkOptions;

/* The record of one frame: the size of its bytes in a file, and their SHA-256. */
typedef struct SinkRecord {
    uint64_t bytes;
    Digest digest;
} SinkRecord;

typedef struct SinkKind SinkKind;

typedef struct Sink {
    const SinkKind *kind;
    Arena *arena; /* until sink_destroy */
    SinkOptions options;
    int64_t written;   /* images so far */
    SinkRecord record; /* record of the last image, in SinkKind.each_frame */
    void *own;         /* data of the kind, in the arena */
} Sink;

/* A segment that a finished file contains. */
typedef struct SinkPart {
    const char *segment; /* the file to write */
    int64_t first;       /* index of its first frame in the finished file */
    size_t count;
    const SinkRecord *records; /* [count] of its frames */
} SinkPart;

/*
 * Segments of an ordered output: each holds a range of consecutive frames, encoded by an encoder of
 * its own with closed groups of pictures, and is a file of its own.  So a stopped film resumes at
 * its last segment, and many machines can render one film (README.md 2).  Joining does not encode
 * frames again; sound is encoded there.  The joined file does not depend on which process wrote
 * which segment, nor when.
 */
typedef struct SinkSegments {
    /* Writes one segment: options.file is the segment, film_file the film, frame_count the number
     * of frames in the segment; sound and tags are ignored. */
    const struct SinkKind *kind;
    const char *extension; /* extension of a segment's file name, without dot */
    /* Reads the record of each of the `count` frames of a segment, in their order.  False, without
     * an error, if the file is missing or damaged, or has another number of frames. */
    bool (*inspect)(SinkRecord *out, size_t count, const char *segment);
    /* Writes the whole file from its segments, in order, and reads it back.  Polls *stop: a value
     * other than 0 makes it return false without an error. */
    bool (*join)(const SinkOptions *options, const char *const *segments, size_t count,
                 const volatile sig_atomic_t *stop, Diag *diag);
    /* Writes segments again, from the finished file at options.file.  Those whose frames have other
     * records there are left out without an error.  parts: ascending.  Polls *stop as `join`.  NULL
     * if the finished file does not contain the bytes of its segments. */
    bool (*restore)(const SinkOptions *options, const SinkPart *parts, size_t count,
                    const volatile sig_atomic_t *stop, Diag *diag);
} SinkSegments;

struct SinkKind {
    const char *name; /* "png", "video", "hash", "null", "sheet", "webp", "gif" */
    bool ordered;
    const char *extension; /* the file name extension, or format, that selects this kind; or NULL */
    const char *help;      /* with an extension: what such a file contains */
    /* Whether a file name, or a format (as in SinkOptions), selects this kind; NULL: by its
     * extension alone, or only previews select it. */
    bool (*matches)(const char *file, const char *format);
    /* Validates options without creating a file; NULL if there is nothing to validate. */
    bool (*check)(const SinkOptions *options, Diag *diag);
    /* Whether every frame has a file of its own, or none: its record is in Sink.record. */
    bool each_frame;
    /* Calls of sink_create, sink_write, sink_write_layers, sink_finish and sink_destroy; `close`
     * also follows a failed `open`.  Each may be NULL, but one of the writing calls. */
    bool (*open)(Sink *sink, Diag *diag);
    bool (*write)(Sink *sink, const Image *image, int64_t frame, Diag *diag);
    bool (*write_layers)(Sink *sink, const SinkLayerImage *images, int64_t frame, Diag *diag);
    bool (*finish)(Sink *sink, Diag *diag);
    void (*close)(Sink *sink);
    /* One file per frame: verifies the file of a frame, written by any process.  Else NULL. */
    bool (*verify)(const SinkOptions *options, int64_t frame, Diag *diag);
    /* One file per frame: reads the record of a frame's file.  False, without an error, if there is
     * no such file.  Else NULL. */
    bool (*inspect)(SinkRecord *out, const SinkOptions *options, int64_t frame);
    const SinkSegments *segments; /* ordered kinds that can be written in segments; else NULL */
};

/* NULL after an error. */
Sink *sink_create(const SinkKind *kind, const SinkOptions *options, Diag *diag);

/* Images of the size in the options; sink_write_layers: [layer_count] of a file with layers. */
bool sink_write(Sink *sink, const Image *image, int64_t frame, Diag *diag);
bool sink_write_layers(Sink *sink, const SinkLayerImage *images, int64_t frame, Diag *diag);

/* An error if fewer or more frames were written than expected. */
bool sink_finish(Sink *sink, Diag *diag);
void sink_destroy(Sink *sink); /* NULL is fine */

extern const SinkKind sink_png, sink_text, sink_exr, sink_tar, sink_ffmpeg, sink_hash, sink_null,
    sink_rated;

/* Videos that cannot be written in segments, because the segment container does not support their
 * codecs: animated PNG, YUV4MPEG and some outdated formats. */
extern const SinkKind sink_ffmpeg_unsegmented;
/* One of these, or a GIF; NULL is not. */
bool sink_is_video(const SinkKind *kind);

/* The kind for a video with a bit rate or a largest size, if the options ask for one, instead of
 * `kind`; NULL after an error (DIAG_JOB); others are returned as they are. */
const SinkKind *sink_with_rate(const SinkKind *kind, const SinkOptions *options, Diag *diag);

/* For FIFOs and devices, which are written to directly: digests without segments, and whether the
 * container can be written without seeking. */
extern const SinkKind sink_hash_stream;
bool sink_ffmpeg_can_stream(const char *file, const char *format);

/* Animations that loop forever, whose images share one palette. */
extern const SinkKind sink_gif;

/* A contact sheet as PNG, and animations that loop forever as WebP with optional alpha.  Previews
 * select them; file names do not. */
extern const SinkKind sink_sheet, sink_webp;

/* Checks that the codecs of a video exist and that the container supports them; creates no file. */
bool sink_ffmpeg_check(const SinkOptions *options, Diag *diag);

/* GIF delays are whole hundredths of a second, and browsers replace a delay of 1 by 10. */
enum { SINK_GIF_MAX_FPS = 50 };

/* The kind for a file name: png for *.png, exr for *.exr, tar for *.tar, hash for *.sha256, null
 * for "null:", video for any name that libavformat has a muxer for; NULL after an error otherwise.
 * format: as in SinkOptions. */
const SinkKind *sink_find(const char *file, const char *format, Diag *diag);

/* Whether the path is that of an image sequence (base/name_pattern.h), by its kind; other outputs
 * are single files. */
bool sink_is_sequence(const char *file, const char *format);

/* Lists what is written: the extensions of each kind, with the default codecs of videos. */
void sink_write_formats(FILE *out);

/* The extension that selects the kind of a sink: `format`, or that of the file; "" for none. */
const char *sink_extension(const char *file, const char *format);

/* Frames between key frames: as in the options, else those of one second, clamped to 30..240. */
int sink_gop(const SinkOptions *options);

/* The layout of the sheet that sink_sheet makes. */
SheetSpec sink_sheet_spec(const SinkOptions *options);

/* Whether the encoder of a video has a constant rate factor (key "crf"), or presets ("preset");
 * true for other keys, and for options that sink_ffmpeg_check refuses. */
bool sink_ffmpeg_has_key(const SinkOptions *options, const char *key);

/* For sinks with a file of its own for each frame: SinkKind.open, which checks the options and that
 * the first file can be created; and the whole file of a frame. */
bool sink_png_open(Sink *sink, Diag *diag);
bool sink_png_save(Sink *sink, const void *data, size_t size, int64_t frame, Diag *diag);

/* One image to a file of this very name, with alpha if the image has it.  An existing file is
 * replaced; approval: or NULL */
bool sink_png_save_image(const char *file, const Image *image, const FileApproval *approval,
                         Diag *diag);

/* The bytes of a WebP file for a page that contains its images: lossy, with alpha only if the image
 * has it.  quality: 0..100.  Errors: DIAG_RESOURCE, DIAG_INTERNAL. */
bool sink_webp_encode(Bytes *out, const Image *image, int quality, Arena *arena, Diag *diag);

/* A camera as JSON on one line, for an image of this size. */
const char *sink_camera_json(const ImageCamera *camera, int width, int height, Arena *arena);

/* The size and digest of a frame's file. */
bool sink_png_inspect(SinkRecord *out, const SinkOptions *options, int64_t frame);

/* Whether a frame's file can be read back, for files that are renamed when they are complete. */
bool sink_png_verify_file(const SinkOptions *options, int64_t frame, Diag *diag);

/* Several frames need a pattern, and a pattern has exactly one number (DIAG_JOB). */
bool sink_png_check_name(const SinkOptions *options, Diag *diag);

/* For joins: reports an error if fewer or more frames were written than expected. */
bool sink_check_count(const SinkOptions *options, int64_t written, Diag *diag);

/* For sinks: checks, before anything is rendered, that a file can be created at this path. */
bool sink_check_writable(const char *file, Diag *diag);
