// What a build says of itself.

#ifndef CBUILD_SHIM_H
#define CBUILD_SHIM_H

#include <stddef.h>

// In an object that tools/release links. Weak: no other build has it, so that none is compiled again for
// each commit.
extern const char *ballmachine_commit(void) __attribute__((weak));

// The commit that the program was built from, or NULL where the build doesn't say.
static inline const char *cbuild_commit(void) {
  return ballmachine_commit ? ballmachine_commit() : NULL;
}

#endif
