/* Compiled code that crashes (a C compiler may be wrong, a file may be damaged) ends nothing: the program goes back to
   the interpreter, which plays on from where the run began. */

#ifndef FCDL_GUARD_H
#define FCDL_GUARD_H

#include "frame.h"

/* From now on crashes of compiled code are caught. Called whenever there is some. */
void guard_begin(void);

/* Runs the compiled code of a game; RESULT_ELSEWHERE with the frame as it was if it crashed. */
int guarded_run(Frame *frame, int mode, int (*compiled)(Frame *, int));

/* Calls a compiled function; whether it has a value, that is, did not crash. */
int guarded_call(Frame *frame, Callee compiled, const int32_t *arguments, int32_t *value);

/* While something else than compiled code runs in the midst of it: returns what goes on afterwards. */
void *guard_pause(void);
void guard_go_on(void *paused);

#endif
