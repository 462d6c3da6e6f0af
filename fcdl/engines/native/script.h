/* What a seat has seen, as a script: records of kind, number of values, values, which are compared with the events of a
   world that is played. */

#ifndef FCDL_SCRIPT_H
#define FCDL_SCRIPT_H

#include "functions.h"

/* Whether a value of an event is a card that moved or was shown. */
static inline int is_card(int32_t kind, int32_t place) {
    if (kind == EVENT_MOVE) return place >= 2;
    if (kind == EVENT_PLAY || kind == EVENT_PICK || kind == EVENT_TAKE) return place >= 3;
    return kind == EVENT_SHOW && place >= 2;
}

/* Whether a value that is no card of a movement is the one of the script. */
static inline int same_value(const Program *program, int32_t wanted, int32_t told) {
    return wanted > LIKE_CARD ? wanted == told : alike(program, LIKE_CARD - wanted, told);
}

static inline int legal_count(const Frame *frame) {
    if (frame->header->kind == KIND_CHOOSE) return frame->value_count;
    if (is_set_decision(frame->header)) return frame->set_count + (frame->header->kind == KIND_SET_OR_PASS);
    int count = frame->header->kind == KIND_PLAY_OR_PASS;
    for (int word = 0; word < set_words(frame->program); word++) count += __builtin_popcountll(frame->legal[word]);
    return count;
}

static inline int is_legal_card(const Frame *frame, int32_t card) {
    return card >= 0 && card < MAX_CARDS && (frame->legal[card / 64] >> (card % 64) & 1);
}

/* The legal card that looks like this one; NONE if there is none. */
static inline int32_t legal_like(const Frame *frame, int32_t card) {
    const Program *program = frame->program;
    if (!program->has_copies || card < 0) return is_legal_card(frame, card) ? card : NONE;
    for (int32_t other = program->kinds[card], after = after_copies(program, card); other < after; other++)
        if (is_legal_card(frame, other)) return other;
    return NONE;
}

/* The number of the set that is offered and looks like these cards; NONE if there is none. */
static inline int32_t offered_like(const Frame *frame, const int32_t *cards, int32_t count) {
    const Program *program = frame->program;
    uint64_t words[MAX_WORDS] = {0};
    for (int32_t n = 0; n < count; n++) {
        int32_t card = cards[n];
        if (card < 0 || card >= program->deck_size) return NONE;
        for (const int32_t after = after_copies(program, card); card < after; card++) /* of copies, the next one */
            if (!(words[card / 64] >> (card % 64) & 1)) break;
        if (card >= program->deck_size) return NONE;
        words[card / 64] |= UINT64_C(1) << (card % 64);
    }
    const int32_t number = set_number(program, words);
    for (int32_t n = 0; n < frame->set_count; n++)
        if (frame->set_numbers[n] == number) return number;
    return NONE;
}

/* How many cards a set has that is offered, by its place. */
static inline int32_t offered_size(const Frame *frame, int32_t place) {
    const size_t size = set_bytes(frame->program);
    uint64_t words[MAX_WORDS] = {0};
    int32_t count = 0;
    memcpy(words, frame->offered + (size_t)place * size, size);
    for (int word = 0; word < MAX_WORDS; word++) count += __builtin_popcountll(words[word]);
    return count;
}

/* A script is well formed if its records fill it. */
static inline int script_is_valid(const int32_t *script, size_t size) {
    for (size_t at = 0; at < size; at += 2 + (size_t)script[at + 1]) {
        if (at + 2 > size || script[at + 1] < 0 || at + 2 + (size_t)script[at + 1] > size) return 0;
        if (script[at] == EVENT_BRANCH && script[at + 1] < 1) return 0;
    }
    return 1;
}

/* Gives a run so much fuel that it does not do more than the work that is left. Returns how much. */
static inline int64_t fuel_for(Frame *frame, int64_t work) {
    int64_t fuel = work < 1 ? 1 : work < FUEL ? work : FUEL;
    frame->fuel = fuel;
    frame->look = fuel > FUEL_SLICE ? fuel - FUEL_SLICE : 0;
    return fuel;
}

#endif
