// SPDX-License-Identifier: MIT
// Compares the engine's footprints with Halide's own boxes. Prints a Markdown table with one line
// per pipeline:
//
//   campaign_footprints [--tiles N] [--seed S] [--random COUNT] [--int32] [FILE.hlpipe…]
//
// Random pipelines have all types. With --int32 they are those of older logs, of int32 alone.
#include "engine/halide/capture.h"
#include "engine/halide/guard.h"
#include "tests/engine/halide/import/footprint_tally.h"
#include "tests/engine/halide/random_pipeline.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <unistd.h>

namespace {

using tessera::halide::testing::FootprintTally;

struct Options {
  int tiles = 40;
  std::uint64_t seed = 1;
  int random = 0;
  bool isInt32 = false;
  std::vector<std::string> files;
};

std::string reasons(const std::map<std::string, int> &counts) {
  std::string text;
  for (const auto &[reason, n] : counts)
    text += (text.empty() ? "" : ", ") + std::to_string(n) + " × " + reason;
  return text.empty() ? "–" : text;
}

void printRow(const std::string &name, const FootprintTally &tally) {
  const double share = tally.affineEdges ? 100.0 * tally.affineExact / tally.affineEdges : 100.0;
  const double all = tally.edges ? 100.0 * tally.exact / tally.edges : 100.0;
  std::printf("| %s | %d | %d | %.2f %% | %d (%.2f %%) | %d | %s | %s | %zu |\n", name.c_str(),
              tally.edges, tally.affineEdges, share, tally.exact, all, tally.tighter,
              reasons(tally.covers).c_str(), reasons(tally.whole).c_str(), tally.mismatches.size());
  std::fflush(stdout);
  for (std::size_t i = 0; i < tally.inexactAffine.size() && i < 8; ++i)
    std::fprintf(stderr, "%s: inexact: %s\n", name.c_str(), tally.inexactAffine[i].c_str());
  for (std::size_t i = 0; i < tally.mismatches.size() && i < 5; ++i)
    std::fprintf(stderr, "%s: %s\n", name.c_str(), tally.mismatches[i].c_str());
}

bool tallyFile(const std::string &path, int tiles, std::mt19937_64 &random, FootprintTally &into) {
  tessera::halide::ImportOptions options;
  options.path = path;
  const auto prepared = tessera::halide::preparePipeline(options);
  if (!prepared) {
    std::fprintf(stderr, "%s\n", prepared.error().message.c_str());
    return false;
  }
  const auto parts = tessera::halide::partsOf(*prepared, options);
  if (!parts) {
    std::fprintf(stderr, "%s\n", parts.error().message.c_str());
    return false;
  }
  into.add(tessera::halide::testing::compareFootprints(*prepared, *parts, tiles, random));
  return true;
}

FootprintTally tallyRandom(const Options &options, std::mt19937_64 &random) {
  const std::string path = (std::filesystem::temp_directory_path() /
                            ("footprints-" + std::to_string(::getpid()) + ".hlpipe"))
                               .string();
  FootprintTally total;
  for (int i = 0; i < options.random; ++i) {
    const std::uint64_t seed = options.seed * 1000003 + static_cast<std::uint64_t>(i);
    const auto status = tessera::halide::capturePipeline(
        options.isInt32 ? tessera::halide::testing::randomInt32Pipeline(seed)
                        : tessera::halide::testing::randomPipeline(seed),
        path);
    FootprintTally one;
    if (status && tallyFile(path, options.tiles, random, one)) total.add(one);
    if (!one.mismatches.empty() && total.mismatches.size() < 9)
      std::fprintf(stderr, "random pipeline of seed %lu\n", seed);
  }
  std::filesystem::remove(path);
  std::filesystem::remove(tessera::halide::sidecarPath(path));
  return total;
}

int run(const Options &options) {
  std::mt19937_64 random(options.seed);
  std::printf("seed %lu, %d tiles for each stage\n\n", options.seed, options.tiles);
  std::printf("| pipeline | edges | affine | affine exact | exact of all | of these tighter than "
              "Halide | covers | whole | "
              "mismatches |\n|---|---|---|---|---|---|---|---|---|\n");
  FootprintTally total;
  bool opened = true;
  for (const std::string &file : options.files) {
    FootprintTally one;
    opened = tallyFile(file, options.tiles, random, one) && opened;
    printRow(std::filesystem::path(file).stem().string(), one);
    total.add(one);
  }
  if (options.random > 0) {
    const FootprintTally one = tallyRandom(options, random);
    printRow(std::to_string(options.random) + " random", one);
    total.add(one);
  }
  printRow("**all**", total);
  return opened && total.mismatches.empty() ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool hasValue = i + 1 < argc;
    if (word == "--tiles" && hasValue)
      options.tiles = std::atoi(argv[++i]);
    else if (word == "--seed" && hasValue)
      options.seed = std::strtoull(argv[++i], nullptr, 10);
    else if (word == "--random" && hasValue)
      options.random = std::atoi(argv[++i]);
    else if (word == "--int32")
      options.isInt32 = true;
    else
      options.files.push_back(word);
  }
  int code = 1;
  try {
    code = run(options);
  } catch (const Halide::Error &e) {
    std::fprintf(stderr, "%s\n", tessera::halide::textOf(e).c_str());
  }
  std::fflush(nullptr);
  std::_Exit(code);
}
