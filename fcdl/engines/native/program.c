#include "types.h"

#include <stdlib.h>
#include <string.h>

void program_free(Program *program) {
    free(program->code);
    free(program->functions);
    free(program->first_slots);
    free(program->first_sets);
    free(program->ordered);
    free(program->tables);
    free(program->set_tables);
    free(program->entries);
    free(program->set_entries);
    free(program->nodes);
    free(program->resume);
    free(program->arrivals);
    free(program->arrival_nodes);
    free(program->node_of);
    free(program->returns);
    free(program->binomials);
}

static int get_int(PyObject *parts, const char *name, int64_t low, int64_t high, int64_t *value) {
    PyObject *item = PyDict_GetItemString(parts, name);
    if (!item) {
        PyErr_Format(PyExc_ValueError, "bad program: no %s", name);
        return -1;
    }
    *value = PyLong_AsLongLong(item);
    if (*value == -1 && PyErr_Occurred()) return -1;
    if (*value < low || *value > high) {
        PyErr_Format(PyExc_ValueError, "bad program: %s is %lld", name, (long long)*value);
        return -1;
    }
    return 0;
}

/* A copy of an array of items of `size` bytes, and their number. */
static void *get_array(PyObject *parts, const char *name, size_t size, uint32_t *count) {
    PyObject *item = PyDict_GetItemString(parts, name);
    if (!item || !PyBytes_Check(item)) {
        PyErr_Format(PyExc_ValueError, "bad program: no %s", name);
        return NULL;
    }
    size_t bytes = (size_t)PyBytes_GET_SIZE(item);
    if (bytes % size != 0 || bytes / size > 1u << 24) {
        PyErr_Format(PyExc_ValueError, "bad program: %s has %zu bytes", name, bytes);
        return NULL;
    }
    *count = (uint32_t)(bytes / size);
    void *copy = malloc(bytes ? bytes : 1);
    if (!copy) {
        PyErr_NoMemory();
        return NULL;
    }
    memcpy(copy, PyBytes_AS_STRING(item), bytes);
    return copy;
}

static int refuse(const char *why, uint32_t where) {
    PyErr_Format(PyExc_ValueError, "bad program: %s at %u", why, (unsigned)where);
    return -1;
}

const char *const SIGNATURES[OPCODE_COUNT] = {
#define SIGNATURE_OF(name, operands) operands,
    OPCODES(SIGNATURE_OF)
#undef SIGNATURE_OF
};

/* Whether an operand means something; the hot loop relies on it. */
static int operand_is_valid(const Program *program, char kind, uint16_t operand, uint16_t following) {
    uint32_t places = (uint32_t)program->places;
    switch (kind) {
    case 's':
    case 'p':
        return operand < program->slots;
    case 'd':
        return operand >= program->constants && operand < program->slots;
    case 'S':
        return operand < program->sets;
    case 'D':
        return operand >= program->zone_slots && operand < program->zone_slots + program->set_temporaries;
    case 'T':
        return operand < program->table_count;
    case 'C':
        return operand < program->table_count && program->tables[operand].low == NONE &&
               program->tables[operand].high == program->deck_size - 1;
    case 'M':
        return operand < program->set_table_count;
    case 'Z':
        return operand + places <= program->zone_slots;
    case 'B':
        return operand >= program->constants && operand + places <= program->slots;
    case 'J':
        return operand < program->code_size;
    case 'N':
        return operand < program->node_count;
    case 'R':
        return (uint32_t)operand + following <= program->return_count;
    default:
        return kind == 'i';
    }
}

static int ends_block(uint16_t op) {
    return op == OP_JUMP || op == OP_CALL || op == OP_RETURN || op == OP_END || op == OP_STOP;
}

/* Whether an instruction may stand in a function: it computes, jumps or stops. */
static int is_pure(uint16_t op) {
    return (op <= OP_JTOPNLT && op != OP_STOREP && op != OP_ADDP && op != OP_RANDOM) || op == OP_STOP;
}

/* Loops within a node have fuel; every other way back must arrive at a node, so that steps are counted. */
static int may_go_back(uint16_t op) {
    return op == OP_AGAIN || op == OP_AGAINCARD || op == OP_REPICK || (op >= OP_NEXTSET && op <= OP_NEXTSUM);
}

/* Where a player decides, the game waits and must find its way back. */
static int is_decision(uint16_t op) { return (op >= OP_PLAY && op <= OP_PICK) || op == OP_CHOOSE || op == OP_TAKE; }

/* A function must leave the state alone, and count nothing. */
static int verify_pure(const Program *program, uint32_t n) {
    const Instruction *i = &program->code[n];
    if (!is_pure(i->op) || i->steps) return refuse("bad instruction of a function", n);
    if (SIGNATURES[i->op][0] == 'd' && i->a >= program->constants + program->temporaries)
        return refuse("a function that changes a variable", n);
    return 0;
}

static int verify_functions(const Program *program) {
    uint32_t first = program->constants, after = program->constants + program->temporaries;
    if (program->game_size < 1 || program->game_size > program->code_size ||
        !ends_block(program->code[program->game_size - 1].op))
        return refuse("no end", program->game_size);
    for (uint32_t n = 0; n < program->function_count; n++) {
        const Function *function = &program->functions[n];
        if (function->entry < program->game_size || function->entry >= program->code_size ||
            function->parameters > MAX_PARAMETERS || function->arguments < first || function->arguments > after ||
            function->arguments + function->parameters > after || function->result >= program->slots)
            return refuse("bad function", n);
    }
    return 0;
}

static int has_all_cards(const Program *program, uint16_t table) {
    return program->set_tables[table].low == 0 && program->set_tables[table].high == program->deck_size - 1;
}

static int verify_code(const Program *program) {
    uint32_t arrivals = 0;
    for (uint32_t n = 0; n < program->code_size; n++) {
        const Instruction *i = &program->code[n];
        if (i->op >= OPCODE_COUNT) return refuse("unknown instruction", n);
        const char *signature = SIGNATURES[i->op];
        const uint16_t operands[7] = {i->a, i->b, i->c, i->d, i->e, i->f, 0};
        for (int k = 0; signature[k]; k++) {
            if (!operand_is_valid(program, signature[k], operands[k], operands[k + 1])) return refuse("bad operand", n);
            if (signature[k] == 'J' && (operands[k] < program->game_size) != (n < program->game_size))
                return refuse("a jump between the game and a function", n);
            if (signature[k] == 'J' && operands[k] <= n && !may_go_back(i->op) && !program->code[operands[k]].steps)
                return refuse("a way back that is not counted", n);
        }
        if ((i->op == OP_ALIKE && !has_all_cards(program, i->c)) ||
            ((i->op == OP_NEXTCLOSE || i->op == OP_SKIPCLOSE) && !has_all_cards(program, i->e)))
            return refuse("a table that does not have all cards", n);
        arrivals += i->steps;
        if (program->arrivals[n] + (uint64_t)i->steps > program->arrival_count) return refuse("bad arrivals", n);
        if (program->node_of[n] >= program->node_count) return refuse("bad node", n);
        if (is_decision(i->op) && program->resume[program->node_of[n]] == UINT32_MAX) return refuse("bad decision", n);
        if (i->op == OP_RETURN && !i->steps) return refuse("a return that is not counted", n);
        if (n >= program->game_size ? verify_pure(program, n) < 0 : i->op == OP_STOP) return refuse("bad stop", n);
    }
    if (!ends_block(program->code[program->code_size - 1].op)) return refuse("no end", program->code_size - 1);
    if (arrivals > program->arrival_count) return refuse("bad arrivals", 0);
    return 0;
}

static int verify_tables(const Table *tables, uint32_t count, uint32_t entries) {
    for (uint32_t n = 0; n < count; n++) {
        int64_t span = (int64_t)tables[n].high - tables[n].low;
        if (span < 0 || (int64_t)tables[n].first + span >= entries) return refuse("bad table", n);
    }
    return 0;
}

static int verify(const Program *program) {
    for (uint32_t n = 0; n < program->return_count; n++)
        if (program->returns[n] >= program->game_size) return refuse("bad return address", n);
    for (uint32_t n = 0; n < program->node_count; n++)
        if (program->resume[n] != UINT32_MAX && program->resume[n] >= program->game_size)
            return refuse("bad decision", n);
    for (uint32_t n = 0; n < program->arrival_count; n++)
        if (program->arrival_nodes[n] >= program->node_count) return refuse("bad arrivals", n);
    if (verify_tables(program->tables, program->table_count, program->entry_count) < 0 ||
        verify_tables(program->set_tables, program->set_table_count, program->set_entry_count) < 0)
        return -1;
    if (verify_functions(program) < 0) return -1;
    return verify_code(program);
}

#define INT(field, name, low, high)                                 \
    do {                                                            \
        int64_t value;                                              \
        if (get_int(parts, name, low, high, &value) < 0) return -1; \
        field = (__typeof__(field))value;                           \
    } while (0)
#define ARRAY(field, name, size, count)              \
    do {                                             \
        field = get_array(parts, name, size, count); \
        if (!field) return -1;                       \
    } while (0)

/* Counts the sets of the deck by size, as far as their places are numbers below HASHED_SET. */
static int number_all_sets(Program *program) {
    enum { MOST = 16 };
    for (uint32_t n = 0; n < program->code_size; n++)
        program->has_sets |= program->code[n].op == OP_TAKE || program->code[n].op == OP_OFFER;
    program->binomials = calloc((size_t)(MOST + 1) * (MAX_CARDS + 1), sizeof *program->binomials);
    if (!program->binomials) return -1;
    uint64_t all = 1;
    for (uint32_t cards = 0; cards <= MAX_CARDS; cards++) program->binomials[cards] = 1;
    for (uint32_t size = 1; size <= MOST; size++) {
        uint64_t *row = program->binomials + size * (MAX_CARDS + 1), *smaller = row - (MAX_CARDS + 1);
        for (uint32_t cards = 1; cards <= (uint32_t)program->deck_size; cards++)
            row[cards] = row[cards - 1] + smaller[cards - 1];
        all += row[program->deck_size];
        if (all >= HASHED_SET) break;
        program->ranked_size = size;
    }
    return 0;
}

int program_load(Program *program, PyObject *parts) {
    uint32_t count;
    INT(program->players, "players", 1, MAX_PLAYERS);
    INT(program->places, "places", program->players, MAX_SLOTS);
    INT(program->deck_size, "deck_size", 1, MAX_CARDS);
    INT(program->zones, "zones", 1, 4096);
    program->zone_slots = program->zones + (uint32_t)program->places;
    program->links = (uint32_t)program->deck_size + program->zone_slots;
    INT(program->pack, "pack", 0, program->zones - 1);
    INT(program->constants, "constants", 1, MAX_SLOTS);
    INT(program->temporaries, "temporaries", 0, MAX_SLOTS);
    INT(program->variables, "variables", 1, MAX_SLOTS);
    INT(program->set_temporaries, "set_temporaries", 0, MAX_SLOTS);
    program->width = program->deck_size > 128 ? 2 : program->deck_size > 64;
    size_t set_size = set_bytes(program);
    ARRAY(program->first_slots, "first_slots", sizeof(int32_t), &program->slots);
    if (program->slots != program->constants + program->temporaries + program->variables ||
        program->slots > MAX_SLOTS || (program->constants + program->temporaries) % SLOT_ALIGNMENT != 0)
        return refuse("bad slots", program->slots);
    ARRAY(program->first_sets, "first_sets", set_size, &program->sets);
    if (program->sets < program->zone_slots + program->set_temporaries || program->sets > MAX_SLOTS)
        return refuse("bad sets", program->sets);
    int64_t low_slot = program->constants + program->temporaries, high_slot = program->slots - program->players;
    INT(program->score, "score", low_slot, high_slot);
    INT(program->passed, "passed", low_slot, high_slot);
    INT(program->picks_left, "picks_left", low_slot, program->slots - 1);
    uint64_t *in_play = get_array(parts, "in_play", sizeof program->in_play, &count);
    if (!in_play) return -1;
    int fits = count == 1;
    if (fits) memcpy(program->in_play, in_play, sizeof program->in_play);
    free(in_play);
    for (int card = program->deck_size; card < MAX_CARDS; card++)
        if (program->in_play[card / 64] >> (card % 64) & 1) fits = 0;
    if (!fits) return refuse("bad cards", count);
    for (int card = 0; card < program->deck_size; card++)
        if (program->in_play[card / 64] >> (card % 64) & 1) program->cards[program->cards_in_play++] = (uint8_t)card;
    uint8_t *kinds = get_array(parts, "kinds", 1, &count);
    if (!kinds) return -1;
    fits = count == (uint32_t)program->deck_size;
    if (fits) memcpy(program->kinds, kinds, count);
    free(kinds);
    for (int card = 0; fits && card < program->deck_size; card++) {
        int kind = program->kinds[card];
        fits = kind == card || (card > 0 && kind == program->kinds[card - 1]);
        if (kind != card) program->has_copies = 1;
    }
    if (!fits) return refuse("bad copies", count);
    uint8_t *ordered = get_array(parts, "ordered", 1, &count);
    if (!ordered) return -1;
    program->ordered = calloc(program->zone_slots, 1);
    if (program->ordered && count == program->zones) memcpy(program->ordered, ordered, count);
    free(ordered);
    if (!program->ordered || count != program->zones || !program->ordered[program->pack])
        return refuse("bad zones", count);
    ARRAY(program->tables, "tables", sizeof(Table), &program->table_count);
    ARRAY(program->set_tables, "set_tables", sizeof(Table), &program->set_table_count);
    ARRAY(program->entries, "entries", sizeof(int32_t), &program->entry_count);
    ARRAY(program->set_entries, "set_entries", set_size, &program->set_entry_count);
    ARRAY(program->nodes, "nodes", sizeof(int32_t), &program->node_count);
    ARRAY(program->resume, "resume", sizeof(uint32_t), &count);
    if (count != program->node_count || count < 1) return refuse("bad decisions", count);
    ARRAY(program->returns, "returns", sizeof(uint16_t), &program->return_count);
    ARRAY(program->code, "code", sizeof(Instruction), &program->code_size);
    if (program->code_size < 1 || program->code_size > MAX_SLOTS) return refuse("bad code", program->code_size);
    INT(program->game_size, "game_size", 1, program->code_size);
    ARRAY(program->functions, "functions", sizeof(Function), &program->function_count);
    ARRAY(program->arrival_nodes, "arrival_nodes", sizeof(uint16_t), &program->arrival_count);
    ARRAY(program->arrivals, "arrivals", sizeof(uint32_t), &count);
    if (count != program->code_size) return refuse("bad arrivals", count);
    ARRAY(program->node_of, "node_of", sizeof(uint16_t), &count);
    if (count != program->code_size) return refuse("bad nodes", count);
    /* Sets hold cards of the deck only: zones are empty at the start, constants and entries are checked here. */
    for (uint32_t n = 0; n < program->zone_slots * set_size / 8; n++) program->first_sets[n] = 0;
    unsigned char *pack = (unsigned char *)program->first_sets + (size_t)program->pack * set_size;
    memcpy(pack, program->in_play, set_size);
    program->state_at = (program->constants + program->temporaries) * sizeof(int32_t);
    program->header_at = HEADER_AT(program->slots);
    program->links_at = LINKS_AT(program->slots);
    program->sets_at = SETS_AT(program->slots, program->links);
    program->frame_size = program->sets_at + program->sets * set_size;
    program->state_size = program->sets_at + program->zone_slots * set_size - program->state_at;
    if (number_all_sets(program) < 0) return refuse("no memory", 0);
    return verify(program);
}

int state_is_valid(const Program *program, const unsigned char *bytes, size_t size) {
    if (size != program->state_size) return 0;
    Header header;
    memcpy(&header, bytes + (program->header_at - program->state_at), sizeof header);
    if (header.status < NOT_STARTED || header.status > OVER) return 0;
    if (header.node < 0 || (uint32_t)header.node >= program->node_count) return 0;
    if (header.status == DECISION && program->resume[header.node] == UINT32_MAX) return 0;
    if (header.loop_left < 0 || header.loop_left > LOOP_LIMIT) return 0;
    if (header.steps_left < 0 || header.steps_left > STEP_LIMIT) return 0;
    if (header.kind < KIND_PLAY || header.kind > KIND_SET_OR_PASS) return 0;
    for (uint32_t n = 0; n < 2 * program->links; n++) {
        uint16_t link;
        memcpy(&link, bytes + (program->links_at - program->state_at) + n * sizeof link, sizeof link);
        if (link >= program->links) return 0;
    }
    for (uint32_t zone = 0; zone < program->zone_slots; zone++) {
        uint64_t words[MAX_WORDS] = {0};
        memcpy(words, bytes + (program->sets_at - program->state_at) + zone * set_bytes(program), set_bytes(program));
        for (int word = 0; word < MAX_WORDS; word++)
            if (words[word] & ~program->in_play[word]) return 0;
    }
    return 1;
}
