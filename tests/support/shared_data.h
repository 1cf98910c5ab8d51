/*
 * shared_data.h - real models and motions, which are not part of the repository
 *
 * They are looked for in ../shared/data/ from the repository's top, or where ODORI_TEST_DATA says.
 */
#ifndef SUPPORT_SHARED_DATA_H
#define SUPPORT_SHARED_DATA_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/file.h"

/* The folder with its slash. */
const char *shared_data_folder(void);

/* One file of it.  When it is absent: false, after a line on stderr; the test then calls skip(). */
bool shared_data_load(Bytes *out, const char *name, Arena *arena);

#endif
