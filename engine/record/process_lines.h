// SPDX-License-Identifier: MIT
#pragma once

#include "engine/record/record.h"
#include "engine/job/process_event.h"

#include <functional>

namespace tessera::record {

// A function for ProcessOptions::listener. It logs the events of a process under `name`, which is a
// fixed word: every program of the user is "generator". The function is empty if the record
// writes nothing.
std::function<void(const job::ProcessEvent &)> processLines(const Record &record, Word name);

} // namespace tessera::record
