// jansson, the JSON parser that takes UTF-8 alone, at a cost that grows with the text's length.

#ifndef CJANSSON_SHIM_H
#define CJANSSON_SHIM_H

#include <jansson.h>

// C lets the enumeration and the function have one name, Swift doesn't.
static inline enum json_error_code jansson_code(const json_error_t *error) {
  return json_error_code(error);
}

#endif
