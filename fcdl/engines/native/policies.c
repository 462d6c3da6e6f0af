#include "policies.h"

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
    for (uint32_t n = 0; n < count; n++) worths[n] = policy_worth(frame, policy, moves[n]);
}

int32_t policy_choose(Frame *frame, const Policy *policy) {
    int32_t moves[MAX_LEGAL];
    uint32_t count = legal_moves(frame, moves);
    if (count == 1) return moves[0];
    if (!policy || (!policy->worth && !policy->evaluation) ||
        (policy->random_part && next_random(&frame->random) >> 32 < policy->random_part))
        return moves[random_below(&frame->random, count)];
    uint32_t chosen = 0, equals = 0;
    double worths[MAX_LEGAL];
    policy_worths_of(frame, policy, count, moves, worths);
    for (uint32_t n = 0; n < count; n++) {
        if (!equals || worths[n] > worths[chosen]) {
            chosen = n;
            equals = 1;
        } else if (worths[n] == worths[chosen] && random_below(&frame->random, ++equals) == 0) {
            chosen = n;
        }
    }
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
