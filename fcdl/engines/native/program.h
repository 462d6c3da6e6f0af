/* The node program: verified when it is loaded, then immutable. */

#ifndef FCDL_PROGRAM_H
#define FCDL_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "constants.h"
#include "opcodes.h"

#define NAME_OF(name, operands) OP_##name,
enum { OPCODES(NAME_OF) OPCODE_COUNT };
#undef NAME_OF

/* The kinds of the operands, by opcode. */
extern const char *const SIGNATURES[OPCODE_COUNT];

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

struct Frame;
/* The compiled code of a function, with as many arguments as it has parameters. */
typedef int32_t (*Callee)(struct Frame *, const int32_t *);

/* A verified program; immutable, shared by all frames and threads (but for its compiled parts, which may be set once). */
typedef struct {
    Instruction *code;
    uint32_t code_size;
    uint32_t game_size; /* the instructions of the game; those of functions come after them */
    Function *functions;
    uint32_t function_count;
    int32_t players, deck_size;
    int32_t places;             /* the most places that a zone or a variable has; indices are smaller, or negative */
    int has_copies;             /* whether there are cards that look alike */
    uint8_t kinds[MAX_CARDS];   /* by card: the first of those that look like it, which are neighbours */
    int has_sets;               /* whether a decision is for a set of cards */
    uint32_t ranked_size;       /* sets of so many cards have their place as a number */
    uint64_t *binomials;        /* by size up to that and number of cards up to MAX_CARDS: how many sets there are */
    int32_t pack;               /* zone */
    int32_t score, passed;      /* first slots of these variables */
    int32_t picks_left;         /* slot */
    uint32_t zones, zone_slots; /* zone slots: some to spare, so that zone + index is always a slot */
    uint32_t constants, temporaries, variables, slots;
    uint32_t set_temporaries, sets;
    uint32_t links;
    int width;            /* card sets have 64, 128 or 256 bits: 0, 1, 2 */
    int32_t *first_slots; /* values of all slots at the start */
    uint64_t *first_sets; /* values of all sets at the start */
    uint64_t in_play[MAX_WORDS];
    uint8_t cards[MAX_CARDS]; /* those in play, in deck order */
    int32_t cards_in_play;
    uint8_t *ordered; /* by zone */
    Table *tables, *set_tables;
    uint32_t table_count, set_table_count;
    int32_t *entries;
    uint64_t *set_entries;
    uint32_t entry_count, set_entry_count;
    int32_t *nodes; /* numbers of the nodes in the chart */
    uint32_t node_count;
    uint32_t *resume;   /* by node: the instruction where a decision starts again, or UINT32_MAX */
    uint32_t *arrivals; /* by instruction: where its list of nodes begins in arrival_nodes */
    uint16_t *arrival_nodes;
    uint32_t arrival_count;
    uint16_t *node_of; /* by instruction */
    uint16_t *returns;
    uint32_t return_count;
    /* The frame's memory: slots (constants, temporaries, variables), header, links, sets (zones, temporaries, constants).
       Variables, header, links and zones lie together: they are the state. */
    size_t header_at, links_at, sets_at, frame_size, state_at, state_size;
    int (*compiled)(struct Frame *, int); /* runs the game; NULL: nothing does but the interpreter */
    const Callee *compiled_functions;     /* by number; NULL: only the interpreter knows them */
    void *libraries[2];                   /* where the two come from */
} Program;

/* The same layout, from how many there are of what. */
#define ALIGNED(size) (((size) + 15) & ~(size_t)15)
#define HEADER_AT(slots) ALIGNED((slots) * sizeof(int32_t))
#define LINKS_AT(slots) (HEADER_AT(slots) + sizeof(Header))
#define SETS_AT(slots, links) ALIGNED(LINKS_AT(slots) + 2 * (links) * sizeof(uint16_t))

/* The words of 64 bits that a card set has; MAX_WORDS at most. */
static inline int set_words(const Program *program) { return 1 << program->width; }

static inline size_t set_bytes(const Program *program) { return (size_t)8 << program->width; }

/* Whether two cards look alike. */
static inline int alike(const Program *program, int32_t first, int32_t second) {
    if (first == second || !program->has_copies) return first == second;
    return (uint32_t)first < MAX_CARDS && (uint32_t)second < MAX_CARDS &&
           program->kinds[first] == program->kinds[second];
}

/* The cards that look like a card of the deck are those from its kind to before this one. */
static inline int32_t after_copies(const Program *program, int32_t card) {
    int32_t after = card + 1;
    while (after < program->deck_size && program->kinds[after] == program->kinds[card]) after++;
    return after;
}

/* Whether bytes can be a state of a program: what the interpreter uses as an index is one. */
int state_is_valid(const Program *program, const unsigned char *bytes, size_t size);

#endif
