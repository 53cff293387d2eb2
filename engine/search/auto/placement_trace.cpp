// SPDX-License-Identifier: MIT
#include "engine/search/auto/placement_trace.h"

#include <algorithm>
#include <utility>

namespace tessera::search {

using pipeline::FuncId;

namespace {

std::string tileText(const Tile &tile) {
  std::string text = sizesText(tile.threads) + " threads";
  if (tile.points[0] * tile.points[1] > 1) text += " of " + sizesText(tile.points) + " points";
  return text;
}

} // namespace

Move moveInto(const Group &group, FuncId func) {
  const Member *const member = group.find(func);
  if (!member) return {Move::Kind::Tiles, group.output};
  switch (member->placement) {
  case Placement::Block:
    return {Move::Kind::Block, group.output};
  case Placement::Thread:
    return {Move::Kind::Thread, group.output};
  case Placement::Step:
    break;
  }
  return {Move::Kind::Step, group.output};
}

PlacementTrace::PlacementTrace(TraceWriter &writer, const pipeline::Pipeline &pipeline,
                               std::string_view phase, FuncId func, double now)
    : m_writer(writer), m_pipeline(pipeline), m_phase(phase), m_func(func), m_now(now) {}

PlacementTrace::Tried *PlacementTrace::of(const Move &move) {
  const auto tried = std::ranges::find(m_tried, move, &Tried::move);
  return tried == m_tried.end() ? nullptr : &*tried;
}

void PlacementTrace::found(const Move &move, const Group &group, double seconds) {
  Tried *const known = of(move);
  if (!known)
    m_tried.push_back({move, group, seconds, false, {}});
  else if (seconds < known->seconds)
    *known = {move, group, seconds, false, {}};
}

void PlacementTrace::refuse(const Move &move, std::string reason) {
  if (Tried *const known = of(move); known && known->reason.empty())
    known->reason = std::move(reason);
}

void PlacementTrace::take(const Move &move, const Group &group, double seconds) {
  if (Tried *const known = of(move)) *known = {move, group, seconds, true, {}};
}

TraceRow PlacementTrace::rowOf(const Tried &tried, bool anyTaken, double enough) const {
  const auto nameOf = [this](FuncId func) { return m_pipeline.func(func).name; };
  TraceRow row{std::string(m_phase),
               {},
               {nameOf(m_func)},
               finiteCost(tried.seconds),
               finiteCost(m_now - tried.seconds)};
  const std::string into = nameOf(tried.move.into);
  switch (tried.move.kind) {
  case Move::Kind::Tiles:
    row.what = "tiles";
    break;
  case Move::Kind::OwnKernel:
    row.what = "a kernel of its own";
    break;
  case Move::Kind::Inline:
    row.what = "inline";
    break;
  case Move::Kind::Block:
    row.what = "into the blocks of " + into;
    break;
  case Move::Kind::Thread:
    row.what = "into the threads of " + into;
    break;
  case Move::Kind::Step:
    row.what = "into the steps of " + into;
    break;
  }
  const bool hasTile = tried.move.kind != Move::Kind::OwnKernel &&
                       tried.move.kind != Move::Kind::Inline && tried.group.tile;
  if (hasTile) row.what += ", " + tileText(*tried.group.tile);
  if (tried.move.into != m_func) row.funcs.push_back(into);
  row.outcome = tried.isTaken ? TraceOutcome::Taken : TraceOutcome::Refused;
  if (tried.isTaken) return row;
  if (tried.seconds >= m_now)
    row.reason = kNotFaster;
  else if (tried.seconds >= m_now * enough)
    row.reason = kGainsTooLittle;
  else if (!tried.reason.empty())
    row.reason = tried.reason;
  else
    row.reason = anyTaken ? "another change is faster" : "changes like it are not legal";
  return row;
}

void PlacementTrace::write(double enough) {
  std::ranges::stable_sort(m_tried, [](const Tried &a, const Tried &b) {
    return a.isTaken != b.isTaken ? a.isTaken : a.seconds < b.seconds;
  });
  const bool anyTaken = !m_tried.empty() && m_tried.front().isTaken;
  for (const Tried &tried : m_tried)
    m_writer.add([&] { return rowOf(tried, anyTaken, enough); });
}

} // namespace tessera::search
