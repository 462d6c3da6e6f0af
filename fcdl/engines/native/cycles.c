#include "evaluation.h"

#include "functions.h"
#include "random.h"

/* Where there are more instances for a card than this, so many are drawn. */
enum { ALL_INSTANCES = 64, DRAWN_INSTANCES = 16 };
enum { LINES_FOR_A_PLAYOUT = 10 }; /* a playout takes the time of so many lines */

/* Which instances of one heuristic there are for one of my cards. */
typedef struct {
    Frame *frame;
    const Evaluation *evaluation;
    const Heuristic *heuristic;
    int32_t arguments[2 + MAX_OTHERS];
    int32_t away;
    double sum, number; /* of the weights; of the instances, as they count */
} Instances;

/* Adds the instances with the cards that are the arguments now. */
static void add_instances(Instances *instances) {
    const Heuristic *heuristic = instances->heuristic;
    Frame *frame = instances->frame;
    int32_t fits = call_function(frame, (uint32_t)heuristic->fits, instances->arguments);
    if (fits <= 0) return;
    double steps = 1.0 + instances->away;
    if (heuristic->change != NONE) steps += call_function(frame, (uint32_t)heuristic->change, instances->arguments);
    double total = heuristic->weight * fits;
    if (heuristic->total != NONE) total = call_function(frame, (uint32_t)heuristic->total, instances->arguments);
    instances->sum += total / (steps * steps);
    instances->number += instances->evaluation->shares ? fits / (steps * steps) : fits;
}

/* Adds all instances for my card or, if these are too many, some of them. */
static void find_instances(Instances *instances) {
    const Heuristic *heuristic = instances->heuristic;
    Frame *frame = instances->frame;
    uint32_t others = heuristic->others, held[MAX_OTHERS], at[MAX_OTHERS] = {0}, all = 1;
    uint8_t cards[MAX_OTHERS][MAX_CARDS];
    for (uint32_t k = 0; k < others; k++) {
        uint64_t words[MAX_WORDS];
        uint32_t seat =
            ((uint32_t)instances->arguments[0] + heuristic->distance[k]) % (uint32_t)frame->program->players;
        zone_cards(frame, instances->evaluation->hand + seat, words);
        held[k] = 0;
        for (int word = 0; word < MAX_WORDS; word++)
            for (uint64_t rest = words[word]; rest; rest &= rest - 1)
                cards[k][held[k]++] = (uint8_t)(64 * word + __builtin_ctzll(rest));
        all = held[k] && all > ALL_INSTANCES ? all : all * held[k];
    }
    int drawn = all > ALL_INSTANCES;
    for (uint32_t n = 0; n < (drawn ? DRAWN_INSTANCES : all); n++) {
        for (uint32_t k = 0; k < others; k++) {
            if (drawn) at[k] = random_below(&frame->random, held[k]);
            instances->arguments[2 + k] = cards[k][at[k]];
        }
        add_instances(instances);
        for (uint32_t k = 0; !drawn && k < others && ++at[k] == held[k]; k++) at[k] = 0;
    }
}

double position_value(Frame *frame, const Evaluation *evaluation, int me, int over, double *parts) {
    uint32_t count = over ? 0 : evaluation->count;
    int32_t away[count + 1];
    double sums[count + 1], value;
    Instances instances = {.frame = frame, .evaluation = evaluation, .arguments = {me}};
    for (uint32_t h = 0; h < count; h++) {
        int32_t function = evaluation->heuristics[h].away;
        away[h] = function == NONE ? 0 : call_function(frame, (uint32_t)function, instances.arguments) != 0;
    }
    value = call_function(frame, (uint32_t)evaluation->goal, instances.arguments);
    if (parts) {
        memset(parts, 0, (evaluation->count + 1) * sizeof *parts);
        parts[0] = value;
    }
    uint64_t cards[MAX_WORDS];
    zone_cards(frame, evaluation->hand + (uint32_t)me, cards);
    int held = 0;
    for (int word = 0; word < MAX_WORDS; word++) held += __builtin_popcountll(cards[word]);
    for (int word = 0; count && word < MAX_WORDS; word++)
        for (uint64_t rest = cards[word]; rest; rest &= rest - 1) {
            double all = 0, number = 0;
            instances.arguments[1] = 64 * word + __builtin_ctzll(rest);
            for (uint32_t h = 0; h < count; h++) {
                instances.heuristic = &evaluation->heuristics[h];
                instances.away = away[h];
                instances.sum = instances.number = 0;
                find_instances(&instances);
                sums[h] = instances.sum;
                all += instances.sum;
                number += instances.number;
            }
            if (number == 0) continue;
            if (evaluation->mean) number *= held;
            value += all / number;
            for (uint32_t h = 0; parts && h < count; h++) parts[1 + h] += sums[h] / number;
        }
    return value;
}

enum { TO_NEXT_CYCLE = RANDOM_CHANCE | ONE_HAND | ONE_PASS };

/* What the rest of the cycle (of `depth` cycles) is worth to me if my friends want as much and all others as little as
   possible, or do anything, in at most so many lines of play; where there are more, and outside the cycle, moves are
   picked at random. */
static double rest_of_cycle(const Look *look, int result, uint32_t depth, uint32_t lines, uint32_t level,
                            double *parts) {
    Frame *frame = look->frame;
    const Evaluation *evaluation = look->evaluation;
    size_t size = frame->program->state_size;
    int32_t moves[MAX_LEGAL];
    uint32_t count;
    for (;;) {
        if (result == RESULT_PASS && depth > 1) {
            depth--;
            result = run_on(frame, RANDOM_CHANCE | ONE_HAND);
            continue;
        }
        if (result != RESULT_DECISION) return position_value(frame, evaluation, look->me, result != RESULT_PASS, parts);
        count = legal_moves(frame, moves);
        if (count > 1 && lines > 1 && evaluation->inside[frame->header->node]) break;
        result = run_move(frame, moves[count > 1 ? random_below(&frame->random, count) : 0], TO_NEXT_CYCLE);
    }
    int friendly = evaluation->friends[look->me] >> frame->header->mover & 1;
    int average = evaluation->average && !friendly;
    uint32_t width = count < lines ? count : lines;
    for (uint32_t n = 0; width < count && n < width; n++) {
        uint32_t other = n + random_below(&frame->random, count - n);
        int32_t move = moves[n];
        moves[n] = moves[other];
        moves[other] = move;
    }
    unsigned char *state = look->states + level * size;
    double best = 0, others[evaluation->count + 1];
    uint64_t random = frame->random;
    memcpy(state, frame->memory + frame->program->state_at, size);
    for (uint32_t n = 0; n < width && !(n && frame_must_stop(frame)); n++) {
        frame_load(frame, state);
        frame->random = random;
        result = run_move(frame, moves[n], TO_NEXT_CYCLE);
        double value = rest_of_cycle(look, result, depth, lines / width, level + 1, parts ? others : NULL);
        if (average) {
            best += value / width;
            for (uint32_t k = 0; parts && k <= evaluation->count; k++)
                parts[k] = (n ? parts[k] : 0) + others[k] / width;
            continue;
        }
        if (n && (friendly ? value <= best : value >= best)) continue;
        best = value;
        if (parts) memcpy(parts, others, sizeof others);
    }
    return best;
}

/* Outside the cycle, where the heuristics say nothing: how far ahead random play to the end of the hand leaves me. */
static double score_ahead(const Look *look, const unsigned char *state, int32_t move, uint32_t playouts,
                          double *parts) {
    Frame *frame = look->frame;
    double sum = 0;
    for (uint32_t n = 0; n < playouts && !frame_must_stop(frame); n++) {
        frame_load(frame, state);
        int result = run_move(frame, move, RANDOM_CHANCE | ONE_HAND);
        if (result == RESULT_DECISION) run_on(frame, RANDOM_CHANCE | RANDOM_MOVES | ONE_HAND);
        sum += call_function(frame, (uint32_t)look->evaluation->ahead, &look->me);
    }
    if (parts) {
        memset(parts, 0, (look->evaluation->count + 1) * sizeof *parts);
        parts[0] = sum / playouts;
    }
    return sum / playouts;
}

double move_value(const Look *look, const unsigned char *state, int32_t move, uint32_t lines, double *parts) {
    frame_load(look->frame, state);
    if (!look->evaluation->inside[look->frame->header->node])
        return score_ahead(look, state, move, 1 + lines / LINES_FOR_A_PLAYOUT, parts);
    return rest_of_cycle(look, run_move(look->frame, move, TO_NEXT_CYCLE), look->evaluation->depth, lines, 0, parts);
}
