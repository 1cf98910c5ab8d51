#include "media/audio/blep.h"

#include <math.h>

#include "base/units.h"

/* Cutoff in cycles per sample.  A window of this length and shape has a transition of 0.09. */
static const double CUTOFF = 0.455, SHAPE = 9.0;

/* Modified Bessel function of order 0, by its series. */
static double bessel_i0(double x)
{
    double sum = 1.0, term = 1.0;
    for (int k = 1; term > 1e-17 * sum; k++) {
        term *= x * x / (4.0 * k * k);
        sum += term;
    }
    return sum;
}

/* Impulse response, up to a factor. */
static double response(double t)
{
    const double x = t / BLEP_REACH, a = 2.0 * PI * CUTOFF * t;
    const double sinc = fabs(a) < 1e-9 ? 1.0 : sin(a) / a;
    return fabs(x) < 1.0 ? sinc * bessel_i0(SHAPE * sqrt(1.0 - x * x)) : sinc;
}

/* The step response is the integral of the impulse response, by Simpson's rule. */
const BlepTable *blep_table_init(Arena *arena)
{
    enum { COUNT = BLEP_TAPS * BLEP_PHASES };
    const double width = 1.0 / BLEP_PHASES;
    Arena *scratch = arena_create();
    double *step = arena_array(scratch, double, COUNT + 1);
    BlepTable *table = arena_array(arena, BlepTable, 1);

    double left = response(-BLEP_REACH);
    for (int i = 0; i < COUNT; i++) {
        const double t = -BLEP_REACH + i * width;
        const double right = response(t + width);
        step[i + 1] = step[i] + width / 6.0 * (left + 4.0 * response(t + 0.5 * width) + right);
        left = right;
    }
    for (int phase = 0; phase <= BLEP_PHASES; phase++)
        for (int tap = 0; tap < BLEP_TAPS; tap++) {
            const double value = step[tap * BLEP_PHASES + phase] / step[COUNT];
            table->residual[phase][tap] = (float)(tap < BLEP_REACH ? value : value - 1.0);
        }
    arena_destroy(scratch);
    return table;
}

/* Adds the residual of a step by `height` at `time`. */
static void add_residual(BlepWriter *w, double time, double height)
{
    const double first = ceil(time), position = (first - time) * BLEP_PHASES;
    const size_t phase = position < BLEP_PHASES - 1 ? (size_t)position : BLEP_PHASES - 1;
    const double blend = position - (double)phase;
    const float *a = w->table->residual[phase], *b = w->table->residual[phase + 1];
    const double begin = first - BLEP_REACH;

    for (int tap = 0; tap < BLEP_TAPS; tap++) {
        const double i = begin + tap;
        if (i >= 0.0 && i < (double)w->frames)
            w->samples[(size_t)i] +=
                (float)(height * ((double)a[tap] + blend * ((double)b[tap] - (double)a[tap])));
    }
}

void blep_step(BlepWriter *w, double time, double level)
{
    if (!(time > w->at))
        time = w->at;
    const double end = fmin(ceil(time), (double)w->frames);
    if (w->level != 0.0)
        for (double i = ceil(w->at); i < end; i++)
            w->samples[(size_t)i] += (float)w->level;
    if (level != w->level)
        add_residual(w, time, level - w->level);
    w->at = time;
    w->level = level;
}
