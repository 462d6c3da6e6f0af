/* What the others decided in worlds that were found: positions, moves and the number of legal moves, one decision after
   another, and how many there are by world. Needs no GIL until it is handed to Python. */

#ifndef FCDL_DECISIONS_H
#define FCDL_DECISIONS_H

#include "types.h"

#include <stdlib.h>
#include <string.h>

#include "script.h"

enum { DECISIONS_LIMIT = 1 << 26 }; /* in bytes of positions; whoever draws stops there */

typedef struct {
    unsigned char *states;
    int32_t *moves, *choices;
    size_t count, capacity;
    int32_t *counts; /* by world */
    size_t worlds, world_capacity;
    size_t begun; /* where the decisions of the world begin that is being played */
} Decisions;

static inline int decisions_are_full(const Decisions *decisions, const Program *program) {
    return decisions->count * program->state_size > DECISIONS_LIMIT;
}

/* Adds the decision of a frame that stands there with its move; a decision without a choice is none. -1: no memory. */
static inline int decisions_add(Decisions *decisions, const Frame *frame) {
    const size_t size = frame->program->state_size;
    const int32_t choices = legal_count(frame);
    if (choices < 2) return 0;
    if (decisions->count == decisions->capacity) {
        size_t capacity = decisions->capacity ? 2 * decisions->capacity : 256;
        unsigned char *states = realloc(decisions->states, capacity * size);
        if (states) decisions->states = states;
        int32_t *moves = realloc(decisions->moves, capacity * sizeof *moves);
        if (moves) decisions->moves = moves;
        int32_t *numbers = realloc(decisions->choices, capacity * sizeof *numbers);
        if (numbers) decisions->choices = numbers;
        if (!states || !moves || !numbers) return -1;
        decisions->capacity = capacity;
    }
    memcpy(decisions->states + decisions->count * size, frame->memory + frame->program->state_at, size);
    decisions->moves[decisions->count] = frame->move;
    decisions->choices[decisions->count++] = choices;
    return 0;
}

/* The world that was played since the last of these two is one; -1: no memory. Or it is none. */
static inline int decisions_keep(Decisions *decisions) {
    if (decisions->worlds == decisions->world_capacity) {
        size_t capacity = decisions->world_capacity ? 2 * decisions->world_capacity : 64;
        int32_t *counts = realloc(decisions->counts, capacity * sizeof *counts);
        if (!counts) return -1;
        decisions->counts = counts;
        decisions->world_capacity = capacity;
    }
    decisions->counts[decisions->worlds++] = (int32_t)(decisions->count - decisions->begun);
    decisions->begun = decisions->count;
    return 0;
}

static inline void decisions_drop(Decisions *decisions) { decisions->count = decisions->begun; }

static inline void decisions_free(Decisions *decisions) {
    free(decisions->states);
    free(decisions->moves);
    free(decisions->choices);
    free(decisions->counts);
}

/* (positions, moves, numbers of legal moves, numbers of decisions by world), as bytes. */
static inline PyObject *decisions_tuple(const Decisions *decisions, const Program *program) {
    const Py_ssize_t numbers = (Py_ssize_t)(decisions->count * sizeof(int32_t));
    return Py_BuildValue(
        "y#y#y#y#", decisions->count ? (const char *)decisions->states : "",
        (Py_ssize_t)(decisions->count * program->state_size), decisions->count ? (const char *)decisions->moves : "",
        numbers, decisions->count ? (const char *)decisions->choices : "", numbers,
        decisions->worlds ? (const char *)decisions->counts : "", (Py_ssize_t)(decisions->worlds * sizeof(int32_t)));
}

#endif
