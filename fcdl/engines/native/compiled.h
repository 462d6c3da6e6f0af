/* Code made for one program (generator.py): the same bodies as in the interpreter, with constants for operands. The
   file that is made says how many cards there are (DECK_SIZE), includes compiled_game.h or compiled_functions.h, which
   include this, has the program as a constant, `self`, and the code. */

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

/* The locals of bodies.h that the program says. */
#define LOCALS_OF_A_PROGRAM                                                                                      \
    const Program *const program = &self;                                                                        \
    const Table *const tables = program->tables, *const set_tables = program->set_tables;                        \
    const int32_t *const entries = program->entries;                                                             \
    const SET *const set_entries = (const SET *)(const void *)program->set_entries;                              \
    const SET *const sets = (const SET *)(const void *)program->first_sets;                                      \
    const uint32_t players = (uint32_t)program->players, places = (uint32_t)program->places;                     \
    const int deck_size = program->deck_size;                                                                    \
    unsigned char *const state = frame->memory + frame->program->state_at;                                       \
    int32_t *const v = (int32_t *)(void *)state;                                                                 \
    SET *const m = (SET *)(void *)(state + program->sets_at);                                                    \
    uint16_t *const next = (uint16_t *)(void *)(state + program->links_at), *const back = next + program->links; \
    (void)tables, (void)set_tables, (void)entries, (void)set_entries, (void)sets, (void)players, (void)places,   \
        (void)deck_size

#define NEXT goto next_instruction
#define LABEL(number) at_##number

#ifdef __BMI2__
enum { NEEDS_FAST_BITS = 1 };
#else
enum { NEEDS_FAST_BITS = 0 };
#endif

#endif
