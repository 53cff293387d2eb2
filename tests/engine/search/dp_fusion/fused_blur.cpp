// SPDX-License-Identifier: MIT
#include "tests/engine/search/dp_fusion/fused_blur.h"

#include "engine/schedule/edits/default_schedule.h"
#include "tests/engine/pipeline/sketch.h"

namespace tessera::search::testing {

schedule::Schedule fusedBlur() {
  return schedule::defaultSchedule(pipeline::test::sketch(R"(
    func image(x y c) 4098 4098 3 = 
    func blurx(x y c) 4098 4096 3 = image(x; y; c) image(x; y+1; c) image(x; y+2; c)
    func blury(x y c) 4096 4096 3 = blurx(x; y; c) blurx(x+1; y; c) blurx(x+2; y; c)
    output blury
  )"));
}

StageInputs blurInputs(const schedule::Schedule &blur) {
  constexpr double kRegisters = 12, kSeconds = 1e-8;
  StageInputs inputs;
  for (const pipeline::FuncId func : {kImage, kBlurX, kBlurY}) {
    inputs.measures[func] = {kRegisters, kSeconds};
    inputs.loads[func] = loadsOf(blur, func);
  }
  return inputs;
}

machine::Machine gtx1080Ti() {
  machine::Machine machine;
  machine.multiprocessors = 28;
  machine.sm.fp32 = 128;
  machine.sm.blocks = 16;
  machine.sm.sharedBytes = 96 * 1024;
  machine.memory.dramBytesPerSecond = 484e9;
  return machine;
}

machine::Machine teslaV100() {
  machine::Machine machine = gtx1080Ti();
  machine.multiprocessors = 80;
  machine.sm.fp32 = 64;
  machine.sm.blocks = 32;
  machine.memory.dramBytesPerSecond = 898e9;
  return machine;
}

} // namespace tessera::search::testing
