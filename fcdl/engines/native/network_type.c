/* Networks as Python objects. */

#include "types.h"

#include "patience.h"

static void network_dealloc(PyObject *self) {
    NetworkObject *object = (NetworkObject *)self;
    for (size_t n = 0; n < sizeof object->parts / sizeof *object->parts; n++) free(object->parts[n]);
    Py_XDECREF(object->program);
    Py_TYPE(self)->tp_free(self);
}

/* --- what a network must be, so that nothing outside it is read */

static int limits_fit(int32_t first, int32_t count, int32_t all) {
    return first >= 0 && count >= 0 && first <= all && count <= all - first;
}

static int in_range(int32_t first, int32_t count, uint32_t all) {
    return first >= 0 && count >= 1 && (uint32_t)first < all && (uint32_t)count <= all - (uint32_t)first;
}

static int is_of_variable(const Field *field) {
    return field->kind == FIELD_SEAT || field->kind == FIELD_VALUE || field->kind == FIELD_CARD ||
           field->kind == FIELD_NUMBER;
}

/* Whether a source is of a program: a zone, a variable, or a function of a player. */
static int is_source(const Program *program, int32_t kind, int32_t source) {
    if (source == NONE) return 1;
    switch (kind) {
    case FIELD_CARDS:
    case FIELD_SIZE:
    case FIELD_GROUPS:
        return source >= 0 && (uint32_t)source < program->zones;
    case FIELD_TOP:
        return source >= 0 && (uint32_t)source < program->zones && program->ordered[source];
    case FIELD_CALL:
        return source >= 0 && (uint32_t)source < program->function_count && program->functions[source].parameters == 1;
    case FIELD_NODE:
    case FIELD_MOVER:
        return 1;
    default:
        return source >= 0 && (uint32_t)source < program->slots;
    }
}

/* How many inputs of a field can be 1 at once; 0 if it is none. */
static uint32_t most_active(const Program *program, const Network *network, const Field *field, int32_t limits) {
    if (field->kind < 0 || field->kind >= FIELD_COUNT || !in_range(field->first, field->count, network->inputs) ||
        !limits_fit(field->limits, field->limit_count, limits))
        return 0;
    for (int seat = 0; seat < program->players; seat++)
        if (!is_source(program, field->kind, field->source[seat])) return 0;
    if (field->kind == FIELD_CARDS) {
        int fits = field->low >= 1 && field->low <= MAX_COPIES && field->count == field->low * (int32_t)network->kinds;
        return fits ? (uint32_t)field->count : 0;
    }
    if (field->kind == FIELD_GROUPS) {
        int fits = field->levels >= 1 && field->levels <= 255 && field->count % field->levels == 0 &&
                   field->count / field->levels <= MAX_CARDS;
        return fits ? (uint32_t)(field->count / field->levels) : 0;
    }
    return 1;
}

static int is_sound(const Program *program, const Network *network, int32_t limits) {
    uint32_t active = 0;
    for (uint32_t n = 0; n < network->field_count; n++) {
        uint32_t most = most_active(program, network, &network->fields[n], limits);
        active += most;
        if (!most || active > MAX_ACTIVE) return 0;
    }
    for (uint32_t n = 0; n < program->node_count; n++) {
        const Answer *answer = &network->answers[n];
        if (answer->kind == NONE) continue;
        if (answer->kind < 0 || answer->kind >= WORTH_COUNT || answer->count > MAX_ANSWERS ||
            !in_range(answer->first, answer->count, network->outputs) ||
            !limits_fit(answer->limits, answer->limit_count, limits) ||
            (answer->kind == WORTH_CARDS && answer->count != (int32_t)network->kinds + 1) ||
            (answer->kind == WORTH_SETS && answer->count != (int32_t)network->kinds + SET_SIZES + 1))
            return 0;
    }
    for (int32_t n = 1; n < limits; n++)
        if (network->limits[n] == INT32_MIN) return 0;
    for (int32_t card = 0; card < program->deck_size; card++)
        if (network->place[card] >= network->kinds) return 0;
    return 1;
}

/* A copy of a part that must have so many bytes. */
static const void *kept(NetworkObject *object, int number, const Py_buffer *part, size_t bytes) {
    if ((size_t)part->len != bytes) return NULL;
    object->parts[number] = malloc(bytes + 1);
    if (object->parts[number]) memcpy(object->parts[number], part->buf, bytes);
    return object->parts[number];
}

static int fill_network(NetworkObject *object, const Py_buffer *parts) {
    const Program *program = &((ProgramObject *)object->program)->program;
    Network *network = &object->network;
    const size_t inputs = network->inputs, hidden = network->hidden, outputs = network->outputs, real = sizeof(float);
    if (inputs < 1 || inputs > MAX_INPUTS || outputs < 1 || outputs > MAX_OUTPUTS || hidden > MAX_HIDDEN || hidden % 32)
        return 0;
    const size_t deck = (size_t)program->deck_size;
    network->field_count = (uint32_t)((size_t)parts[0].len / sizeof(Field));
    if (network->field_count > MAX_INPUTS || parts[2].len > MAX_INPUTS * (Py_ssize_t)sizeof(int32_t)) return 0;
    network->fields = kept(object, 0, &parts[0], network->field_count * sizeof(Field));
    network->answers = kept(object, 1, &parts[1], program->node_count * sizeof(Answer));
    const int32_t limits = (int32_t)((size_t)parts[2].len / sizeof(int32_t));
    network->limits = kept(object, 2, &parts[2], (size_t)limits * sizeof(int32_t));
    network->place = kept(object, 3, &parts[3], deck * sizeof(uint16_t));
    network->suit = kept(object, 4, &parts[4], deck);
    network->rank = kept(object, 5, &parts[5], deck);
    network->first = kept(object, 6, &parts[6], inputs * hidden * real);
    network->first_bias = kept(object, 7, &parts[7], hidden * real);
    network->second = kept(object, 8, &parts[8], outputs * hidden * real);
    network->second_bias = kept(object, 9, &parts[9], outputs * real);
    for (int n = 0; n <= 9; n++)
        if (!object->parts[n]) return 0;
    for (size_t card = 0; card < deck; card++)
        if (network->place[card] >= network->kinds) network->kinds = network->place[card] + 1u;
    if (network->kinds > MAX_CARDS || !is_sound(program, network, limits)) return 0;
    Field *fields = object->parts[0];
    for (uint32_t n = 0; n < network->field_count; n++) /* variables are slots behind constants and temporaries */
        if (is_of_variable(&fields[n]))
            for (int seat = 0; seat < program->players; seat++)
                if (fields[n].source[seat] != NONE)
                    fields[n].source[seat] += (int32_t)(program->constants + program->temporaries);
    return 1;
}

static PyObject *network_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {"program", "fields",  "answers", "limits",     "places", "suits",       "ranks", "inputs",
                            "hidden",  "outputs", "first",   "first_bias", "second", "second_bias", NULL};
    PyObject *program;
    Py_buffer parts[10];
    unsigned int inputs, hidden, outputs;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "$O!y*y*y*y*y*y*IIIy*y*y*y*", names, &program_type, &program,
                                     &parts[0], &parts[1], &parts[2], &parts[3], &parts[4], &parts[5], &inputs, &hidden,
                                     &outputs, &parts[6], &parts[7], &parts[8], &parts[9]))
        return NULL;
    NetworkObject *object = (NetworkObject *)type->tp_alloc(type, 0);
    if (object) {
        object->program = Py_NewRef(program);
        object->network.inputs = inputs;
        object->network.hidden = hidden;
        object->network.outputs = outputs;
        if (!fill_network(object, parts)) {
            PyErr_SetString(PyExc_ValueError, "this network does not fit the program");
            Py_CLEAR(object);
        }
    }
    for (int n = 0; n < 10; n++) PyBuffer_Release(&parts[n]);
    return (PyObject *)object;
}

/* --- many positions at once */

/* Bytes that grow. */
typedef struct {
    unsigned char *data;
    size_t used, room;
} Heap;

static int heap_add(Heap *heap, const void *data, size_t size) {
    if (size > heap->room - heap->used) {
        size_t room = 2 * (heap->room + size);
        unsigned char *moved = realloc(heap->data, room);
        if (!moved) return -1;
        heap->data = moved;
        heap->room = room;
    }
    if (size) memcpy(heap->data + heap->used, data, size);
    heap->used += size;
    return 0;
}

static int add_length(Heap *lengths, const Heap *heap, size_t item) {
    uint32_t length = (uint32_t)(heap->used / item);
    return heap_add(lengths, &length, sizeof length);
}

enum { INPUTS, INPUT_ENDS, MOVES, MOVE_ENDS, OUTPUTS, OUTPUT_ENDS, HEAPS };

/* The inputs, the moves and the outputs of the moves at a decision; -1: no memory. */
static int describe_decision(Frame *frame, const Network *network, Heap *heaps) {
    uint16_t active[MAX_ACTIVE], outputs[MAX_CARDS + 1];
    int32_t moves[MAX_LEGAL];
    uint32_t count = network_inputs(frame, network, frame->header->mover, active);
    if (heap_add(&heaps[INPUTS], active, count * sizeof *active) < 0) return -1;
    count = legal_moves(frame, moves);
    if (heap_add(&heaps[MOVES], moves, count * sizeof *moves) < 0) return -1;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t of_move = network_outputs(frame, network, moves[n], outputs);
        if (heap_add(&heaps[OUTPUTS], outputs, of_move * sizeof *outputs) < 0 ||
            add_length(&heaps[OUTPUT_ENDS], &heaps[OUTPUTS], sizeof *outputs) < 0)
            return -1;
    }
    return add_length(&heaps[INPUT_ENDS], &heaps[INPUTS], sizeof *active) < 0 ||
                   add_length(&heaps[MOVE_ENDS], &heaps[MOVES], sizeof *moves) < 0
             ? -1
             : 0;
}

/* Opens a frame for states that lie one after the other; how many there are, or -1 with a Python error. */
static Py_ssize_t open_states(Frame *frame, const Program *program, const Py_buffer *states) {
    const size_t size = program->state_size, count = (size_t)states->len / size;
    int fine = count * size == (size_t)states->len;
    for (size_t n = 0; fine && n < count; n++)
        fine = state_is_valid(program, (const unsigned char *)states->buf + n * size, size);
    if (!fine) PyErr_SetString(PyExc_ValueError, "these are no states of the program");
    else if (frame_open(frame, program) < 0) PyErr_NoMemory(), fine = 0;
    return fine ? (Py_ssize_t)count : -1;
}

/* Puts a state into the frame; whether somebody decides there. */
static int reach(Frame *frame, const Py_buffer *states, Py_ssize_t n) {
    frame_load(frame, (const unsigned char *)states->buf + (size_t)n * frame->program->state_size);
    frame_refuel(frame);
    return frame->header->status == DECISION && run_on(frame, RANDOM_CHANCE) == RESULT_DECISION;
}

PyDoc_STRVAR(
    network_describe_doc,
    "describe(states)\n--\n\n"
    "Of positions in which somebody decides, one after the other: the inputs that are 1 (uint16) and where those\n"
    "of each position end (uint32), the legal moves (int32) and where they end (uint32), the outputs that are\n"
    "added up for each move (uint16), and where those end (uint32).");
static PyObject *network_describe(PyObject *self, PyObject *bytes) {
    NetworkObject *object = (NetworkObject *)self;
    Py_buffer states;
    Frame frame;
    Heap heaps[HEAPS] = {{NULL, 0, 0}};
    if (PyObject_GetBuffer(bytes, &states, PyBUF_SIMPLE) < 0) return NULL;
    Py_ssize_t count = open_states(&frame, &((ProgramObject *)object->program)->program, &states);
    PyObject *result = NULL;
    if (count >= 0) {
        int failed = 0;
        for (Py_ssize_t n = 0; !failed && n < count; n++) {
            if (reach(&frame, &states, n)) failed = describe_decision(&frame, &object->network, heaps);
            else failed = -2;
        }
        frame_close(&frame);
        if (failed == -2) PyErr_SetString(PyExc_ValueError, "nobody decides in one of the positions");
        else if (failed) PyErr_NoMemory();
        else
            result = Py_BuildValue("y#y#y#y#y#y#", heaps[0].data, (Py_ssize_t)heaps[0].used, heaps[1].data,
                                   (Py_ssize_t)heaps[1].used, heaps[2].data, (Py_ssize_t)heaps[2].used, heaps[3].data,
                                   (Py_ssize_t)heaps[3].used, heaps[4].data, (Py_ssize_t)heaps[4].used, heaps[5].data,
                                   (Py_ssize_t)heaps[5].used);
    }
    for (int n = 0; n < HEAPS; n++) free(heaps[n].data);
    PyBuffer_Release(&states);
    return result;
}

PyDoc_STRVAR(network_values_doc,
             "values(states, seats)\n--\n\n"
             "What each of the positions is worth to a seat (a byte for each), as float64; 0 where nobody decides.");
static PyObject *network_values(PyObject *self, PyObject *args) {
    NetworkObject *object = (NetworkObject *)self;
    const Program *program = &((ProgramObject *)object->program)->program;
    Py_buffer states, seats;
    Frame frame;
    PyObject *result = NULL;
    if (!PyArg_ParseTuple(args, "y*y*", &states, &seats)) return NULL;
    const uint8_t *seat = seats.buf;
    Py_ssize_t count = open_states(&frame, program, &states);
    int fine = count >= 0 && seats.len == count;
    for (Py_ssize_t n = 0; fine && n < count; n++) fine = seat[n] < program->players;
    if (count >= 0 && !fine) PyErr_SetString(PyExc_ValueError, "a seat for each position");
    if (fine) result = PyBytes_FromStringAndSize(NULL, count * (Py_ssize_t)sizeof(double));
    for (Py_ssize_t n = 0; result && n < count; n++)
        ((double *)(void *)PyBytes_AS_STRING(result))[n] =
            reach(&frame, &states, n) ? network_value(&frame, &object->network, seat[n]) : 0;
    if (count >= 0) frame_close(&frame);
    PyBuffer_Release(&states);
    PyBuffer_Release(&seats);
    return result;
}

static PyMethodDef network_methods[] = {
    {"describe", network_describe, METH_O, network_describe_doc},
    {"values", network_values, METH_VARARGS, network_values_doc},
    {NULL, NULL, 0, NULL},
};

PyTypeObject network_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "fcdl.engines.native._engine.Network",
    .tp_doc =
        "Network(*, program, fields, answers, limits, places, suits, ranks, inputs, hidden, outputs, first, first_bias,\n"
        "second, second_bias)\n--\n\n"
        "What moves are worth by what a seat sees: rows of int32 for the fields and for the answers of the nodes, and\n"
        "weights (float32).",
    .tp_basicsize = sizeof(NetworkObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = network_new,
    .tp_dealloc = network_dealloc,
    .tp_methods = network_methods,
};
