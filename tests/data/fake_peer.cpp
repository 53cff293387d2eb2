// SPDX-License-Identifier: MIT
// An autoscheduler that fails in the way that its parameter says:
// does=schedule|sample|opaque|illegal|assert|throw|crash|hang|memory. It is about the shortest
// plugin that Halide can load, made for tests and never shipped.
#include <Halide.h>

#include <csignal>
#include <iostream>
#include <new>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

void tile(Halide::Func func, int width) {
  Halide::Var xo("xo"), yo("yo"), xi("xi"), yi("yi");
  func.compute_root().gpu_tile(func.args()[0], func.args()[1], xo, yo, xi, yi, width, 8);
}

struct FakePeer {
  void operator()(const Halide::Pipeline &pipeline, const Halide::Target &,
                  const Halide::AutoschedulerParams &params, Halide::AutoSchedulerResults *) const {
    const auto at = params.extra.find("does");
    const std::string does = at == params.extra.end() ? "" : at->second;
    Halide::Func output = pipeline.outputs().front();
    if (does == "schedule") return tile(output, 32);
    if (does == "sample") {
      // The wider, the better it claims to be; each third sample fails.
      const int seed = std::stoi(params.extra.at("random_dropout_seed"));
      if (seed % 3 == 0) throw Halide::CompileError("as the test wished");
      tile(output, 8 * seed);
      std::cerr << "Best cost: 900\nsomething else\nBest cost: " << 100.0 / seed << "\n";
      return;
    }
    if (does == "illegal") return tile(output, 1024);
    if (does == "opaque") {
      tile(output, 32);
      // A variant with loops of its own, whose condition is on more than whole numbers.
      output.specialize(Halide::cast<float>(output.output_buffer().dim(0).extent()) > 64.5F)
          .rename(Halide::Var("xi"), Halide::Var("x_of_wide"));
      return;
    }
    if (does == "throw") throw Halide::CompileError("as the test wished");
    if (does == "memory") throw std::bad_alloc();
    if (does == "crash") ::kill(::getpid(), SIGSEGV);
    while (does == "hang")
      ::pause();
    throw Halide::InternalError(""); // like a failed assertion in Halide's wheel
  }
};

const bool kRegistered = [] {
  Halide::Pipeline::add_autoscheduler("Fake", FakePeer());
  return true;
}();

} // namespace

extern "C" bool fakePeerRegistered() { return kRegistered; }
