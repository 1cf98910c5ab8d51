/*
 * option_value_schema.h - the JSON Schema of a value: what it accepts besides its type
 */
#ifndef JOB_HELP_OPTION_VALUE_SCHEMA_H
#define JOB_HELP_OPTION_VALUE_SCHEMA_H

#include "base/json.h"
#include "job/options.h"

/* Writes the keywords for range, choices, items and length into the open object of the option,
 * which must not be a section, an optional section or a list of maps. */
void option_value_schema(Json *json, const Option *option);

#endif
