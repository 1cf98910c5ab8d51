// SPDX-License-Identifier: MIT
#include "format/motion/takes.h"

#include <string.h>

#include "base/text.h"

int32_t takes_choose(const Takes *takes, const char *wanted, Arena *arena, Diag *diag)
{
    uint32_t i = 0;
    while (i < takes->count && !(wanted ? !strcmp(takes->names[i], wanted) : takes->moves[i]))
        i++;
    if (i < takes->count && takes->moves[i])
        return (int32_t)i;
    const TextNames names = {takes->names, takes->count, sizeof(char *), 0};
    if (!takes->count)
        diag_error(diag, "the file has no take: there is no motion");
    else if (!wanted)
        diag_error(diag, "no curve of its takes moves a joint: there is no motion");
    else if (i < takes->count)
        diag_error(diag, "no curve of take '%s' moves a joint", wanted);
    else
        diag_error(diag, "no take '%s'%s", wanted, text_suggestion(wanted, names, arena));
    return -1;
}
