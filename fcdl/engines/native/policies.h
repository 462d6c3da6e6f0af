/* Policies, and games played out by them. */

#ifndef FCDL_POLICIES_H
#define FCDL_POLICIES_H

#include "evaluation.h"
#include "network.h"

/* How a seat chooses: a legal move of the highest worth, any of them if there are several; or, with a temperature, every
   move by the softmax of its worth over the temperature.
   `worth` has, for every node, the function of (player, move) or NONE for 0; `passing` that of (player) for a
   cycle. A policy with a network asks that instead. A policy with an evaluation looks to the end of the cycle, in so many lines of play. A policy with neither
   chooses any legal move. */
typedef struct {
    const int32_t *worth, *passing;
    const Network *network;
    const Evaluation *evaluation;
    uint32_t lines;
    uint32_t random_part; /* of 2^32: how often any legal move is chosen all the same */
    double temperature;   /* in the unit of worths; 0: the best move */
} Policy;

/* What a policy finds a legal move worth, for the player who is to move. */
int32_t policy_worth(Frame *frame, const Policy *policy, int32_t move);

/* What it finds the legal moves of a decision worth; the frame then stands at the decision again. */
void policy_worths_of(Frame *frame, const Policy *policy, uint32_t count, const int32_t *moves, double *worths);

/* The probabilities with which a policy chooses the legal moves, from what it finds them worth. */
void policy_probabilities(const Policy *policy, uint32_t count, const double *worths, double *probabilities);

/* The same of a policy that finds more than its best moves possible: one without a temperature gets one of so many
   standard deviations of these worths. */
void soft_probabilities(const Policy *policy, double softness, uint32_t count, const double *worths,
                        double *probabilities);

/* The move of a policy (NULL: any legal move), for a frame that stands at a decision and knows its legal moves. */
int32_t policy_choose(Frame *frame, const Policy *policy);

/* Plays on by a policy for each seat (NULL: all moves are random) to the end, for a number of moves (less than 0: no
   limit), and as the mode (ONE_HAND, ONE_PASS or 0) says; returns how the run ended. The game is not over yet; the
   frame stands at a decision, at a new hand or at the start, or a state was just loaded. */
int play_out(Frame *frame, const Policy *const *policies, int mode, int32_t moves);

#endif
