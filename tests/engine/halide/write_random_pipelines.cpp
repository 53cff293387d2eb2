// SPDX-License-Identifier: MIT
// Writes random pipelines of all types (random_typed_pipeline.h) for campaigns:
//
//   write_random_pipelines FOLDER FIRST COUNT
//
// Pipeline n of FIRST … FIRST + COUNT - 1 becomes FOLDER/typed_n.hlpipe, with its sidecar.
#include "engine/halide/capture.h"
#include "tests/engine/halide/random_typed_pipeline.h"

#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>

namespace {

std::uint64_t numberIn(std::string_view text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: write_random_pipelines FOLDER FIRST COUNT\n");
    return 2;
  }
  const std::uint64_t first = numberIn(argv[2]), count = numberIn(argv[3]);
  for (std::uint64_t n = first; n < first + count; ++n) {
    const std::string path = std::string(argv[1]) + "/typed_" + std::to_string(n) + ".hlpipe";
    const auto written =
        tessera::halide::capturePipeline(tessera::halide::testing::randomTypedPipeline(n), path);
    if (written) continue;
    std::fprintf(stderr, "%s\n", written.error().message.c_str());
    return 1;
  }
  return 0;
}
