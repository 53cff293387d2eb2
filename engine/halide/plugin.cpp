// SPDX-License-Identifier: MIT
// Halide's autoscheduler plugin "Tessera". In this version it only captures: it writes the pipeline
// that a generator built, before any schedule, for the explorer to open.
//
//   GENERATOR -g NAME -f NAME -o DIR -e hlpipe -p autoschedule_tessera target=…
//             autoscheduler=Tessera autoscheduler.capture=DIR/NAME.hlpipe
#include "engine/halide/capture.h"
#include "engine/halide/extern_symbols.h"

#include <Halide.h>

#include <cstdio>
#include <cstdlib>

namespace tessera::halide {

namespace {

[[noreturn]] void refuse(const std::string &message) {
  throw Halide::CompileError("autoscheduler Tessera: " + message);
}

std::string capturePath(const Halide::AutoschedulerParams &params) {
  std::string path;
  for (const auto &[key, value] : params.extra) {
    if (key != "capture")
      refuse("unknown parameter \"autoscheduler." + key +
             "\"; this version knows autoscheduler.capture=PATH.hlpipe");
    path = value;
  }
  if (path.empty())
    refuse("this version only captures pipelines and cannot schedule yet; set "
           "autoscheduler.capture=PATH.hlpipe");
  return path;
}

struct TesseraAutoscheduler {
  void operator()(const Halide::Pipeline &pipeline, const Halide::Target &target,
                  const Halide::AutoschedulerParams &params, Halide::AutoSchedulerResults *) const {
    const std::string path = capturePath(params);
    useExternSymbols(pipeline, target);
    if (const Status status = capturePipeline(pipeline, path); !status)
      refuse(status.error().message);
    // If control returned to the generator, Halide would lower the default schedule with everything
    // inlined, which on deep pipelines never ends. Nothing is left to do, so the process exits
    // here, without running destructors of plugins.
    std::fflush(nullptr);
    std::_Exit(0);
  }
};

const bool kRegistered = [] {
  Halide::Pipeline::add_autoscheduler("Tessera", TesseraAutoscheduler());
  return true;
}();

} // namespace

// Keeps the registration alive: linkers drop objects that nothing refers to.
extern "C" bool tesseraAutoschedulerRegistered() { return kRegistered; }

} // namespace tessera::halide
