// SPDX-License-Identifier: MIT
/*
 * file_calls.h - system calls that create, rename and remove files
 *
 * A confined process may not make them.  It has a socket to a file broker (sandbox/file_broker.h),
 * a process that makes them and passes opened files back.  Without one, the calls are made here.
 * Everything that changes the file system calls these functions.
 *
 * All of them return -1 and set errno like the system calls of their names.  The socket belongs to
 * the process like its working directory: children inherit it, and can only share it while one of
 * them waits for the others.  Not thread-safe.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* directory: an open directory to which a relative path refers, or AT_FDCWD.  A file that is opened
 * for reading only is opened here; others by file_calls_open_regular. */
int file_calls_open(int directory, const char *path, int flags, mode_t mode);
int file_calls_unlink(int directory, const char *path);
int file_calls_rename(const char *from, const char *to);

/* Fails with EEXIST if the new name exists, also a name that appeared at this moment; not on file
 * systems that cannot tell (some network mounts). */
int file_calls_rename_new(const char *from, const char *to);
int file_calls_mkdir(const char *path, mode_t mode);
int file_calls_rmdir(const char *path);

/* A rename in this process; flags: RENAME_NOREPLACE or 0. */
int file_calls_rename_at(int from_directory, const char *from, int to_directory, const char *to,
                         int flags);

/*
 * Opens a regular file to write it, in this process: a link at the end of the path is not followed,
 * a FIFO not waited for (EPERM).  A file that has another name elsewhere (a hard link) is refused
 * with EMLINK, before O_TRUNC empties it: what is written to it would appear there, too.
 */
int file_calls_open_regular(int directory, const char *path, int flags, mode_t mode);

/* ---- for the broker ---- */

typedef enum FileCallKind {
    FILE_CALL_OPEN, /* answered with the file */
    FILE_CALL_UNLINK,
    FILE_CALL_RENAME,
    FILE_CALL_MKDIR,
    FILE_CALL_RMDIR,
    FILE_CALL_JOIN /* passes a socket; not answered */
} FileCallKind;

enum { FILE_CALL_PATH_SIZE = 4096 };

/* A packet; the descriptor of a directory is passed with it. */
typedef struct FileCall {
    int32_t kind, flags; /* flags: of open; RENAME_NOREPLACE or 0 of a rename */
    uint32_t mode;
    char path[FILE_CALL_PATH_SIZE], to[FILE_CALL_PATH_SIZE];
} FileCall;

/* The reaction of a process whose broker was killed. */
typedef enum FileCallsLoss {
    FILE_CALLS_EXIT, /* reports it and ends with exit status 75: the run can be resumed */
    FILE_CALLS_DIE   /* by SIGKILL, like its broker: its parent may start another one */
} FileCallsLoss;

/* From now on calls go to the broker at the other end of the socket; -1: to none. */
void file_calls_connect(int socket, FileCallsLoss loss);

/* The socket; -1: there is no broker. */
int file_calls_socket(void);

/* Instead of a descriptor that was passed: several were, or this process has too many open. */
enum { FILE_CALLS_LOST = -2 };

/* One packet, and a descriptor unless it is negative.  False if the other side has ended. */
bool file_calls_send(int socket, const void *packet, size_t size, int passed);

/* Returns the size of the packet, 0 if the other side has ended.  *passed: the descriptor, -1 if
 * there was none, or FILE_CALLS_LOST. */
size_t file_calls_receive(int socket, void *packet, size_t capacity, int *passed);
