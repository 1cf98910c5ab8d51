#include "output/codec.h"

#include <libavutil/imgutils.h>
#include <libavutil/cpu.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

enum { PRESETS = 10, LIST_SIZE = 512 };

/* x264's names, which users know; other encoders have a number for each. */
static const char *const preset_names[PRESETS] = {"ultrafast", "superfast", "veryfast", "faster",
                                                  "fast",      "medium",    "slow",     "slower",
                                                  "veryslow",  "placebo"};

/* The encoders we know how to steer, best first for each codec.  Of these codecs no other is taken:
 * libavcodec would offer hardware encoders that are not there. */
typedef struct Encoder {
    enum AVCodecID codec;
    const char *name;
    enum AVPixelFormat pixels; /* for "auto" */
    int crf, crf_max;          /* default and limit of constant quality; crf_max 0: it has none */
    const char *preset_option; /* NULL: it has none */
    const char *presets;       /* a letter per preset name, value = letter - 'a'; NULL: the names */
    const char *options;       /* fixed private options */
} Encoder;

/* x265 (3.5 at least) codes frames side by side so that now and then a film differs from run to
 * run: one at a time, by several threads, is always the same. */
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
};
enum { ENCODERS = sizeof encoders / sizeof *encoders };

/* What "auto" means where libavformat's own default is not what people expect. */
static const struct Default {
    const char *container;
    enum AVCodecID video, audio;
    enum AVCodecID alpha; /* for films with alpha; 0: as video */
} defaults[] = {
    {"mp4", AV_CODEC_ID_H264, AV_CODEC_ID_AAC, 0},
    {"mov", AV_CODEC_ID_H264, AV_CODEC_ID_AAC, AV_CODEC_ID_PRORES},
    {"matroska", AV_CODEC_ID_H264, AV_CODEC_ID_AAC, AV_CODEC_ID_VP9},
    {"mpegts", AV_CODEC_ID_H264, AV_CODEC_ID_AAC, 0},
    {"flv", AV_CODEC_ID_H264, AV_CODEC_ID_AAC, 0},
    {"3gp", AV_CODEC_ID_H264, AV_CODEC_ID_AAC, 0},
    {"avi", AV_CODEC_ID_H264, AV_CODEC_ID_MP3, 0},
    {"webm", AV_CODEC_ID_VP9, AV_CODEC_ID_OPUS, 0},
};

CodecText codec_error_text(int code)
{
    CodecText text;
    av_strerror(code, text.text, sizeof text.text);
    return text;
}

const AVOutputFormat *codec_container(const char *file)
{
    const AVOutputFormat *format = av_guess_format(NULL, file, NULL);

    if (!format || format->flags & AVFMT_NOFILE || format->video_codec == AV_CODEC_ID_NONE)
        return NULL;
    /* Sound files with a cover, and what libavformat can write but not read back. */
    if (format->video_codec == AV_CODEC_ID_PNG || format->video_codec == AV_CODEC_ID_WEBP)
        return NULL;
    return format;
}

/* ---- codec names to encoders ----------------------------------------------------------------- */

static bool is_auto(const char *text)
{
    return !text || !*text || !strcmp(text, "auto");
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
        if (encoders[i].codec != id)
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

/* The codecs among `ids` that can be encoded here and that the container takes. */
static void list_codecs(char list[LIST_SIZE], const AVOutputFormat *container,
                        const enum AVCodecID *ids, size_t count)
{
    list[0] = '\0';
    for (size_t i = 0; i < count; i++)
        if (encoder_of(ids[i]) &&
            avformat_query_codec(container, ids[i], FF_COMPLIANCE_NORMAL) == 1)
            append(list, avcodec_get_name(ids[i]));
}

static void list_codecs_of(char list[LIST_SIZE], const AVOutputFormat *container,
                           enum AVMediaType type)
{
    static const enum AVCodecID video[] = {AV_CODEC_ID_H264, AV_CODEC_ID_HEVC,   AV_CODEC_ID_VP9,
                                           AV_CODEC_ID_AV1,  AV_CODEC_ID_PRORES, AV_CODEC_ID_FFV1};
    static const enum AVCodecID audio[] = {AV_CODEC_ID_AAC,    AV_CODEC_ID_OPUS,
                                           AV_CODEC_ID_VORBIS, AV_CODEC_ID_MP3,
                                           AV_CODEC_ID_FLAC,   AV_CODEC_ID_PCM_S16LE};
    if (type == AVMEDIA_TYPE_VIDEO)
        list_codecs(list, container, video, sizeof video / sizeof *video);
    else
        list_codecs(list, container, audio, sizeof audio / sizeof *audio);
}

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

/* The codec of a name, ours or libavcodec's; AV_CODEC_ID_NONE if there is no such. */
static enum AVCodecID codec_of_name(const char *name, enum AVMediaType type)
{
    static const struct {
        const char *name;
        enum AVCodecID id;
    } others[] = {{"h265", AV_CODEC_ID_HEVC}, {"avc", AV_CODEC_ID_H264}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(others[i].name, name))
            return others[i].id;
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

    list_codecs_of(list, container, type);
    if (codec && codec->type == type) {
        if (avformat_query_codec(container, codec->id, FF_COMPLIANCE_NORMAL) != 0)
            return codec;
        diag_fail(diag, DIAG_JOB, "'%s': a %s file cannot hold %s '%s' (%s)", file, container->name,
                  kind, avcodec_get_name(codec->id), list);
    } else if (id != AV_CODEC_ID_NONE) {
        diag_fail(diag, DIAG_RESOURCE,
                  "'%s': the installed libavcodec has no encoder for %s '%s' (%s)", file, kind,
                  avcodec_get_name(id), list);
    } else {
        diag_fail(diag, DIAG_JOB, "'%s': there is no %s '%s' (auto, %s)", file, kind, name, list);
    }
    return NULL;
}

/* ---- pixel formats --------------------------------------------------------------------------- */

static bool has_format(const AVCodec *codec, enum AVPixelFormat format)
{
    if (!codec->pix_fmts)
        return true;
    for (const enum AVPixelFormat *f = codec->pix_fmts; *f != AV_PIX_FMT_NONE; f++)
        if (*f == format)
            return true;
    return false;
}

static bool has_alpha(enum AVPixelFormat format)
{
    const AVPixFmtDescriptor *d = av_pix_fmt_desc_get(format);
    return d && d->flags & AV_PIX_FMT_FLAG_ALPHA;
}

static enum AVPixelFormat auto_format(const AVCodec *codec, const SinkOptions *options, Diag *diag)
{
    const Encoder *encoder = encoder_find(codec);

    if (options->alpha && codec->pix_fmts) {
        const enum AVPixelFormat best =
            avcodec_find_best_pix_fmt_of_list(codec->pix_fmts, AV_PIX_FMT_RGBA, 1, NULL);
        /* Where full chroma could be had too, 4:2:0 is what players take. */
        if (encoder && encoder->pixels == AV_PIX_FMT_YUV420P &&
            has_format(codec, AV_PIX_FMT_YUVA420P))
            return AV_PIX_FMT_YUVA420P;
        if (has_alpha(best))
            return best;
        if (!options->checked)
            diag_warn(diag,
                      "'%s': codec '%s' has no alpha channel, the film shows the colours alone",
                      options->file, avcodec_get_name(codec->id));
    }
    if (encoder)
        return encoder->pixels;
    if (has_format(codec, AV_PIX_FMT_YUV420P))
        return AV_PIX_FMT_YUV420P;
    return avcodec_find_best_pix_fmt_of_list(codec->pix_fmts, AV_PIX_FMT_RGB24, 0, NULL);
}

static bool named_format(enum AVPixelFormat *out, const AVCodec *codec, const SinkOptions *options,
                         Diag *diag)
{
    char list[LIST_SIZE] = "";

    *out = av_get_pix_fmt(options->pixel_format);
    if (*out != AV_PIX_FMT_NONE && has_format(codec, *out))
        return true;
    for (const enum AVPixelFormat *f = codec->pix_fmts; f && *f != AV_PIX_FMT_NONE; f++)
        append(list, av_get_pix_fmt_name(*f));
    return diag_fail(diag, DIAG_JOB, "'%s': codec '%s' has no pixel format '%s' (%s)",
                     options->file, avcodec_get_name(codec->id), options->pixel_format, list);
}

static bool check_size(enum AVPixelFormat format, const SinkOptions *options, Diag *diag)
{
    const AVPixFmtDescriptor *d = av_pix_fmt_desc_get(format);
    const int w = 1 << d->log2_chroma_w, h = 1 << d->log2_chroma_h;

    if (options->width % w == 0 && options->height % h == 0)
        return true;
    return diag_fail(
        diag, DIAG_JOB,
        "'%s': %dx%d: pixel format %s needs a width that is a multiple of %d and a height "
        "that is a multiple of %d (%dx%d would do)",
        options->file, options->width, options->height, d->name, w, h,
        (options->width + w - 1) / w * w, (options->height + h - 1) / h * h);
}

static bool choose_format(enum AVPixelFormat *out, const AVCodec *codec, const SinkOptions *options,
                          Diag *diag)
{
    if (!is_auto(options->pixel_format)) {
        if (!named_format(out, codec, options, diag))
            return false;
    } else {
        *out = auto_format(codec, options, diag);
    }
    return check_size(*out, options, diag);
}

/* ---- choosing -------------------------------------------------------------------------------- */

/* The value of a preset for this encoder; NULL when it has none or (an error) it is unknown. */
static bool find_preset(char out[16], const Encoder *encoder, const SinkOptions *options,
                        Diag *diag)
{
    const char *name = is_auto(options->preset) ? "medium" : options->preset;
    char list[LIST_SIZE] = "";

    for (int i = 0; i < PRESETS; i++) {
        append(list, preset_names[i]);
        if (strcmp(preset_names[i], name) != 0)
            continue;
        if (encoder->presets)
            snprintf(out, 16, "%d", encoder->presets[i] - 'a');
        else
            snprintf(out, 16, "%s", name);
        return true;
    }
    return diag_fail(diag, DIAG_JOB, "'%s': there is no preset '%s' (%s)", options->file, name,
                     list);
}

static bool check_quality(const AVCodec *codec, const SinkOptions *options, Diag *diag)
{
    const Encoder *encoder = encoder_find(codec);
    char value[16];

    if (!encoder)
        return true;
    if (encoder->crf_max && options->crf > encoder->crf_max)
        return diag_fail(diag, DIAG_JOB, "'%s': crf %d is out of range for %s (0..%d)",
                         options->file, options->crf, avcodec_get_name(codec->id),
                         encoder->crf_max);
    return !encoder->preset_option || find_preset(value, encoder, options, diag);
}

static bool choose_audio(CodecChoice *choice, const SinkOptions *options, Diag *diag)
{
    const AVOutputFormat *container = choice->container;

    choice->audio = NULL;
    if (!options->sound.samples || !options->sound.frames)
        return true;
    if (container->audio_codec == AV_CODEC_ID_NONE) {
        if (!options->checked)
            diag_warn(diag, "'%s': a %s file holds no sound", options->file, container->name);
        return true;
    }
    choice->audio = find_codec(options->audio_codec, AVMEDIA_TYPE_AUDIO, container, options, diag);
    return choice->audio != NULL;
}

bool codec_choose(CodecChoice *choice, const SinkOptions *options, Diag *diag)
{
    *choice = (CodecChoice){.container = codec_container(options->file)};
    if (!choice->container)
        return diag_fail(diag, DIAG_JOB,
                         "'%s': no kind of video file has such a name (.mp4, .mkv, "
                         ".webm, .mov, ...)",
                         options->file);
    choice->video =
        find_codec(options->codec, AVMEDIA_TYPE_VIDEO, choice->container, options, diag);
    return choice->video && check_quality(choice->video, options, diag) &&
           choose_format(&choice->pixels, choice->video, options, diag) &&
           choose_audio(choice, options, diag);
}

/* ---- opening --------------------------------------------------------------------------------- */

/*
 * The pixels are sRGB-encoded, and BT.709 is what is said of all three: matrix, primaries,
 * transfer. For the transfer, "iec61966-2-1" would be the letter of the truth, yet players show the
 * numbers of a "bt709" film as they are, which on an sRGB screen is what the PNG shows; while a
 * film tagged with the sRGB curve is converted by those that work in BT.709 (editors, upload
 * sites), or, with a combination that they do not expect, shown by a slower path.
 */
static void tag_colours(AVCodecContext *c)
{
    const AVPixFmtDescriptor *d = av_pix_fmt_desc_get(c->pix_fmt);
    const bool rgb = d->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL);

    c->color_primaries = AVCOL_PRI_BT709;
    c->color_trc = AVCOL_TRC_BT709;
    c->colorspace = rgb ? AVCOL_SPC_RGB : AVCOL_SPC_BT709;
    c->color_range = rgb ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
    if (c->pix_fmt == AV_PIX_FMT_YUV420P)
        c->chroma_sample_location = AVCHROMA_LOC_CENTER; /* as yuv.h makes it */
}

static void set_up(AVCodecContext *c, const CodecChoice *choice, const SinkOptions *options)
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
    if (encoder_find(choice->video)) /* the MPEG family refuses it, and has no open groups anyway */
        c->flags |= (int)AV_CODEC_FLAG_CLOSED_GOP; /* bit 31 */
    if (choice->container->flags & AVFMT_GLOBALHEADER)
        c->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    tag_colours(c);
}

/* Constant quality: by crf where the encoder has it, else by a small fixed quantiser. */
static bool set_quality(AVCodecContext *c, const Encoder *encoder, const SinkOptions *options,
                        Diag *diag)
{
    enum { FINE_QUANTISER = 3 };
    char value[16];

    if (!encoder || !encoder->crf_max) {
        c->flags |= AV_CODEC_FLAG_QSCALE;
        c->global_quality = FINE_QUANTISER * FF_QP2LAMBDA;
        return true;
    }
    c->bit_rate = 0;
    snprintf(value, sizeof value, "%d", options->crf < 0 ? encoder->crf : options->crf);
    return av_opt_set(c->priv_data, "crf", value, 0) >= 0 ||
           diag_fail(diag, DIAG_RESOURCE, "'%s': encoder '%s' has no crf", options->file,
                     encoder->name);
}

static bool set_private_options(AVCodecContext *c, const Encoder *encoder,
                                const SinkOptions *options, Diag *diag)
{
    char preset[16];

    if (encoder->codec == AV_CODEC_ID_AV1)
        setenv("SVT_LOG", "0", 1); /* SVT-AV1 talks on stderr by itself and hears no other wish */
    if (encoder->preset_option) {
        if (!find_preset(preset, encoder, options, diag))
            return false;
        if (av_opt_set(c->priv_data, encoder->preset_option, preset, 0) < 0)
            return diag_fail(diag, DIAG_RESOURCE, "'%s': encoder '%s' has no presets",
                             options->file, encoder->name);
    }
    /* Hidden frames would part the pictures from their alpha; VP9 packs them with a picture. */
    if (encoder->codec == AV_CODEC_ID_VP8 && has_alpha(c->pix_fmt))
        av_opt_set(c->priv_data, "auto-alt-ref", "0", 0);
    /* x264 (164 at least) looks at memory that nobody set, with AVX-512, mbtree and B-frames: its
     * films then differ from process to process.  Costs 5 % of its time. */
    if (encoder->codec == AV_CODEC_ID_H264 && av_get_cpu_flags() & AV_CPU_FLAG_AVX512)
        av_opt_set(c->priv_data, "x264-params", "asm=avx2", 0);
    if (*encoder->options && av_set_options_string(c->priv_data, encoder->options, "=", ",") < 0)
        return diag_fail(diag, DIAG_RESOURCE, "'%s': encoder '%s' lacks an option of '%s'",
                         options->file, encoder->name, encoder->options);
    return true;
}

AVCodecContext *codec_open_video(const CodecChoice *choice, const SinkOptions *options, Diag *diag)
{
    const Encoder *encoder = encoder_find(choice->video);
    AVCodecContext *c = avcodec_alloc_context3(choice->video);
    int code = AVERROR(ENOMEM);

    if (!c) {
        diag_fail(diag, DIAG_RESOURCE, "out of memory for the encoder");
        return NULL;
    }
    set_up(c, choice, options);
    if (!set_quality(c, encoder, options, diag) ||
        (encoder && !set_private_options(c, encoder, options, diag)))
        goto failed;
    code = avcodec_open2(c, choice->video, NULL);
    if (code >= 0)
        return c;
    diag_fail(diag, DIAG_RESOURCE,
              "'%s': encoder '%s' does not start with %dx%d, %d/%d fps, %s: %s", options->file,
              choice->video->name, options->width, options->height, options->fps_num,
              options->fps_den, av_get_pix_fmt_name(choice->pixels), codec_error_text(code).text);
failed:
    avcodec_free_context(&c);
    return NULL;
}

/* SVT-AV1 1.4 waits for ever when it is closed without having had a picture. */
static void send_any_picture(AVCodecContext *c)
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

void codec_close_video(AVCodecContext **codec)
{
    AVCodecContext *c = *codec;
    if (c && !strcmp(c->codec->name, "libsvtav1") && c->frame_number == 0)
        send_any_picture(c);
    avcodec_free_context(codec);
}
