// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/halide/sidecar.h"

#include <Halide.h>

#include <memory>
#include <optional>
#include <string>

namespace tessera::halide {

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

// Tells Halide that a name is taken. Otherwise the names of a loaded pipeline clash with names that
// Halide makes up later in the process ("can't create var v1").
void reserveName(const std::string &name);

} // namespace tessera::halide
