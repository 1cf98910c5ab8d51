/* Arbitrary bytes as a video file: an error message, or frames at several times. */
#include "media/video_source.h"

#include "fuzz.h"
#include "fuzz_memory_file.h"

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
    memory_file_close(&file);
    return 0;
}
