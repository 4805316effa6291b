/*
 * Makes the sentence for what the child could only say in numbers.
 */
#ifndef NSBOX_LINUX_FAILURE_H
#define NSBOX_LINUX_FAILURE_H

#include "core/err.h"
#include "core/report.h"
#include "linux/step.h"

/*
 * RECORD_FAILED: ERR_SETUP, or ERR_UNAVAILABLE where the host refused namespaces; stage is
 * the step's name. Returns -1.
 */
int failure_of_step(const struct plan *plan, const struct record *record, struct err *err);

/*
 * RECORD_EXEC_FAILED: ERR_NOT_FOUND or ERR_NOT_EXECUTABLE; names a missing interpreter.
 * Returns -1.
 */
int failure_of_exec(const struct plan *plan, const char *word, const struct record *record,
    struct err *err);

/*
 * The host refused namespaces with err->sys at err->stage: adds the likely cause to the
 * message, and cause and remedy to the report's layer.
 */
void failure_explain_refusal(struct report *report, struct err *err);

#endif
