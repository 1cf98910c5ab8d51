#include "output/video_file.h"

#include <errno.h>
#include <inttypes.h>
#include <libavutil/avstring.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "output/sound_track.h"

enum { PATH_SIZE = 4096 };

struct VideoFile {
    const SinkOptions *options;
    CodecChoice choice;
    char temporary[PATH_SIZE]; /* "" when there is none on disk */
    const volatile sig_atomic_t *stop;
    SoundTrack *track; /* NULL without sound */
    bool sound_ended;
    int64_t sound_at;  /* time of the last packet of sound, in the codec's time base */
    AVRational period; /* of a picture, seconds */
    AVFormatContext *muxer;
    AVStream *video_stream, *sound_stream;
    AVPacket *packet; /* of sound, and for reading back */
};

/* ---- stopping and errors --------------------------------------------------------------------- */

static bool is_stopped(const VideoFile *file)
{
    return file->stop && *file->stop;
}

/* libavformat asks before each of its reads and writes. */
static int interrupt(void *file)
{
    return is_stopped(file);
}

static bool fail_write(const VideoFile *file, int code, Diag *diag)
{
    if (is_stopped(file))
        return false;
    return diag_fail(diag, file_problem(AVUNERROR(code), DIAG_IO), "cannot write '%s': %s",
                     file->options->file, codec_error_text(code).text);
}

/* ---- packets --------------------------------------------------------------------------------- */

static bool mux(VideoFile *file, AVPacket *packet, AVStream *stream, AVRational time_base,
                Diag *diag)
{
    av_packet_rescale_ts(packet, time_base, stream->time_base);
    packet->stream_index = stream->index;
    const int code = av_interleaved_write_frame(file->muxer, packet);
    return code >= 0 || fail_write(file, code, diag);
}

/*
 * Matroska says how long the priming of Opus is, and its time stamps count from where the priming
 * starts.  libavformat 5.1 writes the one and does not heed the other: the sound would come 6.5 ms
 * early.
 */
static int64_t priming(const VideoFile *file)
{
    const AVCodecContext *c = sound_track_codec(file->track);
    const bool counted = c->codec_id == AV_CODEC_ID_OPUS &&
                         av_match_name(file->choice.container->name, "matroska,webm");
    return counted ? c->initial_padding : 0;
}

/* Muxes the sound up to the time of a picture, or all that is left. */
static bool mux_sound(VideoFile *file, int64_t until, Diag *diag)
{
    if (!file->track)
        return true;
    const AVRational time_base = sound_track_codec(file->track)->time_base;

    while (!file->sound_ended && (until == INT64_MAX || av_compare_ts(file->sound_at, time_base,
                                                                      until, file->period) <= 0)) {
        bool more;
        if (!sound_track_read(file->track, file->packet, &more, diag))
            return false;
        file->sound_ended = !more;
        if (!more)
            break;
        file->sound_at = file->packet->pts;
        file->packet->pts += priming(file);
        file->packet->dts += priming(file);
        if (!mux(file, file->packet, file->sound_stream, time_base, diag))
            return false;
    }
    return true;
}

bool video_file_write(VideoFile *file, AVPacket *packet, Diag *diag)
{
    const int64_t pts = packet->pts;
    packet->duration = 1;             /* not every encoder says so; the last picture needs it */
    packet->flags &= AV_PKT_FLAG_KEY; /* what else x265 marks is lost in pieces */
    return mux(file, packet, file->video_stream, file->period, diag) && mux_sound(file, pts, diag);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Linux has closed a file even where it says that it was interrupted. */
static int close_io(AVIOContext *io)
{
    const int code = avio_close(io);
    return code == AVERROR(EINTR) ? 0 : code;
}

/* The file again, that a muxer opened to move its head to the front. */
static int close_other(AVFormatContext *muxer, AVIOContext *io)
{
    (void)muxer;
    return close_io(io);
}

static bool open_muxer(VideoFile *file, Diag *diag)
{
    char url[PATH_SIZE + 8];
    const char *path = file->options->file;

    if (!file_make_parent_dirs(path, diag))
        return false;
    if (!file_temporary_name(file->temporary, sizeof file->temporary, path)) {
        file->temporary[0] = '\0';
        return diag_fail(diag, DIAG_CREATE, "'%s': the path is too long", path);
    }
    snprintf(url, sizeof url, "file:%s", file->temporary);
    if (avformat_alloc_output_context2(&file->muxer, file->choice.container, NULL, url) < 0)
        return codec_out_of_memory(file->options->file, diag);
    file->muxer->flags |= AVFMT_FLAG_BITEXACT; /* no dates, no versions, no random identifiers */
    file->muxer->io_close2 = close_other;
    file->muxer->interrupt_callback = (AVIOInterruptCB){interrupt, file};

    const int code =
        avio_open2(&file->muxer->pb, url, AVIO_FLAG_WRITE, &file->muxer->interrupt_callback, NULL);
    return code >= 0 || (!is_stopped(file) &&
                         diag_fail(diag, file_problem(AVUNERROR(code), DIAG_CREATE),
                                   "cannot create '%s': %s", path, codec_error_text(code).text));
}

static bool add_stream(AVStream **out, VideoFile *file, const AVCodecContext *codec, Diag *diag)
{
    AVStream *stream = *out = avformat_new_stream(file->muxer, NULL);

    if (!stream || avcodec_parameters_from_context(stream->codecpar, codec) < 0)
        return codec_out_of_memory(file->options->file, diag);
    stream->time_base = codec->time_base;
    return true;
}

static bool add_streams(VideoFile *file, const AVCodecContext *codec, Diag *diag)
{
    const CodecChoice *choice = &file->choice;

    if (!add_stream(&file->video_stream, file, codec, diag))
        return false;
    file->video_stream->avg_frame_rate = file->video_stream->r_frame_rate = codec->framerate;
    /* The tag that Apple's players know; libavformat's default is hev1. */
    if (choice->video->id == AV_CODEC_ID_HEVC && choice->container->codec_tag &&
        av_codec_get_id(choice->container->codec_tag, MKTAG('h', 'v', 'c', '1')))
        file->video_stream->codecpar->codec_tag = MKTAG('h', 'v', 'c', '1');
    return !file->track ||
           add_stream(&file->sound_stream, file, sound_track_codec(file->track), diag);
}

/* Of the last picture, in the hundredths of a GIF; the others' follow from when the next one comes.
 */
static int64_t last_delay(int64_t pictures, AVRational period)
{
    const AVRational hundredth = {1, 100};
    return av_rescale_q(pictures, period, hundredth) -
           av_rescale_q(pictures - 1, period, hundredth);
}

/* What a muxer is told; each leaves alone what it does not know. */
static bool set_muxing(AVDictionary **muxing, const VideoFile *file)
{
    const SinkOptions *options = file->options;
    return av_dict_set(muxing, "movflags", "+faststart", 0) >= 0 && /* mp4 and mov */
           (!options->frame_count || /* of a GIF, which says of each picture how long it stays */
            av_dict_set_int(muxing, "final_delay", last_delay(options->frame_count, file->period),
                            0) >= 0);
}

static bool write_header(VideoFile *file, Diag *diag)
{
    const SinkOptions *options = file->options;
    const CodecChoice *choice = &file->choice;
    AVDictionary *muxing = NULL;

    for (size_t i = 0; i < options->video.tag_count; i++)
        if (av_dict_set(&file->muxer->metadata, options->video.tags[i].key,
                        options->video.tags[i].value, 0) < 0)
            return codec_out_of_memory(file->options->file, diag);
    const bool set = set_muxing(&muxing, file);
    errno = 0; /* libavformat does not say that it had no memory to copy the options */
    const int code = set ? avformat_write_header(file->muxer, &muxing) : AVERROR(ENOMEM);
    const bool lacked = code == AVERROR(ENOMEM) || errno == ENOMEM;
    av_dict_free(&muxing);
    if (lacked && !is_stopped(file))
        return codec_out_of_memory(file->options->file, diag);
    if (file->muxer->pb->error < 0)
        return fail_write(file, file->muxer->pb->error, diag);
    if (code >= 0 || is_stopped(file))
        return code >= 0;
    return diag_fail(
        diag, DIAG_JOB, "'%s': a %s file cannot be made of %s%s%s: %s", options->file,
        choice->container->name, avcodec_get_name(choice->video->id), choice->audio ? " and " : "",
        choice->audio ? avcodec_get_name(choice->audio->id) : "", codec_error_text(code).text);
}

static bool open_sound(VideoFile *file, Arena *arena, Diag *diag)
{
    if (!file->choice.audio)
        return true;
    file->track =
        sound_track_create(file->choice.audio, file->options,
                           file->choice.container->flags & AVFMT_GLOBALHEADER, arena, diag);
    return file->track != NULL;
}

VideoFile *video_file_create(const CodecChoice *choice, const AVCodecContext *codec,
                             const SinkOptions *options, const volatile sig_atomic_t *stop,
                             Arena *arena, Diag *diag)
{
    VideoFile *file = arena_alloc(arena, sizeof *file);

    file->options = options;
    file->choice = *choice;
    file->stop = stop;
    file->period = codec->time_base;
    file->packet = av_packet_alloc();
    if (file->packet ? open_sound(file, arena, diag) && open_muxer(file, diag) &&
                           add_streams(file, codec, diag) && write_header(file, diag)
                     : codec_out_of_memory(file->options->file, diag))
        return file;
    video_file_destroy(file);
    return NULL;
}

/* ---- the end --------------------------------------------------------------------------------- */

static bool count_pictures(AVFormatContext *in, AVPacket *packet, int64_t *count)
{
    *count = 0;
    if (avformat_find_stream_info(in, NULL) < 0)
        return false;
    const int stream = av_find_best_stream(in, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
    if (stream < 0)
        return false;
    int code;
    while ((code = av_read_frame(in, packet)) >= 0) {
        *count += packet->stream_index == stream;
        av_packet_unref(packet);
    }
    return code == AVERROR_EOF;
}

static bool open_again(AVFormatContext **in, VideoFile *file)
{
    char url[PATH_SIZE + 8];
    AVDictionary *options = NULL;

    *in = avformat_alloc_context();
    if (!*in)
        return false;
    (*in)->interrupt_callback = (AVIOInterruptCB){interrupt, file};
    snprintf(url, sizeof url, "file:%s", file->temporary);
    av_dict_set(&options, "protocol_whitelist", "file", 0);
    const int code = avformat_open_input(in, url, NULL, &options); /* frees it on failure */
    av_dict_free(&options);
    return code >= 0;
}

/* Whether the file that was written opens as a container and holds all the pictures. */
static bool read_back(VideoFile *file, int64_t pictures, Diag *diag)
{
    AVFormatContext *in;
    int64_t count = 0;

    const bool counted = open_again(&in, file) && count_pictures(in, file->packet, &count);
    avformat_close_input(&in);
    if (is_stopped(file))
        return false;
    if (!counted)
        return diag_fail(diag, DIAG_IO, "'%s' cannot be read back", file->options->file);
    return count == pictures ||
           diag_fail(diag, DIAG_IO,
                     "'%s' holds %" PRId64 " pictures when read back instead of %" PRId64,
                     file->options->file, count, pictures);
}

/* The muxer's last bytes may meet a full disk too: flush and close are looked at. */
static bool close_muxer(VideoFile *file, Diag *diag)
{
    errno =
        0; /* libavformat's mov muxer leaves a box out where it has no memory, and says nothing */
    int code = av_write_trailer(file->muxer);

    if (code >= 0 && errno == ENOMEM)
        code = AVERROR(ENOMEM);
    avio_flush(file->muxer->pb);
    if (code >= 0)
        code = file->muxer->pb->error;
    const int closed = close_io(file->muxer->pb);
    file->muxer->pb = NULL;
    if (code >= 0)
        code = closed;
    return code >= 0 || fail_write(file, code, diag);
}

bool video_file_commit(VideoFile *file, int64_t pictures, Diag *diag)
{
    if (!mux_sound(file, INT64_MAX, diag) || !close_muxer(file, diag) ||
        !read_back(file, pictures, diag) ||
        !file_rename_synced(file->temporary, file->options->file, diag))
        return false;
    file->temporary[0] = '\0';
    return true;
}

void video_file_destroy(VideoFile *file)
{
    if (!file)
        return;
    sound_track_destroy(file->track);
    av_packet_free(&file->packet);
    if (file->muxer)
        avio_closep(&file->muxer->pb);
    avformat_free_context(file->muxer);
    if (file->temporary[0])
        unlink(file->temporary);
}
