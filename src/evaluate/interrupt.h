// SPDX-License-Identifier: MIT
/*
 * interrupt.h - ends a long evaluation, after a stop or at a time limit
 *
 * The loops of the evaluation poll it once a tick of simulation and once a model.  After a hit the
 * state of the evaluator is unspecified and only its destruction is allowed.  Limits count CPU time
 * of the thread that evaluates: a process that was stopped and continued has lost none.
 */
#pragma once

#include <signal.h>
#include <stdbool.h>

#include "base/clock.h"

typedef struct Interrupt {
    const volatile sig_atomic_t *stop; /* not 0: stop; NULL: never */
    double end_s;                      /* value of clock_thread_cpu_s at the limit; 0: no limit */
    bool hit;
} Interrupt;

static inline bool interrupt_poll(Interrupt *interrupt)
{
    if (!interrupt->hit)
        interrupt->hit = (interrupt->stop && *interrupt->stop) ||
                         (interrupt->end_s > 0 && clock_thread_cpu_s() > interrupt->end_s);
    return interrupt->hit;
}
