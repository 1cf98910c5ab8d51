/*
 * video_file.h - packets to one file of video, and sound between them
 *
 * Written beside its place, closed, read back (opened as a container, its pictures counted), synced
 * and renamed.  The packets of pictures come in the order of decoding; those of the sound are made
 * here, from SinkOptions.sound, as the pictures pass.  Only one packet at a time is held, besides
 * what the muxer keeps to interleave the two. Errors: DIAG_CREATE, DIAG_IO, DIAG_JOB (the container
 * does not take the codecs), DIAG_RESOURCE.
 */
#ifndef OUTPUT_VIDEO_FILE_H
#define OUTPUT_VIDEO_FILE_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "output/codec.h"
#include "output/sink.h"

typedef struct VideoFile VideoFile;

/*
 * choice   its container is the file's, its video codec `codec`'s; audio NULL: no sound
 * codec    the encoder, opened; only what it says of the stream is taken
 * options  file, sound, tags; must outlive the VideoFile
 * stop     when not 0, whatever is at work here ends soon, with false and no error; NULL: never
 */
VideoFile *video_file_create(const CodecChoice *choice, const AVCodecContext *codec,
                             const SinkOptions *options, const volatile sig_atomic_t *stop,
                             Arena *arena, Diag *diag);

/* Takes the packet's content; its time stamps count pictures. */
bool video_file_write(VideoFile *file, AVPacket *packet, Diag *diag);

/* The rest of the sound, the end, and the name; `pictures` were written. */
bool video_file_commit(VideoFile *file, int64_t pictures, Diag *diag);

/* Takes away what is not committed.  NULL is fine. */
void video_file_destroy(VideoFile *file);

#endif
