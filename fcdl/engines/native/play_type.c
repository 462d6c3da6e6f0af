/* Games that Python plays move by move.

   A Play keeps the moves that were made and where chance came from, nothing else of the past: what happened is told by
   playing it again with the telling program, when somebody asks. So a move is cheap, a copy is small, and two plays are
   equal if they went the same way. */

#include "types.h"

#include <stdlib.h>
#include <string.h>

#include "functions.h"
#include "random.h"

/* What all plays of a game share: its programs, and the moves as Python has them. */
typedef struct {
    PyObject_HEAD
    ProgramObject *program, *telling;
    PyObject *key;           /* equal for equal games */
    PyObject *plays, *picks; /* tuples of moves by card */
    PyObject *passing;
    PyObject *choose;  /* the move of (node, value) */
    PyObject *take;    /* the move of (node, cards of a set as bytes) */
    PyObject *choices; /* values and sets that were met so far, by node and number */
    /* The table of all moves as numbers, for those who want it: */
    PyObject *numbers;        /* by move; NULL: there is none */
    PyObject *choice_numbers; /* of values and sets that were met so far, by node and number; None: not in the table */
    int32_t *card_numbers;    /* of plays by card, then of picks, then of a pass; NONE: not in the table */
    Py_ssize_t first_place; /* the number of the first legal move where that is not in the table; NONE: it always is */
} BookObject;

static void book_dealloc(PyObject *self) {
    BookObject *book = (BookObject *)self;
    Py_XDECREF(book->program);
    Py_XDECREF(book->telling);
    Py_XDECREF(book->key);
    Py_XDECREF(book->plays);
    Py_XDECREF(book->picks);
    Py_XDECREF(book->passing);
    Py_XDECREF(book->choose);
    Py_XDECREF(book->take);
    Py_XDECREF(book->choices);
    Py_XDECREF(book->numbers);
    Py_XDECREF(book->choice_numbers);
    free(book->card_numbers);
    Py_TYPE(self)->tp_free(self);
}

static PyObject *book_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {"program", "telling", "key", "plays", "picks", "passing", "choose", "take", NULL};
    PyObject *program, *telling, *key, *plays, *picks, *passing, *choose, *take;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!O!OO!O!OOO", names, &program_type, &program, &program_type,
                                     &telling, &key, &PyTuple_Type, &plays, &PyTuple_Type, &picks, &passing, &choose,
                                     &take))
        return NULL;
    const Program *fast = &((ProgramObject *)program)->program, *slow = &((ProgramObject *)telling)->program;
    if (fast->state_size != slow->state_size || fast->deck_size != slow->deck_size ||
        PyTuple_GET_SIZE(plays) != fast->deck_size || PyTuple_GET_SIZE(picks) != fast->deck_size) {
        PyErr_SetString(PyExc_ValueError, "the programs and moves are not of one game");
        return NULL;
    }
    BookObject *book = (BookObject *)type->tp_alloc(type, 0);
    if (!book) return NULL;
    book->program = (ProgramObject *)Py_NewRef(program);
    book->telling = (ProgramObject *)Py_NewRef(telling);
    book->key = Py_NewRef(key);
    book->plays = Py_NewRef(plays);
    book->picks = Py_NewRef(picks);
    book->passing = Py_NewRef(passing);
    book->choose = Py_NewRef(choose);
    book->take = Py_NewRef(take);
    book->choices = PyDict_New();
    if (!book->choices) Py_CLEAR(book);
    return (PyObject *)book;
}

/* The number of a move in the table; NONE if it has none, -2 with a Python error. */
static int32_t number_in_table(PyObject *numbers, PyObject *move) {
    PyObject *number = PyDict_GetItemWithError(numbers, move);
    if (!number) return PyErr_Occurred() ? -2 : NONE;
    long value = PyLong_AsLong(number);
    return value < 0 || value > INT32_MAX ? NONE : (int32_t)value;
}

PyDoc_STRVAR(book_number_moves_doc,
             "number_moves(numbers, first_place)\n--\n\n"
             "Gives moves their numbers in a table of all moves, from a dict. A legal move that is not in it has the\n"
             "number of the first place plus its own; with a first place of -1 there is none.");
static PyObject *book_number_moves(PyObject *self, PyObject *args) {
    BookObject *book = (BookObject *)self;
    PyObject *numbers;
    Py_ssize_t first_place;
    if (!PyArg_ParseTuple(args, "O!n", &PyDict_Type, &numbers, &first_place)) return NULL;
    const Py_ssize_t deck_size = book->program->program.deck_size;
    int32_t *card_numbers = malloc((size_t)(2 * deck_size + 1) * sizeof *card_numbers);
    PyObject *choice_numbers = PyDict_New();
    int failed = !card_numbers || !choice_numbers;
    if (!card_numbers) PyErr_NoMemory();
    for (Py_ssize_t n = 0; !failed && n <= 2 * deck_size; n++) {
        PyObject *move = n == 2 * deck_size ? book->passing
                       : n < deck_size      ? PyTuple_GET_ITEM(book->plays, n)
                                            : PyTuple_GET_ITEM(book->picks, n - deck_size);
        card_numbers[n] = number_in_table(numbers, move);
        failed = card_numbers[n] == -2;
    }
    if (failed) {
        free(card_numbers);
        Py_XDECREF(choice_numbers);
        return NULL;
    }
    free(book->card_numbers);
    book->card_numbers = card_numbers;
    Py_XSETREF(book->choice_numbers, choice_numbers);
    Py_XSETREF(book->numbers, Py_NewRef(numbers));
    book->first_place = first_place;
    Py_RETURN_NONE;
}

static PyMethodDef book_methods[] = {
    {"number_moves", book_number_moves, METH_VARARGS, book_number_moves_doc},
    {NULL, NULL, 0, NULL},
};

PyTypeObject book_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "fcdl.engines.native._engine.Book",
    .tp_doc = "Book(program, telling, key, plays, picks, passing, choose, take)\n--\n\n"
              "What all plays of a game share: its programs, a key that is equal for equal games, and its moves:\n"
              "plays and picks by card, the pass, choose(node, value), and take(node, cards as bytes).",
    .tp_basicsize = sizeof(BookObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = book_new,
    .tp_dealloc = book_dealloc,
    .tp_methods = book_methods,
};

/* A value or a set as Python has it, made by `make` of (node, argument) where it is not known yet; a new reference. */
static PyObject *known_move(BookObject *book, int32_t node, int32_t move, PyObject *make, PyObject *argument) {
    PyObject *number = PyLong_FromLongLong((long long)node << 32 | (uint32_t)move);
    if (!number || !argument) {
        Py_XDECREF(number);
        return NULL;
    }
    PyObject *made = PyDict_GetItemWithError(book->choices, number);
    Py_XINCREF(made);
    if (!made && !PyErr_Occurred()) {
        made = PyObject_CallFunction(make, "iO", (int)book->program->program.nodes[node], argument);
        if (made && PyDict_SetItem(book->choices, number, made) < 0) Py_CLEAR(made);
    }
    Py_DECREF(number);
    return made;
}

/* A move as Python has it; a new reference. Sets must be known already (`set_move`). */
static PyObject *book_move(BookObject *book, int32_t kind, int32_t node, int32_t move) {
    if (kind == KIND_SET || kind == KIND_SET_OR_PASS) {
        if (move == PASS) return Py_NewRef(book->passing);
        return known_move(book, node, move, book->take, Py_None);
    }
    if (kind != KIND_CHOOSE) {
        if (move == PASS) return Py_NewRef(book->passing);
        return Py_NewRef(PyTuple_GET_ITEM(kind == KIND_PICK ? book->picks : book->plays, move));
    }
    PyObject *value = PyLong_FromLong(move), *made = known_move(book, node, move, book->choose, value);
    Py_XDECREF(value);
    return made;
}

/* The move of a set that is offered, by its place among them; a new reference. */
static PyObject *set_move(BookObject *book, const Frame *frame, uint32_t place) {
    PyObject *cards = offered_cards(frame, place);
    PyObject *made = known_move(book, frame->header->node, frame->set_numbers[place], book->take, cards);
    Py_XDECREF(cards);
    return made;
}

/* The number in the table of a value or set that is legal; NONE if it has none, -2 with a Python error. */
static int32_t number_of_choice(BookObject *book, const Frame *frame, int32_t move, uint32_t place) {
    const Header *header = frame->header;
    PyObject *key = PyLong_FromLongLong((long long)header->node << 32 | (uint32_t)move);
    if (!key) return -2;
    int32_t number = -2;
    PyObject *known = PyDict_GetItemWithError(book->choice_numbers, key);
    if (known) {
        number = (int32_t)PyLong_AsLong(known);
    } else if (!PyErr_Occurred()) {
        PyObject *made =
            is_set_decision(header) ? set_move(book, frame, place) : book_move(book, header->kind, header->node, move);
        if (made) number = number_in_table(book->numbers, made);
        PyObject *kept = number == -2 ? NULL : PyLong_FromLong(number);
        if (!kept || PyDict_SetItem(book->choice_numbers, key, kept) < 0) number = -2;
        Py_XDECREF(kept);
        Py_XDECREF(made);
    }
    Py_DECREF(key);
    return number;
}

/* The number of a legal move, by its place among them; -1 with a Python error. */
static long number_of_legal(BookObject *book, const Frame *frame, int32_t move, uint32_t place) {
    const int32_t kind = frame->header->kind, deck_size = frame->program->deck_size;
    int32_t number;
    if (kind == KIND_CHOOSE || (move != PASS && is_set_decision(frame->header)))
        number = number_of_choice(book, frame, move, place);
    else number = book->card_numbers[move == PASS ? 2 * deck_size : kind == KIND_PICK ? deck_size + move : move];
    if (number >= 0) return number;
    if (number == NONE && book->first_place >= 0) return (long)(book->first_place + (Py_ssize_t)place);
    if (number == NONE) PyErr_SetString(PyExc_KeyError, "a legal move is not in the table of moves");
    return -1;
}

typedef struct {
    int32_t move;
    uint16_t node, kind;
} MadeMove;

typedef struct {
    MadeMove *items;
    uint32_t count, capacity;
} MadeMoves;

/* What chance said, number by number: a number, or the cards of an order. */
typedef struct {
    int32_t *items;
    size_t count, capacity, next;
} Outcomes;

/* The same game, played again with events. */
typedef struct {
    Frame frame;
    Events events;
    Outcomes outcomes; /* those of the play; not its own */
    size_t *marks;     /* where in the events each decision is */
    uint32_t moves, capacity;
} Telling;

typedef struct {
    PyObject_HEAD
    BookObject *book;
    PyObject *chance; /* NULL: the frame's own */
    PyObject *legal;  /* NULL: not asked for yet */
    Frame frame;
    uint64_t seed;       /* of the frame's own chance */
    unsigned char *base; /* the position that it began with; NULL: the start */
    MadeMoves moves;
    Outcomes outcomes; /* of a chance from Python */
    Telling *telling;  /* NULL: nobody asked */
} PlayObject;

static int outcomes_push(Outcomes *outcomes, int32_t value) {
    if (outcomes->count == outcomes->capacity) {
        size_t capacity = outcomes->capacity ? 2 * outcomes->capacity : 64;
        int32_t *items = realloc(outcomes->items, capacity * sizeof *items);
        if (!items) {
            PyErr_NoMemory();
            return -1;
        }
        outcomes->items = items;
        outcomes->capacity = capacity;
    }
    outcomes->items[outcomes->count++] = value;
    return 0;
}

/* Answers from what chance said before: 1 if there is an answer, 0 if there is none left; -1: it does not fit. */
static int recorded_answer(Frame *frame, Outcomes *outcomes) {
    size_t left = outcomes->count - outcomes->next;
    if (left == 0) return 0;
    const int32_t *items = outcomes->items + outcomes->next;
    if (frame->ask == ASK_NUMBER) {
        if (*items < 0 || *items >= frame->number) return -1;
        frame->number = *items;
        outcomes->next++;
        return 1;
    }
    uint8_t wanted[MAX_CARDS] = {0};
    if (left < (size_t)frame->order_size) return -1;
    for (int n = 0; n < frame->order_size; n++) wanted[frame->order[n]] = 1;
    for (int n = 0; n < frame->order_size; n++) {
        if (items[n] < 0 || items[n] >= MAX_CARDS || !wanted[items[n]]) return -1;
        wanted[items[n]] = 0;
        frame->order[n] = (uint8_t)items[n];
    }
    outcomes->next += (size_t)frame->order_size;
    return 1;
}

/* Runs to the next decision or the end. Chance is the frame's own (`recorded` is NULL), what was recorded, or asked and
   then recorded. -1 with a Python error. */
static int run_recorded(Frame *frame, Outcomes *recorded, PyObject *chance) {
    int asked;
    while ((asked = run_to_chance(frame, !recorded)) > 0) {
        int answered = recorded_answer(frame, recorded);
        if (answered < 0 || (answered == 0 && !chance)) {
            PyErr_SetString(PyExc_ValueError, "the outcomes of chance do not fit the game");
            return -1;
        }
        if (answered == 0) {
            if (ask_chance(frame, chance) < 0) return -1;
            if (frame->ask == ASK_NUMBER) {
                if (outcomes_push(recorded, frame->number) < 0) return -1;
            } else {
                for (int n = 0; n < frame->order_size; n++)
                    if (outcomes_push(recorded, frame->order[n]) < 0) return -1;
            }
            recorded->next = recorded->count;
        }
        frame->answered = 1;
    }
    return asked;
}

static void telling_free(Telling *telling) {
    if (!telling) return;
    frame_close(&telling->frame);
    free(telling->events.data);
    free(telling->marks);
    free(telling);
}

static void play_dealloc(PyObject *self) {
    PlayObject *play = (PlayObject *)self;
    frame_close(&play->frame);
    free(play->base);
    free(play->moves.items);
    free(play->outcomes.items);
    telling_free(play->telling);
    Py_XDECREF(play->chance);
    Py_XDECREF(play->legal);
    Py_XDECREF(play->book);
    Py_TYPE(self)->tp_free(self);
}

static PlayObject *play_alloc(PyTypeObject *type, BookObject *book, PyObject *chance) {
    PlayObject *play = (PlayObject *)type->tp_alloc(type, 0);
    if (!play) return NULL;
    play->book = (BookObject *)Py_NewRef(book);
    play->chance = chance == Py_None ? NULL : Py_NewRef(chance);
    if (frame_open(&play->frame, &book->program->program) == 0) return play;
    Py_DECREF(play);
    PyErr_NoMemory();
    return NULL;
}

/* Puts a frame where a play begins, and runs to the first decision. */
static int begin_play(const PlayObject *play, Frame *frame, Outcomes *outcomes, PyObject *chance) {
    Events *events = frame->events;
    frame->random = mixed_seed(play->seed, 0);
    if (play->base) {
        frame_load(frame, play->base);
        frame->events = NULL;
    }
    frame_lasts(frame);
    int failed = frame->header->status == OVER ? 0 : run_recorded(frame, outcomes, chance);
    frame->events = events;
    return failed;
}

/* The book knows the set that is played, so that it can say later what was. */
static int remember_set(PlayObject *play, int32_t move) {
    for (int32_t n = 0; n < play->frame.set_count; n++) {
        if (play->frame.set_numbers[n] != move) continue;
        PyObject *made = set_move(play->book, &play->frame, (uint32_t)n);
        Py_XDECREF(made);
        return made ? 0 : -1;
    }
    return 0;
}

/* Makes a move; on a Python error the frame stands where it stood. */
static int make_play_move(PlayObject *play, int32_t move) {
    Frame *frame = &play->frame;
    const size_t size = frame->program->state_size;
    const MadeMove made = {move, (uint16_t)frame->header->node, (uint16_t)frame->header->kind};
    Outcomes *outcomes = play->chance || play->outcomes.count ? &play->outcomes : NULL;
    const size_t known = play->outcomes.count, next = play->outcomes.next;
    unsigned char before[outcomes ? size : 1]; /* the frame's own chance cannot fail */
    if (outcomes) memcpy(before, frame->memory + frame->program->state_at, size);
    if (play->moves.count == play->moves.capacity) {
        uint32_t capacity = play->moves.capacity ? 2 * play->moves.capacity : 64;
        MadeMove *items = realloc(play->moves.items, capacity * sizeof *items);
        if (!items) {
            PyErr_NoMemory();
            return -1;
        }
        play->moves.items = items;
        play->moves.capacity = capacity;
    }
    if (is_set_decision(frame->header) && remember_set(play, move) < 0) return -1;
    frame->has_move = 1;
    frame->move = move;
    frame_refuel(frame);
    if (run_recorded(frame, outcomes, play->chance) < 0) {
        if (outcomes && !PyErr_ExceptionMatches(illegal_move)) {
            play->outcomes.count = known;
            play->outcomes.next = next;
            frame_load(frame, before);
            run_on(frame, RANDOM_CHANCE);
        }
        return -1;
    }
    play->moves.items[play->moves.count++] = made;
    Py_CLEAR(play->legal);
    return 0;
}

/* Reads the moves and outcomes that another play gave with `parts`. */
static int read_past(PlayObject *play, const Py_buffer *moves, const Py_buffer *outcomes) {
    const int32_t *answers = outcomes->buf, *made = moves->buf;
    const size_t count = (size_t)moves->len / sizeof *made;
    for (size_t n = 0; n < (size_t)outcomes->len / sizeof *answers; n++)
        if (outcomes_push(&play->outcomes, answers[n]) < 0) return -1;
    Outcomes *recorded = play->chance || play->outcomes.count ? &play->outcomes : NULL;
    if (begin_play(play, &play->frame, recorded, play->chance) < 0) return -1;
    for (size_t n = 0; n < count; n++) {
        if (play->frame.header->status != DECISION) {
            PyErr_SetString(illegal_move, "the game is over");
            return -1;
        }
        if (make_play_move(play, made[n]) < 0) return -1;
    }
    return 0;
}

static PyObject *play_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {"book", "seed", "base", "moves", "outcomes", "chance", NULL};
    PyObject *book, *chance = Py_None;
    unsigned long long seed = 0;
    Py_buffer base = {0}, moves = {0}, outcomes = {0};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!|Kz*y*y*O", names, &book_type, &book, &seed, &base, &moves,
                                     &outcomes, &chance))
        return NULL;
    PlayObject *play = play_alloc(type, (BookObject *)book, chance);
    int failed = !play;
    if (!failed && base.buf) {
        failed = !state_is_valid(play->frame.program, base.buf, (size_t)base.len);
        if (failed) PyErr_SetString(PyExc_ValueError, "this is not a state of this game");
        play->base = failed ? NULL : malloc((size_t)base.len);
        if (play->base) memcpy(play->base, base.buf, (size_t)base.len);
        else if (!failed) PyErr_NoMemory();
        failed = !play->base;
    }
    if (!failed) {
        play->seed = seed;
        failed = read_past(play, &moves, &outcomes) < 0;
    }
    if (base.obj) PyBuffer_Release(&base);
    if (moves.obj) PyBuffer_Release(&moves);
    if (outcomes.obj) PyBuffer_Release(&outcomes);
    if (failed) Py_CLEAR(play);
    return (PyObject *)play;
}

static PyObject *play_legal(PlayObject *play) {
    if (play->legal) return play->legal;
    const Header *header = play->frame.header;
    int32_t moves[MAX_LEGAL];
    uint32_t count = header->status == DECISION ? legal_moves(&play->frame, moves) : 0;
    PyObject *legal = PyTuple_New(count);
    for (uint32_t n = 0; legal && n < count; n++) {
        int is_set = is_set_decision(header) && moves[n] != PASS;
        PyObject *move = is_set ? set_move(play->book, &play->frame, n)
                                : book_move(play->book, header->kind, header->node, moves[n]);
        if (move) PyTuple_SET_ITEM(legal, n, move);
        else Py_CLEAR(legal);
    }
    return play->legal = legal;
}

/* Finds the number of a move among the legal ones: 1 found, 0 not, -1 with a Python error. */
static int find_legal(PlayObject *play, PyObject *move, int32_t *number) {
    int32_t moves[MAX_LEGAL];
    PyObject *legal = play_legal(play);
    if (!legal) return -1;
    const Py_ssize_t count = PyTuple_GET_SIZE(legal);
    Py_ssize_t n = 0;
    while (n < count && PyTuple_GET_ITEM(legal, n) != move) n++;
    for (Py_ssize_t k = n == count ? 0 : count; n == count && k < count; k++) {
        int same = PyObject_RichCompareBool(PyTuple_GET_ITEM(legal, k), move, Py_EQ);
        if (same < 0) return -1;
        if (same) n = k;
        if (same) break;
    }
    if (n == count) return 0;
    legal_moves(&play->frame, moves);
    *number = moves[n];
    return 1;
}

/* Finds the move with a number in the table among the legal ones: 1 found, 0 not, -1 with a Python error. */
static int find_number(PlayObject *play, PyObject *wanted, int32_t *move) {
    if (!play->book->numbers || play->frame.header->status != DECISION) return 0;
    long value = PyLong_AsLong(wanted);
    if (value == -1 && PyErr_Occurred()) {
        PyErr_Clear();
        return 0;
    }
    int32_t moves[MAX_LEGAL];
    uint32_t count = legal_moves(&play->frame, moves);
    for (uint32_t n = 0; n < count; n++) {
        long number = number_of_legal(play->book, &play->frame, moves[n], n);
        if (number < 0) return -1;
        if (number == value) {
            *move = moves[n];
            return 1;
        }
    }
    return 0;
}

PyDoc_STRVAR(play_number_moves_doc, "number_moves()\n--\n\nGives the book a table of moves; raises here.");
static PyObject *play_number_moves(PyObject *self, PyObject *unused) {
    (void)self, (void)unused;
    PyErr_SetString(PyExc_ValueError, "there is no table of moves");
    return NULL;
}

static PyObject *play_get_actions(PyObject *self, void *unused) {
    (void)unused;
    PlayObject *play = (PlayObject *)self;
    if (!play->book->numbers) {
        PyObject *none = PyObject_CallMethod(self, "number_moves", NULL);
        Py_XDECREF(none);
        if (none && !play->book->numbers) PyErr_SetString(PyExc_ValueError, "there is no table of moves");
        if (!play->book->numbers) return NULL;
    }
    int32_t moves[MAX_LEGAL];
    uint32_t count = play->frame.header->status == DECISION ? legal_moves(&play->frame, moves) : 0;
    PyObject *list = PyList_New(count);
    for (uint32_t n = 0; list && n < count; n++) {
        long number = number_of_legal(play->book, &play->frame, moves[n], n);
        PyObject *item = number < 0 ? NULL : PyLong_FromLong(number);
        if (item) PyList_SET_ITEM(list, n, item);
        else Py_CLEAR(list);
    }
    return list;
}

PyDoc_STRVAR(
    play_play_doc,
    "play(move)\n--\n\n"
    "Makes a legal move, or the one with this number in the book's table, and returns the play. What is none of the\n"
    "legal moves is given to `meant`, which returns one or raises.");
static PyObject *play_play(PyObject *self, PyObject *move) {
    PlayObject *play = (PlayObject *)self;
    int32_t number;
    int found = PyLong_CheckExact(move) ? find_number(play, move, &number) : find_legal(play, move, &number);
    if (found == 0) {
        PyObject *meant = PyObject_CallMethod(self, "meant", "O", move);
        if (!meant) return NULL;
        found = find_legal(play, meant, &number);
        Py_DECREF(meant);
        if (found == 0) PyErr_Format(illegal_move, "illegal move '%S'", move);
    }
    if (found < 1 || make_play_move(play, number) < 0) return NULL;
    return Py_NewRef(self);
}

PyDoc_STRVAR(play_meant_doc,
             "meant(move)\n--\n\nWhat is to be played for what is none of the legal moves; raises here.");
static PyObject *play_meant(PyObject *self, PyObject *move) {
    (void)self;
    return PyErr_Format(illegal_move, "illegal move '%S'", move);
}

PyDoc_STRVAR(play_play_id_doc, "play_id(number)\n--\n\nMakes the move with this number; raises IllegalMoveError.");
static PyObject *play_play_id(PyObject *self, PyObject *number) {
    PlayObject *play = (PlayObject *)self;
    long value = PyLong_AsLong(number);
    if (value == -1 && PyErr_Occurred()) return NULL;
    if (play->frame.header->status != DECISION || value < INT32_MIN || value > INT32_MAX) {
        PyErr_SetString(illegal_move, play->frame.header->status != DECISION ? "the game is over" : "illegal move");
        return NULL;
    }
    if (make_play_move(play, (int32_t)value) < 0) return NULL;
    Py_RETURN_NONE;
}

static void *copied(const void *items, size_t bytes, int *failed) {
    if (!items || !bytes) return NULL;
    void *copy = malloc(bytes);
    if (copy) memcpy(copy, items, bytes);
    else *failed = 1;
    return copy;
}

PyDoc_STRVAR(play_copy_doc,
             "copy()\n--\n\nA copy that can be played on independently; a chance from Python is shared.");
static PyObject *play_copy(PyObject *self, PyObject *unused) {
    (void)unused;
    const PlayObject *play = (PlayObject *)self;
    PlayObject *copy = play_alloc(Py_TYPE(self), play->book, play->chance ? play->chance : Py_None);
    if (!copy) return NULL;
    frame_copy(&copy->frame, &play->frame);
    int failed = 0;
    copy->seed = play->seed;
    copy->legal = Py_XNewRef(play->legal);
    copy->base = copied(play->base, play->frame.program->state_size, &failed);
    copy->moves = play->moves;
    copy->moves.capacity = play->moves.count;
    copy->moves.items = copied(play->moves.items, play->moves.count * sizeof *play->moves.items, &failed);
    copy->outcomes = play->outcomes;
    copy->outcomes.capacity = play->outcomes.count;
    copy->outcomes.items = copied(play->outcomes.items, play->outcomes.count * sizeof *play->outcomes.items, &failed);
    if (failed) {
        Py_DECREF(copy);
        return PyErr_NoMemory();
    }
    return (PyObject *)copy;
}

PyDoc_STRVAR(play_parts_doc, "parts()\n--\n\n"
                             "(seed, base, moves, outcomes): `Play(book, *parts)` comes here again.");
static PyObject *play_parts(PyObject *self, PyObject *unused) {
    (void)unused;
    const PlayObject *play = (PlayObject *)self;
    PyObject *moves = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(play->moves.count * sizeof(int32_t)));
    if (!moves) return NULL;
    char *to = PyBytes_AS_STRING(moves);
    for (uint32_t n = 0; n < play->moves.count; n++, to += sizeof(int32_t))
        memcpy(to, &play->moves.items[n].move, sizeof(int32_t));
    return Py_BuildValue("Ky#Ny#", (unsigned long long)play->seed, (const char *)play->base,
                         (Py_ssize_t)play->frame.program->state_size, moves,
                         play->outcomes.items ? (const char *)play->outcomes.items : "",
                         (Py_ssize_t)(play->outcomes.count * sizeof *play->outcomes.items));
}

static int telling_mark(Telling *telling) {
    if (telling->moves == telling->capacity) {
        uint32_t capacity = telling->capacity ? 2 * telling->capacity : 64;
        size_t *marks = realloc(telling->marks, capacity * sizeof *marks);
        if (!marks) {
            PyErr_NoMemory();
            return -1;
        }
        telling->marks = marks;
        telling->capacity = capacity;
    }
    telling->marks[telling->moves++] = telling->events.used;
    return 0;
}

/* Whether two programs of one game stand at the same place. Links of cards whose order nobody sees may differ. */
static int same_position(const Frame *one, const Frame *two) {
    const Program *first = one->program, *second = two->program;
    return !memcmp(one->memory + first->state_at, two->memory + second->state_at, first->links_at - first->state_at) &&
           !memcmp(one->memory + first->sets_at, two->memory + second->sets_at, first->zones * set_bytes(first));
}

/* Brings what is told up to date. On an error the telling is thrown away. */
static int tell(PlayObject *play) {
    const Program *program = &play->book->telling->program;
    Telling *telling = play->telling;
    int failed = 0;
    if (!telling) {
        telling = play->telling = calloc(1, sizeof *telling);
        failed = !telling || frame_open(&telling->frame, program) < 0;
        if (failed) PyErr_NoMemory();
        else telling->frame.events = &telling->events;
    }
    Outcomes *recorded = NULL;
    if (!failed && play->outcomes.count) {
        size_t next = telling->outcomes.next;
        telling->outcomes = play->outcomes;
        telling->outcomes.next = next;
        recorded = &telling->outcomes;
    }
    if (!failed && !telling->moves) {
        failed = begin_play(play, &telling->frame, recorded, NULL) < 0 || telling_mark(telling) < 0;
    }
    while (!failed && telling->moves <= play->moves.count) {
        telling->frame.has_move = 1;
        telling->frame.move = play->moves.items[telling->moves - 1].move;
        frame_refuel(&telling->frame);
        failed = run_recorded(&telling->frame, recorded, NULL) < 0 || telling_mark(telling) < 0;
    }
    if (!failed && !same_position(&telling->frame, &play->frame)) {
        PyErr_SetString(PyExc_SystemError, "the programs with and without events disagree");
        failed = 1;
    }
    if (!failed) return 0;
    if (telling && !telling->frame.memory) free(telling);
    else telling_free(telling);
    play->telling = NULL;
    return -1;
}

PyDoc_STRVAR(play_records_doc,
             "records(since=-1)\n--\n\n"
             "What happened after so many moves were made (-1: from the start), as records of events.");
static PyObject *play_records(PyObject *self, PyObject *args) {
    PlayObject *play = (PlayObject *)self;
    long since = -1;
    if (!PyArg_ParseTuple(args, "|l", &since)) return NULL;
    if (since > (long)play->moves.count)
        return PyErr_Format(PyExc_ValueError, "only %u moves were made", play->moves.count);
    if (tell(play) < 0) return NULL;
    const Events *events = &play->telling->events;
    size_t from = since < 0 ? 0 : play->telling->marks[since];
    return PyBytes_FromStringAndSize((const char *)(events->data + from),
                                     (Py_ssize_t)((events->used - from) * sizeof(int32_t)));
}

PyDoc_STRVAR(play_dump_doc, "dump()\n--\n\nThe position as bytes, as the program's methods take it.");
static PyObject *play_dump(PyObject *self, PyObject *unused) {
    (void)unused;
    return state_bytes(&((PlayObject *)self)->frame);
}

static PyObject *play_compare(PyObject *self, PyObject *other, int operation) {
    if ((operation != Py_EQ && operation != Py_NE) || Py_TYPE(self) != Py_TYPE(other)) Py_RETURN_NOTIMPLEMENTED;
    const PlayObject *one = (PlayObject *)self, *two = (PlayObject *)other;
    const size_t size = one->frame.program->state_size;
    int same = one->book == two->book ? 1 : PyObject_RichCompareBool(one->book->key, two->book->key, Py_EQ);
    if (same < 0) return NULL;
    same =
        same && one->seed == two->seed && one->moves.count == two->moves.count &&
        one->outcomes.count == two->outcomes.count && !one->base == !two->base &&
        (!one->base || !memcmp(one->base, two->base, size)) &&
        (!one->outcomes.count ||
         !memcmp(one->outcomes.items, two->outcomes.items, one->outcomes.count * sizeof *one->outcomes.items)) &&
        (!one->moves.count || !memcmp(one->moves.items, two->moves.items, one->moves.count * sizeof *one->moves.items));
    return PyBool_FromLong(same == (operation == Py_EQ));
}

static PyObject *play_get_legal(PyObject *self, void *unused) {
    (void)unused;
    return Py_XNewRef(play_legal((PlayObject *)self));
}

static PyObject *play_get_legal_ids(PyObject *self, void *unused) {
    (void)unused;
    return legal_tuple(&((PlayObject *)self)->frame);
}

static PyObject *play_get_mover(PyObject *self, void *unused) {
    (void)unused;
    const Header *header = ((PlayObject *)self)->frame.header;
    if (header->status != DECISION) Py_RETURN_NONE;
    return PyLong_FromLong(header->mover);
}

static PyObject *play_get_over(PyObject *self, void *unused) {
    (void)unused;
    return PyBool_FromLong(((PlayObject *)self)->frame.header->status == OVER);
}

static PyObject *play_get_scores(PyObject *self, void *unused) {
    (void)unused;
    return score_tuple(&((PlayObject *)self)->frame);
}

static PyObject *play_get_reason(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromLong(((PlayObject *)self)->frame.header->reason);
}

static PyObject *play_get_node(PyObject *self, void *unused) {
    (void)unused;
    const Frame *frame = &((PlayObject *)self)->frame;
    return PyLong_FromLong(frame->program->nodes[frame->header->node]);
}

static PyObject *play_get_move_count(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromUnsignedLong(((PlayObject *)self)->moves.count);
}

static PyObject *play_get_moves(PyObject *self, void *unused) {
    (void)unused;
    const PlayObject *play = (PlayObject *)self;
    PyObject *moves = PyTuple_New((Py_ssize_t)play->moves.count);
    for (uint32_t n = 0; moves && n < play->moves.count; n++) {
        const MadeMove *made = &play->moves.items[n];
        PyObject *move = book_move(play->book, made->kind, made->node, made->move);
        if (move) PyTuple_SET_ITEM(moves, n, move);
        else Py_CLEAR(moves);
    }
    return moves;
}

static PyObject *play_get_book(PyObject *self, void *unused) {
    (void)unused;
    return Py_NewRef(((PlayObject *)self)->book);
}

static PyMethodDef play_methods[] = {
    {"play", play_play, METH_O, play_play_doc},
    {"play_id", play_play_id, METH_O, play_play_id_doc},
    {"number_moves", play_number_moves, METH_NOARGS, play_number_moves_doc},
    {"meant", play_meant, METH_O, play_meant_doc},
    {"copy", play_copy, METH_NOARGS, play_copy_doc},
    {"__copy__", play_copy, METH_NOARGS, play_copy_doc},
    {"parts", play_parts, METH_NOARGS, play_parts_doc},
    {"records", play_records, METH_VARARGS, play_records_doc},
    {"dump", play_dump, METH_NOARGS, play_dump_doc},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef play_getters[] = {
    {"legal", play_get_legal, NULL, "The legal moves, in order; none when the game is over.", NULL},
    {"actions", play_get_actions, NULL,
     "The legal moves as numbers in the book's table of moves, for which `number_moves` is called first.", NULL},
    {"legal_ids", play_get_legal_ids, NULL, "Their numbers: cards, -1 for a pass, or chosen values.", NULL},
    {"mover", play_get_mover, NULL, "The seat that decides, None when the game is over.", NULL},
    {"over", play_get_over, NULL, "Whether the game is over.", NULL},
    {"scores", play_get_scores, NULL, "Scores by seat.", NULL},
    {"reason", play_get_reason, NULL, "Why the game ended: 0 end, 1 fault, 2 no legal move, 3 step limit, 4 stalemate.",
     NULL},
    {"node", play_get_node, NULL, "The node where the game stands.", NULL},
    {"moves", play_get_moves, NULL, "The moves made so far.", NULL},
    {"move_count", play_get_move_count, NULL, "How many moves were made.", NULL},
    {"book", play_get_book, NULL, "What all plays of the game share.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject play_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "fcdl.engines.native._engine.Play",
    .tp_doc =
        "Play(book, seed=0, base=None, moves=b'', outcomes=b'', chance=None)\n--\n\n"
        "A game that is played move by move, from its start or from a position. Chance is its own, from the seed, or\n"
        "asked. Equal plays went the same way. moves and outcomes: from another play's `parts`.",
    .tp_basicsize = sizeof(PlayObject),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_new = play_new,
    .tp_dealloc = play_dealloc,
    .tp_richcompare = play_compare,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_methods = play_methods,
    .tp_getset = play_getters,
};
