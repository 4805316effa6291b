/*
 * The end of a run as the key:value lines that isolate(1) writes and that judges already
 * parse: --meta.
 */
#ifndef NSBOX_CORE_META_H
#define NSBOX_CORE_META_H

#include "core/report.h"
#include "core/str.h"

/*
 * Appends one line for each thing that is known of the run. A figure that is not known has no
 * line, and a run that ended well has no status.
 */
void meta_text(const struct report *report, struct str *text);

#endif
