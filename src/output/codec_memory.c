#include "output/codec_memory.h"

#include <libavutil/pixdesc.h>
#include <string.h>

#include "output/codec.h"

enum { PRESETS = 10, DEFAULT_PRESET = 5 };

/* Bytes a pixel of 8-bit 4:2:0, by preset from ultrafast to placebo. */
typedef struct Appetite {
    enum AVCodecID codec;
    unsigned bytes[PRESETS];
} Appetite;

static const char *const presets[PRESETS] = {"ultrafast", "superfast", "veryfast", "faster",
                                             "fast",      "medium",    "slow",     "slower",
                                             "veryslow",  "placebo"};

/* clang-format off: a table */
static const Appetite appetites[] = {
    {AV_CODEC_ID_H264, {24, 50, 110, 145, 190, 240, 300, 390, 540, 580}},
    {AV_CODEC_ID_HEVC, {180, 190, 210, 230, 260, 290, 320, 420, 520, 600}},
    {AV_CODEC_ID_VP9, {200, 200, 200, 200, 200, 200, 200, 200, 200, 200}},
    {AV_CODEC_ID_VP8, {200, 200, 200, 200, 200, 200, 200, 200, 200, 200}},
    {AV_CODEC_ID_AV1, {330, 330, 330, 330, 330, 330, 330, 400, 400, 400}},
    {AV_CODEC_ID_FFV1, {190, 190, 190, 190, 190, 190, 190, 190, 190, 190}},
};
/* clang-format on */
static const Appetite other = {0, {40, 40, 40, 40, 40, 40, 40, 40, 40, 40}};

static size_t preset_of(const SinkOptions *options)
{
    for (size_t i = 0; options->preset && i < PRESETS; i++)
        if (!strcmp(presets[i], options->preset))
            return i;
    return DEFAULT_PRESET;
}

static const Appetite *appetite_of(enum AVCodecID codec)
{
    for (size_t i = 0; i < sizeof appetites / sizeof *appetites; i++)
        if (appetites[i].codec == codec)
            return &appetites[i];
    return &other;
}

/* How much larger than 4:2:0 of 8 bits a pixel is; ffv1's measure is of what it takes by itself. */
static double share_of(const CodecChoice *choice)
{
    const AVPixFmtDescriptor *d = av_pix_fmt_desc_get(choice->pixels);
    if (!d || choice->video->id == AV_CODEC_ID_FFV1)
        return 1;
    const double bits = av_get_padded_bits_per_pixel(d);
    return bits > 12 ? bits / 12 : 1;
}

static void say_nothing(void *user, DiagLevel level, const char *message)
{
    (void)user;
    (void)level;
    (void)message;
}

uint64_t codec_memory(const SinkOptions *options)
{
    CodecChoice choice;
    Diag silent;
    diag_init(&silent, say_nothing, NULL);
    if (!codec_choose(&choice, options, &silent))
        return 0;
    const double pixels = (double)options->width * options->height;
    const unsigned bytes = appetite_of(choice.video->id)->bytes[preset_of(options)];
    return (uint64_t)(pixels * bytes * share_of(&choice));
}
