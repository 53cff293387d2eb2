// SPDX-License-Identifier: MIT
// tessera-gpu: the only program that uses CUDA, which it loads at run time and does not link.
// Answers requests on standard input until it closes (engine/bench/device/worker.h).
#include "app/environment.h"
#include "engine/bench/device/worker.h"
#include "engine/bench/program_version.h"

#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string_view>

#include <malloc.h>

namespace {

// Keeps freed host memory in the process for the next measurement. Returning it to the system and
// touching new pages would take longer than filling the buffers.
void keepMemory() {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
}

} // namespace

int main(int argc, char **argv) {
  if (argc > 1) {
    std::printf("tessera-gpu %s\nMeasures bundles on the GPU of this machine for tessera-cli bench "
                "and the explorer, which talk to it over its standard input and output.\n",
                tessera::bench::programVersion().c_str());
    return std::string_view(argv[1]) == "--version" || std::string_view(argv[1]) == "--help" ? 0
                                                                                             : 2;
  }
  keepMemory();
  tessera::bench::WorkerSettings settings;
  settings.profilers = tessera::app::profilerLibraries();
  tessera::app::BundleStorePlace store = tessera::app::bundleStorePlace();
  settings.store = store.folder;
  settings.program = tessera::bench::programVersion();
  tessera::job::WorkerHandlers handlers = tessera::bench::workerHandlers(settings);
  handlers.version = settings.program;
  const int code = tessera::job::serveWorker(handlers);
  std::fflush(nullptr);
  store.temporary.reset(); // nothing else is destroyed
  // The driver, CUPTI and a bundle's runtime would be destroyed in an order that they do not
  // expect.
  std::_Exit(code);
}
