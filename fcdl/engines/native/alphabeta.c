#include "alphabeta.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

enum { NODES_PER_LOOK = 16, TABLE_TRIES = 4 };
enum { BOUND_NONE, BOUND_EXACT, BOUND_LOWER, BOUND_UPPER };

/* How much less a result is worth for each move that it is away, and what being preferred by the policy of playouts is
   worth: both decide between moves that are otherwise equal. */
static const double HASTE = 1e-3, PREFERENCE = 1e-9;

static inline uint64_t folded(uint64_t one, uint64_t two) {
    unsigned __int128 product = (unsigned __int128)one * two;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t hash_word(uint64_t hash, uint64_t word) {
    return folded(hash ^ word ^ UINT64_C(0xe7037ed1a0b428db), UINT64_C(0xa0761d6478bd642f));
}

/* A hash of words of 32 bits, in which no product waits for another: every place has keys of its own. */
static uint64_t hash_of(const void *words, size_t count) {
    const unsigned char *at = words;
    uint64_t sum = 0, key = UINT64_C(0x2d358dccaa6c78a5), other = UINT64_C(0x8bb84b93962eacc9), pair[2];
    for (; count >= 4; count -= 4, at += sizeof pair) {
        memcpy(pair, at, sizeof pair);
        sum += folded(pair[0] ^ key, pair[1] ^ other);
        key += UINT64_C(0x9e3779b97f4a7c15);
        other += UINT64_C(0xd6e8feb86659fd93);
    }
    for (uint32_t word; count; count--, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        sum += folded(word ^ key, other);
        key += UINT64_C(0x9e3779b97f4a7c15);
    }
    return sum;
}

uint64_t position_hash(const Frame *frame) {
    const Program *program = frame->program;
    const Header *header = frame->header;
    const uint16_t *next = next_links(frame);
    int passes = header->last_pass == header->moves && header->moves > 0 ? header->passes : 0;
    uint64_t hash = hash_word((uint64_t)header->node << 16 | (uint64_t)passes, (uint64_t)header->mover);
    hash = hash_word(hash, hash_of(frame->memory + program->state_at, program->variables));
    hash = hash_word(hash, hash_of(frame->memory + program->sets_at, program->zones * set_bytes(program) / 4));
    for (uint32_t zone = 0; zone < program->zones; zone++) {
        if (!program->ordered[zone]) continue;
        int count = 0;
        for (int card = next[program->deck_size + (int)zone]; card < program->deck_size && count < MAX_CARDS; count++) {
            hash = hash_word(hash, (uint64_t)card);
            card = next[card];
        }
    }
    return hash;
}

/* What the heuristics say to each player, less the mean of what they say to their opponents. */
static void judge_by_heuristics(Minimax *search, int over, double *worth) {
    const int players = search->question->program->players;
    double value[MAX_PLAYERS];
    for (int p = 0; p < players; p++) value[p] = position_value(&search->frame, search->evaluation, p, over, NULL);
    for (int p = 0; p < players; p++) {
        double against = 0;
        int count = 0;
        for (int q = 0; q < players; q++)
            if (!(search->question->friends[p] >> q & 1)) against += value[q], count++;
        worth[p] = value[p] - (count ? against / count : 0);
    }
}

/* What an end is worth. It counts more than any judgement of a function; where playouts judge, sooner is better. */
static void judge_end(Minimax *search, int ply, double *worth) {
    if (search->evaluation) {
        judge_by_heuristics(search, 1, worth);
        return;
    }
    double factor = search->function != NONE ? 1e6 : search->playouts ? 1 - HASTE * ply : 1;
    utilities(search->question, &search->frame, search->before, worth);
    for (int p = 0; p < search->question->program->players; p++) worth[p] *= factor;
}

/* What a position that is not searched further is worth to each player. */
static void evaluate(Minimax *search, const unsigned char *state, uint64_t hash, int ply, double *worth) {
    const Question *question = search->question;
    const int players = question->program->players;
    Frame *frame = &search->frame;
    search->cut = 1;
    if (search->evaluation) {
        judge_by_heuristics(search, 0, worth);
        return;
    }
    if (search->function != NONE) {
        for (int32_t p = 0; p < players; p++) worth[p] = call_function(frame, (uint32_t)search->function, &p);
        return;
    }
    if (search->playouts == 0) {
        utilities(question, frame, search->before, worth);
        return;
    }
    double sum[MAX_PLAYERS] = {0};
    frame->random = mixed_seed(search->seed, hash);
    for (int n = 0; n < search->playouts && !search->full; n++) {
        if (n > 0) load_state(question, frame, state);
        simulate(question, frame);
        utilities(question, frame, search->before, worth);
        for (int p = 0; p < players; p++) sum[p] += worth[p];
        search->full |= search->patience->stopped;
    }
    for (int p = 0; p < players; p++) worth[p] = (1 - HASTE * ply) * sum[p] / search->playouts;
}

static int minimax_is_full(Minimax *search) {
    if (++search->nodes > search->node_limit ||
        (search->nodes % NODES_PER_LOOK == 0 && patience_is_over(search->patience)))
        search->full = 1;
    return search->full;
}

/* The frame's state, kept at a place of the stack. */
static unsigned char *keep_state(Minimax *search, int ply) {
    const Program *program = search->question->program;
    unsigned char *kept = search->stack + (size_t)ply * program->state_size;
    memcpy(kept, search->frame.memory + program->state_at, program->state_size);
    return kept;
}

/* Makes a move from a kept state. Chance in between is one sample, the same whenever the move is made there. */
static int make_kept_move(Minimax *search, const unsigned char *kept, uint64_t hash, int32_t move) {
    search->frame.random = mixed_seed(search->seed ^ hash, (uint64_t)(uint32_t)move);
    frame_load_lasting(&search->frame, kept);
    int result = make_move(search->question, &search->frame, move);
    search->full |= search->patience->stopped; /* in the middle of a run */
    return result;
}

/* Good moves first: the one the table knows, then the cards that were good elsewhere. */
static void order_moves(const Minimax *search, Moves *moves, int32_t known) {
    for (int n = 1; n < moves->count; n++) {
        int32_t move = moves->move[n];
        uint32_t worth = move == known ? UINT32_MAX : !moves->choose && move >= 0 ? search->history[move] : 0;
        int to = n;
        for (; to > 0; to--) {
            int32_t other = moves->move[to - 1];
            uint32_t others = other == known ? UINT32_MAX : !moves->choose && other >= 0 ? search->history[other] : 0;
            if (others >= worth) break;
            moves->move[to] = other;
        }
        moves->move[to] = move;
    }
}

/* The value to the seat's side of the decision where the frame stands. */
static double alphabeta(Minimax *search, int depth, int ply, double alpha, double beta) {
    const Question *question = search->question;
    if (ply >= search->stack_size || minimax_is_full(search)) {
        search->full = 1;
        return 0;
    }
    const unsigned char *kept = keep_state(search, ply);
    uint64_t hash = position_hash(&search->frame);
    if (search->playouts) hash = hash_word(hash, (uint64_t)ply); /* its value depends on it */
    double worth[MAX_PLAYERS];
    if (depth == 0) {
        evaluate(search, kept, hash, ply, worth);
        return worth[question->seat];
    }
    TableEntry *entry = search->table ? &search->table[hash & search->table_mask] : NULL;
    int32_t known = INT32_MIN;
    for (int n = 0; entry && n < TABLE_TRIES; n++) {
        TableEntry *other = &search->table[(hash + (uint64_t)n) & search->table_mask];
        if (other->bound != BOUND_NONE && other->hash == hash) {
            entry = other;
            known = entry->move;
            if ((entry->depth == depth || !entry->cut) &&
                (entry->bound == BOUND_EXACT || (entry->bound == BOUND_LOWER && entry->value >= beta) ||
                 (entry->bound == BOUND_UPPER && entry->value <= alpha))) {
                search->cut |= entry->cut;
                return entry->value;
            }
            break;
        }
        if (other->depth < entry->depth) entry = other;
    }
    int highest = (question->friends[question->seat] >> search->frame.header->mover & 1) != 0;
    double low = alpha, high = beta, best = highest ? -INFINITY : INFINITY;
    int32_t best_move = INT32_MIN;
    int cut_before = search->cut;
    search->cut = 0;
    Moves *moves = &search->moves[ply];
    list_moves(&search->frame, moves);
    order_moves(search, moves, known);
    for (int n = 0; n < moves->count; n++) {
        double value;
        if (make_kept_move(search, kept, hash, moves->move[n]) == RESULT_DECISION) {
            value = alphabeta(search, depth - 1, ply + 1, low, high);
        } else {
            judge_end(search, ply + 1, worth);
            value = worth[question->seat];
        }
        if (search->full) return 0;
        if (highest ? value > best : value < best) best = value, best_move = moves->move[n];
        if (!search->pruning) continue;
        if (highest && best > low) low = best;
        if (!highest && best < high) high = best;
        if (low >= high) {
            if (!moves->choose && best_move >= 0) search->history[best_move] += (uint32_t)depth;
            break;
        }
    }
    if (entry)
        *entry = (TableEntry){.hash = hash,
                              .value = best,
                              .move = best_move,
                              .depth = (int16_t)depth,
                              .cut = (uint8_t)search->cut,
                              .bound = best <= alpha ? BOUND_UPPER
                                     : best >= beta  ? BOUND_LOWER
                                                     : BOUND_EXACT};
    search->cut |= cut_before;
    return best;
}

/* The same, everyone for themselves: the value to each of them. */
static void max_n(Minimax *search, int depth, int ply, double *best) {
    const Question *question = search->question;
    const int players = question->program->players;
    if (ply >= search->stack_size || minimax_is_full(search)) {
        search->full = 1;
        return;
    }
    const unsigned char *kept = keep_state(search, ply);
    uint64_t hash = position_hash(&search->frame);
    if (depth == 0) {
        evaluate(search, kept, hash, ply, best);
        return;
    }
    int mover = search->frame.header->mover;
    double worth[MAX_PLAYERS];
    Moves *moves = &search->moves[ply];
    list_moves(&search->frame, moves);
    for (int n = 0; n < moves->count; n++) {
        if (make_kept_move(search, kept, hash, moves->move[n]) == RESULT_DECISION)
            max_n(search, depth - 1, ply + 1, worth);
        else judge_end(search, ply + 1, worth);
        if (search->full) return;
        if (n == 0 || worth[mover] > best[mover]) memcpy(best, worth, (size_t)players * sizeof *worth);
    }
}

/* The value of every move of the seat in one world at one depth; 0 if the search had to end before. */
static int search_moves(Minimax *search, const Moves *moves, int depth, uint64_t hash, double *values) {
    const Question *question = search->question;
    double worth[MAX_PLAYERS] = {0};
    for (int n = 0; n < moves->count; n++) {
        if (make_kept_move(search, search->stack, hash, moves->move[n]) != RESULT_DECISION) judge_end(search, 1, worth);
        else if (search->max_n) max_n(search, depth - 1, 1, worth);
        else worth[question->seat] = alphabeta(search, depth - 1, 1, -INFINITY, INFINITY);
        if (search->full) return 0;
        values[n] = worth[question->seat];
    }
    return 1;
}

int search_world(Minimax *search, uint32_t world, int depth, Moves *moves, double *values) {
    const Question *question = search->question;
    double deeper[MAX_MOVES];
    int reached = 0;
    search->nodes = 0;
    search->full = 0;
    search->frame.random = search->seed;
    search->frame.stop = patience_stop;
    search->frame.stopper = search->patience;
    moves->count = 0;
    if (load_world(question, &search->frame, world) != RESULT_DECISION) return MAX_DEPTH;
    memcpy(search->before, scores_of(&search->frame), (size_t)question->program->players * sizeof(int32_t));
    memset(search->history, 0, sizeof search->history);
    list_moves(&search->frame, moves);
    keep_state(search, 0);
    uint64_t hash = position_hash(&search->frame);
    for (int at = 1; at <= depth; at++) {
        search->cut = 0;
        if (!search_moves(search, moves, at, hash, deeper)) break;
        memcpy(values, deeper, (size_t)moves->count * sizeof *values);
        reached = search->cut ? at : MAX_DEPTH;
        if (!search->cut) break;
    }
    const Policy *policy = search->preferring && question->with_policies ? question->policies[question->seat] : NULL;
    if (policy && policy->worth && load_state(question, &search->frame, search->stack) == RESULT_DECISION)
        for (int n = 0; n < moves->count; n++)
            values[n] += PREFERENCE * policy_worth(&search->frame, policy, moves->move[n]);
    return reached;
}

int minimax_open(Minimax *search, int table_bits, int depth) {
    const Program *program = search->question->program;
    search->stack_size = depth + 1;
    search->stack = malloc((size_t)search->stack_size * program->state_size);
    search->table = table_bits ? calloc((size_t)1 << table_bits, sizeof *search->table) : NULL;
    search->table_mask = (UINT64_C(1) << table_bits) - 1;
    search->moves = malloc((size_t)search->stack_size * sizeof *search->moves);
    if (!search->stack || (table_bits && !search->table) || !search->moves) return -1;
    return frame_open(&search->frame, program);
}

void minimax_close(Minimax *search) {
    free(search->stack);
    free(search->table);
    free(search->moves);
    frame_close(&search->frame);
}
