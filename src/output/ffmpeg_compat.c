// SPDX-License-Identifier: MIT
#include "output/ffmpeg_compat.h"

bool ffmpeg_matroska_adds_priming(void)
{
    return LIBAVFORMAT_VERSION_MAJOR >= 60;
}

#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 102) /* 6.1 */

static bool add_side_data(AVStream *stream, enum AVPacketSideDataType type, void *data, size_t size)
{
    AVCodecParameters *p = stream->codecpar;
    return av_packet_side_data_add(&p->coded_side_data, &p->nb_coded_side_data, type, data, size,
                                   0) != NULL;
}

#else

static bool add_side_data(AVStream *stream, enum AVPacketSideDataType type, void *data, size_t size)
{
    return av_stream_add_side_data(stream, type, data, size) >= 0;
}

#endif

bool ffmpeg_add_side_data(AVStream *stream, enum AVPacketSideDataType type, void *data, size_t size)
{
    if (data && add_side_data(stream, type, data, size))
        return true;
    av_free(data);
    return false;
}

AVStereo3D *ffmpeg_stereo_create(enum AVStereo3DType type)
{
    AVStereo3D *stereo = av_stereo3d_alloc();
    if (stereo) {
        stereo->type = type;
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(59, 39, 100) /* 7.1 */
        stereo->view = AV_STEREO3D_VIEW_UNSPEC;
#endif
    }
    return stereo;
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
