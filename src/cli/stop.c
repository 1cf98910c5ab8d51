#include "cli/stop.h"

#include <stdint.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/clock.h"

volatile sig_atomic_t stop_signal, stop_status_asked;

enum { LATE_S = 10, LATE_STATUS = 75 };
enum { TENTHS = 0x7FFFFF }; /* room beside the signal's number */

static int tenths_now(void)
{
    return (int)((int64_t)(clock_monotonic_s() * 10) & TENTHS);
}

/* A scheduler sends the same signal to a script and to us, and the script hands it on: so a second
 * one counts only after a second. */
static void take_signal(int number)
{
    const int now = tenths_now();
    if (!stop_signal) {
        stop_signal = (now << 8) | number;
    } else if (((now - (stop_signal >> 8)) & TENTHS) >= 10) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

static void take_question(int number)
{
    (void)number;
    stop_status_asked = (stop_status_asked + 1) & TENTHS;
}

static void take_alarm(int number)
{
    static const char text[] =
        "odori: error: limits.total_timeout_s: the time is over, and the run hangs\n";
    if (!stop_signal) {
        stop_signal = (tenths_now() << 8) | number;
    } else if (stop_timed_out()) {
        const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
        (void)written;
        _exit(LATE_STATUS);
    }
}

static void install(int number, void (*handler)(int), int flags)
{
    struct sigaction action, old;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigemptyset(&action.sa_mask);
    /* nohup and background jobs of a shell ignore some: that stays */
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

void stop_install(void)
{
    install(SIGINT, take_signal, 0);
    install(SIGTERM, take_signal, 0);
    install(SIGHUP, take_signal, 0);
    install(SIGUSR1, take_question, SA_RESTART);
}

void stop_after(double seconds)
{
    if (seconds <= 0)
        return;
    const time_t whole = (time_t)seconds;
    const suseconds_t rest = (suseconds_t)((seconds - (double)whole) * 1e6);
    const struct itimerval timer = {{LATE_S, 0}, {whole, rest + (!whole && !rest)}};
    signal(SIGALRM, take_alarm);
    setitimer(ITIMER_REAL, &timer, NULL);
}

bool stop_timed_out(void)
{
    return (stop_signal & 0xFF) == SIGALRM;
}

int stop_number(void)
{
    return stop_timed_out() ? 0 : stop_signal & 0xFF;
}

void stop_raise(void)
{
    sigset_t set;
    const int number = stop_number();
    signal(number, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(number);
}
