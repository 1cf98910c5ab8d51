#include "render/gl/gl_threads.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

void gl_threads_open(GlThreads *threads)
{
    threads->list = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

bool gl_threads_allow_fork(const GlThreads *threads)
{
    int count = 0;
    const int copy = threads->list >= 0 ? dup(threads->list) : -1;
    DIR *directory = copy >= 0 ? fdopendir(copy) : NULL;

    if (directory == NULL)
        return false;
    rewinddir(directory);
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count == 1;
}

void gl_threads_close(GlThreads *threads)
{
    if (threads->list >= 0)
        close(threads->list);
    threads->list = -1;
}
