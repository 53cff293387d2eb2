// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/pipeline.h"
#include "engine/search/kernels/group.h"
#include "engine/search/trace.h"

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::search {

// What a change does with a func.
struct Move {
  enum class Kind : std::uint8_t { Tiles, OwnKernel, Inline, Block, Thread, Step };
  Kind kind = Kind::Tiles;
  pipeline::FuncId into{}; // the output of the kernel that it then is in

  friend auto operator<=>(const Move &, const Move &) = default;
};

// The move of a func that becomes a member of a group; of its output: other tiles.
Move moveInto(const Group &group, pipeline::FuncId func);

// The rows of one decision of a PlacementSearch. Many changes differ in their tiles alone, so each
// move has one row: for the change that was taken, or for the fastest, with why it was not.
//
// It gathers nothing if the writer records nothing.
class PlacementTrace {
public:
  // `now`: the seconds without a change.
  PlacementTrace(TraceWriter &writer, const pipeline::Pipeline &pipeline, std::string_view phase,
                 pipeline::FuncId func, double now);

  bool isOn() const { return m_writer.isOn(); }
  // `group` is the first of a change.
  void found(const Move &move, const Group &group, double seconds);
  void refuse(const Move &move, std::string reason); // counts for the fastest of that move alone
  void take(const Move &move, const Group &group, double seconds);
  // Writes the rows, that which was taken first. `enough` is the part of `now` that a change may
  // take to be worthwhile.
  void write(double enough);

private:
  struct Tried {
    Move move;
    Group group;
    double seconds = 0;
    bool isTaken = false;
    std::string reason;
  };
  Tried *of(const Move &move);
  TraceRow rowOf(const Tried &tried, bool anyTaken, double enough) const;

  TraceWriter &m_writer;
  const pipeline::Pipeline &m_pipeline;
  const std::string_view m_phase;
  const pipeline::FuncId m_func;
  const double m_now;
  std::vector<Tried> m_tried;
};

} // namespace tessera::search
