/* The node program, the frame it works on, and the buffer of events. */

#ifndef FCDL_ENGINE_H
#define FCDL_ENGINE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "opcodes.h"

enum { NONE = -1, ANY = -2, PASS = -1 };
enum { MAX_PLAYERS = 64, MAX_CARDS = 128, MAX_VALUES = 256, MAX_RANGE = 1000, MAX_PARAMETERS = 16 };
enum { LOOP_LIMIT = 10000, STEP_LIMIT = 1000000, PASS_LIMIT = 200 };
/* Rounds of loops within nodes in one run; beyond this a chart is as good as endless. */
#define FUEL INT64_C(200000000)

#define NAME_OF(name, operands) OP_##name,
enum { OPCODES(NAME_OF) OPCODE_COUNT };
#undef NAME_OF

typedef struct {
    uint16_t op, a, b, c, d, e, f;
    uint16_t steps; /* nodes arrived at */
} Instruction;

/* An expression with parameters. Its code reads the position and writes temporaries only. */
typedef struct {
    uint32_t entry;      /* instruction */
    uint32_t parameters; /* how many */
    uint32_t arguments;  /* the slot of the first; the others follow */
    uint32_t result;     /* slot */
} Function;

typedef struct {
    int32_t low, high; /* the first and the last value that have an entry */
    uint32_t first;    /* where the entries begin */
    uint32_t unused;
} Table;

/* A verified program; immutable, shared by all frames and threads. */
typedef struct {
    Instruction *code;
    uint32_t code_size;
    uint32_t game_size; /* the instructions of the game; those of functions come after them */
    Function *functions;
    uint32_t function_count;
    int32_t players, deck_size;
    int32_t copy_distance; /* distance between copies of a card, 0 if there is one of each */
    int32_t pack;          /* zone */
    int32_t score, passed; /* first slots of these variables */
    int32_t picks_left;    /* slot */
    uint32_t zones, zone_slots; /* zone slots: some to spare, so that zone + player is always a slot */
    uint32_t constants, temporaries, variables, slots;
    uint32_t set_temporaries, sets;
    uint32_t links;
    int wide; /* card sets have 128 bits, not 64 */
    int32_t *first_slots; /* values of all slots at the start */
    uint64_t *first_sets; /* values of all sets at the start; two words each */
    uint64_t in_play[2];
    uint8_t *ordered; /* by zone */
    Table *tables, *set_tables;
    uint32_t table_count, set_table_count;
    int32_t *entries;
    uint64_t *set_entries; /* one or two words each, as `wide` says */
    uint32_t entry_count, set_entry_count;
    int32_t *nodes; /* numbers of the nodes in the chart */
    uint32_t node_count;
    uint32_t *resume; /* by node: the instruction where a decision starts again, or UINT32_MAX */
    uint32_t *arrivals; /* by instruction: where its list of nodes begins in arrival_nodes */
    uint16_t *arrival_nodes;
    uint32_t arrival_count;
    uint16_t *node_of; /* by instruction */
    uint16_t *returns;
    uint32_t return_count;
    /* The frame's memory: slots (constants, temporaries, variables), header, links, sets (zones, temporaries, constants).
       Variables, header, links and zones lie together: they are the state. */
    size_t header_at, links_at, sets_at, frame_size, state_at, state_size;
} Program;

enum { NOT_STARTED, DECISION, OVER };
enum { KIND_PLAY, KIND_PLAY_OR_PASS, KIND_PICK, KIND_CHOOSE };
enum { REASON_END, REASON_FAULT, REASON_NO_LEGAL_MOVE, REASON_STEP_LIMIT, REASON_STALEMATE, REASON_COUNT };

/* The part of a state that all games have. */
typedef struct {
    int32_t status, kind, mover, reason;
    int32_t node; /* index of the node where the game stands */
    int32_t loop_left, steps_left, moves;
    int32_t last_pass, passes; /* the number of the last move that was a pass, and how many came in a row */
} Header;

enum { EVENT_ASSIGN, EVENT_BRANCH, EVENT_MOVE, EVENT_SHUFFLE, EVENT_PLAY, EVENT_PICK, EVENT_PASS, EVENT_CHOOSE,
       EVENT_PUBLISH, EVENT_SHOW, EVENT_END };

/* Records of events: kind, number of values that follow, node, values. */
typedef struct {
    int32_t *data;
    size_t used, capacity, record;
    int failed;
} Events;

enum { ASK_NOTHING, ASK_ORDER, ASK_NUMBER };

/* A game in progress. */
typedef struct {
    const Program *program;
    unsigned char *memory;
    Header *header;
    Events *events; /* NULL: not wanted */
    uint32_t at;    /* instruction to go on with */
    int has_move;
    int32_t move; /* card, PASS or value */
    uint64_t legal[2];
    int32_t value_count;
    int32_t values[MAX_VALUES];
    int ask, answered;
    int32_t number; /* what chance is asked, and its answer */
    int32_t order_size;
    uint8_t order[MAX_CARDS];
    uint64_t random;
    int64_t fuel;
} Frame;

/* How to run: chance and moves are made here, not asked for; the run ends before all cards are gathered (and can go on
   from there), or at a pause (and cannot); a function is called. */
enum { RANDOM_CHANCE = 1, RANDOM_MOVES = 2, ONE_HAND = 4, ONE_PASS = 8, FUNCTION_CALL = 16 };
enum { RESULT_DECISION, RESULT_OVER, RESULT_CHANCE, RESULT_ILLEGAL, RESULT_HAND, RESULT_PASS, RESULT_VALUE };

#if defined(__GNUC__) && !defined(__clang__)
/* GCC would merge the jumps at the ends of the instructions into one. */
#define KEEP_JUMPS __attribute__((optimize("no-gcse", "no-crossjumping")))
#else
#define KEEP_JUMPS
#endif

typedef int (*Runner)(Frame *, int);

/* The interpreter for a program on this machine. */
Runner runner(const Program *program);

/* Puts a state into a frame; the decision has to be reached again (by running) before anything is asked of it. */
void frame_load(Frame *frame, const unsigned char *state);

static inline uint64_t next_random(uint64_t *state) {
    *state += UINT64_C(0xa0761d6478bd642f);
    unsigned __int128 product = (unsigned __int128)*state * (*state ^ UINT64_C(0xe7037ed1a0b428db));
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

static inline uint32_t random_below(uint64_t *state, uint32_t below) {
    return (uint32_t)(((unsigned __int128)next_random(state) * below) >> 64);
}

static inline int32_t saturated(int64_t value) {
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int32_t)value;
}

static inline int32_t floor_divide(int32_t a, int32_t b) {
    if (b == 0) return 0;
    int64_t quotient = (int64_t)a / b;
    if ((int64_t)a % b != 0 && (a < 0) != (b < 0)) quotient--;
    return saturated(quotient);
}

static inline int32_t floor_modulo(int32_t a, int32_t b) {
    if (b == 0) return 0;
    int64_t rest = (int64_t)a % b;
    if (rest != 0 && (rest < 0) != (b < 0)) rest += b;
    return (int32_t)rest;
}

static inline const int32_t *table_entry(const Table *table, const int32_t *entries, int32_t value) {
    value = value < table->low ? table->low : value;
    value = value > table->high ? table->high : value;
    return entries + table->first + (value - table->low);
}

static inline uint16_t *next_links(const Frame *frame) {
    return (uint16_t *)(void *)(frame->memory + frame->program->links_at);
}

void event_begin(Events *events, int32_t kind, int32_t node);
void event_add(Events *events, int32_t value);

#endif
