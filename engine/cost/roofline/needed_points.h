// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/pipeline.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::cost {

// How many points of each func and input are read at least, whatever the schedule: a lower bound
// for each dimension, whose product is a lower bound of the points.
//
//   g(x) = f(2*x)             half as many points of f as its region has
//   g(x) = f(2*x) + f(2*x+1)  all of them
//   g(x) = f(x/2)             half as many points of f as of g
//   g(x, y) = f(x, x)         as many as x has values: no dimension is counted twice
//   g(x) = f(table(x))        one: data choose, and may choose the same point each time
//
// A stage behind a predicate may never run, so what it reads is not counted.
class NeededPoints {
public:
  explicit NeededPoints(const pipeline::Pipeline &pipeline);

  double of(pipeline::Producer producer) const; // points
  // How often the stage is evaluated at least; with `loops`, a bit for each loop, how many
  // different values these loops have together.
  double evaluations(const pipeline::Stage &stage) const;
  double valuesOf(const pipeline::Stage &stage, std::uint32_t loops) const;

private:
  using Counts = std::vector<double>; // by dimension; empty: nothing is needed, or a scalar
  struct Needed {
    bool isNeeded = false;
    Counts counts;
    double points() const;
  };

  Needed &at(pipeline::Producer producer);
  double valuesOfLoop(const pipeline::Stage &stage, std::size_t loop) const;
  void addLoadsOf(const pipeline::Stage &stage);
  Counts countsOf(const pipeline::Stage &stage, const pipeline::Access &access) const;
  Counts countsOf(const pipeline::Stage &stage,
                  std::span<const pipeline::Access *const> loads) const; // the least of all

  std::vector<Needed> m_funcs, m_inputs;
};

} // namespace tessera::cost
