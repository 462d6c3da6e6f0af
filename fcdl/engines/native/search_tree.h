/* Monte Carlo tree search with UCB on worlds: on one world it is UCT, on many information set MCTS. With a prior, moves
   are tried by what a policy thinks of them in the world at hand, until their means say otherwise (PUCT).

   The tree is one of moves, not of positions: every iteration plays on in a world of its own, and moves that this world
   does not allow are left out (their availability is counted). With one observer there is one tree, in which all see
   every move; with many observers each player has a tree of their own, whose edges are what they see of the moves. */

#ifndef FCDL_SEARCH_TREE_H
#define FCDL_SEARCH_TREE_H

#include "statistics.h"

#define NO_NODE UINT32_MAX

/* A move in a tree, and what came after it: half a line of the cache. */
typedef struct {
    double total;               /* what it was worth to its mover */
    uint32_t visits, available; /* how often it was made, and how often it could have been */
    uint32_t place;             /* decision and mover */
    int32_t label;              /* the move, or HIDDEN_MOVE */
    uint32_t child, sibling;
} TreeNode;

_Static_assert(sizeof(TreeNode) == 32, "nodes are compact");

/* Room for all nodes is taken once; the system gives memory to it as it fills. */
typedef struct {
    TreeNode *nodes;
    uint32_t used, limit;
} Tree;

typedef struct {
    const Question *question;
    int multiple;
    int scripted;        /* the others choose by their policies in the tree, too: the seat's best answer to those */
    double c;            /* how much is explored, in points */
    const Policy *prior; /* what the moves are tried by (PUCT); NULL: all alike (UCB) */
    double curiosity; /* how often a playout makes any move, not the one that was best on average; 1 or more: always */
    uint64_t seed;
    Patience *patience;
    Tree tree;
    Frame frame;
    Statistic *statistics; /* NULL: playouts are as the question says */
    uint64_t iterations;
} TreeSearch;

/* When the module is loaded. */
void fill_logarithms(void);

/* Searches; the tree is then the caller's to free. -1: no memory. */
int tree_search(TreeSearch *search, uint64_t iterations, uint32_t node_limit);

#endif
