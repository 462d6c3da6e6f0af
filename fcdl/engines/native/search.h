/* What all searches share: the worlds they start from, what an end is worth, the moves of a decision, the time. */

#ifndef FCDL_SEARCH_H
#define FCDL_SEARCH_H

#include <math.h>
#include <time.h>

#include "engine.h"
#include "policies.h"

enum { MAX_MOVES = MAX_VALUES + 1 };
enum { UTILITY_SCORE, UTILITY_OWN, UTILITY_WIN, UTILITY_MIXED };

/* The question put to a search; immutable while searches run, so that threads can share it. */
typedef struct {
    const Program *program;
    Runner run;
    unsigned char *states; /* the worlds, one after the other */
    double *cumulative;    /* by world: the sum of the weights up to it; the last is 1 */
    uint32_t worlds;
    int seat;
    int mode; /* of running on: RANDOM_CHANCE, and ONE_HAND where the hand is the horizon */
    int utility, lowest_wins;
    double win_weight; /* what winning the game is worth, in points */
    uint64_t friends[MAX_PLAYERS]; /* by player: the players whose score he wants high, himself among them */
    uint64_t *zone_seers;          /* by zone: the players who see its cards */
    const Policy *policies[MAX_PLAYERS]; /* by player: how playouts choose */
    int with_policies;
    uint8_t *secrets;              /* by node: 1 a choice only the chooser sees, 2 the owner of the variable, too */
    volatile int cancelled;
} Question;

/* --- time */

static double now(void) {
    struct timespec time;
#ifdef CLOCK_MONOTONIC
    clock_gettime(CLOCK_MONOTONIC, &time);
#else
    timespec_get(&time, TIME_UTC);
#endif
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* How long a search may go on. Signals are looked at now and then, so that Ctrl-C ends a search. */
typedef struct {
    const Question *question;
    double deadline, next_signals; /* in seconds; no deadline: infinity */
    PyThreadState *thread;
    int stopped, interrupted;
} Patience;

enum { SIGNALS_PER_SECOND = 20 };

static void patience_begin(Patience *patience, const Question *question, double seconds) {
    double start = now();
    patience->question = question;
    patience->deadline = seconds > 0 ? start + seconds : INFINITY;
    patience->next_signals = start + 1.0 / SIGNALS_PER_SECOND;
    patience->stopped = patience->interrupted = 0;
    patience->thread = PyEval_SaveThread();
}

/* Whether the search has to end. */
static int patience_is_over(Patience *patience) {
    if (patience->stopped) return 1;
    double time = now();
    if (time >= patience->next_signals) {
        PyEval_RestoreThread(patience->thread);
        patience->interrupted = PyErr_CheckSignals() < 0;
        patience->thread = PyEval_SaveThread();
        patience->next_signals = now() + 1.0 / SIGNALS_PER_SECOND;
    }
    patience->stopped = patience->interrupted || patience->question->cancelled || time >= patience->deadline;
    return patience->stopped;
}

/* -1 with a Python error if a signal ended the search. */
static int patience_end(Patience *patience) {
    PyEval_RestoreThread(patience->thread);
    return patience->interrupted ? -1 : 0;
}

/* --- worlds */

/* The world for a number from 0 to 1. */
static uint32_t world_at(const Question *question, double part) {
    uint32_t low = 0, high = question->worlds - 1;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (question->cumulative[middle] > part) high = middle;
        else low = middle + 1;
    }
    return low;
}

/* The world of the n-th sample: every stretch of samples holds all worlds nearly as often as their weights say. */
static uint32_t nth_world(const Question *question, double offset, uint64_t n) {
    double part = offset + 0.6180339887498949 * (double)n;
    return world_at(question, part - floor(part));
}

static inline const int32_t *scores_of(const Frame *frame) {
    return (const int32_t *)(const void *)frame->memory + frame->program->score;
}

/* Puts a world into the frame and runs it to its decision. */
static int load_state(const Question *question, Frame *frame, const unsigned char *state) {
    frame_load(frame, state);
    return frame->header->status == OVER ? RESULT_OVER : question->run(frame, question->mode);
}

static int load_world(const Question *question, Frame *frame, uint32_t world) {
    return load_state(question, frame, question->states + (size_t)world * question->program->state_size);
}

static inline int make_move(const Question *question, Frame *frame, int32_t move) {
    frame->has_move = 1;
    frame->move = move;
    frame->fuel = FUEL;
    return question->run(frame, question->mode);
}

/* --- what an end is worth */

/* The share of the win that each player has, going by the mean score of his team: n teams with the best one have 1/n
   each, and what a team has each of its members has. Returns the number of teams. */
static double win_shares(const Question *question, const int32_t *scores, double *shares) {
    int players = question->program->players;
    double mean[MAX_PLAYERS], size[MAX_PLAYERS], best = 0, winners = 0, teams = 0;
    for (int p = 0; p < players; p++) {
        mean[p] = size[p] = 0;
        for (int q = 0; q < players; q++)
            if (question->friends[p] >> q & 1) mean[p] += scores[q], size[p]++;
        mean[p] /= question->lowest_wins ? -size[p] : size[p];
        if (p == 0 || mean[p] > best) best = mean[p];
        teams += 1 / size[p];
    }
    for (int p = 0; p < players; p++)
        if (mean[p] == best) winners += 1 / size[p];
    for (int p = 0; p < players; p++) shares[p] = mean[p] == best ? 1 / winners : 0.0;
    return teams;
}

/* What the frame is worth to each player; `before` are the scores at the start of the search. */
static void utilities(const Question *question, const Frame *frame, const int32_t *before, double *worth) {
    const int players = question->program->players;
    const int32_t *scores = scores_of(frame);
    if (question->utility == UTILITY_WIN) {
        win_shares(question, scores, worth);
        return;
    }
    double gain[MAX_PLAYERS], all = 0;
    for (int p = 0; p < players; p++) {
        gain[p] = (double)scores[p] - before[p];
        if (question->lowest_wins) gain[p] = -gain[p];
        all += gain[p];
    }
    for (int p = 0; p < players; p++) {
        if (question->utility == UTILITY_OWN || players == 1) {
            worth[p] = gain[p];
            continue;
        }
        double friends = 0;
        int count = 0;
        for (int q = 0; q < players; q++)
            if (question->friends[p] >> q & 1) friends += gain[q], count++;
        worth[p] = friends / count - (count < players ? (all - friends) / (players - count) : 0);
    }
    if (question->utility == UTILITY_MIXED && frame->header->status == OVER && players > 1) {
        double shares[MAX_PLAYERS];
        double teams = win_shares(question, scores, shares);
        for (int p = 0; p < players; p++)
            if (teams > 1.5) worth[p] += question->win_weight * (teams * shares[p] - 1) / (teams - 1);
    }
}

/* --- the moves of a decision */

typedef struct {
    int count, choose;
    int32_t move[MAX_MOVES];
    int32_t label[MAX_MOVES]; /* the same for equal copies of a card */
    uint64_t cards[2];        /* labels that are cards */
} Moves;

static void list_moves(const Frame *frame, Moves *moves) {
    int distance = frame->program->copy_distance;
    moves->count = 0;
    moves->choose = frame->header->kind == KIND_CHOOSE;
    moves->cards[0] = moves->cards[1] = 0;
    if (moves->choose) {
        moves->count = frame->value_count;
        memcpy(moves->move, frame->values, (size_t)frame->value_count * sizeof(int32_t));
        memcpy(moves->label, frame->values, (size_t)frame->value_count * sizeof(int32_t));
        return;
    }
    for (int word = 0; word < 2; word++) {
        for (uint64_t rest = frame->legal[word]; rest; rest &= rest - 1) {
            int32_t card = 64 * word + __builtin_ctzll(rest), label = distance ? card % distance : card;
            moves->move[moves->count] = card;
            moves->label[moves->count++] = label;
            moves->cards[label / 64] |= UINT64_C(1) << (label % 64);
        }
    }
    if (frame->header->kind == KIND_PLAY_OR_PASS) {
        moves->move[moves->count] = PASS;
        moves->label[moves->count++] = PASS;
    }
}

/* The place of a label among the moves, or -1. */
static int find_move(const Moves *moves, int32_t label) {
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

/* The move that a playout makes at a decision. */
static inline int32_t playout_move(const Question *question, Frame *frame) {
    return policy_choose(frame, question->with_policies ? question->policies[frame->header->mover] : NULL);
}

/* Plays on from a decision. */
static void simulate(const Question *question, Frame *frame) {
    play_out(frame, question->with_policies ? question->policies : NULL, question->mode, -1);
}

/* Plays on until the seat has to decide once more after `own_moves` decisions of its own; 0: to the end. */
static void play_ahead(const Question *question, Frame *frame, int own_moves) {
    if (own_moves == 0) {
        simulate(question, frame);
        return;
    }
    for (int result = RESULT_DECISION; result == RESULT_DECISION;) {
        if (frame->header->mover == question->seat && own_moves-- == 1) return;
        result = make_move(question, frame, playout_move(question, frame));
    }
}

/* The deviation and the range of what random playouts from the worlds are worth, over all players. */
static int measure_spread(const Question *question, int playouts, uint64_t seed, double *deviation, double *range) {
    Frame frame;
    if (frame_open(&frame, question->program) < 0) return -1;
    const int players = question->program->players;
    int32_t before[MAX_PLAYERS];
    double worth[MAX_PLAYERS], sum[MAX_PLAYERS] = {0}, squares[MAX_PLAYERS] = {0}, low = INFINITY, high = -INFINITY;
    for (int n = 0; n < playouts; n++) {
        frame.random = mixed_seed(seed, (uint64_t)n);
        int result = load_world(question, &frame, nth_world(question, 0.0, (uint64_t)n));
        memcpy(before, scores_of(&frame), (size_t)players * sizeof(int32_t));
        if (result == RESULT_DECISION) play_out(&frame, NULL, question->mode, -1);
        utilities(question, &frame, before, worth);
        for (int p = 0; p < players; p++) {
            sum[p] += worth[p];
            squares[p] += worth[p] * worth[p];
            low = worth[p] < low ? worth[p] : low;
            high = worth[p] > high ? worth[p] : high;
        }
    }
    double variance = 0;
    for (int p = 0; p < players; p++)
        variance += fmax(0, squares[p] / playouts - sum[p] / playouts * (sum[p] / playouts)) / players;
    *deviation = sqrt(variance);
    *range = high - low;
    frame_close(&frame);
    return 0;
}

/* --- flat Monte Carlo: playouts for every move of the seat, the same worlds for all of them */

typedef struct {
    int32_t label;
    uint32_t visits;
    double total;
} MoveResult;

static int play_flat(const Question *question, Patience *patience, uint64_t first, uint64_t count, int own_moves,
                     uint64_t seed, MoveResult *results, int *result_count, uint64_t *done) {
    Frame frame;
    if (frame_open(&frame, question->program) < 0) return -1;
    const int players = question->program->players;
    int32_t before[MAX_PLAYERS];
    double worth[MAX_PLAYERS];
    Moves moves;
    *result_count = 0;
    for (*done = 0; *done < count && !patience_is_over(patience); ++*done) {
        uint64_t n = first + *done;
        uint32_t world = nth_world(question, 0.0, n);
        frame.random = mixed_seed(seed, n);
        if (load_world(question, &frame, world) != RESULT_DECISION) continue;
        list_moves(&frame, &moves);
        for (int k = 0; k < moves.count; k++) {
            int at = 0;
            while (at < *result_count && results[at].label != moves.label[k]) at++;
            if (at == MAX_MOVES) continue;
            if (at == *result_count) results[(*result_count)++] = (MoveResult){.label = moves.label[k]};
            if (k > 0) load_world(question, &frame, world);
            memcpy(before, scores_of(&frame), (size_t)players * sizeof(int32_t));
            if (make_move(question, &frame, moves.move[k]) == RESULT_DECISION) play_ahead(question, &frame, own_moves);
            utilities(question, &frame, before, worth);
            results[at].visits++;
            results[at].total += worth[question->seat];
        }
    }
    frame_close(&frame);
    return 0;
}

#endif
