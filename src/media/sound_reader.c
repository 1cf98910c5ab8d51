// SPDX-License-Identifier: MIT
#include "media/sound_reader.h"

#include <math.h>

#include "base/arena.h"
#include "base/memory.h"
#include "media/libav.h"
#include "media/media_stream.h"

struct SoundReader {
    Arena *arena;
    MediaStream in;
    bool pending;                 /* the frame of `in` is not used yet */
    struct SwrContext *converter; /* to interleaved floats; it keeps rate and channels */
    SoundFormat format;
    float *samples;
    size_t capacity; /* of samples, in frames */
};

/* ---- decoding ---- */

static bool fail_decode(const MediaStream *s, Diag *diag)
{
    return media_file_check(&s->media, true, diag) && diag_error(diag, "the sound is damaged");
}

/* Sends the next packet, or the end of the file, to the decoder. */
static bool feed(const MediaStream *s, Diag *diag)
{
    int code;
    while ((code = av_read_frame(s->media.demuxer, s->packet)) >= 0) {
        const bool ours = s->packet->stream_index == s->index;
        const int sent = ours ? avcodec_send_packet(s->codec, s->packet) : 0;
        av_packet_unref(s->packet);
        if (sent < 0)
            return fail_decode(s, diag);
        if (ours)
            return true;
    }
    if (!media_file_check(&s->media, code != AVERROR_EOF, diag))
        return false;
    return avcodec_send_packet(s->codec, NULL) >= 0 || fail_decode(s, diag);
}

/* Decodes a frame; *more is false at the end. */
static bool next_frame(SoundReader *r, bool *more, Diag *diag)
{
    int code;
    *more = true;
    if (r->pending) {
        r->pending = false;
        return true;
    }
    while ((code = avcodec_receive_frame(r->in.codec, r->in.frame)) == AVERROR(EAGAIN))
        if (!feed(&r->in, diag))
            return false;
    *more = code >= 0;
    return code >= 0 || code == AVERROR_EOF || fail_decode(&r->in, diag);
}

static bool open_converter(SoundReader *r, Diag *diag)
{
    const AVFrame *f = r->in.frame;
    AVChannelLayout layout = {0};
    av_channel_layout_default(&layout, f->ch_layout.nb_channels);
    const bool ok = swr_alloc_set_opts2(&r->converter, &layout, AV_SAMPLE_FMT_FLT, f->sample_rate,
                                        &layout, f->format, f->sample_rate, 0, NULL) >= 0 &&
                    swr_init(r->converter) >= 0;
    av_channel_layout_uninit(&layout);
    r->format = (SoundFormat){.rate = f->sample_rate, .channels = f->ch_layout.nb_channels};
    return ok || diag_error(diag, "the sound has a format that cannot be compared");
}

/* Time of the frame from the first frame of the video on. */
static double frame_time(const SoundReader *r)
{
    AVFormatContext *in = r->in.media.demuxer;
    const int video = av_find_best_stream(in, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
    const int64_t pts = r->in.frame->best_effort_timestamp;
    double time = 0;
    if (pts != AV_NOPTS_VALUE)
        time = (double)pts * av_q2d(in->streams[r->in.index]->time_base);
    if (video >= 0 && in->streams[video]->start_time != AV_NOPTS_VALUE)
        time -= (double)in->streams[video]->start_time * av_q2d(in->streams[video]->time_base);
    return time;
}

static bool convert(SoundReader *r, Diag *diag)
{
    const AVFrame *f = r->in.frame;
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
           fail_decode(&r->in, diag);
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
    while (more && start + (double)r->in.frame->nb_samples / r->format.rate <= 0) {
        start += (double)r->in.frame->nb_samples / r->format.rate;
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
    if (media_stream_open(&r->in, file, MEDIA_SOUND, 1, diag) && find_start(r, diag))
        return r;
    sound_reader_close(r);
    return NULL;
}

void sound_reader_close(SoundReader *reader)
{
    if (!reader)
        return;
    swr_free(&reader->converter);
    media_stream_close(&reader->in);
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
    const size_t skipped = (size_t)fmin(before, r->in.frame->nb_samples);
    r->format.start_s = fmax(r->format.start_s, 0);
    *samples = r->samples + skipped * (size_t)r->format.channels;
    *frames = (size_t)r->in.frame->nb_samples - skipped;
    return *frames > 0 || sound_reader_read(samples, frames, r, diag);
}
