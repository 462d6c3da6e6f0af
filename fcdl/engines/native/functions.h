/* Functions of a position, and what else can be asked of a frame. */

#ifndef FCDL_FUNCTIONS_H
#define FCDL_FUNCTIONS_H

#include <string.h>

#include "interpreter.h"

/* The value of a function of the position in a frame; 0 if it runs out of fuel. The state does not change, nor does
   anything else that the frame needs to go on. There are as many arguments as the function has parameters. */
static inline int32_t call_function(Frame *frame, uint32_t number, const int32_t *arguments) {
    const Callee *compiled = __atomic_load_n(&frame->program->compiled_functions, __ATOMIC_ACQUIRE);
    const int64_t fuel = frame->fuel, look = frame->look;
    int32_t value;
    frame_refuel(frame);
    if (!compiled || !guarded_call(frame, compiled[number], arguments, &value)) {
        const Function *function = &frame->program->functions[number];
        int32_t *slots = (int32_t *)(void *)frame->memory;
        const uint32_t at = frame->at;
        for (uint32_t n = 0; n < function->parameters; n++) slots[function->arguments + n] = arguments[n];
        frame->at = function->entry;
        runners[fast_bits][frame->program->width](frame, FUNCTION_CALL);
        frame->at = at;
        value = slots[function->result];
    }
    const int in_time = frame->fuel >= 0;
    frame->fuel = fuel;
    frame->look = look;
    return in_time ? value : 0;
}

/* Whether the game waits for a set of cards. */
static inline int is_set_decision(const Header *header) {
    return header->kind == KIND_SET || header->kind == KIND_SET_OR_PASS;
}

/* The legal moves in order (cards or sets, then a pass; or values); returns their number, at most MAX_LEGAL. */
static inline uint32_t legal_moves(const Frame *frame, int32_t *moves) {
    uint32_t count = 0;
    if (frame->header->kind == KIND_CHOOSE) {
        memcpy(moves, frame->values, (size_t)frame->value_count * sizeof *moves);
        return (uint32_t)frame->value_count;
    }
    if (is_set_decision(frame->header)) {
        count = (uint32_t)frame->set_count;
        memcpy(moves, frame->set_numbers, count * sizeof *moves);
        if (frame->header->kind == KIND_SET_OR_PASS) moves[count++] = PASS;
        return count;
    }
    for (int word = 0; word < set_words(frame->program); word++)
        for (uint64_t rest = frame->legal[word]; rest; rest &= rest - 1)
            moves[count++] = 64 * word + __builtin_ctzll(rest);
    if (frame->header->kind == KIND_PLAY_OR_PASS) moves[count++] = PASS;
    return count;
}

/* The cards of a zone, as MAX_WORDS words. */
static inline void zone_cards(const Frame *frame, uint32_t zone, uint64_t *cards) {
    const Program *program = frame->program;
    memset(cards, 0, MAX_WORDS * sizeof *cards);
    memcpy(cards, frame->memory + program->sets_at + zone * set_bytes(program), set_bytes(program));
}

/* Makes a legal move and runs on. */
static inline int run_move(Frame *frame, int32_t move, int mode) {
    frame->move = move;
    frame->has_move = 1;
    frame_refuel(frame);
    return run_on(frame, mode);
}

#endif
