// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/directives/loop_names.h"
#include "engine/schedule/directives/nest_builder.h"
#include "engine/base/result.h"
#include "engine/schedule/plan.h"

#include <map>
#include <string>
#include <vector>

namespace tessera::schedule {

// Collects the opaque calls on one stage and on its variants, in the order in which Halide gets
// them, and makes the one form that stands for them.
//
// Halide's specialize() copies the loops that a stage has by then. So a variant that gets loops of
// its own, or that is made before the stage gets all of its loops, is kept with all calls that make
// its loops from those of the definition. All other variants follow the stage.
class OpaqueCalls {
public:
  // A call that makes or marks a loop of the stage itself.
  void say(const Directive &directive);
  // specialize(), a call on a variant, or another opaque call on the stage.
  Status add(const Directive &directive);

  // The form of all calls, once the stage has its loops. Loops have the names of LoopNames.
  std::vector<OpaqueDirective> finished(const pipeline::Stage &stage, const NestBuilder &loops) &&;

private:
  std::vector<OpaqueDirective> m_loops; // calls of say()
  std::vector<OpaqueDirective> m_calls;
};

// Whether a call comes before those that make the loops of the stage: a variant with its own loops.
bool comesBeforeLoops(const OpaqueDirective &opaque);

// A call with the names that loops of the stage have in `nest`.
OpaqueDirective withNamesIn(OpaqueDirective opaque, const LoopNames &names, const LoopNest &nest);

// The calls of a variant, as directives of a stage. `variant` is the variant that gets the call.
void appendDirectives(std::vector<Directive> &directives, const OpaqueDirective &opaque,
                      const std::string &func, std::uint32_t stage,
                      const VariantPath &variant = {});

} // namespace tessera::schedule
