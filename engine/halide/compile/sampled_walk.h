// SPDX-License-Identifier: MIT
#pragma once

#include <Halide.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tessera::halide {

inline constexpr int kSamples = 256;

// The value of an integer expression of lowered code at kSamples positions of the surrounding
// loops. It is unknown if it depends on data.
struct Sampled {
  bool known = false;
  std::array<std::int64_t, kSamples> at{};

  static Sampled constant(std::int64_t value);
};

// Walks lowered code with every loop variable at kSamples values at once, spread evenly over each
// loop. The walk knows how often each sample is reached: the product of the surrounding extents, or
// zero where a condition excludes it. So counts are exact where extents are constant and no
// condition applies, and an average otherwise. A condition on data excludes nothing.
class SampledWalk : public Halide::Internal::IRVisitor {
public:
  // `given` holds values that are known only at run time, by name: sizes of buffers and scalars.
  explicit SampledWalk(std::map<std::string, std::int64_t> given);

protected:
  using IRVisitor::visit;
  void visit(const Halide::Internal::LetStmt *op) override;
  void visit(const Halide::Internal::Let *op) override;
  void visit(const Halide::Internal::For *op) override;
  void visit(const Halide::Internal::IfThenElse *op) override;
  void visit(const Halide::Internal::Store *op) override;

  Sampled evaluate(const Halide::Expr &e);
  double timesReached() const; // mean over the samples

  // Called around the body of a loop.
  virtual void enter(const Halide::Internal::For *) {}
  virtual void leave(const Halide::Internal::For *) {}

private:
  using Weights = std::array<double, kSamples>;
  template <typename Node>
  void visitLet(const Node *op);
  Sampled valueOf(const std::string &name) const;
  Sampled choose(const Halide::Internal::Select *op);
  Sampled bind(const Halide::Internal::Let *op);
  template <typename Op>
  Sampled combine(const Halide::Expr &a, const Halide::Expr &b, Op op);

  std::map<std::string, std::int64_t> m_given;
  std::map<std::string, std::vector<Sampled>> m_values; // by name; the innermost definition is last
  // If the size of shared memory depends on the block, the host loops over all blocks and keeps the
  // largest size in an extra variable.
  std::map<std::string, std::int64_t> m_largest;
  Weights m_weights;
  int m_depth = 0;
};

} // namespace tessera::halide
