/* What each instruction does, one macro for each: DO_NAME(a, b, c, d, e, f) with the operands that opcodes.py says.

   Whoever uses them has the locals of the interpreter (run.h): v and m, next and back, tables, frame, mode and so on, and
   says what these mean: NEXT (on to the next instruction), GO(target), GO_IF(condition, target), GO_BACK(address),
   LEAVE(result), NODE (the node of the instruction), MOVED (a decision was made), PLAY_FAST, CARD_DECISION, and the
   labels fault, chance, decision, illegal, no_legal_move, out_of_fuel, end and choose_card. Operands may be constants:
   code made for one program can use the same bodies. */

#ifndef FCDL_BODIES_H
#define FCDL_BODIES_H

/* --- what they share */

#define ENTRY(table, value) (*table_entry(&tables[table], entries, value))
/* A table with an entry for every card needs no clamping. */
#define CARD_ENTRY(table, card) (entries[tables[table].first + (uint32_t)((card) + 1)])
#define SET_ENTRY(table, value) NAME(set_entry)(&set_tables[table], set_entries, value)
#define IS_PLAYER(slot) ((uint32_t)v[slot] < players)
#define ZONE(base, slot) ((base) + (uint32_t)v[slot])
#define CARD_OR_NONE(link) ((link) < deck_size ? (int32_t)(link) : NONE)
#define TOP_OF(zone) CARD_OR_NONE(next[deck_size + (int)(zone)])
#define BOTTOM_OF(zone) CARD_OR_NONE(back[deck_size + (int)(zone)])
#define TOP_AT(base, slot) (IS_PLAYER(slot) ? TOP_OF(ZONE(base, slot)) : NONE)
#define CARDS_AT(base, slot) (IS_PLAYER(slot) ? m[ZONE(base, slot)] : (SET)0)
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
#define TELL_SHUFFLE(zone, count)                            \
    do {                                                     \
        if (frame->events) {                                 \
            event_begin(frame->events, EVENT_SHUFFLE, NODE); \
            event_add(frame->events, zone);                  \
            event_add(frame->events, count);                 \
        }                                                    \
    } while (0)

/* --- numbers */

#define DO_COPY(a, b, c, d, e, f) v[a] = v[b]
#define DO_ADD(a, b, c, d, e, f) v[a] = saturated((int64_t)v[b] + v[c])
#define DO_SUB(a, b, c, d, e, f) v[a] = saturated((int64_t)v[b] - v[c])
#define DO_MUL(a, b, c, d, e, f) v[a] = saturated((int64_t)v[b] * v[c])
#define DO_DIV(a, b, c, d, e, f) v[a] = floor_divide(v[b], v[c])
#define DO_MOD(a, b, c, d, e, f) v[a] = floor_modulo(v[b], v[c])
#define DO_MIN(a, b, c, d, e, f) v[a] = v[b] < v[c] ? v[b] : v[c]
#define DO_MAX(a, b, c, d, e, f) v[a] = v[b] > v[c] ? v[b] : v[c]
#define DO_NEG(a, b, c, d, e, f) v[a] = saturated(-(int64_t)v[b])
#define DO_ABS(a, b, c, d, e, f) v[a] = v[b] < 0 ? saturated(-(int64_t)v[b]) : v[b]
#define DO_EQ(a, b, c, d, e, f) v[a] = v[b] == v[c]
#define DO_NE(a, b, c, d, e, f) v[a] = v[b] != v[c]
#define DO_LT(a, b, c, d, e, f) v[a] = v[b] < v[c]
#define DO_LE(a, b, c, d, e, f) v[a] = v[b] <= v[c]
#define DO_AND(a, b, c, d, e, f) v[a] = v[b] & v[c]
#define DO_OR(a, b, c, d, e, f) v[a] = v[b] | v[c]
#define DO_NOT(a, b, c, d, e, f) v[a] = !v[b]
#define DO_TABLE(a, b, c, d, e, f) v[a] = ENTRY(b, v[c])
#define DO_LOADP(a, b, c, d, e, f) v[a] = IS_PLAYER(c) ? v[ZONE(b, c)] : v[d]
#define DO_STOREP(a, b, c, d, e, f)    \
    do {                               \
        if (!IS_PLAYER(b)) goto fault; \
        v[ZONE(a, b)] = v[c];          \
    } while (0)
#define DO_ADDP(a, b, c, d, e, f)                                 \
    do {                                                          \
        if (!IS_PLAYER(b)) goto fault;                            \
        v[ZONE(a, b)] = saturated((int64_t)v[ZONE(a, b)] + v[c]); \
    } while (0)
#define DO_RANDOM(a, b, c, d, e, f)                                \
    do {                                                           \
        if (v[b] < 2) {                                            \
            v[a] = 0;                                              \
        } else if (mode & RANDOM_CHANCE) {                         \
            v[a] = (int32_t)random_below(&random, (uint32_t)v[b]); \
        } else if (frame->answered) {                              \
            frame->answered = 0;                                   \
            v[a] = frame->number;                                  \
        } else {                                                   \
            frame->ask = ASK_NUMBER;                               \
            frame->number = v[b];                                  \
            goto chance;                                           \
        }                                                          \
    } while (0)

/* --- numbers and cards from card sets */

#define DO_COUNT(a, b, c, d, e, f) v[a] = NAME(set_size)(m[b])
#define DO_COUNTBOTH(a, b, c, d, e, f) v[a] = NAME(set_size)(m[b] & m[c])
#define DO_WEIGH(a, b, c, d, e, f) v[a] = saturated(v[a] + (int64_t)v[d] * NAME(set_size)(m[b] & m[c]))
#define DO_MEMBER(a, b, c, d, e, f) v[a] = (uint32_t)v[b] < (uint32_t)deck_size && (m[c] >> v[b] & 1)
#define DO_FIRST(a, b, c, d, e, f) v[a] = m[b] ? NAME(first_card)(m[b]) : NONE
#define DO_MAXBY(a, b, c, d, e, f) v[a] = NAME(best_card)(m[b], entries + tables[c].first + 1, 1)
#define DO_MINBY(a, b, c, d, e, f) v[a] = NAME(best_card)(m[b], entries + tables[c].first + 1, 0)
#define DO_TOP(a, b, c, d, e, f) v[a] = TOP_AT(b, c)
#define DO_BOTTOM(a, b, c, d, e, f) v[a] = IS_PLAYER(c) ? BOTTOM_OF(ZONE(b, c)) : NONE
#define DO_TOPTABLE(a, b, c, d, e, f) v[a] = CARD_ENTRY(b, TOP_AT(c, d))
#define DO_SUMTOPS(a, b, c, d, e, f)                                                              \
    do {                                                                                          \
        int64_t sum = 0;                                                                          \
        for (uint32_t seat = 0; seat < players; seat++) sum += CARD_ENTRY(b, TOP_OF((c) + seat)); \
        v[a] = saturated(sum);                                                                    \
    } while (0)

/* --- melds */

#define CARD_TABLE(table) (entries + tables[table].first + 1)
#define DO_ALIKE(a, b, c, d, e, f)                       \
    do {                                                 \
        uint8_t cards[MAX_CARDS];                        \
        int count = NAME(list_set)(m[b], cards);         \
        v[a] = cards_alike(cards, count, CARD_TABLE(c)); \
    } while (0)
#define DO_SEQUENCE(a, b, c, d, e, f)                          \
    do {                                                       \
        uint8_t cards[MAX_CARDS];                              \
        int count = NAME(list_set)(m[b], cards);               \
        v[a] = cards_in_sequence(cards, count, CARD_TABLE(c)); \
    } while (0)
#define DO_LONGEST(a, b, c, d, e, f)                          \
    do {                                                      \
        uint8_t cards[MAX_CARDS];                             \
        int count = NAME(list_set)(m[b], cards);              \
        v[a] = longest_sequence(cards, count, CARD_TABLE(c)); \
    } while (0)
#define DO_LONGESTRUN(a, b, c, d, e, f)                                 \
    do {                                                                \
        uint8_t cards[MAX_CARDS];                                       \
        int count = NAME(list_set)(m[b], cards);                        \
        v[a] = longest_run(cards, count, CARD_TABLE(c), CARD_TABLE(d)); \
    } while (0)
#define DO_POKER(a, b, c, d, e, f)                                         \
    do {                                                                   \
        uint8_t cards[MAX_CARDS];                                          \
        int count = NAME(list_set)(m[b], cards);                           \
        v[a] = poker_value(cards, count, CARD_TABLE(c), CARD_TABLE(d), e); \
    } while (0)
#define DO_DEADWOOD(a, b, c, d, e, f)                                                                  \
    do {                                                                                               \
        uint8_t cards[MAX_CARDS], melded[MAX_CARDS];                                                   \
        int count = NAME(list_set)(m[b], cards);                                                       \
        v[a] = least_deadwood(cards, count, v[c], CARD_TABLE(d), CARD_TABLE(e), melded, &frame->fuel); \
    } while (0)
#define DO_MELDS(a, b, c, d, e, f)                                                              \
    do {                                                                                        \
        uint8_t cards[MAX_CARDS], melded[MAX_CARDS];                                            \
        int count = NAME(list_set)(m[b], cards);                                                \
        least_deadwood(cards, count, v[c], CARD_TABLE(d), CARD_TABLE(e), melded, &frame->fuel); \
        SET found = 0;                                                                          \
        for (int n = 0; n < count; n++)                                                         \
            if (melded[n]) found |= NAME(card_set)(cards[n]);                                   \
        m[a] = found;                                                                           \
    } while (0)

/* --- card sets */

#define DO_MCOPY(a, b, c, d, e, f) m[a] = m[b]
#define DO_MZONE(a, b, c, d, e, f) m[a] = CARDS_AT(b, c)
#define DO_MTABLE(a, b, c, d, e, f) m[a] = SET_ENTRY(b, v[c])
#define DO_MAND(a, b, c, d, e, f) m[a] = m[b] & m[c]
#define DO_MOR(a, b, c, d, e, f) m[a] = m[b] | m[c]
#define DO_MDIFF(a, b, c, d, e, f) m[a] = m[b] & ~m[c]

/* --- loops within a node */

#define DO_EACHCARD(a, b, c, d, e, f)  \
    do {                               \
        if (!m[b]) GO(c);              \
        v[a] = NAME(first_card)(m[b]); \
        m[b] &= m[b] - 1;              \
    } while (0)
#define DO_AGAINCARD(a, b, c, d, e, f) \
    do {                               \
        if (!m[b]) NEXT;               \
        v[a] = NAME(first_card)(m[b]); \
        m[b] &= m[b] - 1;              \
        BURN_FUEL;                     \
        GO(c);                         \
    } while (0)
#define DO_AGAIN(a, b, c, d, e, f) \
    do {                           \
        if (v[a] >= v[b]) NEXT;    \
        v[a]++;                    \
        BURN_FUEL;                 \
        GO(c);                     \
    } while (0)

/* --- jumps */

#define DO_JUMP(a, b, c, d, e, f) GO(a)
#define DO_JT(a, b, c, d, e, f) GO_IF(v[a], b)
#define DO_JF(a, b, c, d, e, f) GO_IF(!v[a], b)
#define DO_JEQ(a, b, c, d, e, f) GO_IF(v[a] == v[b], c)
#define DO_JNE(a, b, c, d, e, f) GO_IF(v[a] != v[b], c)
#define DO_JLT(a, b, c, d, e, f) GO_IF(v[a] < v[b], c)
#define DO_JLE(a, b, c, d, e, f) GO_IF(v[a] <= v[b], c)
#define DO_TABLEJNE(a, b, c, d, e, f) \
    do {                              \
        v[a] = ENTRY(b, v[c]);        \
        GO_IF(v[a] != v[d], e);       \
    } while (0)
#define DO_JMEETS(a, b, c, d, e, f) GO_IF((CARDS_AT(a, b) & m[c]) != 0, d)
#define DO_JMEETSNOT(a, b, c, d, e, f) GO_IF((CARDS_AT(a, b) & m[c]) == 0, d)
#define DO_JANYTOP(a, b, c, d, e, f)                                                              \
    do {                                                                                          \
        int32_t any = 0;                                                                          \
        for (uint32_t seat = 0; seat < players; seat++) any |= CARD_ENTRY(a, TOP_OF((b) + seat)); \
        GO_IF(any, c);                                                                            \
    } while (0)
#define DO_JHAS(a, b, c, d, e, f) GO_IF((m[a] & m[b]) != 0, c)
#define DO_JHASNOT(a, b, c, d, e, f) GO_IF((m[a] & m[b]) == 0, c)
#define DO_JEMPTY(a, b, c, d, e, f) GO_IF(m[a] == 0, b)
#define DO_JFULL(a, b, c, d, e, f) GO_IF(m[a] != 0, b)
#define DO_JTABLE(a, b, c, d, e, f) GO_IF(ENTRY(a, v[b]) != 0, c)
#define DO_JTABLENOT(a, b, c, d, e, f) GO_IF(ENTRY(a, v[b]) == 0, c)
#define DO_JZHAS(a, b, c, d, e, f) GO_IF((CARDS_AT(a, b) & SET_ENTRY(c, v[d])) != 0, e)
#define DO_JZHASNOT(a, b, c, d, e, f) GO_IF((CARDS_AT(a, b) & SET_ENTRY(c, v[d])) == 0, e)
#define DO_JZEMPTY(a, b, c, d, e, f) GO_IF(CARDS_AT(a, b) == 0, c)
#define DO_JZFULL(a, b, c, d, e, f) GO_IF(CARDS_AT(a, b) != 0, c)
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
        v[a] = (b);               \
        GO(c);                    \
    } while (0)
#define DO_RETURN(a, b, c, d, e, f)                      \
    do {                                                 \
        if ((uint32_t)v[a] >= (uint32_t)(c)) goto fault; \
        GO_BACK(program->returns[(b) + (uint32_t)v[a]]); \
    } while (0)
#define DO_END(a, b, c, d, e, f) goto end
#define DO_FAULT(a, b, c, d, e, f) \
    if (!IS_PLAYER(a)) goto fault

/* --- moving cards */

#define DO_GATHER(a, b, c, d, e, f)                                                     \
    do {                                                                                \
        if (mode & ONE_HAND) LEAVE(RESULT_HAND);                                        \
        uint8_t cards[MAX_CARDS];                                                       \
        int count = NAME(list_set)(NAME(in_play)(program), cards);                      \
        SHUFFLED(count, cards);                                                         \
        for (uint32_t zone = 0; zone < program->zone_slots; zone++) {                   \
            m[zone] = 0;                                                                \
            NAME(clear_list)(next, back, deck_size + (int)zone);                        \
        }                                                                               \
        NAME(set_order)(program, m, next, back, (uint32_t)program->pack, count, cards); \
        TELL_SHUFFLE(program->pack, count);                                             \
    } while (0)
#define DO_SHUFFLE(a, b, c, d, e, f)                                           \
    do {                                                                       \
        if (!IS_PLAYER(b)) goto fault;                                         \
        uint8_t cards[MAX_CARDS];                                              \
        int count = NAME(list_set)(m[ZONE(a, b)], cards);                      \
        if (count >= 2) {                                                      \
            SHUFFLED(count, cards);                                            \
            NAME(set_order)(program, m, next, back, ZONE(a, b), count, cards); \
        }                                                                      \
        TELL_SHUFFLE((int32_t)ZONE(a, b), count);                              \
    } while (0)
#define DO_MOVEN(a, b, c, d, e, f)                                                               \
    do {                                                                                         \
        if (!IS_PLAYER(e)) goto fault;                                                           \
        if (IS_PLAYER(c) && v[a] >= 1) {                                                         \
            uint8_t cards[MAX_CARDS];                                                            \
            int count = NAME(list_cards)(program, m, next, ZONE(b, c), v[a], cards);             \
            NAME(move_listed)(frame, m, next, back, ZONE(b, c), ZONE(d, e), count, cards, NODE); \
        }                                                                                        \
    } while (0)
#define DO_MOVEALL(a, b, c, d, e, f)                                                          \
    do {                                                                                      \
        if (!IS_PLAYER(d)) goto fault;                                                        \
        if (IS_PLAYER(b)) NAME(move_all)(frame, m, next, back, ZONE(a, b), ZONE(c, d), NODE); \
    } while (0)
#define DO_MOVESET(a, b, c, d, e, f)                                                             \
    do {                                                                                         \
        if (!IS_PLAYER(e)) goto fault;                                                           \
        if (IS_PLAYER(c)) {                                                                      \
            uint8_t cards[MAX_CARDS];                                                            \
            int count = NAME(list_set)(m[ZONE(b, c)] & m[a], cards);                             \
            NAME(move_listed)(frame, m, next, back, ZONE(b, c), ZONE(d, e), count, cards, NODE); \
        }                                                                                        \
    } while (0)
#define DO_SWEEP(a, b, c, d, e, f)                              \
    do {                                                        \
        if (!IS_PLAYER(c)) goto fault;                          \
        NAME(sweep)(frame, m, next, back, a, ZONE(b, c), NODE); \
    } while (0)

/* --- decisions */

#define DO_PLAY(a, b, c, d, e, f)                                           \
    do {                                                                    \
        kind = KIND_PLAY;                                                   \
        who = (a);                                                          \
        if (playing_fast && IS_PLAYER(a) && IS_PLAYER(f) && IS_PLAYER(d)) { \
            from = ZONE(c, d);                                              \
            to = ZONE(e, f);                                                \
            candidates = m[from] & m[b];                                    \
            PLAY_FAST;                                                      \
        }                                                                   \
        CARD_DECISION(a, b, c, d, e, f);                                    \
    } while (0)
#define DO_PLAYT(a, b, c, d, e, f)                      \
    do {                                                \
        kind = KIND_PLAY;                               \
        who = (a);                                      \
        if (!IS_PLAYER(a) || !IS_PLAYER(f)) goto fault; \
        from = ZONE(d, a);                              \
        to = ZONE(e, f);                                \
        candidates = m[from] & SET_ENTRY(b, v[c]);      \
        if (playing_fast) PLAY_FAST;                    \
        goto choose_card;                               \
    } while (0)
#define DO_PLAYPASS(a, b, c, d, e, f)    \
    do {                                 \
        kind = KIND_PLAY_OR_PASS;        \
        who = (a);                       \
        CARD_DECISION(a, b, c, d, e, f); \
    } while (0)
#define DO_PICK(a, b, c, d, e, f)        \
    do {                                 \
        kind = KIND_PICK;                \
        who = (a);                       \
        CARD_DECISION(a, b, c, d, e, f); \
    } while (0)
#define DO_REPICK(a, b, c, d, e, f)           \
    do {                                      \
        if (v[program->picks_left] < 1) NEXT; \
        BURN_FUEL;                            \
        GO(a);                                \
    } while (0)
#define DO_VALUES(a, b, c, d, e, f) frame->value_count = 0
#define DO_VALUE(a, b, c, d, e, f) offer_value(frame, v[a])
#define DO_RANGE(a, b, c, d, e, f) offer_range(frame, v[a], v[b])
#define DO_CHOOSE(a, b, c, d, e, f)                                                                           \
    do {                                                                                                      \
        kind = KIND_CHOOSE;                                                                                   \
        who = (a);                                                                                            \
        if (!IS_PLAYER(a) || !IS_PLAYER(c)) goto fault;                                                       \
        if (frame->value_count < 1) goto no_legal_move;                                                       \
        int32_t value;                                                                                        \
        if (mode & RANDOM_MOVES) {                                                                            \
            value = frame->values[random_below(&random, (uint32_t)frame->value_count)];                       \
        } else if (frame->has_move) {                                                                         \
            value = frame->move;                                                                              \
            if (!is_offered(frame, value)) goto illegal;                                                      \
            frame->has_move = 0;                                                                              \
        } else {                                                                                              \
            goto decision;                                                                                    \
        }                                                                                                     \
        if (frame->events) { /* before the value is written: `choose(p, p, players)` may write who chooses */ \
            event_begin(frame->events, EVENT_CHOOSE, NODE);                                                   \
            event_add(frame->events, v[a]);                                                                   \
            event_add(frame->events, v[c]);                                                                   \
            event_add(frame->events, value);                                                                  \
        }                                                                                                     \
        v[ZONE(b, c)] = value;                                                                                \
        MOVED;                                                                                                \
    } while (0)

/* --- events */

#define DO_TELL(a, b, c, d, e, f)                        \
    do {                                                 \
        if (frame->events) {                             \
            event_begin(frame->events, EVENT_ASSIGN, a); \
            event_add(frame->events, b);                 \
            event_add(frame->events, v[c]);              \
            event_add(frame->events, v[d]);              \
        }                                                \
    } while (0)
#define DO_BRANCH(a, b, c, d, e, f)                      \
    do {                                                 \
        if (frame->events) {                             \
            event_begin(frame->events, EVENT_BRANCH, a); \
            event_add(frame->events, b);                 \
        }                                                \
    } while (0)
#define DO_PUBLISH(a, b, c, d, e, f) \
    if (frame->events) event_begin(frame->events, EVENT_PUBLISH, a)
#define DO_SAY(a, b, c, d, e, f) \
    if (frame->events) event_add(frame->events, v[a])
#define DO_SAYCARDS(a, b, c, d, e, f) \
    if (frame->events) NAME(say_cards)(frame->events, m[a])
#define DO_SHOW(a, b, c, d, e, f) NAME(show)(frame, a, NONE, m[b], v[c])
#define DO_SHOWZONE(a, b, c, d, e, f) \
    if (IS_PLAYER(c)) NAME(show)(frame, a, (int32_t)ZONE(b, c), m[ZONE(b, c)], v[d])

#endif
