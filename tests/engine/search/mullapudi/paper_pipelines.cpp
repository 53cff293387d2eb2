// SPDX-License-Identifier: MIT
#include "tests/engine/search/mullapudi/paper_pipelines.h"

#include <stdexcept>

namespace tessera::search::testing {

pipeline::PipelinePtr paperBlur() {
  auto parts = pipeline::test::sketchParts(R"(
    input in 6402 4802
    func blurx(x y) 6400 4802 = in(x; y) in(x+1; y) in(x+2; y)
    func out(x y) 6400 4800 = blurx(x; y) blurx(x; y+1) blurx(x; y+2)
    output out
  )");
  for (pipeline::Stage &stage : parts.stages)
    for (pipeline::OpCount &operation : stage.operations)
      if (operation.kind != pipeline::OpKind::Load) operation.count = 3;
  auto made = pipeline::Pipeline::create(std::move(parts));
  if (!made) throw std::runtime_error(made.error().message);
  return *made;
}

pipeline::PipelinePtr paperMatMul() {
  return pipeline::test::sketch(R"(
    func a(x y) 2048 2048 = 
    func b(x y) 2048 2048 = 
    func c(x y) 2048 2048 = 
    update c(x y) r:0:2048 = c(x; y) a(r; y) b(x; r)
    output c
  )");
}

} // namespace tessera::search::testing
