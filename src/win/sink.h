/*
 * Where a report goes on Windows: a file that is replaced as a whole, or one of
 * the two standard streams.
 */
#ifndef NSBOX_WIN_SINK_H
#define NSBOX_WIN_SINK_H

#include "core/host.h"

int sink_open(const char *option, const char *name, struct report_sink **sink, struct err *err);
int sink_write(struct report_sink *sink, const char *text, size_t length, bool last, struct err *err);
void sink_close(struct report_sink *sink);

#endif
