// libedit, the BSD line editor, through its readline interface.

#ifndef CEDIT_SHIM_H
#define CEDIT_SHIM_H

#include <stdio.h>
#include <stdlib.h>
#include <editline/readline.h>

// Swift 6 allows no access to C's global variables.

/// The only function that completes words: no file names are completed.
static inline void cedit_complete_with(rl_completion_func_t *function) {
  rl_attempted_completion_function = function;
}

/// To be called by that function: libedit has no better idea.
static inline void cedit_completion_is_over(void) { rl_attempted_completion_over = 1; }

/// What reads a byte, and a key that calls a function.
static inline void cedit_read_with(int (*read)(FILE *), int key, rl_command_func_t *function) {
  rl_getc_function = read;
  rl_initialize();
  rl_add_defun("ballmachine-interrupt", function, key);
}

/// In such a function: how long the line is, and that there are no more lines.
static inline int cedit_length(void) { return rl_end; }
static inline void cedit_finish(void) { rl_done = 1; }

/// The line up to the cursor is the first so many bytes.
static inline const char *cedit_line(void) { return rl_line_buffer; }

#endif
