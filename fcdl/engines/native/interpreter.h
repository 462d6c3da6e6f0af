/* Running a game, or a function of a position. */

#ifndef FCDL_INTERPRETER_H
#define FCDL_INTERPRETER_H

#include "frame.h"
#include "guard.h"

/* How to run: chance and moves are made here, not asked for; the run ends before all cards are gathered (and can go on
   from there), or at a pause (and cannot); a function is called. */
enum { RANDOM_CHANCE = 1, RANDOM_MOVES = 2, ONE_HAND = 4, ONE_PASS = 8, FUNCTION_CALL = 16 };
enum {
    RESULT_DECISION,
    RESULT_OVER,
    RESULT_CHANCE,
    RESULT_ILLEGAL,
    RESULT_HAND,
    RESULT_PASS,
    RESULT_VALUE,
    RESULT_ELSEWHERE /* compiled code that knows nothing of this place */
};

typedef int (*Runner)(Frame *, int);

/* The builds of the interpreter: for plain machines and for those with fast bit operations, for card sets of 64,
   128 and 256 bits. */
extern const Runner runners[2][3];
extern int fast_bits; /* which is used */

int machine_has_fast_bits(void);
/* Switches to fast bit operations, if they are wanted and this machine has them. */
void use_fast_bits_if(int wanted);

/* Runs on where a frame stands. */
static inline int run_on(Frame *frame, int mode) {
    const Program *program = frame->program;
    Runner compiled = __atomic_load_n(&program->compiled, __ATOMIC_ACQUIRE);
    if (compiled && !frame->events) {
        int result = guarded_run(frame, mode, compiled);
        if (result != RESULT_ELSEWHERE) return result;
    } else {
        frame->past.runs = NOTED_RUNS; /* this one is not noted */
    }
    return runners[fast_bits][program->width](frame, mode);
}

#endif
