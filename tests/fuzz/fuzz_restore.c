// SPDX-License-Identifier: MIT
/* Arbitrary bytes as a finished film whose packets become segments again: segments with exactly the
 * packets of the ledger, or none.  The ledger has those of the file, some of them with start codes
 * in place of the lengths of their units, as H.264 has them in segments. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "fuzz_memory_file.h"
#include "media/libav.h"
#include "output/sink.h"
#include "output/video_restore.h"

enum { FRAMES = 2, PARTS = 2 };

/* In place, each length of four bytes becomes a start code. */
static void write_start_codes(uint8_t *data, size_t size)
{
    for (size_t at = 0; size - at >= 4;) {
        const size_t length = (size_t)data[at] << 24 | (size_t)data[at + 1] << 16 |
                              (size_t)data[at + 2] << 8 | data[at + 3];
        memcpy(data + at, "\0\0\0\1", 4);
        at += 4;
        at += length < size - at ? length : size - at;
    }
}

static void make_records(SinkRecord *records, const char *file, bool start_codes)
{
    char url[80];
    AVFormatContext *in = NULL;
    AVPacket *packet = av_packet_alloc();
    memset(records, 0, PARTS * FRAMES * sizeof *records);
    snprintf(url, sizeof url, "file:%s", file);
    av_log_set_level(AV_LOG_QUIET);
    if (packet && avformat_open_input(&in, url, NULL, NULL) >= 0)
        for (size_t i = 0; i < PARTS * FRAMES && av_read_frame(in, packet) >= 0; i++) {
            if (start_codes && i % 2 && av_packet_make_writable(packet) >= 0)
                write_start_codes(packet->data, (size_t)packet->size);
            records[i] = (SinkRecord){(uint64_t)packet->size,
                                      hash_bytes(packet->data, (size_t)packet->size)};
            av_packet_unref(packet);
        }
    avformat_close_input(&in);
    av_packet_free(&packet);
}

static void restore(const char *file, const SinkOptions *kind, bool start_codes)
{
    char directory[] = "/tmp/odori-fuzz-XXXXXX", segment[PARTS][64];
    SinkRecord records[PARTS * FRAMES];
    SinkPart parts[PARTS];
    static volatile sig_atomic_t stop;
    SinkOptions options = *kind;
    Diag diag = fuzz_diag();
    fuzz_require(mkdtemp(directory) != NULL);
    make_records(records, file, start_codes);
    for (size_t i = 0; i < PARTS; i++) {
        snprintf(segment[i], sizeof segment[i], "%s/%zu.nut", directory, i);
        parts[i] = (SinkPart){segment[i], (int64_t)i * FRAMES, FRAMES, records + i * FRAMES};
    }
    options.file = file;
    fuzz_require(video_restore(&options, parts, PARTS, &stop, &diag) == (diag.errors == 0));
    for (size_t i = 0; i < PARTS; i++) {
        SinkRecord read[FRAMES];
        if (access(segment[i], F_OK) != 0)
            continue;
        fuzz_require(sink_ffmpeg.segments->inspect(read, FRAMES, segment[i]));
        for (size_t k = 0; k < FRAMES; k++)
            fuzz_require(read[k].bytes == records[i * FRAMES + k].bytes &&
                         digest_equal(&read[k].digest, &records[i * FRAMES + k].digest));
        unlink(segment[i]);
    }
    fuzz_require(rmdir(directory) == 0); /* no temporary file is left */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const SinkOptions options = {.format = size % 2 ? "mkv" : "mp4",
                                 .width = 16,
                                 .height = 16,
                                 .fps_num = 30,
                                 .fps_den = 1,
                                 .frame_count = (int64_t)PARTS * FRAMES};
    MemoryFile file;
    memory_file_open(&file, data, size);
    restore(file.path, &options, size / 2 % 2);
    memory_file_close(&file);
    return 0;
}
