// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/types.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tessera::pipeline {

// What a node of a definition is. Unlike OpKind, which counts instructions of a GPU, this counts
// what stands in the expression, as learned cost models do.
enum class NodeKind : std::uint8_t {
  Constant,
  Cast,
  Variable,
  Parameter,
  Add,
  Subtract,
  Modulo,
  Multiply,
  Divide,
  Min,
  Max,
  Equal,
  NotEqual,
  Less, // also greater
  LessOrEqual,
  And,
  Or,
  Not,
  Select,
  InputCall,
  FuncCall,
  SelfCall,
  OtherCall,
  Let,
};
inline constexpr std::size_t kNodeKinds = 24;
std::string_view name(NodeKind kind);
std::optional<NodeKind> nodeKindFromName(std::string_view name);

struct NodeCount {
  NodeKind kind = NodeKind::Constant;
  ScalarType type; // of the value; that of a comparison is bool
  std::uint32_t count = 0;

  friend bool operator==(const NodeCount &, const NodeCount &) = default;
};

// The expressions of a definition, as Halide simplifies them: the values, and the indices of both
// sides. The condition of a reduction domain is left out.
struct Expression {
  std::vector<NodeCount> nodes; // sorted by kind, then type
  // The Strahler number: how many values have to be kept at a time to evaluate the expression.
  std::uint32_t branching = 0;

  friend bool operator==(const Expression &, const Expression &) = default;
};

} // namespace tessera::pipeline
