// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/halide/sidecar.h"

#include <Halide.h>

#include <memory>
#include <optional>
#include <string>

namespace tessera::halide {

// A pipeline file in Halide's own form, checked, with its names reserved and its loop levels
// locked.
struct LoadedPipeline {
  std::string path;
  std::string sha256; // of the file
  Halide::Pipeline pipeline;
  std::optional<Sidecar> sidecar;
};

// `sidecarFile` empty: NAME.estimates.json beside NAME.hlpipe, if there is one.
Result<LoadedPipeline> loadPipeline(const std::string &path, const std::string &sidecarFile);

// Names of a loaded pipeline clash with names that Halide makes up later in the process ("can't
// create var v1"): tells Halide that this one is taken.
void reserveName(const std::string &name);

} // namespace tessera::halide
