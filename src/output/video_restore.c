// SPDX-License-Identifier: MIT
#include "output/video_restore.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/parser_entry.h"
#include "media/libav.h"
#include "output/codec.h"
#include "output/video_file.h"
#include "output/video_segment.h"

enum { PATH_SIZE = 4096 };

typedef struct Restore {
    const SinkOptions *options;
    const SinkPart *parts;
    size_t count, at; /* at: the first one whose packets may follow */
    const volatile sig_atomic_t *stop;
    AVFormatContext *in;
    const AVStream *stream;
    CodecChoice choice;
    AVCodecContext *codec; /* as that of the segments, for the parameters of their stream */
    bool side_alpha;
    size_t length_size;       /* bytes of the length of each NAL unit; 0: there are none */
    int64_t start;            /* time stamp of the first frame; AV_NOPTS_VALUE before it was read */
    AVPacket *packet, *built; /* as read, and as in a segment */
} Restore;

/* ---- packets ---- */

static bool is_recorded(const AVPacket *packet, const SinkRecord *record)
{
    if ((uint64_t)packet->size != record->bytes)
        return false;
    const Digest digest = hash_bytes(packet->data, (size_t)packet->size);
    return digest_equal(&digest, &record->digest);
}

/* Sets the data of `built`; false without memory. */
static bool begin_packet(const Restore *r, size_t size)
{
    av_packet_unref(r->built);
    return size <= INT32_MAX && av_new_packet(r->built, (int)size) == 0;
}

enum { MAX_UNITS = 8 }; /* of a packet: an encoder without slices writes one or two */

typedef struct Unit {
    const uint8_t *data;
    size_t size;
} Unit;

/* The NAL units of the packet that was read; 0 if it is not made of lengths and units. */
static size_t find_units(Unit units[MAX_UNITS], const Restore *r)
{
    const uint8_t *at = r->packet->data, *const end = at + r->packet->size;
    size_t count = 0;
    while (at < end && count < MAX_UNITS && (size_t)(end - at) > r->length_size) {
        size_t size = 0;
        for (size_t i = 0; i < r->length_size; i++)
            size = size << 8 | *at++;
        if (size > (size_t)(end - at))
            return 0;
        units[count++] = (Unit){at, size};
        at += size;
    }
    return at == end ? count : 0;
}

static void write_units(uint8_t *out, const Unit *units, size_t count, unsigned longs)
{
    static const uint8_t code[4] = {0, 0, 0, 1};
    for (size_t i = 0; i < count; i++) {
        const size_t size = longs >> i & 1 ? 4 : 3;
        memcpy(out, code + 4 - size, size);
        memcpy(out + size, units[i].data, units[i].size);
        out += size + units[i].size;
    }
}

/* Start codes have three or four bytes, which an encoder chooses: their sum is known, and the
 * digest decides which ones have four. */
static bool build_units(const Restore *r, const SinkRecord *record)
{
    Unit units[MAX_UNITS];
    const size_t count = r->length_size ? find_units(units, r) : 0;
    uint64_t least = 3 * (uint64_t)count;
    for (size_t i = 0; i < count; i++)
        least += units[i].size;
    if (!count || record->bytes < least || record->bytes > least + count ||
        !begin_packet(r, (size_t)record->bytes))
        return false;
    for (unsigned longs = 0; longs < 1u << count; longs++) {
        if ((uint64_t)__builtin_popcount(longs) != record->bytes - least)
            continue;
        write_units(r->built->data, units, count, longs);
        if (is_recorded(r->built, record))
            return true;
    }
    return false;
}

/* AV1: with the temporal delimiter, an OBU without contents. */
static bool build_delimited(const Restore *r, const SinkRecord *record)
{
    static const uint8_t delimiter[] = {0x12, 0};
    const size_t size = (size_t)r->packet->size;
    if (r->codec->codec_id != AV_CODEC_ID_AV1 || !begin_packet(r, size + sizeof delimiter))
        return false;
    memcpy(r->built->data, delimiter, sizeof delimiter);
    memcpy(r->built->data + sizeof delimiter, r->packet->data, size);
    return is_recorded(r->built, record);
}

static bool build_same(const Restore *r, const SinkRecord *record)
{
    av_packet_unref(r->built);
    return av_packet_ref(r->built, r->packet) == 0 &&
           (!r->side_alpha || video_segment_pack_alpha(r->built)) && is_recorded(r->built, record);
}

/* Whether `built` has become the packet of a frame. */
static bool build_packet(const Restore *r, const SinkRecord *record)
{
    return build_same(r, record) || build_units(r, record) || build_delimited(r, record);
}

/* ---- the finished file ---- */

static int interrupt(void *stop)
{
    const volatile sig_atomic_t *const flag = stop;
    return flag && *flag;
}

/* Not a cover. */
static const AVStream *find_video(const AVFormatContext *in)
{
    for (unsigned i = 0; i < in->nb_streams; i++)
        if (in->streams[i]->codecpar->codec_type == AVMEDIA_TYPE_VIDEO &&
            !(in->streams[i]->disposition & AV_DISPOSITION_ATTACHED_PIC))
            return in->streams[i];
    return NULL;
}

/* The first byte of the headers that go with lengths is 1. */
static size_t find_length_size(const AVCodecParameters *codec)
{
    const int at = codec->codec_id == AV_CODEC_ID_H264 ? 4 : 21;
    const bool has_units =
        codec->codec_id == AV_CODEC_ID_H264 || codec->codec_id == AV_CODEC_ID_HEVC;
    return has_units && codec->extradata_size > at && codec->extradata[0] == 1
               ? (size_t)(codec->extradata[at] & 3) + 1
               : 0;
}

/* Without probing, and with the times that are stored. */
static bool open_film(Restore *r)
{
    parser_enter("film");
    char url[PATH_SIZE + 8];
    AVDictionary *options = NULL;
    if (snprintf(url, sizeof url, "file:%s", r->options->file) >= (int)sizeof url)
        return false;
    r->in = avformat_alloc_context();
    if (!r->in)
        return false;
    r->in->interrupt_callback = (AVIOInterruptCB){interrupt, (void *)(uintptr_t)r->stop};
    r->in->flags |= AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN;
    av_dict_set(&options, "protocol_whitelist", "file", 0);
    av_dict_set(&options, "ignore_editlist", "1", 0);
    const int code = avformat_open_input(&r->in, url, NULL, &options); /* frees it on failure */
    av_dict_free(&options);
    r->stream = code >= 0 ? find_video(r->in) : NULL;
    return r->stream && r->stream->codecpar->codec_id == r->codec->codec_id;
}

/* The index of a packet's frame; Matroska rounds times to milliseconds.  Containers without times
 * of display have frames in the order of decoding. */
static int64_t index_of(Restore *r, const AVPacket *packet)
{
    const AVRational period = {r->options->fps_den, r->options->fps_num};
    const int64_t time = packet->pts == AV_NOPTS_VALUE ? packet->dts : packet->pts;
    if (r->start == AV_NOPTS_VALUE)
        r->start = time;
    return time == AV_NOPTS_VALUE || time < r->start || time - r->start > INT64_MAX / 2
               ? -1
               : av_rescale_q(time - r->start, r->stream->time_base, period);
}

/* ---- segments ---- */

/* The segment that is written. */
typedef struct OpenPart {
    const SinkPart *part; /* NULL: none */
    Arena *arena;
    SinkOptions options;
    VideoFile *file;
    size_t written;
    uint8_t *found; /* [part->count] */
} OpenPart;

static void close_part(OpenPart *o)
{
    if (!o->part)
        return;
    video_file_destroy(o->file); /* removes what is not complete */
    arena_destroy(o->arena);
    *o = (OpenPart){0};
}

static bool open_part(OpenPart *o, const Restore *r, const SinkPart *part, Diag *diag)
{
    CodecChoice choice = r->choice;
    choice.container = video_segment_container();
    choice.audio = NULL;
    *o = (OpenPart){.part = part, .arena = arena_create(), .options = *r->options};
    o->options.file = part->segment;
    o->options.film_file = r->options->file;
    o->options.approval = NULL;
    o->options.frame_count = (int64_t)part->count;
    o->options.contents = (SinkContents){0};
    o->found = arena_array(o->arena, uint8_t, part->count);
    o->file = video_file_create(&choice, r->codec, &o->options, r->stop, o->arena, diag);
    return o->file != NULL;
}

/* The segment of a packet, whose segments come in their order; NULL: not one that is wanted. */
static const SinkPart *find_part(Restore *r, int64_t index)
{
    while (r->at < r->count && index >= r->parts[r->at].first + (int64_t)r->parts[r->at].count)
        r->at++;
    return r->at < r->count && index >= r->parts[r->at].first ? &r->parts[r->at] : NULL;
}

/* The decoding times of segments are not used: they only have to come before those of display. */
static bool write_packet(OpenPart *o, const Restore *r, size_t frame, Diag *diag)
{
    enum { DELAY = 64 };
    r->built->pts = (int64_t)frame;
    r->built->dts = (int64_t)o->written - DELAY;
    r->built->flags = r->packet->flags & AV_PKT_FLAG_KEY;
    o->found[frame] = 1;
    return video_file_write(o->file, r->built, diag) &&
           (++o->written < o->part->count ||
            video_file_commit(o->file, (int64_t)o->part->count, diag));
}

/* The packets of a segment follow one another.  False after an error of writing. */
static bool handle_packet(OpenPart *o, Restore *r, const SinkPart **left_out, Diag *diag)
{
    const int64_t index = index_of(r, r->packet);
    const SinkPart *part = find_part(r, index);
    if (!part || part == *left_out)
        return true;
    if (part != o->part) {
        close_part(o);
        if (!open_part(o, r, part, diag))
            return false;
    }
    const size_t frame = (size_t)(index - part->first);
    if (!o->found[frame] && (o->written > 0 || r->packet->flags & AV_PKT_FLAG_KEY) &&
        build_packet(r, &part->records[frame]))
        return write_packet(o, r, frame, diag);
    *left_out = part;
    close_part(o);
    return true;
}

static bool restore_all(Restore *r, Diag *diag)
{
    OpenPart open = {0};
    const SinkPart *left_out = NULL;
    bool ok = true;
    while (ok && av_read_frame(r->in, r->packet) >= 0) {
        if (r->packet->stream_index == r->stream->index && r->packet->size > 0)
            ok = handle_packet(&open, r, &left_out, diag);
        av_packet_unref(r->packet);
    }
    close_part(&open);
    return ok && !*r->stop;
}

bool video_restore(const SinkOptions *options, const SinkPart *parts, size_t count,
                   const volatile sig_atomic_t *stop, Diag *diag)
{
    SinkOptions film = *options;
    Restore r = {.options = &film,
                 .parts = parts,
                 .count = count,
                 .stop = stop,
                 .start = AV_NOPTS_VALUE,
                 .packet = av_packet_alloc(),
                 .built = av_packet_alloc()};
    film.contents.sound = (SinkSound){0};
    av_log_set_level(AV_LOG_QUIET);
    bool ok = r.packet && r.built;
    if (!ok)
        codec_out_of_memory(options->file, diag);
    ok = ok && codec_choose(&r.choice, &film, diag) &&
         (r.codec = codec_open_video(&r.choice, &film, diag)) != NULL;
    if (ok && open_film(&r)) {
        r.side_alpha = video_segment_has_side_alpha(r.codec);
        r.length_size = find_length_size(r.stream->codecpar);
        ok = restore_all(&r, diag);
    }
    avformat_close_input(&r.in);
    codec_close_video(&r.codec, false);
    av_packet_free(&r.packet);
    av_packet_free(&r.built);
    return ok;
}
