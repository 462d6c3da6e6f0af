/* Evaluations and policies as Python objects. */

#include "types.h"

#include "functions.h"
#include "patience.h"
#include "random.h"

/* --- evaluations */

static void evaluation_dealloc(PyObject *self) {
    EvaluationObject *object = (EvaluationObject *)self;
    free(object->heuristics);
    free(object->inside);
    Py_XDECREF(object->program);
    Py_TYPE(self)->tp_free(self);
}

static int is_function(const Program *program, long number, uint32_t parameters) {
    return number == NONE || (number >= 0 && number < (long)program->function_count &&
                              program->functions[number].parameters == parameters);
}

static int read_heuristic(const Program *program, PyObject *item, Heuristic *heuristic) {
    int away, fits, total, change;
    PyObject *distances;
    if (!PyArg_ParseTuple(item, "diiiiO!", &heuristic->weight, &away, &fits, &total, &change, &PyTuple_Type,
                          &distances))
        return -1;
    Py_ssize_t others = PyTuple_GET_SIZE(distances);
    uint32_t parameters = 2 + (uint32_t)others;
    int fine = others <= MAX_OTHERS && fits != NONE && is_function(program, away, 1) &&
               is_function(program, fits, parameters) && is_function(program, total, parameters) &&
               is_function(program, change, parameters);
    for (Py_ssize_t n = 0; fine && n < others; n++) {
        long distance = PyLong_AsLong(PyTuple_GET_ITEM(distances, n));
        fine = distance >= 0 && distance < program->players;
        heuristic->distance[n] = (uint32_t)distance;
    }
    if (!fine) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "bad heuristic");
        return -1;
    }
    heuristic->away = away;
    heuristic->fits = fits;
    heuristic->total = total;
    heuristic->change = change;
    heuristic->others = (uint32_t)others;
    return 0;
}

static int fill_evaluation(EvaluationObject *object, Evaluation evaluation, unsigned long hand, const Py_buffer *inside,
                           const Py_buffer *friends, PyObject *heuristics) {
    const Program *program = &((ProgramObject *)object->program)->program;
    Py_ssize_t count = PyTuple_GET_SIZE(heuristics);
    if (!is_function(program, evaluation.goal, 1) || !is_function(program, evaluation.ahead, 1) ||
        evaluation.goal == NONE || evaluation.ahead == NONE || evaluation.depth < 1 ||
        hand + (unsigned long)program->players > program->zones || (size_t)inside->len != program->node_count ||
        (size_t)friends->len != (size_t)program->players * 8 || count > MAX_HEURISTICS) {
        PyErr_SetString(PyExc_ValueError, "bad evaluation");
        return -1;
    }
    object->inside = malloc((size_t)inside->len);
    object->heuristics = calloc((size_t)count + 1, sizeof(Heuristic));
    if (!object->inside || !object->heuristics) {
        PyErr_NoMemory();
        return -1;
    }
    memcpy(object->inside, inside->buf, (size_t)inside->len);
    memcpy(object->friends, friends->buf, (size_t)friends->len);
    for (Py_ssize_t n = 0; n < count; n++)
        if (read_heuristic(program, PyTuple_GET_ITEM(heuristics, n), &object->heuristics[n]) < 0) return -1;
    evaluation.hand = (uint32_t)hand;
    evaluation.inside = object->inside;
    evaluation.friends = object->friends;
    evaluation.heuristics = object->heuristics;
    evaluation.count = (uint32_t)count;
    object->evaluation = evaluation;
    return 0;
}

static PyObject *evaluation_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {"program", "goal", "ahead",  "mean",    "shares",     "average",
                            "depth",   "hand", "inside", "friends", "heuristics", NULL};
    PyObject *program, *heuristics;
    Evaluation evaluation = {0};
    unsigned long hand;
    Py_buffer inside, friends;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "$O!iipppIky*y*O!", names, &program_type, &program,
                                     &evaluation.goal, &evaluation.ahead, &evaluation.mean, &evaluation.shares,
                                     &evaluation.average, &evaluation.depth, &hand, &inside, &friends, &PyTuple_Type,
                                     &heuristics))
        return NULL;
    EvaluationObject *object = (EvaluationObject *)type->tp_alloc(type, 0);
    if (object) {
        object->program = Py_NewRef(program);
        if (fill_evaluation(object, evaluation, hand, &inside, &friends, heuristics) < 0) Py_CLEAR(object);
    }
    PyBuffer_Release(&inside);
    PyBuffer_Release(&friends);
    return (PyObject *)object;
}

PyDoc_STRVAR(
    evaluation_value_doc,
    "value(state, seat)\n--\n\n"
    "What a position at the start of a cycle is worth to a seat: what it has, and each heuristic's part (float64).");
static PyObject *evaluation_value(PyObject *self, PyObject *args) {
    EvaluationObject *object = (EvaluationObject *)self;
    const Program *program = &((ProgramObject *)object->program)->program;
    Py_buffer state;
    Frame frame;
    int seat;
    if (!PyArg_ParseTuple(args, "y*i", &state, &seat)) return NULL;
    if (seat < 0 || seat >= program->players) {
        PyBuffer_Release(&state);
        PyErr_SetString(PyExc_ValueError, "there is no such seat");
        return NULL;
    }
    if (open_at(&frame, program, &state) < 0) return NULL;
    Py_ssize_t bytes = (Py_ssize_t)((object->evaluation.count + 1) * sizeof(double));
    PyObject *parts = PyByteArray_FromStringAndSize(NULL, bytes);
    if (parts) position_value(&frame, &object->evaluation, seat, 0, (double *)(void *)PyByteArray_AS_STRING(parts));
    frame_close(&frame);
    return parts;
}

PyDoc_STRVAR(
    evaluation_values_doc,
    "values(states, moves, lines, seed, values, parts=None)\n--\n\n"
    "What each of the moves is worth in each of the worlds (positions, one after the other) to the player to move,\n"
    "at the end of the cycle by minimax in at most so many lines of play, less what the player has now; outside cycles by\n"
    "random playouts of the hand and the score. Writes float64:\n"
    "values[world][move] and, if wanted, parts[world][move][what the player has, each heuristic].");
static PyObject *evaluation_values(PyObject *self, PyObject *args) {
    EvaluationObject *object = (EvaluationObject *)self;
    const Program *program = &((ProgramObject *)object->program)->program;
    const Evaluation *evaluation = &object->evaluation;
    Py_buffer states, moves, values, parts = {0};
    PyObject *parts_object = Py_None;
    unsigned long lines;
    unsigned long long seed;
    if (!PyArg_ParseTuple(args, "y*y*kKw*|O", &states, &moves, &lines, &seed, &values, &parts_object)) return NULL;
    if (parts_object != Py_None && PyObject_GetBuffer(parts_object, &parts, PyBUF_WRITABLE) < 0) {
        PyBuffer_Release(&states);
        PyBuffer_Release(&moves);
        PyBuffer_Release(&values);
        return NULL;
    }
    const size_t size = program->state_size, width = evaluation->count + 1;
    const size_t worlds = (size_t)states.len / size, count = (size_t)moves.len / sizeof(int32_t);
    const unsigned char *data = states.buf;
    int fine = worlds * size == (size_t)states.len && count * sizeof(int32_t) == (size_t)moves.len && lines >= 1 &&
               lines <= MAX_LINES && (size_t)values.len == worlds * count * sizeof(double) &&
               (!parts.buf || (size_t)parts.len == worlds * count * width * sizeof(double));
    for (size_t world = 0; fine && world < worlds; world++) {
        Header header;
        fine = state_is_valid(program, data + world * size, size);
        memcpy(&header, data + world * size + (program->header_at - program->state_at), sizeof header);
        fine = fine && header.status == DECISION;
    }
    Frame frame;
    unsigned char *room = malloc((state_rooms((uint32_t)lines) + 1) * size);
    int opened = fine && room && frame_open(&frame, program) == 0, legal = 1;
    if (!fine) PyErr_SetString(PyExc_ValueError, "bad worlds, moves or arrays");
    else if (!opened) PyErr_NoMemory();
    if (opened) {
        const int32_t *move = moves.buf;
        double *value = values.buf, *part = parts.buf;
        Patience patience;
        patience_begin(&patience, 0, NULL, RELEASE_GIL);
        frame.stop = patience_stop;
        frame.stopper = &patience;
        for (size_t world = 0; legal && world < worlds && !patience_is_over(&patience); world++) {
            frame_load(&frame, data + world * size);
            run_on(&frame, RANDOM_CHANCE);
            legal = frame.header->status == DECISION;
            if (!legal) break;
            Look look = {&frame, evaluation, frame.header->mover, room + size};
            int inside = evaluation->inside[frame.header->node];
            double now = call_function(&frame, (uint32_t)(inside ? evaluation->goal : evaluation->ahead), &look.me);
            int32_t known[MAX_LEGAL];
            uint32_t known_count = legal_moves(&frame, known);
            memcpy(room, frame.memory + program->state_at, size);
            for (size_t n = 0; legal && n < count; n++) {
                uint32_t k = 0;
                while (k < known_count && known[k] != move[n]) k++;
                legal = k < known_count;
                if (!legal) break;
                frame.random = mixed_seed(seed, world);
                *value++ = move_value(&look, room, move[n], (uint32_t)lines, part) - now;
                if (part) {
                    *part -= now;
                    part += width;
                }
            }
        }
        int interrupted = patience_end(&patience) < 0;
        frame_close(&frame);
        if (!legal && !interrupted) PyErr_SetString(illegal_move, "a move is not legal in one of the worlds");
        legal = legal && !interrupted;
    }
    free(room);
    PyBuffer_Release(&states);
    PyBuffer_Release(&moves);
    PyBuffer_Release(&values);
    if (parts.buf) PyBuffer_Release(&parts);
    if (!opened || !legal) return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef evaluation_methods[] = {
    {"value", evaluation_value, METH_VARARGS, evaluation_value_doc},
    {"values", evaluation_values, METH_VARARGS, evaluation_values_doc},
    {NULL, NULL, 0, NULL},
};

PyTypeObject evaluation_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "fcdl.engines.native._engine.Evaluation",
    .tp_doc =
        "Evaluation(*, program, goal, ahead, mean, shares, average, depth, hand, inside, friends, heuristics)\n--\n\n"
        "How positions at the start of a cycle are valued: functions of the program by number, -1 for none.\n"
        "A heuristic is (weight, away, fits, total, change, distances of the others whose cards are arguments).",
    .tp_basicsize = sizeof(EvaluationObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = evaluation_new,
    .tp_dealloc = evaluation_dealloc,
    .tp_methods = evaluation_methods,
};

/* --- policies */

typedef struct {
    PyObject_HEAD
    PyObject *program;
    PyObject *evaluation, *network;
    Policy policy;
    int32_t *worth, *passing;
} PolicyObject;

static void policy_dealloc(PyObject *self) {
    PolicyObject *policy = (PolicyObject *)self;
    free(policy->worth);
    free(policy->passing);
    Py_XDECREF(policy->evaluation);
    Py_XDECREF(policy->network);
    Py_XDECREF(policy->program);
    Py_TYPE(self)->tp_free(self);
}

/* A copy of the functions of the nodes, each NONE or with this many parameters. */
static int32_t *functions_by_node(const Program *program, const Py_buffer *numbers, uint32_t parameters) {
    size_t bytes = program->node_count * sizeof(int32_t);
    int32_t *copy = malloc(bytes);
    if (!copy) {
        PyErr_NoMemory();
        return NULL;
    }
    int fits = (size_t)numbers->len == bytes;
    if (fits) memcpy(copy, numbers->buf, bytes);
    for (uint32_t n = 0; fits && n < program->node_count; n++)
        fits = copy[n] == NONE ||
               ((uint32_t)copy[n] < program->function_count && program->functions[copy[n]].parameters == parameters);
    if (fits) return copy;
    free(copy);
    PyErr_SetString(PyExc_ValueError, "bad policy: every node has a function of the right parameters, or -1");
    return NULL;
}

static int set_evaluation(PolicyObject *policy, PyObject *evaluation, unsigned long lines) {
    if (evaluation == Py_None) return 0;
    if (!PyObject_TypeCheck(evaluation, &evaluation_type) ||
        ((EvaluationObject *)evaluation)->program != policy->program || lines < 1 || lines > MAX_LINES) {
        PyErr_SetString(PyExc_ValueError, "bad policy: an evaluation of the same program and a number of lines");
        return -1;
    }
    policy->evaluation = Py_NewRef(evaluation);
    policy->policy.evaluation = &((EvaluationObject *)evaluation)->evaluation;
    policy->policy.lines = (uint32_t)lines;
    return 0;
}

static int set_network(PolicyObject *policy, PyObject *network) {
    if (network == Py_None) return 0;
    if (!PyObject_TypeCheck(network, &network_type) || ((NetworkObject *)network)->program != policy->program) {
        PyErr_SetString(PyExc_ValueError, "bad policy: a network of the same program");
        return -1;
    }
    policy->network = Py_NewRef(network);
    policy->policy.network = &((NetworkObject *)network)->network;
    return 0;
}

static PyObject *policy_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {"program", "worth",       "passing", "random_part", "evaluation",
                            "lines",   "temperature", "network", NULL};
    PyObject *program, *evaluation = Py_None, *network = Py_None;
    Py_buffer worth, passing;
    double random_part = 0, temperature = 0;
    unsigned long lines = 1;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!y*y*|dOkdO", names, &program_type, &program, &worth, &passing,
                                     &random_part, &evaluation, &lines, &temperature, &network))
        return NULL;
    PolicyObject *policy = (PolicyObject *)type->tp_alloc(type, 0);
    if (policy) {
        policy->program = Py_NewRef(program);
        policy->worth = functions_by_node(&((ProgramObject *)program)->program, &worth, 2);
        if (policy->worth) policy->passing = functions_by_node(&((ProgramObject *)program)->program, &passing, 1);
        if (policy->passing && !(random_part >= 0 && random_part < 1 && temperature >= 0 && temperature < 1e9)) {
            PyErr_SetString(PyExc_ValueError, "bad policy: the part of random moves is at least 0 and less than 1, "
                                              "the temperature at least 0");
            Py_CLEAR(policy);
        } else if (policy->passing &&
                   (set_evaluation(policy, evaluation, lines) < 0 || set_network(policy, network) < 0)) {
            Py_CLEAR(policy);
        } else if (!policy->passing) {
            Py_CLEAR(policy);
        } else {
            policy->policy.worth = policy->worth;
            policy->policy.passing = policy->passing;
            policy->policy.random_part = (uint32_t)(random_part * 4294967296.0);
            policy->policy.temperature = temperature;
        }
    }
    PyBuffer_Release(&worth);
    PyBuffer_Release(&passing);
    return (PyObject *)policy;
}

/* The legal moves of a state where somebody decides, and what they are worth; their number. */
static uint32_t moves_and_worths(Frame *frame, const Policy *policy, int32_t *moves, double *worths) {
    if (frame->header->status != DECISION || run_on(frame, RANDOM_CHANCE) != RESULT_DECISION) return 0;
    uint32_t count = legal_moves(frame, moves);
    policy_worths_of(frame, policy, count, moves, worths);
    return count;
}

PyDoc_STRVAR(policy_worths_doc, "worths(state)\n--\n\n"
                                "The legal moves of a state, each with what it is worth and its probability.");
static PyObject *policy_worths(PyObject *self, PyObject *state_object) {
    PolicyObject *object = (PolicyObject *)self;
    const Program *program = &((ProgramObject *)object->program)->program;
    Py_buffer state;
    Frame frame;
    int32_t moves[MAX_LEGAL];
    double worths[MAX_LEGAL], probabilities[MAX_LEGAL];
    if (PyObject_GetBuffer(state_object, &state, PyBUF_SIMPLE) < 0) return NULL;
    if (open_at(&frame, program, &state) < 0) return NULL;
    uint32_t count = moves_and_worths(&frame, &object->policy, moves, worths);
    if (count) policy_probabilities(&object->policy, count, worths, probabilities);
    frame_close(&frame);
    PyObject *list = PyList_New(count);
    for (uint32_t n = 0; list && n < count; n++) {
        PyObject *row = Py_BuildValue("idd", moves[n], worths[n], probabilities[n]);
        if (row) PyList_SET_ITEM(list, n, row);
        else Py_CLEAR(list);
    }
    return list;
}

PyDoc_STRVAR(
    policy_likelihoods_doc,
    "likelihoods(states, moves, softness=0.0, seconds=0.0)\n--\n\n"
    "The probability of a move (int32) in each of the states, which are positions one after the other, as\n"
    "float64; 0 where the move is not legal, or nobody decides; -1 from where the seconds (0: no limit) were over.\n"
    "softness: the temperature, in standard deviations of the worths of a decision, if the policy has none.");
static PyObject *policy_likelihoods(PyObject *self, PyObject *args) {
    PolicyObject *object = (PolicyObject *)self;
    const Program *program = &((ProgramObject *)object->program)->program;
    const size_t size = program->state_size;
    Py_buffer states, moves;
    double softness = 0, seconds = 0;
    if (!PyArg_ParseTuple(args, "y*y*|dd", &states, &moves, &softness, &seconds)) return NULL;
    const size_t count = (size_t)moves.len / sizeof(int32_t);
    const unsigned char *data = states.buf;
    int fine = count * sizeof(int32_t) == (size_t)moves.len && count * size == (size_t)states.len;
    for (size_t n = 0; fine && n < count; n++) fine = state_is_valid(program, data + n * size, size);
    PyObject *result = fine ? PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(count * sizeof(double))) : NULL;
    Frame frame;
    if (!fine) PyErr_SetString(PyExc_ValueError, "bad states or moves");
    else if (result && frame_open(&frame, program) < 0) {
        PyErr_NoMemory();
        Py_CLEAR(result);
    }
    int interrupted = 0;
    if (result) {
        double *likelihood = (double *)(void *)PyBytes_AS_STRING(result);
        Patience patience;
        patience_begin(&patience, seconds, NULL, RELEASE_GIL);
        frame.stop = patience_stop;
        frame.stopper = &patience;
        for (size_t n = 0; n < count; n++) likelihood[n] = -1;
        for (size_t n = 0; n < count && !patience_is_over(&patience); n++) {
            int32_t legal[MAX_LEGAL], move;
            double worths[MAX_LEGAL], probabilities[MAX_LEGAL];
            memcpy(&move, (const char *)moves.buf + n * sizeof move, sizeof move);
            frame_load(&frame, data + n * size);
            frame_refuel(&frame);
            uint32_t found = moves_and_worths(&frame, &object->policy, legal, worths), at = 0;
            if (patience.stopped) break;
            if (found) soft_probabilities(&object->policy, softness, found, worths, probabilities);
            while (at < found && legal[at] != move) at++;
            likelihood[n] = at < found ? probabilities[at] : 0;
        }
        interrupted = patience_end(&patience) < 0;
        frame_close(&frame);
    }
    PyBuffer_Release(&states);
    PyBuffer_Release(&moves);
    if (interrupted) Py_CLEAR(result);
    return result;
}

static PyMethodDef policy_methods[] = {
    {"worths", policy_worths, METH_O, policy_worths_doc},
    {"likelihoods", policy_likelihoods, METH_VARARGS, policy_likelihoods_doc},
    {NULL, NULL, 0, NULL},
};

PyTypeObject policy_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "fcdl.engines.native._engine.Policy",
    .tp_doc =
        "Policy(program, worth, passing, random_part=0.0, evaluation=None, lines=1, temperature=0.0, network=None)\n--\n\n"
        "How a seat chooses: for every node (int32) the function of (player, move), that of (player) for a pass;\n"
        "or an evaluation for the end of the cycle, looked for in so many lines of play; or a network.",
    .tp_basicsize = sizeof(PolicyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = policy_new,
    .tp_dealloc = policy_dealloc,
    .tp_methods = policy_methods,
};

int get_policy(const Program *program, PyObject *item, const Policy **policy) {
    *policy = NULL;
    if (item == Py_None) return 0;
    if (!PyObject_TypeCheck(item, &policy_type) ||
        &((ProgramObject *)((PolicyObject *)item)->program)->program != program) {
        PyErr_SetString(PyExc_ValueError, "a policy is None, or one of this program");
        return -1;
    }
    *policy = &((PolicyObject *)item)->policy;
    return 0;
}

int get_policies(const Program *program, PyObject *tuple, const Policy **policies, int *wanted) {
    *wanted = tuple != Py_None;
    if (!*wanted) return 0;
    int fits = PyTuple_Check(tuple) && PyTuple_GET_SIZE(tuple) == program->players;
    for (int seat = 0; fits && seat < program->players; seat++)
        fits = get_policy(program, PyTuple_GET_ITEM(tuple, seat), &policies[seat]) == 0;
    if (!fits) PyErr_SetString(PyExc_ValueError, "policies are None, or one of this program (or None) for each seat");
    return fits ? 0 : -1;
}
