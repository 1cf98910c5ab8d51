#include "gl/gl_threads.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Calls `see` for each thread but the first, whose number is that of the process; returns the
 * number of these, or -1. */
static int visit_threads(int list, void (*see)(GlThreads *threads, const char *number),
                         GlThreads *threads)
{
    int count = 0;
    const int copy = list >= 0 ? dup(list) : -1;
    DIR *folder = copy >= 0 ? fdopendir(copy) : NULL;

    if (folder == NULL)
        return -1;
    rewinddir(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.' || atol(entry->d_name) == (long)getpid())
            continue;
        if (see != NULL && count < GL_MAX_THREADS)
            see(threads, entry->d_name);
        count++;
    }
    closedir(folder);
    return count;
}

static void open_stat(GlThreads *threads, const char *number)
{
    char name[64];

    snprintf(name, sizeof name, "%.32s/stat", number);
    threads->stats[threads->count++] = openat(threads->list, name, O_RDONLY | O_CLOEXEC);
}

void gl_threads_open(GlThreads *threads)
{
    *threads = (GlThreads){.list = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    visit_threads(threads->list, open_stat, threads);
}

/* "NUMBER (NAME) STATE ..." */
static bool is_sleeping_writer(int stat)
{
    char text[256] = "";
    const ssize_t size = stat >= 0 ? pread(stat, text, sizeof text - 1, 0) : -1;
    const char *end = size > 0 ? strrchr(text, ')') : NULL;
    const char *name = strstr(text, "disk$");

    return end != NULL && name != NULL && name < end && !strncmp(end, ") S", 3);
}

static bool all_sleep(const GlThreads *threads)
{
    for (int i = 0; i < threads->count; i++)
        if (!is_sleeping_writer(threads->stats[i]))
            return false;
    return true;
}

bool gl_threads_allow_fork(const GlThreads *threads)
{
    enum { ATTEMPTS = 100 };
    const struct timespec pause = {0, 1000 * 1000};

    if (visit_threads(threads->list, NULL, NULL) != threads->count)
        return false;
    for (int i = 0; i < ATTEMPTS; i++) {
        if (all_sleep(threads))
            return true;
        nanosleep(&pause, NULL);
    }
    return false;
}

void gl_threads_close(GlThreads *threads)
{
    if (threads->list >= 0)
        close(threads->list);
    for (int i = 0; i < threads->count; i++)
        if (threads->stats[i] >= 0)
            close(threads->stats[i]);
    *threads = (GlThreads){.list = -1};
}
