/* Programs as Python sees them. */

#include "types.h"

#include "functions.h"
#include "library.h"
#include "patience.h"
#include "random.h"

static void program_dealloc(PyObject *self) {
    library_leave(&((ProgramObject *)self)->program);
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

/* The state and the events of a frame that has run. */
static PyObject *state_and_events(const Frame *frame, const Events *events) {
    return Py_BuildValue(
        "NN", state_bytes(frame),
        PyBytes_FromStringAndSize((const char *)events->data, (Py_ssize_t)(events->used * sizeof(int32_t))));
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

PyDoc_STRVAR(program_legal_doc,
             "legal(state)\n--\n\nThe legal moves: cards or numbers of sets, then -1 for a pass; or values.");
static PyObject *program_legal(PyObject *self, PyObject *args) {
    Py_buffer state;
    Frame frame;
    if (!PyArg_ParseTuple(args, "y*", &state)) return NULL;
    if (open_at(&frame, &((ProgramObject *)self)->program, &state) < 0) return NULL;
    PyObject *result = reach_decision(&frame) < 0 ? NULL : legal_tuple(&frame);
    frame_close(&frame);
    return result;
}

PyDoc_STRVAR(
    program_sets_doc,
    "sets(state)\n--\n\nThe sets that are offered, in the order of the legal moves, each as the bytes of its cards.");
static PyObject *program_sets(PyObject *self, PyObject *args) {
    Py_buffer state;
    Frame frame;
    if (!PyArg_ParseTuple(args, "y*", &state)) return NULL;
    if (open_at(&frame, &((ProgramObject *)self)->program, &state) < 0) return NULL;
    PyObject *result = reach_decision(&frame) < 0 ? NULL : PyList_New(0);
    int offers = frame.header->status == DECISION && is_set_decision(frame.header);
    for (int32_t n = 0; result && offers && n < frame.set_count; n++) {
        PyObject *cards = offered_cards(&frame, (uint32_t)n);
        if (!cards || PyList_Append(result, cards) < 0) Py_CLEAR(result);
        Py_XDECREF(cards);
    }
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

/* Makes the sets known that are offered, so that functions can be asked about them; 0 with a Python error. */
static int sets_are_known(Frame *frame) { return !is_set_decision(frame->header) || reach_decision(frame) >= 0; }

PyDoc_STRVAR(program_call_doc, "call(state, number, arguments)\n--\n\nThe value of a function of a state.");
static PyObject *program_call(PyObject *self, PyObject *args) {
    Py_buffer state;
    Frame frame;
    unsigned long number;
    PyObject *arguments;
    if (!PyArg_ParseTuple(args, "y*kO", &state, &number, &arguments)) return NULL;
    if (open_at(&frame, &((ProgramObject *)self)->program, &state) < 0) return NULL;
    PyObject *result = sets_are_known(&frame) ? call_with(&frame, number, arguments) : NULL;
    frame_close(&frame);
    return result;
}

PyDoc_STRVAR(
    program_call_all_doc,
    "call_all(state, first, count, rows)\n--\n\n"
    "The values of so many functions from the first on, for each tuple of arguments in a list: int32, by rows.");
static PyObject *program_call_all(PyObject *self, PyObject *args) {
    Py_buffer state;
    Frame frame;
    unsigned long first, count;
    PyObject *rows;
    if (!PyArg_ParseTuple(args, "y*kkO!", &state, &first, &count, &PyList_Type, &rows)) return NULL;
    if (open_at(&frame, &((ProgramObject *)self)->program, &state) < 0) return NULL;
    PyObject *result = sets_are_known(&frame) ? call_all_with(&frame, first, count, rows) : NULL;
    frame_close(&frame);
    return result;
}

enum { PLAYOUTS_PER_LOOK = 64 };

PyDoc_STRVAR(
    program_playouts_doc,
    "playouts(state, first, count, seed, scores, policies=None, one_hand=False)\n--\n\n"
    "Plays games to the end, from a state or (None) from the start, without the GIL; at random or with a policy\n"
    "for each seat; with `one_hand` only until all cards are gathered again. Game `first + k` depends on the seed and its number only. Writes the scores (int32, a row\n"
    "for each game) and returns the number of moves and, by reason, of games that ended.");
static PyObject *program_playouts(PyObject *self, PyObject *args) {
    const Program *program = &((ProgramObject *)self)->program;
    PyObject *state_object, *policies_object = Py_None;
    unsigned long long first, count, seed;
    Py_buffer scores, state;
    Frame frame;
    const Policy *policies[MAX_PLAYERS];
    int with_policies, one_hand = 0;
    if (!PyArg_ParseTuple(args, "OKKKw*|Op", &state_object, &first, &count, &seed, &scores, &policies_object,
                          &one_hand))
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
        if (state_is_valid(program, state.buf, (size_t)state.len)) {
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
        Patience patience;
        patience_begin(&patience, 0, NULL, RELEASE_GIL);
        frame.stop = patience_stop;
        frame.stopper = &patience;
        for (unsigned long long n = 0; n < count; n++) {
            if (n % PLAYOUTS_PER_LOOK == 0 && patience_is_over(&patience)) break;
            frame_load_lasting(&frame, start);
            frame.random = mixed_seed(seed, first + n);
            int32_t before = frame.header->moves;
            if (frame.header->status != OVER)
                play_out(&frame, with_policies ? policies : NULL, one_hand ? ONE_HAND : 0, -1);
            moves += (unsigned long long)(frame.header->moves - before);
            reasons[(uint32_t)frame.header->reason % REASON_COUNT]++;
            memcpy(row, v + program->score, (size_t)program->players * sizeof(int32_t));
            row += program->players;
        }
        failed = patience_end(&patience) < 0;
    }
    frame_close(&frame);
    free(start);
    PyBuffer_Release(&scores);
    if (failed) return NULL;
    return Py_BuildValue("K(KKKKK)", moves, reasons[0], reasons[1], reasons[2], reasons[3], reasons[4]);
}

PyDoc_STRVAR(program_text_doc, "text(functions=False)\n--\n\n"
                               "All that a run of the game, or of the functions, depends on: compiled code serves\n"
                               "programs with equal texts.");
static PyObject *get_program_text(PyObject *self, PyObject *args) {
    int functions = 0;
    if (!PyArg_ParseTuple(args, "|p", &functions)) return NULL;
    return program_text(&((ProgramObject *)self)->program, functions);
}

PyDoc_STRVAR(program_use_library_doc,
             "use_library(path)\n--\n\n"
             "From now on runs what a library has compiled for this very program, its game or its functions; returns\n"
             "whether it has any of it.\n"
             "Loading a library runs its code: the caller knows who made it.");
static PyObject *program_use_library(PyObject *self, PyObject *path) {
    PyObject *encoded;
    if (!PyUnicode_FSConverter(path, &encoded)) return NULL;
    int used = library_use(&((ProgramObject *)self)->program, PyBytes_AS_STRING(encoded));
    Py_DECREF(encoded);
    return PyBool_FromLong(used);
}

static PyObject *program_get_is_compiled(PyObject *self, void *unused) {
    (void)unused;
    return PyBool_FromLong(((ProgramObject *)self)->program.compiled != NULL);
}

static PyObject *program_get_functions_are_compiled(PyObject *self, void *unused) {
    (void)unused;
    const Program *program = &((ProgramObject *)self)->program;
    return PyBool_FromLong(program->function_count == 0 || program->compiled_functions != NULL);
}

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
    {"sets", program_sets, METH_VARARGS, program_sets_doc},
    {"look", program_look, METH_VARARGS, program_look_doc},
    {"call", program_call, METH_VARARGS, program_call_doc},
    {"call_all", program_call_all, METH_VARARGS, program_call_all_doc},
    {"text", get_program_text, METH_VARARGS, program_text_doc},
    {"use_library", program_use_library, METH_O, program_use_library_doc},
    {"playouts", program_playouts, METH_VARARGS, program_playouts_doc},
    {"worlds", WITH_KEYWORDS(draw_worlds_of_program), worlds_doc},
    {"orders", WITH_KEYWORDS(draw_orders_of_program), orders_doc},
    {"arranged", arrange_cards_of_program, METH_VARARGS, "A position with other cards and variables."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef program_getters[] = {
    {"is_compiled", program_get_is_compiled, NULL, "Whether the game runs as compiled code.", NULL},
    {"functions_are_compiled", program_get_functions_are_compiled, NULL, "Whether all functions run as compiled code.",
     NULL},
    {"state_size", program_get_state_size, NULL, "Bytes of a state.", NULL},
    {"variables_size", program_get_variables_size, NULL, "Bytes of a state's variables, its first part (int32).", NULL},
    {"zones_at", program_get_zones_at, NULL, "Where in a state its zones begin: bit sets of cards, 8, 16 or 32 bytes.",
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject program_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "fcdl.engines.native._engine.Program",
    .tp_doc = "Program(parts)\n--\n\nA node program, verified.",
    .tp_basicsize = sizeof(ProgramObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = program_new,
    .tp_dealloc = program_dealloc,
    .tp_methods = program_methods,
    .tp_getset = program_getters,
};
