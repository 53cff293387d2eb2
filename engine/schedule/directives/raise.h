// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/schedule/schedule.h"
#include "engine/schedule/words/directive.h"

#include <span>

namespace tessera::schedule {

// The schedule that directives stand for; the inverse of lower(). What Halide would refuse is
// refused here too, with the number of the directive. Funcs without a directive are inlined, or
// computed at root if they are outputs, as in Halide.
Result<Schedule> raise(pipeline::PipelinePtr base, std::span<const Directive> directives);

} // namespace tessera::schedule
