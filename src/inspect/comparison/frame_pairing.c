#include "inspect/comparison/frame_pairing.h"

FramePairing frame_pairing_init(FrameSource *a, FrameSource *b, const volatile sig_atomic_t *stop)
{
    return (FramePairing){
        .source_a = a, .source_b = b, .stop = stop, .next_a = true, .next_b = true};
}

bool frame_pairing_next(FramePairing *p, Diag *diag)
{
    const bool numbered =
        frame_source_is_numbered(p->source_a) && frame_source_is_numbered(p->source_b);
    do {
        if ((p->next_a && !frame_source_next(&p->a, p->source_a, diag)) ||
            (p->next_b && !frame_source_next(&p->b, p->source_b, diag)) || (p->stop && *p->stop))
            return false;
        /* The frames of the smaller number are read next, or both. */
        p->next_a = p->a && (!p->b || !numbered || p->a->number <= p->b->number);
        p->next_b = p->b && (!p->a || !numbered || p->b->number <= p->a->number);
        p->only_a += p->next_a && !p->next_b;
        p->only_b += p->next_b && !p->next_a;
    } while (p->next_a != p->next_b);
    return true;
}
