// SPDX-License-Identifier: MIT
// tessera-halide: the only program that contains Halide. Answers requests on standard input until
// it closes; see engine/halide/worker/worker.h.
#include "engine/halide/worker/worker.h"

#include <cstdio>
#include <cstdlib>

int main() {
  tessera::job::WorkerHandlers handlers = tessera::halide::workerHandlers();
  handlers.version = TESSERA_VERSION;
  const int code = tessera::job::serveWorker(handlers);
  std::fflush(nullptr);
  // Static destructors of Halide, LLVM and the libraries they loaded may crash, and nothing needs
  // to be saved.
  std::_Exit(code);
}
