#include "output/video_segment.h"

#include <libavutil/intreadwrite.h>
#include <libavutil/pixdesc.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096 };

const AVOutputFormat *video_segment_container(void)
{
    return av_guess_format("nut", NULL, NULL);
}

/* ---- alpha in side data ---- */

bool video_segment_has_side_alpha(const AVCodecContext *codec)
{
    return (codec->codec_id == AV_CODEC_ID_VP8 || codec->codec_id == AV_CODEC_ID_VP9) &&
           av_pix_fmt_desc_get(codec->pix_fmt)->flags & AV_PIX_FMT_FLAG_ALPHA;
}

bool video_segment_pack_alpha(AVPacket *packet)
{
    size_t size;
    const int end = packet->size;
    const uint8_t *alpha =
        av_packet_get_side_data(packet, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &size);

    if (!alpha)
        size = 0;
    if (size > INT32_MAX / 2 || av_grow_packet(packet, (int)size + 4) < 0)
        return false;
    if (size)
        memcpy(packet->data + end, alpha, size);
    AV_WL32(packet->data + end + size, (uint32_t)size);
    av_packet_free_side_data(packet);
    return true;
}

bool video_segment_unpack_alpha(AVPacket *packet)
{
    if (packet->size < 4)
        return false;
    const uint8_t *end = packet->data + packet->size - 4;
    const uint32_t size = AV_RL32(end);
    if (size > (uint32_t)packet->size - 4)
        return false;
    if (size) {
        uint8_t *alpha =
            av_packet_new_side_data(packet, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, size);
        if (!alpha)
            return false;
        memcpy(alpha, end - size, size);
    }
    av_shrink_packet(packet, packet->size - 4 - (int)size);
    return true;
}

/* ---- reading ---- */

static int interrupt(void *stop)
{
    const volatile sig_atomic_t *const flag = stop;
    return flag && *flag;
}

/*
 * libavformat shortens the last packet of a truncated file without an error, so the end of the file
 * is checked here:
 *   -index_ptr  u64  start code of the index        -12  u64  index_ptr, big-endian
 *                                                    -4  u32  checksum
 */
static bool has_index(FILE *f)
{
    enum { TRAILER = 12 };
    static const uint8_t start[8] = {'N', 'X', 0xdd, 0x67, 0x2f, 0x23, 0xe6, 0x4e};
    uint8_t trailer[TRAILER], code[sizeof start];
    uint64_t size = 0;

    if (fseeko(f, -TRAILER, SEEK_END) != 0 || fread(trailer, 1, TRAILER, f) != TRAILER)
        return false;
    for (size_t i = 0; i < 8; i++)
        size = size << 8 | trailer[i];
    return size <= INT32_MAX && fseeko(f, -(off_t)size, SEEK_END) == 0 &&
           fread(code, 1, sizeof code, f) == sizeof code && !memcmp(code, start, sizeof start);
}

static bool is_untruncated(const char *file)
{
    struct stat st;
    if (stat(file, &st) != 0 || !S_ISREG(st.st_mode))
        return false;
    FILE *f = fopen(file, "rbe");
    const bool ok = f && has_index(f);
    if (f)
        fclose(f);
    return ok;
}

/* Opens the file without probing or repairing packets. */
static bool open_container(AVFormatContext **in, const char *file,
                           const volatile sig_atomic_t *stop)
{
    char url[PATH_SIZE + 8];
    AVDictionary *options = NULL;

    if (!is_untruncated(file) || snprintf(url, sizeof url, "file:%s", file) >= (int)sizeof url)
        return false;
    *in = avformat_alloc_context();
    if (!*in)
        return false;
    (*in)->interrupt_callback = (AVIOInterruptCB){interrupt, (void *)(uintptr_t)stop};
    (*in)->flags |= AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN;
    av_dict_set(&options, "protocol_whitelist", "file", 0);
    const int code = avformat_open_input(in, url, av_find_input_format("nut"), &options);
    av_dict_free(&options);
    return code >= 0;
}

static bool is_segment(const AVFormatContext *in)
{
    const AVStream *stream = in->nb_streams == 1 ? in->streams[0] : NULL;
    return stream && stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO &&
           stream->r_frame_rate.num > 0 && stream->r_frame_rate.den > 0;
}

bool video_segment_open(VideoSegment *segment, const char *file, const volatile sig_atomic_t *stop)
{
    AVFormatContext *in;

    if (!open_container(&in, file, stop))
        return false;
    if (!is_segment(in)) {
        avformat_close_input(&in);
        return false;
    }
    const AVStream *stream = in->streams[0];
    *segment = (VideoSegment){stream->codecpar, stream->r_frame_rate, in, AV_NOPTS_VALUE};
    return true;
}

void video_segment_close(VideoSegment *segment)
{
    avformat_close_input(&segment->in);
}

/* Converts a time from ticks of the file to frames; false unless it is an integer in range. */
static bool ticks_to_frames(int64_t *pts, const VideoSegment *segment, int64_t ticks)
{
    const AVRational period = av_inv_q(segment->fps), tick = segment->in->streams[0]->time_base;

    *pts = av_rescale_q(ticks, tick, period);
    return *pts >= 0 && *pts <= INT32_MAX && av_compare_ts(*pts, period, ticks, tick) == 0;
}

static bool check_packet(VideoSegment *segment, AVPacket *packet)
{
    const bool first = segment->start == AV_NOPTS_VALUE;

    if (packet->size <= 0 || packet->flags & AV_PKT_FLAG_CORRUPT || packet->pts < 0 ||
        packet->pts > INT64_MAX / 2 || (first && !(packet->flags & AV_PKT_FLAG_KEY)))
        return false;
    if (first)
        segment->start = packet->pts;
    packet->dts = AV_NOPTS_VALUE;
    return ticks_to_frames(&packet->pts, segment, packet->pts - segment->start);
}

bool video_segment_read(VideoSegment *segment, AVPacket *packet, bool *more)
{
    const int code = av_read_frame(segment->in, packet);

    *more = code >= 0;
    if (code < 0) /* a read error can look like the end */
        return code == AVERROR_EOF && segment->in->pb->error >= 0;
    const bool ok = check_packet(segment, packet);
    if (!ok)
        av_packet_unref(packet);
    return ok;
}

/* Records a packet at its frame, which must not have a record yet. */
static bool add_record(SinkRecord *out, size_t count, const AVPacket *packet)
{
    const size_t frame = (size_t)packet->pts;

    if (frame >= count || out[frame].bytes)
        return false;
    out[frame] =
        (SinkRecord){(uint64_t)packet->size, hash_bytes(packet->data, (size_t)packet->size)};
    return true;
}

static bool inspect_all(SinkRecord *out, size_t count, VideoSegment *segment, AVPacket *packet)
{
    size_t frames = 0;
    for (bool more = true;; frames++) {
        if (!video_segment_read(segment, packet, &more))
            return false;
        if (!more)
            return frames == count;
        const bool ok = add_record(out, count, packet);
        av_packet_unref(packet);
        if (!ok)
            return false;
    }
}

bool video_segment_inspect(SinkRecord *out, size_t count, const char *file)
{
    VideoSegment segment;

    av_log_set_level(AV_LOG_QUIET);
    memset(out, 0, count * sizeof *out);
    if (!video_segment_open(&segment, file, NULL))
        return false;
    AVPacket *packet = av_packet_alloc();
    const bool ok = packet && inspect_all(out, count, &segment, packet);
    av_packet_free(&packet);
    video_segment_close(&segment);
    return ok;
}
