/* The interpreter. Included for card sets of 64 and of 128 bits, for plain machines and for those with fast bit
   operations: _engine.c defines SET (the type of card sets), WIDE and NAME(x) before each inclusion. */

static inline int NAME(set_size)(SET set) {
#if WIDE
    return __builtin_popcountll((uint64_t)set) + __builtin_popcountll((uint64_t)(set >> 64));
#else
    return __builtin_popcountll(set);
#endif
}

/* The first card of a set that is not empty. */
static inline int NAME(first_card)(SET set) {
#if WIDE
    return (uint64_t)set ? __builtin_ctzll((uint64_t)set) : 64 + __builtin_ctzll((uint64_t)(set >> 64));
#else
    return __builtin_ctzll(set);
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
#if WIDE
    int low = __builtin_popcountll((uint64_t)set);
    return n < low ? NAME(nth_of_word)((uint64_t)set, n) : 64 + NAME(nth_of_word)((uint64_t)(set >> 64), n - low);
#else
    return NAME(nth_of_word)(set, n);
#endif
}

static inline SET NAME(card_set)(int card) { return (SET)1 << card; }

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

/* Moves one card that is in `from`. */
static inline void NAME(move_card)(const Program *program, SET *sets, uint16_t *next, uint16_t *back, uint32_t from,
                                   uint32_t to, int card) {
    SET bit = NAME(card_set)(card);
    sets[from] &= ~bit;
    sets[to] |= bit;
    if (program->ordered[from]) NAME(unlink_card)(next, back, card);
    if (program->ordered[to]) NAME(link_card)(next, back, program->deck_size + (int)to, card);
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
        for (SET rest = sets[zone]; rest && count < limit; rest &= rest - 1)
            cards[count++] = (uint8_t)NAME(first_card)(rest);
    }
    return count;
}

static void NAME(move_listed)(Frame *frame, SET *sets, uint16_t *next, uint16_t *back, uint32_t from, uint32_t to,
                              int count, const uint8_t *cards, int32_t node) {
    for (int n = 0; n < count; n++) NAME(move_card)(frame->program, sets, next, back, from, to, cards[n]);
    if (frame->events && count > 0) {
        event_begin(frame->events, EVENT_MOVE, node);
        event_add(frame->events, (int32_t)from);
        event_add(frame->events, (int32_t)to);
        for (int n = 0; n < count; n++) event_add(frame->events, cards[n]);
    }
}

/* Moves all cards of a zone. */
static inline void NAME(move_all)(Frame *frame, SET *sets, uint16_t *next, uint16_t *back, uint32_t from, uint32_t to,
                                  int32_t node) {
    const Program *program = frame->program;
    uint8_t cards[MAX_CARDS];
    if (!sets[from]) return;
    if (frame->events || program->ordered[to]) {
        int count = NAME(list_cards)(program, sets, next, from, MAX_CARDS, cards);
        NAME(move_listed)(frame, sets, next, back, from, to, count, cards, node);
    } else {
        sets[to] |= sets[from];
        if (from != to) sets[from] = 0;
        if (program->ordered[from]) NAME(clear_list)(next, back, program->deck_size + (int)from);
    }
}

/* Puts an order of cards into a zone that holds them already, or (gathering) into the emptied pack. */
static void NAME(set_order)(const Program *program, SET *sets, uint16_t *next, uint16_t *back, uint32_t zone, int count,
                            const uint8_t *order) {
    SET set = 0;
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

static void NAME(shuffle)(uint64_t *random, int count, uint8_t *cards) {
    for (int n = count - 1; n > 0; n--) {
        int other = (int)random_below(random, (uint32_t)n + 1);
        uint8_t card = cards[n];
        cards[n] = cards[other];
        cards[other] = card;
    }
}

/* The first of equal copies only. */
static inline SET NAME(without_copies)(SET set, int distance, int deck_size) {
    SET result = set;
    for (int shift = distance; shift < deck_size; shift += distance) result &= ~(set << shift);
    return result;
}

static void NAME(show)(Frame *frame, int32_t node, int32_t zone, SET cards, int32_t audience) {
    if (!frame->events || !cards) return;
    event_begin(frame->events, EVENT_SHOW, node);
    event_add(frame->events, audience);
    event_add(frame->events, zone);
    for (; cards; cards &= cards - 1) event_add(frame->events, NAME(first_card)(cards));
}

#define ENTRY(table, value) (*table_entry(&tables[table], entries, value))
/* A table with an entry for every card needs no clamping. */
#define CARD_ENTRY(table, card) (entries[tables[table].first + (uint32_t)((card) + 1)])
#define TOP_OF(zone) (next[deck_size + (int)(zone)] < deck_size ? (int32_t)next[deck_size + (int)(zone)] : NONE)
#define IS_PLAYER(slot) ((uint32_t)v[slot] < players)
#define ZONE(base, slot) ((base) + (uint32_t)v[slot])
#define TOP_AT(base, slot) (IS_PLAYER(slot) ? TOP_OF(ZONE(base, slot)) : NONE)
#define CARDS_AT(base, slot) (IS_PLAYER(slot) ? m[ZONE(base, slot)] : (SET)0)
/* On to the next instruction. Written out after each one, so that the processor learns what usually follows what. */
#define NEXT                                                     \
    do {                                                         \
        i = ip++;                                                \
        loop_left -= i->steps;                                   \
        if (__builtin_expect(loop_left < 0, 0)) goto step_limit; \
        goto *labels[i->op];                                     \
    } while (0)
#define GO(target)            \
    do {                      \
        ip = code + (target); \
        NEXT;                 \
    } while (0)
#define GO_IF(condition, target)             \
    do {                                     \
        if (condition) ip = code + (target); \
        NEXT;                                \
    } while (0)

/* A decision was made: the count of nodes without one starts again. */
#define MOVED                                                                      \
    do {                                                                           \
        moves++;                                                                   \
        steps_left -= loop_start - loop_left;                                      \
        loop_start = loop_left = steps_left < LOOP_LIMIT ? steps_left : LOOP_LIMIT; \
        NEXT;                                                                      \
    } while (0)
/* A random card of the candidates is played, with nobody watching. */
#define PLAY_FAST                                                                                  \
    do {                                                                                           \
        card = NAME(nth_card)(candidates, (int)random_below(&random, (uint32_t)NAME(set_size)(candidates))); \
        NAME(move_card)(program, m, next, back, from, to, card);                                   \
        MOVED;                                                                                     \
    } while (0)

static inline SET NAME(set_entry)(const Table *table, const SET *entries, int32_t value) {
    value = value < table->low ? table->low : value;
    value = value > table->high ? table->high : value;
    return entries[table->first + (uint32_t)(value - table->low)];
}
#define SET_ENTRY(table, value) NAME(set_entry)(&set_tables[table], set_entries, value)

/* Runs until a decision (mode RANDOM_MOVES: through it), a question to chance (RANDOM_CHANCE: through it), the end, or
   what else the mode says. */
static KEEP_JUMPS int NAME(run)(Frame *frame, int mode) {
#define LABEL_OF(name, operands) &&do_##name,
    static const void *const labels[] = {OPCODES(LABEL_OF)};
#undef LABEL_OF
    const Program *const program = frame->program;
    const Instruction *const code = program->code;
    const Table *const tables = program->tables, *const set_tables = program->set_tables;
    const int32_t *const entries = program->entries;
    const SET *const set_entries = (const SET *)(const void *)program->set_entries;
    const uint32_t players = (uint32_t)program->players;
    const int deck_size = program->deck_size;
    int32_t *const v = (int32_t *)(void *)frame->memory;
    SET *const m = (SET *)(void *)(frame->memory + program->sets_at);
    uint16_t *const next = next_links(frame), *const back = next + program->links;
    Header *const header = frame->header;
    const Instruction *ip = code + frame->at, *i;
    int32_t loop_left = header->loop_left, loop_start = loop_left, steps_left = header->steps_left, moves = header->moves;
    const int playing_fast = (mode & RANDOM_MOVES) && !frame->events && !program->copy_distance;
    uint64_t random = frame->random;
    uint32_t from, to;
    SET candidates;
    int kind, card, result;

    loop_left += ip->steps; /* counted when the game stopped here */

    NEXT;

    do_COPY: v[i->a] = v[i->b]; NEXT;
    do_ADD: v[i->a] = saturated((int64_t)v[i->b] + v[i->c]); NEXT;
    do_SUB: v[i->a] = saturated((int64_t)v[i->b] - v[i->c]); NEXT;
    do_MUL: v[i->a] = saturated((int64_t)v[i->b] * v[i->c]); NEXT;
    do_DIV: v[i->a] = floor_divide(v[i->b], v[i->c]); NEXT;
    do_MOD: v[i->a] = floor_modulo(v[i->b], v[i->c]); NEXT;
    do_MIN: v[i->a] = v[i->b] < v[i->c] ? v[i->b] : v[i->c]; NEXT;
    do_MAX: v[i->a] = v[i->b] > v[i->c] ? v[i->b] : v[i->c]; NEXT;
    do_NEG: v[i->a] = saturated(-(int64_t)v[i->b]); NEXT;
    do_ABS: v[i->a] = v[i->b] < 0 ? saturated(-(int64_t)v[i->b]) : v[i->b]; NEXT;
    do_EQ: v[i->a] = v[i->b] == v[i->c]; NEXT;
    do_NE: v[i->a] = v[i->b] != v[i->c]; NEXT;
    do_LT: v[i->a] = v[i->b] < v[i->c]; NEXT;
    do_LE: v[i->a] = v[i->b] <= v[i->c]; NEXT;
    do_AND: v[i->a] = v[i->b] & v[i->c]; NEXT;
    do_OR: v[i->a] = v[i->b] | v[i->c]; NEXT;
    do_NOT: v[i->a] = !v[i->b]; NEXT;
    do_TABLE: v[i->a] = ENTRY(i->b, v[i->c]); NEXT;
    do_LOADP: v[i->a] = IS_PLAYER(i->c) ? v[ZONE(i->b, i->c)] : v[i->d]; NEXT;
    do_STOREP:
        if (!IS_PLAYER(i->b)) goto fault;
        v[ZONE(i->a, i->b)] = v[i->c];
        NEXT;
    do_ADDP:
        if (!IS_PLAYER(i->b)) goto fault;
        v[ZONE(i->a, i->b)] = saturated((int64_t)v[ZONE(i->a, i->b)] + v[i->c]);
        NEXT;
    do_RANDOM:
        if (v[i->b] < 2) {
            v[i->a] = 0;
        } else if (mode & RANDOM_CHANCE) {
            v[i->a] = (int32_t)random_below(&random, (uint32_t)v[i->b]);
        } else if (frame->answered) {
            frame->answered = 0;
            v[i->a] = frame->number;
        } else {
            frame->ask = ASK_NUMBER;
            frame->number = v[i->b];
            goto chance;
        }
        NEXT;

    do_COUNT: v[i->a] = NAME(set_size)(m[i->b]); NEXT;
    do_COUNTBOTH: v[i->a] = NAME(set_size)(m[i->b] & m[i->c]); NEXT;
    do_WEIGH: v[i->a] = saturated(v[i->a] + (int64_t)v[i->d] * NAME(set_size)(m[i->b] & m[i->c])); NEXT;
    do_MEMBER: v[i->a] = (uint32_t)v[i->b] < (uint32_t)deck_size && (m[i->c] >> v[i->b] & 1); NEXT;
    do_FIRST: v[i->a] = m[i->b] ? NAME(first_card)(m[i->b]) : NONE; NEXT;
    do_MAXBY: {
        int best = NONE, best_value = 0;
        for (SET rest = m[i->b]; rest; rest &= rest - 1) {
            int32_t value = CARD_ENTRY(i->c, NAME(first_card)(rest));
            if (best == NONE || value > best_value) best = NAME(first_card)(rest), best_value = value;
        }
        v[i->a] = best;
        NEXT;
    }
    do_MINBY: {
        int best = NONE, best_value = 0;
        for (SET rest = m[i->b]; rest; rest &= rest - 1) {
            int32_t value = CARD_ENTRY(i->c, NAME(first_card)(rest));
            if (best == NONE || value < best_value) best = NAME(first_card)(rest), best_value = value;
        }
        v[i->a] = best;
        NEXT;
    }
    do_TOP: v[i->a] = TOP_AT(i->b, i->c); NEXT;
    do_BOTTOM: {
        int32_t bottom = NONE;
        if (IS_PLAYER(i->c)) {
            bottom = back[deck_size + (int)ZONE(i->b, i->c)];
            if (bottom >= deck_size) bottom = NONE;
        }
        v[i->a] = bottom;
        NEXT;
    }
    do_TOPTABLE: v[i->a] = CARD_ENTRY(i->b, TOP_AT(i->c, i->d)); NEXT;
    do_SUMTOPS: {
        int64_t sum = 0;
        for (uint32_t seat = 0; seat < players; seat++) sum += CARD_ENTRY(i->b, TOP_OF(i->c + seat));
        v[i->a] = saturated(sum);
        NEXT;
    }

    do_MCOPY: m[i->a] = m[i->b]; NEXT;
    do_MZONE: m[i->a] = CARDS_AT(i->b, i->c); NEXT;
    do_MTABLE: m[i->a] = SET_ENTRY(i->b, v[i->c]); NEXT;
    do_MAND: m[i->a] = m[i->b] & m[i->c]; NEXT;
    do_MOR: m[i->a] = m[i->b] | m[i->c]; NEXT;
    do_MDIFF: m[i->a] = m[i->b] & ~m[i->c]; NEXT;

    do_EACHCARD:
        if (!m[i->b]) GO(i->c);
        v[i->a] = NAME(first_card)(m[i->b]);
        m[i->b] &= m[i->b] - 1;
        NEXT;
    do_AGAINCARD:
        if (!m[i->b]) NEXT;
        v[i->a] = NAME(first_card)(m[i->b]);
        m[i->b] &= m[i->b] - 1;
        if (--frame->fuel < 0) goto out_of_fuel;
        GO(i->c);
    do_AGAIN:
        if (v[i->a] >= v[i->b]) NEXT;
        v[i->a]++;
        if (--frame->fuel < 0) goto out_of_fuel;
        GO(i->c);

    do_JUMP: GO(i->a);
    do_JT: GO_IF(v[i->a], i->b);
    do_JF: GO_IF(!v[i->a], i->b);
    do_JEQ: GO_IF(v[i->a] == v[i->b], i->c);
    do_JNE: GO_IF(v[i->a] != v[i->b], i->c);
    do_JLT: GO_IF(v[i->a] < v[i->b], i->c);
    do_JLE: GO_IF(v[i->a] <= v[i->b], i->c);
    do_TABLEJNE: v[i->a] = ENTRY(i->b, v[i->c]); GO_IF(v[i->a] != v[i->d], i->e);
    do_JMEETS: GO_IF((CARDS_AT(i->a, i->b) & m[i->c]) != 0, i->d);
    do_JMEETSNOT: GO_IF((CARDS_AT(i->a, i->b) & m[i->c]) == 0, i->d);
    do_JANYTOP: {
        int32_t any = 0;
        for (uint32_t seat = 0; seat < players; seat++) any |= CARD_ENTRY(i->a, TOP_OF(i->b + seat));
        GO_IF(any, i->c);
    }
    do_JHAS: GO_IF((m[i->a] & m[i->b]) != 0, i->c);
    do_JHASNOT: GO_IF((m[i->a] & m[i->b]) == 0, i->c);
    do_JEMPTY: GO_IF(m[i->a] == 0, i->b);
    do_JFULL: GO_IF(m[i->a] != 0, i->b);
    do_JTABLE: GO_IF(ENTRY(i->a, v[i->b]) != 0, i->c);
    do_JTABLENOT: GO_IF(ENTRY(i->a, v[i->b]) == 0, i->c);
    do_JZHAS: GO_IF((CARDS_AT(i->a, i->b) & SET_ENTRY(i->c, v[i->d])) != 0, i->e);
    do_JZHASNOT: GO_IF((CARDS_AT(i->a, i->b) & SET_ENTRY(i->c, v[i->d])) == 0, i->e);
    do_JZEMPTY: GO_IF(CARDS_AT(i->a, i->b) == 0, i->c);
    do_JZFULL: GO_IF(CARDS_AT(i->a, i->b) != 0, i->c);
    do_JTOP: GO_IF(CARD_ENTRY(i->a, TOP_AT(i->b, i->c)) != 0, i->d);
    do_JTOPNOT: GO_IF(CARD_ENTRY(i->a, TOP_AT(i->b, i->c)) == 0, i->d);
    do_JTOPLT: GO_IF(CARD_ENTRY(i->a, TOP_AT(i->b, i->c)) < CARD_ENTRY(i->a, TOP_AT(i->d, i->e)), i->f);
    do_JTOPNLT: GO_IF(!(CARD_ENTRY(i->a, TOP_AT(i->b, i->c)) < CARD_ENTRY(i->a, TOP_AT(i->d, i->e))), i->f);

    do_STEP: NEXT;
    do_PAUSE:
        if (!(mode & ONE_PASS)) NEXT;
        result = RESULT_PASS;
        goto leave;
    do_STOP:
        result = RESULT_VALUE;
        goto leave;
    do_CALL:
        v[i->a] = i->b;
        GO(i->c);
    do_RETURN:
        if ((uint32_t)v[i->a] >= i->c) goto fault;
        GO(program->returns[i->b + (uint32_t)v[i->a]]);
    do_END:
        header->reason = REASON_END;
        header->node = program->node_of[i - code];
        goto over;
    do_FAULT:
        if (!IS_PLAYER(i->a)) goto fault;
        NEXT;

    do_GATHER: {
        if (mode & ONE_HAND) {
            result = RESULT_HAND;
            goto leave;
        }
        int count = 0;
        uint8_t cards[MAX_CARDS];
        SET in_play = (SET)program->in_play[0];
#if WIDE
        in_play |= (SET)program->in_play[1] << 64;
#endif
        for (SET rest = in_play; rest; rest &= rest - 1) cards[count++] = (uint8_t)NAME(first_card)(rest);
        if (mode & RANDOM_CHANCE) {
            NAME(shuffle)(&random, count, cards);
        } else if (frame->answered) {
            frame->answered = 0;
            memcpy(cards, frame->order, (size_t)count);
        } else {
            frame->ask = ASK_ORDER;
            frame->order_size = count;
            memcpy(frame->order, cards, (size_t)count);
            goto chance;
        }
        for (uint32_t zone = 0; zone < program->zone_slots; zone++) {
            m[zone] = 0;
            NAME(clear_list)(next, back, deck_size + (int)zone);
        }
        NAME(set_order)(program, m, next, back, (uint32_t)program->pack, count, cards);
        if (frame->events) {
            event_begin(frame->events, EVENT_SHUFFLE, program->node_of[i - code]);
            event_add(frame->events, program->pack);
            event_add(frame->events, count);
        }
        NEXT;
    }
    do_SHUFFLE: {
        if (!IS_PLAYER(i->b)) goto fault;
        uint32_t zone = ZONE(i->a, i->b);
        int count = 0;
        uint8_t cards[MAX_CARDS];
        for (SET rest = m[zone]; rest; rest &= rest - 1) cards[count++] = (uint8_t)NAME(first_card)(rest);
        if (count >= 2) {
            if (mode & RANDOM_CHANCE) {
                NAME(shuffle)(&random, count, cards);
            } else if (frame->answered) {
                frame->answered = 0;
                memcpy(cards, frame->order, (size_t)count);
            } else {
                frame->ask = ASK_ORDER;
                frame->order_size = count;
                memcpy(frame->order, cards, (size_t)count);
                goto chance;
            }
            NAME(set_order)(program, m, next, back, zone, count, cards);
        }
        if (frame->events) {
            event_begin(frame->events, EVENT_SHUFFLE, program->node_of[i - code]);
            event_add(frame->events, (int32_t)zone);
            event_add(frame->events, count);
        }
        NEXT;
    }
    do_MOVEN: {
        if (!IS_PLAYER(i->e)) goto fault;
        if (!IS_PLAYER(i->c) || v[i->a] < 1) NEXT;
        uint8_t cards[MAX_CARDS];
        from = ZONE(i->b, i->c);
        to = ZONE(i->d, i->e);
        int count = NAME(list_cards)(program, m, next, from, v[i->a], cards);
        NAME(move_listed)(frame, m, next, back, from, to, count, cards, program->node_of[i - code]);
        NEXT;
    }
    do_MOVEALL:
        if (!IS_PLAYER(i->d)) goto fault;
        if (IS_PLAYER(i->b))
            NAME(move_all)(frame, m, next, back, ZONE(i->a, i->b), ZONE(i->c, i->d), program->node_of[i - code]);
        NEXT;
    do_MOVESET: {
        if (!IS_PLAYER(i->e)) goto fault;
        if (!IS_PLAYER(i->c)) NEXT;
        uint8_t cards[MAX_CARDS];
        int count = 0;
        from = ZONE(i->b, i->c);
        to = ZONE(i->d, i->e);
        for (SET rest = m[from] & m[i->a]; rest; rest &= rest - 1) cards[count++] = (uint8_t)NAME(first_card)(rest);
        NAME(move_listed)(frame, m, next, back, from, to, count, cards, program->node_of[i - code]);
        NEXT;
    }
    do_SWEEP:
        if (!IS_PLAYER(i->c)) goto fault;
        to = ZONE(i->b, i->c);
        if (!frame->events && !program->ordered[to] && program->ordered[i->a]) {
            SET all = 0;
            for (from = i->a; from < i->a + players; from++) {
                all |= m[from];
                m[from] = 0;
                NAME(clear_list)(next, back, deck_size + (int)from);
            }
            m[to] |= all;
            NEXT;
        }
        for (uint32_t seat = 0; seat < players; seat++)
            NAME(move_all)(frame, m, next, back, i->a + seat, ZONE(i->b, i->c), program->node_of[i - code]);
        NEXT;

    do_PLAY:
        kind = KIND_PLAY;
        if (playing_fast && IS_PLAYER(i->a) && IS_PLAYER(i->f) && IS_PLAYER(i->d)) {
            from = ZONE(i->c, i->d);
            to = ZONE(i->e, i->f);
            candidates = m[from] & m[i->b];
            if (!candidates) goto no_legal_move;
            PLAY_FAST;
        }
        goto card_decision;
    do_PLAYPASS:
        kind = KIND_PLAY_OR_PASS;
        goto card_decision;
    do_PICK:
        kind = KIND_PICK;
    card_decision:
        if (!IS_PLAYER(i->a) || !IS_PLAYER(i->f)) goto fault;
        from = i->c;
        candidates = 0;
        if (IS_PLAYER(i->d)) {
            from = ZONE(i->c, i->d);
            candidates = m[from] & m[i->b];
        }
        to = ZONE(i->e, i->f);
        goto choose_card;
    do_PLAYT:
        kind = KIND_PLAY;
        if (!IS_PLAYER(i->a) || !IS_PLAYER(i->f)) goto fault;
        from = ZONE(i->d, i->a);
        to = ZONE(i->e, i->f);
        candidates = m[from] & SET_ENTRY(i->b, v[i->c]);
        if (playing_fast) {
            if (!candidates) goto no_legal_move;
            PLAY_FAST;
        }
    choose_card:
        if (program->copy_distance)
            candidates = NAME(without_copies)(candidates, program->copy_distance, deck_size);
        if (kind == KIND_PLAY && !candidates) goto no_legal_move;
        if (kind == KIND_PICK && (!candidates || v[program->picks_left] < 1)) {
            v[program->picks_left] = 0;
            NEXT;
        }
        if (mode & RANDOM_MOVES) {
            uint32_t count = (uint32_t)NAME(set_size)(candidates);
            uint32_t chosen = random_below(&random, count + (kind == KIND_PLAY_OR_PASS));
            card = chosen == count ? PASS : NAME(nth_card)(candidates, (int)chosen);
        } else if (frame->has_move) {
            card = frame->move;
            if (card == PASS ? kind != KIND_PLAY_OR_PASS
                             : (uint32_t)card >= (uint32_t)deck_size || !(candidates >> card & 1))
                goto illegal;
            frame->has_move = 0;
        } else {
            frame->legal[0] = (uint64_t)candidates;
#if WIDE
            frame->legal[1] = (uint64_t)(candidates >> 64);
#endif
            goto decision;
        }
        if (kind == KIND_PLAY_OR_PASS) v[program->passed + v[i->a]] = card == PASS;
        if (card != PASS) NAME(move_card)(program, m, next, back, from, to, card);
        if (frame->events) {
            event_begin(frame->events, card == PASS ? EVENT_PASS : kind == KIND_PICK ? EVENT_PICK : EVENT_PLAY,
                        program->node_of[i - code]);
            event_add(frame->events, v[i->a]);
            if (card != PASS) {
                event_add(frame->events, (int32_t)from);
                event_add(frame->events, (int32_t)to);
                event_add(frame->events, card);
            }
        }
        if (kind == KIND_PICK) v[program->picks_left]--;
        if (card == PASS) {
            header->passes = moves == header->last_pass + 1 ? header->passes + 1 : 1;
            header->last_pass = moves;
            if (header->passes >= PASS_LIMIT) goto stalemate;
        }
        MOVED;

    do_REPICK:
        if (v[program->picks_left] < 1) NEXT;
        if (--frame->fuel < 0) goto out_of_fuel;
        GO(i->a);
    do_VALUES: frame->value_count = 0; NEXT;
    do_VALUE: {
        int n = 0;
        while (n < frame->value_count && frame->values[n] != v[i->a]) n++;
        if (n == frame->value_count && n < MAX_VALUES) frame->values[frame->value_count++] = v[i->a];
        NEXT;
    }
    do_RANGE: {
        int64_t low = v[i->a], high = v[i->b];
        if (high > low + MAX_RANGE - 1) high = low + MAX_RANGE - 1;
        int others = frame->value_count;
        for (; low <= high && frame->value_count < MAX_VALUES; low++) {
            int n = 0;
            while (n < others && frame->values[n] != low) n++;
            if (n == others) frame->values[frame->value_count++] = (int32_t)low;
        }
        NEXT;
    }
    do_CHOOSE: {
        kind = KIND_CHOOSE;
        int32_t value;
        if (!IS_PLAYER(i->a) || !IS_PLAYER(i->c)) goto fault;
        if (frame->value_count < 1) goto no_legal_move;
        if (mode & RANDOM_MOVES) {
            value = frame->values[random_below(&random, (uint32_t)frame->value_count)];
        } else if (frame->has_move) {
            int n = 0;
            value = frame->move;
            while (n < frame->value_count && frame->values[n] != value) n++;
            if (n == frame->value_count) goto illegal;
            frame->has_move = 0;
        } else {
            goto decision;
        }
        if (frame->events) { /* before the value is written: `choose(p, p, players)` may write who chooses */
            event_begin(frame->events, EVENT_CHOOSE, program->node_of[i - code]);
            event_add(frame->events, v[i->a]);
            event_add(frame->events, v[i->c]);
            event_add(frame->events, value);
        }
        v[ZONE(i->b, i->c)] = value;
        MOVED;
    }

    do_TELL:
        if (frame->events) {
            event_begin(frame->events, EVENT_ASSIGN, i->a);
            event_add(frame->events, i->b);
            event_add(frame->events, v[i->c]);
            event_add(frame->events, v[i->d]);
        }
        NEXT;
    do_BRANCH:
        if (frame->events) {
            event_begin(frame->events, EVENT_BRANCH, i->a);
            event_add(frame->events, i->b);
        }
        NEXT;
    do_PUBLISH:
        if (frame->events) event_begin(frame->events, EVENT_PUBLISH, i->a);
        NEXT;
    do_SAY:
        if (frame->events) event_add(frame->events, v[i->a]);
        NEXT;
    do_SAYCARDS:
        if (frame->events) {
            event_add(frame->events, NAME(set_size)(m[i->a]));
            for (SET rest = m[i->a]; rest; rest &= rest - 1) event_add(frame->events, NAME(first_card)(rest));
        }
        NEXT;
    do_SHOW: NAME(show)(frame, i->a, NONE, m[i->b], v[i->c]); NEXT;
    do_SHOWZONE:
        if (IS_PLAYER(i->c)) NAME(show)(frame, i->a, (int32_t)ZONE(i->b, i->c), m[ZONE(i->b, i->c)], v[i->d]);
        NEXT;

decision:
    header->status = DECISION;
    header->kind = kind;
    header->mover = v[i->a];
    header->node = program->node_of[i - code];
    result = RESULT_DECISION;
    goto leave;
illegal:
    frame->has_move = 0;
    result = RESULT_ILLEGAL;
    goto leave;
chance:
    result = RESULT_CHANCE;
    goto leave;
no_legal_move:
    header->reason = REASON_NO_LEGAL_MOVE;
    header->node = program->node_of[i - code];
    goto over;
fault:
    header->reason = REASON_FAULT;
    header->node = program->node_of[i - code];
    goto over;
stalemate:
    moves++;
    header->reason = REASON_STALEMATE;
    header->node = program->node_of[i - code];
    goto over;
out_of_fuel:
    if (mode & FUNCTION_CALL) {
        result = RESULT_VALUE;
        goto leave;
    }
    header->reason = REASON_STEP_LIMIT;
    header->node = program->node_of[i - code];
    goto over;
step_limit:
    header->reason = REASON_STEP_LIMIT;
    header->node = program->arrival_nodes[program->arrivals[i - code] + (uint32_t)(loop_left + i->steps)];
    goto over;
over:
    header->status = OVER;
    header->mover = NONE;
    if (frame->events) {
        event_begin(frame->events, EVENT_END, header->node);
        event_add(frame->events, header->reason);
    }
    result = RESULT_OVER;
leave:
    loop_left = loop_left < 0 ? 0 : loop_left;
    header->steps_left = steps_left - (loop_start - loop_left);
    header->loop_left = loop_left;
    header->moves = moves;
    frame->at = (uint32_t)(i - code);
    frame->random = random;
    return result;
}

#undef ENTRY
#undef CARD_ENTRY
#undef SET_ENTRY
#undef TOP_OF
#undef IS_PLAYER
#undef ZONE
#undef TOP_AT
#undef CARDS_AT
#undef NEXT
#undef MOVED
#undef PLAY_FAST
#undef GO
#undef GO_IF
