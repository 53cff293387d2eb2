// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/pipeline/stage.h"
#include "engine/schedule/loop_nest.h"
#include "engine/schedule/words/directive.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera::schedule {

// Performs the calls split, fuse and reorder on named loops, in any order that Halide accepts, and
// makes the one LoopNest that stands for them.
class NestBuilder {
public:
  explicit NestBuilder(const pipeline::Stage &stage);

  Status split(const std::string &old, const std::string &outer, const std::string &inner,
               std::int64_t factor, Tail tail);
  Status fuse(const std::string &inner, const std::string &outer, const std::string &fused);
  Status reorder(const std::vector<std::string> &loops);
  Status mark(const std::string &loop, LoopKind kind);
  void singleThread() { m_singleThread = true; }

  // The place of a named loop in the final nest.
  std::optional<LoopRef> find(const std::string &name) const;
  LoopNest nest() const;

private:
  struct Live {
    std::string name;
    LoopRef ref;
    LoopKind kind = LoopKind::Serial;
  };
  Live *live(const std::string &name);
  bool canFlatten(LoopRef ref) const;
  std::vector<std::size_t> axisOrder() const;
  std::vector<std::uint16_t> numbering() const;

  std::size_t m_dims;
  std::vector<Axis> m_axes; // includes fused axes that were merged into others
  std::vector<bool> m_gone;
  std::vector<Live> m_live; // innermost first
  bool m_singleThread = false;
};

} // namespace tessera::schedule
