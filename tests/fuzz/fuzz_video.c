// SPDX-License-Identifier: MIT
/* Arbitrary bytes as a video file: an error message, or frames at several times, and all in turn.
 */
#include "media/video_source.h"

#include <math.h>

#include "fuzz.h"
#include "fuzz_memory_file.h"
#include "media/video_reader.h"

enum { WIDTH = 12, HEIGHT = 10 };

static void read_frames(VideoSource *source)
{
    static const double times[] = {0, 0.04, 0.1, 5, 0.02, -1, 1e6};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        Diag diag = fuzz_diag();
        const Image *image;
        const bool read = video_source_read(&image, source, times[i], &diag);
        fuzz_require(read == (diag.errors == 0));
        fuzz_require(!read || (image->width == WIDTH && image->height == HEIGHT && image->pixels));
        if (!read)
            break;
    }
}

static void read_all(VideoReader *reader)
{
    enum { MAX_FRAMES = 100 };
    Diag diag = fuzz_diag();
    const Image *image = NULL;
    bool more = true;
    int64_t frames = 0;
    for (bool ok = true; ok && more && frames < MAX_FRAMES; frames += ok && more) {
        ok = frames % 2 ? video_reader_advance(&more, reader, &diag)
                        : video_reader_read(&image, reader, &diag);
        more = frames % 2 ? more : image != NULL;
        fuzz_require(ok == (diag.errors == 0));
    }
    const VideoInfo info = video_reader_info(reader);
    fuzz_require(info.frames >= frames && isfinite(info.fps) && isfinite(info.video_s));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Diag diag = fuzz_diag();
    MemoryFile file;
    memory_file_open(&file, data, size);
    const VideoSourceSpec spec = {file.path, WIDTH, HEIGHT, IMAGE_CONTAIN, size % 2 != 0};
    VideoSource *source = video_source_open(&spec, &diag);
    fuzz_require((source != NULL) == (diag.errors == 0));
    if (source)
        read_frames(source);
    video_source_close(source);
    diag = fuzz_diag();
    VideoReader *reader = video_reader_open(file.path, 1, &diag);
    fuzz_require((reader != NULL) == (diag.errors == 0));
    if (reader)
        read_all(reader);
    video_reader_close(reader);
    memory_file_close(&file);
    return 0;
}
