// What a service says to systemd and to its journal, and what systemd says of services.

#ifndef CSYSTEMD_SHIM_H
#define CSYSTEMD_SHIM_H

// The macros that add a place in C's source would add this file's.
#define SD_JOURNAL_SUPPRESS_LOCATION

#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>

#endif
