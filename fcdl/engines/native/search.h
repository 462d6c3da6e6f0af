/* What all searches share: the worlds they start from, what an end is worth, the moves of a decision. */

#ifndef FCDL_SEARCH_H
#define FCDL_SEARCH_H

#include "functions.h"
#include "patience.h"
#include "policies.h"

enum { MAX_MOVES = MAX_LEGAL };

/* The question put to a search; immutable while searches run, so that threads can share it. */
typedef struct {
    const Program *program;
    unsigned char *states; /* the worlds, one after the other */
    double *cumulative;    /* by world: the sum of the weights up to it; the last is 1 */
    uint32_t worlds;
    int seat;
    int mode; /* of running on: RANDOM_CHANCE, and ONE_HAND where the hand is the horizon */
    int utility, lowest_wins;
    double win_weight;                   /* what winning the game is worth, in points */
    uint64_t friends[MAX_PLAYERS];       /* by player: the players whose score should be high, itself included */
    uint64_t *zone_seers;                /* by zone: the players who see its cards */
    const Policy *policies[MAX_PLAYERS]; /* by player: how playouts choose */
    int with_policies;
    int32_t until;          /* after so many moves playouts go on at random; less than 0: never */
    uint8_t *secrets;       /* by node: 1 a choice only the chooser sees, 2 the owner of the variable, too */
    volatile int cancelled; /* set by another thread: all searches end */
} Question;

/* --- worlds */

/* The world of the n-th sample: every stretch of samples holds all worlds nearly as often as their weights say. */
uint32_t nth_world(const Question *question, double offset, uint64_t n);

/* Puts a world into the frame and runs it to its decision. */
int load_state(const Question *question, Frame *frame, const unsigned char *state);
int load_world(const Question *question, Frame *frame, uint32_t world);

/* Makes a move where the frame stands at a decision, or where a state was just loaded that does. */
static inline int make_move(const Question *question, Frame *frame, int32_t move) {
    frame->has_move = 1;
    frame->move = move;
    frame_refuel(frame);
    return run_on(frame, question->mode);
}

/* What the frame is worth to each player; `before` are the scores at the start of the search. */
void utilities(const Question *question, const Frame *frame, const int32_t *before, double *worth);

/* --- the moves of a decision */

typedef struct {
    int count;
    int choose; /* whether moves are values or sets, not cards */
    int32_t move[MAX_MOVES];
    int32_t label[MAX_MOVES];  /* the same for equal copies of a card */
    uint64_t cards[MAX_WORDS]; /* labels that are cards */
} Moves;

void list_moves(const Frame *frame, Moves *moves);

/* The place of a label among the moves, or -1. */
static inline int find_move(const Moves *moves, int32_t label) {
    if (!moves->choose && label >= 0 && !(moves->cards[label / 64] >> (label % 64) & 1)) return -1;
    if (!moves->choose && label == PASS) {
        int last = moves->count - 1;
        return last >= 0 && moves->label[last] == PASS ? last : -1;
    }
    for (int n = 0; n < moves->count; n++)
        if (moves->label[n] == label) return n;
    return -1;
}

/* --- playouts */

/* A frame for a search, which stops when the patience is over; -1: no memory. */
int search_frame_open(Frame *frame, const Question *question, Patience *patience);

/* The move that a playout makes at a decision. */
static inline int32_t playout_move(const Question *question, Frame *frame) {
    return policy_choose(frame, question->with_policies ? question->policies[frame->header->mover] : NULL);
}

/* Plays on from a decision. */
void simulate(const Question *question, Frame *frame);

/* The deviation and the range of what random playouts from the worlds are worth, over all players; both 0 where
   a playout takes too long. -1: no memory. */
int measure_spread(const Question *question, Patience *patience, int playouts, uint64_t seed, double *deviation,
                   double *range);

/* --- flat Monte Carlo: playouts for every move of the seat, the same worlds for all of them */

typedef struct {
    int32_t label;
    uint32_t visits;
    double total;
} MoveResult;

typedef struct {
    uint64_t first, count; /* playouts, by number */
    int own_moves;         /* until the seat decides again after so many moves; 0: to the end */
    uint64_t seed;
} FlatRequest;

/* -1: no memory. There is room for MAX_MOVES results. */
int play_flat(const Question *question, Patience *patience, const FlatRequest *request, MoveResult *results,
              int *result_count, uint64_t *done);

#endif
