// SPDX-License-Identifier: MIT
#include "media/video_stream.h"

#include "media/picture.h"

enum { HIGH_LINES = 720 };

#define DEMUXERS \
    "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,flv,ogg,h264,hevc,mpegvideo,m4v"
#define DECODERS                                                                                  \
    "h264,hevc,vp8,vp9,libvpx,libvpx-vp9,av1,libdav1d,libaom-av1,mpeg1video,mpeg2video,mpeg4,"    \
    "msmpeg4,h263,flv,mjpeg,prores,dnxhd,ffv1,huffyuv,ffvhuff,utvideo,theora,rawvideo,qtrle,png," \
    "v210"

static const char demuxers[] = DEMUXERS, decoders[] = DECODERS;

/* The containers of all formats that Odori can write. */
static const char strict_demuxers[] = DEMUXERS ",gif,apng,nut,asf,mxf,yuv4mpegpipe";
static const char strict_decoders[] = DECODERS ",gif,apng,msmpeg4v1,msmpeg4v2,wmv1,wmv2";

static bool open_codec(VideoStream *stream, int threads, bool strict, Diag *diag)
{
    const AVCodec *codec = NULL;
    AVFormatContext *in = stream->media.demuxer;

    if (avformat_find_stream_info(in, NULL) < 0)
        return diag_error(diag, "the start of the video is damaged");
    stream->index = av_find_best_stream(in, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
    if (stream->index < 0 || !codec)
        return diag_error(diag, "the file has no video stream that can be decoded");
    stream->codec = avcodec_alloc_context3(codec);
    if (!stream->codec)
        return diag_fail(diag, DIAG_RESOURCE, "out of memory for the decoder");

    const AVStream *video = in->streams[stream->index];
    AVDictionary *options = NULL;
    av_dict_set(&options, "codec_whitelist", strict ? strict_decoders : decoders, 0);
    stream->codec->thread_count = threads;
    stream->codec->pkt_timebase = video->time_base;
    stream->codec->max_pixels = PICTURE_MAX_PIXELS;
    if (strict) /* set before opening, because decoder threads copy it */
        stream->codec->err_recognition =
            AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER | AV_EF_EXPLODE;
    const bool ok = avcodec_parameters_to_context(stream->codec, video->codecpar) >= 0 &&
                    avcodec_open2(stream->codec, codec, &options) >= 0;
    av_dict_free(&options);
    if (!ok)
        return diag_error(diag, "video codec '%s' cannot be decoded",
                          avcodec_get_name(video->codecpar->codec_id));
    return true;
}

bool video_stream_open(VideoStream *stream, const char *file, int threads, bool strict, Diag *diag)
{
    *stream = (VideoStream){.media.fd = -1};
    av_log_set_level(AV_LOG_QUIET);
    diag_file(diag, file);
    if (media_file_open(&stream->media, file, strict ? strict_demuxers : demuxers,
                        strict ? strict_decoders : decoders,
                        "not a supported video file (MP4, MOV, MKV, WebM, AVI, MPEG, FLV, OGG)",
                        diag) &&
        open_codec(stream, threads, strict, diag))
        return true;
    video_stream_close(stream);
    return false;
}

void video_stream_close(VideoStream *stream)
{
    avcodec_free_context(&stream->codec);
    media_file_close(&stream->media);
}

static int color_matrix(const AVFrame *frame)
{
    if (frame->colorspace != AVCOL_SPC_UNSPECIFIED)
        return (int)frame->colorspace;
    return frame->height >= HIGH_LINES ? SWS_CS_ITU709 : SWS_CS_ITU601;
}

bool video_stream_set_scaler(struct SwsContext **scaler, const AVFrame *frame, int width,
                             int height, Diag *diag)
{
    *scaler = sws_getCachedContext(
        *scaler, frame->width, frame->height, frame->format, width, height, AV_PIX_FMT_RGB0,
        SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_BITEXACT, NULL, NULL, NULL);
    if (!*scaler)
        return diag_error(diag, "frames of %dx%d, %s, cannot be converted to RGB", frame->width,
                          frame->height, av_get_pix_fmt_name(frame->format));
    (void)sws_setColorspaceDetails(*scaler, sws_getCoefficients(color_matrix(frame)),
                                   frame->color_range == AVCOL_RANGE_JPEG,
                                   sws_getCoefficients(SWS_CS_ITU709), 1, 0, 1 << 16, 1 << 16);
    return true;
}
