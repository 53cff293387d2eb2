// SPDX-License-Identifier: MIT
// random_pipelines COUNT SEED FOLDER: writes small random pipelines, for tests/campaigns/mutants.
#include "engine/halide/capture.h"
#include "tests/engine/halide/random_pipeline.h"

#include <cstdio>
#include <cstdlib>
#include <string>

int main(int argc, char **argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: random_pipelines COUNT SEED FOLDER\n");
    return 2;
  }
  const std::uint64_t count = std::strtoull(argv[1], nullptr, 10);
  const std::uint64_t seed = std::strtoull(argv[2], nullptr, 10);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string file =
        std::string(argv[3]) + "/random_" + std::to_string(seed + i) + ".hlpipe";
    const auto status =
        tessera::halide::capturePipeline(tessera::halide::testing::randomPipeline(seed + i), file);
    if (!status) std::fprintf(stderr, "%s: %s\n", file.c_str(), status.error().message.c_str());
  }
}
