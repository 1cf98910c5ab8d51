// SPDX-License-Identifier: MIT
#include "output/codec.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "output/ffmpeg_compat.h"

static const int64_t KBIT = 1000; /* bits */

enum { VERYFAST = 2, FAST = 4, MEDIUM = 5, LIST_SIZE = 512 };

/* The names of x264; other encoders have a number for each. */
static const char *const preset_names[CODEC_PRESETS] = {
    "ultrafast", "superfast", "veryfast", "faster",   "fast",
    "medium",    "slow",      "slower",   "veryslow", "placebo"};

/* Without a lookahead. */
#define QUICK_OPTIONS                                                                 \
    "psy=0:chroma-qp-offset=-2:deadzone-inter=17:deadzone-intra=9:8x8dct=0:mbtree=0:" \
    "rc-lookahead=0:weightp=0:bframes=3:b-adapt=0:qcomp=1:pbratio=1.5:aq-strength=1.2:"

/* Presets of this program: other encoders use the preset `others`.  README.md 3.1 gives the
 * reasons for the options of x264, which change its preset `base`. */
static const struct OwnPreset {
    const char *name;
    int others, base;
    double crf;       /* is added for x264 */
    const char *x264; /* its options */
} own_presets[] = {
    {"auto", MEDIUM, VERYFAST, 1.5, QUICK_OPTIONS "subme=2:partitions=i4x4,p8x8,b8x8"},
    {"realtime", VERYFAST, VERYFAST, 0.9, QUICK_OPTIONS "subme=1:partitions=i4x4"},
    {"small", MEDIUM, MEDIUM, 0,
     "psy=0:chroma-qp-offset=-2:trellis=0:deadzone-inter=14:deadzone-intra=7:ref=1:weightp=1:"
     "bframes=3:b-adapt=0:partitions=all"},
};
enum { OWN_PRESETS = sizeof own_presets / sizeof *own_presets };

/* The encoders that this file configures, best first for each codec.  For these codecs no other
 * encoder is used: libavcodec would offer hardware encoders without their hardware. */
typedef struct Encoder {
    enum AVCodecID codec;
    const char *name;
    enum AVPixelFormat pixels; /* for "auto" */
    int crf, crf_max;          /* default and maximum of constant quality; crf_max 0: none */
    const char *preset_option; /* NULL: none */
    const char *presets;       /* a letter per preset, value = letter - 'a'; NULL: the names */
    const char *options;       /* fixed private options */
} Encoder;

/* README.md 3 gives the reasons for these options.  x265 is deterministic only with one frame
 * thread. */
#define NVENC_OPTIONS "rc=vbr,no-scenecut=1,forced-idr=1"
/* clang-format off: a table */
static const Encoder encoders[] = {
    {AV_CODEC_ID_H264, "libx264", AV_PIX_FMT_YUV420P, 18, 51, "preset", NULL, "sc_threshold=0"},
    {AV_CODEC_ID_HEVC, "libx265", AV_PIX_FMT_YUV420P, 20, 51, "preset", NULL,
     "x265-params=log-level=none:info=0:scenecut=0:open-gop=0:frame-threads=1"},
    {AV_CODEC_ID_VP9, "libvpx-vp9", AV_PIX_FMT_YUV420P, 24, 63, "cpu-used", "fffedcbbaa",
     "deadline=good,row-mt=1"},
    {AV_CODEC_ID_VP8, "libvpx", AV_PIX_FMT_YUV420P, 10, 63, "cpu-used", "fffedcbbaa",
     "deadline=good"},
    {AV_CODEC_ID_AV1, "libsvtav1", AV_PIX_FMT_YUV420P, 28, 63, "preset", "mlkjihfecb", ""},
    {AV_CODEC_ID_AV1, "libaom-av1", AV_PIX_FMT_YUV420P, 28, 63, "cpu-used", "iihgfedcba",
     "row-mt=1"},
    {AV_CODEC_ID_PRORES, "prores_ks", AV_PIX_FMT_YUV422P10, 0, 0, NULL, NULL, "vendor=apl0"},
    {AV_CODEC_ID_FFV1, "ffv1", AV_PIX_FMT_BGR0, 0, 0, NULL, NULL, ""},
    {AV_CODEC_ID_H264, "h264_nvenc", AV_PIX_FMT_YUV420P, 20, 51, NULL, NULL, NVENC_OPTIONS},
    {AV_CODEC_ID_HEVC, "hevc_nvenc", AV_PIX_FMT_YUV420P, 22, 51, NULL, NULL, NVENC_OPTIONS},
};
/* clang-format on */
enum { ENCODERS = sizeof encoders / sizeof *encoders };

/* The codecs that "auto" selects where libavformat has outdated or unusual defaults. */
static const struct Default {
    const char *container;
    enum AVCodecID video, audio;
    enum AVCodecID alpha; /* codec of films with alpha; 0: as video */
} defaults[] = {
    {"mp4", AV_CODEC_ID_H264, AV_CODEC_ID_AAC, 0},
    {"mov", AV_CODEC_ID_H264, AV_CODEC_ID_AAC, AV_CODEC_ID_PRORES},
    {"matroska", AV_CODEC_ID_H264, AV_CODEC_ID_AAC, AV_CODEC_ID_VP9},
    {"mpegts", AV_CODEC_ID_H264, AV_CODEC_ID_AAC, 0},
    {"flv", AV_CODEC_ID_H264, AV_CODEC_ID_AAC, 0},
    {"3gp", AV_CODEC_ID_H264, AV_CODEC_ID_AAC, 0},
    {"avi", AV_CODEC_ID_H264, AV_CODEC_ID_MP3, 0},
    {"webm", AV_CODEC_ID_VP9, AV_CODEC_ID_OPUS, 0},
    {"nut", AV_CODEC_ID_FFV1, AV_CODEC_ID_PCM_F32LE, 0}, /* for other programs: nothing is lost */
    {"image2pipe", AV_CODEC_ID_PNG, AV_CODEC_ID_NONE, 0},
};

CodecErrorText codec_error_text(int code)
{
    CodecErrorText text;
    av_strerror(code, text.text, sizeof text.text);
    return text;
}

bool codec_out_of_memory(const char *file, Diag *diag)
{
    return diag_fail(diag, DIAG_RESOURCE, "'%s': out of memory for the encoder", file);
}

bool codec_fail(const char *file, const char *what, int code, Diag *diag)
{
    return diag_fail(diag, code == AVERROR(ENOMEM) ? DIAG_RESOURCE : DIAG_INTERNAL, "'%s': %s: %s",
                     file, what, codec_error_text(code).text);
}

static bool is_auto(const char *text)
{
    return !text || !*text || !strcmp(text, "auto");
}

/* A format is the name of a muxer or an extension. */
static const AVOutputFormat *guess_container(const char *file, const char *format)
{
    char name[64];
    if (is_auto(format))
        return av_guess_format(NULL, file, NULL);
    const AVOutputFormat *named = av_guess_format(format, NULL, NULL);
    snprintf(name, sizeof name, "x.%s", format);
    return named ? named : av_guess_format(NULL, name, NULL);
}

const AVOutputFormat *codec_container(const char *file, const char *format)
{
    const AVOutputFormat *found = guess_container(file, format);

    if (!found || found->flags & AVFMT_NOFILE || found->video_codec == AV_CODEC_ID_NONE)
        return NULL;
    /* Sound files with a cover image, and WebP, which libavformat writes but cannot read back. */
    if (found->video_codec == AV_CODEC_ID_PNG || found->video_codec == AV_CODEC_ID_WEBP)
        return NULL;
    /* Texts about raw frames: digests, times. */
    return found->video_codec != AV_CODEC_ID_RAWVIDEO || !strcmp(found->name, "rawvideo") ? found
                                                                                          : NULL;
}

bool codec_container_has_times(const AVOutputFormat *container)
{
    return strcmp(container->name, "avi") != 0;
}

/* ---- codec names to encoders ----------------------------------------------------------------- */

/* Of hardware: chosen by its name alone, with a constant quality of its own. */
static bool is_nvenc(const Encoder *encoder)
{
    return strstr(encoder->name, "_nvenc") != NULL;
}

static const Encoder *encoder_find(const AVCodec *codec)
{
    for (size_t i = 0; i < ENCODERS; i++)
        if (!strcmp(encoders[i].name, codec->name))
            return &encoders[i];
    return NULL;
}

static const AVCodec *encoder_of(enum AVCodecID id)
{
    bool known = false;
    for (size_t i = 0; i < ENCODERS; i++) {
        if (encoders[i].codec != id || is_nvenc(&encoders[i]))
            continue;
        known = true;
        const AVCodec *codec = avcodec_find_encoder_by_name(encoders[i].name);
        if (codec)
            return codec;
    }
    return known ? NULL : avcodec_find_encoder(id);
}

static void append(char list[LIST_SIZE], const char *word)
{
    const size_t at = strlen(list);
    snprintf(list + at, LIST_SIZE - at, "%s%s", at ? ", " : "", word);
}

enum { LISTED_WORDS = 32, HINT_SIZE = 64 };

/* "; did you mean 'h264'?" for the most similar word of a list, or "". */
static void write_hint(char hint[HINT_SIZE], const char *name, const char *list)
{
    char words[LIST_SIZE], *rest = words;
    const char *names[LISTED_WORDS];
    size_t count = 0;
    snprintf(words, sizeof words, "%s", list);
    for (char *word; count < LISTED_WORDS && (word = strtok_r(rest, ", ", &rest));)
        names[count++] = word;
    const char *nearest = text_nearest(name, names, count);
    snprintf(hint, HINT_SIZE, nearest ? "; did you mean '%s'?" : "", nearest);
}

/* Lists the codecs among `ids` that have an encoder here and that the container supports. */
static void list_codecs(char list[LIST_SIZE], const AVOutputFormat *container,
                        const enum AVCodecID *ids, size_t count)
{
    list[0] = '\0';
    for (size_t i = 0; i < count; i++)
        if (encoder_of(ids[i]) &&
            avformat_query_codec(container, ids[i], FF_COMPLIANCE_NORMAL) == 1)
            append(list, avcodec_get_name(ids[i]));
}

/* Those that messages and help list. */
static const enum AVCodecID video_codecs[] = {AV_CODEC_ID_H264,   AV_CODEC_ID_HEVC,
                                              AV_CODEC_ID_VP9,    AV_CODEC_ID_AV1,
                                              AV_CODEC_ID_PRORES, AV_CODEC_ID_FFV1};
static const enum AVCodecID audio_codecs[] = {AV_CODEC_ID_AAC,    AV_CODEC_ID_OPUS,
                                              AV_CODEC_ID_VORBIS, AV_CODEC_ID_MP3,
                                              AV_CODEC_ID_FLAC,   AV_CODEC_ID_PCM_S16LE};

static enum AVCodecID default_codec(const AVOutputFormat *container, enum AVMediaType type,
                                    bool alpha)
{
    const bool video = type == AVMEDIA_TYPE_VIDEO;
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
        const struct Default *d = &defaults[i];
        if (strcmp(d->container, container->name) != 0)
            continue;
        if (video && alpha && d->alpha != AV_CODEC_ID_NONE)
            return d->alpha;
        return video ? d->video : d->audio;
    }
    return video ? container->video_codec : container->audio_codec;
}

/* AV_CODEC_ID_NONE if no codec has this name; an encoder may have it. */
static enum AVCodecID codec_of_name(const char *name, enum AVMediaType type)
{
    static const struct {
        const char *name;
        enum AVCodecID id;
    } aliases[] = {{"h265", AV_CODEC_ID_HEVC}, {"avc", AV_CODEC_ID_H264}};
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (!strcmp(aliases[i].name, name))
            return aliases[i].id;
    const AVCodecDescriptor *d = avcodec_descriptor_get_by_name(name);
    return d && d->type == type ? d->id : AV_CODEC_ID_NONE;
}

static const AVCodec *find_codec(const char *name, enum AVMediaType type,
                                 const AVOutputFormat *container, const SinkOptions *options,
                                 Diag *diag)
{
    const char *file = options->file;
    const char *kind = type == AVMEDIA_TYPE_VIDEO ? "codec" : "audio codec";
    const enum AVCodecID id =
        is_auto(name) ? default_codec(container, type, options->alpha) : codec_of_name(name, type);
    const AVCodec *codec =
        id == AV_CODEC_ID_NONE ? avcodec_find_encoder_by_name(name) : encoder_of(id);
    char list[LIST_SIZE];

    if (type == AVMEDIA_TYPE_VIDEO)
        list_codecs(list, container, video_codecs, sizeof video_codecs / sizeof *video_codecs);
    else
        list_codecs(list, container, audio_codecs, sizeof audio_codecs / sizeof *audio_codecs);
    if (codec && codec->type == type) {
        if (avformat_query_codec(container, codec->id, FF_COMPLIANCE_NORMAL) != 0)
            return codec;
        diag_fail(diag, DIAG_JOB, "'%s': a %s file cannot contain %s '%s' (%s)", file,
                  container->name, kind, avcodec_get_name(codec->id), list);
    } else if (id != AV_CODEC_ID_NONE) {
        diag_fail(diag, DIAG_RESOURCE,
                  "'%s': the installed libavcodec has no encoder for %s '%s' (%s)", file, kind,
                  avcodec_get_name(id), list);
    } else {
        char hint[HINT_SIZE];
        write_hint(hint, name, list);
        diag_fail(diag, DIAG_JOB, "'%s': unknown %s '%s' (auto, %s)%s", file, kind, name, list,
                  hint);
    }
    return NULL;
}

/* ---- pixel formats --------------------------------------------------------------------------- */

static bool has_format(const AVCodec *codec, enum AVPixelFormat format)
{
    const enum AVPixelFormat *f = ffmpeg_pixel_formats(codec);
    if (!f)
        return true;
    while (*f != AV_PIX_FMT_NONE && *f != format)
        f++;
    return *f == format;
}

static bool has_alpha(enum AVPixelFormat format)
{
    const AVPixFmtDescriptor *d = av_pix_fmt_desc_get(format);
    return d && d->flags & AV_PIX_FMT_FLAG_ALPHA;
}

/* Whether the file has pixels without a header and is not named as one of Y'CbCr. */
static bool is_raw_rgb(const AVCodec *codec, const SinkOptions *options)
{
    const AVOutputFormat *container = codec_container(options->file, options->format);
    return codec->id == AV_CODEC_ID_RAWVIDEO && !strcmp(container->name, "rawvideo") &&
           strcasecmp(sink_extension(options->file, options->format), "yuv") != 0;
}

static enum AVPixelFormat auto_format(const AVCodec *codec, const SinkOptions *options, Diag *diag)
{
    const Encoder *encoder = encoder_find(codec);
    const enum AVPixelFormat *formats = ffmpeg_pixel_formats(codec);

    if (is_raw_rgb(codec, options))
        return options->alpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24;
    if (options->alpha && formats) {
        const enum AVPixelFormat best =
            avcodec_find_best_pix_fmt_of_list(formats, AV_PIX_FMT_RGBA, 1, NULL);
        /* Players support 4:2:0 where the codec offers full chroma too. */
        if (encoder && encoder->pixels == AV_PIX_FMT_YUV420P &&
            has_format(codec, AV_PIX_FMT_YUVA420P))
            return AV_PIX_FMT_YUVA420P;
        if (has_alpha(best))
            return best;
        if (!options->checked)
            diag_warn(diag, WARN_LOST_ALPHA,
                      "'%s': codec '%s' does not support alpha; the film is opaque", options->file,
                      avcodec_get_name(codec->id));
    }
    if (options->pixels == PIXEL_GREY16 && codec->id == AV_CODEC_ID_FFV1)
        return AV_PIX_FMT_GRAY16LE; /* lossless, as its RGB */
    if (encoder)
        return encoder->pixels;
    if (has_format(codec, AV_PIX_FMT_YUV420P))
        return AV_PIX_FMT_YUV420P;
    return avcodec_find_best_pix_fmt_of_list(formats, AV_PIX_FMT_RGB24, 0, NULL);
}

static bool named_format(enum AVPixelFormat *out, const AVCodec *codec, const SinkOptions *options,
                         Diag *diag)
{
    char list[LIST_SIZE] = "";

    *out = av_get_pix_fmt(options->video.pixel_format);
    if (*out != AV_PIX_FMT_NONE && has_format(codec, *out))
        return true;
    for (const enum AVPixelFormat *f = ffmpeg_pixel_formats(codec); f && *f != AV_PIX_FMT_NONE; f++)
        append(list, av_get_pix_fmt_name(*f));
    return diag_fail(diag, DIAG_JOB, "'%s': codec '%s' does not support pixel format '%s' (%s)",
                     options->file, avcodec_get_name(codec->id), options->video.pixel_format, list);
}

static bool check_size(enum AVPixelFormat format, const SinkOptions *options, Diag *diag)
{
    const AVPixFmtDescriptor *d = av_pix_fmt_desc_get(format);
    const int w = 1 << d->log2_chroma_w, h = 1 << d->log2_chroma_h;

    if (options->width % w == 0 && options->height % h == 0)
        return true;
    return diag_fail(
        diag, DIAG_JOB,
        "'%s': size %dx%d: pixel format %s requires a width that is a multiple of %d and a height "
        "that is a multiple of %d (for example %dx%d)",
        options->file, options->width, options->height, d->name, w, h,
        (options->width + w - 1) / w * w, (options->height + h - 1) / h * h);
}

static bool choose_format(enum AVPixelFormat *out, const AVCodec *codec, const SinkOptions *options,
                          Diag *diag)
{
    if (!is_auto(options->video.pixel_format)) {
        if (!named_format(out, codec, options, diag))
            return false;
    } else {
        *out = auto_format(codec, options, diag);
    }
    return check_size(*out, options, diag);
}

/* ---- choosing -------------------------------------------------------------------------------- */

/* NULL if the name is one of x264's, or unknown. */
static const struct OwnPreset *find_own_preset(const char *name)
{
    for (size_t i = 0; i < OWN_PRESETS; i++)
        if (!strcmp(own_presets[i].name, is_auto(name) ? "auto" : name))
            return &own_presets[i];
    return NULL;
}

/* Index of a preset, 0 ("ultrafast") to 9 ("placebo"), or of the one that NULL, "auto", "realtime"
 * and "small" start from for this codec; -1 if there is no such preset. */
static int find_preset(enum AVCodecID codec, const char *name)
{
    const struct OwnPreset *own = find_own_preset(name);
    if (own)
        return codec == AV_CODEC_ID_H264 ? own->base : own->others;
    return text_find(TEXT_WORDS(preset_names, CODEC_PRESETS), name);
}

/* The value of the preset option of this encoder. */
static bool preset_value(char out[16], const Encoder *encoder, const SinkOptions *options,
                         Diag *diag)
{
    const int index = find_preset(encoder->codec, options->video.preset);
    if (index >= 0 && encoder->presets)
        snprintf(out, 16, "%d", encoder->presets[index] - 'a');
    else if (index >= 0)
        snprintf(out, 16, "%s", preset_names[index]);
    if (index >= 0)
        return true;

    char list[LIST_SIZE] = "", hint[HINT_SIZE];
    for (int i = 0; i < CODEC_PRESETS; i++)
        append(list, preset_names[i]);
    for (size_t i = 0; i < OWN_PRESETS; i++)
        append(list, own_presets[i].name);
    write_hint(hint, options->video.preset, list);
    return diag_fail(diag, DIAG_JOB, "'%s': unknown preset '%s' (%s)%s", options->file,
                     options->video.preset, list, hint);
}

bool codec_has_crf(const AVCodec *codec)
{
    const Encoder *encoder = encoder_find(codec);
    return encoder && encoder->crf_max;
}

bool codec_has_presets(const AVCodec *codec)
{
    const Encoder *encoder = encoder_find(codec);
    return encoder && encoder->preset_option;
}

static bool check_quality(const AVCodec *codec, const SinkOptions *options, Diag *diag)
{
    const Encoder *encoder = encoder_find(codec);
    char value[16];

    if (!encoder)
        return true;
    if (encoder->crf_max && options->video.crf > encoder->crf_max)
        return diag_fail(diag, DIAG_JOB, "'%s': crf %d is out of range for %s (0..%d)",
                         options->file, options->video.crf, avcodec_get_name(codec->id),
                         encoder->crf_max);
    return !encoder->preset_option || preset_value(value, encoder, options, diag);
}

static bool choose_audio(CodecChoice *choice, const SinkOptions *options, Diag *diag)
{
    const AVOutputFormat *container = choice->container;

    choice->audio = NULL;
    if (!options->contents.sound.samples || !options->contents.sound.frames)
        return true;
    if (container->audio_codec == AV_CODEC_ID_NONE) {
        if (!options->checked)
            diag_warn(diag, WARN_LOST_SOUND,
                      "'%s': a %s file cannot contain sound; the film is silent", options->file,
                      container->name);
        return true;
    }
    choice->audio =
        find_codec(options->video.audio_codec, AVMEDIA_TYPE_AUDIO, container, options, diag);
    return choice->audio != NULL;
}

bool codec_choose(CodecChoice *choice, const SinkOptions *options, Diag *diag)
{
    *choice = (CodecChoice){.container = codec_container(options->file, options->format)};
    if (!choice->container)
        return diag_fail(diag, DIAG_JOB,
                         "'%s': unknown video file extension (expected .mp4, .mkv, .webm, .mov, "
                         "...)",
                         options->file);
    choice->video =
        find_codec(options->video.codec, AVMEDIA_TYPE_VIDEO, choice->container, options, diag);
    return choice->video && check_quality(choice->video, options, diag) &&
           choose_format(&choice->pixels, choice->video, options, diag) &&
           choose_audio(choice, options, diag);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* The pixels are sRGB-encoded; matrix, primaries and transfer are tagged as BT.709 (README.md 4).
 * values: grey pixels are values of a pass, which keep their full range in grey formats. */
static void tag_colors(AVCodecContext *c, bool values)
{
    const AVPixFmtDescriptor *d = av_pix_fmt_desc_get(c->pix_fmt);
    const bool rgb = d->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL);

    c->color_primaries = AVCOL_PRI_BT709;
    c->color_trc = AVCOL_TRC_BT709;
    c->colorspace = rgb ? AVCOL_SPC_RGB : AVCOL_SPC_BT709;
    c->color_range = rgb || (values && d->nb_components == 1) ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
    if (c->pix_fmt == AV_PIX_FMT_YUV420P)
        c->chroma_sample_location = AVCHROMA_LOC_CENTER; /* as in yuv.h */
}

static void configure(AVCodecContext *c, const CodecChoice *choice, const SinkOptions *options)
{
    c->width = options->width;
    c->height = options->height;
    c->pix_fmt = choice->pixels;
    c->time_base = (AVRational){options->fps_den, options->fps_num};
    c->framerate = (AVRational){options->fps_num, options->fps_den};
    c->sample_aspect_ratio = (AVRational){1, 1};
    c->gop_size = c->keyint_min = sink_gop(options);
    c->thread_count = options->threads;
    c->flags |= AV_CODEC_FLAG_BITEXACT;
    if (!codec_container_has_times(choice->container))
        c->max_b_frames = 0;
    if (encoder_find(choice->video)) /* MPEG encoders reject it; theirs are always closed */
        c->flags |= (int)AV_CODEC_FLAG_CLOSED_GOP; /* bit 31 */
    if (choice->container->flags & AVFMT_GLOBALHEADER)
        c->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    tag_colors(c, options->pixels == PIXEL_GREY16);
}

/* 0 remains 0: lossless. */
static double crf_of(const Encoder *encoder, const SinkOptions *options)
{
    const VideoOptions *video = &options->video;
    const struct OwnPreset *own = find_own_preset(video->preset);
    const int crf = video->crf < 0 ? encoder->crf : video->crf;
    const bool is_x264 = encoder->codec == AV_CODEC_ID_H264 && !is_nvenc(encoder);
    const double shift = own && is_x264 && crf > 0 ? own->crf : 0;
    return fmin(fmax(crf + shift + options->crf_offset, 0), encoder->crf_max);
}

/* A limit of the bit rate holds within a buffer, for a decoder that reads at that rate. */
static void set_rate_limit(AVCodecContext *c, const VideoOptions *video)
{
    const int64_t buffer = KBIT * (video->buffer_kbit ? video->buffer_kbit : video->max_kbps);
    if (!video->max_kbps)
        return;
    c->rc_max_rate = KBIT * video->max_kbps;
    c->rc_buffer_size = buffer > INT_MAX ? INT_MAX : (int)buffer;
}

/* A mean bit rate, or constant quality: by crf if the encoder supports it, else by a small constant
 * quantiser. */
static bool set_quality(AVCodecContext *c, const Encoder *encoder, const SinkOptions *options,
                        Diag *diag)
{
    enum { SMALL_QUANTISER = 3 };
    char value[16];

    set_rate_limit(c, &options->video);
    if (options->video.bitrate_kbps && !options->video.two_pass) {
        c->bit_rate = KBIT * options->video.bitrate_kbps;
        return true;
    }
    if (!encoder || !encoder->crf_max) {
        c->flags |= AV_CODEC_FLAG_QSCALE;
        c->global_quality = SMALL_QUANTISER * FF_QP2LAMBDA;
        return true;
    }
    c->bit_rate = 0;
    snprintf(value, sizeof value, "%g", crf_of(encoder, options));
    const char *option = is_nvenc(encoder) ? "cq" : "crf";
    return av_opt_set(c->priv_data, option, value, 0) >= 0 ||
           diag_fail(diag, DIAG_RESOURCE, "'%s': encoder '%s' has no option '%s'", options->file,
                     encoder->name, option);
}

/* x264 with AVX-512 is not deterministic, and its lookahead needs much memory (README.md 3). */
static void set_x264_options(AVCodecContext *c, const char *preset)
{
    enum { LOOKAHEAD = 12, SIZE = 512 };
    const struct OwnPreset *own = find_own_preset(preset);
    const int index = find_preset(c->codec_id, preset);
    const bool avx512 = av_get_cpu_flags() & AV_CPU_FLAG_AVX512;
    char params[SIZE];

    snprintf(params, sizeof params, "sync-lookahead=0%s%s%s%s", avx512 ? ":asm=avx2" : "",
             own ? ":" : "", own ? own->x264 : "", c->max_b_frames ? "" : ":bframes=0");
    av_opt_set(c->priv_data, "x264-params", params, 0);
    if (index == FAST || index == MEDIUM)
        av_opt_set_int(c->priv_data, "rc-lookahead", LOOKAHEAD, 0);
}

static bool set_private_options(AVCodecContext *c, const Encoder *encoder,
                                const SinkOptions *options, Diag *diag)
{
    char preset[16];

    if (encoder->codec == AV_CODEC_ID_AV1)
        setenv("SVT_LOG", "0", 1); /* SVT-AV1 logs to stderr; there is no other option */
    if (encoder->preset_option) {
        if (!preset_value(preset, encoder, options, diag))
            return false;
        if (av_opt_set(c->priv_data, encoder->preset_option, preset, 0) < 0)
            return diag_fail(diag, DIAG_RESOURCE, "'%s': encoder '%s' has no option '%s'",
                             options->file, encoder->name, encoder->preset_option);
    }
    /* Hidden frames would separate images from their alpha; VP9 packs them with an image. */
    if (encoder->codec == AV_CODEC_ID_VP8 && has_alpha(c->pix_fmt))
        av_opt_set(c->priv_data, "auto-alt-ref", "0", 0);
    if (encoder->codec == AV_CODEC_ID_H264 && !is_nvenc(encoder))
        set_x264_options(c, options->video.preset);
    if (*encoder->options && av_set_options_string(c->priv_data, encoder->options, "=", ",") < 0)
        return diag_fail(diag, DIAG_RESOURCE,
                         "'%s': encoder '%s' does not support one of the options '%s'",
                         options->file, encoder->name, encoder->options);
    return true;
}

/* Options by their names in libavcodec.  Those that are lists follow this program's own. */
static bool set_expert_options(AVCodecContext *c, const SinkOptions *options, Diag *diag)
{
    for (size_t i = 0; i < options->video.encoder_option_count; i++) {
        const char *key = options->video.encoder_options[i].from;
        const char *value = options->video.encoder_options[i].to;
        uint8_t *own = NULL;
        char joined[LIST_SIZE * 2];
        if ((!strcmp(key, "x264-params") || !strcmp(key, "x265-params")) &&
            av_opt_get(c, key, AV_OPT_SEARCH_CHILDREN, &own) >= 0 && own && *own &&
            snprintf(joined, sizeof joined, "%s:%s", own, value) < (int)sizeof joined)
            value = joined;
        av_free(own);
        const int code = av_opt_set(c, key, value, AV_OPT_SEARCH_CHILDREN);
        if (code < 0)
            return diag_fail(diag, DIAG_JOB, "'%s': encoder_options: encoder '%s' %s '%s'%s%s",
                             options->file, c->codec->name,
                             code == AVERROR_OPTION_NOT_FOUND ? "has no option" : "refuses", key,
                             code == AVERROR_OPTION_NOT_FOUND ? "" : "=",
                             code == AVERROR_OPTION_NOT_FOUND ? "" : value);
    }
    return true;
}

AVCodecContext *codec_open_video(const CodecChoice *choice, const SinkOptions *options, Diag *diag)
{
    const Encoder *encoder = encoder_find(choice->video);
    AVCodecContext *c = avcodec_alloc_context3(choice->video);
    int code = AVERROR(ENOMEM);

    if (!c) {
        codec_out_of_memory(options->file, diag);
        return NULL;
    }
    configure(c, choice, options);
    if (!set_quality(c, encoder, options, diag) ||
        (encoder && !set_private_options(c, encoder, options, diag)) ||
        !set_expert_options(c, options, diag))
        goto failed;
    code = avcodec_open2(c, choice->video, NULL);
    if (code >= 0)
        return c;
    diag_fail(diag, DIAG_RESOURCE, "'%s': cannot open encoder '%s' for %dx%d, %d/%d fps, %s: %s",
              options->file, choice->video->name, options->width, options->height, options->fps_num,
              options->fps_den, av_get_pix_fmt_name(choice->pixels), codec_error_text(code).text);
failed:
    avcodec_free_context(&c);
    return NULL;
}

/* SVT-AV1 1.4 waits forever when it is closed before its first frame. */
static void send_black_frame(AVCodecContext *c)
{
    AVFrame *frame = av_frame_alloc();
    if (!frame)
        return;
    frame->format = c->pix_fmt;
    frame->width = c->width;
    frame->height = c->height;
    if (av_frame_get_buffer(frame, 0) >= 0) {
        ptrdiff_t strides[4];
        for (int i = 0; i < 4; i++)
            strides[i] = frame->linesize[i];
        av_image_fill_black(frame->data, strides, c->pix_fmt, c->color_range, c->width, c->height);
        frame->pts = 0;
        avcodec_send_frame(c, frame);
    }
    av_frame_free(&frame);
}

void codec_close_video(AVCodecContext **codec, bool used)
{
    AVCodecContext *c = *codec;
    if (c && !used && !strcmp(c->codec->name, "libsvtav1"))
        send_black_frame(c);
    avcodec_free_context(codec);
}

/* Whether an encoder takes pixels of the memory of this process, as this program has them. */
static bool takes_pixels(const AVCodec *codec)
{
    const enum AVPixelFormat *f = ffmpeg_pixel_formats(codec);
    for (; f && *f != AV_PIX_FMT_NONE; f++)
        if (!(av_pix_fmt_desc_get(*f)->flags & AV_PIX_FMT_FLAG_HWACCEL))
            return true;
    return !f;
}

static bool is_hardware(const AVCodec *codec)
{
    return codec->capabilities & (AV_CODEC_CAP_HARDWARE | AV_CODEC_CAP_HYBRID);
}

bool codec_check_hardware(const SinkOptions *options, Diag *diag)
{
    SinkOptions checked = *options;
    CodecChoice choice;
    checked.checked = true; /* its warnings were reported */
    if (!codec_choose(&choice, &checked, diag))
        return false;
    if (!choice.video || !is_hardware(choice.video))
        return true;
    Diag silent = diag_quiet();
    av_log_set_level(AV_LOG_QUIET);
    AVCodecContext *c = codec_open_video(&choice, &checked, &silent);
    const bool good = c != NULL;
    codec_close_video(&c, false);
    return good ||
           diag_fail(diag, DIAG_RESOURCE,
                     "'%s': the hardware encoder '%s' cannot be opened on this machine; use "
                     "'%s', which needs no hardware",
                     options->file, choice.video->name, avcodec_get_name(choice.video->id));
}

/* ---- memory -------------------------------------------------------------------------------- */

/* Bytes per pixel of 8-bit 4:2:0, by preset from ultrafast to placebo. */
typedef struct EncoderMemory {
    enum AVCodecID codec;
    unsigned bytes[CODEC_PRESETS];
} EncoderMemory;

/* clang-format off: a table */
static const EncoderMemory measured[] = {
    {AV_CODEC_ID_H264, {24, 50, 110, 145, 150, 200, 300, 390, 540, 580}},
    {AV_CODEC_ID_HEVC, {180, 190, 210, 230, 260, 290, 320, 420, 520, 600}},
    {AV_CODEC_ID_VP9, {200, 200, 200, 200, 200, 200, 200, 200, 200, 200}},
    {AV_CODEC_ID_VP8, {200, 200, 200, 200, 200, 200, 200, 200, 200, 200}},
    {AV_CODEC_ID_AV1, {330, 330, 330, 330, 330, 330, 330, 400, 400, 400}},
    {AV_CODEC_ID_FFV1, {190, 190, 190, 190, 190, 190, 190, 190, 190, 190}},
};
/* clang-format on */
enum { OTHER_BYTES = 40 };

static unsigned bytes_per_pixel(enum AVCodecID codec, int preset)
{
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++)
        if (measured[i].codec == codec)
            return measured[i].bytes[preset];
    return OTHER_BYTES;
}

/* Size of a pixel relative to 8-bit 4:2:0.  ffv1 was measured with the format that it selects. */
static double relative_size(const CodecChoice *choice)
{
    const AVPixFmtDescriptor *d = av_pix_fmt_desc_get(choice->pixels);
    if (!d || choice->video->id == AV_CODEC_ID_FFV1)
        return 1;
    const double bits = av_get_padded_bits_per_pixel(d);
    return bits > 12 ? bits / 12 : 1;
}

uint64_t codec_memory_estimate(const SinkOptions *options)
{
    CodecChoice choice;
    Diag ignored = diag_quiet();
    if (!codec_choose(&choice, options, &ignored) || !choice.video)
        return 0;
    const double pixels = (double)options->width * options->height;
    /* The segments of a GIF are FFV1. */
    const bool gif = choice.video->id == AV_CODEC_ID_GIF;
    const enum AVCodecID codec = gif ? AV_CODEC_ID_FFV1 : choice.video->id;
    const int preset = find_preset(codec, options->video.preset);
    const unsigned bytes = bytes_per_pixel(codec, preset < 0 ? find_preset(codec, NULL) : preset);
    return (uint64_t)(pixels * bytes * relative_size(&choice));
}

/* ---- lists --------------------------------------------------------------------------------- */

CodecEncoders codec_encoders(Arena *arena)
{
    const AVCodec *codec;
    void *at = NULL;
    CodecEncoders list = {0};
    for (size_t i = 0; i < ENCODERS; i++)
        *arena_push(arena, &list) =
            (CodecEncoder){.name = encoders[i].name,
                           .codec = avcodec_get_name(encoders[i].codec),
                           .available = avcodec_find_encoder_by_name(encoders[i].name) != NULL,
                           .hardware = is_nvenc(&encoders[i]),
                           .crf = encoders[i].crf,
                           .crf_max = encoders[i].crf_max};
    while ((codec = av_codec_iterate(&at)))
        if (av_codec_is_encoder(codec) && codec->type == AVMEDIA_TYPE_VIDEO && is_hardware(codec) &&
            takes_pixels(codec) && !encoder_find(codec))
            *arena_push(arena, &list) = (CodecEncoder){.name = codec->name,
                                                       .codec = avcodec_get_name(codec->id),
                                                       .available = true,
                                                       .hardware = true};
    return list;
}

static void write_codec(FILE *out, enum AVCodecID id)
{
    const AVCodec *codec = encoder_of(id);
    const char *before = " ";
    fprintf(out, "  %-10s %-14s", avcodec_get_name(id), codec ? codec->name : "not available");
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
        if (defaults[i].video == id || defaults[i].audio == id || defaults[i].alpha == id) {
            fprintf(out, "%s%s%s", before, defaults[i].container,
                    defaults[i].alpha == id ? " (alpha)" : "");
            before = ", ";
        }
    fputc('\n', out);
}

void codec_write_codecs(FILE *out)
{
    fputs("  codec      encoder here   default of\n", out);
    for (size_t i = 0; i < sizeof video_codecs / sizeof *video_codecs; i++)
        write_codec(out, video_codecs[i]);
    fputc('\n', out);
    for (size_t i = 0; i < sizeof audio_codecs / sizeof *audio_codecs; i++)
        write_codec(out, audio_codecs[i]);
}

/* Containers with video that libavformat writes, by their names and extensions. */
void codec_write_containers(FILE *out)
{
    const AVOutputFormat *format;
    void *at = NULL;
    while ((format = av_muxer_iterate(&at))) {
        char file[32];
        snprintf(file, sizeof file, "x.%.*s",
                 (int)strcspn(format->extensions ? format->extensions : "", ","),
                 format->extensions ? format->extensions : "");
        if (!format->extensions || codec_container(file, NULL) != format)
            continue;
        const enum AVCodecID video = default_codec(format, AVMEDIA_TYPE_VIDEO, false),
                             audio = default_codec(format, AVMEDIA_TYPE_AUDIO, false);
        if (!encoder_of(video))
            continue;
        fprintf(out, "  %-22s %s: %s%s%s\n", format->extensions, format->long_name,
                avcodec_get_name(video), audio ? ", " : "", audio ? avcodec_get_name(audio) : "");
    }
}
