// SPDX-License-Identifier: MIT
#include "media/media_stream.h"

#include "media/picture.h"

enum { HIGH_LINES = 720 };

#define VIDEO_DEMUXERS \
    "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,flv,ogg,h264,hevc,mpegvideo,m4v"
#define VIDEO_DECODERS                                                                            \
    "h264,hevc,vp8,vp9,libvpx,libvpx-vp9,av1,libdav1d,libaom-av1,mpeg1video,mpeg2video,mpeg4,"    \
    "msmpeg4,h263,flv,mjpeg,prores,dnxhd,ffv1,huffyuv,ffvhuff,utvideo,theora,rawvideo,qtrle,png," \
    "v210"
#define VIDEO_UNREADABLE "not a supported video file (MP4, MOV, MKV, WebM, AVI, MPEG, FLV, OGG)"

static const struct MediaKindRow {
    enum AVMediaType type;
    const char *stream, *name; /* in messages */
    const char *demuxers, *decoders;
    const char *unreadable; /* message for a file of another format */
} kinds[] = {
    /* The demuxers are those for jobs, the command line (their names are in format/file_kind.c),
     * and, with the last line, all containers of sound that Odori writes.  The decoders are of
     * sounds only: cover images are not decoded. */
    [MEDIA_SOUND] =
        {AVMEDIA_TYPE_AUDIO, "audio", "sound file",
         "wav,w64,flac,ogg,mp3,aac,mov,mp4,m4a,3gp,3g2,mj2,aiff,matroska,webm,avi,asf,flv,mpegts,"
         "mpeg,ac3,eac3,dts,amr,caf,au,wv,tta,"
         "nut,mxf",
         "pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be,pcm_u8,pcm_s8,pcm_f32le,"
         "pcm_f32be,pcm_f64le,pcm_f64be,pcm_alaw,pcm_mulaw,adpcm_ms,adpcm_ima_wav,adpcm_swf,flac,"
         "vorbis,opus,libopus,mp3float,mp3,mp2float,mp2,aac,alac,ac3,eac3,dca,wmav1,wmav2,wmapro,"
         "wmalossless,amrnb,amrwb,wavpack,tta",
         "not a supported sound file (WAV, FLAC, OGG, MP3, AAC, MP4, WebM, AIFF, WMA, AC-3, ...)"},
    [MEDIA_VIDEO] = {AVMEDIA_TYPE_VIDEO, "video", "video", VIDEO_DEMUXERS, VIDEO_DECODERS,
                     VIDEO_UNREADABLE},
    /* The containers of all formats that Odori can write. */
    [MEDIA_VIDEO_STRICT] = {AVMEDIA_TYPE_VIDEO, "video", "video",
                            VIDEO_DEMUXERS ",gif,apng,nut,asf,mxf,yuv4mpegpipe",
                            VIDEO_DECODERS ",gif,apng,msmpeg4v1,msmpeg4v2,wmv1,wmv2",
                            VIDEO_UNREADABLE},
};

static bool open_codec(MediaStream *s, MediaKind kind, int threads, Diag *diag)
{
    const struct MediaKindRow *row = &kinds[kind];
    AVFormatContext *in = s->media.demuxer;
    const AVCodec *codec = NULL;

    if (avformat_find_stream_info(in, NULL) < 0)
        return media_file_check(&s->media, true, diag) &&
               diag_error(diag, "the start of the %s is damaged", row->name);
    s->index = av_find_best_stream(in, row->type, -1, -1, &codec, 0);
    if (s->index < 0 || !codec)
        return diag_error(diag, "the file has no %s stream that can be decoded", row->stream);
    for (unsigned i = 0; i < in->nb_streams; i++)
        if ((int)i != s->index && kind != MEDIA_VIDEO_STRICT)
            in->streams[i]->discard = AVDISCARD_ALL;
    s->codec = avcodec_alloc_context3(codec);
    if (!s->codec)
        return diag_fail(diag, DIAG_RESOURCE, "out of memory for the decoder");
    const AVStream *stream = in->streams[s->index];
    AVDictionary *options = NULL;
    av_dict_set(&options, "codec_whitelist", row->decoders, 0);
    s->codec->thread_count = threads;
    s->codec->pkt_timebase = stream->time_base;
    s->codec->max_pixels = PICTURE_MAX_PIXELS;
    if (kind == MEDIA_VIDEO_STRICT) /* set before opening, because decoder threads copy it */
        s->codec->err_recognition = AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER | AV_EF_EXPLODE;
    const bool ok = avcodec_parameters_to_context(s->codec, stream->codecpar) >= 0 &&
                    avcodec_open2(s->codec, codec, &options) >= 0;
    av_dict_free(&options);
    return ok || diag_error(diag, "%s codec '%s' cannot be decoded", row->stream,
                            avcodec_get_name(stream->codecpar->codec_id));
}

bool media_stream_open(MediaStream *stream, const char *file, MediaKind kind, int threads,
                       Diag *diag)
{
    const struct MediaKindRow *row = &kinds[kind];
    *stream = (MediaStream){.media.fd = -1, .packet = av_packet_alloc(), .frame = av_frame_alloc()};
    av_log_set_level(AV_LOG_QUIET);
    diag_file(diag, file);
    if (!stream->packet || !stream->frame)
        diag_fail(diag, DIAG_RESOURCE, "out of memory for the decoder");
    else if (media_file_open(&stream->media, file, row->demuxers, row->decoders, row->unreadable,
                             diag) &&
             open_codec(stream, kind, threads, diag))
        return true;
    media_stream_close(stream);
    return false;
}

void media_stream_close(MediaStream *stream)
{
    av_packet_free(&stream->packet);
    av_frame_free(&stream->frame);
    avcodec_free_context(&stream->codec);
    media_file_close(&stream->media);
}

static int color_matrix(const AVFrame *frame)
{
    if (frame->colorspace != AVCOL_SPC_UNSPECIFIED)
        return (int)frame->colorspace;
    return frame->height >= HIGH_LINES ? SWS_CS_ITU709 : SWS_CS_ITU601;
}

bool media_stream_set_scaler(struct SwsContext **scaler, const AVFrame *frame, int width,
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
