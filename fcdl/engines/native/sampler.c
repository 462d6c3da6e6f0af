/* Worlds for a seat: cards are dealt to places by counting, and every deal is checked by playing it beside what the
   seat has seen.

   A place is a card's number in the order of the last shuffle of everything. Places that no remaining card can tell
   apart are a class; cards that may lie in the same classes are a group. */

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

enum { MAX_GROUPS = MAX_CARDS, MAX_KEPT = 16 };
enum { TABLE_LIMIT = 1 << 18, TABLES_LIMIT = 1 << 20 }; /* entries for one deal, and for all of a call together */
enum { ENTRIES_PER_LOOK = 1 << 12, DRAWS_PER_LOOK = 16, WORK_OF_A_DRAW = 20 };

typedef struct {
    uint32_t stage;
    uint64_t key[2];
    double ways;
} Entry;

/* One way in which hidden movements can have gone: what is known of places and cards. */
typedef struct {
    double factor; /* how many ways like this one there are */
    double ways;   /* deals, by counting */
    int counted;
    int places, classes, groups, picks;
    int16_t pinned[MAX_PLACES]; /* by place: the card, or NONE */
    int16_t class_size[MAX_CLASSES];
    int16_t class_places[MAX_PLACES]; /* one class after another */
    uint64_t group_classes[MAX_GROUPS];
    int16_t group_size[MAX_GROUPS];
    int16_t group_cards[MAX_CARDS];
    int16_t pick[MAX_PICKS]; /* by pick: the place, or -1 - card */
    /* By group: the classes that this and later groups cannot tell apart become one. */
    int16_t kept[MAX_GROUPS + 1];
    int16_t kept_of[MAX_GROUPS + 1][MAX_CLASSES];
    uint32_t kept_allowed[MAX_GROUPS + 1];
    Entry *entries;
    uint32_t capacity, used;
    size_t *entries_left; /* of all deals together */
    Patience *patience;
    /* For decks with copies of a card: places by batch, and the batches in which a card may lie. */
    int has_copies;
    uint8_t batch[MAX_PLACES];
    uint32_t batches[MAX_CARDS][4];
} Deal;

/* --- counting */

static int deal_plan(Deal *deal) {
    int cards = 0;
    for (int class = 0; class < deal->classes; class++) cards += deal->class_size[class];
    if (cards > UINT8_MAX) return 0; /* more than the counts of a key hold */
    for (int group = 0; group <= deal->groups; group++) {
        int kept = 0;
        uint64_t future[MAX_CLASSES][MAX_WORDS];
        int first[MAX_CLASSES];
        deal->kept_allowed[group] = 0;
        for (int class = 0; class < deal->classes; class++) {
            uint64_t seen[MAX_WORDS] = {0};
            for (int later = group; later < deal->groups; later++)
                if (deal->group_classes[later] >> class & 1) seen[later / 64] |= UINT64_C(1) << (later % 64);
            int same = 0;
            while (same < kept && memcmp(future[same], seen, sizeof seen)) same++;
            if (same == kept) {
                if (kept == MAX_KEPT) return 0;
                memcpy(future[kept], seen, sizeof seen);
                first[kept++] = class;
            }
            deal->kept_of[group][class] = (int16_t)same;
        }
        deal->kept[group] = (int16_t)kept;
        if (group == deal->groups) break;
        for (int n = 0; n < kept; n++)
            if (deal->group_classes[group] >> first[n] & 1) deal->kept_allowed[group] |= UINT32_C(1) << n;
    }
    return 1;
}

/* What is left of the kept classes of a group when the group before is dealt; 0 if places remain that nobody can fill. */
static int carry(const Deal *deal, int group, const uint8_t *before, uint8_t *after) {
    memset(after, 0, MAX_KEPT);
    for (int class = 0; class < deal->classes; class++) {
        int from = deal->kept_of[group][class], to = deal->kept_of[group + 1][class];
        int first = 1;
        for (int other = 0; other < class; other++)
            if (deal->kept_of[group][other] == from) first = 0;
        if (first) after[to] = (uint8_t)(after[to] + before[from]);
    }
    for (int class = 0; class < deal->classes; class++) {
        int kept = deal->kept_of[group + 1][class], wanted = 0;
        for (int later = group + 1; later < deal->groups; later++)
            wanted |= (int)(deal->group_classes[later] >> class & 1);
        if (!wanted && after[kept]) return 0;
    }
    return 1;
}

static Entry *find_entry(Deal *deal, uint32_t stage, const uint8_t *left) {
    uint64_t key[2];
    memcpy(key, left, sizeof key);
    uint64_t hash = (key[0] ^ (key[1] * UINT64_C(0x9e3779b97f4a7c15)) ^ stage) * UINT64_C(0xd6e8feb86659fd93);
    hash ^= hash >> 32;
    for (uint32_t n = (uint32_t)hash & (deal->capacity - 1);; n = (n + 1) & (deal->capacity - 1)) {
        Entry *entry = &deal->entries[n];
        if (entry->stage == 0 || (entry->stage == stage && entry->key[0] == key[0] && entry->key[1] == key[1]))
            return entry;
    }
}

static int grow_entries(Deal *deal) {
    Entry *old = deal->entries;
    uint32_t old_capacity = deal->capacity;
    if (old_capacity >= TABLE_LIMIT) return 0;
    uint32_t capacity = old_capacity ? 4 * old_capacity : 1024;
    if (*deal->entries_left < capacity) return 0;
    *deal->entries_left -= capacity;
    Entry *entries = calloc(capacity, sizeof *entries);
    if (!entries) return 0;
    deal->entries = entries;
    deal->capacity = capacity;
    for (uint32_t n = 0; n < old_capacity; n++) {
        if (!old[n].stage) continue;
        uint8_t left[MAX_KEPT];
        memcpy(left, old[n].key, sizeof left);
        *find_entry(deal, old[n].stage, left) = old[n];
    }
    free(old);
    return 1;
}

/* Deals of the rest: card number `card` of a group and all that follow; -1 when there are too many cases to count. */
static double count_ways(Deal *deal, int group, int card, const uint8_t *left) {
    if (group == deal->groups) return 1;
    if (card == deal->group_size[group]) {
        uint8_t after[MAX_KEPT];
        return carry(deal, group, left, after) ? count_ways(deal, group + 1, 0, after) : 0;
    }
    uint32_t stage = (uint32_t)(1 + group * (MAX_CARDS + 1) + card);
    Entry *entry = deal->capacity ? find_entry(deal, stage, left) : NULL;
    if (entry && entry->stage) return entry->ways;
    double ways = 0;
    for (int kept = 0; kept < deal->kept[group]; kept++) {
        if (!(deal->kept_allowed[group] >> kept & 1) || !left[kept]) continue;
        uint8_t after[MAX_KEPT];
        memcpy(after, left, sizeof after);
        after[kept]--;
        double part = count_ways(deal, group, card + 1, after);
        if (part < 0) return -1;
        ways += left[kept] * part;
    }
    if (4 * (deal->used + 1) > 3 * deal->capacity && !grow_entries(deal)) return -1;
    if (deal->used % ENTRIES_PER_LOOK == 0 && patience_is_over(deal->patience)) return -1;
    entry = find_entry(deal, stage, left);
    entry->stage = stage;
    memcpy(entry->key, left, sizeof entry->key);
    entry->ways = ways;
    deal->used++;
    return ways;
}

static void first_left(const Deal *deal, uint8_t *left) {
    memset(left, 0, MAX_KEPT);
    for (int class = 0; class < deal->classes; class++) {
        int kept = deal->kept_of[0][class];
        left[kept] = (uint8_t)(left[kept] + deal->class_size[class]);
    }
}

/* Counts the deals; where that is too much, `counted` is 0 and `ways` is a guess that weights make good. */
static void deal_count(Deal *deal) {
    uint8_t left[MAX_KEPT];
    deal->counted = deal_plan(deal);
    deal->ways = -1;
    if (deal->counted) {
        first_left(deal, left);
        deal->ways = count_ways(deal, 0, 0, left);
    }
    if (deal->ways < 0) {
        deal->counted = 0;
        deal->ways = 1;
    }
}

/* --- drawing */

/* Puts every card into a place; `weight` is multiplied by what counting would have made 1. 0: it came to a dead end. */
static int deal_draw(Deal *deal, uint64_t *random, int16_t *cards, double *log_weight) {
    int16_t rest[MAX_CLASSES][MAX_CARDS];
    int sizes[MAX_CLASSES];
    int at = 0, next_card = 0;
    memcpy(cards, deal->pinned, (size_t)deal->places * sizeof *cards);
    for (int class = 0; class < deal->classes; class++) {
        sizes[class] = deal->class_size[class];
        memcpy(rest[class], deal->class_places + at, (size_t)sizes[class] * sizeof(int16_t));
        at += sizes[class];
    }
    for (int group = 0; group < deal->groups; group++) {
        int used = 0;
        for (int card = 0; card < deal->group_size[group]; card++) {
            double chances[MAX_CLASSES], total = 0;
            uint8_t left[MAX_KEPT];
            if (deal->counted) {
                memset(left, 0, sizeof left);
                for (int class = 0; class < deal->classes; class++)
                    left[deal->kept_of[group][class]] += (uint8_t)sizes[class];
            }
            double kept_chances[MAX_KEPT];
            for (int kept = 0; deal->counted && kept < deal->kept[group]; kept++) {
                kept_chances[kept] = 1;
                if (!(deal->kept_allowed[group] & (deal->kept_allowed[group] - 1))) continue; /* no choice */
                kept_chances[kept] = 0;
                if (!(deal->kept_allowed[group] >> kept & 1) || !left[kept]) continue;
                left[kept]--;
                kept_chances[kept] = count_ways(deal, group, card + 1, left);
                left[kept]++;
            }
            for (int class = 0; class < deal->classes; class++) {
                chances[class] = 0;
                if (!(deal->group_classes[group] >> class & 1) || !sizes[class]) continue;
                chances[class] = sizes[class] * (deal->counted ? kept_chances[deal->kept_of[group][class]] : 1);
                total += chances[class];
            }
            if (total <= 0) return 0;
            if (!deal->counted) *log_weight += log(total);
            double chosen = random_fraction(random) * total;
            int class = 0, last = 0;
            for (; class < deal->classes; class++) {
                if (chances[class] <= 0) continue;
                last = class;
                if (chosen < chances[class]) break;
                chosen -= chances[class];
            }
            class = class < deal->classes ? class : last;
            int n = (int)random_below(random, (uint32_t)sizes[class]);
            cards[rest[class][n]] = deal->group_cards[next_card + used++];
            rest[class][n] = rest[class][--sizes[class]];
        }
        next_card += used;
    }
    for (int class = 0; class < deal->classes; class++)
        if (sizes[class]) return 0;
    return 1;
}

/* Copies of a card are alike, but deals tell them apart: the logarithm of how many of these deals are the same one. */
static double log_same_deals(const Program *program, const Deal *deal, const int16_t *cards) {
    int16_t place_of[MAX_CARDS];
    double result = 0;
    memset(place_of, -1, sizeof place_of);
    for (int place = 0; place < deal->places; place++)
        if (cards[place] >= 0) place_of[cards[place]] = (int16_t)place;
    for (int first = 0, after; first < program->deck_size; first = after) {
        int copies[MAX_COPIES], count = 0;
        after = after_copies(program, first);
        for (int card = first; card < after && count < MAX_COPIES; card++)
            if (place_of[card] >= 0) copies[count++] = card;
        if (count < 2) continue;
        double ways[1 << MAX_COPIES]; /* by the set of places that the first copies have taken */
        memset(ways, 0, ((size_t)1 << count) * sizeof *ways);
        ways[0] = 1;
        for (int taken = 0; taken < (1 << count) - 1; taken++) {
            const uint32_t *batches = deal->batches[copies[__builtin_popcount((unsigned)taken)]];
            if (ways[taken] == 0) continue;
            for (int n = 0; n < count; n++) {
                int batch = deal->batch[place_of[copies[n]]];
                if (!(taken >> n & 1) && (batches[batch / 32] >> (batch % 32) & 1)) ways[taken | 1 << n] += ways[taken];
            }
        }
        if (ways[(1 << count) - 1] > 0) result += log(ways[(1 << count) - 1]);
    }
    return result;
}

/* --- checking: the deal is played beside the script of what the seat has seen */

typedef struct {
    const Program *program;
    const int32_t *script;
    size_t script_size;
    int32_t seat;
    int model, ending;
    int64_t work;         /* what may still be done, in events compared and rounds of loops */
    Decisions *decisions; /* to which the others' decisions since the shuffle of all cards go; NULL: not wanted */
    PyObject *texts;      /* a list to which all texts are added; NULL: not wanted */
} Replay;

/* The card that a number of the script means; NONE if it means none. */
static int32_t scripted_card(const Replay *replay, const Deal *deal, const int16_t *cards, int32_t value) {
    if (value <= FIRST_PICK) {
        int32_t pick = FIRST_PICK - value;
        if (value == UNSEEN || pick >= deal->picks) return NONE;
        value = deal->pick[pick] >= 0 ? cards[deal->pick[pick]] : -1 - deal->pick[pick];
    }
    return value < 0 || value >= replay->program->deck_size ? NONE : value;
}

/* Whether a card is one of those that moved unseen, by the deal. */
static int is_among(const Replay *replay, const Deal *deal, const int16_t *cards, const int32_t *values, int32_t count,
                    int32_t card) {
    for (int32_t n = 0; n < count; n++)
        if (scripted_card(replay, deal, cards, values[n]) == card) return 1;
    return 0;
}

/* Adds (node, values) of a published text. */
static int note_text(const Replay *replay, int32_t node, const int32_t *values, int32_t count) {
    PyObject *list = PyList_New(count);
    for (int32_t n = 0; list && n < count; n++) PyList_SET_ITEM(list, n, PyLong_FromLong(values[n]));
    PyObject *entry = list ? Py_BuildValue("iN", (int)node, list) : NULL;
    int failed = !entry || PyList_Append(replay->texts, entry) < 0;
    Py_XDECREF(entry);
    return failed ? -1 : 0;
}

/* Compares the events so far with the script and moves on in it; -1: error. */
static int agrees(const Replay *replay, const Events *events, const Deal *deal, const int16_t *cards, size_t *cursor) {
    for (size_t at = 0; at < events->used;) {
        const int32_t *event = events->data + at;
        int32_t kind = event[0], length = event[1], node = event[2];
        at += 3 + (size_t)length;
        if (*cursor >= replay->script_size) return 0;
        const int32_t *wanted = replay->script + *cursor;
        if (wanted[0] != kind) return 0;
        if (kind == EVENT_BRANCH && wanted[2] != node) return 0;
        if (kind == EVENT_PUBLISH) {
            if (replay->texts && note_text(replay, node, event + 3, length) < 0) return -1;
        } else {
            if (wanted[1] != length + (kind == EVENT_BRANCH)) return 0;
            for (int32_t n = 0; n < length; n++) {
                int32_t value = wanted[2 + n + (kind == EVENT_BRANCH)], told = event[3 + n];
                if (value == UNSEEN || (kind == EVENT_PICK && value <= FIRST_PICK))
                    continue; /* a pick is the deal's own */
                if (!is_card(kind, n)     ? !same_value(replay->program, value, told)
                    : value <= FIRST_PICK ? !is_among(replay, deal, cards, wanted + 4, length - 2, told)
                                          : !alike(replay->program, value, told))
                    return 0;
            }
        }
        *cursor += 2 + (size_t)wanted[1];
    }
    return 1;
}

/* The move that the script or the deal says; 0 if it cannot be made. */
static int scripted_move(const Replay *replay, Frame *frame, const Deal *deal, const int16_t *cards,
                         const int32_t *wanted, uint64_t *random, int *free_choice) {
    int32_t kind = wanted[0];
    *free_choice = 0;
    if (kind == EVENT_PASS) {
        frame->move = PASS;
        return (frame->header->kind == KIND_PLAY_OR_PASS || frame->header->kind == KIND_SET_OR_PASS) &&
               wanted[1] == 1 && wanted[2] == frame->header->mover;
    }
    if (kind == EVENT_CHOOSE) {
        if (frame->header->kind != KIND_CHOOSE || wanted[1] != 3 || wanted[2] != frame->header->mover) return 0;
        frame->move = wanted[4];
        if (wanted[4] == UNSEEN) {
            *free_choice = 1;
            frame->move = frame->values[random_below(random, (uint32_t)frame->value_count)];
        }
        for (int n = 0; n < frame->value_count; n++) {
            if (!same_value(replay->program, frame->move, frame->values[n])) continue;
            frame->move = frame->values[n];
            return 1;
        }
        return 0;
    }
    if (is_set_decision(frame->header)) {
        if ((kind != EVENT_PLAY && kind != EVENT_TAKE) || wanted[1] < 4 || wanted[2] != frame->header->mover) return 0;
        frame->move = offered_like(frame, wanted + 5, wanted[1] - 3);
        return frame->move != NONE;
    }
    if (frame->header->kind == KIND_CHOOSE || (kind == EVENT_PICK) != (frame->header->kind == KIND_PICK)) return 0;
    if ((kind != EVENT_PLAY && kind != EVENT_PICK) || wanted[1] != 4 || wanted[2] != frame->header->mover) return 0;
    int32_t card = scripted_card(replay, deal, cards, wanted[5]);
    frame->move = card == NONE ? NONE : legal_like(frame, card);
    return frame->move != NONE;
}

/* How many copies of a card there are in a zone. */
static int copies_in_zone(const Replay *replay, const Frame *frame, int32_t zone, int32_t card) {
    const Program *program = replay->program;
    uint64_t words[MAX_WORDS] = {0};
    if (zone < 0 || (uint32_t)zone >= program->zones) return 1;
    memcpy(words, frame->memory + program->sets_at + (size_t)zone * set_bytes(program), set_bytes(program));
    int count = 0;
    for (int32_t other = program->kinds[card], after = after_copies(program, card); other < after; other++)
        count += (int)(words[other / 64] >> (other % 64) & 1);
    return count > 0 ? count : 1;
}

/* The order that chance gives: the cards of the places, or a random one. 0: it is not an order of these cards. */
static int scripted_order(Frame *frame, const Deal *deal, const int16_t *cards, const int32_t *wanted,
                          uint64_t *random) {
    if (wanted[1] < 1) {
        for (int n = frame->order_size - 1; n > 0; n--) {
            int other = (int)random_below(random, (uint32_t)n + 1);
            uint8_t card = frame->order[n];
            frame->order[n] = frame->order[other];
            frame->order[other] = card;
        }
        return 1;
    }
    if (wanted[1] != frame->order_size) return 0;
    uint8_t there[MAX_CARDS] = {0};
    for (int n = 0; n < frame->order_size; n++) there[frame->order[n]] = 1;
    for (int n = 0; n < frame->order_size; n++) {
        int32_t place = wanted[2 + n];
        if (place < 0 || place >= deal->places) return 0;
        int card = cards[place];
        if (card < 0 || card >= MAX_CARDS || !there[card]) return 0;
        there[card] = 0;
        frame->order[n] = (uint8_t)card;
    }
    return 1;
}

/* Plays a deal. 1: it looks to the seat as the script says, and `state` is where it leads; 0: it does not; -1: error. */
static int replay_deal(Replay *replay, Frame *frame, Events *events, const Deal *deal, const int16_t *cards,
                       uint64_t *random, unsigned char *state, double *log_weight) {
    const Program *program = replay->program;
    size_t cursor = 0;
    int dealt = frame->header->status == NOT_STARTED; /* a base stands at a decision about the cards before */
    if (replay->ending == END_AT_SHUFFLE) memcpy(state, frame->memory + program->state_at, program->state_size);
    for (;;) {
        int64_t fuel = fuel_for(frame, replay->work);
        events->used = 0;
        int result = run_on(frame, 0);
        replay->work -= fuel - frame->fuel + (int64_t)events->used / 4 + 1;
        if (events->failed) return -1;
        if (replay->work <= 0) return 0;
        int fits = agrees(replay, events, deal, cards, &cursor);
        if (fits < 1) return fits;
        int finished = cursor >= replay->script_size;
        const int32_t *wanted = replay->script + cursor;
        if (result == RESULT_CHANCE) {
            if (finished) return replay->ending == END_AT_SHUFFLE && frame->ask == ASK_ORDER;
            if (frame->ask == ASK_NUMBER) {
                if (wanted[0] != SCRIPT_NUMBER) return 0;
                uint32_t choices = (uint32_t)wanted[1];
                int32_t number = choices ? wanted[2 + random_below(random, choices)]
                                         : (int32_t)random_below(random, (uint32_t)frame->number);
                if (number < 0 || number >= frame->number) return 0;
                frame->number = number;
            } else {
                if (wanted[0] != SCRIPT_ORDER || !scripted_order(frame, deal, cards, wanted, random)) return 0;
            }
            dealt |= frame->ask == ASK_ORDER;
            cursor += 2 + (size_t)wanted[1];
            frame->answered = 1;
            continue;
        }
        if (result != RESULT_DECISION && (result != RESULT_OVER || !finished)) return 0;
        if (finished) {
            if (replay->ending != END_AT_DECISION) return 0;
            memcpy(state, frame->memory + program->state_at, program->state_size);
            return 1;
        }
        int free_choice;
        if (replay->ending == END_AT_SHUFFLE) memcpy(state, frame->memory + program->state_at, program->state_size);
        if (!scripted_move(replay, frame, deal, cards, wanted, random, &free_choice)) return 0;
        /* Whichever copy the deal says was picked, it is the same pick. */
        if (replay->program->has_copies && wanted[0] == EVENT_PICK && wanted[5] <= FIRST_PICK)
            *log_weight -= log(copies_in_zone(replay, frame, wanted[3], frame->move));
        if (frame->header->mover != replay->seat) {
            double choices = legal_count(frame);
            if (replay->decisions && dealt && decisions_add(replay->decisions, frame) < 0) return -1;
            if (free_choice != (replay->model == MODEL_UNIFORM))
                *log_weight += replay->model == MODEL_UNIFORM ? -log(choices) : log(choices);
        }
        frame->has_move = 1;
    }
}

/* --- from Python */

typedef struct {
    const int32_t *data;
    size_t size, at;
} Numbers;

static int take(Numbers *numbers, int32_t low, int32_t high, int32_t *value) {
    if (numbers->at >= numbers->size) return -1;
    *value = numbers->data[numbers->at++];
    return *value < low || *value > high ? -1 : 0;
}

#define TAKE(field, low, high)                                    \
    do {                                                          \
        int32_t value_;                                           \
        if (take(numbers, (low), (high), &value_) < 0) return -1; \
        field = (__typeof__(field))value_;                        \
    } while (0)

static int deal_read(Deal *deal, Numbers *numbers, int32_t deck_size) {
    int used = 0, cards = 0;
    uint32_t words[2];
    TAKE(deal->places, 0, MAX_PLACES);
    for (int n = 0; n < deal->places; n++) TAKE(deal->pinned[n], NONE, deck_size - 1);
    TAKE(deal->classes, 0, MAX_CLASSES);
    for (int class = 0; class < deal->classes; class++) {
        TAKE(deal->class_size[class], 0, MAX_CARDS);
        if (used + deal->class_size[class] > MAX_CARDS) return -1;
        for (int n = 0; n < deal->class_size[class]; n++) TAKE(deal->class_places[used++], 0, deal->places - 1);
    }
    TAKE(deal->groups, 0, MAX_GROUPS);
    for (int group = 0; group < deal->groups; group++) {
        TAKE(words[0], INT32_MIN, INT32_MAX);
        TAKE(words[1], INT32_MIN, INT32_MAX);
        deal->group_classes[group] = words[0] | (uint64_t)words[1] << 32;
        if (deal->classes < 64 && deal->group_classes[group] >> deal->classes) return -1;
        TAKE(deal->group_size[group], 0, MAX_CARDS);
        if (cards + deal->group_size[group] > MAX_CARDS) return -1;
        for (int n = 0; n < deal->group_size[group]; n++) TAKE(deal->group_cards[cards++], 0, deck_size - 1);
    }
    TAKE(deal->picks, 0, MAX_PICKS);
    for (int n = 0; n < deal->picks; n++) TAKE(deal->pick[n], -deck_size, deal->places - 1);
    TAKE(deal->has_copies, 0, 1);
    for (int n = 0; deal->has_copies && n < deal->places; n++) TAKE(deal->batch[n], 0, MAX_BATCHES - 1);
    for (int card = 0; deal->has_copies && card < deck_size; card++)
        for (int word = 0; word < 4; word++) TAKE(deal->batches[card][word], INT32_MIN, INT32_MAX);
    if (cards != used) deal->classes = -1; /* the cards do not fill the places: no deal */
    return 0;
}

/* What Program.worlds is asked for. */
typedef struct {
    Py_buffer bases, script, factors, deals;
    int seat, model, ending, tracing, texts;
    unsigned long long count, attempts, seed;
    long long work; /* in events compared and rounds of loops */
    double seconds;
} WorldsRequest;

static void request_release(WorldsRequest *request) {
    PyBuffer_Release(&request->bases);
    PyBuffer_Release(&request->script);
    PyBuffer_Release(&request->factors);
    PyBuffer_Release(&request->deals);
}

/* The worlds that are drawn, and what they are drawn with. */
typedef struct {
    const Program *program;
    Replay replay;
    Patience patience;
    Frame frame;
    Events events;
    Deal *deals;
    size_t deal_count, entries_left;
    const unsigned char *bases;
    size_t base_count;
    double *shares; /* by deal: the sum of the deals up to it, by counting */
    double *ways;   /* by deal: by counting, -1 if that is too much */
    unsigned char *states;
    double *weights; /* logarithms */
    unsigned long long found, tried;
    Decisions decisions;
    PyObject *texts; /* by world; NULL: not wanted */
} Drawing;

static int drawing_open(Drawing *drawing, const WorldsRequest *request) {
    const Program *program = drawing->program;
    const size_t size = program->state_size;
    Numbers numbers = {request->deals.buf, (size_t)request->deals.len / sizeof(int32_t), 0};
    drawing->deal_count = (size_t)request->factors.len / sizeof(double);
    drawing->entries_left = TABLES_LIMIT;
    drawing->bases = request->bases.buf;
    drawing->base_count = (size_t)request->bases.len / size;
    drawing->replay = (Replay){.program = program,
                               .script = request->script.buf,
                               .script_size = (size_t)request->script.len / sizeof(int32_t),
                               .seat = request->seat,
                               .model = request->model,
                               .ending = request->ending,
                               .work = request->work};
    if (drawing->deal_count < 1 || drawing->deal_count > 65536 || request->count > 1u << 24 ||
        drawing->base_count > 65536 || (size_t)request->bases.len % size ||
        !script_is_valid(drawing->replay.script, drawing->replay.script_size)) {
        PyErr_SetString(PyExc_ValueError, "bad arguments");
        return -1;
    }
    for (size_t n = 0; n < drawing->base_count; n++) {
        if (state_is_valid(program, drawing->bases + n * size, size)) continue;
        PyErr_SetString(PyExc_ValueError, "this is not a state of this game");
        return -1;
    }
    drawing->deals = calloc(drawing->deal_count, sizeof *drawing->deals);
    drawing->shares = malloc(drawing->deal_count * sizeof *drawing->shares);
    drawing->ways = malloc(drawing->deal_count * sizeof *drawing->ways);
    drawing->states = malloc((size_t)request->count * size + 1);
    drawing->weights = malloc(((size_t)request->count + 1) * sizeof *drawing->weights);
    if (request->tracing) drawing->replay.decisions = &drawing->decisions;
    if (request->texts) drawing->texts = PyList_New(0);
    if (!drawing->deals || !drawing->shares || !drawing->ways || !drawing->states || !drawing->weights ||
        (request->texts && !drawing->texts) || frame_open(&drawing->frame, program) < 0) {
        PyErr_NoMemory();
        return -1;
    }
    drawing->frame.events = &drawing->events;
    drawing->frame.stop = patience_stop;
    drawing->frame.stopper = &drawing->patience;
    for (size_t n = 0; n < drawing->deal_count; n++) {
        if (deal_read(&drawing->deals[n], &numbers, program->deck_size) < 0) {
            PyErr_SetString(PyExc_ValueError, "bad deals");
            return -1;
        }
        drawing->deals[n].factor = ((const double *)request->factors.buf)[n];
        drawing->deals[n].entries_left = &drawing->entries_left;
        drawing->deals[n].patience = &drawing->patience;
    }
    return 0;
}

static void drawing_close(Drawing *drawing) {
    for (size_t n = 0; drawing->deals && n < drawing->deal_count; n++) free(drawing->deals[n].entries);
    free(drawing->deals);
    free(drawing->shares);
    free(drawing->ways);
    free(drawing->states);
    free(drawing->weights);
    free(drawing->events.data);
    frame_close(&drawing->frame);
    decisions_free(&drawing->decisions);
    Py_XDECREF(drawing->texts);
}

/* Counts the deals of every path; returns how many there are in all. */
static double count_deals(Drawing *drawing) {
    double total = 0;
    for (size_t n = 0; n < drawing->deal_count; n++) {
        Deal *deal = &drawing->deals[n];
        if (deal->classes < 0) {
            deal->ways = 0;
            deal->counted = 1;
        } else {
            deal_count(deal);
        }
        total += deal->factor * deal->ways;
        drawing->shares[n] = total;
        drawing->ways[n] = deal->counted ? deal->ways : -1;
    }
    return total;
}

/* A deal by how many there are like it. */
static Deal *chosen_deal(const Drawing *drawing, double total, uint64_t *random) {
    double chosen = random_fraction(random) * total;
    size_t n = 0;
    while (n + 1 < drawing->deal_count && (drawing->shares[n] <= chosen || drawing->deals[n].ways <= 0)) n++;
    return &drawing->deals[n];
}

/* Tries one deal; -1 with a Python error or without memory. */
static int draw_world(Drawing *drawing, double total, uint64_t *random) {
    const Program *program = drawing->program;
    Frame *frame = &drawing->frame;
    double log_weight = 0;
    Deal *deal = chosen_deal(drawing, total, random);
    int16_t cards[MAX_PLACES];
    if (deal->classes < 0 || !deal_draw(deal, random, cards, &log_weight)) return 0;
    if (drawing->base_count) {
        size_t base = drawing->base_count > 1 ? random_below(random, (uint32_t)drawing->base_count) : 0;
        frame_load(frame, drawing->bases + base * program->state_size);
    } else {
        frame_reset(frame);
        frame->has_move = frame->answered = 0;
    }
    PyObject *texts = drawing->texts;
    if (texts) {
        drawing->replay.texts = PyList_New(0);
        int failed = !drawing->replay.texts || PyList_Append(texts, drawing->replay.texts) < 0;
        Py_XDECREF(drawing->replay.texts);
        if (failed) return -1;
    }
    int fits = replay_deal(&drawing->replay, frame, &drawing->events, deal, cards, random,
                           drawing->states + drawing->found * program->state_size, &log_weight);
    if (fits < 0) return -1;
    if (fits == 0 || drawing->patience.stopped) {
        decisions_drop(&drawing->decisions);
        return texts ? PyList_SetSlice(texts, PyList_GET_SIZE(texts) - 1, PyList_GET_SIZE(texts), NULL) : 0;
    }
    if (drawing->replay.decisions && decisions_keep(&drawing->decisions) < 0) return -1;
    if (deal->has_copies) log_weight -= log_same_deals(program, deal, cards);
    drawing->weights[drawing->found++] = log_weight;
    return 0;
}

static int draw_all(Drawing *drawing, const WorldsRequest *request) {
    int failed = 0;
    patience_begin(&drawing->patience, request->seconds, NULL, drawing->texts ? HOLD_GIL : RELEASE_GIL);
    double total = count_deals(drawing);
    uint64_t random = mixed_seed(request->seed, 0);
    for (; total > 0 && drawing->found < request->count && drawing->tried < request->attempts && !failed;
         drawing->tried++) {
        if (drawing->replay.work <= 0 || decisions_are_full(&drawing->decisions, drawing->program)) break;
        if (drawing->tried % DRAWS_PER_LOOK == DRAWS_PER_LOOK - 1 && patience_is_over(&drawing->patience)) break;
        drawing->replay.work -= WORK_OF_A_DRAW;
        failed = draw_world(drawing, total, &random) < 0;
    }
    if (patience_end(&drawing->patience) < 0) return -1;
    if (failed && !PyErr_Occurred()) PyErr_NoMemory();
    return failed ? -1 : 0;
}

const char worlds_doc[] =
    "worlds(*, bases, script, factors, deals, seat, model, ending, count, attempts, work, seconds, seed, tracing, texts)\n"
    "--\n\n"
    "Draws worlds. bases: states from which the script is played, one of them for each world (none: from the\n"
    "start). script: what the seat has seen (int32). factors, deals: the ways hidden movements can have gone\n"
    "(float64, int32). Ends after so many attempts, work (events compared, rounds of loops) or seconds (0: no limit)\n"
    "with the worlds that were found. Returns (states, log weights as bytes, attempts made, numbers of deals as bytes\n"
    "(-1 where they were not counted), the others' decisions (positions, moves, numbers of legal moves, numbers of\n"
    "decisions by world, as bytes) if there is to be tracing, all texts by world if they are wanted).";
PyObject *draw_worlds_of_program(PyObject *self, PyObject *args, PyObject *keywords) {
    static char *names[] = {"bases",    "script", "factors", "deals", "seat",    "model", "ending", "count",
                            "attempts", "work",   "seconds", "seed",  "tracing", "texts", NULL};
    WorldsRequest request = {.seconds = 0};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "$y*y*y*y*iiiKKLdKpp", names, &request.bases, &request.script,
                                     &request.factors, &request.deals, &request.seat, &request.model, &request.ending,
                                     &request.count, &request.attempts, &request.work, &request.seconds, &request.seed,
                                     &request.tracing, &request.texts))
        return NULL;
    PyObject *result = NULL, *states = NULL, *decisions = NULL;
    Drawing drawing = {.program = &((ProgramObject *)self)->program};
    if (drawing_open(&drawing, &request) == 0 && draw_all(&drawing, &request) == 0)
        states = state_tuple(drawing.program, drawing.states, (size_t)drawing.found);
    if (states) decisions = request.tracing ? decisions_tuple(&drawing.decisions, drawing.program) : Py_NewRef(Py_None);
    if (decisions)
        result = Py_BuildValue("Oy#Ky#OO", states, (const char *)drawing.weights,
                               (Py_ssize_t)(drawing.found * sizeof(double)), drawing.tried, (const char *)drawing.ways,
                               (Py_ssize_t)(drawing.deal_count * sizeof(double)), decisions,
                               drawing.texts ? drawing.texts : Py_None);
    Py_XDECREF(states);
    Py_XDECREF(decisions);
    drawing_close(&drawing);
    request_release(&request);
    return result;
}

/* --- deals that are not checked, but keep what is known of several cards together */

enum { MENDING_STEPS = 2000 };

/* So many of some cards, at least and at most, lie in some places. */
typedef struct {
    int low, high;
    int count; /* how many do now */
    uint64_t cards[MAX_CARDS / 64], places[MAX_PLACES / 64];
} Limit;

typedef struct {
    Limit *limits;
    int count;
} Limits;

static int has_bit(const uint64_t *words, int n) { return (int)(words[n / 64] >> (n % 64) & 1); }

static int limits_read(Limits *limits, Numbers *numbers, const Deal *deal, int32_t deck_size) {
    TAKE(limits->count, 0, MAX_LIMITS);
    limits->limits = calloc((size_t)limits->count + 1, sizeof *limits->limits);
    if (!limits->limits) return -1;
    for (int n = 0; n < limits->count; n++) {
        Limit *limit = &limits->limits[n];
        int size, card, place;
        TAKE(limit->low, 0, MAX_CARDS);
        TAKE(limit->high, -MAX_CARDS, MAX_CARDS);
        TAKE(size, 0, MAX_CARDS);
        for (; size > 0; size--) {
            TAKE(card, 0, deck_size - 1);
            limit->cards[card / 64] |= UINT64_C(1) << (card % 64);
        }
        TAKE(size, 0, MAX_PLACES);
        for (; size > 0; size--) {
            TAKE(place, 0, deal->places - 1);
            limit->places[place / 64] |= UINT64_C(1) << (place % 64);
        }
    }
    return 0;
}

static int excess(const Limit *limit, int count) {
    return count < limit->low ? limit->low - count : count > limit->high ? count - limit->high : 0;
}

/* How many more a limit has when the cards of two places change. */
static int shift_of(const Limit *limit, const int16_t *cards, int first, int second) {
    return (has_bit(limit->cards, cards[first]) - has_bit(limit->cards, cards[second])) *
           (has_bit(limit->places, second) - has_bit(limit->places, first));
}

/* A random one of `count` places whose card is (not) one of a limit's and which is (not) one of its places; -1: none. */
static int place_for(const Limit *limit, const int16_t *cards, const int16_t *places, int count, int card, int inside,
                     uint64_t *random) {
    int chosen = -1;
    uint32_t found = 0;
    for (int n = 0; n < count; n++)
        if (has_bit(limit->cards, cards[places[n]]) == card && has_bit(limit->places, places[n]) == inside &&
            random_below(random, ++found) == 0)
            chosen = places[n];
    return chosen;
}

/* Exchanges cards of a deal until the limits hold, or for so many steps; then goes on for a while where they stay so. */
static void keep_limits(const Deal *deal, Limits *limits, int16_t *cards, uint64_t *random) {
    uint64_t allowed[MAX_CARDS] = {0};
    uint8_t class_of[MAX_PLACES] = {0};
    int count = 0, next_card = 0, total = 0;
    for (int class = 0; class < deal->classes; class++)
        for (int n = 0; n < deal->class_size[class]; n++) class_of[deal->class_places[count++]] = (uint8_t)class;
    for (int group = 0; group < deal->groups; group++)
        for (int n = 0; n < deal->group_size[group]; n++)
            allowed[deal->group_cards[next_card++]] = deal->group_classes[group];
    for (int n = 0; n < limits->count; n++) {
        Limit *limit = &limits->limits[n];
        limit->count = 0;
        for (int place = 0; place < deal->places; place++)
            if (cards[place] >= 0) limit->count += has_bit(limit->cards, cards[place]) & has_bit(limit->places, place);
        total += excess(limit, limit->count);
    }
    if (count < 2) return;
    for (int step = 0, rest = 2 * count; step < MENDING_STEPS && rest > 0; step++) {
        int first = -1, second = -1, worse = 0;
        if (total > 0) {
            const Limit *broken = NULL;
            uint32_t found = 0;
            for (int n = 0; n < limits->count; n++)
                if (excess(&limits->limits[n], limits->limits[n].count) && random_below(random, ++found) == 0)
                    broken = &limits->limits[n];
            if (!broken) return;
            int missing = broken->count < broken->low;
            first = place_for(broken, cards, deal->class_places, count, 1, !missing, random);
            second = place_for(broken, cards, deal->class_places, count, 0, missing, random);
        } else {
            rest--;
            first = deal->class_places[random_below(random, (uint32_t)count)];
            second = deal->class_places[random_below(random, (uint32_t)count)];
        }
        if (first < 0 || second < 0 || first == second || !(allowed[cards[first]] >> class_of[second] & 1) ||
            !(allowed[cards[second]] >> class_of[first] & 1))
            continue;
        for (int n = 0; n < limits->count; n++) {
            const Limit *limit = &limits->limits[n];
            worse += excess(limit, limit->count + shift_of(limit, cards, first, second)) - excess(limit, limit->count);
        }
        if (worse > 0 && (total == 0 || random_below(random, 50) > 0)) continue;
        for (int n = 0; n < limits->count; n++)
            limits->limits[n].count += shift_of(&limits->limits[n], cards, first, second);
        total += worse;
        int16_t card = cards[first];
        cards[first] = cards[second];
        cards[second] = card;
    }
}

const char orders_doc[] =
    "orders(*, factors, deals, limits, count, seconds, seed)\n--\n\n"
    "Orders of all cards (int32), drawn as `worlds` draws deals, but not played: cards by place. limits: by deal how many\n"
    "there are, and for each: at least, at most, how many cards, which, how many places, which (int32). Fewer than count,\n"
    "or none, if no deal is possible or the time is over.";
PyObject *draw_orders_of_program(PyObject *self, PyObject *args, PyObject *keywords) {
    static char *names[] = {"factors", "deals", "limits", "count", "seconds", "seed", NULL};
    WorldsRequest request = {.seconds = 0};
    Py_buffer limit_buffer;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "$y*y*y*KdK", names, &request.factors, &request.deals,
                                     &limit_buffer, &request.count, &request.seconds, &request.seed))
        return NULL;
    PyObject *result = NULL;
    const Program *program = &((ProgramObject *)self)->program;
    Drawing drawing = {.program = program};
    Numbers numbers = {limit_buffer.buf, (size_t)limit_buffer.len / sizeof(int32_t), 0};
    Limits *limits = NULL;
    int32_t *orders = NULL;
    size_t found = 0, cards = (size_t)program->cards_in_play;
    if (drawing_open(&drawing, &request) < 0) goto done;
    orders = malloc((size_t)request.count * cards * sizeof *orders + 1);
    limits = calloc(drawing.deal_count, sizeof *limits);
    if (!orders || !limits) {
        PyErr_NoMemory();
        goto done;
    }
    for (size_t n = 0; n < drawing.deal_count; n++) {
        if (limits_read(&limits[n], &numbers, &drawing.deals[n], program->deck_size) == 0) continue;
        PyErr_SetString(PyExc_ValueError, "bad limits");
        goto done;
    }
    patience_begin(&drawing.patience, request.seconds, NULL, RELEASE_GIL);
    double total = count_deals(&drawing);
    uint64_t random = mixed_seed(request.seed, 0);
    for (size_t tried = 0; total > 0 && found < request.count && tried < 4 * request.count; tried++) {
        int16_t places[MAX_PLACES];
        double log_weight = 0;
        if (patience_is_over(&drawing.patience)) break;
        Deal *deal = chosen_deal(&drawing, total, &random);
        if (deal->classes < 0 || (size_t)deal->places < cards) continue;
        if (!deal_draw(deal, &random, places, &log_weight)) continue;
        keep_limits(deal, &limits[deal - drawing.deals], places, &random);
        for (size_t n = 0; n < cards; n++) orders[found * cards + n] = places[n];
        found++;
    }
    if (patience_end(&drawing.patience) < 0) goto done;
    result = PyBytes_FromStringAndSize((const char *)orders, (Py_ssize_t)(found * cards * sizeof *orders));
done:
    for (size_t n = 0; limits && n < drawing.deal_count; n++) free(limits[n].limits);
    free(limits);
    free(orders);
    drawing_close(&drawing);
    PyBuffer_Release(&request.factors);
    PyBuffer_Release(&request.deals);
    PyBuffer_Release(&limit_buffer);
    return result;
}
