// SPDX-License-Identifier: MIT
// lower_directives PIPELINE.hlpipe REQUEST.json OUT: applies the directives and promises of a
// request as the worker does and writes the lowered code.
#include "engine/halide/compile/apply.h"
#include "engine/halide/import/load.h"
#include "engine/halide/import/promises.h"
#include "engine/halide/worker/request.h"
#include "engine/schedule/words/directive_json.h"
#include "tests/engine/halide/exported/lower_to_file.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace tessera::halide {

namespace {

int fail(const Error &error) {
  std::fprintf(stderr, "%s\n%s\n", error.message.c_str(), error.hint.c_str());
  return 1;
}

int run(const char *file, const char *list, const char *out) {
  auto loaded = loadPipeline(file, "");
  if (!loaded) return fail(loaded.error());
  std::ifstream text(list);
  auto request = nlohmann::json::parse(text, nullptr, false);
  const auto directives = schedule::directivesFromJson(request["directives"]);
  if (!directives) return fail(directives.error());
  request["path"] = file;
  const auto options = importOptionsFrom(request);
  if (!options) return fail(options.error());
  testing::levelNames(testing::kBeforeScheduling);
  const auto applied = applyDirectives(loaded->pipeline, *directives);
  if (!applied) return fail(applied.error());
  if (const Status kept = applyPromises(loaded->pipeline, options->promises); !kept)
    return fail(kept.error());
  testing::lowerToFile(loaded->pipeline, out);
  return 0;
}

} // namespace

int lower(const char *file, const char *list, const char *out) {
  try {
    return run(file, list, out);
  } catch (const Halide::Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

} // namespace tessera::halide

int main(int count, char **words) {
  if (count != 4)
    return std::fprintf(stderr, "usage: lower_directives PIPELINE DIRECTIVES OUT\n"), 2;
  // Skips LLVM's destructors, which may crash.
  std::_Exit(tessera::halide::lower(words[1], words[2], words[3]));
}
