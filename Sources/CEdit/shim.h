// libedit, the BSD line editor, through its readline interface.

#ifndef CEDIT_SHIM_H
#define CEDIT_SHIM_H

#include <stdio.h>
#include <stdlib.h>
#include <editline/readline.h>

// Swift lets nobody touch C's global variables.

/// What completes words, and nothing else does: no names of files.
static inline void cedit_complete_with(rl_completion_func_t *function) {
  rl_attempted_completion_function = function;
}

/// To be called by that function: libedit has no better idea.
static inline void cedit_completion_is_over(void) { rl_attempted_completion_over = 1; }

/// The line up to the cursor is the first so many bytes.
static inline const char *cedit_line(void) { return rl_line_buffer; }

#endif
