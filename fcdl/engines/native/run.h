/* The interpreter. interpreter.c includes this for card sets of 64 and of 128 bits, for plain machines and for those
   with fast bit operations, and defines SET (the type of card sets), WIDE and NAME(x) before each inclusion. */

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

/* The cards of a set, in deck order; returns their number. */
static inline int NAME(list_set)(SET set, uint8_t *cards) {
    int count = 0;
    for (; set; set &= set - 1) cards[count++] = (uint8_t)NAME(first_card)(set);
    return count;
}

/* The card of a set with the highest (or lowest) value, the first of equals; NONE if the set is empty. */
static inline int NAME(best_card)(SET set, const int32_t *values, int highest) {
    int best = NONE, best_value = 0;
    for (; set; set &= set - 1) {
        int card = NAME(first_card)(set);
        int32_t value = values[card];
        if (best == NONE || (highest ? value > best_value : value < best_value)) best = card, best_value = value;
    }
    return best;
}

static inline SET NAME(in_play)(const Program *program) {
    SET set = (SET)program->in_play[0];
#if WIDE
    set |= (SET)program->in_play[1] << 64;
#endif
    return set;
}

/* Moves all cards of a zone of every player to another zone. */
static inline void NAME(sweep)(Frame *frame, SET *sets, uint16_t *next, uint16_t *back, uint32_t first, uint32_t to,
                               int32_t node) {
    const Program *program = frame->program;
    const uint32_t last = first + (uint32_t)program->players;
    if (!frame->events && !program->ordered[to] && program->ordered[first]) {
        SET all = 0;
        for (uint32_t from = first; from < last; from++) {
            all |= sets[from];
            sets[from] = 0;
            NAME(clear_list)(next, back, program->deck_size + (int)from);
        }
        sets[to] |= all;
        return;
    }
    for (uint32_t from = first; from < last; from++) NAME(move_all)(frame, sets, next, back, from, to, node);
}

static void NAME(say_cards)(Events *events, SET cards) {
    event_add(events, NAME(set_size)(cards));
    for (; cards; cards &= cards - 1) event_add(events, NAME(first_card)(cards));
}

static inline SET NAME(set_entry)(const Table *table, const SET *entries, int32_t value) {
    value = value < table->low ? table->low : value;
    value = value > table->high ? table->high : value;
    return entries[table->first + (uint32_t)(value - table->low)];
}

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

#define GO_BACK(address) GO(address)
#define LEAVE(what)    \
    do {               \
        result = what; \
        goto leave;    \
    } while (0)
#define NODE program->node_of[i - code]

/* A decision was made: the count of nodes without one starts again. */
#define MOVED                                                                       \
    do {                                                                            \
        moves++;                                                                    \
        steps_left -= loop_start - loop_left;                                       \
        loop_start = loop_left = steps_left < LOOP_LIMIT ? steps_left : LOOP_LIMIT; \
        NEXT;                                                                       \
    } while (0)
/* A random card of the candidates is played, with nobody watching. */
#define PLAY_FAST                                                                                            \
    do {                                                                                                     \
        if (!candidates) goto no_legal_move;                                                                 \
        card = NAME(nth_card)(candidates, (int)random_below(&random, (uint32_t)NAME(set_size)(candidates))); \
        NAME(move_card)(program, m, next, back, from, to, card);                                             \
        MOVED;                                                                                               \
    } while (0)
#define CARD_DECISION(a, b, c, d, e, f)                 \
    do {                                                \
        if (!IS_PLAYER(a) || !IS_PLAYER(f)) goto fault; \
        from = (c);                                     \
        candidates = 0;                                 \
        if (IS_PLAYER(d)) {                             \
            from = ZONE(c, d);                          \
            candidates = m[from] & m[b];                \
        }                                               \
        to = ZONE(e, f);                                \
        goto choose_card;                               \
    } while (0)
/* An instruction, by its opcode. */
#define CASE_OF(name, operands)                                \
    do_##name : DO_##name(i->a, i->b, i->c, i->d, i->e, i->f); \
    NEXT;

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
    int32_t loop_left = header->loop_left, loop_start = loop_left, steps_left = header->steps_left,
            moves = header->moves;
    const int playing_fast = (mode & RANDOM_MOVES) && !frame->events && !program->copy_distance;
    uint64_t random = frame->random;
    uint32_t from, to, who = 0;
    SET candidates;
    int kind, card, result;

    loop_left += ip->steps; /* counted when the game stopped here */

    NEXT;

    OPCODES(CASE_OF)

choose_card:
    if (program->copy_distance) candidates = NAME(without_copies)(candidates, program->copy_distance, deck_size);
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
    if (kind == KIND_PLAY_OR_PASS) v[program->passed + v[who]] = card == PASS;
    if (card != PASS) NAME(move_card)(program, m, next, back, from, to, card);
    if (frame->events) {
        event_begin(frame->events, card == PASS ? EVENT_PASS : kind == KIND_PICK ? EVENT_PICK : EVENT_PLAY, NODE);
        event_add(frame->events, v[who]);
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

decision:
    header->status = DECISION;
    header->kind = kind;
    header->mover = v[who];
    header->node = NODE;
    result = RESULT_DECISION;
    goto leave;
illegal:
    frame->has_move = 0;
    result = RESULT_ILLEGAL;
    goto leave;
chance:
    result = RESULT_CHANCE;
    goto leave;
end:
    header->reason = REASON_END;
    header->node = NODE;
    goto over;
no_legal_move:
    header->reason = REASON_NO_LEGAL_MOVE;
    header->node = NODE;
    goto over;
fault:
    header->reason = REASON_FAULT;
    header->node = NODE;
    goto over;
stalemate:
    moves++;
    header->reason = REASON_STALEMATE;
    header->node = NODE;
    goto over;
out_of_fuel:
    if (mode & FUNCTION_CALL) {
        result = RESULT_VALUE;
        goto leave;
    }
    header->reason = REASON_STEP_LIMIT;
    header->node = NODE;
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

#undef NEXT
#undef GO
#undef GO_IF
#undef GO_BACK
#undef LEAVE
#undef NODE
#undef MOVED
#undef PLAY_FAST
#undef CARD_DECISION
#undef CASE_OF
