#include "output/video_join.h"

#include <inttypes.h>
#include <libavutil/log.h>
#include <string.h>

#include "base/arena.h"
#include "output/codec.h"
#include "output/video_file.h"
#include "output/video_segment.h"

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
static bool check_packet(Join *join, size_t segment, int64_t index, Diag *diag)
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
    if (join->unpack_alpha && !video_segment_unpack_alpha(join->packet))
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
        if (!video_segment_read(in, join->packet, &more))
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
        if (!video_segment_open(&in, join->segments[i], join->stop))
            return fail_segment(join, i, "is missing or damaged", diag);
        const bool ok =
            same_codec(join, &in)
                ? read_segment(join, i, &in, &index, handle, diag)
                : fail_segment(join, i, "was encoded with other options than this film", diag);
        video_segment_close(&in);
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
    if (!join->codec || !each_packet(join, check_packet, diag))
        return false;
    join->unpack_alpha = video_segment_has_side_alpha(join->codec);
    join->file = video_file_create(&choice, join->codec, options, join->stop, arena, diag);
    return join->file && each_packet(join, write_packet, diag) &&
           video_file_commit(join->file, options->frame_count, diag);
}

bool video_join(const SinkOptions *options, const char *const *segments, size_t count,
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
