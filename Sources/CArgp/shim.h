// argp, the GNU C library's option parser, which Swift's own C module leaves out.

#ifndef CARGP_SHIM_H
#define CARGP_SHIM_H

#include <argp.h>

#endif
