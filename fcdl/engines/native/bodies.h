/* What each instruction does, one macro for each: DO_NAME(a, b, c, d, e, f) with the operands that opcodes.py says.

   They are written once and used twice: by the interpreter (run.h), where operands are fields of the instruction, and by
   code made for one program (compiled.h), where they are constants that the C compiler folds. So that a body means the
   same in both, it uses only:

     V(a), M(a)          the int slot or card set of an operand of kind s, p, d or S, D; nothing else reads v[] and m[] by
                         an operand. v[ZONE(a, b)] and m[ZONE(a, b)]: by an operand of kind B or Z and its place p
     ENTRY, SET_ENTRY    a table (T, C or M) at a value
     program->...        facts of the program; in compiled code a constant, so helpers get `program`, never `frame->program`
     EVENTS              where to tell what happens, or NULL; in compiled code always NULL
     NEXT, GO(target), GO_IF(condition, target), GO_BACK(address), LEAVE(result), MOVED
     goto fault, chance, decision, illegal, no_legal_move, out_of_fuel, end, choose_card (stops.h)
     and the locals: v, m, next, back, tables, entries, set_tables, set_entries, players, places, deck_size, frame, mode, and
     those of LOCALS_OF_A_RUN. Nothing else lives from one instruction to the next: a run may stop at any instruction of
     the groups "moving cards" and "decisions" of opcodes.py (and RANDOM and PAUSE), and go on there later. */

#ifndef FCDL_BODIES_H
#define FCDL_BODIES_H

#include <string.h>

#include "arithmetic.h"
#include "interpreter.h"
#include "melds.h"
#include "random.h"

/* --- what they share */

/* Sets of 256 cards: the words of a vector. They never leave the file that includes this, however they are passed. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif
typedef uint64_t Set256 __attribute__((vector_size(32), aligned(16)));

/* The values of a choice. One that is above all others is new: there is no need to look. */
static inline int is_offered(const Frame *frame, int32_t value) {
    for (int n = 0; n < frame->value_count; n++)
        if (frame->values[n] == value) return 1;
    return 0;
}

static inline void offer_value(Frame *frame, int32_t value) {
    const int above = frame->value_count == 0 || value > frame->highest_value;
    if (frame->value_count >= MAX_VALUES || (!above && is_offered(frame, value))) return;
    frame->values[frame->value_count++] = value;
    if (above) frame->highest_value = value;
}

static inline void offer_range(Frame *frame, int64_t low, int64_t high) {
    if (high > low + MAX_RANGE - 1) high = low + MAX_RANGE - 1;
    for (; low <= high && frame->value_count < MAX_VALUES; low++) offer_value(frame, (int32_t)low);
}

/* The locals of a run that do not depend on who runs it. */
#define LOCALS_OF_A_RUN                                                                             \
    Header *const header = frame->header;                                                           \
    int32_t loop_left = header->loop_left, loop_start = loop_left, steps_left = header->steps_left; \
    int32_t moves = header->moves;                                                                  \
    const int playing_fast = (mode & RANDOM_MOVES) && !EVENTS && !program->has_copies;              \
    uint64_t random = frame->random;                                                                \
    int32_t mover = NONE; /* who decides */                                                         \
    uint32_t from, to;                                                                              \
    SET candidates;                                                                                 \
    int kind, card, result, is_taken, chosen

#define NODE program->node_of[AT]
#define ENTRY(table, value) (entries[table_place(&tables[table], value)])
/* A table with an entry for every card needs no clamping. */
#define CARD_ENTRY(table, card) (entries[tables[table].first + (uint32_t)((card) + 1)])
#define CARD_TABLE(table) (entries + tables[table].first + 1)
#define SET_ENTRY(table, value) (set_entries[table_place(&set_tables[table], value)])
#define IS_PLAYER(slot) ((uint32_t)V(slot) < players)
/* Whether there is a place with this number, of the zone or variable that an operand Z or B says. */
#define IS_PLACE(slot) ((uint32_t)V(slot) < places)
#define ZONE(base, slot) ((base) + (uint32_t)V(slot))
#define CARD_OR_NONE(link) ((link) < deck_size ? (int32_t)(link) : NONE)
#define TOP_OF(zone) CARD_OR_NONE(next[deck_size + (int)(zone)])
#define BOTTOM_OF(zone) CARD_OR_NONE(back[deck_size + (int)(zone)])
#define TOP_AT(base, slot) (IS_PLACE(slot) ? TOP_OF(ZONE(base, slot)) : NONE)
#define CARDS_AT(base, slot) (IS_PLACE(slot) ? m[ZONE(base, slot)] : (SET){0})
#define BURN_FUEL \
    if (--frame->fuel < frame->look && !frame_goes_on(frame)) goto out_of_fuel
/* Puts cards in an order that chance says. */
#define SHUFFLED(count, cards)                            \
    do {                                                  \
        if (mode & RANDOM_CHANCE) {                       \
            NAME(shuffle)(&random, count, cards);         \
        } else if (frame->answered) {                     \
            frame->answered = 0;                          \
            memcpy(cards, frame->order, (size_t)(count)); \
        } else {                                          \
            frame->ask = ASK_ORDER;                       \
            frame->order_size = (count);                  \
            memcpy(frame->order, cards, (size_t)(count)); \
            goto chance;                                  \
        }                                                 \
    } while (0)
#define TELL_SHUFFLE(zone, count)                     \
    do {                                              \
        if (EVENTS) {                                 \
            event_begin(EVENTS, EVENT_SHUFFLE, NODE); \
            event_add(EVENTS, zone);                  \
            event_add(EVENTS, count);                 \
        }                                             \
    } while (0)
#define LEAVE(what)    \
    do {               \
        result = what; \
        goto leave;    \
    } while (0)
/* A decision was made: the count of nodes without one starts again. */
#define MOVED                                                                       \
    do {                                                                            \
        moves++;                                                                    \
        steps_left -= loop_start - loop_left;                                       \
        loop_start = loop_left = steps_left < LOOP_LIMIT ? steps_left : LOOP_LIMIT; \
        PATH_BEGINS;                                                                \
        NEXT;                                                                       \
    } while (0)
/* A random card of the candidates is played, with nobody watching. The zones are those of a player, or of nobody; the
   zones of all players are ordered, or none. */
#define PLAY_FAST(source, target)                                                                                  \
    do {                                                                                                           \
        if (NAME(is_empty)(candidates)) goto no_legal_move;                                                        \
        card = NAME(nth_card)(candidates, (int)random_below(&random, (uint32_t)NAME(set_size)(candidates)));       \
        NAME(move_between)(deck_size, m, next, back, from, program->ordered[source], to, program->ordered[target], \
                           card);                                                                                  \
        MOVED;                                                                                                     \
    } while (0)
#define CARD_DECISION(a, b, c, d, e, f)                \
    do {                                               \
        if (!IS_PLAYER(a) || !IS_PLACE(f)) goto fault; \
        from = (c);                                    \
        candidates = (SET){0};                         \
        if (IS_PLACE(d)) {                             \
            from = ZONE(c, d);                         \
            candidates = m[from] & M(b);               \
        }                                              \
        to = ZONE(e, f);                               \
        goto choose_card;                              \
    } while (0)

/* --- numbers */

#define DO_COPY(a, b, c, d, e, f) V(a) = V(b)
#define DO_ADD(a, b, c, d, e, f) V(a) = saturated_sum(V(b), V(c))
#define DO_SUB(a, b, c, d, e, f) V(a) = saturated_difference(V(b), V(c))
#define DO_MUL(a, b, c, d, e, f) V(a) = saturated((int64_t)V(b) * V(c))
#define DO_DIV(a, b, c, d, e, f) V(a) = floor_divide(V(b), V(c))
#define DO_MOD(a, b, c, d, e, f) V(a) = floor_modulo(V(b), V(c))
#define DO_MIN(a, b, c, d, e, f) V(a) = V(b) < V(c) ? V(b) : V(c)
#define DO_MAX(a, b, c, d, e, f) V(a) = V(b) > V(c) ? V(b) : V(c)
#define DO_NEG(a, b, c, d, e, f) V(a) = saturated(-(int64_t)V(b))
#define DO_ABS(a, b, c, d, e, f) V(a) = V(b) < 0 ? saturated(-(int64_t)V(b)) : V(b)
#define DO_EQ(a, b, c, d, e, f) V(a) = V(b) == V(c)
#define DO_NE(a, b, c, d, e, f) V(a) = V(b) != V(c)
#define DO_LT(a, b, c, d, e, f) V(a) = V(b) < V(c)
#define DO_LE(a, b, c, d, e, f) V(a) = V(b) <= V(c)
#define DO_AND(a, b, c, d, e, f) V(a) = V(b) & V(c)
#define DO_OR(a, b, c, d, e, f) V(a) = V(b) | V(c)
#define DO_NOT(a, b, c, d, e, f) V(a) = !V(b)
#define DO_TABLE(a, b, c, d, e, f) V(a) = ENTRY(b, V(c))
#define DO_LOADP(a, b, c, d, e, f) V(a) = IS_PLACE(c) ? v[ZONE(b, c)] : V(d)
#define DO_STOREP(a, b, c, d, e, f)   \
    do {                              \
        if (!IS_PLACE(b)) goto fault; \
        v[ZONE(a, b)] = V(c);         \
    } while (0)
#define DO_ADDP(a, b, c, d, e, f)                           \
    do {                                                    \
        if (!IS_PLACE(b)) goto fault;                       \
        v[ZONE(a, b)] = saturated_sum(v[ZONE(a, b)], V(c)); \
    } while (0)
#define DO_RANDOM(a, b, c, d, e, f)                                \
    do {                                                           \
        if (V(b) < 2) {                                            \
            V(a) = 0;                                              \
        } else if (mode & RANDOM_CHANCE) {                         \
            V(a) = (int32_t)random_below(&random, (uint32_t)V(b)); \
        } else if (frame->answered) {                              \
            frame->answered = 0;                                   \
            V(a) = frame->number;                                  \
        } else {                                                   \
            frame->ask = ASK_NUMBER;                               \
            frame->number = V(b);                                  \
            goto chance;                                           \
        }                                                          \
    } while (0)

/* --- numbers and cards from card sets */

#define DO_COUNT(a, b, c, d, e, f) V(a) = NAME(set_size)(M(b))
#define DO_COUNTBOTH(a, b, c, d, e, f) V(a) = NAME(set_size)(M(b) & M(c))
#define DO_SUMBY(a, b, c, d, e, f) V(a) = NAME(sum_of_cards)(M(b), CARD_TABLE(c))
#define DO_WEIGH(a, b, c, d, e, f) V(a) = saturated(V(a) + (int64_t)V(d) * NAME(set_size)(M(b) & M(c)))
#define DO_MEMBER(a, b, c, d, e, f) V(a) = (uint32_t)V(b) < (uint32_t)deck_size && NAME(has_card)(M(c), V(b))
#define DO_FIRST(a, b, c, d, e, f) V(a) = NAME(is_empty)(M(b)) ? NONE : NAME(first_card)(M(b))
#define DO_AT(a, b, c, d, e, f) V(a) = IS_PLACE(c) ? NAME(card_at)(program, next, ZONE(b, c), V(d)) : NONE
#define DO_POSITION(a, b, c, d, e, f) V(a) = IS_PLACE(d) ? NAME(position_of)(program, next, ZONE(c, d), V(b)) : 0
#define DO_MAXBY(a, b, c, d, e, f) V(a) = NAME(best_card)(M(b), CARD_TABLE(c), 1)
#define DO_MINBY(a, b, c, d, e, f) V(a) = NAME(best_card)(M(b), CARD_TABLE(c), 0)
#define DO_TOP(a, b, c, d, e, f) V(a) = TOP_AT(b, c)
#define DO_BOTTOM(a, b, c, d, e, f) V(a) = IS_PLACE(c) ? BOTTOM_OF(ZONE(b, c)) : NONE
#define DO_TOPTABLE(a, b, c, d, e, f) V(a) = CARD_ENTRY(b, TOP_AT(c, d))
#define DO_SUMTOPS(a, b, c, d, e, f)                                                              \
    do {                                                                                          \
        int64_t sum = 0;                                                                          \
        for (uint32_t seat = 0; seat < players; seat++) sum += CARD_ENTRY(b, TOP_OF((c) + seat)); \
        V(a) = saturated(sum);                                                                    \
    } while (0)

/* --- melds */

#define DO_ALIKE(a, b, c, d, e, f) \
    V(a) = !NAME(is_empty)(M(b)) && NAME(is_empty)(M(b) & ~set_entries[set_tables[c].first + NAME(first_card)(M(b))])
#define DO_SEQUENCE(a, b, c, d, e, f) V(a) = NAME(are_in_sequence)(M(b), CARD_TABLE(c))
#define DO_LONGEST(a, b, c, d, e, f)                          \
    do {                                                      \
        uint8_t cards[MAX_CARDS];                             \
        int count = NAME(list_set)(M(b), cards);              \
        V(a) = longest_sequence(cards, count, CARD_TABLE(c)); \
    } while (0)
#define DO_LONGESTRUN(a, b, c, d, e, f)                                 \
    do {                                                                \
        uint8_t cards[MAX_CARDS];                                       \
        int count = NAME(list_set)(M(b), cards);                        \
        V(a) = longest_run(cards, count, CARD_TABLE(c), CARD_TABLE(d)); \
    } while (0)
#define DO_POKER(a, b, c, d, e, f)                                         \
    do {                                                                   \
        uint8_t cards[MAX_CARDS];                                          \
        int count = NAME(list_set)(M(b), cards);                           \
        V(a) = poker_value(cards, count, CARD_TABLE(c), CARD_TABLE(d), e); \
    } while (0)
#define DO_DEADWOOD(a, b, c, d, e, f)                                                                  \
    do {                                                                                               \
        uint8_t cards[MAX_CARDS], melded[MAX_CARDS];                                                   \
        int count = NAME(list_set)(M(b), cards);                                                       \
        V(a) = least_deadwood(cards, count, V(c), CARD_TABLE(d), CARD_TABLE(e), melded, &frame->fuel); \
    } while (0)
#define DO_MELDS(a, b, c, d, e, f)                                                              \
    do {                                                                                        \
        uint8_t cards[MAX_CARDS], melded[MAX_CARDS];                                            \
        int count = NAME(list_set)(M(b), cards);                                                \
        least_deadwood(cards, count, V(c), CARD_TABLE(d), CARD_TABLE(e), melded, &frame->fuel); \
        SET found = {0};                                                                        \
        for (int n = 0; n < count; n++)                                                         \
            if (melded[n]) found |= NAME(card_set)(cards[n]);                                   \
        M(a) = found;                                                                           \
    } while (0)

/* --- card sets */

#define DO_MCOPY(a, b, c, d, e, f) M(a) = M(b)
#define DO_MENDS(a, b, c, d, e, f) \
    M(a) = IS_PLACE(c) ? NAME(end_cards)(program, (e) ? back : next, ZONE(b, c), V(d)) : (SET){0}
#define DO_MZONE(a, b, c, d, e, f) M(a) = CARDS_AT(b, c)
#define DO_MTABLE(a, b, c, d, e, f) M(a) = SET_ENTRY(b, V(c))
#define DO_MAND(a, b, c, d, e, f) M(a) = M(b) & M(c)
#define DO_MOR(a, b, c, d, e, f) M(a) = M(b) | M(c)
#define DO_MDIFF(a, b, c, d, e, f) M(a) = M(b) & ~M(c)
#define DO_MOFFERED(a, b, c, d, e, f)                                                             \
    do {                                                                                          \
        SET set = {0};                                                                            \
        const int32_t place = offered_place(frame, V(b));                                         \
        if (place != NONE) memcpy(&set, frame->offered + (size_t)place * sizeof set, sizeof set); \
        M(a) = set;                                                                               \
    } while (0)

/* --- loops within a node */

#define DO_EACHCARD(a, b, c, d, e, f)     \
    do {                                  \
        if (NAME(is_empty)(M(b))) GO(c);  \
        V(a) = NAME(first_card)(M(b));    \
        M(b) = NAME(without_first)(M(b)); \
    } while (0)
#define DO_AGAINCARD(a, b, c, d, e, f)    \
    do {                                  \
        if (NAME(is_empty)(M(b))) NEXT;   \
        V(a) = NAME(first_card)(M(b));    \
        M(b) = NAME(without_first)(M(b)); \
        BURN_FUEL;                        \
        GO(c);                            \
    } while (0)
#define DO_AGAIN(a, b, c, d, e, f) \
    do {                           \
        if (V(a) >= V(b)) NEXT;    \
        V(a)++;                    \
        BURN_FUEL;                 \
        GO(c);                     \
    } while (0)

#define NEXT_SET(a, b, c, d, e, f, extend, copies_are_one)                                  \
    do {                                                                                    \
        SET set = M(a);                                                                     \
        if (V(c) >= MAX_LOOKED_AT) NEXT;                                                    \
        if (!NAME(next_set)(program, M(b), &set, V(d), V(e), extend, copies_are_one)) NEXT; \
        M(a) = set;                                                                         \
        V(c)++;                                                                             \
        BURN_FUEL;                                                                          \
        GO(f);                                                                              \
    } while (0)
#define DO_NEXTSET(a, b, c, d, e, f) NEXT_SET(a, b, c, d, e, f, 1, 0)
#define DO_SKIPSET(a, b, c, d, e, f) NEXT_SET(a, b, c, d, e, f, 0, 0)
#define DO_NEXTKIND(a, b, c, d, e, f) NEXT_SET(a, b, c, d, e, f, 1, 1)
#define DO_SKIPKIND(a, b, c, d, e, f) NEXT_SET(a, b, c, d, e, f, 0, 1)
#define NEXT_CLOSE(a, b, c, d, e, f, extend)                                                                \
    do {                                                                                                    \
        SET set = M(a);                                                                                     \
        const SET *company = set_entries + set_tables[e].first;                                             \
        int32_t looked_at = V(c), sizes = V(d);                                                             \
        if (!NAME(next_close)(M(b), company, &set, sizes / SIZES, sizes % SIZES, extend, &looked_at)) NEXT; \
        if (looked_at >= MAX_LOOKED_AT) NEXT;                                                               \
        M(a) = set;                                                                                         \
        V(c) = looked_at + 1;                                                                               \
        BURN_FUEL;                                                                                          \
        GO(f);                                                                                              \
    } while (0)
#define DO_NEXTCLOSE(a, b, c, d, e, f) NEXT_CLOSE(a, b, c, d, e, f, 1)
#define DO_SKIPCLOSE(a, b, c, d, e, f) NEXT_CLOSE(a, b, c, d, e, f, 0)
#define DO_NEXTSUM(a, b, c, d, e, f)                                            \
    do {                                                                        \
        SET set = M(a);                                                         \
        int32_t looked_at = V(c);                                               \
        if (!NAME(next_sum)(M(b), &set, V(d), CARD_TABLE(e), &looked_at)) NEXT; \
        M(a) = set;                                                             \
        V(c) = looked_at;                                                       \
        BURN_FUEL;                                                              \
        GO(f);                                                                  \
    } while (0)

/* --- jumps */

#define DO_JUMP(a, b, c, d, e, f) GO(a)
#define DO_JT(a, b, c, d, e, f) GO_IF(V(a), b)
#define DO_JF(a, b, c, d, e, f) GO_IF(!V(a), b)
#define DO_JEQ(a, b, c, d, e, f) GO_IF(V(a) == V(b), c)
#define DO_JNE(a, b, c, d, e, f) GO_IF(V(a) != V(b), c)
#define DO_JLT(a, b, c, d, e, f) GO_IF(V(a) < V(b), c)
#define DO_JLE(a, b, c, d, e, f) GO_IF(V(a) <= V(b), c)
#define DO_TABLEJNE(a, b, c, d, e, f) \
    do {                              \
        V(a) = ENTRY(b, V(c));        \
        GO_IF(V(a) != V(d), e);       \
    } while (0)
#define DO_JMEETS(a, b, c, d, e, f) GO_IF(!NAME(is_empty)(CARDS_AT(a, b) & M(c)), d)
#define DO_JMEETSNOT(a, b, c, d, e, f) GO_IF(NAME(is_empty)(CARDS_AT(a, b) & M(c)), d)
#define DO_JANYTOP(a, b, c, d, e, f)                                                              \
    do {                                                                                          \
        int32_t any = 0;                                                                          \
        for (uint32_t seat = 0; seat < players; seat++) any |= CARD_ENTRY(a, TOP_OF((b) + seat)); \
        GO_IF(any, c);                                                                            \
    } while (0)
#define DO_JHAS(a, b, c, d, e, f) GO_IF(!NAME(is_empty)(M(a) & M(b)), c)
#define DO_JHASNOT(a, b, c, d, e, f) GO_IF(NAME(is_empty)(M(a) & M(b)), c)
#define DO_JEMPTY(a, b, c, d, e, f) GO_IF(NAME(is_empty)(M(a)), b)
#define DO_JFULL(a, b, c, d, e, f) GO_IF(!NAME(is_empty)(M(a)), b)
#define DO_JTABLE(a, b, c, d, e, f) GO_IF(ENTRY(a, V(b)) != 0, c)
#define DO_JTABLENOT(a, b, c, d, e, f) GO_IF(ENTRY(a, V(b)) == 0, c)
#define DO_JZHAS(a, b, c, d, e, f) GO_IF(!NAME(is_empty)(CARDS_AT(a, b) & SET_ENTRY(c, V(d))), e)
#define DO_JZHASNOT(a, b, c, d, e, f) GO_IF(NAME(is_empty)(CARDS_AT(a, b) & SET_ENTRY(c, V(d))), e)
#define DO_JZEMPTY(a, b, c, d, e, f) GO_IF(NAME(is_empty)(CARDS_AT(a, b)), c)
#define DO_JZFULL(a, b, c, d, e, f) GO_IF(!NAME(is_empty)(CARDS_AT(a, b)), c)
#define DO_JTOP(a, b, c, d, e, f) GO_IF(CARD_ENTRY(a, TOP_AT(b, c)) != 0, d)
#define DO_JTOPNOT(a, b, c, d, e, f) GO_IF(CARD_ENTRY(a, TOP_AT(b, c)) == 0, d)
#define DO_JTOPLT(a, b, c, d, e, f) GO_IF(CARD_ENTRY(a, TOP_AT(b, c)) < CARD_ENTRY(a, TOP_AT(d, e)), f)
#define DO_JTOPNLT(a, b, c, d, e, f) GO_IF(!(CARD_ENTRY(a, TOP_AT(b, c)) < CARD_ENTRY(a, TOP_AT(d, e))), f)

/* --- flow */

#define DO_STEP(a, b, c, d, e, f) (void)0
#define DO_PAUSE(a, b, c, d, e, f) \
    if (mode & ONE_PASS) LEAVE(RESULT_PASS)
#define DO_STOP(a, b, c, d, e, f) LEAVE(RESULT_VALUE)
#define DO_CALL(a, b, c, d, e, f) \
    do {                          \
        V(a) = (b);               \
        GO(c);                    \
    } while (0)
#define DO_RETURN(a, b, c, d, e, f)                      \
    do {                                                 \
        if ((uint32_t)V(a) >= (uint32_t)(c)) goto fault; \
        GO_BACK(program->returns[(b) + (uint32_t)V(a)]); \
    } while (0)
#define DO_END(a, b, c, d, e, f) goto end
#define DO_FAULT(a, b, c, d, e, f) \
    if (!IS_PLACE(a)) goto fault

/* --- moving cards */

#define DO_GATHER(a, b, c, d, e, f)                                                                \
    do {                                                                                           \
        if (mode & ONE_HAND) LEAVE(RESULT_HAND);                                                   \
        uint8_t cards[MAX_CARDS];                                                                  \
        const int count = program->cards_in_play;                                                  \
        memcpy(cards, program->cards, (size_t)count);                                              \
        if (!(mode & RANDOM_CHANCE)) SHUFFLED(count, cards);                                       \
        for (uint32_t zone = 0; zone < program->zone_slots; zone++) {                              \
            m[zone] = (SET){0};                                                                    \
            NAME(clear_list)(next, back, deck_size + (int)zone);                                   \
        }                                                                                          \
        m[program->pack] = NAME(in_play)(program);                                                 \
        if (mode & RANDOM_CHANCE)                                                                  \
            NAME(shuffle_into)(&random, count, cards, next, back, deck_size + (int)program->pack); \
        else NAME(set_order)(program, m, next, back, (uint32_t)program->pack, count, cards);       \
        TELL_SHUFFLE(program->pack, count);                                                        \
    } while (0)
#define DO_SHUFFLE(a, b, c, d, e, f)                                           \
    do {                                                                       \
        if (!IS_PLACE(b)) goto fault;                                          \
        uint8_t cards[MAX_CARDS];                                              \
        int count = NAME(list_set)(m[ZONE(a, b)], cards);                      \
        if (count >= 2) {                                                      \
            SHUFFLED(count, cards);                                            \
            NAME(set_order)(program, m, next, back, ZONE(a, b), count, cards); \
        }                                                                      \
        TELL_SHUFFLE((int32_t)ZONE(a, b), count);                              \
    } while (0)
#define DO_MOVEN(a, b, c, d, e, f)                                                                         \
    do {                                                                                                   \
        if (!IS_PLACE(e)) goto fault;                                                                      \
        if (IS_PLACE(c) && V(a) >= 1) {                                                                    \
            if (!EVENTS && program->ordered[ZONE(b, c)] && !program->ordered[ZONE(d, e)]) {                \
                NAME(take_from_top)(deck_size, m, next, back, ZONE(b, c), ZONE(d, e), V(a));               \
                NEXT;                                                                                      \
            }                                                                                              \
            uint8_t cards[MAX_CARDS];                                                                      \
            int count = NAME(list_cards)(program, m, next, ZONE(b, c), V(a), cards);                       \
            NAME(move_listed)(program, EVENTS, m, next, back, ZONE(b, c), ZONE(d, e), count, cards, NODE); \
        }                                                                                                  \
    } while (0)
#define DO_MOVEALL(a, b, c, d, e, f)                                                                   \
    do {                                                                                               \
        if (!IS_PLACE(d)) goto fault;                                                                  \
        if (IS_PLACE(b)) NAME(move_all)(program, EVENTS, m, next, back, ZONE(a, b), ZONE(c, d), NODE); \
    } while (0)
#define INSERT(count, cards, from, to, place) \
    NAME(insert_listed)(program, EVENTS, m, next, back, from, to, count, cards, place, NODE)
#define DO_INSERTN(a, b, c, d, e, f)                                                 \
    do {                                                                             \
        if (!IS_PLACE(e)) goto fault;                                                \
        if (IS_PLACE(c) && V(a) >= 1) {                                              \
            uint8_t cards[MAX_CARDS];                                                \
            int count = NAME(list_cards)(program, m, next, ZONE(b, c), V(a), cards); \
            INSERT(count, cards, ZONE(b, c), ZONE(d, e), V(f));                      \
        }                                                                            \
    } while (0)
#define DO_INSERTALL(a, b, c, d, e, f)                                                    \
    do {                                                                                  \
        if (!IS_PLACE(d)) goto fault;                                                     \
        if (IS_PLACE(b)) {                                                                \
            uint8_t cards[MAX_CARDS];                                                     \
            int count = NAME(list_cards)(program, m, next, ZONE(a, b), MAX_CARDS, cards); \
            INSERT(count, cards, ZONE(a, b), ZONE(c, d), V(e));                           \
        }                                                                                 \
    } while (0)
#define DO_INSERTSET(a, b, c, d, e, f)                               \
    do {                                                             \
        if (!IS_PLACE(e)) goto fault;                                \
        if (IS_PLACE(c)) {                                           \
            uint8_t cards[MAX_CARDS];                                \
            int count = NAME(list_set)(M(a) & m[ZONE(b, c)], cards); \
            INSERT(count, cards, ZONE(b, c), ZONE(d, e), V(f));      \
        }                                                            \
    } while (0)
#define DO_MOVESET(a, b, c, d, e, f)                                                                       \
    do {                                                                                                   \
        if (!IS_PLACE(e)) goto fault;                                                                      \
        if (IS_PLACE(c)) {                                                                                 \
            uint8_t cards[MAX_CARDS];                                                                      \
            int count = NAME(list_set)(m[ZONE(b, c)] & M(a), cards);                                       \
            NAME(move_listed)(program, EVENTS, m, next, back, ZONE(b, c), ZONE(d, e), count, cards, NODE); \
        }                                                                                                  \
    } while (0)
#define DO_SWEEP(a, b, c, d, e, f)                                        \
    do {                                                                  \
        if (!IS_PLACE(c)) goto fault;                                     \
        NAME(sweep)(program, EVENTS, m, next, back, a, ZONE(b, c), NODE); \
    } while (0)

/* --- decisions */

#define DO_PLAY(a, b, c, d, e, f)                                         \
    do {                                                                  \
        kind = KIND_PLAY;                                                 \
        mover = V(a);                                                     \
        if (playing_fast && IS_PLAYER(a) && IS_PLACE(f) && IS_PLACE(d)) { \
            from = ZONE(c, d);                                            \
            to = ZONE(e, f);                                              \
            candidates = m[from] & M(b);                                  \
            PLAY_FAST(c, e);                                              \
        }                                                                 \
        CARD_DECISION(a, b, c, d, e, f);                                  \
    } while (0)
#define DO_PLAYT(a, b, c, d, e, f)                     \
    do {                                               \
        kind = KIND_PLAY;                              \
        mover = V(a);                                  \
        if (!IS_PLAYER(a) || !IS_PLACE(f)) goto fault; \
        from = ZONE(d, a);                             \
        to = ZONE(e, f);                               \
        candidates = m[from] & SET_ENTRY(b, V(c));     \
        if (playing_fast) PLAY_FAST(d, e);             \
        goto choose_card;                              \
    } while (0)
#define DO_PLAYPASS(a, b, c, d, e, f)    \
    do {                                 \
        kind = KIND_PLAY_OR_PASS;        \
        mover = V(a);                    \
        CARD_DECISION(a, b, c, d, e, f); \
    } while (0)
#define DO_PICK(a, b, c, d, e, f)        \
    do {                                 \
        kind = KIND_PICK;                \
        mover = V(a);                    \
        CARD_DECISION(a, b, c, d, e, f); \
    } while (0)
#define DO_REPICK(a, b, c, d, e, f)           \
    do {                                      \
        if (v[program->picks_left] < 1) NEXT; \
        BURN_FUEL;                            \
        GO(a);                                \
    } while (0)
#define DO_VALUES(a, b, c, d, e, f) frame->value_count = 0
#define DO_VALUE(a, b, c, d, e, f) offer_value(frame, V(a))
#define DO_RANGE(a, b, c, d, e, f) offer_range(frame, V(a), V(b))
#define DO_SETS(a, b, c, d, e, f) frame->set_count = 0
#define DO_OFFER(a, b, c, d, e, f)                                                          \
    do {                                                                                    \
        SET set = M(a);                                                                     \
        if (frame->set_count >= MAX_OFFERED) GO(b);                                         \
        memcpy(frame->offered + (size_t)frame->set_count++ * sizeof set, &set, sizeof set); \
    } while (0)
#define DO_TAKE(a, b, c, d, e, f)                      \
    do {                                               \
        if (!IS_PLAYER(a) || !IS_PLACE(e)) goto fault; \
        mover = V(a);                                  \
        from = IS_PLACE(c) ? ZONE(b, c) : (b);         \
        to = ZONE(d, e);                               \
        kind = (f) % 2 ? KIND_SET_OR_PASS : KIND_SET;  \
        is_taken = (f) >= 2;                           \
        goto choose_set;                               \
    } while (0)
#define DO_CHOOSE(a, b, c, d, e, f)                                                                    \
    do {                                                                                               \
        kind = KIND_CHOOSE;                                                                            \
        mover = V(a);                                                                                  \
        if (!IS_PLAYER(a) || !IS_PLACE(c)) goto fault;                                                 \
        if (frame->value_count < 1) goto no_legal_move;                                                \
        int32_t value;                                                                                 \
        if (mode & RANDOM_MOVES) {                                                                     \
            value = frame->values[random_below(&random, (uint32_t)frame->value_count)];                \
        } else if (frame->has_move) {                                                                  \
            value = frame->move;                                                                       \
            if (!is_offered(frame, value)) goto illegal;                                               \
            frame->has_move = 0;                                                                       \
        } else {                                                                                       \
            goto decision;                                                                             \
        }                                                                                              \
        if (EVENTS) { /* before the value is written: `choose(p, p, players)` may write who chooses */ \
            event_begin(EVENTS, EVENT_CHOOSE, NODE);                                                   \
            event_add(EVENTS, V(a));                                                                   \
            event_add(EVENTS, V(c));                                                                   \
            event_add(EVENTS, value);                                                                  \
        }                                                                                              \
        v[ZONE(b, c)] = value;                                                                         \
        MOVED;                                                                                         \
    } while (0)

/* --- events */

#define DO_TELL(a, b, c, d, e, f)                 \
    do {                                          \
        if (EVENTS) {                             \
            event_begin(EVENTS, EVENT_ASSIGN, a); \
            event_add(EVENTS, b);                 \
            event_add(EVENTS, V(c));              \
            event_add(EVENTS, V(d));              \
        }                                         \
    } while (0)
#define DO_BRANCH(a, b, c, d, e, f)               \
    do {                                          \
        if (EVENTS) {                             \
            event_begin(EVENTS, EVENT_BRANCH, a); \
            event_add(EVENTS, b);                 \
        }                                         \
    } while (0)
#define DO_PUBLISH(a, b, c, d, e, f) \
    if (EVENTS) event_begin(EVENTS, EVENT_PUBLISH, a)
#define DO_SAY(a, b, c, d, e, f) \
    if (EVENTS) event_add(EVENTS, V(a))
#define DO_SAYCARDS(a, b, c, d, e, f) \
    if (EVENTS) NAME(say_cards)(EVENTS, M(a))
#define DO_SHOW(a, b, c, d, e, f) NAME(show)(EVENTS, a, NONE, M(b), V(c))
#define DO_SHOWZONE(a, b, c, d, e, f) \
    if (IS_PLACE(c)) NAME(show)(EVENTS, a, (int32_t)ZONE(b, c), m[ZONE(b, c)], V(d))

#endif
