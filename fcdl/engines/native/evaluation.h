/* The rest of a cycle of the main loop, or of several, by minimax, and what a position is worth where a cycle begins: what the player has
   of what they want, and what the cards in their hand are worth by heuristics (Law 2013, 3.4). */

#ifndef FCDL_EVALUATION_H
#define FCDL_EVALUATION_H

#include "frame.h"

/* An instance of a heuristic has one of my cards and, as the case may be, one of each other player. Functions have the
   arguments (me, my card, the cards of `others` other players) and speak of all instances with these cards. */
typedef struct {
    double weight;
    int32_t away;   /* function of (me): 1 if players are not who they would have to be; NONE: 0 */
    int32_t fits;   /* how many instances hold but for what can change */
    int32_t total;  /* the sum of their weights; NONE: `weight` for each */
    int32_t change; /* how many cards have to go before they are active; NONE: none */
    uint32_t others;
    uint32_t distance[MAX_OTHERS]; /* how many seats after me the others sit */
} Heuristic;

typedef struct {
    int32_t goal;            /* function of (me) */
    int32_t ahead;           /* function of (me): how far they are ahead of the others in the score */
    int mean;                /* whether the mean of the cards' values counts, not their sum */
    int shares;              /* whether instances count 1 / (1 + count)² in the mean of a card, not all the same */
    int average;             /* whether the others' replies are averaged, not the worst of them feared */
    uint32_t depth;          /* how many cycles are looked ahead */
    uint32_t hand;           /* the zone of the first player's hand */
    const uint8_t *inside;   /* by node: whether it is part of the cycle */
    const uint64_t *friends; /* by player: the players who want the same, including that player */
    const Heuristic *heuristics;
    uint32_t count;
} Evaluation;

/* A look to the end of the cycle, for one player. */
typedef struct {
    Frame *frame;
    const Evaluation *evaluation;
    int32_t me;
    unsigned char *states; /* room for one state for each level of the tree: state_rooms of the number of lines */
} Look;

static inline size_t state_rooms(uint32_t lines) { return 32 - (size_t)__builtin_clz(lines | 1); }

/* What a position at the start of a cycle, or the end of a hand, is worth to a player. `parts`, if wanted: what they have,
   then each heuristic's part of the value of their cards. */
double position_value(Frame *frame, const Evaluation *evaluation, int me, int over, double *parts);

/* What a legal move is worth to the player who is to move; the frame is left elsewhere. `state` is where it stands. */
double move_value(const Look *look, const unsigned char *state, int32_t move, uint32_t lines, double *parts);

#endif
