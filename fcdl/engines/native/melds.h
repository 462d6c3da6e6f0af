/* What cards are together: groups, sequences, poker hands, and how much of a hand is in melds. Cards are listed in
   deck order; tables have an entry for each card. fcdl/language/melds.py has the same in Python.

   All of it stands here, so that code made for one program (compiled.h) has it, too. */

#ifndef FCDL_MELDS_H
#define FCDL_MELDS_H

#include <stdint.h>
#include <string.h>

#include "arithmetic.h"

#define MELD_FUNCTION static __attribute__((noinline, unused))
#define PLACE_BITS 10

/* Sorts values, and leaves out those that are there already; returns how many are left. */
MELD_FUNCTION int sorted_values(const uint8_t *cards, int count, const int32_t *values, int32_t *sorted) {
    int size = 0;
    for (int n = 0; n < count; n++) {
        int32_t value = values[cards[n]];
        int to = size;
        while (to > 0 && sorted[to - 1] > value) to--;
        if (to > 0 && sorted[to - 1] == value) continue;
        memmove(sorted + to + 1, sorted + to, (size_t)(size - to) * sizeof *sorted);
        sorted[to] = value;
        size++;
    }
    return size;
}

/* How many cards the longest sequence has. */
MELD_FUNCTION int longest_sequence(const uint8_t *cards, int count, const int32_t *values) {
    int32_t sorted[MAX_CARDS];
    int size = sorted_values(cards, count, values, sorted), longest = 0, length = 0;
    for (int n = 0; n < size; n++) {
        length = n > 0 && (int64_t)sorted[n] - sorted[n - 1] == 1 ? length + 1 : 1;
        if (length > longest) longest = length;
    }
    return longest;
}

/* How many cards the longest sequence of one suit has. */
MELD_FUNCTION int longest_run(const uint8_t *cards, int count, const int32_t *values, const int32_t *suits) {
    uint8_t left[MAX_CARDS], own[MAX_CARDS];
    int longest = 0;
    memcpy(left, cards, (size_t)count);
    while (count > 0) {
        int32_t suit = suits[left[0]];
        int mine = 0, others = 0;
        for (int n = 0; n < count; n++) {
            if (suits[left[n]] == suit) own[mine++] = left[n];
            else left[others++] = left[n];
        }
        int length = longest_sequence(own, mine, values);
        if (length > longest) longest = length;
        count = others;
    }
    return longest;
}

/* --- poker */

enum { POKER_HAND = 5, HIGH_CARD = 0, PAIR, TWO_PAIRS, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH };
enum { MAX_POSITIONS = 64 };

/* The highest card of the best straight, 0 without one; the highest of the deck is also below the lowest. */
MELD_FUNCTION int best_straight(uint64_t there, int top) {
    if (there >> top & 1) there |= 1;
    uint64_t ends = there & there << 1 & there << 2 & there << 3 & there << 4;
    return ends ? 63 - __builtin_clzll(ends) : 0;
}

/* The class and what decides ties as one number. */
MELD_FUNCTION int32_t poker_worth(int kind, const int *deciding, int count, int base) {
    int64_t worth = kind;
    for (int n = 0; n < POKER_HAND; n++) worth = worth * base + (n < count ? deciding[n] : 0);
    return (int32_t)worth;
}

/* Appends the highest cards besides those that are used, which are taken from the counts. */
MELD_FUNCTION int append_rest(const uint8_t *counts, int top, int *deciding, int count, int wanted) {
    for (int position = top; position > 0 && wanted > 0; position--)
        for (int n = counts[position]; n > 0 && wanted > 0; n--, wanted--) deciding[count++] = position;
    return count;
}

/* The highest position with at least so many cards, below a limit; 0 if there is none. */
MELD_FUNCTION int highest_with(const uint8_t *counts, int below, int wanted) {
    int position = below - 1;
    while (position > 0 && counts[position] < wanted) position--;
    return position;
}

/* What the best five cards are worth; positions go from 1 to `top`. */
MELD_FUNCTION int32_t poker_value(const uint8_t *cards, int count, const int32_t *positions, const int32_t *suits,
                                  int top) {
    uint8_t counts[MAX_POSITIONS] = {0}, at[MAX_CARDS];
    uint64_t there = 0;
    top &= MAX_POSITIONS - 1;
    int deciding[POKER_HAND] = {0}, flush[POKER_HAND] = {0}, base = top + 1, straight_flush = 0, flushes = 0;
    for (int n = 0; n < count; n++) {
        at[n] = (uint8_t)(positions[cards[n]] & (MAX_POSITIONS - 1));
        there |= UINT64_C(1) << at[n];
        counts[at[n]]++;
    }
    for (int n = 0; n < count && count >= POKER_HAND; n++) { /* suits, by their first cards */
        uint8_t own[MAX_POSITIONS] = {0};
        uint64_t mine = 0;
        int size = 0, earlier = 0;
        while (suits[cards[earlier]] != suits[cards[n]]) earlier++;
        if (earlier < n) continue;
        for (int k = n; k < count; k++) {
            if (suits[cards[k]] != suits[cards[n]]) continue;
            mine |= UINT64_C(1) << at[k];
            own[at[k]]++;
            size++;
        }
        if (size < POKER_HAND) continue;
        int high = best_straight(mine, top), best[POKER_HAND];
        if (high > straight_flush) straight_flush = high;
        append_rest(own, top, best, 0, POKER_HAND);
        int differs = 0;
        while (differs < POKER_HAND - 1 && best[differs] == flush[differs]) differs++;
        if (!flushes++ || best[differs] > flush[differs]) memcpy(flush, best, sizeof flush);
    }
    if (straight_flush) return poker_worth(STRAIGHT_FLUSH, &straight_flush, 1, base);
    int four = highest_with(counts, top + 1, 4);
    if (four) {
        deciding[0] = four;
        counts[four] = (uint8_t)(counts[four] - 4);
        return poker_worth(FOUR, deciding, append_rest(counts, top, deciding, 1, 1), base);
    }
    int three = highest_with(counts, top + 1, 3), pair = highest_with(counts, top + 1, 2), second;
    if (three && pair == three) pair = highest_with(counts, three, 2);
    if (three && pair) {
        deciding[0] = three, deciding[1] = pair;
        return poker_worth(FULL_HOUSE, deciding, 2, base);
    }
    if (flushes) return poker_worth(FLUSH, flush, POKER_HAND, base);
    int straight = best_straight(there, top);
    if (straight) return poker_worth(STRAIGHT, &straight, 1, base);
    if (three) {
        deciding[0] = three;
        counts[three] = 0;
        return poker_worth(THREE, deciding, append_rest(counts, top, deciding, 1, 2), base);
    }
    if (pair && (second = highest_with(counts, pair, 2)) != 0) {
        deciding[0] = pair, deciding[1] = second;
        counts[pair] = counts[second] = 0;
        return poker_worth(TWO_PAIRS, deciding, append_rest(counts, top, deciding, 2, 1), base);
    }
    if (pair) {
        deciding[0] = pair;
        counts[pair] = 0;
        return poker_worth(PAIR, deciding, append_rest(counts, top, deciding, 1, 3), base);
    }
    return poker_worth(HIGH_CARD, deciding, append_rest(counts, top, deciding, 0, POKER_HAND), base);
}

/* --- melds */

enum { MAX_WAYS = 4096 };

/* Cards being divided, by suit and then from the lowest. */
typedef struct {
    int count, size, found;
    int ways;
    int16_t suit[MAX_CARDS], rank[MAX_CARDS], order[MAX_CARDS];
    int32_t points[MAX_CARDS];
    uint8_t used[MAX_CARDS], in_meld[MAX_CARDS], best_in_meld[MAX_CARDS];
    int64_t best;
} Division;

MELD_FUNCTION void divide(Division *division, int first, int64_t dead, int64_t credit);

/* Goes on with these cards as a meld. */
MELD_FUNCTION void divide_with(Division *division, const uint8_t *meld, int size, int64_t dead, int64_t credit) {
    for (int n = 0; n < size; n++) {
        division->used[meld[n]] = division->in_meld[meld[n]] = 1;
        credit -= division->points[meld[n]] < 0 ? division->points[meld[n]] : 0;
    }
    divide(division, meld[0] + 1, dead, credit);
    for (int n = 0; n < size; n++) division->used[meld[n]] = division->in_meld[meld[n]] = 0;
}

/* All groups of so many cards, of which the first ones are chosen; `others` are those that may still be. */
MELD_FUNCTION void divide_with_groups(Division *division, uint8_t *meld, int chosen, int size, const uint8_t *others,
                                      int count, int64_t dead, int64_t credit) {
    if (chosen == size) {
        divide_with(division, meld, size, dead, credit);
        return;
    }
    for (int n = 0; n <= count - (size - chosen) && division->ways < MAX_WAYS; n++) {
        meld[chosen] = others[n];
        divide_with_groups(division, meld, chosen + 1, size, others + n + 1, count - n - 1, dead, credit);
    }
}

/* Decides the first card that is not used; `credit` is what the others can at best take off the sum. */
MELD_FUNCTION void divide(Division *division, int first, int64_t dead, int64_t credit) {
    if (division->ways >= MAX_WAYS || (division->found && dead + credit >= division->best)) return;
    division->ways++;
    while (first < division->count && division->used[first]) first++;
    if (first == division->count) {
        division->found = 1;
        division->best = dead;
        memcpy(division->best_in_meld, division->in_meld, sizeof division->in_meld);
        return;
    }
    uint8_t run[MAX_CARDS], others[MAX_CARDS];
    int length = 1, count = 0, most = 2 * division->size - 1;
    run[0] = (uint8_t)first;
    for (int n = first + 1; n < division->count; n++) {
        if (division->used[n]) continue;
        if (division->rank[n] == division->rank[first]) others[count++] = (uint8_t)n;
        if (division->suit[n] == division->suit[first] && division->order[n] == division->order[run[length - 1]] + 1)
            run[length++] = (uint8_t)n;
    }
    for (int size = length < most ? length : most; size >= division->size; size--)
        divide_with(division, run, size, dead, credit);
    for (int size = count + 1 < most ? count + 1 : most; size >= division->size && size >= 2; size--) {
        uint8_t meld[MAX_CARDS] = {(uint8_t)first};
        divide_with_groups(division, meld, 1, size, others, count, dead, credit);
    }
    int32_t points = division->points[first];
    division->used[first] = 1;
    divide(division, first + 1, dead + points, credit - (points < 0 ? points : 0));
    division->used[first] = 0;
}

/* The least sum of points of cards that are in no meld of at least `size` cards. A place is a card's suit, its order in
   runs and its rank, PLACE_BITS each. `melded` is filled with which of the cards are in melds then; the steps it took
   are taken from the fuel. */
MELD_FUNCTION int32_t least_deadwood(const uint8_t *cards, int count, int32_t size, const int32_t *points,
                                     const int32_t *places, uint8_t *melded, int64_t *fuel) {
    const int32_t mask = (1 << PLACE_BITS) - 1;
    uint8_t sorted[MAX_CARDS];
    int64_t credit = 0;
    Division division = {.count = count, .size = size < 1 ? 1 : size > count ? count + 1 : size};
    for (int n = 0; n < count; n++) { /* by suit and order: the rank is in the lowest bits of a place */
        int to = n;
        int32_t place = places[cards[n]] >> PLACE_BITS;
        for (; to > 0 && places[cards[sorted[to - 1]]] >> PLACE_BITS > place; to--) sorted[to] = sorted[to - 1];
        sorted[to] = (uint8_t)n;
        credit += points[cards[n]] < 0 ? points[cards[n]] : 0;
    }
    for (int n = 0; n < count; n++) {
        int32_t place = places[cards[sorted[n]]];
        division.rank[n] = (int16_t)(place & mask);
        division.order[n] = (int16_t)(place >> PLACE_BITS & mask);
        division.suit[n] = (int16_t)(place >> 2 * PLACE_BITS);
        division.points[n] = points[cards[sorted[n]]];
    }
    divide(&division, 0, 0, credit);
    for (int n = 0; n < count; n++) melded[sorted[n]] = division.best_in_meld[n];
    *fuel -= division.ways;
    return saturated(division.best);
}

#endif
