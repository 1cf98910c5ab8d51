#include "cli/stop.h"

#include <string.h>
#include <time.h>

volatile sig_atomic_t stop_signal;

enum { TENTHS = 0x7FFFFF }; /* room beside the signal's number */

static int tenths_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int)((t.tv_sec * 10 + t.tv_nsec / 100000000) & TENTHS);
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

void stop_install(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction action, old;
        memset(&action, 0, sizeof action);
        action.sa_handler = take_signal;
        sigemptyset(&action.sa_mask);
        /* nohup and background jobs of a shell ignore some: that stays */
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
}

int stop_number(void)
{
    return stop_signal & 0xFF;
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
