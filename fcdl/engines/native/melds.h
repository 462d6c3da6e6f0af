/* What cards are together: groups, sequences, poker hands, and how much of a hand is in melds. Cards are listed in
   deck order; tables have an entry for each card. fcdl/language/melds.py has the same in Python. */

#ifndef FCDL_MELDS_H
#define FCDL_MELDS_H

#include <stdint.h>

/* Whether there are cards and all have one value. */
int cards_alike(const uint8_t *cards, int count, const int32_t *values);

/* Whether there are cards, with values one apart and no two equal. */
int cards_in_sequence(const uint8_t *cards, int count, const int32_t *values);

/* How many cards the longest sequence has, and the longest of one suit. */
int longest_sequence(const uint8_t *cards, int count, const int32_t *values);
int longest_run(const uint8_t *cards, int count, const int32_t *values, const int32_t *suits);

/* What the best five cards are worth; positions go from 1 to `top`. */
int32_t poker_value(const uint8_t *cards, int count, const int32_t *positions, const int32_t *suits, int top);

/* The least sum of points of cards that are in no meld of at least `size` cards. A place is a card's suit, rank and
   order in runs: PLACE_OF. `melded` is filled with which of the cards are in melds then; the steps it took are taken
   from the fuel. */
#define PLACE_BITS 10
int32_t least_deadwood(const uint8_t *cards, int count, int32_t size, const int32_t *points, const int32_t *places,
                       uint8_t *melded, int64_t *fuel);

#endif
