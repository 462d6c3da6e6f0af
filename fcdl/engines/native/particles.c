/* Worlds for a seat where deals cannot be counted: particles, each a complete hidden history, carried from decision to
   decision. They need nothing but the engine.

   A history is its trace: the answers of chance and the hidden moves of the others, in order. It is checked by playing
   it beside what the seat has seen. Particles that contradict the next thing seen are replaced by copies of others, or
   mended: two cards change places in an order, from there on in the whole trace, as long as that leads further.
   Then particles are moved by Metropolis-Hastings steps of the same kind, whose target is the probability of the
   history, so that copies part and what mending skewed is straightened. */

#include "types.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decisions.h"
#include "functions.h"
#include "interpreter.h"
#include "patience.h"
#include "random.h"
#include "script.h"

enum { TRACE_ORDER = 1, TRACE_NUMBER, TRACE_CARD, TRACE_VALUE };
enum { TRACE_HEAD = 3 }; /* kind, number of values, number of choices */
enum { MAX_TRACE = 1 << 20, MEND_TRIES = 400, PATIENT = 3, MAX_ZONES = 4096 };
#define NO_MOVE (INT32_MIN + 2)
#define ANEW (INT32_MIN + 1) /* in a trace: this answer is to be drawn again */

typedef struct {
    int32_t *data;
    size_t used, capacity;
} Trace;

typedef struct {
    Trace trace;
    unsigned char *state; /* at the last decision */
    uint32_t base;
    double log_chance; /* of the history, as far as histories differ in it */
    double gained;     /* logarithm of the weight it has got since particles were last drawn anew */
    uint64_t identity; /* of the history that it is a copy of, until it has become another one */
    int moved;         /* how often cards have gone to other zones since */
    int agrees;
} Particle;

enum { MISMATCH_NONE, MISMATCH_CARD, MISMATCH_OTHER };

/* How far a history agrees with the script, and why not further. */
typedef struct {
    size_t reach;
    int close; /* how near the moves at the end are to those offered */
    int agrees, failed;
    double log_chance, gained;
    int mismatch;
    int32_t told, wanted;
    int32_t mover; /* who could not make the move that was seen; NONE: it failed otherwise */
} Followed;

typedef struct {
    PyObject_HEAD
    PyObject *owner;
    const Program *program;
    int32_t seat, all_cards;
    int model;
    unsigned char *sees;         /* by zone: whether the seat sees its cards */
    unsigned char *owner_of;     /* by zone: whose it is; NOBODY: nobody's */
    unsigned char *private_node; /* by node */
    unsigned char *bases;
    size_t base_count;
    int32_t *orders; /* in which all cards may have been shuffled, to begin with */
    size_t order_count;
    int32_t *script;
    size_t script_size, script_capacity;
    size_t cursor;            /* how much of the script the particles have followed */
    int started;              /* whether they have reached a decision */
    int gone_on;              /* whether they have been played on from the cursor: what is left to do is mending */
    size_t furthest;          /* how far into the script any history came */
    uint8_t known[MAX_CARDS]; /* whether the seat knows where a card is, as far as the particles have followed */
    int16_t known_zone[MAX_CARDS];
    int32_t *zone_count;
    Particle *particles;
    size_t count, alive;
    uint64_t seed, next_identity;
    int busy;
    /* While it works: */
    Frame frame;
    Events events;
    Trace given, made;
    const int32_t *first_order; /* for the next shuffle of all cards that the trace says nothing of */
    uint64_t *failed_sets;      /* the zones where a history failed; MAX_WORDS words each */
    int32_t *failed_tops;       /* by ordered zone: its top card there, or NONE */
    uint64_t random;
    int64_t work;
    Patience patience;
    int ending;
    Decisions *decisions; /* to which the others' decisions since the shuffle of all cards go; NULL: not wanted */
    const int32_t *legal; /* the moves that the seat can make at the end, if that is to be checked */
    size_t legal_count;
} ParticlesObject;

static int out_of_work(ParticlesObject *self) { return self->work <= 0 || patience_is_over(&self->patience); }

static double random_real(ParticlesObject *self) { return random_fraction(&self->random); }

static int trace_room(Trace *trace, size_t more) {
    if (trace->used + more <= trace->capacity) return 1;
    size_t capacity = trace->capacity ? trace->capacity : 128;
    while (capacity < trace->used + more) capacity *= 2;
    if (capacity > MAX_TRACE) return 0;
    int32_t *data = realloc(trace->data, capacity * sizeof *data);
    if (!data) return 0;
    trace->data = data;
    trace->capacity = capacity;
    return 1;
}

static int trace_add(Trace *trace, int32_t kind, int32_t choices, int32_t count, const int32_t *values) {
    if (!trace_room(trace, TRACE_HEAD + (size_t)count)) return 0;
    int32_t *record = trace->data + trace->used;
    record[0] = kind;
    record[1] = count;
    record[2] = choices;
    memcpy(record + TRACE_HEAD, values, (size_t)count * sizeof *values);
    trace->used += TRACE_HEAD + (size_t)count;
    return 1;
}

static int trace_copy(Trace *to, const Trace *from) {
    to->used = 0;
    if (!trace_room(to, from->used)) return 0;
    if (from->used) memcpy(to->data, from->data, from->used * sizeof *from->data);
    to->used = from->used;
    return 1;
}

static void trace_exchange(Trace *a, Trace *b) {
    Trace kept = *a;
    *a = *b;
    *b = kept;
}

/* --- following: a history beside the script */

/* A published text: the script says for each node that can have said it with which values; nothing: any. */
static int said_alike(const int32_t *wanted, int32_t node, const int32_t *values, int32_t count) {
    if (wanted[1] == 0) return 1;
    for (int32_t at = 0; at + 2 <= wanted[1];) {
        const int32_t *said = wanted + 2 + at;
        if (said[0] == node && said[1] < 0) return 1;
        if (said[0] == node && said[1] == count && !memcmp(said + 2, values, (size_t)count * sizeof *values)) return 1;
        at += 2 + (said[1] < 0 ? 0 : said[1]);
    }
    return 0;
}

/* Cards of a set move in deck order, so that the first that differs may be one that is to move, too: takes one that is
   not, and one that is missing, where there are such. */
static void find_strangers(const Program *program, const int32_t *wanted, const int32_t *event, int32_t length,
                           Followed *followed) {
    for (int32_t n = 0; n < length; n++) {
        if (!is_card(event[0], n)) continue;
        int told_is_wanted = 0, wanted_is_told = 0;
        for (int32_t m = 0; m < length; m++) {
            if (!is_card(event[0], m)) continue;
            told_is_wanted |= alike(program, event[3 + n], wanted[2 + m]);
            wanted_is_told |= alike(program, event[3 + m], wanted[2 + n]);
        }
        if (!told_is_wanted) followed->told = event[3 + n];
        if (!wanted_is_told) followed->wanted = wanted[2 + n];
    }
}

/* Compares the events with the script up to `limit`; 0 at the first that differs. */
static int compare_events(const ParticlesObject *self, size_t limit, Followed *followed) {
    const Events *events = &self->events;
    for (size_t at = 0; at < events->used;) {
        const int32_t *event = events->data + at;
        int32_t kind = event[0], length = event[1], node = event[2];
        at += 3 + (size_t)length;
        if (kind == EVENT_BRANCH && self->private_node[node]) continue;
        followed->mismatch = MISMATCH_OTHER;
        if (followed->reach >= limit) return 0;
        const int32_t *wanted = self->script + followed->reach;
        if (wanted[0] != kind) return 0;
        if (kind == EVENT_PUBLISH) {
            if (!said_alike(wanted, node, event + 3, length)) return 0;
        } else {
            int shift = kind == EVENT_BRANCH;
            if (wanted[1] != length + shift || (shift && wanted[2] != node)) return 0;
            for (int32_t n = 0; n < length; n++) {
                int32_t value = wanted[2 + n + shift], told = event[3 + n];
                if (value == UNSEEN) continue;
                if (!is_card(kind, n) ? same_value(self->program, value, told) : alike(self->program, value, told))
                    continue;
                if (is_card(kind, n) || (value <= LIKE_CARD && told >= 0)) {
                    followed->mismatch = MISMATCH_CARD;
                    followed->told = told;
                    followed->wanted = value <= LIKE_CARD ? LIKE_CARD - value : value;
                    if (is_card(kind, n)) find_strangers(self->program, wanted, event, length, followed);
                }
                return 0;
            }
        }
        followed->reach += 2 + (size_t)wanted[1];
    }
    return 1;
}

/* The next answer of a trace; NULL if it has none of this kind and size. */
static const int32_t *next_answer(const Trace *given, size_t *at, int32_t kind, int32_t count) {
    if (*at >= given->used) return NULL;
    const int32_t *record = given->data + *at;
    *at += TRACE_HEAD + (size_t)record[1];
    return record[0] == kind && record[1] == count ? record + TRACE_HEAD : NULL;
}

/* The order that chance gives: that of the trace, or a random one. 0: the trace's is not an order of these cards. */
static int answer_order(ParticlesObject *self, const int32_t *answer, int strict) {
    Frame *frame = &self->frame;
    int32_t order[MAX_CARDS];
    int size = frame->order_size;
    if (!answer && self->first_order && size == self->all_cards) {
        answer = self->first_order;
        self->first_order = NULL;
    }
    int fits = answer != NULL;
    if (answer) {
        uint8_t there[MAX_CARDS] = {0};
        for (int n = 0; n < size; n++) there[frame->order[n]] = 1;
        for (int n = 0; fits && n < size; n++) {
            fits = answer[n] >= 0 && answer[n] < MAX_CARDS && there[answer[n]];
            if (fits) there[answer[n]] = 0;
        }
        if (fits)
            for (int n = 0; n < size; n++) frame->order[n] = (uint8_t)answer[n];
    }
    if (!fits) {
        if (strict) return 0;
        for (int n = size - 1; n > 0; n--) {
            int other = (int)random_below(&self->random, (uint32_t)n + 1);
            uint8_t card = frame->order[n];
            frame->order[n] = frame->order[other];
            frame->order[other] = card;
        }
    }
    for (int n = 0; n < size; n++) order[n] = frame->order[n];
    return trace_add(&self->made, TRACE_ORDER, 0, size, order);
}

/* Makes the move that the script says, or a hidden one; 0: it cannot be made. */
static int script_move(ParticlesObject *self, const Trace *given, size_t *at, int strict, size_t limit,
                       Followed *followed) {
    Frame *frame = &self->frame;
    const Header *header = frame->header;
    const int32_t *wanted = self->script + followed->reach;
    int32_t choices = legal_count(frame);
    int hidden = 0;
    followed->mismatch = MISMATCH_OTHER;
    followed->mover = header->mover;
    if (followed->reach >= limit || wanted[1] < 1 || wanted[2] != header->mover || choices < 1) return 0;
    if (wanted[0] == EVENT_PASS) {
        if (header->kind != KIND_PLAY_OR_PASS && header->kind != KIND_SET_OR_PASS) return 0;
        frame->move = PASS;
    } else if (wanted[0] == EVENT_CHOOSE) {
        if (header->kind != KIND_CHOOSE || wanted[1] != 3) return 0;
        frame->move = wanted[4];
        hidden = wanted[4] == UNSEEN;
        if (!hidden) {
            int n = 0;
            while (n < frame->value_count && !same_value(self->program, frame->move, frame->values[n])) n++;
            if (n == frame->value_count) return 0;
            frame->move = frame->values[n];
        }
    } else if (is_set_decision(header)) {
        if ((wanted[0] != EVENT_PLAY && wanted[0] != EVENT_TAKE) || wanted[1] < 4) return 0;
        hidden = wanted[5] == UNSEEN;
        if (!hidden) {
            frame->move = offered_like(frame, wanted + 5, wanted[1] - 3);
            if (frame->move == NONE) return 0;
        }
    } else {
        if (wanted[0] != EVENT_PLAY && wanted[0] != EVENT_PICK) return 0;
        if (header->kind == KIND_CHOOSE || (wanted[0] == EVENT_PICK) != (header->kind == KIND_PICK) || wanted[1] != 4)
            return 0;
        hidden = wanted[5] == UNSEEN;
        if (!hidden) {
            frame->move = legal_like(frame, wanted[5]);
            if (frame->move == NONE) {
                return 0;
            }
        }
    }
    if (hidden) {
        int is_value = header->kind == KIND_CHOOSE || is_set_decision(header);
        int32_t kind = is_value ? TRACE_VALUE : TRACE_CARD, moves[MAX_LEGAL];
        int32_t count = (int32_t)legal_moves(frame, moves);
        if (header->kind == KIND_PLAY_OR_PASS) count--; /* a pass would have been seen */
        if (is_set_decision(header)) {                  /* and so is the number of cards */
            count = 0;
            for (int32_t n = 0; n < frame->set_count; n++)
                if (offered_size(frame, n) == wanted[1] - 3) moves[count++] = frame->set_numbers[n];
        }
        if (count < 1) return 0;
        const int32_t *answer = next_answer(given, at, kind, 1);
        int known = 0;
        if (answer && *answer != ANEW) {
            /* Strictly, another copy will not do: there would be no way back to the same trace. */
            frame->move = is_value || strict ? *answer : legal_like(frame, *answer);
            for (int32_t n = 0; n < count; n++) known |= moves[n] == frame->move;
        }
        if (!known) {
            if (strict && !(answer && *answer == ANEW)) return 0;
            frame->move = moves[random_below(&self->random, (uint32_t)count)];
        }
        if (!trace_add(&self->made, kind, count, 1, &frame->move)) return 0;
        if (header->mover != self->seat) followed->gained += log(count);
    }
    if (header->mover != self->seat && self->model == MODEL_UNIFORM) {
        followed->log_chance -= log(choices);
        followed->gained -= log(choices);
    }
    frame->has_move = 1;
    return 1;
}

static int32_t any_copy(ParticlesObject *self, int32_t card);

/* Another copy of a card in the same zone of the frame; NONE if there is none. */
static int32_t twin_of(const ParticlesObject *self, int32_t card) {
    const Program *program = self->program;
    size_t size = set_bytes(program);
    for (uint32_t zone = 0; program->has_copies && zone < program->zones; zone++) {
        uint64_t words[MAX_WORDS] = {0};
        memcpy(words, self->frame.memory + program->sets_at + zone * size, size);
        if (!(words[card / 64] >> (card % 64) & 1)) continue;
        for (int32_t other = program->kinds[card], after = after_copies(program, card); other < after; other++)
            if (other != card && (words[other / 64] >> (other % 64) & 1)) return other;
    }
    return NONE;
}

/* A number of `list` that none of `others` is like; NONE if there is none. */
static int32_t not_among(const Program *program, const int32_t *list, size_t count, const int32_t *others,
                         size_t other_count, int cards) {
    for (size_t n = 0; n < count; n++) {
        size_t m = 0;
        while (m < other_count && !(list[n] == others[m] ||
                                    (cards && list[n] >= 0 && others[m] >= 0 && alike(program, list[n], others[m]))))
            m++;
        if (m == other_count) return list[n];
    }
    return NO_MOVE;
}

/* Whether the seat's legal moves are those that it was offered; where cards are, which two should change places. */
static int legal_agrees(ParticlesObject *self, Followed *followed) {
    const Frame *frame = &self->frame;
    int32_t moves[MAX_LEGAL];
    if (!self->legal || frame->header->mover != self->seat) return 1;
    uint32_t count = legal_moves(frame, moves);
    int cards = frame->header->kind <= KIND_PICK;
    int32_t missing = not_among(self->program, self->legal, self->legal_count, moves, count, cards);
    int32_t extra = not_among(self->program, moves, count, self->legal, self->legal_count, cards);
    if (missing == NO_MOVE && extra == NO_MOVE) return 1;
    for (size_t n = 0; n < self->legal_count; n++)
        followed->close += not_among(self->program, &self->legal[n], 1, moves, count, cards) == NO_MOVE;
    followed->mismatch = MISMATCH_OTHER;
    if (!cards) return 0;
    /* Copies are offered once: a card may be missing, or be one too many, because of a twin. */
    if (extra < 0 && count > 0) {
        int32_t card = moves[random_below(&self->random, count)];
        extra = card >= 0 ? twin_of(self, card) : NONE;
    }
    if (missing < 0 && self->legal_count > 0) {
        int32_t card = self->legal[random_below(&self->random, (uint32_t)self->legal_count)];
        missing = card >= 0 ? any_copy(self, card) : NONE;
    }
    if (missing >= 0 && extra >= 0) {
        followed->mismatch = MISMATCH_CARD;
        followed->wanted = missing;
        followed->told = extra;
    }
    return 0;
}

/* Plays on from the frame's position beside the script, with the answers of `given` first, until the script ends (at
   `limit`). The answers are left in self->made, the state of the last decision in `state`. */
static Followed follow(ParticlesObject *self, const Trace *given, size_t reach, size_t limit, int strict,
                       unsigned char *state) {
    const Program *program = self->program;
    Frame *frame = &self->frame;
    Followed followed = {.reach = reach, .mover = NONE};
    size_t at = 0;
    int dealt = frame->header->status == NOT_STARTED; /* a base stands at a decision about the cards before */
    self->work -= 20;
    for (;;) {
        int64_t fuel = fuel_for(frame, self->work);
        self->events.used = 0;
        int result = run_on(frame, 0);
        self->work -= fuel - frame->fuel + (int64_t)self->events.used / 4 + 1;
        if (self->events.failed) {
            followed.failed = 1;
            return followed;
        }
        if (self->work <= 0) {
            followed.mismatch = MISMATCH_OTHER;
            return followed;
        }
        if (!compare_events(self, limit, &followed)) return followed;
        int finished = followed.reach >= limit;
        followed.mismatch = MISMATCH_OTHER;
        followed.mover = NONE;
        if (result == RESULT_CHANCE) {
            if (finished && limit == self->script_size && self->ending == END_AT_SHUFFLE) {
                followed.agrees = frame->ask == ASK_ORDER;
                return followed;
            }
            if (frame->ask == ASK_ORDER) {
                if (!answer_order(self, next_answer(given, &at, TRACE_ORDER, frame->order_size), strict))
                    return followed;
            } else {
                const int32_t *answer = next_answer(given, &at, TRACE_NUMBER, 1);
                int32_t below = frame->number, number;
                int known = answer && *answer != ANEW && *answer >= 0 && *answer < below;
                if (!known && strict && !(answer && *answer == ANEW)) return followed;
                number = known ? *answer : (int32_t)random_below(&self->random, (uint32_t)below);
                if (!trace_add(&self->made, TRACE_NUMBER, below, 1, &number)) return followed;
                followed.log_chance -= log(below);
                frame->number = number;
            }
            dealt |= frame->ask == ASK_ORDER;
            frame->answered = 1;
            continue;
        }
        if (result == RESULT_DECISION) memcpy(state, frame->memory + program->state_at, program->state_size);
        if (finished) {
            followed.agrees = (self->ending == END_AT_DECISION || limit < self->script_size) &&
                              (result == RESULT_DECISION || (result == RESULT_OVER && limit == self->script_size));
            if (result == RESULT_OVER) memcpy(state, frame->memory + program->state_at, program->state_size);
            if (followed.agrees && limit == self->script_size) followed.agrees = legal_agrees(self, &followed);
            return followed;
        }
        if (result != RESULT_DECISION || !script_move(self, given, &at, strict, limit, &followed)) return followed;
        if (self->decisions && dealt && frame->header->mover != self->seat)
            followed.failed = decisions_add(self->decisions, frame) < 0;
        if (followed.failed) return followed;
    }
}

static void load_base(ParticlesObject *self, uint32_t base) {
    if (self->base_count) {
        frame_load(&self->frame, self->bases + base * self->program->state_size);
    } else {
        frame_reset(&self->frame);
        self->frame.has_move = self->frame.answered = 0;
    }
}

/* Follows a whole history, from its base. */
static Followed follow_all(ParticlesObject *self, const Trace *given, uint32_t base, size_t limit, int strict,
                           unsigned char *state) {
    load_base(self, base);
    self->made.used = 0;
    memcpy(state, self->frame.memory + self->program->state_at, self->program->state_size);
    return follow(self, given, 0, limit, strict, state);
}

static void keep_sets(ParticlesObject *self) {
    const Program *program = self->program;
    size_t size = set_bytes(program);
    memset(self->failed_sets, 0, MAX_WORDS * program->zones * sizeof(uint64_t));
    for (uint32_t zone = 0; zone < program->zones; zone++)
        memcpy(self->failed_sets + MAX_WORDS * zone, self->frame.memory + program->sets_at + zone * size, size);
    const uint16_t *next = next_links(&self->frame);
    for (uint32_t zone = 0; zone < program->zones; zone++) {
        int32_t top = program->ordered[zone] ? next[program->deck_size + (int32_t)zone] : program->deck_size;
        self->failed_tops[zone] = top < program->deck_size ? top : NONE;
    }
}

static void sets_of_state(ParticlesObject *self, const unsigned char *state) {
    const Program *program = self->program;
    size_t size = set_bytes(program);
    memset(self->failed_sets, 0, MAX_WORDS * program->zones * sizeof(uint64_t));
    for (uint32_t zone = 0; zone < program->zones; zone++)
        memcpy(self->failed_sets + MAX_WORDS * zone, state + (program->sets_at - program->state_at) + zone * size,
               size);
}

/* --- other histories */

static int zone_of(const ParticlesObject *self, int32_t card) {
    for (uint32_t zone = 0; zone < self->program->zones; zone++)
        if (self->failed_sets[MAX_WORDS * zone + (size_t)card / 64] >> (card % 64) & 1) return (int)zone;
    return NONE;
}

/* A random card of those in `list` for which `zone_of` differs from `other_than` (NONE: any); NONE if there is none. */
static int32_t any_card(ParticlesObject *self, const int32_t *list, int count, int other_than) {
    int32_t chosen = NONE;
    uint32_t found = 0;
    for (int n = 0; n < count; n++) {
        if (other_than != NONE && zone_of(self, list[n]) == other_than) continue;
        if (random_below(&self->random, ++found) == 0) chosen = list[n];
    }
    return chosen;
}

/* A random card of those in `list` that lie in a zone of this player; NONE if there is none. */
static int32_t any_card_of(ParticlesObject *self, const int32_t *list, int count, int32_t player) {
    int32_t chosen = NONE;
    uint32_t found = 0;
    for (int n = 0; n < count; n++) {
        int zone = zone_of(self, list[n]);
        if (zone == NONE || self->owner_of[zone] != player) continue;
        if (random_below(&self->random, ++found) == 0) chosen = list[n];
    }
    return chosen;
}

/* Learns from the script which cards' zones the seat knows. It does not depend on a history. */
static void learn_places(ParticlesObject *self, size_t from, size_t to) {
    const Program *program = self->program;
    for (size_t at = from; at < to; at += 2 + (size_t)self->script[at + 1]) {
        const int32_t *record = self->script + at;
        int32_t kind = record[0];
        if (kind == EVENT_SHUFFLE) {
            int everything = record[2] == program->pack && record[3] == self->all_cards;
            for (int card = 0; card < program->deck_size; card++)
                if (everything || self->known_zone[card] == record[2]) self->known[card] = 0;
            for (uint32_t zone = 0; everything && zone < program->zones; zone++)
                self->zone_count[zone] = zone == (uint32_t)program->pack ? self->all_cards : 0;
            continue;
        }
        if (kind != EVENT_MOVE && kind != EVENT_PLAY && kind != EVENT_PICK && kind != EVENT_TAKE && kind != EVENT_SHOW)
            continue;
        int first = kind == EVENT_MOVE || kind == EVENT_SHOW ? 2 : 3;
        int32_t zone = record[kind == EVENT_MOVE ? 2 : 3], target = record[kind == EVENT_MOVE ? 3 : 4],
                count = record[1] - first;
        if (zone < 0 || (uint32_t)zone >= program->zones || count < 1) continue;
        if (kind == EVENT_SHOW) target = zone;
        if (target < 0 || (uint32_t)target >= program->zones) continue;
        for (int32_t n = 0; n < count; n++) {
            int32_t seen = record[2 + first + n];
            if (seen >= 0 && seen < program->deck_size && !program->has_copies) {
                self->known[seen] = 1;
                self->known_zone[seen] = (int16_t)target;
            } else if (seen == UNSEEN && kind != EVENT_SHOW) {
                for (int card = 0; card < program->deck_size; card++) {
                    if (!self->known[card] || self->known_zone[card] != zone) continue;
                    if (count == self->zone_count[zone]) self->known_zone[card] = (int16_t)target;
                    else self->known[card] = 0;
                }
            }
        }
        if (kind != EVENT_SHOW) {
            self->zone_count[zone] -= count;
            self->zone_count[target] += count;
        }
    }
}

/* The cards that the seat does not see now, nor knows of where they are. */
static int hidden_cards(const ParticlesObject *self, int32_t *list) {
    int count = 0;
    for (uint32_t zone = 0; zone < self->program->zones; zone++) {
        if (self->sees[zone]) continue;
        for (int word = 0; word < MAX_WORDS; word++)
            for (uint64_t rest = self->failed_sets[MAX_WORDS * zone + (size_t)word]; rest; rest &= rest - 1) {
                int card = 64 * word + __builtin_ctzll(rest);
                if (!self->known[card]) list[count++] = card;
            }
    }
    return count;
}

static int order_has(const int32_t *record, int32_t first, int32_t second) {
    int found = 0;
    for (int32_t n = 0; n < record[1]; n++)
        found |= (record[TRACE_HEAD + n] == first) | (record[TRACE_HEAD + n] == second) << 1;
    return found == 3;
}

/* Two cards change places from an order that has both on: the last one, or any. 0: there is none. */
static int exchange_cards(ParticlesObject *self, Trace *trace, int32_t first, int32_t second, int last) {
    size_t chosen = trace->used;
    uint32_t found = 0;
    if (first == second || first < 0 || second < 0) return 0;
    for (size_t at = 0; at < trace->used; at += TRACE_HEAD + (size_t)trace->data[at + 1]) {
        if (trace->data[at] != TRACE_ORDER || !order_has(trace->data + at, first, second)) continue;
        found++;
        if (last || random_below(&self->random, found) == 0) chosen = at;
    }
    for (size_t at = chosen; at < trace->used; at += TRACE_HEAD + (size_t)trace->data[at + 1]) {
        int32_t *record = trace->data + at;
        if (record[0] != TRACE_ORDER && record[0] != TRACE_CARD) continue;
        for (int32_t n = 0; n < record[1]; n++) {
            int32_t *card = record + TRACE_HEAD + n;
            *card = *card == first ? second : *card == second ? first : *card;
        }
    }
    return chosen < trace->used;
}

/* How many answers of a trace are no orders, and one of them. Those that leave no choice count, too: otherwise histories
   with more choices would be left less often for others. */
static uint32_t choices_of(ParticlesObject *self, const Trace *trace, size_t *chosen) {
    uint32_t found = 0;
    for (size_t at = 0; at < trace->used; at += TRACE_HEAD + (size_t)trace->data[at + 1]) {
        if (trace->data[at] == TRACE_ORDER) continue;
        if (random_below(&self->random, ++found) == 0) *chosen = at;
    }
    return found;
}

/* One hidden move or random number is to be drawn again. 0: there is none. */
static int draw_again(ParticlesObject *self, Trace *trace) {
    size_t chosen = trace->used;
    choices_of(self, trace, &chosen);
    if (chosen == trace->used) return 0;
    trace->data[chosen + TRACE_HEAD] = ANEW;
    return 1;
}

enum { PROPOSED_NONE, PROPOSED_ANSWER, PROPOSED_EXCHANGE };

/* Another history near this one, in self->given. Which it is does not depend on where the two cards are, but for their
   zones changing places, so that the way back is as likely. */
static int propose(ParticlesObject *self, const Trace *trace) {
    int32_t list[MAX_CARDS];
    if (!trace_copy(&self->given, trace)) return PROPOSED_NONE;
    double kind = random_real(self);
    if (kind < 0.25 && draw_again(self, &self->given)) return PROPOSED_ANSWER;
    int count = hidden_cards(self, list);
    /* Which of several copies is seen moving depends on where the others are: then the way back would not be as likely. */
    int all = kind > 0.85 || count < 2 || self->program->has_copies;
    if (all) {
        count = 0;
        for (int card = 0; card < self->program->deck_size; card++)
            if (self->program->in_play[card / 64] >> (card % 64) & 1) list[count++] = card;
    }
    int32_t first = any_card(self, list, count, NONE);
    if (first == NONE) return PROPOSED_NONE;
    int32_t second = any_card(self, list, count, kind < 0.75 && !all ? zone_of(self, first) : NONE);
    return exchange_cards(self, &self->given, first, second, 0) ? PROPOSED_EXCHANGE : PROPOSED_NONE;
}

/* Any copy of a card. */
static int32_t any_copy(ParticlesObject *self, int32_t card) {
    const Program *program = self->program;
    if (!program->has_copies || card < 0 || card >= program->deck_size) return card;
    int32_t first = program->kinds[card];
    return first + (int32_t)random_below(&self->random, (uint32_t)(after_copies(program, card) - first));
}

/* Cards that the script shows leaving (or being in) a zone soon and that are not there: one of them, and the zone.
   `soon`, by card, are all that are to be seen so. */
static int32_t missing_card(ParticlesObject *self, size_t reach, size_t limit, uint8_t *soon, int32_t *zone) {
    uint8_t moved[MAX_CARDS] = {0};
    int32_t chosen = NONE;
    uint32_t found = 0;
    memset(soon, 0, MAX_CARDS);
    for (size_t at = reach; at < limit; at += 2 + (size_t)self->script[at + 1]) {
        const int32_t *record = self->script + at;
        if (record[0] == EVENT_SHUFFLE) break;
        if (record[0] != EVENT_MOVE && record[0] != EVENT_PLAY && record[0] != EVENT_PICK && record[0] != EVENT_TAKE &&
            record[0] != EVENT_SHOW)
            continue;
        int32_t from = record[record[0] == EVENT_MOVE ? 2 : 3];
        for (int32_t n = 2; n < record[1]; n++) {
            int32_t card = is_card(record[0], n) ? any_copy(self, record[2 + n]) : NONE;
            if (card < 0 || card >= self->program->deck_size || moved[card]) continue;
            if (record[0] != EVENT_SHOW) moved[card] = 1;
            if (from < 0 || (uint32_t)from >= self->program->zones) continue;
            soon[card] = 1;
            if (zone_of(self, card) != from && random_below(&self->random, ++found) == 0) {
                chosen = card;
                *zone = from;
            }
        }
    }
    return chosen;
}

/* The cards of a zone, but for those that are marked. */
static int cards_of_zone(const ParticlesObject *self, int32_t zone, const uint8_t *but, int32_t *list) {
    int count = 0;
    for (int word = 0; word < MAX_WORDS; word++)
        for (uint64_t rest = self->failed_sets[MAX_WORDS * zone + word]; rest; rest &= rest - 1) {
            int32_t card = 64 * word + __builtin_ctzll(rest);
            if (!but[card]) list[count++] = card;
        }
    return count;
}

/* Leaves out the cards that are marked. */
static int all_but(int32_t *list, int count, const uint8_t *marked) {
    int kept = 0;
    for (int n = 0; n < count; n++)
        if (!marked[list[n]]) list[kept++] = list[n];
    return kept;
}

/* A card that the script shows leaving an ordered zone before any other does, and that is not on top of it, changes
   places with the one that is. */
static int put_on_top(ParticlesObject *self, size_t reach, size_t limit, int last) {
    const Program *program = self->program;
    for (size_t at = reach; at < limit; at += 2 + (size_t)self->script[at + 1]) {
        const int32_t *record = self->script + at;
        if (record[0] == EVENT_SHUFFLE) return 0;
        if (record[0] != EVENT_MOVE || record[1] < 3) continue;
        int32_t zone = record[2], wanted = record[4];
        if (zone < 0 || (uint32_t)zone >= program->zones || !program->ordered[zone]) continue;
        if (wanted < 0 || wanted >= program->deck_size || self->failed_tops[zone] == NONE) return 0;
        return exchange_cards(self, &self->given, self->failed_tops[zone], any_copy(self, wanted), last);
    }
    return 0;
}

/* A history that may lead further than one that failed as told; in self->given. */
static int propose_mending(ParticlesObject *self, const Trace *trace, const Followed *failed, size_t limit) {
    int32_t list[MAX_CARDS];
    if (!trace_copy(&self->given, trace)) return 0;
    double kind = random_real(self);
    int last = kind < 0.9 && random_real(self) < 0.6;
    if (failed->mismatch == MISMATCH_CARD && self->program->has_copies && random_real(self) < 0.4) {
        /* Copies change places: in which order cards of a set move depends on which copies they are. */
        int32_t card = random_real(self) < 0.5 ? failed->told : any_copy(self, failed->wanted);
        if (exchange_cards(self, &self->given, card, any_copy(self, card), last)) return 1;
    }
    uint8_t soon[MAX_CARDS];
    int32_t zone = NONE, wanted = missing_card(self, failed->reach, limit, soon, &zone);
    if (failed->mismatch == MISMATCH_CARD && kind < 0.8) {
        /* Where the card that was seen is there already, too, the other one is in its way. */
        int32_t seen = any_copy(self, failed->wanted), here = zone_of(self, failed->told);
        if (here != NONE && here == zone_of(self, seen) && random_real(self) < 0.5)
            seen = any_card(self, list, all_but(list, hidden_cards(self, list), soon), here);
        if (exchange_cards(self, &self->given, failed->told, seen, last)) return 1;
    }
    if (failed->mismatch == MISMATCH_OTHER && random_real(self) < 0.5 && put_on_top(self, failed->reach, limit, last))
        return 1;
    if (kind < 0.85 && wanted != NONE &&
        exchange_cards(self, &self->given, any_card(self, list, cards_of_zone(self, zone, soon, list), NONE), wanted,
                       last))
        return 1;
    if (random_real(self) < 0.35 && draw_again(self, &self->given)) return 1;
    int count = hidden_cards(self, list);
    if (kind < 0.95) count = all_but(list, count, soon);
    int32_t first = NONE;
    if (failed->mover != NONE && random_real(self) < 0.8) first = any_card_of(self, list, count, failed->mover);
    if (first == NONE) first = any_card(self, list, count, NONE);
    if (first == NONE) return draw_again(self, &self->given);
    int32_t second = any_card(self, list, count, random_real(self) < 0.9 ? zone_of(self, first) : NONE);
    int changed = exchange_cards(self, &self->given, first, second, last);
    /* One exchange alone may always break what another one would mend. */
    for (int more = 0; more < 4 && random_real(self) < 0.3; more++) {
        first = any_card(self, list, count, NONE);
        if (first == NONE) break;
        changed |= exchange_cards(self, &self->given, first, any_card(self, list, count, zone_of(self, first)), last);
    }
    return changed;
}

/* Room behind the frame, see particles_open. */
static unsigned char *room_for_state(const ParticlesObject *self) {
    return self->frame.memory + 2 * self->program->frame_size;
}

/* Mends a history until it agrees up to `limit`; 0: it did not come to that, -1: no memory. */
static int mend(ParticlesObject *self, Particle *particle, size_t limit) {
    unsigned char *state = room_for_state(self);
    if (!trace_copy(&self->given, &particle->trace)) return -1;
    Followed best = follow_all(self, &self->given, particle->base, limit, 0, particle->state);
    trace_exchange(&particle->trace, &self->made);
    if (best.failed) return -1;
    keep_sets(self);
    if (!best.agrees) {
        particle->identity = self->next_identity++;
        particle->moved = 0;
    }
    for (int tries = 0; !best.agrees && tries < MEND_TRIES && !out_of_work(self); tries++) {
        if (!propose_mending(self, &particle->trace, &best, limit)) continue;
        Followed other = follow_all(self, &self->given, particle->base, limit, 0, state);
        if (other.failed) return -1;
        if (other.reach < best.reach || (other.reach == best.reach && !other.agrees && other.close < best.close))
            continue;
        if (other.reach > best.reach || other.close > best.close) tries = 0;
        best = other;
        trace_exchange(&particle->trace, &self->made);
        memcpy(particle->state, state, self->program->state_size);
        keep_sets(self);
    }
    if (best.reach > self->furthest) self->furthest = best.reach;
    particle->agrees = best.agrees;
    particle->log_chance = best.log_chance;
    particle->gained = 0;
    return best.agrees;
}

/* A particle goes to another state. After as many moves of two cards as there are hidden ones to move it has nothing in
   common any more with the history that it was a copy of. */
static void count_move(ParticlesObject *self, Particle *particle, const unsigned char *state) {
    const Program *program = self->program;
    size_t at = program->sets_at - program->state_at, size = program->zones * set_bytes(program);
    int32_t list[MAX_CARDS];
    if (!memcmp(particle->state + at, state + at, size)) return; /* only an order changes */
    sets_of_state(self, state);
    if (2 * ++particle->moved < hidden_cards(self, list)) return;
    particle->identity = self->next_identity++;
    particle->moved = 0;
}

/* Metropolis-Hastings steps of a particle that agrees up to `limit`; how many were made that changed it, -1: no memory. */
static int stir(ParticlesObject *self, Particle *particle, size_t limit, int steps) {
    unsigned char *state = room_for_state(self);
    int moved = 0;
    for (int n = 0; n < steps && !out_of_work(self); n++) {
        sets_of_state(self, particle->state);
        int proposed = propose(self, &particle->trace);
        if (proposed == PROPOSED_NONE) continue;
        Followed other = follow_all(self, &self->given, particle->base, limit, 1, state);
        if (other.failed) return -1;
        if (!other.agrees) continue;
        size_t any = 0;
        double ratio = self->model == MODEL_UNIFORM ? other.log_chance - particle->log_chance : 0;
        if (proposed == PROPOSED_ANSWER)
            ratio += log(choices_of(self, &particle->trace, &any)) - log(choices_of(self, &self->made, &any));
        if (ratio < 0 && log(random_real(self) + 1e-300) > ratio) continue;
        trace_exchange(&particle->trace, &self->made);
        count_move(self, particle, state);
        memcpy(particle->state, state, self->program->state_size);
        particle->log_chance = other.log_chance;
        moved++;
    }
    return moved;
}

/* Weights since particles were last drawn anew differ little, or they would have been. */
static double particle_weight(const Particle *particle) { return particle->agrees ? exp(particle->gained) : 0; }

static int copy_particle(const Program *program, Particle *to, const Particle *from) {
    if (to == from) return 1;
    if (!trace_copy(&to->trace, &from->trace)) return 0;
    memcpy(to->state, from->state, program->state_size);
    to->base = from->base;
    to->log_chance = from->log_chance;
    to->gained = from->gained;
    to->identity = from->identity;
    to->moved = from->moved;
    to->agrees = from->agrees;
    return 1;
}

/* Draws the particles anew, each as often as its weight says (systematically). 0: no memory. */
static int resample(ParticlesObject *self) {
    double most = -INFINITY, total = 0, squares = 0;
    for (size_t n = 0; n < self->count; n++)
        if (self->particles[n].agrees && self->particles[n].gained > most) most = self->particles[n].gained;
    for (size_t n = 0; n < self->count; n++) {
        double weight = self->particles[n].agrees ? exp(self->particles[n].gained - most) : 0;
        total += weight;
        squares += weight * weight;
    }
    if (total <= 0) return 1;
    if (self->alive == self->count && total * total > 0.5 * squares * (double)self->count) {
        for (size_t n = 0; n < self->count; n++) self->particles[n].gained -= most;
        return 1;
    }
    /* Those that stay keep their places; the others become copies of those that are due more than once. */
    uint32_t *due = calloc(self->count, sizeof *due);
    if (!due) return 0;
    double step = total / (double)self->count, at = step * random_real(self), sum = 0;
    for (size_t n = 0; n < self->count; n++) {
        sum += self->particles[n].agrees ? exp(self->particles[n].gained - most) : 0;
        while (at < sum) {
            due[n]++;
            at += step;
        }
    }
    size_t from = 0;
    int fine = 1;
    for (size_t n = 0; n < self->count && fine; n++) {
        if (due[n]) continue;
        while (from < self->count && due[from] < 2) from++;
        if (from == self->count) { /* rounding */
            for (from = 0; from < self->count && !due[from];) from++;
            if (from == self->count) break;
            due[from]++;
        }
        fine = copy_particle(self->program, &self->particles[n], &self->particles[from]);
        due[from]--;
        due[n] = 1;
    }
    free(due);
    for (size_t n = 0; n < self->count; n++) self->particles[n].gained = 0;
    return fine;
}

/* Plays all particles on from the cursor; -1: no memory. */
static int go_on(ParticlesObject *self, size_t limit) {
    const Program *program = self->program;
    Trace none = {0};
    self->alive = 0;
    for (size_t n = 0; n < self->count; n++) {
        Particle *particle = &self->particles[n];
        if (!particle->agrees) continue;
        Followed followed = {0};
        size_t order = n; /* each particle has its own orders to begin with, and takes the first that agrees */
        do {
            if (self->started) {
                frame_load(&self->frame, particle->state);
            } else {
                self->first_order = order < self->order_count ? self->orders + order * (size_t)self->all_cards : NULL;
                load_base(self, particle->base);
                memcpy(particle->state, self->frame.memory + program->state_at, program->state_size);
            }
            self->made.used = 0;
            if (!out_of_work(self)) followed = follow(self, &none, self->cursor, limit, 0, particle->state);
            self->first_order = NULL;
            order += self->count;
        } while (!self->started && !followed.agrees && !followed.failed && order < self->order_count &&
                 !out_of_work(self));
        if (followed.failed || !trace_room(&particle->trace, self->made.used)) return -1;
        if (self->made.used)
            memcpy(particle->trace.data + particle->trace.used, self->made.data, self->made.used * sizeof(int32_t));
        particle->trace.used += self->made.used;
        particle->log_chance += followed.log_chance;
        particle->gained += followed.gained;
        particle->agrees = followed.agrees;
        self->alive += (size_t)followed.agrees;
    }
    self->gone_on = 1;
    return 1;
}

/* Mends particles that do not agree until there are some; -1: no memory. Half of the work is left for copies of those
   that are there to part. */
static int mend_some(ParticlesObject *self, size_t limit) {
    size_t enough = (self->count + 7) / 8;
    int64_t half = self->work / 2;
    if (self->alive >= enough) return 1;
    for (size_t n = 0; n < self->count && self->alive < 2 * enough && !out_of_work(self); n++) {
        if (self->particles[n].agrees) continue;
        if (self->alive && self->work < half) break;
        int mended = mend(self, &self->particles[n], limit);
        if (mended < 0) return -1;
        self->alive += (size_t)mended;
    }
    for (size_t n = 0; n < self->count; n++) self->particles[n].gained = 0;
    return 1;
}

/* All particles go on to the next decision. 0: none agrees, -1: no memory. */
static int advance(ParticlesObject *self, size_t limit) {
    self->random = mixed_seed(self->seed, self->cursor);
    if (!self->gone_on && go_on(self, limit) < 0) return -1;
    if (mend_some(self, limit) < 0) return -1;
    if (!self->alive) return 0;
    if (!resample(self)) return -1;
    self->alive = self->count;
    learn_places(self, self->cursor, limit);
    for (size_t n = 0; n < self->count && !out_of_work(self); n++)
        if (stir(self, &self->particles[n], limit, 1) < 0) return -1;
    /* Copies part. */
    for (size_t n = 0; n < self->count && !out_of_work(self); n++)
        for (size_t m = 0; m < n; m++)
            if (self->particles[m].identity == self->particles[n].identity) {
                if (stir(self, &self->particles[n], limit, 3) < 0) return -1;
                break;
            }
    self->cursor = limit;
    self->started = 1;
    self->gone_on = 0;
    return 1;
}

/* Where the script has the decision after the one at `at` (or its end). */
static size_t next_stop(const ParticlesObject *self, size_t at) {
    int first = self->started || self->base_count > 0; /* the particles stand before a decision that is in the script */
    for (; at < self->script_size; at += 2 + (size_t)self->script[at + 1]) {
        int32_t kind = self->script[at];
        if (kind != EVENT_PLAY && kind != EVENT_PICK && kind != EVENT_TAKE && kind != EVENT_PASS &&
            kind != EVENT_CHOOSE)
            continue;
        if (!first) return at;
        first = 0;
    }
    return self->script_size;
}

/* --- from Python */

static void particles_close(ParticlesObject *self) {
    if (self->frame.memory) frame_close(&self->frame);
    memset(&self->frame, 0, sizeof self->frame);
    free(self->events.data);
    memset(&self->events, 0, sizeof self->events);
    free(self->failed_sets);
    self->failed_sets = NULL;
    free(self->failed_tops);
    self->failed_tops = NULL;
    self->busy = 0;
}

/* Makes ready to work; raises. */
static int particles_open(ParticlesObject *self, int64_t work, int ending) {
    const Program *program = self->program;
    if (self->busy) {
        PyErr_SetString(PyExc_RuntimeError, "these particles are at work already");
        return -1;
    }
    self->failed_sets = calloc(MAX_WORDS * (program->zones + 1), sizeof(uint64_t));
    self->failed_tops = calloc(program->zones + 1, sizeof(int32_t));
    if (!self->failed_sets || !self->failed_tops || frame_open(&self->frame, program) < 0) {
        particles_close(self);
        PyErr_NoMemory();
        return -1;
    }
    unsigned char *memory = realloc(self->frame.memory, 2 * program->frame_size + program->state_size);
    if (!memory) {
        particles_close(self);
        PyErr_NoMemory();
        return -1;
    }
    self->frame.memory = memory;
    self->frame.header = (Header *)(void *)(memory + program->header_at);
    self->frame.events = &self->events;
    self->frame.stop = patience_stop;
    self->frame.stopper = &self->patience;
    self->work = work;
    self->ending = ending;
    self->decisions = NULL;
    self->legal = NULL;
    self->legal_count = 0;
    self->busy = 1;
    return 0;
}

static void particles_dealloc(PyObject *object) {
    ParticlesObject *self = (ParticlesObject *)object;
    for (size_t n = 0; self->particles && n < self->count; n++) {
        free(self->particles[n].trace.data);
        free(self->particles[n].state);
    }
    free(self->particles);
    free(self->sees);
    free(self->owner_of);
    free(self->private_node);
    free(self->bases);
    free(self->orders);
    free(self->script);
    free(self->zone_count);
    free(self->given.data);
    free(self->made.data);
    Py_XDECREF(self->owner);
    Py_TYPE(object)->tp_free(object);
}

static PyObject *particles_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {"program", "seat",   "model", "sees", "owners", "private",
                            "bases",   "orders", "count", "seed", NULL};
    PyObject *owner;
    Py_buffer sees, owners, private_nodes, bases, orders;
    int seat, model;
    unsigned int count;
    unsigned long long seed;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "$O!iiy*y*y*y*y*IK", names, &program_type, &owner, &seat, &model,
                                     &sees, &owners, &private_nodes, &bases, &orders, &count, &seed))
        return NULL;
    const Program *program = &((ProgramObject *)owner)->program;
    ParticlesObject *self = NULL;
    size_t base_count = (size_t)bases.len / program->state_size;
    int32_t all = program->cards_in_play;
    int valid = count >= 1 && count <= MAX_PARTICLES && (size_t)bases.len % program->state_size == 0 &&
                base_count <= 65536 && (size_t)sees.len == program->zones && (size_t)owners.len == program->zones &&
                (size_t)private_nodes.len == program->node_count && seat >= 0 && seat < program->players &&
                program->zones <= MAX_ZONES && (size_t)orders.len % ((size_t)all * sizeof(int32_t)) == 0;
    for (size_t n = 0; valid && n < base_count; n++)
        valid =
            state_is_valid(program, (const unsigned char *)bases.buf + n * program->state_size, program->state_size);
    if (!valid) {
        PyErr_SetString(PyExc_ValueError, "bad arguments");
        goto done;
    }
    self = (ParticlesObject *)type->tp_alloc(type, 0);
    if (!self) goto done;
    Py_INCREF(owner);
    self->owner = owner;
    self->program = program;
    self->seat = seat;
    self->model = model;
    self->seed = seed;
    self->base_count = base_count;
    self->all_cards = all;
    self->order_count = (size_t)orders.len / ((size_t)all * sizeof(int32_t));
    self->sees = malloc((size_t)sees.len + 1);
    self->owner_of = malloc((size_t)owners.len + 1);
    self->private_node = malloc((size_t)private_nodes.len + 1);
    self->bases = malloc((size_t)bases.len + 1);
    self->particles = calloc(count, sizeof *self->particles);
    self->zone_count = calloc(program->zones + 1, sizeof *self->zone_count);
    if (orders.len) self->orders = malloc((size_t)orders.len);
    int fine = (self->orders || !orders.len) && self->zone_count && self->sees && self->owner_of &&
               self->private_node && self->bases && self->particles;
    if (fine) {
        memcpy(self->sees, sees.buf, (size_t)sees.len);
        memcpy(self->owner_of, owners.buf, (size_t)owners.len);
        memcpy(self->private_node, private_nodes.buf, (size_t)private_nodes.len);
        memcpy(self->bases, bases.buf, (size_t)bases.len);
        if (orders.len) memcpy(self->orders, orders.buf, (size_t)orders.len);
        self->count = count;
        for (size_t n = 0; fine && n < count; n++) {
            Particle *particle = &self->particles[n];
            particle->state = malloc(program->state_size);
            particle->agrees = 1;
            particle->base = base_count ? (uint32_t)(n * base_count / count) : 0;
            particle->identity = self->next_identity++;
            fine = particle->state != NULL;
        }
        self->alive = count;
        self->zone_count[program->pack] = all;
    }
    if (!fine) {
        Py_CLEAR(self);
        PyErr_NoMemory();
    }
done:
    PyBuffer_Release(&sees);
    PyBuffer_Release(&owners);
    PyBuffer_Release(&private_nodes);
    PyBuffer_Release(&bases);
    PyBuffer_Release(&orders);
    return (PyObject *)self;
}

PyDoc_STRVAR(
    particles_extend_doc,
    "extend(script, ending, whole, work, total, seconds)\n--\n\n"
    "Follows what the seat has seen since: records of kind, number of values, values (int32). ending: 0 at a\n"
    "decision, 1 before all cards are shuffled. whole: not from decision to decision, but all at once. work: for\n"
    "each decision; total: for all of them. Returns (1: some histories agree, 0: none, -1: the time is over and the next\n"
    "call can finish it; how far into the script any came that had to be mended; what is left of the total).");
static PyObject *particles_extend(PyObject *object, PyObject *args) {
    ParticlesObject *self = (ParticlesObject *)object;
    Py_buffer script;
    int ending, whole, result = 1, interrupted = 0, late = 0;
    long long work, total;
    double seconds;
    if (!PyArg_ParseTuple(args, "y*ipLLd", &script, &ending, &whole, &work, &total, &seconds)) return NULL;
    size_t size = (size_t)script.len / sizeof(int32_t);
    if (!script_is_valid(script.buf, size) || self->script_size + size > MAX_TRACE) {
        PyBuffer_Release(&script);
        PyErr_SetString(PyExc_ValueError, "bad script");
        return NULL;
    }
    if (particles_open(self, work, ending) < 0) {
        PyBuffer_Release(&script);
        return NULL;
    }
    if (self->script_size + size > self->script_capacity) {
        size_t capacity = 2 * (self->script_size + size);
        int32_t *data = realloc(self->script, capacity * sizeof *data);
        if (data) {
            self->script = data;
            self->script_capacity = capacity;
        } else {
            result = -1;
        }
    }
    if (result > 0) {
        if (size) memcpy(self->script + self->script_size, script.buf, size * sizeof(int32_t));
        self->script_size += size;
        patience_begin(&self->patience, seconds, NULL, RELEASE_GIL);
        while (result > 0 && !late && (self->cursor < self->script_size || !self->started)) {
            int64_t given = self->work = work < total ? work : total;
            result = advance(self, whole ? self->script_size : next_stop(self, self->cursor));
            total -= given - self->work;
            late =
                result >= 0 && patience_is_over(&self->patience) && (result == 0 || self->cursor < self->script_size);
        }
        interrupted = patience_end(&self->patience) < 0;
    }
    particles_close(self);
    PyBuffer_Release(&script);
    if (interrupted) return NULL;
    if (result < 0) return PyErr_NoMemory();
    return Py_BuildValue("inL", late ? -1 : result, (Py_ssize_t)self->furthest, total);
}

/* Plays a history again and notes what the others decide in it; -1: no memory. */
static int note_decisions(ParticlesObject *self, Particle *particle, Decisions *decisions) {
    self->decisions = decisions;
    Followed followed = follow_all(self, &particle->trace, particle->base, self->script_size, 1, particle->state);
    self->decisions = NULL;
    return followed.failed || decisions_keep(decisions) < 0 ? -1 : 0;
}

PyDoc_STRVAR(
    particles_draw_doc,
    "draw(count, steps, seed, legal, work, seconds, tracing)\n--\n\n"
    "So many positions at the last decision, after so many steps from each to the next (more where none was made). legal: the seat's legal\n"
    "moves (int32) or None. The particles stay as they are. Returns (states, by state a number that is the\n"
    "same for those that are the same one (uint64), the others' decisions as `worlds` has them if there is to be tracing).");
static PyObject *particles_draw(PyObject *object, PyObject *args) {
    ParticlesObject *self = (ParticlesObject *)object;
    const Program *program = self->program;
    unsigned int count;
    int steps, tracing;
    unsigned long long seed;
    PyObject *legal_object, *result = NULL;
    Decisions decisions = {0};
    Py_buffer legal = {0};
    long long work;
    double seconds;
    if (!PyArg_ParseTuple(args, "IiKOLdp", &count, &steps, &seed, &legal_object, &work, &seconds, &tracing))
        return NULL;
    if (count < 1 || count > 1u << 20) {
        PyErr_SetString(PyExc_ValueError, "bad arguments");
        return NULL;
    }
    if (legal_object != Py_None && PyObject_GetBuffer(legal_object, &legal, PyBUF_SIMPLE) < 0) return NULL;
    if (particles_open(self, work, self->ending) < 0) {
        if (legal.obj) PyBuffer_Release(&legal);
        return NULL;
    }
    unsigned char *states = malloc((size_t)count * program->state_size);
    uint64_t *identities = malloc((size_t)count * sizeof *identities), kept_identity = self->next_identity;
    Particle copy = {.state = malloc(program->state_size)};
    size_t found = 0;
    int failed = !states || !identities || !copy.state;
    if (legal.obj) {
        self->legal = legal.buf;
        self->legal_count = (size_t)legal.len / sizeof(int32_t);
    }
    patience_begin(&self->patience, seconds, NULL, RELEASE_GIL);
    self->random = mixed_seed(seed, 1);
    /* Where the moves have to agree, too, some histories are given up, so that all are tried. */
    size_t chains = self->count < count || self->legal ? self->count : count, place = 0;
    double total = 0, sum = 0, shift = random_real(self);
    for (size_t n = 0; n < self->count; n++) total += particle_weight(&self->particles[n]);
    for (size_t chain = 0; chain < chains && !failed && total > 0 && found < count; chain++) {
        if (decisions_are_full(&decisions, program)) break;
        size_t due =
            self->legal ? (count + chains - 1) / chains : (chain + 1) * count / chains - chain * count / chains;
        due = due < count - found ? due : count - found;
        while (place + 1 < self->count &&
               sum + particle_weight(&self->particles[place]) <= ((double)chain + shift) * total / (double)chains)
            sum += particle_weight(&self->particles[place++]);
        const Particle *from = &self->particles[place];
        if (!from->agrees) continue;
        if (!copy_particle(program, &copy, from)) {
            failed = 1;
            break;
        }
        if (self->legal) { /* does it agree with the moves, too? */
            int mended = mend(self, &copy, self->script_size);
            failed = mended < 0;
            if (mended < 1) continue;
        }
        for (size_t n = 0; n < due && !failed; n++) {
            int moved = 0;
            for (int more = 0; more < PATIENT && moved == 0; more++)
                moved = stir(self, &copy, self->script_size, steps);
            failed = moved < 0 || (tracing && note_decisions(self, &copy, &decisions) < 0);
            memcpy(states + found * program->state_size, copy.state, program->state_size);
            identities[found++] = copy.identity;
        }
    }
    int interrupted = patience_end(&self->patience) < 0;
    self->next_identity = kept_identity;
    particles_close(self);
    if (failed && !interrupted) PyErr_NoMemory();
    if (!failed && !interrupted) {
        PyObject *tuple = state_tuple(program, states, found);
        PyObject *traced = tracing ? decisions_tuple(&decisions, program) : Py_NewRef(Py_None);
        if (tuple && traced)
            result = Py_BuildValue("Oy#O", tuple, (const char *)identities, (Py_ssize_t)(found * sizeof *identities),
                                   traced);
        Py_XDECREF(tuple);
        Py_XDECREF(traced);
    }
    decisions_free(&decisions);
    free(states);
    free(identities);
    free(copy.trace.data);
    free(copy.state);
    if (legal.obj) PyBuffer_Release(&legal);
    return result;
}

static PyMethodDef particles_methods[] = {
    {"extend", particles_extend, METH_VARARGS, particles_extend_doc},
    {"draw", particles_draw, METH_VARARGS, particles_draw_doc},
    {NULL, NULL, 0, NULL},
};

PyTypeObject particles_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "fcdl.engines.native._engine.Particles",
    .tp_doc =
        "Particles(*, program, seat, model, sees, owners, private, bases, orders, count, seed)\n--\n\n"
        "Hidden histories that agree with what a seat has seen. sees, owners (255: nobody): by zone; private: by node; bases: states from\n"
        "which the script is played (none: from the start). orders: of all cards, to begin with (int32).",
    .tp_basicsize = sizeof(ParticlesObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = particles_new,
    .tp_dealloc = particles_dealloc,
    .tp_methods = particles_methods,
};

/* --- positions made from public facts */

/* A position at the same decision of the chart with other variables and cards. variables: pairs of the number of a
   variable's slot and its value; zones: by zone how many cards, then the cards from the bottom up (int32). None if no
   decision comes of it. */
PyObject *arrange_cards_of_program(PyObject *self, PyObject *args) {
    PyObject *result = NULL;
    Py_buffer state, variables, zones;
    if (!PyArg_ParseTuple(args, "y*y*y*", &state, &variables, &zones)) return NULL;
    const Program *program = &((ProgramObject *)self)->program;
    const int32_t *pair = variables.buf, *number = zones.buf, *end = number + (size_t)zones.len / sizeof *number;
    size_t pairs = (size_t)variables.len / (2 * sizeof *pair), size = set_bytes(program);
    uint64_t placed[MAX_WORDS] = {0};
    Frame frame = {0};
    if (!state_is_valid(program, state.buf, (size_t)state.len) || frame_open(&frame, program) < 0) {
        PyErr_SetString(PyExc_ValueError, "this is not a state of this game");
        goto done;
    }
    frame_load(&frame, state.buf);
    int32_t *slots = (int32_t *)(void *)(frame.memory + program->state_at);
    uint16_t *next = next_links(&frame), *back = next + program->links;
    for (size_t n = 0; n < pairs; n++)
        if (pair[2 * n] >= 0 && (uint32_t)pair[2 * n] < program->variables) slots[pair[2 * n]] = pair[2 * n + 1];
    for (uint32_t n = 0; n < program->links; n++) next[n] = back[n] = (uint16_t)n;
    memset(frame.memory + program->sets_at, 0, program->zone_slots * size);
    for (uint32_t zone = 0; zone < program->zones; zone++) {
        uint64_t set[MAX_WORDS] = {0};
        int32_t count = number < end ? *number++ : -1;
        uint16_t link = (uint16_t)(program->deck_size + (int32_t)zone);
        if (count < 0 || count > end - number) goto bad;
        for (; count > 0; count--) {
            int32_t card = *number++;
            if (card < 0 || card >= program->deck_size || (placed[card / 64] >> (card % 64) & 1) ||
                !(program->in_play[card / 64] >> (card % 64) & 1))
                goto bad;
            placed[card / 64] |= UINT64_C(1) << (card % 64);
            set[card / 64] |= UINT64_C(1) << (card % 64);
            if (program->ordered[zone]) {
                next[card] = next[link];
                back[next[link]] = (uint16_t)card;
                next[link] = (uint16_t)card;
                back[card] = link;
            }
        }
        memcpy(frame.memory + program->sets_at + zone * size, set, size);
    }
    if (number != end || memcmp(placed, program->in_play, sizeof placed)) goto bad;
    if (frame.header->status == DECISION && run_on(&frame, 0) == RESULT_DECISION) {
        result = state_bytes(&frame);
    } else {
        result = Py_NewRef(Py_None);
    }
    goto done;
bad:
    PyErr_SetString(PyExc_ValueError, "these are not the cards of this game");
done:
    if (frame.memory) frame_close(&frame);
    PyBuffer_Release(&state);
    PyBuffer_Release(&variables);
    PyBuffer_Release(&zones);
    return result;
}
