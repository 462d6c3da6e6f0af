/* The code of the functions of a program: FUNCTION_BEGINS, locals that are its temporaries, instructions F(number, name,
   operands), FUNCTION_ENDS. It reads the position where the interpreter has it. */

#ifndef FCDL_COMPILED_FUNCTIONS_H
#define FCDL_COMPILED_FUNCTIONS_H

#include "compiled.h"

#define GO(target) goto LABEL(target)
#define GO_IF(condition, target) \
    if (condition) GO(target)

#define F(number, name, ...)        \
    LABEL(number) : {               \
        __label__ next_instruction; \
        DO_##name(__VA_ARGS__);     \
next_instruction:;                  \
    }
#define FUNCTION_BEGINS(function)                                 \
    static int32_t function(Frame *frame, const int32_t *given) { \
        LOCALS_OF_A_PROGRAM;                                      \
        int result;                                               \
        (void)given, (void)result, (void)v, (void)m, (void)next, (void)back;
/* A function that runs out of fuel has no value: the caller looks. */
#define FUNCTION_ENDS(value) \
out_of_fuel:                 \
    return 0;                \
leave:                       \
    return value;            \
    }

#endif
