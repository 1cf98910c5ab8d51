// SPDX-License-Identifier: MIT
#include "output/sound_track.h"

#include "base/memory.h"
#include "output/codec.h"
#include "output/ffmpeg_compat.h"

enum { CHUNK = 4096, PCM_FRAME = 1024, MAX_WAITING = 8 << 20 };

/* Packets that were encoded before somebody read them. */
typedef struct WaitingPackets {
    AVPacket **items;
    size_t count, next, bytes;
    int error; /* error in encoding the packet after them, or 0 */
} WaitingPackets;

struct SoundTrack {
    const char *file;
    SinkSound sound;
    size_t position; /* sample frames that the resampler has read */
    bool drained;
    AVCodecContext *codec;
    struct SwrContext *resampler;
    AVAudioFifo *fifo; /* resampled samples that do not fill a frame yet */
    AVFrame *frame;    /* input of the encoder */
    AVFrame *chunk;    /* output of the resampler */
    int64_t pts;
    WaitingPackets waiting;
};

static bool fail_encode(const SoundTrack *track, int code, Diag *diag)
{
    return codec_fail(track->file, "cannot encode the sound", code, diag);
}

static bool fail_resample(const SoundTrack *track, int code, Diag *diag)
{
    return codec_fail(track->file, "cannot resample the sound", code, diag);
}

/* The rate of the sound if the encoder supports it, else 48 kHz, else one that it supports. */
static int choose_rate(const AVCodec *codec, int preferred)
{
    const int *rate = ffmpeg_sample_rates(codec);
    int best = 0;
    if (!rate)
        return preferred;
    for (; *rate; rate++) {
        if (*rate == preferred)
            return preferred;
        if (*rate == 48000 || !best)
            best = *rate;
    }
    return best;
}

/* 192 kbit/s for stereo; Opus reaches the same quality with 160. */
static int choose_bitrate(const AVCodec *codec, const SinkOptions *options)
{
    const int stereo = codec->id == AV_CODEC_ID_OPUS ? 160000 : 192000;
    if (options->video.audio_kbps > 0)
        return options->video.audio_kbps * 1000;
    return options->contents.sound.channels == 1 ? stereo / 2 : stereo;
}

static bool open_codec(SoundTrack *track, const AVCodec *codec, const SinkOptions *options,
                       bool global_header, Diag *diag)
{
    const enum AVSampleFormat *formats = ffmpeg_sample_formats(codec);
    AVCodecContext *c = track->codec = avcodec_alloc_context3(codec);
    if (!c)
        return fail_encode(track, AVERROR(ENOMEM), diag);
    c->sample_rate = choose_rate(codec, options->contents.sound.rate);
    c->sample_fmt = formats ? formats[0] : AV_SAMPLE_FMT_S16;
    av_channel_layout_default(&c->ch_layout, options->contents.sound.channels);
    c->time_base = (AVRational){1, c->sample_rate};
    c->bit_rate = choose_bitrate(codec, options);
    c->thread_count = 1;
    c->flags |= AV_CODEC_FLAG_BITEXACT | (global_header ? AV_CODEC_FLAG_GLOBAL_HEADER : 0);
    const int code = avcodec_open2(c, codec, NULL);
    return code >= 0 || diag_fail(diag, DIAG_RESOURCE,
                                  "'%s': cannot open encoder '%s' for %d channels, %d Hz, "
                                  "%d bit/s: %s",
                                  track->file, codec->name, options->contents.sound.channels,
                                  c->sample_rate, (int)c->bit_rate, codec_error_text(code).text);
}

static bool open_resampler(SoundTrack *track, Diag *diag)
{
    AVCodecContext *c = track->codec;
    int code = swr_alloc_set_opts2(&track->resampler, &c->ch_layout, c->sample_fmt, c->sample_rate,
                                   &c->ch_layout, AV_SAMPLE_FMT_FLT, track->sound.rate, 0, NULL);
    if (code >= 0)
        code = swr_init(track->resampler);
    return code >= 0 || fail_resample(track, code, diag);
}

static bool open_buffer(AVFrame **out, const SoundTrack *track, int samples, Diag *diag)
{
    AVFrame *frame = *out = av_frame_alloc();
    if (!frame)
        return fail_encode(track, AVERROR(ENOMEM), diag);
    frame->format = track->codec->sample_fmt;
    frame->sample_rate = track->codec->sample_rate;
    frame->nb_samples = samples;
    int code = av_channel_layout_copy(&frame->ch_layout, &track->codec->ch_layout);
    if (code >= 0)
        code = av_frame_get_buffer(frame, 0);
    return code >= 0 || fail_encode(track, code, diag);
}

static int frame_size(const SoundTrack *track)
{
    return track->codec->frame_size > 0 ? track->codec->frame_size : PCM_FRAME;
}

static bool open_buffers(SoundTrack *track, Diag *diag)
{
    const int max_samples = swr_get_out_samples(track->resampler, CHUNK);
    if (max_samples <= 0)
        return fail_resample(track, AVERROR(EINVAL), diag);
    track->fifo = av_audio_fifo_alloc(track->codec->sample_fmt, track->codec->ch_layout.nb_channels,
                                      frame_size(track) + max_samples);
    if (!track->fifo)
        return fail_encode(track, AVERROR(ENOMEM), diag);
    return open_buffer(&track->frame, track, frame_size(track), diag) &&
           open_buffer(&track->chunk, track, max_samples, diag);
}

/* Where no player skips the priming, it replaces the first samples, so that the others are in time.
 */
static void skip_priming(SoundTrack *track)
{
    const int64_t priming = track->codec->initial_padding;
    const size_t skipped =
        (size_t)av_rescale(priming, track->sound.rate, track->codec->sample_rate);
    track->pts = priming;
    track->position = skipped < track->sound.frames ? skipped : track->sound.frames;
}

SoundTrack *sound_track_create(const AVCodec *codec, const SinkOptions *options,
                               const AVOutputFormat *container, Arena *arena, Diag *diag)
{
    const bool global_header = container->flags & AVFMT_GLOBALHEADER;
    SoundTrack *track = arena_alloc(arena, sizeof *track);

    track->file = options->file;
    track->sound = options->contents.sound;
    if (open_codec(track, codec, options, global_header, diag) && open_resampler(track, diag) &&
        open_buffers(track, diag)) {
        if (!codec_container_has_times(container))
            skip_priming(track);
        return track;
    }
    sound_track_destroy(track);
    return NULL;
}

void sound_track_destroy(SoundTrack *track)
{
    if (!track)
        return;
    for (size_t i = track->waiting.next; i < track->waiting.count; i++)
        av_packet_free(&track->waiting.items[i]);
    memory_free(track->waiting.items);
    avcodec_free_context(&track->codec);
    swr_free(&track->resampler);
    if (track->fifo)
        av_audio_fifo_free(track->fifo);
    av_frame_free(&track->frame);
    av_frame_free(&track->chunk);
}

SoundTrack *sound_track_open(const SinkOptions *options, Arena *arena, Diag *diag)
{
    SinkOptions checked = *options;
    CodecChoice choice;
    checked.checked = true; /* its warnings were reported */
    return codec_choose(&choice, &checked, diag) && choice.audio
               ? sound_track_create(choice.audio, options, choice.container, arena, diag)
               : NULL;
}

const AVCodecContext *sound_track_codec(const SoundTrack *track)
{
    return track->codec;
}

/* Resamples the next chunk; after the last one drains the resampler. */
static int resample_chunk(SoundTrack *track)
{
    const size_t left = track->sound.frames - track->position;
    const int count = left < CHUNK ? (int)left : CHUNK;
    const uint8_t *in =
        (const uint8_t *)(track->sound.samples + track->position * (size_t)track->sound.channels);
    const int n = swr_convert(track->resampler, track->chunk->extended_data,
                              track->chunk->nb_samples, count ? &in : NULL, count);
    track->position += (size_t)count;
    track->drained = count == 0 && n <= 0;
    return n;
}

/* Fills the frame; *count samples are from the sound, fewer than a frame only at its end.  Returns
 * a libav error code. */
static int next_frame(SoundTrack *track, int *count)
{
    const int size = frame_size(track);

    while (!track->drained && av_audio_fifo_size(track->fifo) < size) {
        int n = resample_chunk(track);
        if (n > 0)
            n = av_audio_fifo_write(track->fifo, (void **)track->chunk->extended_data, n);
        if (n < 0)
            return n;
    }
    const int code = av_frame_make_writable(track->frame);
    if (code < 0)
        return code;
    *count = av_audio_fifo_read(track->fifo, (void **)track->frame->extended_data, size);
    return *count < 0 ? *count : 0;
}

static int send_frame(SoundTrack *track)
{
    const int size = frame_size(track);
    AVFrame *frame = track->frame;
    int count = 0;

    int code = next_frame(track, &count);
    if (code < 0)
        return code;
    frame->nb_samples = count;
    if (count > 0 && count < size &&
        !(track->codec->codec->capabilities &
          (AV_CODEC_CAP_SMALL_LAST_FRAME | AV_CODEC_CAP_VARIABLE_FRAME_SIZE))) {
        av_samples_set_silence(frame->extended_data, count, size - count,
                               frame->ch_layout.nb_channels, track->codec->sample_fmt);
        frame->nb_samples = size;
    }
    frame->pts = track->pts;
    track->pts += count;
    code = avcodec_send_frame(track->codec, count > 0 ? frame : NULL);
    frame->nb_samples = size;
    return code;
}

/* Encodes the next packet.  AVERROR_EOF: there is none. */
static int encode_packet(SoundTrack *track, AVPacket *packet)
{
    int code;
    while ((code = avcodec_receive_packet(track->codec, packet)) == AVERROR(EAGAIN))
        if ((code = send_frame(track)) < 0)
            break;
    return code;
}

static void wait_with(WaitingPackets *waiting, AVPacket *packet)
{
    const size_t step = 64;
    if (waiting->count % step == 0)
        waiting->items =
            memory_resize(waiting->items, (waiting->count + step) * sizeof *waiting->items);
    waiting->items[waiting->count++] = packet;
    waiting->bytes += (size_t)packet->size;
}

static bool is_ahead(const SoundTrack *track, double until_s)
{
    const WaitingPackets *waiting = &track->waiting;
    return waiting->error || waiting->bytes >= MAX_WAITING ||
           (double)track->pts >= until_s * track->codec->sample_rate;
}

void sound_track_encode_ahead(SoundTrack *track, double until_s)
{
    while (!is_ahead(track, until_s)) {
        AVPacket *packet = av_packet_alloc();
        track->waiting.error = packet ? encode_packet(track, packet) : AVERROR(ENOMEM);
        if (track->waiting.error)
            av_packet_free(&packet);
        else
            wait_with(&track->waiting, packet);
    }
}

bool sound_track_read(SoundTrack *track, AVPacket *packet, bool *more, Diag *diag)
{
    WaitingPackets *waiting = &track->waiting;
    int code = waiting->error;
    if (waiting->next < waiting->count) {
        code = 0;
        av_packet_move_ref(packet, waiting->items[waiting->next]);
        av_packet_free(&waiting->items[waiting->next++]);
    } else if (!code) {
        code = encode_packet(track, packet);
    }
    *more = code >= 0;
    return code >= 0 || code == AVERROR_EOF || fail_encode(track, code, diag);
}
