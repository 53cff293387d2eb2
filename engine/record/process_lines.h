// SPDX-License-Identifier: MIT
#pragma once

#include "engine/job/process_event.h"
#include "engine/record/record.h"

#include <functional>

namespace tessera::record {

// Writes what becomes of a process into the log, under a name of ours: a program of the user's is
// "generator". Goes into ProcessOptions::listener; empty where the record writes nothing.
std::function<void(const job::ProcessEvent &)> processLines(const Record &record, Word name);

} // namespace tessera::record
