// SPDX-License-Identifier: MIT
#include "media/sound.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "media/libav.h"
#include "media/media_stream.h"

enum {
    MAX_SECONDS = 4 * 3600,
    /* Samples may use 64 MiB plus 2000 times the file size: the best compressed real sound (Opus,
     * silence at 400 bytes per second) needs 960 times, a malicious file needs more. */
    FREE_MIB = 64,
    MAX_RATIO = 2000,
    BLOCK_FRAMES = 1 << 16,
    MARGIN = 2,    /* frames by which a part may be rounded */
    SILENCE_S = 1, /* at most, for one damaged packet */
    MIN_RATE = 1000,
    MAX_RATE = 768000,        /* above that of any hardware; resampling from more needs gigabytes */
    MAX_ALLOCATION = 64 << 20 /* limit of libav for one call: a tag may declare 2 GiB */
};

/* ---- samples as they come, in blocks ---- */

typedef struct SampleBlock {
    struct SampleBlock *next;
    size_t frames;
    float samples[]; /* BLOCK_FRAMES * channels */
} SampleBlock;

typedef struct Decoder {
    MediaStream in;
    struct SwrContext *resampler;
    /* Input format of the resampler; it may change within a stream. */
    AVChannelLayout layout;
    int format, in_rate;

    int channels, rate;
    Arena *arena; /* the arena of the blocks */
    SampleBlock *first, *last;
    size_t frames, max_frames; /* decoded, with those dropped */
    size_t skip, dropped;      /* blocks that end within the first `skip` frames are dropped */
    unsigned damaged;          /* packets that could not be decoded */
    bool failed;               /* libav reported an error */
    bool full;
    bool may_end; /* max_frames is the end of the part that is wanted, not a limit */
} Decoder;

static void close_decoder(Decoder *d)
{
    swr_free(&d->resampler);
    av_channel_layout_uninit(&d->layout);
    media_stream_close(&d->in);
    arena_destroy(d->arena);
}

/* Returns memory for *available frames, at least one. */
static float *reserve_block(Decoder *d, size_t *available)
{
    const size_t size = sizeof(float) * BLOCK_FRAMES * (size_t)d->channels;
    if (d->last && d->last->frames == BLOCK_FRAMES && d->frames <= d->skip) {
        memset(d->last->samples, 0, size);
        d->last->frames = 0;
        d->dropped = d->frames;
    } else if (!d->last || d->last->frames == BLOCK_FRAMES) {
        SampleBlock *block = arena_alloc(d->arena, sizeof *block + size);
        if (d->last)
            d->last->next = block;
        else
            d->first = block;
        d->last = block;
    }
    *available = BLOCK_FRAMES - d->last->frames;
    if (*available > d->max_frames - d->frames)
        *available = d->max_frames - d->frames;
    return d->last->samples + d->last->frames * (size_t)d->channels;
}

static void commit_block(Decoder *d, size_t count)
{
    d->last->frames += count;
    d->frames += count;
}

/* Resamples `count` frames of input into the blocks; NULL flushes the resampler. */
static bool resample(Decoder *d, const uint8_t **in, int count)
{
    for (;;) {
        if (d->frames == d->max_frames) {
            d->full = true;
            return true;
        }
        size_t available;
        float *samples = reserve_block(d, &available);
        uint8_t *out[] = {(uint8_t *)samples};
        const int n = swr_convert(d->resampler, out, (int)available, in, count);
        if (n < 0)
            return false;
        commit_block(d, (size_t)n);
        if ((size_t)n < available)
            return true;
        count = 0; /* the resampler has buffered the rest of the input */
    }
}

static void append_silence(Decoder *d, double seconds)
{
    size_t left = (size_t)(seconds * d->rate);
    while (left && d->frames < d->max_frames) {
        size_t available;
        (void)reserve_block(d, &available); /* is zeroed */
        const size_t count = left < available ? left : available;
        commit_block(d, count);
        left -= count;
    }
}

/* ---- opening ---- */

static bool set_target(Decoder *d, const SoundPart *part, Diag *diag)
{
    const AVCodecParameters *p = d->in.media.demuxer->streams[d->in.index]->codecpar;
    const double free_bytes = FREE_MIB * 1048576.0;

    if (p->sample_rate < MIN_RATE || p->sample_rate > MAX_RATE)
        return diag_error(diag, "sample rate of %d Hz is out of range (%d..%d)", p->sample_rate,
                          MIN_RATE, MAX_RATE);
    d->channels = p->ch_layout.nb_channels == 1 ? 1 : 2;
    d->rate = part->rate ? part->rate : p->sample_rate == 44100 ? 44100 : 48000;
    const double by_file = (free_bytes + (double)MAX_RATIO * (double)d->in.media.size) /
                           (double)(sizeof(float) * (size_t)d->channels);
    const double by_time = (double)MAX_SECONDS * d->rate;
    const double limit = by_file < by_time ? by_file : by_time;
    const double wanted = fmax(part->end_s, 0) * d->rate + MARGIN;
    d->may_end = wanted < limit;
    d->max_frames = (size_t)(d->may_end ? wanted : limit);
    d->skip = (size_t)fmin(fmax(part->first_s * d->rate - MARGIN, 0), (double)d->max_frames);
    return true;
}

/* ---- decoding ---- */

static bool is_set_up(const Decoder *d)
{
    return d->resampler && d->format == d->in.frame->format &&
           d->in_rate == d->in.frame->sample_rate &&
           av_channel_layout_compare(&d->layout, &d->in.frame->ch_layout) == 0;
}

static bool set_up_resampler(Decoder *d)
{
    const AVFrame *f = d->in.frame;
    AVChannelLayout in = {0}, out = {0};

    if (f->sample_rate < MIN_RATE || f->sample_rate > MAX_RATE)
        return false;
    if (d->resampler && !resample(d, NULL, 0))
        return false;
    swr_free(&d->resampler);
    if (f->ch_layout.order == AV_CHANNEL_ORDER_UNSPEC)
        av_channel_layout_default(&in, f->ch_layout.nb_channels);
    else if (av_channel_layout_copy(&in, &f->ch_layout) < 0)
        return false;
    av_channel_layout_default(&out, d->channels);
    const bool ok = swr_alloc_set_opts2(&d->resampler, &out, AV_SAMPLE_FMT_FLT, d->rate, &in,
                                        f->format, f->sample_rate, 0, NULL) >= 0 &&
                    swr_init(d->resampler) >= 0;
    av_channel_layout_uninit(&in);
    d->format = f->format;
    d->in_rate = f->sample_rate;
    return ok && av_channel_layout_copy(&d->layout, &f->ch_layout) >= 0;
}

static bool resample_frame(Decoder *d)
{
    const uint8_t **const in = (const uint8_t **)(void *)d->in.frame->extended_data;
    const bool ok =
        (is_set_up(d) || set_up_resampler(d)) && resample(d, in, d->in.frame->nb_samples);
    av_frame_unref(d->in.frame);
    return ok;
}

/* Replaces a packet that cannot be decoded with silence, so that the rest stays in time. */
static void replace_damaged_packet(Decoder *d)
{
    const AVStream *stream = d->in.media.demuxer->streams[d->in.index];
    const double seconds = (double)d->in.packet->duration * av_q2d(stream->time_base);

    d->damaged++;
    d->failed = true;
    if (d->frames && seconds > 0.0)
        append_silence(d, seconds < SILENCE_S ? seconds : SILENCE_S);
}

static void decode_packet(Decoder *d, const AVPacket *packet)
{
    bool ok = avcodec_send_packet(d->in.codec, packet) >= 0;
    while (ok && !d->full) {
        const int code = avcodec_receive_frame(d->in.codec, d->in.frame);
        if (code == AVERROR(EAGAIN) || code == AVERROR_EOF)
            return;
        ok = code >= 0 && resample_frame(d);
    }
    if (!ok && packet)
        replace_damaged_packet(d);
}

/* True if the end of the file was reached without an error. */
static bool decode_all(Decoder *d)
{
    int code = 0;
    while (!d->full && (code = av_read_frame(d->in.media.demuxer, d->in.packet)) >= 0) {
        if (d->in.packet->stream_index == d->in.index)
            decode_packet(d, d->in.packet);
        av_packet_unref(d->in.packet);
    }
    decode_packet(d, NULL);
    if (d->resampler && !d->full)
        d->failed |= !resample(d, NULL, 0);
    d->failed |= !d->full && code != AVERROR_EOF;
    return d->full || code == AVERROR_EOF;
}

/* The file size declared in a RIFF header, which libav does not check; 0 if there is none. */
static int64_t riff_size(const MediaFile *input)
{
    uint8_t head[8];
    if (pread(input->fd, head, sizeof head, 0) != (ssize_t)sizeof head ||
        memcmp(head, "RIFF", 4) != 0)
        return 0;
    const uint32_t size = (uint32_t)head[4] | (uint32_t)head[5] << 8 | (uint32_t)head[6] << 16 |
                          (uint32_t)head[7] << 24;
    return size == UINT32_MAX ? 0 : (int64_t)size + 8; /* 2^32 - 1: was written to a pipe */
}

/* Seconds of the stream, or 0 if they are unknown or estimated by libav. */
static double declared_length_s(const Decoder *d)
{
    const AVStream *stream = d->in.media.demuxer->streams[d->in.index];
    const bool is_exact =
        d->in.media.demuxer->duration_estimation_method == AVFMT_DURATION_FROM_STREAM &&
        stream->duration > 0;
    return is_exact ? (double)stream->duration * av_q2d(stream->time_base) : 0.0;
}

static bool is_short(const Decoder *d)
{
    return !d->full && (double)d->frames / d->rate < 0.99 * declared_length_s(d) - 0.1;
}

/* Warns if the sound is shorter than declared. */
static void compare_length(const Decoder *d, bool ended_well, Diag *diag)
{
    const double decoded_s = (double)d->frames / d->rate, declared_s = declared_length_s(d);

    if (d->damaged)
        diag_warn(diag, WARN_TRUNCATED, "%u damaged packets of the sound are replaced with silence",
                  d->damaged);
    if (d->full)
        return;
    if (is_short(d))
        diag_warn(diag, WARN_TRUNCATED, "the sound ends after %.2f of %.2f s", decoded_s,
                  declared_s);
    else if (!ended_well ||
             riff_size(&d->in.media) > d->in.media.size + 1) /* a padding byte may be missing */
        diag_warn(diag, WARN_TRUNCATED,
                  "the sound ends after %.2f s: the file is truncated or damaged there", decoded_s);
}

static bool decode(Decoder *d, Diag *diag)
{
    const bool ended_well = decode_all(d);

    if (!media_file_check(&d->in.media, d->failed || is_short(d) || !d->frames, diag))
        return false;
    if (d->full && !d->may_end)
        return diag_error(diag, "the sound is too long (0..%.0f s for a file of %lld bytes)",
                          (double)d->max_frames / d->rate, (long long)d->in.media.size);
    if (d->frames == 0)
        return diag_error(diag, "no sample of the sound can be decoded");
    compare_length(d, ended_well, diag);
    return true;
}

/* Damaged floating-point files may contain NaN and infinity. */
static void make_finite(float *samples, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(samples[i]))
            samples[i] = 0.0f;
}

static void collect_blocks(Sound *sound, const Decoder *d, Arena *arena)
{
    const size_t channels = (size_t)d->channels;
    const size_t kept = d->frames - d->dropped;
    float *at = arena_calloc(arena, kept, channels * sizeof *at);

    *sound = (Sound){at, kept, d->channels, d->rate, d->dropped};
    for (const SampleBlock *b = d->first; b; b = b->next) {
        memcpy(at, b->samples, b->frames * channels * sizeof *at);
        at += b->frames * channels;
    }
    make_finite(sound->samples, kept * channels);
}

bool sound_load_part(Sound *sound, const char *path, const SoundPart *part, Arena *arena,
                     Diag *diag)
{
    Decoder d = {.frames = 0};
    bool ok = false;

    av_max_alloc(MAX_ALLOCATION);
    d.arena = arena_create();
    if (media_stream_open(&d.in, path, MEDIA_SOUND, 1, diag) && set_target(&d, part, diag))
        ok = decode(&d, diag);
    if (ok)
        collect_blocks(sound, &d, arena);
    close_decoder(&d);
    av_max_alloc(INT_MAX); /* the default of libav */
    return ok;
}

/* ---- cutting ---- */

/* The factor of fades over so many seconds from the start, and to the end. */
static double fade(double since_start, double to_end, double in_s, double out_s)
{
    double factor = 1.0;
    if (since_start < in_s)
        factor *= since_start > 0.0 ? since_start / in_s : 0.0;
    if (to_end < out_s)
        factor *= to_end > 0.0 ? to_end / out_s : 0.0;
    return factor;
}

Sound sound_cut(const Sound *sound, const SoundCut *cut, Arena *arena)
{
    const double rate = sound->rate;
    const size_t channels = (size_t)sound->channels;
    const double length = round(cut->length_s * rate);
    const size_t frames = length > 0.0 ? (size_t)length : 0;
    Sound out = {arena_calloc(arena, frames, channels * sizeof(float)), frames, sound->channels,
                 sound->rate, 0};

    /* The position of the first sample is rounded once; all others follow without rounding. */
    const double first = round((cut->start_s - cut->offset_s) * rate) - (double)sound->first;
    const double gain = pow(10.0, cut->gain_db / 20.0);
    const double begin = first < 0.0 ? -first : 0.0; /* silence before the sound */
    const double rest = (double)sound->frames - first;
    const double end = rest < (double)frames ? rest : (double)frames;
    const double until =
        cut->to_s > 0.0 ? cut->to_s : (double)(sound->first + sound->frames) / rate;

    for (double i = begin; i < end; i++) {
        const float *from = sound->samples + (size_t)(i + first) * channels;
        float *to = out.samples + (size_t)i * channels;
        const double at = i / rate, in_file = (i + first + (double)sound->first) / rate;
        if (in_file < cut->from_s || in_file >= until)
            continue;
        const double factor =
            gain * fade(at, cut->length_s - at, cut->fade_in_s, cut->fade_out_s) *
            fade(in_file - cut->from_s, until - in_file, cut->own_in_s, cut->own_out_s);
        for (size_t c = 0; c < channels; c++)
            to[c] = (float)((double)from[c] * factor);
    }
    return out;
}
