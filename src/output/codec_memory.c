#include "output/codec_memory.h"

#include <libavutil/pixdesc.h>

#include "output/codec.h"

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
    if (!codec_choose(&choice, options, &ignored))
        return 0;
    const double pixels = (double)options->width * options->height;
    const enum AVCodecID codec = choice.video->id;
    const int preset = codec_find_preset(codec, options->video.preset);
    const unsigned bytes =
        bytes_per_pixel(codec, preset < 0 ? codec_find_preset(codec, NULL) : preset);
    return (uint64_t)(pixels * bytes * relative_size(&choice));
}
