// SPDX-License-Identifier: MIT
/* Arbitrary bytes as a segment of a video and of a digest list: rejected, or frames of which each
 * is within the file.  Those of a damaged video may overlap, since its demuxer searches for the
 * next frame; only their digests tell whether it is the segment that was written. */
#include "fuzz.h"
#include "fuzz_memory_file.h"
#include "output/sink.h"

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
    MemoryFile file;
    memory_file_open(&file, data, size);
    const uint64_t lines = inspect(&sink_hash, file.path, size);
    fuzz_require(lines == 0 || lines == size);
    inspect(&sink_ffmpeg, file.path, size);
    memory_file_close(&file);
    return 0;
}
