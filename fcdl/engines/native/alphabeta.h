/* Minimax: alpha-beta with a table of positions for two sides, or everyone for themselves (max-n). */

#ifndef FCDL_ALPHABETA_H
#define FCDL_ALPHABETA_H

#include "search.h"

typedef struct {
    uint64_t hash;
    double value;
    int32_t move;
    int16_t depth;
    uint8_t bound, cut;
} TableEntry;

typedef struct {
    const Question *question;
    Patience *patience;
    const Evaluation
        *evaluation;        /* where it judges: by heuristics, if not NULL; then ends are judged in the same way */
    int playouts, function; /* otherwise by a function; if NONE by playouts; if 0 of them, as it is */
    int max_n;
    int preferring; /* whether of equal moves the one that the policy of playouts prefers is better */
    int pruning;    /* whether moves are left out that cannot change the value (alpha-beta) */
    uint64_t seed;
    TableEntry *table; /* NULL: none */
    uint64_t table_mask;
    Frame frame;
    unsigned char *stack; /* the states on the way, one for each move */
    Moves *moves;         /* and their moves */
    int stack_size;
    int32_t before[MAX_PLAYERS];
    uint32_t history[MAX_CARDS]; /* how often a card was good enough */
    uint64_t nodes, node_limit;
    int cut;  /* a position was judged before its end */
    int full; /* the limit of nodes, time or depth of the stack was reached: the result is worth nothing */
} Minimax;

/* Memory for a table of 2^table_bits entries (0: none) and so many moves ahead; -1: there is none. Close it all the same. */
int minimax_open(Minimax *search, int table_bits, int depth);
void minimax_close(Minimax *search);

/* Searches one world deeper and deeper (up to `depth` moves) while there are nodes and time left; values are
   those of the deepest search that was finished. Returns its depth, 0 if there is none; MAX_DEPTH if nothing was left
   to judge. */
int search_world(Minimax *search, uint32_t world, int depth, Moves *moves, double *values);

/* Equal for positions that are equal in everything that the chart can look at. */
uint64_t position_hash(const Frame *frame);

#endif
