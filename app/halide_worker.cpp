// SPDX-License-Identifier: MIT
// tessera-halide: the only program with Halide in it. Answers requests on standard input until that
// closes; everything is in engine/halide/worker/worker.h.
#include "engine/halide/worker/worker.h"

#include <cstdio>
#include <cstdlib>

int main() {
  tessera::job::WorkerHandlers handlers = tessera::halide::workerHandlers();
  handlers.version = TESSERA_VERSION;
  const int code = tessera::job::serveWorker(handlers);
  std::fflush(nullptr);
  // Static destructors of Halide, LLVM and of what they loaded may crash; there is nothing to save.
  std::_Exit(code);
}
