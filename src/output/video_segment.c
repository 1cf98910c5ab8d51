// SPDX-License-Identifier: MIT
#include "output/video_segment.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/parser_entry.h"
#include "output/codec.h"
#include "output/video_file.h"

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

/* An open segment. */
typedef struct VideoSegment {
    const AVCodecParameters *codec; /* id, extradata, width and height; little else is set */
    AVRational fps;
    AVFormatContext *in;
    int64_t start; /* time stamp of the first frame; AV_NOPTS_VALUE before it was read */
} VideoSegment;

/* False without memory or if the packet is damaged. */
static bool unpack_alpha(AVPacket *packet)
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

static bool open_segment(VideoSegment *segment, const char *file, const volatile sig_atomic_t *stop)
{
    parser_enter("segment");
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

static bool read_packet(VideoSegment *segment, AVPacket *packet, bool *more)
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
        if (!read_packet(segment, packet, &more))
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
    if (!open_segment(&segment, file, NULL))
        return false;
    AVPacket *packet = av_packet_alloc();
    const bool ok = packet && inspect_all(out, count, &segment, packet);
    av_packet_free(&packet);
    avformat_close_input(&segment.in);
    return ok;
}

/* ---- joining ---- */

typedef struct Join {
    const SinkOptions *options;
    const char *const *segments;
    size_t count;
    const volatile sig_atomic_t *stop;
    AVCodecContext *codec; /* as that of the segments, for comparison; it encodes nothing */
    VideoFile *file;
    AVPacket *packet;
    bool unpack_alpha;
    uint8_t *found; /* [frame_count] 1: a segment has the frame */
    int64_t delay;  /* largest number of frames from decoding to presentation */
} Join;

static bool fail_segment(const Join *join, size_t segment, const char *what, Diag *diag)
{
    if (*join->stop)
        return false;
    return diag_fail(diag, DIAG_INCOMPLETE, "'%s': segment '%s' %s", join->options->file,
                     join->segments[segment], what);
}

/* Handles join->packet, whose pts is the frame index in the film; `index` counts the packets of the
 * film in decoding order. */
typedef bool HandlePacket(Join *join, size_t segment, int64_t index, Diag *diag);

/* ---- first pass: are these the segments of this film? ---- */

static bool same_codec(const Join *join, const VideoSegment *segment)
{
    const AVCodecContext *c = join->codec;
    const AVCodecParameters *p = segment->codec;

    return p->codec_id == c->codec_id && p->width == c->width && p->height == c->height &&
           av_cmp_q(segment->fps, c->framerate) == 0 && p->extradata_size == c->extradata_size &&
           (!c->extradata_size || !memcmp(p->extradata, c->extradata, (size_t)c->extradata_size));
}

/* A frame index that occurs twice, or that the film does not have, means a damaged segment. */
static bool check_frame(Join *join, size_t segment, int64_t index, Diag *diag)
{
    const int64_t frame = join->packet->pts;

    if (frame >= join->options->frame_count || join->found[frame])
        return fail_segment(join, segment, "has frames that do not belong to the film", diag);
    join->found[frame] = 1;
    if (index - frame > join->delay)
        join->delay = index - frame;
    return true;
}

/* ---- second pass: writes the packets ---- */

static bool write_packet(Join *join, size_t segment, int64_t index, Diag *diag)
{
    if (join->unpack_alpha && !unpack_alpha(join->packet))
        return fail_segment(join, segment, "is damaged", diag);
    join->packet->dts = index - join->delay;
    return video_file_write(join->file, join->packet, diag);
}

/* ---- for both passes ---- */

static bool read_segment(Join *join, size_t segment, VideoSegment *in, int64_t *index,
                         HandlePacket *handle, Diag *diag)
{
    const int64_t start = *index;

    for (;; (*index)++) {
        bool more;
        if (*join->stop)
            return false;
        if (!read_packet(in, join->packet, &more))
            return fail_segment(join, segment, "is damaged", diag);
        if (!more)
            return true;
        join->packet->pts += start;
        const bool ok = handle(join, segment, *index, diag);
        av_packet_unref(join->packet);
        if (!ok)
            return false;
    }
}

static bool each_packet(Join *join, HandlePacket *handle, Diag *diag)
{
    int64_t index = 0;

    for (size_t i = 0; i < join->count; i++) {
        VideoSegment in;
        if (!open_segment(&in, join->segments[i], join->stop))
            return fail_segment(join, i, "is missing or damaged", diag);
        const bool ok =
            same_codec(join, &in)
                ? read_segment(join, i, &in, &index, handle, diag)
                : fail_segment(join, i, "was encoded with other options than this film", diag);
        avformat_close_input(&in.in);
        if (!ok)
            return false;
    }
    return index == join->options->frame_count ||
           diag_fail(diag, DIAG_INCOMPLETE,
                     "'%s': the segments have %" PRId64 " of %" PRId64 " frames",
                     join->options->file, index, join->options->frame_count);
}

static bool join_all(Join *join, Arena *arena, Diag *diag)
{
    const SinkOptions *options = join->options;
    CodecChoice choice;

    join->packet = av_packet_alloc();
    if (!join->packet)
        return diag_fail(diag, DIAG_RESOURCE, "'%s': out of memory", options->file);
    if (!codec_choose(&choice, options, diag))
        return false;
    join->codec = codec_open_video(&choice, options, diag);
    if (!join->codec || !each_packet(join, check_frame, diag))
        return false;
    join->unpack_alpha = video_segment_has_side_alpha(join->codec);
    join->file = video_file_create(&choice, join->codec, options, join->stop, arena, diag);
    return join->file && each_packet(join, write_packet, diag) &&
           video_file_commit(join->file, options->frame_count, diag);
}

bool video_segment_join(const SinkOptions *options, const char *const *segments, size_t count,
                        const volatile sig_atomic_t *stop, Diag *diag)
{
    Arena *arena = arena_create();
    Join join = {.options = options, .segments = segments, .count = count, .stop = stop};

    av_log_set_level(AV_LOG_QUIET);
    join.found = arena_array(arena, uint8_t, (size_t)options->frame_count);
    const bool ok = join_all(&join, arena, diag);
    video_file_destroy(join.file);
    codec_close_video(&join.codec, false);
    av_packet_free(&join.packet);
    arena_destroy(arena);
    return ok;
}
