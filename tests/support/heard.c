#include "heard.h"

#include <stdio.h>

static void remember(void *user, DiagLevel level, const char *message)
{
    static const char *const words[] = {"", "warning: ", "error: "};
    Heard *heard = user;
    const int n = snprintf(heard->text + heard->used, sizeof heard->text - heard->used, "%s%s\n",
                           words[level], message);
    const size_t room = sizeof heard->text - 1 - heard->used;
    heard->used += n < 0 ? 0 : (size_t)n < room ? (size_t)n : room;
}

void heard_init(Heard *heard)
{
    heard->text[0] = '\0';
    heard->used = 0;
    diag_init(&heard->diag, remember, heard);
}
