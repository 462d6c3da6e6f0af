#include "search.h"

#include <math.h>

#include "random.h"

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

uint32_t nth_world(const Question *question, double offset, uint64_t n) {
    double part = offset + 0.6180339887498949 * (double)n;
    return world_at(question, part - floor(part));
}

int load_state(const Question *question, Frame *frame, const unsigned char *state) {
    frame_load_lasting(frame, state);
    return frame->header->status == OVER ? RESULT_OVER : run_on(frame, question->mode);
}

static const unsigned char *state_of(const Question *question, uint32_t world) {
    return question->states + (size_t)world * question->program->state_size;
}

int load_world(const Question *question, Frame *frame, uint32_t world) {
    return load_state(question, frame, state_of(question, world));
}

/* --- what an end is worth */

/* The share of the win that each player has, going by the mean score of their team: n teams with the best one have 1/n
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

void utilities(const Question *question, const Frame *frame, const int32_t *before, double *worth) {
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

void list_moves(const Frame *frame, Moves *moves) {
    moves->count = 0;
    moves->choose = frame->header->kind == KIND_CHOOSE || is_set_decision(frame->header);
    memset(moves->cards, 0, sizeof moves->cards);
    if (is_set_decision(frame->header)) {
        moves->count = (int)legal_moves(frame, moves->move);
        memcpy(moves->label, moves->move, (size_t)moves->count * sizeof *moves->move);
        return;
    }
    if (moves->choose) {
        moves->count = frame->value_count;
        memcpy(moves->move, frame->values, (size_t)frame->value_count * sizeof(int32_t));
        memcpy(moves->label, frame->values, (size_t)frame->value_count * sizeof(int32_t));
        return;
    }
    for (int word = 0; word < set_words(frame->program); word++) {
        for (uint64_t rest = frame->legal[word]; rest; rest &= rest - 1) {
            int32_t card = 64 * word + __builtin_ctzll(rest), label = frame->program->kinds[card];
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

/* --- playouts */

int search_frame_open(Frame *frame, const Question *question, Patience *patience) {
    if (frame_open(frame, question->program) < 0) return -1;
    frame->stop = patience_stop;
    frame->stopper = patience;
    return 0;
}

void simulate(const Question *question, Frame *frame) {
    int guided = question->with_policies && question->until != 0;
    int result = guided ? play_out(frame, question->policies, question->mode, question->until) : RESULT_DECISION;
    if (result == RESULT_DECISION) play_out(frame, NULL, question->mode, -1);
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

/* Rounds of loops for all playouts together: a measure of work that does not depend on the clock. */
enum { SPREAD_FUEL = 20 * 1000 * 1000 };

int measure_spread(const Question *question, Patience *patience, int playouts, uint64_t seed, double *deviation,
                   double *range) {
    Frame frame;
    if (search_frame_open(&frame, question, patience) < 0) return -1;
    const int players = question->program->players;
    int32_t before[MAX_PLAYERS];
    double worth[MAX_PLAYERS], sum[MAX_PLAYERS] = {0}, squares[MAX_PLAYERS] = {0}, low = INFINITY, high = -INFINITY;
    int64_t fuel = SPREAD_FUEL;
    int played = 0;
    for (int n = 0; n < playouts; n++) {
        if (n > 0 && patience_is_over(patience)) break;
        frame.random = mixed_seed(seed, (uint64_t)n);
        int result = load_world(question, &frame, nth_world(question, 0.0, (uint64_t)n));
        memcpy(before, scores_of(&frame), (size_t)players * sizeof(int32_t));
        if (result == RESULT_DECISION) {
            frame.fuel = fuel;
            run_on(&frame, question->mode | RANDOM_CHANCE | RANDOM_MOVES);
            fuel = frame.fuel;
        }
        if (fuel < 0 || patience->stopped) break;
        utilities(question, &frame, before, worth);
        played++;
        for (int p = 0; p < players; p++) {
            sum[p] += worth[p];
            squares[p] += worth[p] * worth[p];
            low = worth[p] < low ? worth[p] : low;
            high = worth[p] > high ? worth[p] : high;
        }
    }
    double variance = 0;
    for (int p = 0; played && p < players; p++)
        variance += fmax(0, squares[p] / played - sum[p] / played * (sum[p] / played)) / players;
    *deviation = sqrt(variance);
    *range = played ? high - low : 0;
    frame_close(&frame);
    return 0;
}

int play_flat(const Question *question, Patience *patience, const FlatRequest *request, MoveResult *results,
              int *result_count, uint64_t *done) {
    Frame frame;
    if (search_frame_open(&frame, question, patience) < 0) return -1;
    const int players = question->program->players;
    int32_t before[MAX_PLAYERS];
    double worth[MAX_PLAYERS];
    Moves moves;
    *result_count = 0;
    for (*done = 0; *done < request->count && !patience_is_over(patience); ++*done) {
        uint64_t n = request->first + *done;
        const unsigned char *state = state_of(question, nth_world(question, 0.0, n));
        frame.random = mixed_seed(request->seed, n);
        if (load_state(question, &frame, state) != RESULT_DECISION) continue;
        list_moves(&frame, &moves);
        for (int k = 0; k < moves.count; k++) {
            int at = 0;
            while (at < *result_count && results[at].label != moves.label[k]) at++;
            if (at == MAX_MOVES) continue;
            if (at == *result_count) results[(*result_count)++] = (MoveResult){.label = moves.label[k]};
            if (k > 0) frame_load_lasting(&frame, state);
            memcpy(before, scores_of(&frame), (size_t)players * sizeof(int32_t));
            if (make_move(question, &frame, moves.move[k]) == RESULT_DECISION)
                play_ahead(question, &frame, request->own_moves);
            utilities(question, &frame, before, worth);
            if (patience->stopped) break; /* in the middle of a playout */
            results[at].visits++;
            results[at].total += worth[question->seat];
        }
    }
    frame_close(&frame);
    return 0;
}
