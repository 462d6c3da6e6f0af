/* Where the instructions of a run lead that do not go on to another: a card is chosen, the game waits or is over. It
   stands at the end of a function that runs a program, after its instructions, and needs what bodies.h says. */

choose_card : if (program->has_copies) candidates = NAME(without_copies)(program, candidates);
if (kind == KIND_PLAY && NAME(is_empty)(candidates)) goto no_legal_move;
if (kind == KIND_PICK && (NAME(is_empty)(candidates) || v[program->picks_left] < 1)) {
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
                     : (uint32_t)card >= (uint32_t)deck_size || !NAME(has_card)(candidates, card))
        goto illegal;
    frame->has_move = 0;
} else {
    memcpy(frame->legal, &candidates, sizeof candidates);
    goto decision;
}
if (kind == KIND_PLAY_OR_PASS) v[program->passed + mover] = card == PASS;
if (card != PASS) NAME(move_card)(program, m, next, back, from, to, card);
if (EVENTS) {
    event_begin(EVENTS, card == PASS ? EVENT_PASS : kind == KIND_PICK ? EVENT_PICK : EVENT_PLAY, NODE);
    event_add(EVENTS, mover);
    if (card != PASS) {
        event_add(EVENTS, (int32_t)from);
        event_add(EVENTS, (int32_t)to);
        event_add(EVENTS, card);
    }
}
if (kind == KIND_PICK) v[program->picks_left]--;
if (card == PASS) {
    header->passes = moves == header->last_pass + 1 ? header->passes + 1 : 1;
    header->last_pass = moves;
    if (header->passes >= PASS_LIMIT) goto stalemate;
}
MOVED;

choose_set : if (frame->set_count == 0 && kind == KIND_SET) {
    if (!is_taken) goto no_legal_move;
    NEXT; /* nothing to take: the game goes on */
}
chosen = PASS;
if (mode & RANDOM_MOVES) {
    uint32_t any = random_below(&random, (uint32_t)frame->set_count + (kind == KIND_SET_OR_PASS));
    if (any < (uint32_t)frame->set_count) chosen = (int32_t)any;
} else {
    number_sets(frame);
    if (!frame->has_move) goto decision;
    if (frame->move != PASS) {
        chosen = 0;
        while (chosen < frame->set_count && frame->set_numbers[chosen] != frame->move) chosen++;
    }
    if (chosen == PASS ? kind != KIND_SET_OR_PASS : chosen == frame->set_count) goto illegal;
    frame->has_move = 0;
}
if (kind == KIND_SET_OR_PASS) v[program->passed + mover] = chosen == PASS;
if (EVENTS) {
    event_begin(EVENTS, chosen == PASS ? EVENT_PASS : is_taken ? EVENT_TAKE : EVENT_PLAY, NODE);
    event_add(EVENTS, mover);
    if (chosen != PASS) {
        event_add(EVENTS, (int32_t)from);
        event_add(EVENTS, (int32_t)to);
    }
}
if (chosen != PASS) {
    SET set;
    memcpy(&set, frame->offered + (size_t)chosen * sizeof set, sizeof set);
    for (; !NAME(is_empty)(set); set = NAME(without_first)(set)) {
        card = NAME(first_card)(set);
        NAME(move_card)(program, m, next, back, from, to, card);
        if (EVENTS) event_add(EVENTS, card);
    }
} else {
    header->passes = moves == header->last_pass + 1 ? header->passes + 1 : 1;
    header->last_pass = moves;
    if (header->passes >= PASS_LIMIT) goto stalemate;
}
MOVED;

decision : header->status = DECISION;
header->kind = kind;
header->mover = mover;
header->node = NODE;
result = RESULT_DECISION;
goto leave;
illegal : frame->has_move = 0;
result = RESULT_ILLEGAL;
goto leave;
chance : result = RESULT_CHANCE;
goto leave;
end : header->reason = REASON_END;
header->node = NODE;
goto over;
no_legal_move : header->reason = REASON_NO_LEGAL_MOVE;
header->node = NODE;
goto over;
fault : header->reason = REASON_FAULT;
header->node = NODE;
goto over;
stalemate : moves++;
header->reason = REASON_STALEMATE;
header->node = NODE;
goto over;
out_of_fuel : if (mode & FUNCTION_CALL) {
    result = RESULT_VALUE;
    goto leave;
}
header->reason = REASON_STEP_LIMIT;
header->node = NODE;
goto over;
step_limit : header->reason = REASON_STEP_LIMIT;
header->node = program->arrival_nodes[program->arrivals[AT] + (uint32_t)(loop_left + program->code[AT].steps)];
goto over;
over : header->status = OVER;
header->mover = NONE;
if (EVENTS) {
    event_begin(EVENTS, EVENT_END, header->node);
    event_add(EVENTS, header->reason);
}
result = RESULT_OVER;
leave : loop_left = loop_left < 0 ? 0 : loop_left;
header->steps_left = steps_left - (loop_start - loop_left);
header->loop_left = loop_left;
header->moves = moves;
frame->at = AT;
frame->random = random;
