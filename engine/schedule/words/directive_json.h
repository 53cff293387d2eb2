// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/words/directive.h"
#include "engine/base/result.h"

#include <nlohmann/json_fwd.hpp>

namespace tessera::schedule {

// The form in which directives travel to the worker:
//
//   {"func":"f","stage":1,"call":"split","arguments":[{"loop":"r$x","reduction":true}, {"loop":"o",
//    "reduction":true}, {"loop":"i","reduction":true}, 32, {"tail":"guard_with_if"}]}
//   {"func":"g","call":"compute_at","arguments":[{"func":"f","stage":1,"loop":"o"}]}
//   {"func":"g","call":"in","arguments":[{"func":"f"}],"makes":"g_in_f"}
//
// Reading checks every call against its signature.
nlohmann::ordered_json toJson(const Directive &directive);
nlohmann::ordered_json toJson(std::span<const Directive> directives);
Result<std::vector<Directive>> directivesFromJson(const nlohmann::json &document);

} // namespace tessera::schedule
