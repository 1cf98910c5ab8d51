// SPDX-License-Identifier: MIT
#include "media/sound_stream.h"

/* For jobs, the command line (their names are in format/file_kind.c), and, with the last line, for
 * all containers of sound that Odori writes. */
static const char demuxers[] =
    "wav,w64,flac,ogg,mp3,aac,mov,mp4,m4a,3gp,3g2,mj2,aiff,matroska,webm,avi,asf,flv,mpegts,mpeg,"
    "ac3,eac3,dts,amr,caf,au,wv,tta,"
    "nut,mxf";

/* Audio decoders only: cover images are not decoded. */
static const char decoders[] =
    "pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be,pcm_u8,pcm_s8,pcm_f32le,pcm_f32be,"
    "pcm_f64le,pcm_f64be,pcm_alaw,pcm_mulaw,adpcm_ms,adpcm_ima_wav,adpcm_swf,flac,vorbis,opus,"
    "libopus,mp3float,mp3,mp2float,mp2,aac,alac,ac3,eac3,dca,wmav1,wmav2,wmapro,wmalossless,"
    "amrnb,amrwb,wavpack,tta";

static bool open_codec(SoundStream *s, Diag *diag)
{
    AVFormatContext *in = s->media.demuxer;
    const AVCodec *codec = NULL;

    if (avformat_find_stream_info(in, NULL) < 0)
        return media_file_check(&s->media, true, diag) &&
               diag_error(diag, "the start of the sound file is damaged");
    s->index = av_find_best_stream(in, AVMEDIA_TYPE_AUDIO, -1, -1, &codec, 0);
    if (s->index < 0 || !codec)
        return diag_error(diag, "the file has no audio stream that can be decoded");
    for (unsigned i = 0; i < in->nb_streams; i++)
        if ((int)i != s->index)
            in->streams[i]->discard = AVDISCARD_ALL;
    s->codec = avcodec_alloc_context3(codec);
    s->packet = av_packet_alloc();
    s->frame = av_frame_alloc();
    if (!s->codec || !s->packet || !s->frame)
        return diag_fail(diag, DIAG_RESOURCE, "out of memory for the decoder");
    const AVStream *stream = in->streams[s->index];
    AVDictionary *options = NULL;
    av_dict_set(&options, "codec_whitelist", decoders, 0);
    s->codec->thread_count = 1; /* no threads, because processes are forked later */
    s->codec->pkt_timebase = stream->time_base;
    const bool ok = avcodec_parameters_to_context(s->codec, stream->codecpar) >= 0 &&
                    avcodec_open2(s->codec, codec, &options) >= 0;
    av_dict_free(&options);
    return ok || diag_error(diag, "audio codec '%s' cannot be decoded",
                            avcodec_get_name(stream->codecpar->codec_id));
}

bool sound_stream_open(SoundStream *stream, const char *file, Diag *diag)
{
    *stream = (SoundStream){.media.fd = -1};
    av_log_set_level(AV_LOG_QUIET);
    diag_file(diag, file);
    return media_file_open(&stream->media, file, demuxers, decoders,
                           "not a supported sound file (WAV, FLAC, OGG, MP3, AAC, MP4, WebM, AIFF, "
                           "WMA, AC-3, ...)",
                           diag) &&
           open_codec(stream, diag);
}

void sound_stream_close(SoundStream *stream)
{
    av_packet_free(&stream->packet);
    av_frame_free(&stream->frame);
    avcodec_free_context(&stream->codec);
    media_file_close(&stream->media);
}
