/*
 * file.h - whole files in, whole files out
 *
 * A file under its final name is whole: file_write_* writes `.NAME.PID.tmp` in the same folder,
 * syncs, renames and syncs the folder; on any error the temporary is removed.  EINTR and short
 * writes are dealt with.  Errors go to the Diag: DIAG_MISSING (not there), DIAG_CREATE (cannot
 * create), DIAG_IO (disk full; read, write, sync, close or rename failed).
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/hash.h"

typedef struct Bytes {
    const uint8_t *data;
    size_t size;
} Bytes;

enum { FILE_MAX_SIZE = 1 << 30 }; /* default limit of an asset: 1 GiB */

/* Which kind of problem an errno is: DIAG_IO or DIAG_RESOURCE for what may pass (a full disk, a bad
 * read, too many open files), else `otherwise`. */
DiagKind file_problem(int error, DiagKind otherwise);

/* Reads a regular file of at most `limit` bytes into the arena. */
bool file_load(Bytes *out, const char *path, size_t limit, Arena *arena, Diag *diag);

/* SHA-256 and size of a regular file, however large.  Polls *stop (NULL: nothing to poll): false
 * without an error then. */
bool file_digest(Digest *digest, uint64_t *bytes, const char *path,
                 const volatile sig_atomic_t *stop, Diag *diag);

/* A file being written beside its target. */
typedef struct FileOut {
    int fd;
    char path[4096];      /* final name */
    char temporary[4096]; /* where the bytes go until file_out_commit */
} FileOut;

bool file_out_open(FileOut *out, const char *path, Diag *diag); /* makes missing folders */
bool file_out_write(FileOut *out, const void *data, size_t size, Diag *diag);
bool file_out_commit(FileOut *out,
                     Diag *diag);  /* sync, close, rename; removes the temporary on error */
void file_out_abort(FileOut *out); /* removes the temporary; fine after commit */

/* open, write, commit */
bool file_save(const char *path, const void *data, size_t size, Diag *diag);

/* Syncs and renames a temporary that somebody else wrote and closed (a muxer). */
bool file_rename_synced(const char *temporary, const char *path, Diag *diag);

/* The name beside `path` to write to: ".NAME.PID.tmp" in the same folder.  False when too long. */
bool file_temporary_name(char *out, size_t size, const char *path);

/* Removes what a process of ours, now gone, left beside `path`.  A '%' in its name and what follows
 * it stand for anything. */
void file_remove_temporaries(const char *path, long pid);

/* As opendir, but without memory the process ends (base/memory.h): NULL means that the folder
 * cannot be read, never that it only seems to be empty. */
DIR *file_open_folder(const char *path);

/* mkdir -p of the folder that holds `path`; refuses a `path` that is a folder itself. */
bool file_make_parent_dirs(const char *path, Diag *diag);

#endif
