// SPDX-License-Identifier: MIT
#include "media/sound_reader.h"

#include <math.h>

#include "base/arena.h"
#include "base/memory.h"
#include "media/libav.h"
#include "media/video_stream.h"

/* The codecs that Odori writes, and those of other films with sound. */
static const char decoders[] =
    "pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be,pcm_u8,pcm_f32le,pcm_f32be,"
    "pcm_f64le,pcm_f64be,flac,vorbis,opus,libopus,mp3float,mp3,mp2float,mp2,aac,alac,ac3,wmav1,"
    "wmav2";

struct SoundReader {
    Arena *arena;
    MediaFile media;
    AVCodecContext *codec;
    int stream;
    AVPacket *packet;
    AVFrame *frame; /* the next one of the decoder, if it is not used yet */
    bool pending;
    struct SwrContext *converter; /* to interleaved floats; it keeps rate and channels */
    SoundFormat format;
    float *samples;
    size_t capacity; /* of samples, in frames */
};

/* ---- opening ---- */

static bool open_codec(SoundReader *r, Diag *diag)
{
    const AVCodec *codec = NULL;
    AVFormatContext *in = r->media.demuxer;
    if (avformat_find_stream_info(in, NULL) < 0)
        return diag_error(diag, "the start of the video is damaged");
    r->stream = av_find_best_stream(in, AVMEDIA_TYPE_AUDIO, -1, -1, &codec, 0);
    if (r->stream < 0 || !codec)
        return diag_error(diag, "the file has no sound that can be decoded");
    r->codec = avcodec_alloc_context3(codec);
    if (!r->codec)
        return diag_fail(diag, DIAG_RESOURCE, "out of memory for the decoder");
    const AVStream *stream = in->streams[r->stream];
    AVDictionary *options = NULL;
    av_dict_set(&options, "codec_whitelist", decoders, 0);
    r->codec->thread_count = 1;
    r->codec->pkt_timebase = stream->time_base;
    const bool ok = avcodec_parameters_to_context(r->codec, stream->codecpar) >= 0 &&
                    avcodec_open2(r->codec, codec, &options) >= 0;
    av_dict_free(&options);
    return ok || diag_error(diag, "audio codec '%s' cannot be decoded",
                            avcodec_get_name(stream->codecpar->codec_id));
}

/* ---- decoding ---- */

static bool fail_decode(const SoundReader *r, Diag *diag)
{
    return media_file_check(&r->media, true, diag) && diag_error(diag, "the sound is damaged");
}

/* Sends the next packet, or the end of the file, to the decoder. */
static bool feed(SoundReader *r, Diag *diag)
{
    int code;
    while ((code = av_read_frame(r->media.demuxer, r->packet)) >= 0) {
        const bool ours = r->packet->stream_index == r->stream;
        const int sent = ours ? avcodec_send_packet(r->codec, r->packet) : 0;
        av_packet_unref(r->packet);
        if (sent < 0)
            return fail_decode(r, diag);
        if (ours)
            return true;
    }
    if (!media_file_check(&r->media, code != AVERROR_EOF, diag))
        return false;
    return avcodec_send_packet(r->codec, NULL) >= 0 || fail_decode(r, diag);
}

/* Decodes a frame into r->frame; *more is false at the end. */
static bool next_frame(SoundReader *r, bool *more, Diag *diag)
{
    int code;
    *more = true;
    if (r->pending) {
        r->pending = false;
        return true;
    }
    while ((code = avcodec_receive_frame(r->codec, r->frame)) == AVERROR(EAGAIN))
        if (!feed(r, diag))
            return false;
    *more = code >= 0;
    return code >= 0 || code == AVERROR_EOF || fail_decode(r, diag);
}

static bool open_converter(SoundReader *r, Diag *diag)
{
    const AVFrame *f = r->frame;
    AVChannelLayout layout = {0};
    av_channel_layout_default(&layout, f->ch_layout.nb_channels);
    const bool ok = swr_alloc_set_opts2(&r->converter, &layout, AV_SAMPLE_FMT_FLT, f->sample_rate,
                                        &layout, f->format, f->sample_rate, 0, NULL) >= 0 &&
                    swr_init(r->converter) >= 0;
    av_channel_layout_uninit(&layout);
    r->format = (SoundFormat){.rate = f->sample_rate, .channels = f->ch_layout.nb_channels};
    return ok || diag_error(diag, "the sound has a format that cannot be compared");
}

/* Time of r->frame from the first frame of the video on. */
static double frame_time(const SoundReader *r)
{
    AVFormatContext *in = r->media.demuxer;
    const int video = av_find_best_stream(in, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
    const int64_t pts = r->frame->best_effort_timestamp;
    double time = 0;
    if (pts != AV_NOPTS_VALUE)
        time = (double)pts * av_q2d(in->streams[r->stream]->time_base);
    if (video >= 0 && in->streams[video]->start_time != AV_NOPTS_VALUE)
        time -= (double)in->streams[video]->start_time * av_q2d(in->streams[video]->time_base);
    return time;
}

static bool convert(SoundReader *r, Diag *diag)
{
    const AVFrame *f = r->frame;
    const size_t frames = (size_t)f->nb_samples;
    if (f->sample_rate != r->format.rate || f->ch_layout.nb_channels != r->format.channels)
        return diag_error(diag, "the rate or the channels of the sound change within the file");
    if (frames > r->capacity) {
        r->samples =
            memory_resize(r->samples, frames * (size_t)r->format.channels * sizeof *r->samples);
        r->capacity = frames;
    }
    uint8_t *out[] = {(uint8_t *)r->samples};
    const uint8_t **const in = (const uint8_t **)(void *)f->extended_data;
    return swr_convert(r->converter, out, f->nb_samples, in, f->nb_samples) == f->nb_samples ||
           fail_decode(r, diag);
}

/* Skips the samples before the first frame of the video, and keeps the frame after them. */
static bool find_start(SoundReader *r, Diag *diag)
{
    bool more;
    if (!next_frame(r, &more, diag))
        return false;
    if (!more)
        return diag_error(diag, "no sample of the sound can be decoded");
    if (!open_converter(r, diag))
        return false;
    double start = frame_time(r);
    while (more && start + (double)r->frame->nb_samples / r->format.rate <= 0) {
        start += (double)r->frame->nb_samples / r->format.rate;
        if (!next_frame(r, &more, diag))
            return false;
    }
    r->pending = more;
    r->format.start_s = start;
    return true;
}

SoundReader *sound_reader_open(const char *file, Diag *diag)
{
    Arena *arena = arena_create();
    SoundReader *r = arena_array(arena, SoundReader, 1);
    r->arena = arena;
    av_log_set_level(AV_LOG_QUIET);
    diag_file(diag, file);
    r->packet = av_packet_alloc();
    r->frame = av_frame_alloc();
    r->media.fd = -1;
    if (!r->packet || !r->frame)
        diag_fail(diag, DIAG_RESOURCE, "out of memory for the decoder");
    else if (media_file_open(&r->media, file, video_stream_demuxers, decoders,
                             "not a supported video file", diag) &&
             open_codec(r, diag) && find_start(r, diag))
        return r;
    sound_reader_close(r);
    return NULL;
}

void sound_reader_close(SoundReader *reader)
{
    if (!reader)
        return;
    av_packet_free(&reader->packet);
    av_frame_free(&reader->frame);
    swr_free(&reader->converter);
    avcodec_free_context(&reader->codec);
    media_file_close(&reader->media);
    memory_free(reader->samples);
    arena_destroy(reader->arena);
}

SoundFormat sound_reader_format(const SoundReader *reader)
{
    SoundFormat format = reader->format;
    format.start_s = fmax(format.start_s, 0);
    return format;
}

bool sound_reader_read(const float **samples, size_t *frames, SoundReader *r, Diag *diag)
{
    bool more;
    *frames = 0;
    if (!next_frame(r, &more, diag) || (more && !convert(r, diag)))
        return false;
    if (!more)
        return true;
    /* The rest of the frame in which the video starts. */
    const double before = r->format.start_s < 0 ? round(-r->format.start_s * r->format.rate) : 0;
    const size_t skipped = (size_t)fmin(before, r->frame->nb_samples);
    r->format.start_s = fmax(r->format.start_s, 0);
    *samples = r->samples + skipped * (size_t)r->format.channels;
    *frames = (size_t)r->frame->nb_samples - skipped;
    return *frames > 0 || sound_reader_read(samples, frames, r, diag);
}
