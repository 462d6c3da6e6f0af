/* Frames as Python sees them: chance that is asked, and what is told of a position. */

#include "types.h"

#include "arithmetic.h"
#include "functions.h"

PyObject *illegal_move;

static int ask_number(Frame *frame, PyObject *chance) {
    PyObject *answer = PyObject_CallMethod(chance, "number", "i", frame->number);
    if (!answer) return -1;
    long value = PyLong_AsLong(answer);
    Py_DECREF(answer);
    if (value == -1 && PyErr_Occurred()) return -1;
    if (value < 0 || value >= frame->number) {
        PyErr_Format(PyExc_ValueError, "chance says %ld where a number below %d is expected", value, frame->number);
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

int ask_chance(Frame *frame, PyObject *chance) {
    return frame->ask == ASK_NUMBER ? ask_number(frame, chance) : ask_order(frame, chance);
}

int run_to_chance(Frame *frame, int random) {
    int result = run_on(frame, random ? RANDOM_CHANCE : 0);
    if (frame->events && frame->events->failed) {
        PyErr_NoMemory();
        return -1;
    }
    if (result == RESULT_ILLEGAL) {
        PyErr_SetString(illegal_move, "illegal move");
        return -1;
    }
    return result == RESULT_CHANCE;
}

int run_asking(Frame *frame, PyObject *chance) {
    int asked;
    while ((asked = run_to_chance(frame, !chance)) > 0) {
        if (ask_chance(frame, chance) < 0) return -1;
        frame->answered = 1;
    }
    return asked;
}

int reach_decision(Frame *frame) { return frame->header->status == DECISION ? run_asking(frame, NULL) : 0; }

/* Python's numbers from PASS on, which live as long as the module: asking for them costs more than a list of cards. */
static PyObject *numbers[1 + MAX_CARDS];

int make_numbers(void) {
    for (int n = 0; n < 1 + MAX_CARDS; n++)
        if (!(numbers[n] = PyLong_FromLong(PASS + n))) return -1;
    return 0;
}

PyObject *legal_tuple(const Frame *frame) {
    if (frame->header->status != DECISION) return PyTuple_New(0);
    int32_t moves[MAX_LEGAL];
    uint32_t count = legal_moves(frame, moves);
    PyObject *tuple = PyTuple_New(count);
    for (uint32_t n = 0; tuple && n < count; n++) {
        const uint32_t place = (uint32_t)moves[n] - (uint32_t)PASS;
        PyObject *number = place <= MAX_CARDS ? Py_NewRef(numbers[place]) : PyLong_FromLong(moves[n]);
        if (number) PyTuple_SET_ITEM(tuple, n, number);
        else Py_CLEAR(tuple);
    }
    return tuple;
}

PyObject *offered_cards(const Frame *frame, uint32_t place) {
    uint64_t words[MAX_WORDS];
    char cards[MAX_CARDS];
    Py_ssize_t count = 0;
    const size_t size = set_bytes(frame->program);
    memcpy(words, frame->offered + place * size, size);
    for (int word = 0; word < set_words(frame->program); word++)
        for (uint64_t rest = words[word]; rest; rest &= rest - 1)
            cards[count++] = (char)(64 * word + __builtin_ctzll(rest));
    return PyBytes_FromStringAndSize(cards, count);
}

PyObject *score_tuple(const Frame *frame) {
    const Program *program = frame->program;
    PyObject *scores = PyTuple_New(program->players);
    if (!scores) return NULL;
    const int32_t *v = (const int32_t *)(const void *)frame->memory;
    for (int seat = 0; seat < program->players; seat++)
        PyTuple_SET_ITEM(scores, seat, PyLong_FromLong(v[program->score + seat]));
    return scores;
}

PyObject *state_bytes(const Frame *frame) {
    const Program *program = frame->program;
    return PyBytes_FromStringAndSize((const char *)frame->memory + program->state_at, (Py_ssize_t)program->state_size);
}

int open_at(Frame *frame, const Program *program, Py_buffer *state) {
    int valid = state_is_valid(program, state->buf, (size_t)state->len);
    if (!valid) PyErr_SetString(PyExc_ValueError, "this is not a state of this game");
    if (valid && frame_open(frame, program) < 0) {
        PyErr_NoMemory();
        valid = 0;
    }
    if (valid) frame_load(frame, state->buf);
    PyBuffer_Release(state);
    return valid ? 0 : -1;
}

/* Reads the arguments of a function of a program from Python; -1 with a Python error. */
static int read_arguments(const Program *program, unsigned long number, PyObject *arguments, int32_t *values) {
    if (number >= program->function_count || !PyTuple_Check(arguments) ||
        PyTuple_GET_SIZE(arguments) != (Py_ssize_t)program->functions[number].parameters) {
        PyErr_SetString(PyExc_ValueError, "there is no such function with so many arguments");
        return -1;
    }
    for (Py_ssize_t n = 0; n < PyTuple_GET_SIZE(arguments); n++) {
        int overflow;
        long value = PyLong_AsLongAndOverflow(PyTuple_GET_ITEM(arguments, n), &overflow);
        if (value == -1 && PyErr_Occurred()) return -1;
        values[n] = overflow ? (overflow < 0 ? INT32_MIN : INT32_MAX) : saturated(value);
    }
    return 0;
}

/* Calls a function of a program with arguments from Python. */
PyObject *call_with(Frame *frame, unsigned long number, PyObject *arguments) {
    int32_t values[MAX_PARAMETERS];
    if (read_arguments(frame->program, number, arguments, values) < 0) return NULL;
    return PyLong_FromLong(call_function(frame, (uint32_t)number, values));
}

PyObject *call_all_with(Frame *frame, unsigned long first, unsigned long count, PyObject *rows) {
    int32_t values[MAX_PARAMETERS];
    const Py_ssize_t height = PyList_GET_SIZE(rows);
    if (count > frame->program->function_count) {
        PyErr_SetString(PyExc_ValueError, "there are not so many functions");
        return NULL;
    }
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, height * (Py_ssize_t)(count * sizeof *values));
    if (!bytes) return NULL;
    int32_t *results = (int32_t *)(void *)PyBytes_AS_STRING(bytes);
    for (Py_ssize_t row = 0; row < height; row++) {
        for (unsigned long n = 0; n < count; n++) {
            if (read_arguments(frame->program, first + n, PyList_GET_ITEM(rows, row), values) < 0) {
                Py_DECREF(bytes);
                return NULL;
            }
            *results++ = call_function(frame, (uint32_t)(first + n), values);
        }
    }
    return bytes;
}

PyObject *state_tuple(const Program *program, const unsigned char *states, size_t count) {
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t n = 0; tuple && n < count; n++) {
        PyObject *state =
            PyBytes_FromStringAndSize((const char *)states + n * program->state_size, (Py_ssize_t)program->state_size);
        if (state) PyTuple_SET_ITEM(tuple, (Py_ssize_t)n, state);
        else Py_CLEAR(tuple);
    }
    return tuple;
}
