/* The native engine: loads node programs, runs games, and gives both to Python. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <math.h>

#include "engine.h"
#include "policies.h"

#ifndef FCDL_MODULE
#define FCDL_MODULE _engine
#endif

/* --- events */

static void event_push(Events *events, int32_t value) {
    if (events->used == events->capacity) {
        size_t capacity = events->capacity ? 2 * events->capacity : 256;
        int32_t *data = realloc(events->data, capacity * sizeof *data);
        if (!data) {
            events->failed = 1;
            return;
        }
        events->data = data;
        events->capacity = capacity;
    }
    events->data[events->used++] = value;
}

void event_begin(Events *events, int32_t kind, int32_t node) {
    events->record = events->used;
    event_push(events, kind);
    event_push(events, 0);
    event_push(events, node);
}

void event_add(Events *events, int32_t value) {
    event_push(events, value);
    if (!events->failed && events->used > events->record + 3) events->data[events->record + 1]++;
}

/* --- the interpreter, four times */

#define JOIN(a, b) a##b
#define SET uint64_t
#define WIDE 0
#define NAME(name) JOIN(name, _64)
#include "interpreter.h"
#undef SET
#undef WIDE
#undef NAME
#define SET unsigned __int128
#define WIDE 1
#define NAME(name) JOIN(name, _128)
#include "interpreter.h"
#undef SET
#undef WIDE
#undef NAME

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__BMI2__)
#define FAST_BITS 1
#pragma GCC push_options
#pragma GCC target("bmi,bmi2,popcnt,lzcnt")
#define SET uint64_t
#define WIDE 0
#define NAME(name) JOIN(name, _64_fast)
#include "interpreter.h"
#undef SET
#undef WIDE
#undef NAME
#define SET unsigned __int128
#define WIDE 1
#define NAME(name) JOIN(name, _128_fast)
#include "interpreter.h"
#undef SET
#undef WIDE
#undef NAME
#pragma GCC pop_options
#endif

static int fast_bits; /* whether this machine has them; set when the module is loaded */

Runner runner(const Program *program) {
#ifdef FAST_BITS
    if (fast_bits) return program->wide ? run_128_fast : run_64_fast;
#endif
    return program->wide ? run_128 : run_64;
}

/* --- frames */

static size_t set_bytes(const Program *program) { return program->wide ? 16 : 8; }

static void frame_reset(Frame *frame) {
    const Program *program = frame->program;
    memcpy(frame->memory, program->first_slots, program->slots * sizeof(int32_t));
    memcpy(frame->memory + program->sets_at, program->first_sets, program->sets * set_bytes(program));
    uint16_t *next = next_links(frame), *back = next + program->links;
    for (uint32_t n = 0; n < program->links; n++) next[n] = back[n] = (uint16_t)n;
    int above = program->deck_size + program->pack, first = above;
    for (int card = 0; card < program->deck_size; card++) {
        if (!(program->in_play[card / 64] >> (card % 64) & 1)) continue;
        next[above] = (uint16_t)card;
        back[card] = (uint16_t)above;
        above = card;
    }
    next[above] = (uint16_t)first;
    back[first] = (uint16_t)above;
    Header header = {.status = NOT_STARTED, .mover = NONE, .loop_left = LOOP_LIMIT, .steps_left = STEP_LIMIT};
    *frame->header = header;
    frame->at = 0;
    frame->header->loop_left = LOOP_LIMIT - program->code[0].steps; /* as if counted: run gives them back */
    frame->header->steps_left = STEP_LIMIT - program->code[0].steps;
    frame->fuel = FUEL;
}

static int frame_open(Frame *frame, const Program *program) {
    memset(frame, 0, sizeof *frame);
    frame->program = program;
    frame->memory = calloc(1, program->frame_size);
    if (!frame->memory) return -1;
    frame->header = (Header *)(void *)(frame->memory + program->header_at);
    frame_reset(frame);
    return 0;
}

static void frame_close(Frame *frame) { free(frame->memory); }

/* Makes a frame of the same program stand where the other does. */
static void frame_copy(Frame *frame, const Frame *other) {
    unsigned char *memory = frame->memory;
    Header *header = frame->header;
    memcpy(memory, other->memory, other->program->frame_size);
    *frame = *other;
    frame->memory = memory;
    frame->header = header;
}

void frame_load(Frame *frame, const unsigned char *state) {
    memcpy(frame->memory + frame->program->state_at, state, frame->program->state_size);
    frame->at = frame->header->status == NOT_STARTED ? 0 : frame->program->resume[frame->header->node];
    frame->has_move = frame->answered = 0;
    frame->fuel = FUEL;
}

/* --- programs */

typedef struct {
    PyObject_HEAD
    Program program;
} ProgramObject;

static void program_free(Program *program) {
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

static const char *const SIGNATURES[] = {
#define SIGNATURE_OF(name, operands) operands,
    OPCODES(SIGNATURE_OF)
#undef SIGNATURE_OF
};

/* Whether an operand means something; the hot loop relies on it. */
static int operand_is_valid(const Program *program, char kind, uint16_t operand, uint16_t following) {
    uint32_t players = (uint32_t)program->players;
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
        return operand + players <= program->zone_slots;
    case 'B':
        return operand >= program->constants && operand + players <= program->slots;
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
static int may_go_back(uint16_t op) { return op == OP_AGAIN || op == OP_AGAINCARD || op == OP_REPICK; }

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

static int verify_code(const Program *program) {
    uint32_t arrivals = 0;
    for (uint32_t n = 0; n < program->code_size; n++) {
        const Instruction *i = &program->code[n];
        if (i->op >= OPCODE_COUNT) return refuse("unknown instruction", n);
        const char *signature = SIGNATURES[i->op];
        const uint16_t operands[7] = {i->a, i->b, i->c, i->d, i->e, i->f, 0};
        for (int k = 0; signature[k]; k++) {
            if (!operand_is_valid(program, signature[k], operands[k], operands[k + 1]))
                return refuse("bad operand", n);
            if (signature[k] == 'J' && (operands[k] < program->game_size) != (n < program->game_size))
                return refuse("a jump between the game and a function", n);
            if (signature[k] == 'J' && operands[k] <= n && !may_go_back(i->op) && !program->code[operands[k]].steps)
                return refuse("a way back that is not counted", n);
        }
        arrivals += i->steps;
        if (program->arrivals[n] + (uint64_t)i->steps > program->arrival_count) return refuse("bad arrivals", n);
        if (program->node_of[n] >= program->node_count) return refuse("bad node", n);
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

static size_t aligned(size_t size) { return (size + 15) & ~(size_t)15; }

#define INT(field, name, low, high)                                       \
    do {                                                                  \
        int64_t value;                                                    \
        if (get_int(parts, name, low, high, &value) < 0) return -1;       \
        field = (__typeof__(field))value;                                 \
    } while (0)
#define ARRAY(field, name, size, count)                                   \
    do {                                                                  \
        field = get_array(parts, name, size, count);                      \
        if (!field) return -1;                                            \
    } while (0)

static int program_load(Program *program, PyObject *parts) {
    uint32_t count;
    INT(program->players, "players", 1, MAX_PLAYERS);
    INT(program->deck_size, "deck_size", 1, MAX_CARDS);
    INT(program->copy_distance, "copy_distance", 0, MAX_CARDS);
    INT(program->zones, "zones", 1, 4096);
    program->zone_slots = program->zones + (uint32_t)program->players;
    program->links = (uint32_t)program->deck_size + program->zone_slots;
    INT(program->pack, "pack", 0, program->zones - 1);
    INT(program->constants, "constants", 1, 65535);
    INT(program->temporaries, "temporaries", 0, 65535);
    INT(program->variables, "variables", 1, 65535);
    INT(program->set_temporaries, "set_temporaries", 0, 65535);
    program->wide = program->deck_size > 64;
    size_t set_size = set_bytes(program);
    ARRAY(program->first_slots, "first_slots", sizeof(int32_t), &program->slots);
    if (program->slots != program->constants + program->temporaries + program->variables || program->slots > 65535 ||
        (program->constants + program->temporaries) % 4 != 0)
        return refuse("bad slots", program->slots);
    ARRAY(program->first_sets, "first_sets", set_size, &program->sets);
    if (program->sets < program->zone_slots + program->set_temporaries || program->sets > 65535)
        return refuse("bad sets", program->sets);
    int64_t low_slot = program->constants + program->temporaries, high_slot = program->slots - program->players;
    INT(program->score, "score", low_slot, high_slot);
    INT(program->passed, "passed", low_slot, high_slot);
    INT(program->picks_left, "picks_left", low_slot, program->slots - 1);
    uint64_t *in_play = get_array(parts, "in_play", 16, &count);
    if (!in_play) return -1;
    int fits = count == 1;
    if (fits) memcpy(program->in_play, in_play, 16);
    free(in_play);
    for (int card = program->deck_size; card < MAX_CARDS; card++)
        if (program->in_play[card / 64] >> (card % 64) & 1) fits = 0;
    if (!fits) return refuse("bad cards", count);
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
    if (program->code_size < 1 || program->code_size > 65535) return refuse("bad code", program->code_size);
    INT(program->game_size, "game_size", 1, program->code_size);
    ARRAY(program->functions, "functions", sizeof(Function), &program->function_count);
    ARRAY(program->arrival_nodes, "arrival_nodes", sizeof(uint16_t), &program->arrival_count);
    ARRAY(program->arrivals, "arrivals", sizeof(uint32_t), &count);
    if (count != program->code_size) return refuse("bad arrivals", count);
    ARRAY(program->node_of, "node_of", sizeof(uint16_t), &count);
    if (count != program->code_size) return refuse("bad nodes", count);
    /* Sets hold cards of the deck only: zones are empty at the start, constants and entries are checked here. */
    for (uint32_t n = 0; n < program->zone_slots * set_size / 8; n++)
        program->first_sets[n] = 0;
    unsigned char *pack = (unsigned char *)program->first_sets + (size_t)program->pack * set_size;
    memcpy(pack, program->in_play, set_size);
    program->state_at = (program->constants + program->temporaries) * sizeof(int32_t);
    program->header_at = aligned(program->slots * sizeof(int32_t));
    program->links_at = program->header_at + sizeof(Header);
    program->sets_at = aligned(program->links_at + 2 * program->links * sizeof(uint16_t));
    program->frame_size = program->sets_at + program->sets * set_size;
    program->state_size = program->sets_at + program->zone_slots * set_size - program->state_at;
    return verify(program);
}

static void program_dealloc(PyObject *self) {
    program_free(&((ProgramObject *)self)->program);
    Py_TYPE(self)->tp_free(self);
}

static PyObject *program_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    PyObject *parts;
    if (keywords && PyDict_GET_SIZE(keywords)) {
        PyErr_SetString(PyExc_TypeError, "Program takes one dict");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "O!", &PyDict_Type, &parts)) return NULL;
    ProgramObject *self = (ProgramObject *)type->tp_alloc(type, 0);
    if (!self) return NULL;
    if (program_load(&self->program, parts) < 0) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

/* --- running with chance from Python */

static PyObject *illegal_move; /* exception */

static int ask_number(Frame *frame, PyObject *chance) {
    PyObject *answer = PyObject_CallMethod(chance, "number", "i", frame->number);
    if (!answer) return -1;
    long value = PyLong_AsLong(answer);
    Py_DECREF(answer);
    if (value == -1 && PyErr_Occurred()) return -1;
    if (value < 0 || value >= frame->number) {
        PyErr_Format(PyExc_ValueError, "chance says %ld where a number below %d is wanted", value, frame->number);
        return -1;
    }
    frame->number = (int32_t)value;
    return 0;
}

static int ask_order(Frame *frame, PyObject *chance) {
    PyObject *cards = PyList_New(frame->order_size);
    if (!cards) return -1;
    uint8_t wanted[MAX_CARDS] = {0};
    for (int n = 0; n < frame->order_size; n++) {
        wanted[frame->order[n]] = 1;
        PyObject *card = PyLong_FromLong(frame->order[n]);
        if (!card) {
            Py_DECREF(cards);
            return -1;
        }
        PyList_SET_ITEM(cards, n, card);
    }
    PyObject *answer = PyObject_CallMethod(chance, "shuffle", "N", cards);
    if (!answer) return -1;
    PyObject *order = PySequence_Fast(answer, "an order of cards is a sequence");
    Py_DECREF(answer);
    if (!order) return -1;
    int fits = PySequence_Fast_GET_SIZE(order) == frame->order_size;
    for (int n = 0; fits && n < frame->order_size; n++) {
        long card = PyLong_AsLong(PySequence_Fast_GET_ITEM(order, n));
        if (card == -1 && PyErr_Occurred()) {
            Py_DECREF(order);
            return -1;
        }
        fits = card >= 0 && card < MAX_CARDS && wanted[card];
        if (fits) {
            wanted[card] = 0;
            frame->order[n] = (uint8_t)card;
        }
    }
    Py_DECREF(order);
    if (!fits) {
        PyErr_SetString(PyExc_ValueError, "chance's answer is not an order of the cards to shuffle");
        return -1;
    }
    return 0;
}

/* Runs to the next decision or the end; -1 with a Python error. A NULL chance is made here. */
static int run_asking(Frame *frame, PyObject *chance) {
    Runner run = runner(frame->program);
    for (;;) {
        int result = run(frame, chance ? 0 : RANDOM_CHANCE);
        if (frame->events && frame->events->failed) {
            PyErr_NoMemory();
            return -1;
        }
        if (result == RESULT_ILLEGAL) {
            PyErr_SetString(illegal_move, "illegal move");
            return -1;
        }
        if (result != RESULT_CHANCE) return 0;
        if ((frame->ask == ASK_NUMBER ? ask_number(frame, chance) : ask_order(frame, chance)) < 0) return -1;
        frame->answered = 1;
    }
}

/* Runs a frame whose program was checked up to its decision, so that its legal moves are known. */
static int reach_decision(Frame *frame) {
    return frame->header->status == DECISION ? run_asking(frame, NULL) : 0;
}

static PyObject *legal_list(const Frame *frame) {
    if (frame->header->status != DECISION) return PyList_New(0);
    int32_t moves[MAX_VALUES];
    uint32_t count = legal_moves(frame, moves);
    PyObject *list = PyList_New(count);
    for (uint32_t n = 0; list && n < count; n++) PyList_SET_ITEM(list, n, PyLong_FromLong(moves[n]));
    return list;
}

static PyObject *score_tuple(const Frame *frame) {
    const Program *program = frame->program;
    PyObject *scores = PyTuple_New(program->players);
    if (!scores) return NULL;
    const int32_t *v = (const int32_t *)(const void *)frame->memory;
    for (int seat = 0; seat < program->players; seat++)
        PyTuple_SET_ITEM(scores, seat, PyLong_FromLong(v[program->score + seat]));
    return scores;
}

static PyObject *state_bytes(const Frame *frame) {
    const Program *program = frame->program;
    return PyBytes_FromStringAndSize((const char *)frame->memory + program->state_at, (Py_ssize_t)program->state_size);
}

/* Whether bytes can be a state of a program: what the interpreter uses as an index is one. */
static int state_is_valid(const Program *program, const unsigned char *bytes, Py_ssize_t size) {
    if ((size_t)size != program->state_size) return 0;
    Header header;
    memcpy(&header, bytes + (program->header_at - program->state_at), sizeof header);
    if (header.status < NOT_STARTED || header.status > OVER) return 0;
    if (header.node < 0 || (uint32_t)header.node >= program->node_count) return 0;
    if (header.status == DECISION && program->resume[header.node] == UINT32_MAX) return 0;
    if (header.loop_left < 0 || header.loop_left > LOOP_LIMIT) return 0;
    if (header.steps_left < 0 || header.steps_left > STEP_LIMIT) return 0;
    if (header.kind < KIND_PLAY || header.kind > KIND_CHOOSE) return 0;
    for (uint32_t n = 0; n < 2 * program->links; n++) {
        uint16_t link;
        memcpy(&link, bytes + (program->links_at - program->state_at) + n * sizeof link, sizeof link);
        if (link >= program->links) return 0;
    }
    for (uint32_t zone = 0; zone < program->zone_slots; zone++) {
        uint64_t words[2] = {0, 0};
        memcpy(words, bytes + (program->sets_at - program->state_at) + zone * set_bytes(program), set_bytes(program));
        if ((words[0] & ~program->in_play[0]) || (words[1] & ~program->in_play[1])) return 0;
    }
    return 1;
}

static int open_at(Frame *frame, const Program *program, Py_buffer *state) {
    int valid = state_is_valid(program, state->buf, state->len);
    if (!valid) PyErr_SetString(PyExc_ValueError, "this is not a state of this game");
    if (valid && frame_open(frame, program) < 0) {
        PyErr_NoMemory();
        valid = 0;
    }
    if (valid) frame_load(frame, state->buf);
    PyBuffer_Release(state);
    return valid ? 0 : -1;
}

/* The state and the events of a frame that has run. */
static PyObject *state_and_events(const Frame *frame, const Events *events) {
    return Py_BuildValue("NN", state_bytes(frame),
                         PyBytes_FromStringAndSize((const char *)events->data,
                                                   (Py_ssize_t)(events->used * sizeof(int32_t))));
}

PyDoc_STRVAR(program_start_doc, "start(chance)\n--\n\nThe state at the first decision, and the events up to it.");
static PyObject *program_start(PyObject *self, PyObject *chance) {
    Frame frame;
    Events events = {0};
    if (frame_open(&frame, &((ProgramObject *)self)->program) < 0) return PyErr_NoMemory();
    frame.events = &events;
    PyObject *result = run_asking(&frame, chance) < 0 ? NULL : state_and_events(&frame, &events);
    frame_close(&frame);
    free(events.data);
    return result;
}

PyDoc_STRVAR(program_apply_doc, "apply(state, move, chance)\n--\n\nThe next state, and the events up to it.");
static PyObject *program_apply(PyObject *self, PyObject *args) {
    Py_buffer state;
    PyObject *chance;
    int move;
    Frame frame;
    Events events = {0};
    if (!PyArg_ParseTuple(args, "y*iO", &state, &move, &chance)) return NULL;
    if (open_at(&frame, &((ProgramObject *)self)->program, &state) < 0) return NULL;
    PyObject *result = NULL;
    if (frame.header->status != DECISION) {
        PyErr_SetString(illegal_move, "the game is over");
    } else {
        frame.events = &events;
        frame.has_move = 1;
        frame.move = move;
        if (run_asking(&frame, chance) == 0) result = state_and_events(&frame, &events);
    }
    frame_close(&frame);
    free(events.data);
    return result;
}

PyDoc_STRVAR(program_legal_doc, "legal(state)\n--\n\nThe legal moves: cards, then -1 for a pass; or values.");
static PyObject *program_legal(PyObject *self, PyObject *args) {
    Py_buffer state;
    Frame frame;
    if (!PyArg_ParseTuple(args, "y*", &state)) return NULL;
    if (open_at(&frame, &((ProgramObject *)self)->program, &state) < 0) return NULL;
    PyObject *result = reach_decision(&frame) < 0 ? NULL : legal_list(&frame);
    frame_close(&frame);
    return result;
}

PyDoc_STRVAR(program_look_doc,
             "look(state)\n--\n\n(status, kind of decision, mover, reason, node, scores) of a state.");
static PyObject *program_look(PyObject *self, PyObject *args) {
    Py_buffer state;
    Frame frame;
    const Program *program = &((ProgramObject *)self)->program;
    if (!PyArg_ParseTuple(args, "y*", &state)) return NULL;
    if (open_at(&frame, program, &state) < 0) return NULL;
    const Header *header = frame.header;
    PyObject *result = Py_BuildValue("iiiiiN", header->status, header->kind, header->mover, header->reason,
                                     program->nodes[header->node], score_tuple(&frame));
    frame_close(&frame);
    return result;
}

/* Calls a function of a program with arguments from Python. */
static PyObject *call_with(Frame *frame, unsigned long number, PyObject *arguments) {
    const Program *program = frame->program;
    int32_t values[MAX_PARAMETERS];
    if (number >= program->function_count || !PyTuple_Check(arguments) ||
        PyTuple_GET_SIZE(arguments) != (Py_ssize_t)program->functions[number].parameters) {
        PyErr_SetString(PyExc_ValueError, "there is no such function with so many arguments");
        return NULL;
    }
    for (Py_ssize_t n = 0; n < PyTuple_GET_SIZE(arguments); n++) {
        int overflow;
        long value = PyLong_AsLongAndOverflow(PyTuple_GET_ITEM(arguments, n), &overflow);
        if (value == -1 && PyErr_Occurred()) return NULL;
        values[n] = overflow ? (overflow < 0 ? INT32_MIN : INT32_MAX) : saturated(value);
    }
    return PyLong_FromLong(call_function(frame, (uint32_t)number, values));
}

PyDoc_STRVAR(program_call_doc, "call(state, number, arguments)\n--\n\nThe value of a function of a state.");
static PyObject *program_call(PyObject *self, PyObject *args) {
    Py_buffer state;
    Frame frame;
    unsigned long number;
    PyObject *arguments;
    if (!PyArg_ParseTuple(args, "y*kO", &state, &number, &arguments)) return NULL;
    if (open_at(&frame, &((ProgramObject *)self)->program, &state) < 0) return NULL;
    PyObject *result = call_with(&frame, number, arguments);
    frame_close(&frame);
    return result;
}

static uint64_t mixed_seed(uint64_t seed, uint64_t number) {
    uint64_t x = seed + UINT64_C(0x9e3779b97f4a7c15) * (number + 1);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

#include "policy_types.h"

PyDoc_STRVAR(program_playouts_doc,
             "playouts(state, first, count, seed, scores, policies=None)\n--\n\n"
             "Plays games to the end, from a state or (None) from the start, without the GIL; at random or with a policy\n"
             "for each seat. Game `first + k` depends on the seed and its number only. Writes the scores (int32, a row\n"
             "for each game) and returns the number of moves and, by reason, of games that ended.");
static PyObject *program_playouts(PyObject *self, PyObject *args) {
    const Program *program = &((ProgramObject *)self)->program;
    PyObject *state_object, *policies_object = Py_None;
    unsigned long long first, count, seed;
    Py_buffer scores, state;
    Frame frame;
    const Policy *policies[MAX_PLAYERS];
    int with_policies;
    if (!PyArg_ParseTuple(args, "OKKKw*|O", &state_object, &first, &count, &seed, &scores, &policies_object))
        return NULL;
    if (get_policies(program, policies_object, policies, &with_policies) < 0) {
        PyBuffer_Release(&scores);
        return NULL;
    }
    if (count > (1ull << 40) || (uint64_t)scores.len < count * (uint64_t)program->players * sizeof(int32_t)) {
        PyBuffer_Release(&scores);
        PyErr_SetString(PyExc_ValueError, "the array of scores is too small");
        return NULL;
    }
    unsigned char *start = malloc(program->state_size);
    if (!start || frame_open(&frame, program) < 0) {
        free(start);
        PyBuffer_Release(&scores);
        return PyErr_NoMemory();
    }
    int failed = 0;
    if (state_object == Py_None) {
        memcpy(start, frame.memory + program->state_at, program->state_size);
    } else if (PyObject_GetBuffer(state_object, &state, PyBUF_SIMPLE) < 0) {
        failed = 1;
    } else {
        if (state_is_valid(program, state.buf, state.len)) {
            memcpy(start, state.buf, program->state_size);
        } else {
            PyErr_SetString(PyExc_ValueError, "this is not a state of this game");
            failed = 1;
        }
        PyBuffer_Release(&state);
    }
    unsigned long long moves = 0, reasons[REASON_COUNT] = {0};
    if (!failed) {
        int32_t *row = scores.buf;
        const int32_t *v = (const int32_t *)(const void *)frame.memory;
        Py_BEGIN_ALLOW_THREADS
        for (unsigned long long n = 0; n < count; n++) {
            frame_load(&frame, start);
            frame.random = mixed_seed(seed, first + n);
            int32_t before = frame.header->moves;
            if (frame.header->status != OVER) play_out(&frame, with_policies ? policies : NULL, 0, -1);
            moves += (unsigned long long)(frame.header->moves - before);
            reasons[(uint32_t)frame.header->reason % REASON_COUNT]++;
            memcpy(row, v + program->score, (size_t)program->players * sizeof(int32_t));
            row += program->players;
        }
        Py_END_ALLOW_THREADS
    }
    frame_close(&frame);
    free(start);
    PyBuffer_Release(&scores);
    if (failed) return NULL;
    return Py_BuildValue("K(KKKKK)", moves, reasons[0], reasons[1], reasons[2], reasons[3], reasons[4]);
}

#include "sampler.h"

static PyObject *program_get_state_size(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromSize_t(((ProgramObject *)self)->program.state_size);
}

static PyObject *program_get_variables_size(PyObject *self, void *unused) {
    (void)unused;
    const Program *program = &((ProgramObject *)self)->program;
    return PyLong_FromSize_t(program->variables * sizeof(int32_t));
}

static PyObject *program_get_zones_at(PyObject *self, void *unused) {
    (void)unused;
    const Program *program = &((ProgramObject *)self)->program;
    return PyLong_FromSize_t(program->sets_at - program->state_at);
}

static PyMethodDef program_methods[] = {
    {"start", program_start, METH_O, program_start_doc},
    {"apply", program_apply, METH_VARARGS, program_apply_doc},
    {"legal", program_legal, METH_VARARGS, program_legal_doc},
    {"look", program_look, METH_VARARGS, program_look_doc},
    {"call", program_call, METH_VARARGS, program_call_doc},
    {"playouts", program_playouts, METH_VARARGS, program_playouts_doc},
    {"worlds", program_worlds, METH_VARARGS, program_worlds_doc},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef program_getters[] = {
    {"state_size", program_get_state_size, NULL, "Bytes of a state.", NULL},
    {"variables_size", program_get_variables_size, NULL, "Bytes of a state's variables, its first part (int32).", NULL},
    {"zones_at", program_get_zones_at, NULL, "Where in a state its zones begin: bit sets of cards, 8 or 16 bytes.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyTypeObject program_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "fcdl.engines.native._engine.Program",
    .tp_doc = "Program(parts)\n--\n\nA node program, verified.",
    .tp_basicsize = sizeof(ProgramObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = program_new,
    .tp_dealloc = program_dealloc,
    .tp_methods = program_methods,
    .tp_getset = program_getters,
};

/* --- states that change, for search */

typedef struct {
    PyObject_HEAD
    ProgramObject *program;
    Frame frame;
} StateObject;

static void state_dealloc(PyObject *self) {
    StateObject *state = (StateObject *)self;
    frame_close(&state->frame);
    Py_XDECREF(state->program);
    Py_TYPE(self)->tp_free(self);
}

static StateObject *state_alloc(PyTypeObject *type, ProgramObject *program) {
    StateObject *state = (StateObject *)type->tp_alloc(type, 0);
    if (!state) return NULL;
    Py_INCREF(program);
    state->program = program;
    if (frame_open(&state->frame, &program->program) < 0) {
        Py_DECREF(state);
        PyErr_NoMemory();
        return NULL;
    }
    return state;
}

static PyObject *state_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {"program", "seed", "state", NULL};
    PyObject *program, *bytes = Py_None;
    unsigned long long seed = 0;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!|KO", names, &program_type, &program, &seed, &bytes))
        return NULL;
    StateObject *state = state_alloc(type, (ProgramObject *)program);
    if (!state) return NULL;
    state->frame.random = mixed_seed(seed, 0);
    if (bytes != Py_None) {
        Py_buffer view;
        int valid = PyObject_GetBuffer(bytes, &view, PyBUF_SIMPLE) == 0;
        if (valid) {
            valid = state_is_valid(state->frame.program, view.buf, view.len);
            if (valid) frame_load(&state->frame, view.buf);
            else PyErr_SetString(PyExc_ValueError, "this is not a state of this game");
            PyBuffer_Release(&view);
        }
        if (!valid) {
            Py_DECREF(state);
            return NULL;
        }
    }
    if (state->frame.header->status != OVER && run_asking(&state->frame, NULL) < 0) {
        Py_DECREF(state);
        return NULL;
    }
    return (PyObject *)state;
}

PyDoc_STRVAR(state_legal_ids_doc, "legal_ids()\n--\n\nThe legal moves: cards, then -1 for a pass; or values.");
static PyObject *state_legal_ids(PyObject *self, PyObject *unused) {
    (void)unused;
    return legal_list(&((StateObject *)self)->frame);
}

PyDoc_STRVAR(state_apply_id_doc, "apply_id(move)\n--\n\nMakes a move; raises IllegalMoveError.");
static PyObject *state_apply_id(PyObject *self, PyObject *move) {
    Frame *frame = &((StateObject *)self)->frame;
    long value = PyLong_AsLong(move);
    if (value == -1 && PyErr_Occurred()) return NULL;
    if (frame->header->status != DECISION || value < INT32_MIN || value > INT32_MAX) {
        PyErr_SetString(illegal_move, frame->header->status != DECISION ? "the game is over" : "illegal move");
        return NULL;
    }
    frame->has_move = 1;
    frame->move = (int32_t)value;
    frame->fuel = FUEL;
    if (run_asking(frame, NULL) < 0) return NULL;
    Py_RETURN_NONE;
}

PyDoc_STRVAR(state_clone_doc, "clone()\n--\n\nA copy that can be played on independently.");
static PyObject *state_clone(PyObject *self, PyObject *unused) {
    (void)unused;
    StateObject *original = (StateObject *)self;
    StateObject *copy = state_alloc(Py_TYPE(self), original->program);
    if (!copy) return NULL;
    frame_copy(&copy->frame, &original->frame);
    return (PyObject *)copy;
}

PyDoc_STRVAR(state_dump_doc, "dump()\n--\n\nThe state as bytes, as the program's methods take it.");
static PyObject *state_dump(PyObject *self, PyObject *unused) {
    (void)unused;
    return state_bytes(&((StateObject *)self)->frame);
}

PyDoc_STRVAR(state_reseed_doc, "reseed(seed)\n--\n\nStarts the state's own chance again.");
static PyObject *state_reseed(PyObject *self, PyObject *seed) {
    unsigned long long value = PyLong_AsUnsignedLongLongMask(seed);
    if (value == (unsigned long long)-1 && PyErr_Occurred()) return NULL;
    ((StateObject *)self)->frame.random = mixed_seed(value, 0);
    Py_RETURN_NONE;
}

PyDoc_STRVAR(state_call_doc, "call(number, arguments)\n--\n\nThe value of a function of the position.");
static PyObject *state_call(PyObject *self, PyObject *args) {
    unsigned long number;
    PyObject *arguments;
    if (!PyArg_ParseTuple(args, "kO", &number, &arguments)) return NULL;
    return call_with(&((StateObject *)self)->frame, number, arguments);
}

PyDoc_STRVAR(state_play_out_doc,
             "play_out(policies=None, moves=-1)\n--\n\n"
             "Plays on, at random or with a policy for each seat, to the end or for so many moves; returns their number.");
static PyObject *state_play_out(PyObject *self, PyObject *args) {
    Frame *frame = &((StateObject *)self)->frame;
    const Policy *policies[MAX_PLAYERS];
    PyObject *policies_object = Py_None;
    int with_policies, moves = -1;
    if (!PyArg_ParseTuple(args, "|Oi", &policies_object, &moves)) return NULL;
    if (get_policies(frame->program, policies_object, policies, &with_policies) < 0) return NULL;
    int32_t before = frame->header->moves;
    if (frame->header->status != OVER) play_out(frame, with_policies ? policies : NULL, 0, moves);
    return PyLong_FromLong(frame->header->moves - before);
}

static PyObject *state_get_mover(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromLong(((StateObject *)self)->frame.header->mover);
}

static PyObject *state_get_is_over(PyObject *self, void *unused) {
    (void)unused;
    return PyBool_FromLong(((StateObject *)self)->frame.header->status == OVER);
}

static PyObject *state_get_scores(PyObject *self, void *unused) {
    (void)unused;
    return score_tuple(&((StateObject *)self)->frame);
}

static PyObject *state_get_kind(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromLong(((StateObject *)self)->frame.header->kind);
}

static PyObject *state_get_reason(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromLong(((StateObject *)self)->frame.header->reason);
}

static PyObject *state_get_node(PyObject *self, void *unused) {
    (void)unused;
    const Frame *frame = &((StateObject *)self)->frame;
    return PyLong_FromLong(frame->program->nodes[frame->header->node]);
}

static PyMethodDef state_methods[] = {
    {"legal_ids", state_legal_ids, METH_NOARGS, state_legal_ids_doc},
    {"apply_id", state_apply_id, METH_O, state_apply_id_doc},
    {"clone", state_clone, METH_NOARGS, state_clone_doc},
    {"dump", state_dump, METH_NOARGS, state_dump_doc},
    {"reseed", state_reseed, METH_O, state_reseed_doc},
    {"call", state_call, METH_VARARGS, state_call_doc},
    {"play_out", state_play_out, METH_VARARGS, state_play_out_doc},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef state_getters[] = {
    {"mover", state_get_mover, NULL, "The seat that decides, -1 when the game is over.", NULL},
    {"is_over", state_get_is_over, NULL, "Whether the game is over.", NULL},
    {"scores", state_get_scores, NULL, "Scores by seat.", NULL},
    {"kind", state_get_kind, NULL, "The kind of decision: 0 play, 1 play or pass, 2 pick, 3 choose.", NULL},
    {"reason", state_get_reason, NULL, "Why the game ended: 0 end, 1 fault, 2 no legal move, 3 step limit, 4 stalemate.", NULL},
    {"node", state_get_node, NULL, "The node where the game stands.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyTypeObject state_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "fcdl.engines.native._engine.NativeState",
    .tp_doc = "NativeState(program, seed=0, state=None)\n--\n\n"
              "A position that changes with every move; chance is its own, from the seed.",
    .tp_basicsize = sizeof(StateObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = state_new,
    .tp_dealloc = state_dealloc,
    .tp_methods = state_methods,
    .tp_getset = state_getters,
};

/* --- games that are played move by move */

#include "play.h"

/* --- search */

#include "search.h"
#include "statistics.h"
#include "search_tree.h"
#include "alphabeta.h"
#include "search_python.h"

/* --- the module */

PyDoc_STRVAR(use_fast_bits_doc,
             "use_fast_bits(wanted)\n--\n\nSwitches between the two builds of the interpreter, for tests; returns which is used.");
static PyObject *use_fast_bits(PyObject *self, PyObject *wanted) {
    (void)self;
    int truth = PyObject_IsTrue(wanted);
    if (truth < 0) return NULL;
    fast_bits = 0;
#ifdef FAST_BITS
    __builtin_cpu_init();
    fast_bits = truth && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
#endif
    return PyBool_FromLong(fast_bits);
}

static PyMethodDef module_methods[] = {
    {"use_fast_bits", use_fast_bits, METH_O, use_fast_bits_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module_definition = {
    PyModuleDef_HEAD_INIT, "_engine", "Node programs and games in C.", -1, module_methods, NULL, NULL, NULL, NULL,
};

#define INIT_NAME(name) JOIN(PyInit_, name)
PyMODINIT_FUNC INIT_NAME(FCDL_MODULE)(void) {
    if (PyType_Ready(&program_type) < 0 || PyType_Ready(&evaluation_type) < 0 || PyType_Ready(&policy_type) < 0 ||
        PyType_Ready(&state_type) < 0 || PyType_Ready(&book_type) < 0 ||
        PyType_Ready(&play_type) < 0 || PyType_Ready(&search_type) < 0)
        return NULL;
    fill_logarithms();
    PyObject *module = PyModule_Create(&module_definition);
    if (!module) return NULL;
    illegal_move = PyErr_NewException("fcdl.engines.native._engine.IllegalMoveError", PyExc_ValueError, NULL);
    if (!illegal_move || PyModule_AddObjectRef(module, "IllegalMoveError", illegal_move) < 0 ||
        PyModule_AddObjectRef(module, "Program", (PyObject *)&program_type) < 0 ||
        PyModule_AddObjectRef(module, "Evaluation", (PyObject *)&evaluation_type) < 0 ||
        PyModule_AddObjectRef(module, "Policy", (PyObject *)&policy_type) < 0 ||
        PyModule_AddObjectRef(module, "NativeState", (PyObject *)&state_type) < 0 ||
        PyModule_AddObjectRef(module, "Book", (PyObject *)&book_type) < 0 ||
        PyModule_AddObjectRef(module, "Play", (PyObject *)&play_type) < 0 ||
        PyModule_AddObjectRef(module, "Search", (PyObject *)&search_type) < 0) {
        Py_DECREF(module);
        return NULL;
    }
    PyObject *used = use_fast_bits(module, Py_True);
    Py_XDECREF(used);
    return module;
}
