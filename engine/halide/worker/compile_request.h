// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/halide/compile/compile.h"
#include "engine/halide/compile/excerpt.h"
#include "engine/halide/verify/verify.h"

#include <nlohmann/json_fwd.hpp>

namespace tessera::halide {

Result<CompileOptions> compileOptionsFrom(const nlohmann::json &fields);
Result<ExcerptOptions> excerptOptionsFrom(const nlohmann::json &fields);
Result<VerifyOptions> verifyOptionsFrom(const nlohmann::json &fields);

} // namespace tessera::halide
