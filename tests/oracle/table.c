// SPDX-License-Identifier: MIT
#include "table.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return left < right ? -1 : left > right;
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_value);
    return values[count / 2];
}

Statistics errors_statistics(const Errors *errors, Arena *arena)
{
    Statistics s = {.worst = errors->items[0]};
    double *units = arena_array(arena, double, errors->count);
    double *degrees = arena_array(arena, double, errors->count);
    for (size_t i = 0; i < errors->count; i++) {
        const Sample *e = &errors->items[i];
        units[i] = e->units;
        degrees[i] = e->degrees;
        if (e->units > s.worst.units || (s.units == 0 && e->degrees > s.worst.degrees))
            s.worst = *e;
        s.units = e->units > s.units ? e->units : s.units;
        s.degrees = e->degrees > s.degrees ? e->degrees : s.degrees;
    }
    s.median_units = median(units, errors->count);
    s.median_degrees = median(degrees, errors->count);
    return s;
}

void table_title(const char *title)
{
    printf("\n%s\n%-32s %-22s %8s  %9s %9s %8s  %9s %9s %9s  %s\n", title, "case", "quantity",
           "values", "max", "median", "allowed", "max deg", "med deg", "allowed", "");
}

static bool within(const Statistics *s, Tolerance t)
{
    return (t.units == 0 || s->units <= t.units) && (t.degrees == 0 || s->degrees <= t.degrees) &&
           (t.median_degrees == 0 || s->median_degrees <= t.median_degrees);
}

static void write_degrees(const Statistics *s, Tolerance t)
{
    if (s->degrees == 0 && t.degrees == 0) {
        printf("  %9s %9s %9s", "", "", "");
        return;
    }
    printf("  %9.2e %9.2e ", s->degrees, s->median_degrees);
    if (t.median_degrees != 0)
        printf("%4.2g/%-4.2g", t.degrees, t.median_degrees);
    else
        printf("%9.0e", t.degrees);
}

void table_row(Table *table, const char *what, const char *quantity, const Errors *errors,
               Tolerance tolerance, const char *exception)
{
    if (!errors->count)
        return;
    const Statistics s = errors_statistics(errors, table->arena);
    const bool good = within(&s, tolerance);
    printf("%-32s %-22s %8zu  %9.2e %9.2e %8.0e", what, quantity, errors->count, s.units,
           s.median_units, tolerance.units);
    write_degrees(&s, tolerance);
    if (good) {
        printf("  pass\n");
        table->passed++;
    } else if (exception) {
        printf("  except: %s\n", exception);
        table->excepted++;
    } else {
        printf("  FAIL at frame %g, %zu\n", s.worst.frame, s.worst.index);
        table->failed++;
    }
}
