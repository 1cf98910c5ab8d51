// SPDX-License-Identifier: MIT
#include "base/parser_entry.h"

void parser_enter(const char *parser)
{
    (void)parser;
}
