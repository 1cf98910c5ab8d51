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
    const char *const *pieces;
    size_t count;
    const volatile sig_atomic_t *stop;
    AVCodecContext *codec; /* an encoder like that of the pieces; it encodes nothing */
    VideoFile *file;
    AVPacket *packet;
    bool alpha_beside;
    uint8_t *taken; /* [frame_count] is the picture there? */
    int64_t delay;  /* pictures from decoding to showing, at the most */
} Join;

static bool fail_piece(const Join *join, size_t piece, const char *what, Diag *diag)
{
    if (*join->stop)
        return false;
    return diag_fail(diag, DIAG_INCOMPLETE, "'%s': piece '%s' %s", join->options->file,
                     join->pieces[piece], what);
}

/* What to do with a packet: its pts is its place in the film, `index` its number in the order of
 * decoding. */
typedef bool PacketDo(Join *join, size_t piece, int64_t index, Diag *diag);

/* ---- before: are these the pieces of this film? ---- */

static bool same_codec(const Join *join, const VideoSegment *piece)
{
    const AVCodecContext *c = join->codec;
    const AVCodecParameters *p = piece->codec;

    return p->codec_id == c->codec_id && p->width == c->width && p->height == c->height &&
           av_cmp_q(piece->fps, c->framerate) == 0 && p->extradata_size == c->extradata_size &&
           (!c->extradata_size || !memcmp(p->extradata, c->extradata, (size_t)c->extradata_size));
}

/* A place that is taken twice, or that the film does not have, means that the piece is not whole.
 */
static bool survey_packet(Join *join, size_t piece, int64_t index, Diag *diag)
{
    const int64_t place = join->packet->pts;

    if (place >= join->options->frame_count || join->taken[place])
        return fail_piece(join, piece, "holds pictures that have no place in the film", diag);
    join->taken[place] = 1;
    if (index - place > join->delay)
        join->delay = index - place;
    return true;
}

/* ---- after: packets to the film ---- */

static bool write_packet(Join *join, size_t piece, int64_t index, Diag *diag)
{
    if (join->alpha_beside && !video_segment_unpack_alpha(join->packet))
        return fail_piece(join, piece, "is damaged", diag);
    join->packet->dts = index - join->delay;
    return video_file_write(join->file, join->packet, diag);
}

/* ---- both go over all packets ---- */

static bool read_piece(Join *join, size_t piece, VideoSegment *in, int64_t *index, PacketDo *act,
                       Diag *diag)
{
    const int64_t start = *index;

    for (;; (*index)++) {
        bool more;
        if (*join->stop)
            return false;
        if (!video_segment_read(in, join->packet, &more))
            return fail_piece(join, piece, "is damaged", diag);
        if (!more)
            return true;
        join->packet->pts += start;
        const bool ok = act(join, piece, *index, diag);
        av_packet_unref(join->packet);
        if (!ok)
            return false;
    }
}

static bool each_packet(Join *join, PacketDo *act, Diag *diag)
{
    int64_t index = 0;

    for (size_t i = 0; i < join->count; i++) {
        VideoSegment in;
        if (!video_segment_open(&in, join->pieces[i], join->stop))
            return fail_piece(join, i, "is not there or damaged", diag);
        const bool ok = same_codec(join, &in)
                            ? read_piece(join, i, &in, &index, act, diag)
                            : fail_piece(join, i, "was encoded otherwise than this film", diag);
        video_segment_close(&in);
        if (!ok)
            return false;
    }
    return index == join->options->frame_count ||
           diag_fail(diag, DIAG_INCOMPLETE,
                     "'%s': the pieces hold %" PRId64 " of %" PRId64 " pictures",
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
    if (!join->codec || !each_packet(join, survey_packet, diag))
        return false;
    join->alpha_beside = video_segment_has_side_alpha(join->codec);
    join->file = video_file_create(&choice, join->codec, options, join->stop, arena, diag);
    return join->file && each_packet(join, write_packet, diag) &&
           video_file_commit(join->file, options->frame_count, diag);
}

bool video_join(const SinkOptions *options, const char *const *pieces, size_t count,
                const volatile sig_atomic_t *stop, Diag *diag)
{
    Arena *arena = arena_create();
    Join join = {.options = options, .pieces = pieces, .count = count, .stop = stop};

    av_log_set_level(AV_LOG_QUIET);
    join.taken = arena_array(arena, uint8_t, (size_t)options->frame_count);
    const bool ok = join_all(&join, arena, diag);
    video_file_destroy(join.file);
    codec_close_video(&join.codec, false);
    av_packet_free(&join.packet);
    arena_destroy(arena);
    return ok;
}
