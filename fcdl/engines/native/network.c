#include "network.h"

/* The same on all machines, whatever they add at once: every unit and every lane has its own order. */
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define FOR_FAST_MACHINES __attribute__((target_clones("avx2", "default")))
#else
#define FOR_FAST_MACHINES
#endif

static int32_t level(const Network *network, int32_t limits, int32_t count, int32_t number) {
    const int32_t *limit = network->limits + limits;
    int32_t low = 0;
    while (low < count) {
        int32_t middle = (low + count) / 2;
        if (limit[middle] <= number) low = middle + 1;
        else count = middle;
    }
    return low;
}

static inline int32_t seats_after(const Frame *frame, int32_t seat, int32_t other) {
    int32_t players = frame->program->players;
    return other < 0 || other >= players ? NONE : (other - seat + players) % players;
}

static inline int32_t card_place(const Frame *frame, const Network *network, int32_t card) {
    return card < 0 || card >= frame->program->deck_size ? NONE : network->place[card];
}

/* The cards of a zone: one input each, and one for every further copy that counts. */
static inline uint32_t card_inputs(const Network *network, const Field *field, const uint64_t *cards,
                                   uint16_t *active) {
    uint32_t count = 0;
    int32_t before = NONE, copies = 0;
    for (int word = 0; word < MAX_WORDS; word++) {
        for (uint64_t rest = cards[word]; rest; rest &= rest - 1) {
            int32_t place = network->place[64 * word + __builtin_ctzll(rest)];
            copies = place == before ? copies + 1 : 0;
            before = place;
            if (copies < field->low)
                active[count++] = (uint16_t)(field->first + copies * (int32_t)network->kinds + place);
        }
    }
    return count;
}

static inline uint32_t group_inputs(const Network *network, const Field *field, const uint64_t *cards,
                                    uint16_t *active) {
    const uint8_t *group = field->low ? network->rank : network->suit;
    const int32_t groups = field->count / field->levels;
    uint8_t sizes[MAX_CARDS];
    uint32_t count = 0;
    memset(sizes, 0, (size_t)groups);
    for (int word = 0; word < MAX_WORDS; word++)
        for (uint64_t rest = cards[word]; rest; rest &= rest - 1) {
            int32_t at = group[64 * word + __builtin_ctzll(rest)];
            if (at < groups && sizes[at] < field->levels) sizes[at]++;
        }
    for (int32_t at = 0; at < groups; at++)
        if (sizes[at]) active[count++] = (uint16_t)(field->first + at * field->levels + sizes[at] - 1);
    return count;
}

/* Which input of a field is 1, where only one can be; NONE: none is. */
static inline int32_t single_input(Frame *frame, const Network *network, const Field *field, int32_t seat) {
    const int32_t source = field->source[seat];
    const int32_t *slots = (const int32_t *)(const void *)frame->memory;
    uint64_t cards[MAX_WORDS];
    int32_t number = 0;
    switch (field->kind) {
    case FIELD_NODE:
        return level(network, field->limits, field->limit_count, frame->header->node) - 1;
    case FIELD_MOVER:
        return seats_after(frame, seat, frame->header->mover);
    case FIELD_SEAT:
        return seats_after(frame, seat, slots[source]);
    case FIELD_VALUE:
        return slots[source] - field->low;
    case FIELD_CARD:
        return card_place(frame, network, slots[source]);
    case FIELD_TOP: {
        uint16_t top = next_links(frame)[frame->program->deck_size + source];
        return card_place(frame, network, top);
    }
    case FIELD_SIZE:
        zone_cards(frame, (uint32_t)source, cards);
        for (int word = 0; word < MAX_WORDS; word++) number += __builtin_popcountll(cards[word]);
        break;
    case FIELD_NUMBER:
        number = slots[source];
        break;
    default:
        number = call_function(frame, (uint32_t)source, &seat);
    }
    return level(network, field->limits, field->limit_count, number);
}

FOR_FAST_MACHINES uint32_t network_inputs(Frame *frame, const Network *network, int32_t seat, uint16_t *active) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < network->field_count; n++) {
        const Field *field = &network->fields[n];
        if (field->source[seat] == NONE) continue;
        if (field->kind == FIELD_CARDS || field->kind == FIELD_GROUPS) {
            uint64_t cards[MAX_WORDS];
            zone_cards(frame, (uint32_t)field->source[seat], cards);
            count += field->kind == FIELD_CARDS ? card_inputs(network, field, cards, active + count)
                                                : group_inputs(network, field, cards, active + count);
            continue;
        }
        int32_t place = single_input(frame, network, field, seat);
        if (place >= 0 && place < field->count) active[count++] = (uint16_t)(field->first + place);
    }
    return count;
}

uint32_t network_outputs(Frame *frame, const Network *network, int32_t move, uint16_t *outputs) {
    const Answer *answer = &network->answers[frame->header->node];
    int32_t place = NONE;
    uint32_t count = 0;
    switch (answer->kind) {
    case NONE:
        return 0;
    case WORTH_CARDS:
        place = move == PASS ? answer->count - 1 : card_place(frame, network, move);
        break;
    case WORTH_SETS: {
        int32_t at = move == PASS ? NONE : offered_place(frame, move);
        if (at < 0) {
            place = answer->count - 1;
            break;
        }
        const size_t size = set_bytes(frame->program);
        uint64_t cards[MAX_WORDS] = {0};
        memcpy(cards, frame->offered + (size_t)at * size, size);
        for (int word = 0; word < MAX_WORDS; word++)
            for (uint64_t rest = cards[word]; rest; rest &= rest - 1)
                outputs[count++] = (uint16_t)(answer->first + network->place[64 * word + __builtin_ctzll(rest)]);
        place = (int32_t)network->kinds + (count < SET_SIZES ? (int32_t)count : SET_SIZES - 1);
        break;
    }
    case WORTH_SEAT:
        place = seats_after(frame, frame->header->mover, move);
        break;
    case WORTH_VALUE:
        place = move - answer->low;
        break;
    case WORTH_CARD:
        place = card_place(frame, network, move);
        break;
    default:
        place = level(network, answer->limits, answer->limit_count, move);
    }
    if (place >= 0 && place < answer->count) outputs[count++] = (uint16_t)(answer->first + place);
    return count;
}

/* Numbers that are added at once; where the machine cannot, in parts. */
typedef float Lanes __attribute__((vector_size(32), aligned(4), may_alias));
enum { LANES = 8, UNITS_AT_ONCE = 4 * LANES };

FOR_FAST_MACHINES static void hidden_units(const Network *network, const uint16_t *active, uint32_t count,
                                           float *units) {
    const uint32_t hidden = network->hidden;
    for (uint32_t unit = 0; unit < hidden; unit += UNITS_AT_ONCE) {
        const Lanes *row = (const Lanes *)(const void *)(network->first_bias + unit);
        Lanes a = row[0], b = row[1], c = row[2], d = row[3];
        for (uint32_t n = 0; n < count; n++) {
            row = (const Lanes *)(const void *)(network->first + (size_t)active[n] * hidden + unit);
            a += row[0], b += row[1], c += row[2], d += row[3];
        }
        Lanes *sums = (Lanes *)(void *)(units + unit);
        sums[0] = a, sums[1] = b, sums[2] = c, sums[3] = d;
    }
    for (uint32_t unit = 0; unit < hidden; unit++) units[unit] = units[unit] > 0 ? units[unit] : 0;
}

FOR_FAST_MACHINES static double output(const Network *network, uint32_t number, const float *units) {
    const Lanes *row = (const Lanes *)(const void *)(network->second + (size_t)number * network->hidden);
    const Lanes *unit = (const Lanes *)(const void *)units;
    Lanes sums = {0};
    for (uint32_t n = 0; n < network->hidden / LANES; n++) sums += row[n] * unit[n];
    return (double)(network->second_bias[number] + sums[0] + sums[1] + sums[2] + sums[3] + sums[4] + sums[5] + sums[6] +
                    sums[7]);
}

void network_worths(Frame *frame, const Network *network, uint32_t count, const int32_t *moves, double *worths) {
    uint16_t active[MAX_ACTIVE], outputs[MAX_CARDS + 1];
    float units[MAX_HIDDEN];
    memset(worths, 0, count * sizeof *worths);
    if (network->answers[frame->header->node].kind == NONE) return;
    uint32_t active_count = network_inputs(frame, network, frame->header->mover, active);
    hidden_units(network, active, active_count, units);
    for (uint32_t n = 0; n < count; n++) {
        uint32_t of_move = network_outputs(frame, network, moves[n], outputs);
        for (uint32_t k = 0; k < of_move; k++) worths[n] += output(network, outputs[k], units);
    }
}

double network_value(Frame *frame, const Network *network, int32_t seat) {
    uint16_t active[MAX_ACTIVE];
    float units[MAX_HIDDEN];
    uint32_t count = network_inputs(frame, network, seat, active);
    hidden_units(network, active, count, units);
    return output(network, network->outputs - 1, units);
}
