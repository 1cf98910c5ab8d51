/* Any bytes as a piece of a film, and of digests: no piece, or pictures whose bytes are all in the
 * file. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "output/sink.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PICTURES = 3 };

/* Returns all bytes of all pictures; 0: it is no piece. */
static uint64_t inspect(const SinkKind *kind, const char *path, size_t size)
{
    SinkRecord records[PICTURES];
    uint64_t bytes = 0;
    if (!kind->pieces->inspect(records, PICTURES, path))
        return 0;
    for (int i = 0; i < PICTURES; i++) {
        if (records[i].bytes == 0 || records[i].bytes > size)
            abort();
        bytes += records[i].bytes;
    }
    return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    const int fd = memfd_create("piece", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        exit(1);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const uint64_t lines = inspect(&sink_hash, path, size);
    if (lines != 0 && lines != size)
        abort();
    if (inspect(&sink_ffmpeg, path, size) > size)
        abort();
    close(fd);
    return 0;
}
