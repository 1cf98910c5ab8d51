// SPDX-License-Identifier: MIT
#include "scene/motion_share.h"

#include <inttypes.h>
#include <math.h>

static uint32_t sum(const uint32_t counts[TRACK_KINDS])
{
    uint32_t total = 0;
    for (int kind = 0; kind < TRACK_KINDS; kind++)
        total += counts[kind];
    return total;
}

/* "96 bones, 29 morphs and 1 switch of IK or visibility"; "" without any */
static const char *counts_text(const uint32_t counts[TRACK_KINDS], Arena *arena)
{
    static const char *const names[TRACK_KINDS][2] = {
        {"bone", "bones"},
        {"morph", "morphs"},
        {"switch of IK or visibility", "switches of IK or visibility"}};
    const char *text = "";
    int left = 0;
    for (int kind = 0; kind < TRACK_KINDS; kind++)
        left += counts[kind] > 0;
    for (int kind = 0; kind < TRACK_KINDS; kind++)
        if (counts[kind])
            text = arena_printf(arena, "%s%" PRIu32 " %s%s", text, counts[kind],
                                names[kind][counts[kind] > 1],
                                --left > 1 ? ", "
                                : left     ? " and "
                                           : "");
    return text;
}

/* "a.vmd", "a.vmd and b.vmd" or "a.vmd and 3 more files" */
static const char *names_text(const NameList *names, Arena *arena)
{
    return names->count == 1 ? names->items[0]
           : names->count == 2
               ? arena_printf(arena, "%s and %s", names->items[0], names->items[1])
               : arena_printf(arena, "%s and %zu more files", names->items[0], names->count - 1);
}

/* text; subject verb: with the verb for one or for several */
static const char *add(const char *text, const uint32_t counts[TRACK_KINDS], const char *one,
                       const char *several, Arena *arena)
{
    const uint32_t total = sum(counts);
    return !total ? text
                  : arena_printf(arena, "%s%s%s %s", text, *text ? "; " : "",
                                 counts_text(counts, arena), total == 1 ? one : several);
}

const char *motion_share_text(const MotionShare *share, Arena *arena)
{
    const char *at =
        isnan(share->single_at) ? "" : arena_printf(arena, " at frame %.6g", share->single_at);
    const char *text = add("", share->moving.of, "moves", "move", arena);
    if (sum(share->moved_before.of))
        text = arena_printf(arena, "%s (%" PRIu32 " of them in %s, too)", text,
                            sum(share->moved_before.of), names_text(&share->moved_in, arena));
    const char *one_key = arena_printf(arena, "one key%s", at);
    if (sum(share->replacing.of)) {
        const char *replaces = arena_printf(arena, "%s, which replaces that of %s", one_key,
                                            names_text(&share->replaced, arena));
        text = add(text, share->replacing.of, arena_printf(arena, "has %s", replaces),
                   arena_printf(arena, "have %s", replaces), arena);
    }
    text = add(text, share->single.of, arena_printf(arena, "has %s", one_key),
               arena_printf(arena, "have %s", one_key), arena);
    text = add(text, share->constant.of, "keeps one value", "keep one value", arena);
    if (sum(share->overriding.of))
        text =
            add(text, share->overriding.of,
                arena_printf(arena, "overrides that of %s", names_text(&share->overridden, arena)),
                arena_printf(arena, "override those of %s", names_text(&share->overridden, arena)),
                arena);
    return *text ? text : "nothing moves";
}
