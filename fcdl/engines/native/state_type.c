/* Positions that change with every move, for search. */

#include "types.h"

#include "random.h"

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
            valid = state_is_valid(state->frame.program, view.buf, (size_t)view.len);
            if (valid) frame_load(&state->frame, view.buf);
            else PyErr_SetString(PyExc_ValueError, "this is not a state of this game");
            PyBuffer_Release(&view);
        }
        if (!valid) {
            Py_DECREF(state);
            return NULL;
        }
    }
    frame_lasts(&state->frame);
    if (state->frame.header->status != OVER && run_asking(&state->frame, NULL) < 0) {
        Py_DECREF(state);
        return NULL;
    }
    return (PyObject *)state;
}

PyDoc_STRVAR(state_legal_ids_doc, "legal_ids()\n--\n\nThe legal moves: cards, then -1 for a pass; or values.");
static PyObject *state_legal_ids(PyObject *self, PyObject *unused) {
    (void)unused;
    return legal_tuple(&((StateObject *)self)->frame);
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
    frame_refuel(frame);
    if (run_asking(frame, NULL) < 0) return NULL;
    Py_RETURN_NONE;
}

PyDoc_STRVAR(state_step_id_doc,
             "step_id(move)\n--\n\nMakes a move and returns the next legal moves; none: it is over.");
static PyObject *state_step_id(PyObject *self, PyObject *move) {
    PyObject *made = state_apply_id(self, move);
    if (!made) return NULL;
    Py_DECREF(made);
    return legal_tuple(&((StateObject *)self)->frame);
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

PyDoc_STRVAR(
    state_play_out_doc,
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
    {"step_id", state_step_id, METH_O, state_step_id_doc},
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
    {"reason", state_get_reason, NULL,
     "Why the game ended: 0 end, 1 fault, 2 no legal move, 3 step limit, 4 stalemate.", NULL},
    {"node", state_get_node, NULL, "The node where the game stands.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject state_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "fcdl.engines.native._engine.NativeState",
    .tp_doc = "NativeState(program, seed=0, state=None)\n--\n\n"
              "A position that changes with every move; chance is its own, from the seed.",
    .tp_basicsize = sizeof(StateObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = state_new,
    .tp_dealloc = state_dealloc,
    .tp_methods = state_methods,
    .tp_getset = state_getters,
};
