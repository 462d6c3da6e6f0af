/* Networks: what moves are worth, from what the deciding seat sees. Inputs are 0 or 1, few of them 1. */

#ifndef FCDL_NETWORK_H
#define FCDL_NETWORK_H

#include "functions.h"

/* Some inputs, and where they come from: a zone, a variable or a function, by the seat that looks (NONE: it sees none). */
typedef struct {
    int32_t kind;         /* FIELD_... */
    int32_t first, count; /* inputs */
    int32_t low;          /* of values: the one of the first input; of cards: copies; of groups: 0 suits, 1 ranks */
    int32_t levels;       /* of groups: so many cards or more are one input */
    int32_t limits, limit_count;
    int32_t source[MAX_PLAYERS];
} Field;

/* What the moves at a node are, and their outputs; the last one of cards and sets is for a pass. */
typedef struct {
    int32_t kind;         /* WORTH_..., or NONE */
    int32_t first, count; /* outputs */
    int32_t low;
    int32_t limits, limit_count;
} Answer;

/* Immutable, shared by all threads. The last output is the value of the position. */
typedef struct {
    const Field *fields;
    const Answer *answers; /* by node */
    const int32_t *limits; /* rising: a number's input is how many of them it reaches */
    const uint16_t *place; /* by card: its number among those that look different */
    const uint8_t *suit, *rank;
    uint32_t field_count, inputs, outputs, hidden, kinds;
    const float *first, *first_bias;   /* inputs x hidden */
    const float *second, *second_bias; /* outputs x hidden */
} Network;

/* The inputs that are 1 for a seat where the frame stands at a decision; returns how many, at most MAX_ACTIVE. */
uint32_t network_inputs(Frame *frame, const Network *network, int32_t seat, uint16_t *active);

/* The outputs that are added up for a move, at most MAX_CARDS + 1; returns how many. */
uint32_t network_outputs(Frame *frame, const Network *network, int32_t move, uint16_t *outputs);

/* What the moves of a decision are worth to the player who is to move. */
void network_worths(Frame *frame, const Network *network, uint32_t count, const int32_t *moves, double *worths);

/* What the position of a decision is worth to a seat. */
double network_value(Frame *frame, const Network *network, int32_t seat);

#endif
