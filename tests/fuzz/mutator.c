// SPDX-License-Identifier: MIT
/*
 * mutator - the mutations of mutate.h for libFuzzer
 *
 * Linked with the fuzz targets only.  The format is in the name of the program, fuzz_<format>.
 */
#include <string.h>

#include "base/path.h"
#include "mutate.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static const char *format = "";

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *name = path_name((*argv)[0]);
    (void)argc;
    format = strncmp(name, "fuzz_", 5) ? name : name + 5;
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    Random random = {seed};
    Buffer buffer = {data, size, max_size};
    if (random_below(&random, 5) == 0 || !mutate(&buffer, format, &random))
        return LLVMFuzzerMutate(data, size, max_size);
    return buffer.size;
}
