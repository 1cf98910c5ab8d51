#include "output/ffmpeg_compat.h"

#include <libavformat/version.h>

bool ffmpeg_matroska_adds_priming(void)
{
    return LIBAVFORMAT_VERSION_MAJOR >= 60;
}

#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)

static const void *config_of(const AVCodec *codec, enum AVCodecConfig config)
{
    const void *list = NULL;
    return avcodec_get_supported_config(NULL, codec, config, 0, &list, NULL) < 0 ? NULL : list;
}

const enum AVPixelFormat *ffmpeg_pixel_formats(const AVCodec *codec)
{
    return config_of(codec, AV_CODEC_CONFIG_PIX_FORMAT);
}

const enum AVSampleFormat *ffmpeg_sample_formats(const AVCodec *codec)
{
    return config_of(codec, AV_CODEC_CONFIG_SAMPLE_FORMAT);
}

const int *ffmpeg_sample_rates(const AVCodec *codec)
{
    return config_of(codec, AV_CODEC_CONFIG_SAMPLE_RATE);
}

#else

const enum AVPixelFormat *ffmpeg_pixel_formats(const AVCodec *codec)
{
    return codec->pix_fmts;
}

const enum AVSampleFormat *ffmpeg_sample_formats(const AVCodec *codec)
{
    return codec->sample_fmts;
}

const int *ffmpeg_sample_rates(const AVCodec *codec)
{
    return codec->supported_samplerates;
}

#endif
