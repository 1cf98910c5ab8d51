// SPDX-License-Identifier: MIT
#include "film_reader.h"

#include <libavutil/pixdesc.h>
#include <string.h>

#include "unit_test.h"

void film_reader_open(FilmReader *film, const char *path, const char *decoder)
{
    const AVCodec *codec = NULL;
    *film = (FilmReader){0};
    assert_int_equal(avformat_open_input(&film->in, path, NULL, NULL), 0);
    assert_true(avformat_find_stream_info(film->in, NULL) >= 0);
    film->stream = av_find_best_stream(film->in, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
    assert_true(film->stream >= 0);
    if (decoder != NULL)
        codec = avcodec_find_decoder_by_name(decoder);
    assert_non_null(codec);
    film->codec = avcodec_alloc_context3(codec);
    avcodec_parameters_to_context(film->codec, film->in->streams[film->stream]->codecpar);
    film->codec->thread_count = 1;
    assert_int_equal(avcodec_open2(film->codec, codec, NULL), 0);
}

void film_reader_close(FilmReader *film)
{
    avcodec_free_context(&film->codec);
    avformat_close_input(&film->in);
}

bool film_reader_next(FilmReader *film, AVFrame *frame)
{
    AVPacket *packet = av_packet_alloc();
    int code;
    while ((code = avcodec_receive_frame(film->codec, frame)) == AVERROR(EAGAIN)) {
        int read;
        while ((read = av_read_frame(film->in, packet)) >= 0 &&
               packet->stream_index != film->stream)
            av_packet_unref(packet);
        avcodec_send_packet(film->codec, read >= 0 ? packet : NULL);
        av_packet_unref(packet);
    }
    av_packet_free(&packet);
    return code >= 0;
}

double film_reader_component(const AVFrame *frame, int c, int x, int y)
{
    const AVPixFmtDescriptor *d = av_pix_fmt_desc_get(frame->format);
    const bool chroma = (c == 1 || c == 2) && !(d->flags & AV_PIX_FMT_FLAG_RGB);
    const uint8_t *planes[4];
    uint16_t value;
    memcpy(planes, frame->data, sizeof planes);
    av_read_image_line2(&value, planes, frame->linesize, d, chroma ? x >> d->log2_chroma_w : x,
                        chroma ? y >> d->log2_chroma_h : y, c, 1, 0, sizeof value);
    return (double)value / (1 << (d->comp[c].depth - 8));
}

void film_reader_pixel(double rgba[4], const AVFrame *frame, int x, int y)
{
    const AVPixFmtDescriptor *d = av_pix_fmt_desc_get(frame->format);
    double v[3];

    for (int c = 0; c < 3; c++)
        v[c] = film_reader_component(frame, c, x, y);
    rgba[3] = 255.0;
    if (d->flags & AV_PIX_FMT_FLAG_ALPHA) { /* the maximum is opaque */
        const int depth = d->comp[3].depth;
        rgba[3] =
            film_reader_component(frame, 3, x, y) * (1 << (depth - 8)) * 255.0 / ((1 << depth) - 1);
    }
    if (d->flags & AV_PIX_FMT_FLAG_RGB) {
        memcpy(rgba, v, sizeof v);
        return;
    }
    const double luma = (v[0] - 16.0) * 255.0 / 219.0;
    rgba[0] = luma + 1.5748 * (v[2] - 128.0) * 255.0 / 224.0;
    rgba[2] = luma + 1.8556 * (v[1] - 128.0) * 255.0 / 224.0;
    rgba[1] = (luma - 0.2126 * rgba[0] - 0.0722 * rgba[2]) / 0.7152;
}
