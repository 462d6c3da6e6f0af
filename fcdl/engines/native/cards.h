/* Card sets and zones: what the bodies of the instructions call. Whoever includes this defines SET (the type of card
   sets), SET_WORDS and NAME(x) before each inclusion. */

/* Card sets are numbers of 64 or 128 bits, or four words of 64. `&`, `|` and `~` work on all of them; the rest is here. */

static inline int NAME(is_empty)(SET set) {
#if SET_WORDS == 4
    return !(set[0] | set[1] | set[2] | set[3]);
#else
    return !set;
#endif
}

static inline int NAME(has_card)(SET set, int card) {
#if SET_WORDS == 4
    return (int)(set[card / 64] >> (card % 64) & 1);
#else
    return (int)(set >> card & 1);
#endif
}

static inline SET NAME(card_set)(int card) {
#if SET_WORDS == 4
    SET set = {0};
    set[card / 64] = UINT64_C(1) << (card % 64);
    return set;
#else
    return (SET)1 << card;
#endif
}

static inline int NAME(set_size)(SET set) {
#if SET_WORDS == 4
    return __builtin_popcountll(set[0]) + __builtin_popcountll(set[1]) + __builtin_popcountll(set[2]) +
           __builtin_popcountll(set[3]);
#elif SET_WORDS == 2
    return __builtin_popcountll((uint64_t)set) + __builtin_popcountll((uint64_t)(set >> 64));
#else
    return __builtin_popcountll(set);
#endif
}

/* The first card of a set that is not empty. */
static inline int NAME(first_card)(SET set) {
#if SET_WORDS == 4
    int word = set[0] ? 0 : set[1] ? 1 : set[2] ? 2 : 3;
    return 64 * word + __builtin_ctzll(set[word]);
#elif SET_WORDS == 2
    return (uint64_t)set ? __builtin_ctzll((uint64_t)set) : 64 + __builtin_ctzll((uint64_t)(set >> 64));
#else
    return __builtin_ctzll(set);
#endif
}

/* A set that is not empty without its first card. */
static inline SET NAME(without_first)(SET set) {
#if SET_WORDS == 4
    int word = set[0] ? 0 : set[1] ? 1 : set[2] ? 2 : 3;
    set[word] &= set[word] - 1;
    return set;
#else
    return set & (set - 1);
#endif
}

static inline int NAME(nth_of_word)(uint64_t word, int n) {
#ifdef __BMI2__
    return __builtin_ctzll(__builtin_ia32_pdep_di(UINT64_C(1) << n, word));
#else
    for (; n > 0; n--) word &= word - 1;
    return __builtin_ctzll(word);
#endif
}

/* The card number n, from 0, of a set that has that many. */
static inline int NAME(nth_card)(SET set, int n) {
#if SET_WORDS == 4
    int word = 0;
    for (int here; word < 3 && n >= (here = __builtin_popcountll(set[word])); word++) n -= here;
    return 64 * word + NAME(nth_of_word)(set[word], n);
#elif SET_WORDS == 2
    int low = __builtin_popcountll((uint64_t)set);
    return n < low ? NAME(nth_of_word)((uint64_t)set, n) : 64 + NAME(nth_of_word)((uint64_t)(set >> 64), n - low);
#else
    return NAME(nth_of_word)(set, n);
#endif
}

/* The last card of a set that is not empty. */
static inline int NAME(last_card)(SET set) {
#if SET_WORDS == 4
    int word = set[3] ? 3 : set[2] ? 2 : set[1] ? 1 : 0;
    return 64 * word + 63 - __builtin_clzll(set[word]);
#elif SET_WORDS == 2
    uint64_t high = (uint64_t)(set >> 64);
    return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)set);
#else
    return 63 - __builtin_clzll(set);
#endif
}

/* The cards of a set after a card. */
static inline SET NAME(cards_after)(SET set, int card) {
#if SET_WORDS == 4
    for (int word = 0; word < card / 64; word++) set[word] = 0;
    set[card / 64] &= ~(UINT64_C(2) << (card % 64)) + 1;
    return set;
#else
    return set & (~((SET)2 << card) + 1);
#endif
}

/* The cards of a domain after the last one of a set, which loses that card if it is to go. */
static inline SET NAME(after_last)(SET domain, SET *set, int *size, int goes) {
    const int last = NAME(last_card)(*set);
    if (goes) {
        *set &= ~NAME(card_set)(last);
        --*size;
    }
    return NAME(cards_after)(domain, last);
}

/* The set of cards of a domain that comes after a set (at first an empty one): sets that add later cards to it, or with
   `extend` 0 none of these, then by the first card in which they differ. 0: there is none. */
static inline int NAME(next_set)(const Program *program, SET domain, SET *set, int low, int high, int extend,
                                 int copies_are_one) {
    SET found = *set, rest = domain;
    int size = NAME(set_size)(found);
    if (size > 0) rest = NAME(after_last)(domain, &found, &size, !extend);
    for (;;) {
        while (size < high && !NAME(is_empty)(rest) && size + NAME(set_size)(rest) >= low) {
            int card = NAME(first_card)(rest), copy = card - 1, first = copies_are_one ? program->kinds[card] : card;
            while (copy >= first && !NAME(has_card)(domain, copy)) copy--;
            if (copy < first || NAME(has_card)(found, copy)) {
                *set = found | NAME(card_set)(card);
                return 1;
            }
            rest = NAME(without_first)(rest);
        }
        if (size == 0) return 0;
        rest = NAME(after_last)(domain, &found, &size, 1);
    }
}

/* The same where a set that begins with a card is only looked for among its `company`. What is passed over for that
   would have failed, and is counted as if it had been looked at. */
static inline int NAME(next_close)(SET domain, const SET *company, SET *set, int low, int high, int extend,
                                   int32_t *looked_at) {
    SET found = *set, rest = domain;
    int size = NAME(set_size)(found);
    if (size > 0) rest = NAME(after_last)(domain, &found, &size, !extend);
    for (;;) {
        int left = NAME(set_size)(rest), enough = size + left + 1 - low; /* so many can still become large enough */
        if (size < high && enough > 0) {
            SET close = size > 0 ? rest & company[NAME(first_card)(found)] : rest;
            if (!NAME(is_empty)(close)) {
                int card = NAME(first_card)(close),
                    passed_over = left - 1 - NAME(set_size)(NAME(cards_after)(rest, card));
                if (passed_over < enough) {
                    *looked_at += passed_over;
                    *set = found | NAME(card_set)(card);
                    return 1;
                }
            }
            *looked_at += enough < left ? enough : left;
        }
        if (size == 0) return 0;
        rest = NAME(after_last)(domain, &found, &size, 1);
    }
}

/* The same, of any number of cards, for sets whose values add up to a number; a value is never negative. What adds up to
   more is not extended. */
static inline int NAME(next_sum)(SET domain, SET *set, int32_t wanted, const int32_t *values, int32_t *looked_at) {
    SET found = *set, rest = domain;
    int64_t sum = 0;
    for (SET cards = found; !NAME(is_empty)(cards); cards = NAME(without_first)(cards))
        sum += values[NAME(first_card)(cards)];
    if (!NAME(is_empty)(found)) rest = NAME(cards_after)(domain, NAME(last_card)(found));
    for (;;) {
        for (; !NAME(is_empty)(rest); rest = NAME(without_first)(rest)) {
            if (*looked_at >= MAX_LOOKED_AT) return 0;
            ++*looked_at;
            const int card = NAME(first_card)(rest);
            if (sum + values[card] > wanted) continue;
            sum += values[card];
            found |= NAME(card_set)(card);
            if (sum == wanted) {
                *set = found;
                return 1;
            }
        }
        if (NAME(is_empty)(found)) return 0;
        const int last = NAME(last_card)(found);
        found &= ~NAME(card_set)(last);
        sum -= values[last];
        rest = NAME(cards_after)(domain, last);
    }
}

static inline int32_t NAME(sum_of_cards)(SET set, const int32_t *values) {
    int64_t sum = 0;
    for (; !NAME(is_empty)(set); set = NAME(without_first)(set)) sum += values[NAME(first_card)(set)];
    return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : (int32_t)sum;
}

/* Whether there are cards, with values one apart and no two equal: as many values in a row as there are cards. */
static inline int NAME(are_in_sequence)(SET set, const int32_t *values) {
    if (NAME(is_empty)(set)) return 0;
    const int64_t first = values[NAME(first_card)(set)], size = NAME(set_size)(set);
    if (size <= 32) { /* one word has room for all values that can be in a row with the first one */
        uint64_t seen = UINT64_C(1) << 32;
        while (!NAME(is_empty)(set = NAME(without_first)(set))) {
            const uint64_t place = (uint64_t)(values[NAME(first_card)(set)] - first + 32);
            if (place > 63) return 0;
            seen |= UINT64_C(1) << place;
        }
        return seen >> __builtin_ctzll(seen) == (UINT64_C(1) << size) - 1;
    }
    int64_t low = first, high = first;
    uint64_t seen[MAX_CARDS / 32] = {0}; /* the values near the first one, which is in the middle */
    seen[MAX_CARDS / 64] = 1;
    while (!NAME(is_empty)(set = NAME(without_first)(set))) {
        const int64_t value = values[NAME(first_card)(set)];
        low = value < low ? value : low;
        high = value > high ? value : high;
        if (high - low >= size) return 0;
        const uint64_t place = (uint64_t)(value - first + MAX_CARDS);
        if (seen[place / 64] >> (place % 64) & 1) return 0;
        seen[place / 64] |= UINT64_C(1) << (place % 64);
    }
    return 1;
}

/* Lists of ordered zones: links[card] and links[deck_size + zone] lead towards the bottom, back towards the top. */
static inline void NAME(unlink_card)(uint16_t *next, uint16_t *back, int card) {
    next[back[card]] = next[card];
    back[next[card]] = back[card];
}

static inline void NAME(link_card)(uint16_t *next, uint16_t *back, int zone_link, int card) {
    uint16_t top = next[zone_link];
    next[zone_link] = (uint16_t)card;
    back[card] = (uint16_t)zone_link;
    next[card] = top;
    back[top] = (uint16_t)card;
}

static inline void NAME(clear_list)(uint16_t *next, uint16_t *back, int zone_link) {
    next[zone_link] = back[zone_link] = (uint16_t)zone_link;
}

/* Moves one card that is in `from`, given which of the two zones are ordered. */
static inline void NAME(move_between)(int deck_size, SET *sets, uint16_t *next, uint16_t *back, uint32_t from,
                                      int from_ordered, uint32_t to, int to_ordered, int card) {
    SET bit = NAME(card_set)(card);
    sets[from] &= ~bit;
    sets[to] |= bit;
    if (from_ordered) NAME(unlink_card)(next, back, card);
    if (to_ordered) NAME(link_card)(next, back, deck_size + (int)to, card);
}

static inline void NAME(move_card)(const Program *program, SET *sets, uint16_t *next, uint16_t *back, uint32_t from,
                                   uint32_t to, int card) {
    NAME(move_between)(program->deck_size, sets, next, back, from, program->ordered[from], to, program->ordered[to],
                       card);
}

/* Moves so many cards, if there are, from the top of an ordered zone to one that is not ordered. */
static inline void NAME(take_from_top)(int deck_size, SET *sets, uint16_t *next, uint16_t *back, uint32_t from,
                                       uint32_t to, int limit) {
    SET taken = {0};
    int card = next[deck_size + (int)from];
    if (limit > deck_size) limit = deck_size;
    for (int count = 0; count < limit && card < deck_size; count++, card = next[card]) taken |= NAME(card_set)(card);
    next[deck_size + (int)from] = (uint16_t)card;
    back[card] = (uint16_t)(deck_size + (int)from);
    sets[from] &= ~taken;
    sets[to] |= taken;
}

/* The cards of a zone in the order in which they move: from the top, or in deck order; at most `limit`. */
static int NAME(list_cards)(const Program *program, const SET *sets, const uint16_t *next, uint32_t zone, int limit,
                            uint8_t *cards) {
    int count = 0;
    if (program->ordered[zone]) {
        for (int card = next[program->deck_size + (int)zone]; card < program->deck_size && count < limit;
             card = next[card]) {
            if (count == program->deck_size) break;
            cards[count++] = (uint8_t)card;
        }
    } else {
        for (SET rest = sets[zone]; !NAME(is_empty)(rest) && count < limit; rest = NAME(without_first)(rest))
            cards[count++] = (uint8_t)NAME(first_card)(rest);
    }
    return count;
}

static void NAME(move_listed)(const Program *program, Events *events, SET *sets, uint16_t *next, uint16_t *back,
                              uint32_t from, uint32_t to, int count, const uint8_t *cards, int32_t node) {
    for (int n = 0; n < count; n++) NAME(move_card)(program, sets, next, back, from, to, cards[n]);
    if (events && count > 0) {
        event_begin(events, EVENT_MOVE, node);
        event_add(events, (int32_t)from);
        event_add(events, (int32_t)to);
        for (int n = 0; n < count; n++) event_add(events, cards[n]);
    }
}

/* Moves cards one after another to a place of an ordered zone: 1 is the top, past the end is the bottom. */
static void NAME(insert_listed)(const Program *program, Events *events, SET *sets, uint16_t *next, uint16_t *back,
                                uint32_t from, uint32_t to, int count, const uint8_t *cards, int32_t place,
                                int32_t node) {
    const int zone_link = program->deck_size + (int)to;
    for (int n = 0; n < count; n++) {
        NAME(move_card)(program, sets, next, back, from, to, cards[n]);
        if (!program->ordered[to]) continue;
        int above = zone_link;
        NAME(unlink_card)(next, back, cards[n]);
        for (int32_t k = 1; k < place && k <= program->deck_size && next[above] < program->deck_size; k++)
            above = next[above];
        NAME(link_card)(next, back, above, cards[n]);
    }
    if (events && count > 0) {
        event_begin(events, EVENT_MOVE, node);
        event_add(events, (int32_t)from);
        event_add(events, (int32_t)to);
        for (int n = 0; n < count; n++) event_add(events, cards[n]);
    }
}

/* The card at a place of an ordered zone, 1 the top; NONE if there is none. */
static inline int32_t NAME(card_at)(const Program *program, const uint16_t *next, uint32_t zone, int32_t place) {
    int card = next[program->deck_size + (int)zone];
    if (place < 1 || place > program->deck_size) return NONE;
    for (; place > 1 && card < program->deck_size; place--) card = next[card];
    return card < program->deck_size ? card : NONE;
}

/* The place of the first card of an ordered zone that looks like a card, 0 if there is none. */
static inline int32_t NAME(position_of)(const Program *program, const uint16_t *next, uint32_t zone, int32_t card) {
    int32_t place = 1;
    for (int other = next[program->deck_size + (int)zone]; other < program->deck_size; other = next[other], place++) {
        if (alike(program, other, card)) return place;
        if (place == program->deck_size) break;
    }
    return 0;
}

/* The first cards of an ordered zone, along `links` from one end. */
static inline SET NAME(end_cards)(const Program *program, const uint16_t *links, uint32_t zone, int32_t count) {
    SET set = {0};
    int card = links[program->deck_size + (int)zone];
    for (int n = 0; n < count && n < program->deck_size && card < program->deck_size; n++, card = links[card])
        set |= NAME(card_set)(card);
    return set;
}

static __attribute__((noinline)) void NAME(move_all_in_order)(const Program *program, Events *events, SET *sets,
                                                              uint16_t *next, uint16_t *back, uint32_t from,
                                                              uint32_t to, int32_t node) {
    uint8_t cards[MAX_CARDS];
    int count = NAME(list_cards)(program, sets, next, from, MAX_CARDS, cards);
    NAME(move_listed)(program, events, sets, next, back, from, to, count, cards, node);
}

/* Moves all cards of a zone. */
static inline void NAME(move_all)(const Program *program, Events *events, SET *sets, uint16_t *next, uint16_t *back,
                                  uint32_t from, uint32_t to, int32_t node) {
    if (NAME(is_empty)(sets[from])) return;
    if (events || program->ordered[to]) {
        NAME(move_all_in_order)(program, events, sets, next, back, from, to, node);
    } else {
        sets[to] |= sets[from];
        if (from != to) sets[from] = (SET){0};
        if (program->ordered[from]) NAME(clear_list)(next, back, program->deck_size + (int)from);
    }
}

/* Puts an order of cards into a zone that holds them already, or (gathering) into the emptied pack. */
static void NAME(set_order)(const Program *program, SET *sets, uint16_t *next, uint16_t *back, uint32_t zone, int count,
                            const uint8_t *order) {
    SET set = {0};
    int zone_link = program->deck_size + (int)zone, above = zone_link;
    for (int n = 0; n < count; n++) {
        set |= NAME(card_set)(order[n]);
        next[above] = order[n];
        back[order[n]] = (uint16_t)above;
        above = order[n];
    }
    next[above] = (uint16_t)zone_link;
    back[zone_link] = (uint16_t)above;
    sets[zone] = set;
    if (!program->ordered[zone]) NAME(clear_list)(next, back, zone_link);
}

/* Shuffles cards into a list, which is done from its end. */
static inline void NAME(shuffle_into)(uint64_t *random, int count, uint8_t *cards, uint16_t *next, uint16_t *back,
                                      int zone_link) {
    uint64_t chance = *random;
    int below = zone_link;
    for (int n = count - 1; n > 0; n--) {
        int other = (int)random_below(&chance, (uint32_t)n + 1), card = cards[other];
        cards[other] = cards[n];
        next[card] = (uint16_t)below;
        back[below] = (uint16_t)card;
        below = card;
    }
    *random = chance;
    int top = count > 0 ? cards[0] : zone_link;
    next[top] = (uint16_t)below;
    back[below] = (uint16_t)top;
    next[zone_link] = (uint16_t)top;
    back[top] = (uint16_t)zone_link;
}

static void NAME(shuffle)(uint64_t *random, int count, uint8_t *cards) {
    for (int n = count - 1; n > 0; n--) {
        int other = (int)random_below(random, (uint32_t)n + 1);
        uint8_t card = cards[n];
        cards[n] = cards[other];
        cards[other] = card;
    }
}

/* The first of equal copies only, which are neighbours. */
static inline SET NAME(without_copies)(const Program *program, SET set) {
    SET result = {0};
    for (int last = NONE; !NAME(is_empty)(set); set = NAME(without_first)(set)) {
        int card = NAME(first_card)(set);
        if (program->kinds[card] != last) result |= NAME(card_set)(card);
        last = program->kinds[card];
    }
    return result;
}

static void NAME(show)(Events *events, int32_t node, int32_t zone, SET cards, int32_t audience) {
    if (!events || NAME(is_empty)(cards)) return;
    event_begin(events, EVENT_SHOW, node);
    event_add(events, audience);
    event_add(events, zone);
    for (; !NAME(is_empty)(cards); cards = NAME(without_first)(cards)) event_add(events, NAME(first_card)(cards));
}

/* The cards of a set, in deck order; returns their number. */
static inline int NAME(list_set)(SET set, uint8_t *cards) {
    int count = 0;
    for (; !NAME(is_empty)(set); set = NAME(without_first)(set)) cards[count++] = (uint8_t)NAME(first_card)(set);
    return count;
}

/* The card of a set with the highest (or lowest) value, the first of equals; NONE if the set is empty. */
static inline int NAME(best_card)(SET set, const int32_t *values, int highest) {
    int best = NONE, best_value = 0;
    for (; !NAME(is_empty)(set); set = NAME(without_first)(set)) {
        int card = NAME(first_card)(set);
        int32_t value = values[card];
        if (best == NONE || (highest ? value > best_value : value < best_value)) best = card, best_value = value;
    }
    return best;
}

static inline SET NAME(in_play)(const Program *program) {
    SET set;
    memcpy(&set, program->in_play, sizeof set);
    return set;
}

/* Moves all cards of a zone of every player to another zone. */
static inline void NAME(sweep)(const Program *program, Events *events, SET *sets, uint16_t *next, uint16_t *back,
                               uint32_t first, uint32_t to, int32_t node) {
    const uint32_t last = first + (uint32_t)program->players;
    if (!events && !program->ordered[to] && program->ordered[first]) {
        SET all = {0};
        for (uint32_t from = first; from < last; from++) {
            all |= sets[from];
            sets[from] = (SET){0};
            NAME(clear_list)(next, back, program->deck_size + (int)from);
        }
        sets[to] |= all;
        return;
    }
    for (uint32_t from = first; from < last; from++) NAME(move_all)(program, events, sets, next, back, from, to, node);
}

static void NAME(say_cards)(Events *events, SET cards) {
    event_add(events, NAME(set_size)(cards));
    for (; !NAME(is_empty)(cards); cards = NAME(without_first)(cards)) event_add(events, NAME(first_card)(cards));
}
