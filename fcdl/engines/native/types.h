/* The Python types, and what they share. Whoever includes this includes it first. */

#ifndef FCDL_TYPES_H
#define FCDL_TYPES_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "evaluation.h"
#include "frame.h"
#include "network.h"
#include "policies.h"
#include "program.h"

/* A method that takes keywords, as a row of its type's methods has it. */
#define WITH_KEYWORDS(method) (PyCFunction)(void (*)(void)) method, METH_VARARGS | METH_KEYWORDS

typedef struct {
    PyObject_HEAD
    Program program;
} ProgramObject;

typedef struct {
    PyObject_HEAD
    PyObject *program;
    Evaluation evaluation;
    Heuristic *heuristics;
    uint8_t *inside;
    uint64_t friends[MAX_PLAYERS];
} EvaluationObject;

typedef struct {
    PyObject_HEAD
    PyObject *program;
    Network network;
    void *parts[10]; /* what the network is made of */
} NetworkObject;

extern PyTypeObject network_type, program_type, evaluation_type, policy_type, state_type, book_type, play_type,
    particles_type, search_type;
extern PyObject *illegal_move; /* exception */

/* Reads and verifies a program (-1: a Python error), and frees one. */
int program_load(Program *program, PyObject *parts);
void program_free(Program *program);

/* All that a run of a program depends on, as bytes. */
PyObject *program_text(const Program *program, int functions);

/* Runs to the next decision, the end, or (unless chance is random) a question to chance. 1: chance is asked; -1 with a
   Python error. */
int run_to_chance(Frame *frame, int random);

/* Runs to the next decision or the end; -1 with a Python error. A NULL chance is made here. */
int run_asking(Frame *frame, PyObject *chance);
/* Asks chance what a frame waits for, and checks the answer; -1 with a Python error. */
int ask_chance(Frame *frame, PyObject *chance);
/* Runs a frame whose program was checked up to its decision, so that its legal moves are known. */
int reach_decision(Frame *frame);
/* Opens a frame at a state, and releases the buffer; -1 with a Python error. */
int open_at(Frame *frame, const Program *program, Py_buffer *state);

/* The numbers of the legal moves, in order. */
PyObject *legal_tuple(const Frame *frame);
/* Must come before the first of these; -1 with a Python error. */
int make_numbers(void);
/* The cards of a set that is offered, as bytes. */
PyObject *offered_cards(const Frame *frame, uint32_t place);
PyObject *score_tuple(const Frame *frame);
PyObject *state_bytes(const Frame *frame);
PyObject *call_with(Frame *frame, unsigned long number, PyObject *arguments);
/* Calls functions one after the other with each of the tuples in a list: bytes, a row of int32 for each tuple. */
PyObject *call_all_with(Frame *frame, unsigned long first, unsigned long count, PyObject *rows);
/* A tuple of so many states that lie one after the other. */
PyObject *state_tuple(const Program *program, const unsigned char *states, size_t count);

/* Reads None, or a policy; its object must live on. */
int get_policy(const Program *program, PyObject *item, const Policy **policy);
/* Reads None, or a tuple with a policy (or None: any legal move) for each seat; the policies' objects must live on. */
int get_policies(const Program *program, PyObject *tuple, const Policy **policies, int *wanted);

/* Program.worlds. */
PyObject *draw_worlds_of_program(PyObject *self, PyObject *args, PyObject *keywords);
extern const char worlds_doc[];
/* Program.orders. */
PyObject *draw_orders_of_program(PyObject *self, PyObject *args, PyObject *keywords);
extern const char orders_doc[];
/* Program.arranged. */
PyObject *arrange_cards_of_program(PyObject *self, PyObject *args);

#endif
