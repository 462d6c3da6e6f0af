/* The buffer that events are written to. */

#ifndef FCDL_EVENTS_H
#define FCDL_EVENTS_H

#include <stddef.h>
#include <stdint.h>

/* Records of events: kind, number of values that follow, node, values. */
typedef struct {
    int32_t *data;
    size_t used, capacity, record;
    int failed;
} Events;

void event_begin(Events *events, int32_t kind, int32_t node);
void event_add(Events *events, int32_t value);

#endif
