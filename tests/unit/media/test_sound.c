// SPDX-License-Identifier: MIT
/* sound: all formats, cutting and fading with values computed by hand, damaged files */

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/path.h"
#include "diag_log.h"
#include "format/file_kind.h"
#include "media/sound.h"
#include "output/ffmpeg_compat.h"
#include "scratch.h"
#include "shared_data.h"
#include "unit_test.h"
#include "wav_fixture.h"

typedef struct Bench {
    Arena *arena;
    Scratch scratch;
    DiagLog log;
} Bench;

static int set_up(void **state)
{
    Bench *bench = calloc(1, sizeof *bench);
    bench->arena = arena_create();
    scratch_make(&bench->scratch);
    diag_log_init(&bench->log);
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    Bench *bench = *state;
    arena_destroy(bench->arena);
    scratch_remove(&bench->scratch);
    free(bench);
    return 0;
}

/* A tone with a different phase or level in each channel. */
static Sound tone(Bench *bench, size_t frames, int channels, int rate)
{
    Sound sound = {arena_array(bench->arena, float, frames *(size_t)channels), frames, channels,
                   rate, 0};
    for (size_t i = 0; i < frames; i++)
        for (int c = 0; c < channels; c++)
            sound.samples[i * (size_t)channels + (size_t)c] =
                (float)(0.5 * sin((double)i * (c ? 0.031 : 0.05)));
    return sound;
}

static double worst_difference(const Sound *a, const Sound *b, size_t frames)
{
    double worst = 0.0;
    for (size_t i = 0; i < frames * (size_t)a->channels; i++)
        worst = fmax(worst, fabs((double)a->samples[i] - (double)b->samples[i]));
    return worst;
}

static double rms_difference(const Sound *a, const Sound *b, size_t first, size_t end)
{
    const size_t channels = (size_t)a->channels;
    double sum = 0.0;
    for (size_t i = first * channels; i < end * channels; i++) {
        const double d = (double)a->samples[i] - (double)b->samples[i];
        sum += d * d;
    }
    return sqrt(sum / (double)((end - first) * channels));
}

/* ---- WAV ---- */

/* The bytes of a file of two samples, written by hand. */
static void test_wav_bytes(void **state)
{
    Bench *bench = *state;
    static const uint8_t expected[] = {
        'R', 'I', 'F', 'F', 44, 0, 0,    0,    'W',  'A',  'V',  'E',  'f', 'm',  't',  ' ', 16, 0,
        0,   0,   1,   0,   2,  0, 0x44, 0xac, 0,    0,    0x10, 0xb1, 2,   0,    4,    0,   16, 0,
        'd', 'a', 't', 'a', 8,  0, 0,    0,    0xff, 0x7f, 0,    0x80, 0,   0x40, 0xff, 0xff};
    float samples[] = {1.0f, -1.5f, 0.5f, -1.0f / 32768.0f};
    const Sound sound = {samples, 2, 2, 44100, 0};
    Bytes bytes;

    assert_true(wav_fixture_save(&sound, scratch_path(&bench->scratch, "a.wav"), &bench->log.diag));
    assert_true(file_load(&bytes, bench->scratch.path, 1000, bench->arena, &bench->log.diag));
    assert_int_equal(bytes.size, sizeof expected);
    assert_memory_equal(bytes.data, expected, sizeof expected);
}

static void test_wav_and_back(void **state)
{
    Bench *bench = *state;
    static const struct {
        int channels, rate;
    } rows[] = {{1, 44100}, {2, 48000}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Sound out = tone(bench, 70001, rows[i].channels, rows[i].rate);
        Sound in;
        const char *path = scratch_path(&bench->scratch, "a.wav");
        assert_true(wav_fixture_save(&out, path, &bench->log.diag));
        if (!sound_load_all(&in, path, bench->arena, &bench->log.diag) || bench->log.diag.warnings)
            fail_msg("%s", bench->log.text);
        assert_int_equal(in.frames, out.frames);
        assert_int_equal(in.channels, out.channels);
        assert_int_equal(in.rate, out.rate);
        assert_true(worst_difference(&in, &out, in.frames) <= 0.5 / 32768.0 + 1e-7);
    }
}

static void put(uint8_t **at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        *(*at)++ = (uint8_t)(value >> 8 * i);
}

/* A WAV file of any sample format: 1 integers, 3 floats. */
static size_t raw_wav(uint8_t *out, int format, int bits, int channels, int rate, const void *data,
                      size_t size)
{
    uint8_t *at = out;
    memcpy(at, "RIFF", 4), at += 4;
    put(&at, 36 + size, 4);
    memcpy(at, "WAVEfmt ", 8), at += 8;
    put(&at, 16, 4);
    put(&at, (uint64_t)format, 2);
    put(&at, (uint64_t)channels, 2);
    put(&at, (uint64_t)rate, 4);
    put(&at, (uint64_t)rate * (uint64_t)(channels * bits / 8), 4);
    put(&at, (uint64_t)(channels * bits / 8), 2);
    put(&at, (uint64_t)bits, 2);
    memcpy(at, "data", 4), at += 4;
    put(&at, size, 4);
    memcpy(at, data, size);
    return 44 + size;
}

static void test_sample_kinds(void **state)
{
    Bench *bench = *state;
    static const uint8_t u8[] = {128, 192, 0, 255},
                         s24[] = {0, 0, 0, 0, 0, 64, 0, 0, 128, 255, 255, 127};
    static const float f32[] = {0.0f, 0.5f, -1.0f, INFINITY};
    static const struct {
        const char *what;
        int format, bits;
        const void *data;
        size_t size;
        float expected[4];
    } rows[] = {
        {"8 bits", 1, 8, u8, sizeof u8, {0.0f, 0.5f, -1.0f, 127.0f / 128.0f}},
        {"24 bits", 1, 24, s24, sizeof s24, {0.0f, 0.5f, -1.0f, 8388607.0f / 8388608.0f}},
        {"float, with infinity", 3, 32, f32, sizeof f32, {0.0f, 0.5f, -1.0f, 0.0f}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t file[128];
        Sound in;
        const size_t size =
            raw_wav(file, rows[i].format, rows[i].bits, 1, 48000, rows[i].data, rows[i].size);
        const char *path = scratch_path(&bench->scratch, "a.wav");
        assert_true(file_save(path, file, size, &bench->log.diag));
        if (!sound_load_all(&in, path, bench->arena, &bench->log.diag) || in.frames != 4)
            fail_msg("%s: %s", rows[i].what, bench->log.text);
        for (int s = 0; s < 4; s++)
            if (fabs((double)in.samples[s] - (double)rows[i].expected[s]) > 1e-6)
                fail_msg("%s: sample %d is %g", rows[i].what, s, (double)in.samples[s]);
    }
}

/* Other rates become 48 kHz at the same pitch; six channels become two. */
static void test_resampled(void **state)
{
    Bench *bench = *state;
    static const struct {
        int channels, rate, out_channels, out_rate;
    } rows[] = {{1, 22050, 1, 48000}, {2, 96000, 2, 48000}, {6, 48000, 2, 48000}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t frames = (size_t)rows[i].rate / 2; /* 0.5 s of 1 kHz */
        const size_t channels = (size_t)rows[i].channels;
        int16_t *data = arena_array(bench->arena, int16_t, frames * channels);
        uint8_t *file = arena_alloc(bench->arena, 44 + frames * channels * 2);
        Sound in;
        for (size_t f = 0; f < frames; f++)
            data[f * channels] = (int16_t)(16000.0 * sin((double)f * 6283.185307 / rows[i].rate));
        const size_t size =
            raw_wav(file, 1, 16, rows[i].channels, rows[i].rate, data, frames * channels * 2);
        const char *path = scratch_path(&bench->scratch, "a.wav");
        assert_true(file_save(path, file, size, &bench->log.diag));
        if (!sound_load_all(&in, path, bench->arena, &bench->log.diag))
            fail_msg("%s", bench->log.text);
        assert_int_equal(in.channels, rows[i].out_channels);
        assert_int_equal(in.rate, rows[i].out_rate);
        assert_true(labs((long)in.frames - 24000) <= 2);
        /* Correlation with the same tone at the new rate detects delay and drift. */
        double sine = 0.0, cosine = 0.0;
        for (size_t f = 1000; f < 23000; f++) {
            const double s = (double)in.samples[f * (size_t)in.channels];
            sine += s * sin((double)f * 6283.185307 / 48000.0);
            cosine += s * cos((double)f * 6283.185307 / 48000.0);
        }
        assert_true(sine > 1000.0);
        if (fabs(atan2(cosine, sine)) > 0.02) /* one sample of delay is 0.13 */
            fail_msg("%d Hz: phase off by %g", rows[i].rate, atan2(cosine, sine));
    }
}

/* ---- files of other encoders ---- */

/* Writes a sound file with libavcodec, independent of Odori.  frame_size 0: the default of the
 * encoder. False if there is no such encoder. */
static bool encode_file(const char *path, const char *encoder, const Sound *sound, int frame_size)
{
    const AVCodec *codec = avcodec_find_encoder_by_name(encoder);
    AVFormatContext *out = NULL;
    if (!codec)
        return false;
    AVCodecContext *c = avcodec_alloc_context3(codec);
    av_channel_layout_default(&c->ch_layout, sound->channels);
    c->sample_rate = sound->rate;
    c->sample_fmt = ffmpeg_sample_formats(codec)[0];
    c->time_base = (AVRational){1, sound->rate};
    c->bit_rate = 192000;
    c->frame_size = frame_size;
    assert_int_equal(avformat_alloc_output_context2(&out, NULL, NULL, path), 0);
    if (out->oformat->flags & AVFMT_GLOBALHEADER)
        c->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    assert_int_equal(avcodec_open2(c, codec, NULL), 0);
    AVStream *stream = avformat_new_stream(out, NULL);
    avcodec_parameters_from_context(stream->codecpar, c);
    stream->time_base = c->time_base;
    assert_true(avio_open(&out->pb, path, AVIO_FLAG_WRITE) >= 0);
    assert_true(avformat_write_header(out, NULL) >= 0);

    AVFrame *frame = av_frame_alloc();
    AVPacket *packet = av_packet_alloc();
    const size_t step = c->frame_size > 0 ? (size_t)c->frame_size : 1024;
    for (size_t at = 0, count = 1; count; at += count) {
        count = sound->frames - at < step ? sound->frames - at : step;
        frame->nb_samples = (int)count;
        frame->format = c->sample_fmt;
        frame->sample_rate = sound->rate;
        frame->pts = (int64_t)at;
        av_channel_layout_copy(&frame->ch_layout, &c->ch_layout);
        if (count)
            av_frame_get_buffer(frame, 0);
        for (size_t i = 0; i < count * (size_t)sound->channels; i++) {
            const size_t f = i / (size_t)sound->channels, ch = i % (size_t)sound->channels;
            const float value = sound->samples[at * (size_t)sound->channels + i];
            if (c->sample_fmt == AV_SAMPLE_FMT_FLTP)
                ((float *)(void *)frame->data[ch])[f] = value;
            else if (c->sample_fmt == AV_SAMPLE_FMT_S16P)
                ((int16_t *)(void *)frame->data[ch])[f] = (int16_t)lrintf(value * 32768.0f);
            else if (c->sample_fmt == AV_SAMPLE_FMT_S32P)
                ((int32_t *)(void *)frame->data[ch])[f] =
                    (int32_t)lrint((double)value * 2147483647.0);
            else if (c->sample_fmt == AV_SAMPLE_FMT_S16)
                ((int16_t *)(void *)frame->data[0])[i] = (int16_t)lrintf(value * 32768.0f);
            else
                fail_msg("%s: sample format", encoder);
        }
        assert_true(avcodec_send_frame(c, count ? frame : NULL) >= 0);
        av_frame_unref(frame);
        while (avcodec_receive_packet(c, packet) >= 0) {
            av_packet_rescale_ts(packet, c->time_base, stream->time_base);
            assert_true(av_interleaved_write_frame(out, packet) >= 0);
        }
    }
    av_frame_free(&frame);
    av_packet_free(&packet);
    assert_int_equal(av_write_trailer(out), 0);
    avio_closep(&out->pb);
    avcodec_free_context(&c);
    avformat_free_context(out);
    return true;
}

static void test_other_files(void **state)
{
    Bench *bench = *state;
    static const struct {
        const char *name, *encoder;
        int rate;
        double tolerance;   /* root mean square */
        size_t lack, extra; /* samples that may be missing or added at the end */
        size_t priming;     /* samples at the start that the format cannot mark as padding */
    } rows[] = {
        {"a.flac", "flac", 48000, 0.5 / 32768.0 + 1e-7, 0, 0, 0},
        {"a.aiff", "pcm_s16be", 44100, 0.5 / 32768.0 + 1e-7, 0, 0, 0},
        {"a.ogg", "libvorbis", 44100, 0.006, 128, 1024, 0},
        {"a.opus", "libopus", 48000, 0.006, 0, 0, 0},
        {"a.m4a", "aac", 44100, 0.006, 0, 1024, 0},
        {"a.aac", "aac", 48000, 0.006, 0, 1024, 1024},
        {"a.mp3", "libmp3lame", 44100, 0.012, /* LAME reduces the level by 3 % */ 0, 0, 0},
    };
    const Sound mono = tone(bench, 20000, 1, 0), stereo = tone(bench, 20000, 2, 0);
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        const size_t r = i / 2;
        Sound out = i % 2 ? stereo : mono, in;
        const char *path = scratch_path(&bench->scratch, rows[r].name);
        out.rate = rows[r].rate;
        if (!encode_file(path, rows[r].encoder, &out, 0)) {
            print_message("skipped: no encoder %s\n", rows[r].encoder);
            continue;
        }
        diag_log_init(&bench->log);
        if (!sound_load_all(&in, path, bench->arena, &bench->log.diag) || bench->log.diag.warnings)
            fail_msg("%s: %s", rows[r].name, bench->log.text);
        if (in.rate != out.rate || in.channels != out.channels ||
            in.frames < out.frames + rows[r].priming - rows[r].lack ||
            in.frames > out.frames + rows[r].priming + rows[r].extra)
            fail_msg("%s: %d Hz, %d channels, %zu frames", rows[r].name, in.rate, in.channels,
                     in.frames);
        in.samples += rows[r].priming * (size_t)in.channels;
        /* One sample of delay would be 0.017.  Lossy encoders need some time to find their rate,
         * and smear the end by their window. */
        const double off = rms_difference(&in, &out, 8000, out.frames - 200);
        if (off > rows[r].tolerance)
            fail_msg("%s, %d channels: off by %g", rows[r].name, out.channels, off);
    }
}

static double level(const Sound *sound)
{
    double sum = 0;
    const size_t count = sound->frames * (size_t)sound->channels;
    for (size_t i = 0; i < count; i++)
        sum += (double)sound->samples[i] * (double)sound->samples[i];
    return sqrt(sum / (double)(count ? count : 1));
}

/* Sounds of other containers and videos: of the same length, up to the padding of their encoders,
 * and level.  Each has a name that a command line and a job take as a sound. */
static void test_containers(void **state)
{
    Bench *bench = *state;
    static const struct {
        const char *name, *encoder;
    } rows[] = {{"a.mp4", "aac"},       {"a.mov", "pcm_s16le"}, {"a.webm", "libopus"},
                {"a.mkv", "flac"},      {"a.mka", "libvorbis"}, {"a.avi", "pcm_s16le"},
                {"a.wma", "wmav2"},     {"a.ac3", "ac3"},       {"a.eac3", "eac3"},
                {"a.mp2", "mp2"},       {"a.ts", "mp2"},        {"a.mpg", "mp2"},
                {"a.caf", "pcm_s16le"}, {"a.au", "pcm_s16be"},  {"a.w64", "pcm_s16le"},
                {"a.flv", "aac"},       {"a.3gp", "aac"},       {"a.oga", "flac"}};
    Sound out = tone(bench, 48000, 2, 0);
    out.rate = 48000;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Sound in;
        const char *path = scratch_path(&bench->scratch, rows[i].name);
        if (!file_kind_serves(path, FILE_AS_SOUND))
            fail_msg("%s is no sound by its name", rows[i].name);
        if (!encode_file(path, rows[i].encoder, &out, 0)) {
            print_message("skipped: no encoder %s\n", rows[i].encoder);
            continue;
        }
        diag_log_init(&bench->log);
        if (!sound_load_all(&in, path, bench->arena, &bench->log.diag))
            fail_msg("%s: %s", rows[i].name, bench->log.text);
        if (in.rate != out.rate || in.channels != out.channels || in.frames + 4096 < out.frames ||
            in.frames > out.frames + 8192 || fabs(level(&in) / level(&out) - 1) > 0.2)
            fail_msg("%s: %d Hz, %d channels, %zu frames, level %g, not %g", rows[i].name, in.rate,
                     in.channels, in.frames, level(&in), level(&out));
    }
}

static void test_shared_files(void **state)
{
    Bench *bench = *state;
    static const struct {
        const char *name;
        int channels, rate;
        size_t least, most; /* frames, by `ffprobe -show_entries stream=duration` */
    } rows[] = {{"audio-midi/plonk.wav", 0, 0, 1000, 100000},
                {"audio-midi/alarm-clock-elapsed.oga", 0, 0, 1000, 1000000}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *path = path_join(shared_data_directory(), rows[i].name, bench->arena);
        Sound in;
        if (!path_is_file(path)) {
            print_message("skipped: no %s\n", path);
            skip();
        }
        if (!sound_load_all(&in, path, bench->arena, &bench->log.diag) || bench->log.diag.warnings)
            fail_msg("%s: %s", rows[i].name, bench->log.text);
        assert_true(in.frames >= rows[i].least && in.frames <= rows[i].most);
    }
}

/* ---- cutting ---- */

/* Ten samples per second with values 1..10 (x100 in the second channel), computed by hand. */
static void test_cut(void **state)
{
    Bench *bench = *state;
    static const struct {
        const char *what;
        SoundCut cut;
        size_t frames;
        float expected[8];
    } rows[] = {
        {"from the start", {.length_s = 0.3}, 3, {1, 2, 3}},
        {"from within", {.start_s = 0.4, .length_s = 0.3}, 3, {5, 6, 7}},
        {"delayed", {.length_s = 0.5, .offset_s = 0.2}, 5, {0, 0, 1, 2, 3}},
        {"early", {.length_s = 0.2, .offset_s = -0.3}, 2, {4, 5}},
        {"both", {.start_s = 1.0, .length_s = 0.3, .offset_s = 0.5}, 3, {6, 7, 8}},
        {"past the end", {.start_s = 0.8, .length_s = 0.5}, 5, {9, 10, 0, 0, 0}},
        {"after the end", {.start_s = 5.0, .length_s = 0.2}, 2, {0, 0}},
        {"long before", {.start_s = -9.0, .length_s = 0.2}, 2, {0, 0}},
        {"nothing", {.length_s = 0.0}, 0, {0}},
        {"rounded to nearest", {.start_s = 0.149, .length_s = 0.26}, 3, {2, 3, 4}},
        {"6.0206 dB are twice", {.length_s = 0.2, .gain_db = 6.020599913}, 2, {2, 4}},
        {"-20 dB are a tenth", {.length_s = 0.2, .gain_db = -20.0}, 2, {0.1f, 0.2f}},
        {"faded in", {.length_s = 0.5, .fade_in_s = 0.4}, 5, {0, 0.5f, 1.5f, 3, 5}},
        {"faded out", {.length_s = 0.5, .fade_out_s = 0.4}, 5, {1, 2, 2.25f, 2, 1.25f}},
        {"both fades", {.length_s = 0.4, .fade_in_s = 0.2, .fade_out_s = 0.2}, 4, {0, 1, 3, 2}},
        {"fades longer than the film",
         {.length_s = 0.2, .fade_in_s = 0.4, .fade_out_s = 0.4},
         2,
         {0, 0.125f}},
    };
    float samples[20];
    for (int i = 0; i < 10; i++) {
        samples[2 * i] = (float)(i + 1);
        samples[2 * i + 1] = (float)(100 * (i + 1));
    }
    const Sound sound = {samples, 10, 2, 10, 0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Sound out = sound_cut(&sound, &rows[i].cut, bench->arena);
        if (out.frames != rows[i].frames || out.channels != 2 || out.rate != 10)
            fail_msg("%s: %zu frames", rows[i].what, out.frames);
        for (size_t f = 0; f < out.frames; f++)
            for (size_t c = 0; c < 2; c++) {
                const double expected = (c ? 100.0 : 1.0) * (double)rows[i].expected[f];
                if (fabs((double)out.samples[2 * f + c] - expected) > 1e-5 * (1.0 + expected))
                    fail_msg("%s: frame %zu is %g", rows[i].what, f,
                             (double)out.samples[2 * f + c]);
            }
    }
}

/* A film that starts late has exactly the samples of the sound, without drift. */
static void test_no_drift(void **state)
{
    Bench *bench = *state;
    const size_t frames = 44100 * 60;
    Sound sound = {arena_array(bench->arena, float, frames), frames, 1, 44100, 0};
    for (size_t i = 0; i < frames; i++)
        sound.samples[i] = (float)i;
    const SoundCut cut = {.start_s = 1001.0 / 30.0, .length_s = 20.0};
    const Sound out = sound_cut(&sound, &cut, bench->arena);
    assert_int_equal(out.frames, 882000);
    for (size_t i = 0; i < out.frames; i++)
        if (out.samples[i] != (float)(1471470 + i)) /* 1001 / 30 * 44100 */
            fail_msg("sample %zu is %g", i, (double)out.samples[i]);
}

/* ---- damaged files ---- */

static void test_refused(void **state)
{
    Bench *bench = *state;
    static const char m3u[] = "#EXTM3U\n#EXTINF:1,\n/etc/passwd\n", text[] = "not a sound at all";
    static const char concat[] = "ffconcat version 1.0\nfile a.wav\n";
    static const struct {
        const char *what, *bytes;
        size_t size;
        DiagKind kind;
    } rows[] = {
        {"empty", "", 0, DIAG_DATA},
        {"text", text, sizeof text, DIAG_DATA},
        {"playlist", m3u, sizeof m3u - 1, DIAG_DATA},
        {"concat list", concat, sizeof concat - 1, DIAG_DATA},
        {"header alone", "RIFF\x24\0\0\0WAVE", 12, DIAG_DATA},
    };
    Sound in;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *path = scratch_path(&bench->scratch, "a.wav");
        diag_log_init(&bench->log);
        assert_true(file_save(path, rows[i].bytes, rows[i].size, &bench->log.diag));
        if (sound_load_all(&in, path, bench->arena, &bench->log.diag) ||
            bench->log.diag.kind != rows[i].kind || !strstr(bench->log.text, "a.wav: "))
            fail_msg("%s: %s", rows[i].what, bench->log.text);
    }
    uint8_t file[64]; /* resampling from this rate would need gigabytes */
    const size_t size = raw_wav(file, 1, 16, 1, 687909956, "\0\0\0\0", 4);
    const char *path = scratch_path(&bench->scratch, "a.wav");
    diag_log_init(&bench->log);
    assert_true(file_save(path, file, size, &bench->log.diag));
    assert_false(sound_load_all(&in, path, bench->arena, &bench->log.diag));
    assert_non_null(strstr(bench->log.text, "out of range (1000..768000)"));

    diag_log_init(&bench->log);
    assert_false(sound_load_all(&in, scratch_path(&bench->scratch, "none.wav"), bench->arena,
                                &bench->log.diag));
    assert_int_equal(bench->log.diag.kind, DIAG_MISSING);
    diag_log_init(&bench->log);
    assert_false(sound_load_all(&in, bench->scratch.directory, bench->arena, &bench->log.diag));
    assert_int_equal(bench->log.diag.kind, DIAG_MISSING);
}

/* Of a truncated file the first half is kept, with a warning. */
static void test_truncated_file(void **state)
{
    Bench *bench = *state;
    static const char *const encoders[][2] = {{"a.wav", "pcm_s16le"}, {"a.flac", "flac"}};
    const Sound out = tone(bench, 96000, 1, 48000);
    for (size_t i = 0; i < sizeof encoders / sizeof *encoders; i++) {
        Sound in;
        Bytes bytes;
        const char *path = scratch_path(&bench->scratch, encoders[i][0]);
        if (!encode_file(path, encoders[i][1], &out, 0))
            continue;
        diag_log_init(&bench->log);
        assert_true(file_load(&bytes, path, FILE_MAX_SIZE, bench->arena, &bench->log.diag));
        assert_int_equal(truncate(path, (off_t)bytes.size / 2), 0);
        if (!sound_load_all(&in, path, bench->arena, &bench->log.diag) ||
            !strstr(bench->log.text, "warning: ") ||
            !strstr(bench->log.text, "the sound ends after"))
            fail_msg("%s: %s", encoders[i][0], bench->log.text);
        assert_true(in.frames > 30000 && in.frames < 60000);
        assert_true(worst_difference(&in, &out, 30000) < 1e-3);
    }
}

/* Modified bytes: any result is allowed that has only finite samples; no crash, no memory error. */
static void test_modified_bytes(void **state)
{
    Bench *bench = *state;
    static const char *const encoders[][2] = {{"a.wav", "pcm_s16le"},
                                              {"a.flac", "flac"},
                                              {"a.ogg", "libvorbis"},
                                              {"a.m4a", "aac"},
                                              {"a.mp3", "libmp3lame"}};
    const Sound out = tone(bench, 4000, 2, 48000);
    uint32_t seed = 7;
    for (size_t i = 0; i < sizeof encoders / sizeof *encoders; i++) {
        Bytes bytes;
        const char *path = scratch_path(&bench->scratch, encoders[i][0]);
        if (!encode_file(path, encoders[i][1], &out, 0))
            continue;
        diag_log_init(&bench->log);
        assert_true(file_load(&bytes, path, FILE_MAX_SIZE, bench->arena, &bench->log.diag));
        for (int round = 0; round < 12; round++) {
            Arena *arena = arena_create();
            uint8_t *copy = arena_copy(arena, bytes.data, bytes.size);
            Sound in;
            for (int flips = 0; flips <= round; flips++) {
                seed = seed * 1664525u + 1013904223u;
                copy[(seed >> 8) % (round % 2 ? bytes.size : 200)] ^= (uint8_t)(1u << (seed & 7));
            }
            diag_log_init(&bench->log);
            FILE *f = fopen(path, "wb");
            assert_non_null(f);
            assert_int_equal(fwrite(copy, 1, bytes.size, f), bytes.size);
            fclose(f);
            if (sound_load_all(&in, path, arena, &bench->log.diag))
                for (size_t s = 0; s < in.frames * (size_t)in.channels; s++)
                    assert_true(isfinite(in.samples[s]));
            else if (bench->log.diag.kind != DIAG_DATA)
                fail_msg("%s: %s", encoders[i][0], bench->log.text);
            arena_destroy(arena);
        }
    }
}

/* Silence compresses 1000 to 1; a file that inflates to too much is refused before it uses memory.
 */
static void test_decompression_bomb(void **state)
{
    Bench *bench = *state;
    const size_t frames = 8000 * 500; /* 96 MB at 48 kHz, in 10 KB */
    const Sound out = {arena_array(bench->arena, float, frames), frames, 1, 8000, 0};
    const char *path = scratch_path(&bench->scratch, "a.flac");
    Sound in;
    if (!encode_file(path, "flac", &out, 32768))
        skip();
    Arena *arena = arena_create();
    if (sound_load_all(&in, path, arena, &bench->log.diag) || bench->log.diag.kind != DIAG_DATA ||
        !strstr(bench->log.text, "too long"))
        fail_msg("%s", bench->log.text);
    assert_true(arena_bytes(arena) < 1 << 20);
    arena_destroy(arena);
}

/* A part has the samples of the whole file, and memory depends on the part. */
static void test_part(void **state)
{
    Bench *bench = *state;
    const Sound out = tone(bench, 48000 * 60, 1, 48000);
    const char *path = scratch_path(&bench->scratch, "a.wav");
    static const SoundPart parts[] = {
        {0, 0.5, 0}, {-3, 0.1, 0}, {30, 30.5, 0}, {59.5, 99, 0}, {70, 80, 0}};
    Sound whole;

    assert_true(wav_fixture_save(&out, path, &bench->log.diag));
    assert_true(sound_load_all(&whole, path, bench->arena, &bench->log.diag));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        Arena *arena = arena_create();
        Sound in;
        const SoundCut cut = {.start_s = fmax(parts[i].first_s, 0),
                              .length_s = parts[i].end_s - fmax(parts[i].first_s, 0)};
        if (!sound_load_part(&in, path, &parts[i], arena, &bench->log.diag) ||
            bench->log.diag.warnings)
            fail_msg("part %zu: %s", i, bench->log.text);
        assert_true(arena_bytes(arena) < 1 << 20);
        const Sound a = sound_cut(&whole, &cut, arena), b = sound_cut(&in, &cut, arena);
        assert_int_equal(a.frames, b.frames);
        assert_true(worst_difference(&a, &b, a.frames) == 0.0);
        arena_destroy(arena);
    }
}

/* malloc leaves ENOMEM in errno when it succeeds after a failed brk: no error. */
static bool reads_leave_enomem;

ssize_t read(int fd, void *out, size_t size)
{
    const ssize_t n = syscall(SYS_read, fd, out, size);
    if (reads_leave_enomem)
        errno = ENOMEM;
    return n;
}

static void test_stale_errno(void **state)
{
    Bench *bench = *state;
    const Sound out = tone(bench, 9600, 1, 48000);
    const char *path = scratch_path(&bench->scratch, "a.wav");
    Sound in;

    assert_true(wav_fixture_save(&out, path, &bench->log.diag));
    reads_leave_enomem = true;
    const bool loaded = sound_load_all(&in, path, bench->arena, &bench->log.diag);
    reads_leave_enomem = false;
    if (!loaded)
        fail_msg("%s", bench->log.text);
    assert_int_equal(in.frames, out.frames);

    assert_true(file_save(path, "text", 4, &bench->log.diag)); /* here it may be the cause */
    reads_leave_enomem = true;
    assert_false(sound_load_all(&in, path, bench->arena, &bench->log.diag));
    reads_leave_enomem = false;
    errno = ENOMEM;
    assert_int_equal(bench->log.diag.kind, memory_has_failed() ? DIAG_RESOURCE : DIAG_DATA);
    errno = 0;
}

static void test_full_disk(void **state)
{
    Bench *bench = *state;
    const Sound sound = tone(bench, 10000, 1, 48000);
    const char *path = scratch_path(&bench->scratch, "a.wav");
    struct rlimit limit;

    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit);
    const rlim_t before = limit.rlim_cur;
    limit.rlim_cur = 5000;
    setrlimit(RLIMIT_FSIZE, &limit);
    const bool ok = wav_fixture_save(&sound, path, &bench->log.diag);
    limit.rlim_cur = before;
    setrlimit(RLIMIT_FSIZE, &limit);
    assert_false(ok);
    assert_int_equal(bench->log.diag.kind, DIAG_IO);
    assert_int_equal(scratch_count(&bench->scratch), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_wav_bytes),          TEST(test_wav_and_back),
        TEST(test_sample_kinds),       TEST(test_resampled),
        TEST(test_other_files),        TEST(test_containers),
        TEST(test_shared_files),       TEST(test_cut),
        TEST(test_no_drift),           TEST(test_refused),
        TEST(test_truncated_file),     TEST(test_modified_bytes),
        TEST(test_decompression_bomb), TEST(test_part),
        TEST(test_stale_errno),        TEST(test_full_disk),
    };
    return cmocka_run_group_tests_name("sound", tests, NULL, NULL);
}
