#include "frame.h"

#include <stdlib.h>
#include <string.h>

void frame_reset(Frame *frame) {
    const Program *program = frame->program;
    memcpy(frame->memory, program->first_slots, program->slots * sizeof(int32_t));
    memcpy(frame->memory + program->sets_at, program->first_sets, program->sets * set_bytes(program));
    uint16_t *next = next_links(frame), *back = next + program->links;
    for (uint32_t n = 0; n < program->links; n++) next[n] = back[n] = (uint16_t)n;
    int above = program->deck_size + program->pack, first = above;
    for (int card = 0; card < program->deck_size; card++) {
        if (!(program->in_play[card / 64] >> (card % 64) & 1)) continue;
        next[above] = (uint16_t)card;
        back[card] = (uint16_t)above;
        above = card;
    }
    next[above] = (uint16_t)first;
    back[first] = (uint16_t)above;
    Header header = {.status = NOT_STARTED, .mover = NONE, .loop_left = LOOP_LIMIT, .steps_left = STEP_LIMIT};
    *frame->header = header;
    frame->at = 0;
    frame->header->loop_left = LOOP_LIMIT - program->code[0].steps; /* as if counted: run gives them back */
    frame->header->steps_left = STEP_LIMIT - program->code[0].steps;
    frame_refuel(frame);
}

int frame_open(Frame *frame, const Program *program) {
    memset(frame, 0, sizeof *frame);
    frame->program = program;
    frame->memory = calloc(2, program->frame_size);
    if (!frame->memory) return -1;
    if (program->has_sets) {
        frame->offered = malloc(MAX_OFFERED * (set_bytes(program) + sizeof *frame->set_numbers));
        if (!frame->offered) {
            free(frame->memory);
            return -1;
        }
        frame->set_numbers = (int32_t *)(void *)(frame->offered + MAX_OFFERED * set_bytes(program));
    }
    frame->header = (Header *)(void *)(frame->memory + program->header_at);
    frame_reset(frame);
    return 0;
}

void frame_close(Frame *frame) {
    free(frame->memory);
    free(frame->offered);
}

void frame_copy(Frame *frame, const Frame *other) {
    unsigned char *memory = frame->memory, *offered = frame->offered;
    int32_t *set_numbers = frame->set_numbers;
    Header *header = frame->header;
    if (offered) {
        memcpy(offered, other->offered, (size_t)other->set_count * set_bytes(other->program));
        memcpy(set_numbers, other->set_numbers, (size_t)other->set_count * sizeof *set_numbers);
    }
    memcpy(memory, other->memory, other->program->frame_size);
    memcpy(frame, other, offsetof(Frame, past));
    frame->memory = memory;
    frame->offered = offered;
    frame->set_numbers = set_numbers;
    frame->header = header;
    frame_lasts(frame);
}

void frame_load(Frame *frame, const unsigned char *state) {
    memcpy(frame->memory + frame->program->state_at, state, frame->program->state_size);
    frame->at = frame->header->status == NOT_STARTED ? 0 : frame->program->resume[frame->header->node];
    frame->has_move = frame->answered = 0;
    frame->past.lasting = 0;
    frame_refuel(frame);
}

void frame_load_lasting(Frame *frame, const unsigned char *state) {
    frame_load(frame, state);
    frame->past.state = state;
    frame->past.lasting = 1;
    frame->past.runs = 0;
}

void frame_lasts(Frame *frame) {
    frame->past.lasting = 1;
    frame->past.runs = NOTED_RUNS; /* so that the next one is noted in full */
}

void frame_save(const Frame *frame, unsigned char *state) {
    memcpy(state, frame->memory + frame->program->state_at, frame->program->state_size);
}
