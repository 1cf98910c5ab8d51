/*
 * sink.h - where finished pictures go
 *
 * A sink takes pictures of one size.  Two kinds:
 *   ordered    video, hash, sheet, webp, gif: pictures come one by one in the order of their frames
 *              (encoder process)
 *   unordered  PNG sequence: every picture is a file of its own; may be called from several worker
 *              processes, each with its own sink object, in any order
 * Life: create -> write... -> finish (commits, reads back what it wrote) or just destroy (takes
 * everything unfinished away).  Pictures of a PNG sequence are whole, and stay, as soon as write
 * returns.  Read back means: a video is opened as a container and its pictures counted; of a PNG
 * file its head and end are looked at.  After an error only destroy may be called.  Not
 * thread-safe.
 */
#ifndef OUTPUT_SINK_H
#define OUTPUT_SINK_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/hash.h"
#include "base/image.h"
#include "output/sheet.h"

/* Sound for a container: 32-bit float, interleaved, sample 0 belongs to the first picture. */
typedef struct SinkSound {
    const float *samples; /* frames * channels; NULL for none */
    size_t frames;
    int channels; /* 1 or 2 */
    int rate;     /* Hz */
} SinkSound;

typedef struct SinkTag { /* container metadata */
    const char *key, *value;
} SinkTag;

/* Everything a sink may want to know; texts must outlive it. */
typedef struct SinkOptions {
    const char *file;   /* "out/dance.mp4", "out/%05d.png" */
    const char *target; /* of a piece: the whole film's file, which chooses container and codec */
    int width, height;
    int fps_num, fps_den;
    bool alpha;               /* keep the alpha channel */
    int64_t first_frame;      /* output number of the first picture */
    int64_t frame_count;      /* pictures that will come, for finish to check; 0: not known */
    const char *codec;        /* "h264", "auto", ... */
    const char *preset;       /* encoder preset; NULL default */
    int crf;                  /* -1: the codec's default */
    int gop;                  /* pictures between key frames; 0: see sink_gop */
    const char *pixel_format; /* "auto" or a libav name */
    const char *audio_codec;  /* "auto" */
    int audio_bitrate;        /* bits/s; 0 default */
    int threads;              /* encoder threads; 0: all cores */
    SinkSound sound;
    const SinkTag *tags;
    size_t tag_count;
    bool checked;       /* sink_ffmpeg_check told the warnings; create does not repeat them */
    int columns, rows;  /* of a contact sheet; width and height are one cell's */
    int64_t last_frame; /* the last picture of a sheet */
} SinkOptions;

/* What is stored of one picture: its bytes in a file, and their SHA-256. */
typedef struct SinkRecord {
    uint64_t bytes;
    Digest digest;
} SinkRecord;

typedef struct Sink Sink;

/*
 * An ordered output in pieces: each holds a run of consecutive pictures, encoded by an encoder of
 * its own with closed groups of pictures, and is a file of its own.  So a stopped film goes on at
 * its last piece, and many machines make one film.  Joining encodes no picture again; sound is
 * encoded there. The file does not depend on who made which piece when.
 */
typedef struct SinkSegments {
    const struct SinkKind
        *kind;             /* writes a piece: options.file is the piece, target the film,
                            * frame_count the piece's pictures; sound and tags are left aside */
    const char *extension; /* of a piece's file name, without dot */
    /* Reads a piece: what it holds of each of its `count` pictures, in their order.  False, without
     * an error, if it is not there, damaged, or holds another number of pictures. */
    bool (*inspect)(SinkRecord *out, size_t count, const char *piece);
    /* Pieces in order -> the whole file, read back.  Polls *stop: false without an error then. */
    bool (*join)(const SinkOptions *options, const char *const *pieces, size_t count,
                 const volatile sig_atomic_t *stop, Diag *diag);
} SinkSegments;

typedef struct SinkKind {
    const char *name; /* "png", "video", "hash", "null", "sheet" */
    bool ordered;
    /* True if a file name is this kind's. */
    bool (*matches)(const char *file);
    /* Looks at options without creating anything on disk; NULL: there is nothing to look at. */
    bool (*check)(const SinkOptions *options, Diag *diag);
    Sink *(*create)(const SinkOptions *options, Diag *diag); /* NULL after an error */
    bool (*write)(Sink *sink, const Image *image, int64_t frame, Diag *diag);
    bool (*finish)(Sink *sink, Diag *diag);
    void (*destroy)(Sink *sink); /* NULL is fine */
    /* Unordered kinds: looks at the finished file of one picture, whoever wrote it.  Else NULL. */
    bool (*verify)(const SinkOptions *options, int64_t frame, Diag *diag);
    /* Unordered kinds: what the last write stored.  Else NULL. */
    SinkRecord (*record)(const Sink *sink);
    /* Unordered kinds: reads what is stored of a picture.  False, without an error, if there is no
     * file. */
    bool (*inspect)(SinkRecord *out, const SinkOptions *options, int64_t frame);
    const SinkSegments *pieces; /* ordered kinds that can be made in pieces; else NULL */
} SinkKind;

extern const SinkKind sink_png, sink_ffmpeg, sink_hash, sink_null;

/* Videos that cannot be made in pieces, since no container for pieces takes their packets: animated
 * PNG, YUV4MPEG and some old ones. */
extern const SinkKind sink_undivided;

/* A contact sheet, as PNG, and animations that loop for ever, as WebP (with alpha, if asked for)
 * and GIF. Asked for by the job, never found by a file's name. */
extern const SinkKind sink_sheet, sink_webp, sink_gif;

/* Browsers slow down what is faster: delays are whole hundredths of a second, and 1 is not
 * believed. */
enum { SINK_GIF_MAX_FPS = 50 };
SheetSpec sink_sheet_spec(const SinkOptions *options);

/* The kind for a file name: png for *.png, hash for *.sha256, null for "null:", video for whatever
 * libavformat guesses a muxer for; NULL (and an error) else. */
const SinkKind *sink_find(const char *file, Diag *diag);

/* For sinks: whether a picture has the agreed size (else an error of our own). */
bool sink_takes(const SinkOptions *options, const Image *image, Diag *diag);

/* For sinks: whether as many pictures came as were announced. */
bool sink_is_complete(const SinkOptions *options, int64_t written, Diag *diag);

/* Pictures between key frames: as asked for, else a second's, and 30..240. */
int sink_gop(const SinkOptions *options);

/* Checks a sink's options without creating anything on disk (codec there, container takes it). */
bool sink_ffmpeg_check(const SinkOptions *options, Diag *diag);

/* The same of a PNG sink: a name with one number, or one picture alone. */
bool sink_png_check(const SinkOptions *options, Diag *diag);

/* Name of picture `frame` by the pattern of a PNG sink: one "%d", "%05d" or the like, no other '%';
 * without any it is the name itself, which a film of one picture may have.  False if it does not
 * fit. */
bool sink_png_name(char *out, size_t size, const char *pattern, int64_t frame);

#endif
