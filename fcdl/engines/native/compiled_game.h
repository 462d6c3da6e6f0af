/* The code of a game: RUN_BEGINS, instructions I(number, nodes arrived at, name, operands), stops.h. NEXT leads to the end
   of an instruction, and in stops.h, which all share, to where the next one is looked up.

   Slots and sets lie in the frame's memory where the interpreter has them, so a game can be played on by either. */

#ifndef FCDL_COMPILED_GAME_H
#define FCDL_COMPILED_GAME_H

#include "compiled.h"

#define AT at
#define GO(target)                                                                       \
    do {                                                                                 \
        if ((target) <= at && __builtin_expect(loop_left < LONGEST, 0)) GO_BACK(target); \
        goto LABEL(target);                                                              \
    } while (0)
#define GO_IF(condition, target) \
    if (condition) GO(target)
#define GO_BACK(address) \
    do {                 \
        at = (address);  \
        goto enter;      \
    } while (0)

/* Nodes are counted, but whether there are too many is looked at only where a path forward begins: at jumps back, after
   decisions, and on entering. Where fewer are left than the LONGEST path has, the interpreter takes over, which looks at
   every one. */
#define I(number, steps, name, ...) \
    LABEL(number) : {               \
        __label__ next_instruction; \
        at = (number);              \
        loop_left -= (steps);       \
        DO_##name(__VA_ARGS__);     \
next_instruction:;                  \
    }
/* An instruction that may jump over an assignment, target = value, which nothing else leads to: whether it does is hard
   to guess in games of tricks (is this card higher?), so the processor is not made to guess. */
#define I_OVER_COPY(number, steps, over, target, value, its_steps, name, ...) \
    LABEL(number) : {                                                         \
        __label__ next_instruction, LABEL(over), known;                       \
        int32_t jumps;                                                        \
        at = (number);                                                        \
        loop_left -= (steps);                                                 \
        DO_##name(__VA_ARGS__);                                               \
next_instruction:                                                             \
        jumps = 0;                                                            \
        goto known;                                                           \
        LABEL(over) : jumps = -1;                                             \
known:                                                                        \
        __asm__("" : "+r"(jumps));                                            \
        target = (target & jumps) | (value & ~jumps);                         \
        loop_left -= (its_steps) & ~jumps;                                    \
    }
#define PATH_BEGINS \
    if (__builtin_expect(loop_left < LONGEST, 0)) goto look_up_next
#define ENTER_AT(number) \
    case number:         \
        goto LABEL(number);

/* Begins the function; its instructions follow, then stops.h. */
#define RUN_BEGINS(run, entries_of_run)                                                  \
    int run(Frame *frame, int mode) {                                                    \
        LOCALS_OF_A_PROGRAM;                                                             \
        int32_t *const t = (int32_t *)(void *)frame->memory + frame->program->constants; \
        uint32_t at = frame->at;                                                         \
        LOCALS_OF_A_RUN;                                                                 \
        (void)t;                                                                         \
        if (at >= program->game_size) return RESULT_ELSEWHERE;                           \
        loop_left += program->code[at].steps; /* counted when the game stopped here */   \
        goto enter;                                                                      \
next_instruction:                                                                        \
look_up_next:                                                                            \
        at++;                                                                            \
enter:                                                                                   \
        if (loop_left >= LONGEST) switch (at) {                                          \
                entries_of_run                                                           \
            }                                                                            \
        loop_left -= program->code[at].steps;                                            \
        if (loop_left < 0) goto step_limit;                                              \
        LEAVE(RESULT_ELSEWHERE);

#endif
