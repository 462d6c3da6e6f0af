/* The interpreter. interpreter.c includes this for card sets of 64, 128 and 256 bits, for plain machines and for those
   with fast bit operations, and defines SET (the type of card sets), SET_WORDS and NAME(x) before each inclusion. */

#include "cards.h"

#define V(slot) v[slot]
#define M(set) m[set]
#define EVENTS frame->events
#define AT ((uint32_t)(i - code))
/* On to the next instruction. Written out after each one, so that the processor learns what usually follows what. */
#define NEXT                                                     \
    do {                                                         \
        i = ip++;                                                \
        loop_left -= i->steps;                                   \
        if (__builtin_expect(loop_left < 0, 0)) goto step_limit; \
        goto *labels[i->op];                                     \
    } while (0)
#define GO(target)            \
    do {                      \
        ip = code + (target); \
        NEXT;                 \
    } while (0)
#define GO_IF(condition, target)             \
    do {                                     \
        if (condition) ip = code + (target); \
        NEXT;                                \
    } while (0)
#define GO_BACK(address) GO(address)
#define PATH_BEGINS (void)0
/* An instruction, by its opcode. */
#define CASE_OF(name, operands)                                \
    do_##name : DO_##name(i->a, i->b, i->c, i->d, i->e, i->f); \
    NEXT;

/* Runs until a decision (mode RANDOM_MOVES: through it), a question to chance (RANDOM_CHANCE: through it), the end, or
   what else the mode says. */
static KEEP_JUMPS int NAME(run)(Frame *frame, int mode) {
#define LABEL_OF(name, operands) &&do_##name,
    static const void *const labels[] = {OPCODES(LABEL_OF)};
#undef LABEL_OF
    const Program *const program = frame->program;
    const Instruction *const code = program->code;
    const Table *const tables = program->tables, *const set_tables = program->set_tables;
    const int32_t *const entries = program->entries;
    const SET *const set_entries = (const SET *)(const void *)program->set_entries;
    const uint32_t players = (uint32_t)program->players, places = (uint32_t)program->places;
    const int deck_size = program->deck_size;
    int32_t *const v = (int32_t *)(void *)frame->memory;
    SET *const m = (SET *)(void *)(frame->memory + program->sets_at);
    uint16_t *const next = next_links(frame), *const back = next + program->links;
    const Instruction *ip = code + frame->at, *i;
    LOCALS_OF_A_RUN;

    loop_left += ip->steps; /* counted when the game stopped here */

    NEXT;

    OPCODES(CASE_OF)

#include "stops.h"
    return result;
}

#undef V
#undef M
#undef EVENTS
#undef AT
#undef NEXT
#undef GO
#undef GO_IF
#undef GO_BACK
#undef PATH_BEGINS
#undef CASE_OF
