// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/text/cpp_text.h"
#include "engine/base/result.h"

#include <string>

namespace tessera::schedule {

// The schedule as a function for Halide's Python bindings: apply_schedule_NAME(pipeline), with an
// hl.Pipeline. Fails where cppText() fails, and where a name or a remark is not UTF-8. Unlike C++
// and JSON, it cannot be read back.
Result<std::string> pythonText(const WrittenSchedule &written);

} // namespace tessera::schedule
