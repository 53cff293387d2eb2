// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/halide/sidecar.h"

#include <Halide.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace tessera::halide {

// Reports the phase that begins, for the user, and the fraction that is done (-1: unknown). Phases
// that may take long name the func that they are at: Halide's bounds of a deep expression can take
// exponential time.
using PhaseCallback = std::function<void(const std::string &phase, double fraction)>;

// A pipeline file in Halide's own form. It has been checked, its names are reserved and its loop
// levels are locked.
struct LoadedPipeline {
  std::string path;
  std::string sha256; // checksum of the file
  Halide::Pipeline pipeline;
  std::optional<Sidecar> sidecar;
};

// If `sidecarFile` is empty, NAME.estimates.json beside NAME.hlpipe is used if it exists.
Result<LoadedPipeline> loadPipeline(const std::string &path, const std::string &sidecarFile);

// All funcs of a pipeline, by name.
std::map<std::string, Halide::Internal::Function> functionsOf(const Halide::Pipeline &pipeline);

// Tells Halide that a name is taken. Otherwise the names of a loaded pipeline clash with names that
// Halide makes up later in the process ("can't create var v1").
void reserveName(const std::string &name);

} // namespace tessera::halide
