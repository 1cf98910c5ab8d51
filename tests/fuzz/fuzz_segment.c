/* Arbitrary bytes as a segment of a video and of a digest list: rejected, or frames that are all
 * within the file. */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "output/sink.h"
#include "fuzz.h"

enum { FRAMES = 3 };

/* The size of all frames in bytes, or 0 if the file is not a valid segment. */
static uint64_t inspect(const SinkKind *kind, const char *path, size_t size)
{
    SinkRecord records[FRAMES];
    uint64_t bytes = 0;
    if (!kind->segments->inspect(records, FRAMES, path))
        return 0;
    for (int i = 0; i < FRAMES; i++) {
        fuzz_require(records[i].bytes > 0 && records[i].bytes <= size);
        bytes += records[i].bytes;
    }
    return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    const int fd = memfd_create("segment", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        exit(1);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const uint64_t lines = inspect(&sink_hash, path, size);
    fuzz_require(lines == 0 || lines == size);
    fuzz_require(inspect(&sink_ffmpeg, path, size) <= size);
    close(fd);
    return 0;
}
