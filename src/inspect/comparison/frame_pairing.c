#include "inspect/comparison/frame_pairing.h"

#include <inttypes.h>

FramePairing frame_pairing_init(FrameSource *a, FrameSource *b, const volatile sig_atomic_t *stop)
{
    return (FramePairing){
        .source_a = a, .source_b = b, .stop = stop, .next_a = true, .next_b = true};
}

/* Which of both frames are read next: those of the smaller number, or both. */
static void advance(FramePairing *p)
{
    const bool numbered =
        frame_source_is_numbered(p->source_a) && frame_source_is_numbered(p->source_b);
    p->next_a = p->a && (!p->b || !numbered || p->a->number <= p->b->number);
    p->next_b = p->b && (!p->a || !numbered || p->b->number <= p->a->number);
    p->only_a += p->next_a && !p->next_b;
    p->only_b += p->next_b && !p->next_a;
}

bool frame_pairing_next(FramePairing *p, Diag *diag)
{
    do {
        if ((p->next_a && !frame_source_next(&p->a, p->source_a, diag)) ||
            (p->next_b && !frame_source_next(&p->b, p->source_b, diag)) || (p->stop && *p->stop))
            return false;
        advance(p);
    } while (p->next_a != p->next_b);
    return true;
}

const char *frame_pairing_describe(int64_t only_a, int64_t only_b, Arena *arena)
{
    if (!only_a && !only_b)
        return "";
    return arena_printf(arena,
                        "%" PRId64 " frames only in the first, %" PRId64 " only in the second; ",
                        only_a, only_b);
}
