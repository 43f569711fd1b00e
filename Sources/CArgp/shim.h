// argp, the GNU C library's option parser, which Swift's own C module leaves out.

#ifndef CARGP_SHIM_H
#define CARGP_SHIM_H

#include <argp.h>

// Swift calls no variadic functions.
static inline void cargp_error(const struct argp_state *state, const char *message) {
  argp_error(state, "%s", message);
}

#endif
