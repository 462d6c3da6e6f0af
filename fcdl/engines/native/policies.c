#include "policies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "functions.h"
#include "random.h"

int32_t policy_worth(Frame *frame, const Policy *policy, int32_t move) {
    const Header *header = frame->header;
    int32_t arguments[2] = {header->mover, move};
    int passes = move == PASS && (header->kind == KIND_PLAY_OR_PASS || header->kind == KIND_SET_OR_PASS);
    int32_t function = (passes ? policy->passing : policy->worth)[header->node];
    return function == NONE ? 0 : call_function(frame, (uint32_t)function, arguments);
}

/* What the moves of a decision are worth by an evaluation; the frame then stands at the decision again. */
static void look_ahead(Frame *frame, const Policy *policy, uint32_t count, const int32_t *moves, double *worths) {
    size_t size = frame->program->state_size;
    unsigned char *states = malloc((1 + state_rooms(policy->lines)) * size); /* too large for a stack, in some charts */
    memset(worths, 0, count * sizeof *worths);
    if (!states) return;
    uint64_t random = frame->random;
    Look look = {frame, policy->evaluation, frame->header->mover, states + size};
    memcpy(states, frame->memory + frame->program->state_at, size);
    for (uint32_t n = 0; n < count; n++) {
        frame->random = random;
        worths[n] = move_value(&look, states, moves[n], policy->lines, NULL);
    }
    frame_load(frame, states);
    run_on(frame, RANDOM_CHANCE); /* makes its legal moves and operands known again; asks no chance */
    next_random(&random);
    frame->random = random;
    free(states);
}

void policy_worths_of(Frame *frame, const Policy *policy, uint32_t count, const int32_t *moves, double *worths) {
    if (policy->evaluation) {
        look_ahead(frame, policy, count, moves, worths);
        return;
    }
    if (policy->network) {
        network_worths(frame, policy->network, count, moves, worths);
        return;
    }
    for (uint32_t n = 0; n < count; n++) worths[n] = policy_worth(frame, policy, moves[n]);
}

void policy_probabilities(const Policy *policy, uint32_t count, const double *worths, double *probabilities) {
    double best = worths[0], sum = 0, random_part = policy->random_part * 0x1p-32;
    for (uint32_t n = 1; n < count; n++) best = worths[n] > best ? worths[n] : best;
    for (uint32_t n = 0; n < count; n++) {
        probabilities[n] = policy->temperature > 0 ? exp((worths[n] - best) / policy->temperature) : worths[n] == best;
        sum += probabilities[n];
    }
    for (uint32_t n = 0; n < count; n++)
        probabilities[n] = probabilities[n] / sum * (1 - random_part) + random_part / count;
}

/* The standard deviation of some numbers. */
static double spread(const double *numbers, uint32_t count) {
    double sum = 0, squares = 0;
    for (uint32_t n = 0; n < count; n++) sum += numbers[n];
    for (uint32_t n = 0; n < count; n++) squares += (numbers[n] - sum / count) * (numbers[n] - sum / count);
    return count ? sqrt(squares / count) : 0;
}

void soft_probabilities(const Policy *policy, double softness, uint32_t count, const double *worths,
                        double *probabilities) {
    Policy soft = *policy;
    if (soft.temperature <= 0) soft.temperature = softness * spread(worths, count);
    policy_probabilities(&soft, count, worths, probabilities);
}

/* The place of the best move, of any of them if there are several. */
static uint32_t best_place(Frame *frame, uint32_t count, const double *worths) {
    uint32_t chosen = 0, equals = 0;
    for (uint32_t n = 0; n < count; n++) {
        if (!equals || worths[n] > worths[chosen]) {
            chosen = n;
            equals = 1;
        } else if (worths[n] == worths[chosen] && random_below(&frame->random, ++equals) == 0) {
            chosen = n;
        }
    }
    return chosen;
}

int32_t policy_choose(Frame *frame, const Policy *policy) {
    int32_t moves[MAX_LEGAL];
    uint32_t count = legal_moves(frame, moves);
    if (count == 1) return moves[0];
    if (!policy || (!policy->worth && !policy->evaluation) ||
        (policy->random_part && policy->temperature <= 0 && next_random(&frame->random) >> 32 < policy->random_part))
        return moves[random_below(&frame->random, count)];
    double worths[MAX_LEGAL];
    policy_worths_of(frame, policy, count, moves, worths);
    if (policy->temperature <= 0) return moves[best_place(frame, count, worths)];
    policy_probabilities(policy, count, worths, worths);
    double left = (double)(next_random(&frame->random) >> 11) * 0x1p-53;
    uint32_t chosen = 0;
    while (chosen + 1 < count && left >= worths[chosen]) left -= worths[chosen++];
    return moves[chosen];
}

int play_out(Frame *frame, const Policy *const *policies, int mode, int32_t moves) {
    frame_refuel(frame);
    if (!policies && moves < 0) return run_on(frame, mode | RANDOM_CHANCE | RANDOM_MOVES);
    for (;;) {
        int result = run_on(frame, mode | RANDOM_CHANCE);
        if (result != RESULT_DECISION || moves-- == 0) return result;
        frame->move = policy_choose(frame, policies ? policies[frame->header->mover] : NULL);
        frame->has_move = 1;
        frame_refuel(frame);
    }
}
