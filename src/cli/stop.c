// SPDX-License-Identifier: MIT
#include "cli/stop.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

volatile sig_atomic_t stop_signal, stop_status_requests;

enum { GRACE_S = 10, TIMEOUT_STATUS = 75, WATCH_MS = 250, DEADLINE_MS = 1500 };
static const double BUSY_S = 0.04; /* a process that takes more CPU time between two ticks works */
enum { TENTHS_MASK = 0x7FFFFF };   /* the bits of a sig_atomic_t above the signal number */

static int tenths_now(void)
{
    return (int)((int64_t)(clock_monotonic_s() * 10) & TENTHS_MASK);
}

static void request_stop(int number)
{
    stop_signal = (tenths_now() << 8) | number;
}

static void end_by(int number)
{
    signal(number, SIG_DFL);
    raise(number);
}

static double cpu_s(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Ends a process that still computes 1.5 s after the signal: a long evaluation or load that does
 * not poll stop_signal.  A process that waits for its children takes no CPU time. */
static void watch_stop(int number)
{
    static volatile sig_atomic_t ticks;
    static volatile double before_s;
    const double now_s = cpu_s();
    (void)number;
    ticks = ticks + 1;
    if (ticks >= DEADLINE_MS / WATCH_MS && now_s - before_s > BUSY_S)
        end_by(stop_signal & 0xFF);
    before_s = now_s;
}

/* A scheduler sends a signal both to a batch script and to its children, and the script may forward
 * it.  A second signal therefore counts only if it comes at least a second after the first. */
static void handle_signal(int number)
{
    const struct itimerval watch = {{0, WATCH_MS * 1000}, {0, WATCH_MS * 1000}};
    if (!stop_signal) {
        request_stop(number);
        signal(SIGALRM, watch_stop);
        setitimer(ITIMER_REAL, &watch, NULL);
    } else if (((tenths_now() - (stop_signal >> 8)) & TENTHS_MASK) >= 10) {
        end_by(number);
    }
}

static void handle_status_request(int number)
{
    (void)number;
    stop_status_requests = (stop_status_requests + 1) & TENTHS_MASK;
}

/* The messages of the limits, composed when they are set, for signal handlers. */
typedef struct TimeLimit {
    char text[256];
    double end_s; /* on the monotonic clock; 0 if there is no limit */
} TimeLimit;

static TimeLimit wall_limit, cpu_limit;

static void set_text(TimeLimit *limit, const char *origin, const char *subject)
{
    snprintf(limit->text, sizeof limit->text, "%.200s: %s limit exceeded", origin, subject);
}

static void write_text(const char *text)
{
    const ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

static _Noreturn void end_by_limit(void)
{
    write_text("odori: error: ");
    write_text(stop_timeout_text());
    write_text("; the run does not respond\n");
    _exit(TIMEOUT_STATUS);
}

static void handle_alarm(int number)
{
    if (!stop_signal)
        request_stop(number);
    else if (stop_timed_out())
        end_by_limit();
}

/* Sent once a second of CPU time beyond the limit. */
static void handle_cpu_limit(int number)
{
    static volatile sig_atomic_t times;
    times = times + 1;
    if (!stop_signal)
        request_stop(number);
    else if (stop_timed_out() && times >= 3)
        end_by_limit();
}

static void install(int number, void (*handler)(int), int flags)
{
    struct sigaction action, old;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigemptyset(&action.sa_mask);
    /* nohup, and a shell for its background jobs, set some signals to be ignored. */
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

void stop_install(void)
{
    install(SIGINT, handle_signal, 0);
    install(SIGTERM, handle_signal, 0);
    install(SIGHUP, handle_signal, 0);
    install(SIGUSR1, handle_status_request, SA_RESTART);
}

void stop_set_timeout(double seconds, const char *origin)
{
    const double end_s = clock_monotonic_s() + seconds;
    if (seconds <= 0 || (wall_limit.end_s > 0 && wall_limit.end_s <= end_s))
        return;
    wall_limit.end_s = end_s;
    set_text(&wall_limit, origin, "time");
    const time_t whole = (time_t)seconds;
    const suseconds_t rest = (suseconds_t)((seconds - (double)whole) * 1e6);
    const struct itimerval timer = {{GRACE_S, 0}, {whole, rest + (!whole && !rest)}};
    signal(SIGALRM, handle_alarm);
    setitimer(ITIMER_REAL, &timer, NULL);
}

void stop_clear_timeout(void)
{
    const struct itimerval none = {{0, 0}, {0, 0}};
    wall_limit.end_s = 0;
    setitimer(ITIMER_REAL, &none, NULL);
}

void stop_set_cpu_limit(double seconds, const char *origin)
{
    struct rlimit limit;
    const rlim_t whole = (rlim_t)ceil(seconds);
    if (seconds <= 0 || getrlimit(RLIMIT_CPU, &limit) != 0 ||
        (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur <= whole))
        return;
    set_text(&cpu_limit, origin, "CPU time");
    limit.rlim_cur = whole;
    signal(SIGXCPU, handle_cpu_limit);
    setrlimit(RLIMIT_CPU, &limit);
}

void stop_restart_cpu_limit(double seconds)
{
    struct rlimit limit;
    const rlim_t end = (rlim_t)ceil(cpu_s() + seconds);
    if (!*cpu_limit.text || getrlimit(RLIMIT_CPU, &limit) != 0)
        return;
    limit.rlim_cur = end < limit.rlim_max ? end : limit.rlim_max;
    setrlimit(RLIMIT_CPU, &limit);
}

bool stop_timed_out(void)
{
    const int number = stop_signal & 0xFF;
    return number == SIGALRM || number == SIGXCPU;
}

const char *stop_timeout_text(void)
{
    return (stop_signal & 0xFF) == SIGXCPU ? cpu_limit.text : wall_limit.text;
}

int stop_signal_number(void)
{
    return stop_timed_out() ? 0 : stop_signal & 0xFF;
}

void stop_reraise(void)
{
    sigset_t set;
    const int number = stop_signal_number();
    signal(number, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(number);
}
