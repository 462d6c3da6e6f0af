/* Code made for one program (generator.py): the same bodies as in the interpreter, with constants for operands. The
   file that is made says how many cards there are (DECK_SIZE), includes this, has the program as a constant, `self`, and
   the function that runs it: RUN_BEGINS, instructions I(number, nodes arrived at, name, operands), stops.h.

   Slots and sets lie in the frame's memory where the interpreter has them, so a game can be played on by either. */

#ifndef FCDL_COMPILED_H
#define FCDL_COMPILED_H

#include "bodies.h"
#include "library.h"

#define NAME(name) name
#if DECK_SIZE > 128
#define SET Set256
#define SET_WORDS 4
#elif DECK_SIZE > 64
#define SET unsigned __int128
#define SET_WORDS 2
#else
#define SET uint64_t
#define SET_WORDS 1
#endif

/* Nobody is told anything: a run that tells events is the interpreter's. */
#define EVENTS ((Events *)NULL)
#define event_begin(events, kind, node) ((void)(events), (void)(kind), (void)(node))
#define event_add(events, value) ((void)(events), (void)(value))
#include "cards.h"

/* An operand is written as what it stands for: v[] is a variable, t[] a temporary, a number a constant. */
#define V(slot) (slot)
#define M(set) (set)
#define AT at
/* In an instruction this is its own label; in stops.h, which all share, it looks up the place. */
#define NEXT goto next_instruction
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
#define LABEL(number) at_##number

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
#define RUN_BEGINS(run, entries_of_run)                                                                              \
    int run(Frame *frame, int mode) {                                                                                \
        const Program *const program = &self;                                                                        \
        const Table *const tables = program->tables, *const set_tables = program->set_tables;                        \
        const int32_t *const entries = program->entries;                                                             \
        const SET *const set_entries = (const SET *)(const void *)program->set_entries;                              \
        const SET *const sets = (const SET *)(const void *)program->first_sets;                                      \
        const uint32_t players = (uint32_t)program->players, places = (uint32_t)program->places;                     \
        const int deck_size = program->deck_size;                                                                    \
        unsigned char *const state = frame->memory + frame->program->state_at;                                       \
        int32_t *const v = (int32_t *)(void *)state;                                                                 \
        int32_t *const t = (int32_t *)(void *)frame->memory + frame->program->constants;                             \
        SET *const m = (SET *)(void *)(state + program->sets_at);                                                    \
        uint16_t *const next = (uint16_t *)(void *)(state + program->links_at), *const back = next + program->links; \
        uint32_t at = frame->at;                                                                                     \
        LOCALS_OF_A_RUN;                                                                                             \
        (void)t, (void)tables, (void)set_tables, (void)entries, (void)set_entries, (void)sets;                       \
        if (at >= program->game_size) return RESULT_ELSEWHERE;                                                       \
        loop_left += program->code[at].steps; /* counted when the game stopped here */                               \
        goto enter;                                                                                                  \
next_instruction:                                                                                                    \
look_up_next:                                                                                                        \
        at++;                                                                                                        \
enter:                                                                                                               \
        if (loop_left >= LONGEST) switch (at) {                                                                      \
                entries_of_run                                                                                       \
            }                                                                                                        \
        loop_left -= program->code[at].steps;                                                                        \
        if (loop_left < 0) goto step_limit;                                                                          \
        LEAVE(RESULT_ELSEWHERE);

#endif
