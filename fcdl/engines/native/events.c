#include "events.h"

#include <stdlib.h>

static void event_push(Events *events, int32_t value) {
    if (events->used == events->capacity) {
        size_t capacity = events->capacity ? 2 * events->capacity : 256;
        int32_t *data = realloc(events->data, capacity * sizeof *data);
        if (!data) {
            events->failed = 1;
            return;
        }
        events->data = data;
        events->capacity = capacity;
    }
    events->data[events->used++] = value;
}

void event_begin(Events *events, int32_t kind, int32_t node) {
    events->record = events->used;
    event_push(events, kind);
    event_push(events, 0);
    event_push(events, node);
}

void event_add(Events *events, int32_t value) {
    event_push(events, value);
    if (!events->failed && events->used > events->record + 3) events->data[events->record + 1]++;
}
