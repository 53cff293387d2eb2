// SPDX-License-Identifier: MIT
// Writes random pipelines (random_pipeline.h) for campaigns, each with its sidecar:
//
//   random_pipelines [--int32] COUNT SEED FOLDER
//
// Seed n of SEED … SEED + COUNT - 1 becomes FOLDER/random_n.hlpipe. With --int32 the pipelines have
// int32 alone and are those of older logs.
#include "engine/halide/capture.h"
#include "tests/engine/halide/random_pipeline.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using tessera::halide::testing::randomInt32Pipeline;
using tessera::halide::testing::randomPipeline;

bool writePipeline(std::uint64_t seed, const std::string &folder, bool isInt32) {
  const std::string file = folder + "/random_" + std::to_string(seed) + ".hlpipe";
  const auto status = tessera::halide::capturePipeline(
      isInt32 ? randomInt32Pipeline(seed) : randomPipeline(seed), file);
  if (!status) std::fprintf(stderr, "%s: %s\n", file.c_str(), status.error().message.c_str());
  return static_cast<bool>(status);
}

} // namespace

int main(int argc, char **argv) {
  const bool isInt32 = argc > 1 && std::string_view(argv[1]) == "--int32";
  char **arguments = argv + (isInt32 ? 2 : 1);
  if (argv + argc - arguments != 3) {
    std::fprintf(stderr, "usage: random_pipelines [--int32] COUNT SEED FOLDER\n");
    return 2;
  }
  const std::uint64_t count = std::strtoull(arguments[0], nullptr, 10);
  const std::uint64_t seed = std::strtoull(arguments[1], nullptr, 10);
  for (std::uint64_t i = 0; i < count; ++i)
    if (!writePipeline(seed + i, arguments[2], isInt32)) return 1;
  return 0;
}
