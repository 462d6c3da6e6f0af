/* A game in progress: the memory that a program works on. */

#ifndef FCDL_FRAME_H
#define FCDL_FRAME_H

#include <string.h>

#include "events.h"
#include "program.h"

/* Rounds of loops within nodes in one run; beyond this a chart is as good as endless. Whether the run has to stop is
   looked at every FUEL_SLICE of them. */
enum { FUEL = 200000000, FUEL_SLICE = 1000000 };

/* The part of a state that all games have. */
typedef struct {
    int32_t status, kind, mover, reason;
    int32_t node; /* index of the node where the game stands */
    int32_t loop_left, steps_left, moves;
    int32_t last_pass, passes; /* the number of the last move that was a pass, and how many came in a row */
} Header;

enum { ASK_NOTHING, ASK_ORDER, ASK_NUMBER };

/* How a run began. */
typedef struct {
    uint64_t random;
    int64_t fuel, look;
    int32_t move;
    int16_t has_move, mode;
} NotedRun;

/* From where a frame can be brought back to where it is, should compiled code crash (guard.c): a state, or (NULL) what
   the memory was, which is then kept behind it, and the runs since. */
enum { NOTED_RUNS = 16 };
typedef struct {
    const unsigned char *state;
    int lasting; /* nothing but runs changes the frame; otherwise the past is that of one run */
    int runs;
    NotedRun run[NOTED_RUNS];
    uint32_t at;
    int ask, answered;
    int32_t number, order_size;
    uint8_t order[MAX_CARDS];
} Past;

/* A game in progress. */
typedef struct Frame {
    const Program *program;
    unsigned char *memory; /* twice: what it was comes behind it (see Past) */
    Header *header;
    Events *events; /* NULL: not wanted */
    uint32_t at;    /* instruction to continue at */
    int has_move;
    int32_t move; /* card, PASS, value, or the number of a set */
    uint64_t legal[MAX_WORDS];
    int32_t value_count, highest_value;
    int32_t values[MAX_VALUES];
    int32_t set_count;      /* the sets of cards that are offered, */
    unsigned char *offered; /* as card sets one after the other (NULL in games that offer none), */
    int32_t *set_numbers;   /* and their numbers as moves; */
    int32_t set_asked;      /* the place of the last one that was asked for */
    int ask, answered;
    int32_t number; /* what chance is asked, and its answer */
    int32_t order_size;
    uint8_t order[MAX_CARDS];
    uint64_t random;
    int64_t fuel, look;  /* rounds of loops that are left, and how many are left when it is looked whether to stop */
    int (*stop)(void *); /* whether to stop; NULL: never */
    void *stopper;
    Past past; /* not copied */
} Frame;

/* Opens a frame at the start of a game; -1: no memory. */
int frame_open(Frame *frame, const Program *program);
void frame_close(Frame *frame);
/* Back to the start of the game. */
void frame_reset(Frame *frame);
/* Puts a state into a frame; the decision has to be reached again (by running) before anything is asked of it. */
void frame_load(Frame *frame, const unsigned char *state);
/* The same with a state that is not touched until another one is loaded; nor is the frame, but by runs. */
void frame_load_lasting(Frame *frame, const unsigned char *state);
/* From now on nothing but runs changes the frame. */
void frame_lasts(Frame *frame);
/* Makes a frame of the same program stand where the other does; nothing but runs changes it. */
void frame_copy(Frame *frame, const Frame *other);

/* Copies the frame's state to where there is room for one. */
void frame_save(const Frame *frame, unsigned char *state);

/* All the fuel of a run, again. */
static inline void frame_refuel(Frame *frame) {
    frame->fuel = FUEL;
    frame->look = FUEL - FUEL_SLICE;
}

/* Whether the run has to stop. */
static inline int frame_must_stop(const Frame *frame) { return frame->stop && frame->stop(frame->stopper); }

/* Where there is less fuel than `look`: whether to go on. */
static inline int frame_goes_on(Frame *frame) {
    if (frame->fuel >= 0 && frame_must_stop(frame)) frame->fuel = -1;
    frame->look = frame->fuel > FUEL_SLICE ? frame->fuel - FUEL_SLICE : 0;
    return frame->fuel >= 0;
}

static inline uint16_t *next_links(const Frame *frame) {
    return (uint16_t *)(void *)(frame->memory + frame->program->links_at);
}

/* A set of cards as the number of a move: the same in all positions, so that searches know it again in other worlds, and
   the same whichever copies of its cards it has. Of few cards it is the place of the set among all sets of the deck, of
   more cards a hash (from HASHED_SET). */
enum { HASHED_SET = 1 << 30 };
static inline int32_t set_number(const Program *program, const uint64_t *words) {
    uint64_t place = 0, hash = 0;
    uint32_t size = 0;
    for (int word = 0, before = NONE; word < set_words(program); word++) {
        for (uint64_t rest = words[word]; rest; rest &= rest - 1) {
            int card = 64 * word + __builtin_ctzll(rest);
            if (program->has_copies) /* those that look like it have the numbers from its kind on */
                card =
                    before >= 0 && program->kinds[before] == program->kinds[card] ? before + 1 : program->kinds[card];
            before = card;
            hash = (hash ^ (uint64_t)card) * UINT64_C(0x9E3779B97F4A7C15);
            hash ^= hash >> 29;
            if (++size <= program->ranked_size) place += program->binomials[size * (MAX_CARDS + 1) + (uint32_t)card];
        }
    }
    if (size > program->ranked_size) return (int32_t)(hash >> 34) | HASHED_SET;
    for (uint32_t n = 0; n < size; n++) place += program->binomials[n * (MAX_CARDS + 1) + (uint32_t)program->deck_size];
    return (int32_t)place;
}

/* Gives the sets that are offered their numbers; should two hashes be the same, the later set has the next number. */
static inline void number_sets(Frame *frame) {
    const size_t size = set_bytes(frame->program);
    for (int32_t n = 0; n < frame->set_count; n++) {
        uint64_t words[MAX_WORDS];
        memcpy(words, frame->offered + (size_t)n * size, size);
        int32_t number = set_number(frame->program, words);
        for (int32_t k = 0; number >= HASHED_SET && k < n; k++)
            if (frame->set_numbers[k] == number) number = number == INT32_MAX ? HASHED_SET : number + 1, k = -1;
        frame->set_numbers[n] = number;
    }
}

/* The place of the set with this number among those that are offered; NONE if there is none. Mostly it is the last one
   that was asked for, or the next. */
static inline int32_t offered_place(Frame *frame, int32_t number) {
    for (int32_t n = 0, place = frame->set_asked; n < frame->set_count; n++, place++) {
        if (place >= frame->set_count) place = 0;
        if (frame->set_numbers[place] == number) return frame->set_asked = place;
    }
    return NONE;
}

static inline const int32_t *scores_of(const Frame *frame) {
    return (const int32_t *)(const void *)frame->memory + frame->program->score;
}

#endif
