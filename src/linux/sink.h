/*
 * Where a report goes on Linux: a descriptor, or a file that is replaced as a
 * whole. The functions are those of struct host.
 */
#ifndef NSBOX_LINUX_SINK_H
#define NSBOX_LINUX_SINK_H

#include "core/host.h"

int sink_open(const char *option, const char *name, struct report_sink **sink, struct err *err);
int sink_write(struct report_sink *sink, const char *text, size_t length, bool last, struct err *err);
void sink_close(struct report_sink *sink);

#endif
