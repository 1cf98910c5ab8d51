#include "run/workers/worker_death.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/process_memory.h"

static bool report_shortage(const WorkerPoolSpec *spec, const char *subject, Diag *diag)
{
    char limit[96] = "";
    if (spec->memory_mib)
        snprintf(limit, sizeof limit, "; %.60s is %" PRId64, spec->memory_origin, spec->memory_mib);
    if (process_memory_limit())
        return diag_fail(diag, DIAG_RESOURCE,
                         "%s ran out of memory, at a limit of %" PRId64 " MiB%s", subject,
                         process_memory_limit(), limit);
    return diag_fail(diag, DIAG_RESOURCE, "%s ran out of memory%s", subject, limit);
}

bool worker_report_death(const WorkerPoolSpec *spec, int64_t kills, const char *subject, int status,
                         Diag *diag)
{
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && process_memory_oom_kills() > kills)
        return diag_fail(diag, DIAG_RESOURCE, "%s was killed by the system for lack of memory",
                         subject);
    if (WIFSIGNALED(status))
        return diag_fail(diag, DIAG_INTERNAL, "%s was killed by signal %d (%s)", subject,
                         WTERMSIG(status), strsignal(WTERMSIG(status)));
    if (WEXITSTATUS(status) == MEMORY_EXIT)
        return report_shortage(spec, subject, diag);
    return diag_fail(diag, DIAG_INTERNAL, "%s ended with status %d", subject, WEXITSTATUS(status));
}

/* Whether a child has ended; *pid becomes 0 then. */
static bool has_ended(pid_t *pid)
{
    const pid_t rc = *pid > 0 ? waitpid(*pid, NULL, WNOHANG) : 0;
    if (rc > 0 || (rc < 0 && errno == ECHILD))
        *pid = 0;
    return *pid == 0;
}

void worker_wait_until_ended(double end_s, pid_t *pids, int count)
{
    const struct timespec pause = {0, 5 * 1000 * 1000};
    for (int i = 0; i < count; i++)
        while (!has_ended(&pids[i]) && clock_monotonic_s() < end_s)
            nanosleep(&pause, NULL);
}
