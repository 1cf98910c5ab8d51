// SPDX-License-Identifier: MIT
#include "output/video_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/file_calls.h"
#include "base/memory.h"
#include "base/parser_entry.h"
#include "base/write_limit.h"
#include "output/ffmpeg_compat.h"
#include "output/sound_track.h"

/* ---- writing through file descriptors ---- */

enum { BUFFER_SIZE = 1 << 18 }; /* as libavformat's for files */

typedef struct FileIo {
    int fd;
    bool is_stream;
    int64_t at, size; /* the position, and the largest one that was reached */
    const volatile sig_atomic_t *stop;
} FileIo;

static bool count_bytes(FileIo *file, int size)
{
    const int64_t grown = file->at + size - file->size;
    file->at += size;
    if (grown <= 0 || file->is_stream)
        return true;
    file->size += grown;
    return write_limit_add(grown);
}

static int write_bytes(void *user, FfmpegWrittenByte *data, int size)
{
    FileIo *file = user;
    if (!count_bytes(file, size))
        return AVERROR(errno);
    for (int done = 0; done < size;) {
        if (file->stop && *file->stop)
            return AVERROR_EXIT;
        const ssize_t n = write(file->fd, data + done, (size_t)(size - done));
        if (n < 0 && errno != EINTR)
            return AVERROR(errno);
        done += n > 0 ? (int)n : 0;
    }
    return size;
}

static int64_t seek(void *user, int64_t offset, int whence)
{
    FileIo *file = user;
    const off_t now = lseek(file->fd, 0, SEEK_CUR);
    if (whence == AVSEEK_SIZE) {
        const off_t size = lseek(file->fd, 0, SEEK_END);
        return lseek(file->fd, now, SEEK_SET) < 0 || size < 0 ? AVERROR(errno) : size;
    }
    const off_t at = lseek(file->fd, offset, whence & ~AVSEEK_FORCE);
    if (at < 0)
        return AVERROR(errno);
    file->at = at;
    return at;
}

/* Creates or empties a file.  stop: when not 0, writing fails (AVERROR_EXIT); NULL: never.  Returns
 * 0 or an error of libavformat. */
static int file_io_open(AVIOContext **out, const char *path, const volatile sig_atomic_t *stop)
{
    enum { FLAGS = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW };
    FileIo *file = av_malloc(sizeof *file);
    uint8_t *buffer = av_malloc(BUFFER_SIZE);
    const int fd = file && buffer ? file_calls_open(AT_FDCWD, path, FLAGS, 0666) : -1;
    const int code = file && buffer ? AVERROR(errno) : AVERROR(ENOMEM);
    *out =
        fd < 0 ? NULL : avio_alloc_context(buffer, BUFFER_SIZE, 1, file, NULL, write_bytes, seek);
    if (*out) {
        *file = (FileIo){.fd = fd, .is_stream = file_is_stream(path), .stop = stop};
        return 0;
    }
    if (fd >= 0)
        close(fd);
    av_free(buffer);
    av_free(file);
    return fd < 0 ? code : AVERROR(ENOMEM);
}

/* Writes what is buffered, closes and sets *io to NULL.  Returns 0 or the first error of
 * libavformat that a write or the close met.  *io NULL is fine. */
static int file_io_close(AVIOContext **io)
{
    if (!*io)
        return 0;
    FileIo *file = (*io)->opaque;
    avio_flush(*io);
    int code = (*io)->error;
    /* Linux closes the file even if it reports an interruption. */
    if (close(file->fd) != 0 && errno != EINTR && code >= 0)
        code = AVERROR(errno);
    av_free(file);
    av_freep(&(*io)->buffer);
    avio_context_free(io);
    return code;
}

enum { PATH_SIZE = 4096 };

struct VideoFile {
    const SinkOptions *options;
    CodecChoice choice;
    char temporary[PATH_SIZE]; /* "" when there is no such file */
    bool is_stream;            /* a FIFO or a device: nothing to rename or to read back */
    int stream_fd;             /* -1: none */
    const volatile sig_atomic_t *stop;
    SoundTrack *track; /* NULL without sound */
    bool sound_ended;
    int64_t sound_time; /* time of the last packet of sound, in the codec's time base */
    AVRational period;  /* duration of a frame, seconds */
    AVFormatContext *muxer;
    AVStream *video_stream, *sound_stream, *cover_stream;
    AVPacket *packet; /* for sound and for reading back */
};

/* ---- stopping and errors --------------------------------------------------------------------- */

static bool is_stopped(const VideoFile *file)
{
    return file->stop && *file->stop;
}

/* libavformat calls it before each of its reads and writes. */
static int interrupt(void *file)
{
    return is_stopped(file);
}

static bool fail_write(const VideoFile *file, int code, Diag *diag)
{
    if (is_stopped(file) || !write_limit_check(diag))
        return false;
    return diag_fail(diag, diag_errno_kind(AVUNERROR(code), DIAG_IO), "cannot write '%s': %s",
                     file->options->file, codec_error_text(code).text);
}

/* ---- packets --------------------------------------------------------------------------------- */

static bool mux(VideoFile *file, AVPacket *packet, AVStream *stream, AVRational time_base,
                Diag *diag)
{
    av_packet_rescale_ts(packet, time_base, stream->time_base);
    packet->stream_index = stream->index;
    const int64_t pts = packet->pts, dts = packet->dts;
    const int code = av_interleaved_write_frame(file->muxer, packet);
    if (code == AVERROR(EINVAL)) /* its times, as a rule: files do not have this error */
        return diag_fail(diag, DIAG_INTERNAL,
                         "'%s': %s cannot store a packet of %s, pts %" PRId64 ", dts %" PRId64
                         ", in units of %d/%d s: %s",
                         file->options->file, file->choice.container->name,
                         avcodec_get_name(stream->codecpar->codec_id), pts, dts,
                         stream->time_base.num, stream->time_base.den, codec_error_text(code).text);
    return code >= 0 || fail_write(file, code, diag);
}

/* Matroska stores the length of the priming of Opus, and its time stamps count from the start of
 * the priming.  Where libavformat does not add it, the sound would be 6.5 ms early (README.md 4).
 */
static int64_t priming(const VideoFile *file)
{
    const AVCodecContext *c = sound_track_codec(file->track);
    const bool add = !ffmpeg_matroska_adds_priming() && c->codec_id == AV_CODEC_ID_OPUS &&
                     av_match_name(file->choice.container->name, "matroska,webm");
    return add ? c->initial_padding : 0;
}

/* Muxes the sound up to the time of a frame, or all of it (INT64_MAX). */
static bool mux_sound(VideoFile *file, int64_t until, Diag *diag)
{
    if (!file->track)
        return true;
    const AVRational time_base = sound_track_codec(file->track)->time_base;

    while (!file->sound_ended && (until == INT64_MAX || av_compare_ts(file->sound_time, time_base,
                                                                      until, file->period) <= 0)) {
        bool more;
        if (!sound_track_read(file->track, file->packet, &more, diag))
            return false;
        file->sound_ended = !more;
        if (!more)
            break;
        file->sound_time = file->packet->pts;
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
    packet->duration = 1;             /* some encoders do not set it; the last frame needs it */
    packet->flags &= AV_PKT_FLAG_KEY; /* segments do not keep the other flags of x265 */
    return mux(file, packet, file->video_stream, file->period, diag) && mux_sound(file, pts, diag);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Linux closes the file even if it reports an interruption. */
static int close_url(AVIOContext *io)
{
    const int code = avio_close(io);
    return code == AVERROR(EINTR) ? 0 : code;
}

/* For the second handle that a muxer opens to move the index to the front. */
static int close_second(AVFormatContext *muxer, AVIOContext *io)
{
    (void)muxer;
    return close_url(io);
}

static int close_output(VideoFile *file)
{
    AVIOContext *io = file->muxer->pb;
    file->muxer->pb = NULL;
    if (!io)
        return 0;
    return file->is_stream ? close_url(io) : file_io_close(&io);
}

static bool fail_create(const VideoFile *file, int code, Diag *diag)
{
    return !is_stopped(file) &&
           diag_fail(diag, diag_errno_kind(AVUNERROR(code), DIAG_CREATE), "cannot create '%s': %s",
                     file->options->file, codec_error_text(code).text);
}

/* The URL of what is written: of a FIFO or a device, or of the temporary file. */
static bool make_url(char *url, size_t size, VideoFile *file, Diag *diag)
{
    const char *path = file->options->file;
    file->is_stream = file_is_stream(path);
    if (file->is_stream) {
        file->stream_fd = file_open_stream(path);
        snprintf(url, size, "pipe:%d", file->stream_fd);
        return file->stream_fd >= 0 || fail_create(file, AVERROR(errno), diag);
    }
    if (!file_make_parent_dirs(path, diag))
        return false;
    if (!file_temporary_name(file->temporary, sizeof file->temporary, path)) {
        file->temporary[0] = '\0';
        return diag_fail(diag, DIAG_CREATE, "'%s': the path is too long", path);
    }
    snprintf(url, size, "file:%s", file->temporary);
    return true;
}

static bool open_muxer(VideoFile *file, Diag *diag)
{
    char url[PATH_SIZE + 8];

    if (!make_url(url, sizeof url, file, diag))
        return false;
    if (avformat_alloc_output_context2(&file->muxer, file->choice.container, NULL, url) < 0)
        return codec_out_of_memory(file->options->file, diag);
    file->muxer->flags |= AVFMT_FLAG_BITEXACT; /* no dates, no versions, no random identifiers */
    file->muxer->io_close2 = close_second;
    file->muxer->interrupt_callback = (AVIOInterruptCB){interrupt, file};

    const int code = file->is_stream ? avio_open2(&file->muxer->pb, url, AVIO_FLAG_WRITE,
                                                  &file->muxer->interrupt_callback, NULL)
                                     : file_io_open(&file->muxer->pb, file->temporary, file->stop);
    return code >= 0 || fail_create(file, code, diag);
}

static bool add_stream(AVStream **out, VideoFile *file, const AVCodecContext *codec, Diag *diag)
{
    AVStream *stream = *out = avformat_new_stream(file->muxer, NULL);

    if (!stream || avcodec_parameters_from_context(stream->codecpar, codec) < 0)
        return codec_out_of_memory(file->options->file, diag);
    stream->time_base = codec->time_base;
    return true;
}

/* Matroska stores a cover as an attachment, MP4 as a stream of one packet. */
static bool add_cover(VideoFile *file, Diag *diag)
{
    const SinkCover *cover = &file->options->contents.cover;
    if (!cover->data)
        return true;
    AVStream *stream = avformat_new_stream(file->muxer, NULL);
    if (!stream)
        return codec_out_of_memory(file->options->file, diag);
    AVCodecParameters *p = stream->codecpar;
    p->codec_id = cover->jpeg ? AV_CODEC_ID_MJPEG : AV_CODEC_ID_PNG;
    p->width = cover->width;
    p->height = cover->height;
    if (!strcmp(file->choice.container->name, "mp4")) {
        p->codec_type = AVMEDIA_TYPE_VIDEO;
        stream->disposition = AV_DISPOSITION_ATTACHED_PIC;
        file->cover_stream = stream;
        return true;
    }
    p->codec_type = AVMEDIA_TYPE_ATTACHMENT;
    p->extradata = av_mallocz(cover->size + AV_INPUT_BUFFER_PADDING_SIZE);
    if (!p->extradata ||
        av_dict_set(&stream->metadata, "filename", cover->jpeg ? "cover.jpg" : "cover.png", 0) <
            0 ||
        av_dict_set(&stream->metadata, "mimetype", cover->jpeg ? "image/jpeg" : "image/png", 0) < 0)
        return codec_out_of_memory(file->options->file, diag);
    memcpy(p->extradata, cover->data, cover->size);
    p->extradata_size = (int)cover->size;
    return true;
}

static bool write_cover(VideoFile *file, Diag *diag)
{
    const SinkCover *cover = &file->options->contents.cover;
    if (!file->cover_stream)
        return true;
    if (av_new_packet(file->packet, (int)cover->size) < 0)
        return codec_out_of_memory(file->options->file, diag);
    memcpy(file->packet->data, cover->data, cover->size);
    file->packet->pts = file->packet->dts = 0;
    file->packet->flags = AV_PKT_FLAG_KEY;
    return mux(file, file->packet, file->cover_stream, file->period, diag);
}

/* libavformat frees them with the muxer.  A chapter ends where the next one begins. */
static bool add_chapters(VideoFile *file, Diag *diag)
{
    const SinkContents *contents = &file->options->contents;
    const AVRational ms = {1, 1000};
    const int64_t end = av_rescale_q(file->options->frame_count, file->period, ms);
    if (!contents->chapter_count)
        return true;
    file->muxer->chapters = av_calloc(contents->chapter_count, sizeof *file->muxer->chapters);
    for (size_t i = 0; file->muxer->chapters && i < contents->chapter_count; i++) {
        const SinkChapter *from = &contents->chapters[i];
        AVChapter *chapter = file->muxer->chapters[i] = av_mallocz(sizeof *chapter);
        if (!chapter)
            break;
        file->muxer->nb_chapters = (unsigned)i + 1;
        *chapter = (AVChapter){
            .id = (int64_t)i + 1, .time_base = ms, .start = llround(from->start_s * 1000)};
        chapter->end = i + 1 < contents->chapter_count ? llround(from[1].start_s * 1000) : end;
        if (av_dict_set(&chapter->metadata, "title", from->title, 0) < 0)
            break;
        if (i + 1 == contents->chapter_count)
            return true;
    }
    return codec_out_of_memory(file->options->file, diag);
}

/* Players of VR find there how the images lie around the viewer; none of these formats has a word
 * for a fisheye.  libavformat writes them for MP4 if it may go beyond the standard. */
static bool add_projection(VideoFile *file, Diag *diag)
{
    const SinkContents *contents = &file->options->contents;
    const bool tile = contents->projection == PROJECTION_VR180;
    size_t size;
    bool ok = true;

    if (tile || contents->projection == PROJECTION_EQUIRECT ||
        contents->projection == PROJECTION_CUBE) {
        AVSphericalMapping *mapping = av_spherical_alloc(&size);
        if (mapping) {
            mapping->projection = tile ? AV_SPHERICAL_EQUIRECTANGULAR_TILE
                                  : contents->projection == PROJECTION_CUBE
                                      ? AV_SPHERICAL_CUBEMAP
                                      : AV_SPHERICAL_EQUIRECTANGULAR;
            mapping->bound_left = mapping->bound_right = tile ? UINT32_MAX / 4 : 0;
        }
        ok = ffmpeg_add_side_data(file->video_stream, AV_PKT_DATA_SPHERICAL, mapping, size);
    }
    if (ok && (contents->projection != PROJECTION_PERSPECTIVE)) {
        AVStereo3D *stereo =
            ffmpeg_stereo_create(contents->stereo == STEREO_LEFT_RIGHT   ? AV_STEREO3D_SIDEBYSIDE
                                 : contents->stereo == STEREO_TOP_BOTTOM ? AV_STEREO3D_TOPBOTTOM
                                                                         : AV_STEREO3D_2D);
        ok = ffmpeg_add_side_data(file->video_stream, AV_PKT_DATA_STEREO3D, stereo, sizeof *stereo);
        file->muxer->strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL;
    }
    return ok || codec_out_of_memory(file->options->file, diag);
}

static bool add_streams(VideoFile *file, const AVCodecContext *codec, Diag *diag)
{
    const CodecChoice *choice = &file->choice;

    if (!add_stream(&file->video_stream, file, codec, diag))
        return false;
    file->video_stream->avg_frame_rate = file->video_stream->r_frame_rate = codec->framerate;
    /* The tag that Apple's players support; libavformat's default is hev1. */
    if (choice->video->id == AV_CODEC_ID_HEVC && choice->container->codec_tag &&
        av_codec_get_id(choice->container->codec_tag, MKTAG('h', 'v', 'c', '1')))
        file->video_stream->codecpar->codec_tag = MKTAG('h', 'v', 'c', '1');
    return (!file->track ||
            add_stream(&file->sound_stream, file, sound_track_codec(file->track), diag)) &&
           add_projection(file, diag) && add_cover(file, diag) && add_chapters(file, diag);
}

/* Delay of the last frame in the hundredths of a GIF; the others last until the next frame. */
static int64_t gif_last_delay(int64_t frames, AVRational period)
{
    const AVRational hundredth = {1, 100};
    return av_rescale_q(frames, period, hundredth) - av_rescale_q(frames - 1, period, hundredth);
}

/* The index of mp4 and mov is at the front, or in fragments if nothing can be written later. */
static const char *mov_flags(const VideoFile *file)
{
    return file->is_stream ? "+frag_keyframe+delay_moov+default_base_moof" : "+faststart";
}

/* Animations store the duration of each frame, and how often they play: GIF forever if it is not
 * told otherwise, PNG once. */
static bool set_animation_options(AVDictionary **out, const VideoFile *file)
{
    const char *container = file->choice.container->name;
    const int64_t frames = file->options->frame_count;
    char delay[64] = "";
    if (!strcmp(container, "gif") && frames)
        snprintf(delay, sizeof delay, "%" PRId64, gif_last_delay(frames, file->period));
    if (!strcmp(container, "apng")) { /* a fraction of two 16-bit numbers */
        int num, den;
        av_reduce(&num, &den, file->period.num, file->period.den, UINT16_MAX);
        snprintf(delay, sizeof delay, "%d/%d", num, den);
    }
    return (!*delay || av_dict_set(out, "final_delay", delay, 0) >= 0) &&
           (strcmp(container, "apng") != 0 || av_dict_set(out, "plays", "0", 0) >= 0);
}

static bool write_header(VideoFile *file, Diag *diag)
{
    const SinkOptions *options = file->options;
    const CodecChoice *choice = &file->choice;
    AVDictionary *muxer_options = NULL;

    for (size_t i = 0; i < options->contents.tag_count; i++)
        if (av_dict_set(&file->muxer->metadata, options->contents.tags[i].key,
                        options->contents.tags[i].value, 0) < 0)
            return codec_out_of_memory(file->options->file, diag);
    const bool set = av_dict_set(&muxer_options, "movflags", mov_flags(file), 0) >= 0 &&
                     /* others ignore it */ set_animation_options(&muxer_options, file);
    errno = 0; /* libavformat does not report that it had no memory to copy the options */
    const int code = set ? avformat_write_header(file->muxer, &muxer_options) : AVERROR(ENOMEM);
    const bool no_memory = code == AVERROR(ENOMEM) || memory_has_failed();
    av_dict_free(&muxer_options);
    if (no_memory && !is_stopped(file))
        return codec_out_of_memory(file->options->file, diag);
    if (file->muxer->pb->error < 0)
        return fail_write(file, file->muxer->pb->error, diag);
    if (code >= 0 || is_stopped(file))
        return code >= 0;
    return diag_fail(
        diag, DIAG_JOB, "'%s': a %s file cannot contain %s%s%s: %s", options->file,
        choice->container->name, avcodec_get_name(choice->video->id), choice->audio ? " and " : "",
        choice->audio ? avcodec_get_name(choice->audio->id) : "", codec_error_text(code).text);
}

static bool open_sound(VideoFile *file, Arena *arena, Diag *diag)
{
    file->track = file->options->contents.sound_track;
    if (!file->choice.audio || file->track)
        return true;
    file->track =
        sound_track_create(file->choice.audio, file->options, file->choice.container, arena, diag);
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
    file->stream_fd = -1;
    file->packet = av_packet_alloc();
    if (file->packet ? open_sound(file, arena, diag) && open_muxer(file, diag) &&
                           add_streams(file, codec, diag) && write_header(file, diag) &&
                           write_cover(file, diag)
                     : codec_out_of_memory(file->options->file, diag))
        return file;
    video_file_destroy(file);
    return NULL;
}

/* ---- the end --------------------------------------------------------------------------------- */

static bool count_frames(AVFormatContext *in, AVPacket *packet, int64_t *count)
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

static bool reopen(AVFormatContext **in, VideoFile *file)
{
    parser_enter("film");
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

/* Frames without any header, which no demuxer counts: their size does. */
static bool count_raw_frames(const VideoFile *file, int64_t *count)
{
    const SinkOptions *o = file->options;
    const int size = av_image_get_buffer_size(file->choice.pixels, o->width, o->height, 1);
    struct stat st;

    if (size <= 0 || stat(file->temporary, &st) != 0 || st.st_size % size)
        return false;
    *count = st.st_size / size;
    return true;
}

/* Verifies that the written file opens as a container and has all frames. */
static bool read_back(VideoFile *file, int64_t frames, Diag *diag)
{
    AVFormatContext *in = NULL;
    int64_t count = 0;
    const bool raw = file->choice.video->id == AV_CODEC_ID_RAWVIDEO &&
                     !strcmp(file->choice.container->name, "rawvideo");

    const bool counted = raw ? count_raw_frames(file, &count)
                             : reopen(&in, file) && count_frames(in, file->packet, &count);
    avformat_close_input(&in);
    if (is_stopped(file))
        return false;
    if (!counted)
        return diag_fail(diag, DIAG_IO, "'%s' cannot be read back%s", file->options->file,
                         access(file->temporary, F_OK) ? ": its temporary file was removed" : "");
    return count == frames ||
           diag_fail(diag, DIAG_IO,
                     "'%s' has %" PRId64 " frames when read back instead of %" PRId64,
                     file->options->file, count, frames);
}

/* The last bytes can meet a full disk too: the results of flush and close are checked. */
static bool close_muxer(VideoFile *file, Diag *diag)
{
    errno = 0; /* without memory libavformat's mov muxer omits a box and reports no error */
    int code = av_write_trailer(file->muxer);

    if (code >= 0 && memory_has_failed())
        code = AVERROR(ENOMEM);
    avio_flush(file->muxer->pb);
    if (code >= 0)
        code = file->muxer->pb->error;
    const int closed = close_output(file);
    if (code >= 0)
        code = closed;
    return code >= 0 || fail_write(file, code, diag);
}

bool video_file_commit(VideoFile *file, int64_t frames, Diag *diag)
{
    if (!mux_sound(file, INT64_MAX, diag) || !close_muxer(file, diag))
        return false;
    if (file->is_stream)
        return true;
    if (!read_back(file, frames, diag) ||
        !file_rename_synced(file->temporary, file->options->file, file->options->approval, diag))
        return false;
    file->temporary[0] = '\0';
    return true;
}

void video_file_destroy(VideoFile *file)
{
    if (!file)
        return;
    if (file->track != file->options->contents.sound_track)
        sound_track_destroy(file->track);
    av_packet_free(&file->packet);
    if (file->muxer)
        close_output(file);
    avformat_free_context(file->muxer);
    if (file->stream_fd >=
        0) /* libavformat had it, or a duplicate of it, and does not close ours */
        close(file->stream_fd);
    if (file->temporary[0])
        file_calls_unlink(AT_FDCWD, file->temporary);
}
