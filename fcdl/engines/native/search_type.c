/* Searches as Python sees them: a Search is a question put to the engine; its methods answer it in several ways. */

#include "types.h"

#include <stdlib.h>

#include "alphabeta.h"
#include "search_tree.h"

typedef struct {
    PyObject_HEAD
    ProgramObject *program;
    PyObject *policies; /* what the question's policies point into */
    Question question;
} SearchObject;

static void search_dealloc(PyObject *self) {
    SearchObject *search = (SearchObject *)self;
    free(search->question.states);
    free(search->question.cumulative);
    free(search->question.zone_seers);
    free(search->question.secrets);
    Py_XDECREF(search->policies);
    Py_XDECREF(search->program);
    Py_TYPE(self)->tp_free(self);
}

/* A copy of bytes that must have a certain size, padded with zeros. */
static void *copy_of(const Py_buffer *buffer, size_t size, size_t padded, const char *what) {
    if ((size_t)buffer->len != size) {
        PyErr_Format(PyExc_ValueError, "%s must have %zu bytes, not %zd", what, size, buffer->len);
        return NULL;
    }
    void *copy = calloc(padded ? padded : 1, 1);
    if (!copy) {
        PyErr_NoMemory();
        return NULL;
    }
    memcpy(copy, buffer->buf, size);
    return copy;
}

static int take_worlds(Question *question, const Py_buffer *worlds, const Py_buffer *weights) {
    const Program *program = question->program;
    size_t count = (size_t)weights->len / sizeof(double);
    if (count < 1 || count > 1u << 24) {
        PyErr_SetString(PyExc_ValueError, "a search needs worlds");
        return -1;
    }
    question->worlds = (uint32_t)count;
    question->states = copy_of(worlds, count * program->state_size, count * program->state_size, "worlds");
    if (!question->states) return -1;
    question->cumulative = copy_of(weights, count * sizeof(double), count * sizeof(double), "weights");
    if (!question->cumulative) return -1;
    double sum = 0;
    for (size_t n = 0; n < count; n++) {
        const unsigned char *state = question->states + n * program->state_size;
        if (!state_is_valid(program, state, program->state_size)) {
            PyErr_SetString(PyExc_ValueError, "this is not a state of this game");
            return -1;
        }
        if (!(question->cumulative[n] >= 0) || question->cumulative[n] > 1e300) {
            PyErr_SetString(PyExc_ValueError, "weights must not be negative");
            return -1;
        }
        sum += question->cumulative[n];
        question->cumulative[n] = sum;
    }
    if (!(sum > 0) || sum > 1e300) {
        PyErr_SetString(PyExc_ValueError, "weights must not all be zero");
        return -1;
    }
    for (size_t n = 0; n < count; n++) question->cumulative[n] /= sum;
    question->cumulative[count - 1] = 1;
    return 0;
}

static PyObject *search_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {"program", "worlds",     "weights", "seat",     "one_hand", "utility", "lowest_wins",
                            "friends", "zone_seers", "secrets", "policies", "until",    NULL};
    PyObject *program, *policies;
    Py_buffer worlds, weights, friends, zone_seers, secrets;
    int seat, one_hand, utility, lowest_wins, until;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "$O!y*y*ipipy*y*y*Oi", names, &program_type, &program, &worlds,
                                     &weights, &seat, &one_hand, &utility, &lowest_wins, &friends, &zone_seers,
                                     &secrets, &policies, &until))
        return NULL;
    SearchObject *self = (SearchObject *)type->tp_alloc(type, 0);
    int failed = !self;
    if (self) {
        Question *question = &self->question;
        Py_INCREF(program);
        self->program = (ProgramObject *)program;
        const Program *of = question->program = &self->program->program;
        question->mode = RANDOM_CHANCE | (one_hand ? ONE_HAND : 0);
        question->seat = seat;
        question->utility = utility;
        question->until = until;
        question->lowest_wins = lowest_wins;
        size_t players = (size_t)of->players;
        self->policies = Py_NewRef(policies);
        failed = take_worlds(question, &worlds, &weights) < 0 ||
                 get_policies(of, policies, question->policies, &question->with_policies) < 0;
        if (!failed && (seat < 0 || seat >= of->players || utility < UTILITY_SCORE || utility > UTILITY_MIXED ||
                        (size_t)friends.len != players * sizeof(uint64_t))) {
            PyErr_SetString(PyExc_ValueError, "bad seat, utility or friends");
            failed = 1;
        }
        if (!failed) {
            memcpy(question->friends, friends.buf, players * sizeof(uint64_t));
            for (size_t p = 0; p < players; p++) question->friends[p] |= UINT64_C(1) << p;
            question->zone_seers =
                copy_of(&zone_seers, of->zones * sizeof(uint64_t), of->zone_slots * sizeof(uint64_t), "zone_seers");
            question->secrets = copy_of(&secrets, of->node_count, of->node_count, "secrets");
            failed = !question->zone_seers || !question->secrets;
        }
    }
    PyBuffer_Release(&worlds);
    PyBuffer_Release(&weights);
    PyBuffer_Release(&friends);
    PyBuffer_Release(&zone_seers);
    PyBuffer_Release(&secrets);
    if (failed) {
        Py_XDECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

PyDoc_STRVAR(search_cancel_doc, "cancel()\n--\n\nEnds searches that run in other threads.");
static PyObject *search_cancel(PyObject *self, PyObject *unused) {
    (void)unused;
    ((SearchObject *)self)->question.cancelled = 1;
    Py_RETURN_NONE;
}

PyDoc_STRVAR(search_spread_doc,
             "spread(playouts, seed)\n--\n\n(deviation, range) of what random playouts are worth to the players.");
static PyObject *search_spread(PyObject *self, PyObject *args) {
    const Question *question = &((SearchObject *)self)->question;
    int playouts;
    unsigned long long seed;
    double deviation = 0, range = 0;
    if (!PyArg_ParseTuple(args, "iK", &playouts, &seed)) return NULL;
    if (playouts < 1) return PyErr_Format(PyExc_ValueError, "playouts must be at least 1");
    Patience patience;
    patience_begin(&patience, 0, &question->cancelled, RELEASE_GIL);
    int failed = measure_spread(question, &patience, playouts, seed, &deviation, &range) < 0;
    if (patience_end(&patience) < 0) return NULL;
    return failed ? PyErr_NoMemory() : Py_BuildValue("dd", deviation, range);
}

PyDoc_STRVAR(
    search_flat_doc,
    "flat(*, first, count, own_moves, seed, seconds)\n--\n\n"
    "Playouts number `first` and on for every move, each until the seat decides again after `own_moves` moves\n"
    "(0: to the end). Returns how many were made and (move, visits, total) for each move.");
static PyObject *search_flat(PyObject *self, PyObject *args, PyObject *keywords) {
    static char *names[] = {"first", "count", "own_moves", "seed", "seconds", NULL};
    unsigned long long first, count, seed;
    int own_moves, result_count = 0;
    double seconds;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "$KKiKd", names, &first, &count, &own_moves, &seed, &seconds))
        return NULL;
    const Question *question = &((SearchObject *)self)->question;
    const FlatRequest request = {first, count, own_moves < 0 ? 0 : own_moves, seed};
    MoveResult *results = malloc(MAX_MOVES * sizeof *results);
    if (!results) return PyErr_NoMemory();
    Patience patience;
    uint64_t done = 0;
    patience_begin(&patience, seconds, &question->cancelled, RELEASE_GIL);
    int failed = play_flat(question, &patience, &request, results, &result_count, &done) < 0;
    PyObject *list = NULL;
    if (patience_end(&patience) == 0) list = failed ? PyErr_NoMemory() : PyList_New(result_count);
    for (int n = 0; list && n < result_count; n++) {
        PyObject *row = Py_BuildValue("iId", results[n].label, results[n].visits, results[n].total);
        if (row) PyList_SET_ITEM(list, n, row);
        else Py_CLEAR(list);
    }
    free(results);
    return list ? Py_BuildValue("KN", (unsigned long long)done, list) : NULL;
}

static PyObject *root_moves(const TreeSearch *search) {
    const TreeNode *nodes = search->tree.nodes;
    PyObject *list = PyList_New(0);
    uint32_t root = search->multiple ? (uint32_t)search->question->seat : 0;
    for (uint32_t n = nodes[root].child; list && n != NO_NODE; n = nodes[n].sibling) {
        PyObject *row = Py_BuildValue("iId", nodes[n].label, nodes[n].visits, nodes[n].total);
        if (!row || PyList_Append(list, row) < 0) Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

PyDoc_STRVAR(
    search_tree_doc,
    "tree(*, world, iterations, seconds, c, curiosity, multiple, scripted, prior, nodes, seed)\n--\n\n"
    "Monte Carlo tree search on one world, or (-1) on all. Returns iterations, nodes and (move, visits, total)\n"
    "for each move; c is in points, seconds of 0 are no limit. With a curiosity below 1 playouts make the moves that\n"
    "were best on average so far, and any move that often. Scripted: the others choose by their policies in the tree, too.\n"
    "The prior is a policy that moves are tried by, or None.");
static PyObject *search_tree(PyObject *self, PyObject *args, PyObject *keywords) {
    static char *names[] = {"world",    "iterations", "seconds", "c",    "curiosity", "multiple",
                            "scripted", "prior",      "nodes",   "seed", NULL};
    PyObject *prior;
    const Question *asked = &((SearchObject *)self)->question;
    Question one = *asked;
    Patience patience;
    TreeSearch search = {.question = &one, .patience = &patience};
    int world;
    unsigned long long iterations, seed;
    double seconds;
    unsigned int nodes;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "$iKdddppOIK", names, &world, &iterations, &seconds, &search.c,
                                     &search.curiosity, &search.multiple, &search.scripted, &prior, &nodes, &seed))
        return NULL;
    if (get_policy(asked->program, prior, &search.prior) < 0) return NULL;
    if (!(search.curiosity >= 0)) return PyErr_Format(PyExc_ValueError, "curiosity must not be negative");
    if (world < -1 || world >= (int64_t)asked->worlds)
        return PyErr_Format(PyExc_ValueError, "there is no world %d", world);
    double weight = 1;
    if (world >= 0) {
        one.states += (size_t)world * one.program->state_size;
        one.cumulative = &weight;
        one.worlds = 1;
    }
    search.seed = seed;
    patience_begin(&patience, seconds, &asked->cancelled, RELEASE_GIL);
    int failed = tree_search(&search, iterations, nodes) < 0;
    PyObject *result = NULL;
    if (patience_end(&patience) == 0)
        result = failed
                   ? PyErr_NoMemory()
                   : Py_BuildValue("KIN", (unsigned long long)search.iterations, search.tree.used, root_moves(&search));
    free(search.tree.nodes);
    return result;
}

static PyObject *world_values(const Moves *moves, const double *values, int depth, uint64_t nodes) {
    PyObject *list = PyList_New(depth ? moves->count : 0);
    for (int n = 0; list && depth && n < moves->count; n++) {
        PyObject *row = Py_BuildValue("id", moves->label[n], values[n]);
        if (row) PyList_SET_ITEM(list, n, row);
        else Py_CLEAR(list);
    }
    return list ? Py_BuildValue("iKN", depth, (unsigned long long)nodes, list) : NULL;
}

/* Reads how minimax judges: an Evaluation, the number of a function, or None. */
static int read_judge(const Program *program, PyObject *judge, Minimax *search) {
    search->function = NONE;
    if (judge == Py_None) return 0;
    if (PyObject_TypeCheck(judge, &evaluation_type)) {
        if (&((ProgramObject *)((EvaluationObject *)judge)->program)->program != program) {
            PyErr_SetString(PyExc_ValueError, "heuristics of another program");
            return -1;
        }
        search->evaluation = &((EvaluationObject *)judge)->evaluation;
        return 0;
    }
    long number = PyLong_AsLong(judge);
    if (number == -1 && PyErr_Occurred()) return -1;
    if (number < 0 || number >= (long)program->function_count || program->functions[number].parameters != 1) {
        PyErr_SetString(PyExc_ValueError, "there is no such function of a player");
        return -1;
    }
    search->function = (int)number;
    return 0;
}

PyDoc_STRVAR(
    search_minimax_doc,
    "minimax(*, first, last, depth, playouts, judge, max_n, preferring, pruning, nodes, table_bits, seconds, seed)\n--\n\n"
    "Minimax of the worlds from `first` to before `last`: for each (depth, nodes, [(move, value)]). Depth 0 is to the\n"
    "end; the values are of the last depth that was finished with that many nodes. A position there is worth what\n"
    "the judge says, heuristics or the number of a function of the player; without one (None) the mean of playouts,\n"
    "or (0 of them) as if the game ended there.");
static PyObject *search_minimax(PyObject *self, PyObject *args, PyObject *keywords) {
    static char *names[] = {"first",   "last",  "depth",      "playouts", "judge", "max_n", "preferring",
                            "pruning", "nodes", "table_bits", "seconds",  "seed",  NULL};
    const Question *question = &((SearchObject *)self)->question;
    Patience patience;
    Minimax search = {.question = question, .patience = &patience};
    unsigned int first, last;
    int depth, table_bits;
    unsigned long long nodes, seed;
    double seconds;
    PyObject *judge;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "$IIiiOpppKidK", names, &first, &last, &depth, &search.playouts,
                                     &judge, &search.max_n, &search.preferring, &search.pruning, &nodes, &table_bits,
                                     &seconds, &seed))
        return NULL;
    if (first > last || last > question->worlds || depth < 0 || depth > MAX_DEPTH || search.playouts < 0 ||
        (table_bits != 0 && table_bits < 4) || table_bits > 26)
        return PyErr_Format(PyExc_ValueError, "bad arguments of minimax");
    if (read_judge(question->program, judge, &search) < 0) return NULL;
    search.node_limit = nodes;
    search.seed = seed;
    if (depth == 0) depth = MAX_DEPTH;
    Moves moves;
    double values[MAX_MOVES];
    PyObject *list = minimax_open(&search, table_bits, depth) < 0 ? PyErr_NoMemory() : PyList_New(0);
    for (uint32_t world = first; list && world < last; world++) {
        patience_begin(&patience, seconds, &question->cancelled, RELEASE_GIL);
        int reached = search_world(&search, world, depth, &moves, values);
        PyObject *row = patience_end(&patience) < 0 ? NULL : world_values(&moves, values, reached, search.nodes);
        if (!row || PyList_Append(list, row) < 0) Py_CLEAR(list);
        Py_XDECREF(row);
    }
    minimax_close(&search);
    return list;
}

PyDoc_STRVAR(search_hashes_doc,
             "hashes()\n--\n\nA number for every world, equal where the chart sees no difference between them.");
static PyObject *search_hashes(PyObject *self, PyObject *unused) {
    (void)unused;
    const Question *question = &((SearchObject *)self)->question;
    Frame frame;
    if (frame_open(&frame, question->program) < 0) return PyErr_NoMemory();
    PyObject *list = PyList_New(question->worlds);
    for (uint32_t world = 0; list && world < question->worlds; world++) {
        load_world(question, &frame, world);
        PyObject *hash = PyLong_FromUnsignedLongLong(position_hash(&frame));
        if (hash) PyList_SET_ITEM(list, world, hash);
        else Py_CLEAR(list);
    }
    frame_close(&frame);
    return list;
}

static PyObject *search_get_win_weight(PyObject *self, void *unused) {
    (void)unused;
    return PyFloat_FromDouble(((SearchObject *)self)->question.win_weight);
}

static int search_set_win_weight(PyObject *self, PyObject *value, void *unused) {
    (void)unused;
    double weight = value ? PyFloat_AsDouble(value) : 0;
    if (weight == -1 && PyErr_Occurred()) return -1;
    ((SearchObject *)self)->question.win_weight = weight;
    return 0;
}

static PyMethodDef search_methods[] = {
    {"cancel", search_cancel, METH_NOARGS, search_cancel_doc},
    {"spread", search_spread, METH_VARARGS, search_spread_doc},
    {"flat", WITH_KEYWORDS(search_flat), search_flat_doc},
    {"tree", WITH_KEYWORDS(search_tree), search_tree_doc},
    {"minimax", WITH_KEYWORDS(search_minimax), search_minimax_doc},
    {"hashes", search_hashes, METH_NOARGS, search_hashes_doc},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef search_getters[] = {
    {"win_weight", search_get_win_weight, search_set_win_weight, "What winning the game is worth, in points.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject search_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "fcdl.engines.native._engine.Search",
    .tp_doc =
        "Search(*, program, worlds, weights, seat, one_hand, utility, lowest_wins, friends, zone_seers, secrets, policies, until)\n"
        "--\n\n"
        "A question: which move of the seat is best, in these worlds with these weights? After `until` moves (-1: never)\n"
        "playouts by policies go on at random.\n"
        "Utilities: 0 score against the others, 1 own score, 2 share of the win, 3 score and win.",
    .tp_basicsize = sizeof(SearchObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = search_new,
    .tp_dealloc = search_dealloc,
    .tp_methods = search_methods,
    .tp_getset = search_getters,
};
