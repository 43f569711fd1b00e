// The settings of the GNU C library's allocator, which Swift's own C module leaves out.

#ifndef CMALLOC_SHIM_H
#define CMALLOC_SHIM_H

#include <malloc.h>

#endif
