// SPDX-License-Identifier: MIT
#pragma once

#include "engine/record/record.h"
#include "engine/job/process_event.h"

#include <functional>

namespace tessera::record {

// A listener for ProcessOptions::listener that logs the events of a process under a fixed name: any
// program of the user is "generator". Empty if the record writes nothing.
std::function<void(const job::ProcessEvent &)> processLines(const Record &record, Word name);

} // namespace tessera::record
