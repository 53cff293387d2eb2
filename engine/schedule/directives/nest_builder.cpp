// SPDX-License-Identifier: MIT
#include "engine/schedule/directives/nest_builder.h"

#include "engine/pipeline/saturating.h"

#include <algorithm>
#include <utility>

namespace tessera::schedule {

namespace {

// The largest number of axes of a nest, and of splits of an axis. Useful nests have far fewer. The
// limit keeps hostile directives cheap.
constexpr std::size_t kMostAxes = 64;
constexpr std::int64_t kLargestFactor = INT32_MAX; // largest extent of Halide's loops

Error refused(std::string message) { return {ErrorCode::InputRefused, std::move(message), ""}; }

Error noLoop(const std::string &name) { return refused("there is no loop '" + name + "'"); }

} // namespace

NestBuilder::NestBuilder(const pipeline::Stage &stage) : m_dims(stage.loops.size()) {
  m_axes.resize(m_dims);
  m_gone.resize(m_dims);
  for (std::size_t d = 0; d < m_dims; ++d)
    m_live.push_back({stage.loops[d].name, {static_cast<std::uint16_t>(d), 0}});
}

NestBuilder::Live *NestBuilder::live(const std::string &name) {
  const auto at = std::ranges::find(m_live, name, &Live::name);
  return at == m_live.end() ? nullptr : &*at;
}

std::optional<LoopRef> NestBuilder::find(const std::string &name) const {
  const auto at = std::ranges::find(m_live, name, &Live::name);
  if (at == m_live.end()) return std::nullopt;
  return LoopRef{numbering()[at->ref.axis], at->ref.part};
}

Status NestBuilder::split(const std::string &old, const std::string &outer,
                          const std::string &inner, std::int64_t factor, Tail tail) {
  Live *loop = live(old);
  if (!loop) return noLoop(old);
  if (loop->kind != LoopKind::Serial)
    return refused("'" + old + "' is " + std::string(schedule::name(loop->kind)) + " already");
  if (factor < 1) return refused("the factor must be at least 1, not " + std::to_string(factor));
  for (const std::string &made : {outer, inner})
    if (made != old && live(made)) return refused("there is a loop '" + made + "' already");
  if (outer == inner) return refused("both halves are called '" + outer + "'");

  const LoopRef ref = loop->ref;
  std::vector<Split> &splits = m_axes[ref.axis].splits;
  if (splits.size() >= kMostAxes) return refused("'" + old + "' is split too often");
  const std::int64_t inside = m_axes[ref.axis].inside(ref.part);
  const std::int64_t together = pipeline::saturatingMultiply(factor, inside);
  if (together > kLargestFactor)
    return refused("a factor of " + std::to_string(factor) + " around one of " +
                   std::to_string(inside));
  splits.insert(splits.begin() + ref.part, {together, tail});
  const auto shift = [&](LoopRef &other) {
    if (other.axis == ref.axis && other.part > ref.part) ++other.part;
  };
  for (Live &other : m_live)
    shift(other.ref);
  for (Axis &axis : m_axes)
    for (LoopRef &source : axis.fused)
      shift(source);

  const auto at = m_live.begin() + (loop - m_live.data());
  const LoopRef within{ref.axis, static_cast<std::uint16_t>(ref.part + 1)};
  *at = {outer, ref};
  m_live.insert(at, {inner, within});
  return Done{};
}

// A fused loop that is not split can be replaced by its sources.
bool NestBuilder::canFlatten(LoopRef ref) const {
  return !m_axes[ref.axis].fused.empty() && m_axes[ref.axis].splits.empty();
}

Status NestBuilder::fuse(const std::string &inner, const std::string &outer,
                         const std::string &fused) {
  Live *low = live(inner), *high = live(outer);
  if (!low) return noLoop(inner);
  if (!high) return noLoop(outer);
  if (low == high) return refused("'" + inner + "' cannot be fused with itself");
  for (const Live *loop : {low, high})
    if (loop->kind != LoopKind::Serial)
      return refused("'" + loop->name + "' is " + std::string(schedule::name(loop->kind)) +
                     " already");
  if (fused != inner && fused != outer && live(fused))
    return refused("there is a loop '" + fused + "' already");
  if (m_axes.size() >= kMostAxes) return refused("too many loops are fused");

  Axis axis;
  for (const LoopRef ref : {low->ref, high->ref}) {
    if (canFlatten(ref)) {
      const std::vector<LoopRef> &sources = m_axes[ref.axis].fused;
      axis.fused.insert(axis.fused.end(), sources.begin(), sources.end());
      m_gone[ref.axis] = true;
    } else {
      axis.fused.push_back(ref);
    }
  }
  *low = {fused, {static_cast<std::uint16_t>(m_axes.size()), 0}};
  m_live.erase(m_live.begin() + (high - m_live.data()));
  m_axes.push_back(std::move(axis));
  m_gone.push_back(false);
  return Done{};
}

Status NestBuilder::reorder(const std::vector<std::string> &loops) {
  std::vector<std::size_t> places;
  std::vector<Live> wanted;
  for (const std::string &name : loops) {
    const Live *loop = live(name);
    if (!loop) return noLoop(name);
    const auto place = static_cast<std::size_t>(loop - m_live.data());
    if (std::ranges::find(places, place) != places.end())
      return refused("'" + name + "' is listed twice");
    places.push_back(place);
    wanted.push_back(*loop);
  }
  std::ranges::sort(places);
  for (std::size_t i = 0; i < places.size(); ++i)
    m_live[places[i]] = wanted[i];
  return Done{};
}

Status NestBuilder::mark(const std::string &name, LoopKind kind) {
  Live *loop = live(name);
  if (!loop) return noLoop(name);
  if (loop->kind != LoopKind::Serial && loop->kind != kind)
    return refused("'" + name + "' is " + std::string(schedule::name(loop->kind)) + " already");
  loop->kind = kind;
  return Done{};
}

// The remaining axes in their final order: first the dimensions, then the fused axes. Each fused
// axis comes after its source axes; among several possible ones, that with the lowest sources comes
// first.
std::vector<std::size_t> NestBuilder::axisOrder() const {
  std::vector<std::size_t> order;
  std::vector<std::size_t> numbers(m_axes.size(), m_axes.size());
  const auto take = [&](std::size_t axis) {
    numbers[axis] = order.size();
    order.push_back(axis);
  };
  for (std::size_t d = 0; d < m_dims; ++d)
    take(d);
  for (;;) {
    std::optional<std::size_t> next;
    std::vector<std::pair<std::size_t, std::uint16_t>> first;
    for (std::size_t a = m_dims; a < m_axes.size(); ++a) {
      if (m_gone[a] || numbers[a] != m_axes.size()) continue;
      std::vector<std::pair<std::size_t, std::uint16_t>> sources;
      for (const LoopRef source : m_axes[a].fused)
        sources.emplace_back(numbers[source.axis], source.part);
      const bool ready = std::ranges::none_of(
          sources, [&](const auto &one) { return one.first == m_axes.size(); });
      if (!ready || (next && first < sources)) continue;
      next = a;
      first = std::move(sources);
    }
    if (!next) return order;
    take(*next);
  }
}

std::vector<std::uint16_t> NestBuilder::numbering() const {
  std::vector<std::uint16_t> numbers(m_axes.size());
  const std::vector<std::size_t> order = axisOrder();
  for (std::size_t i = 0; i < order.size(); ++i)
    numbers[order[i]] = static_cast<std::uint16_t>(i);
  return numbers;
}

LoopNest NestBuilder::nest() const {
  const std::vector<std::uint16_t> numbers = numbering();
  LoopNest nest;
  nest.singleThread = m_singleThread;
  for (const std::size_t a : axisOrder()) {
    nest.axes.push_back(m_axes[a]);
    for (LoopRef &source : nest.axes.back().fused)
      source.axis = numbers[source.axis];
  }
  for (const Live &loop : m_live)
    nest.loops.push_back({{numbers[loop.ref.axis], loop.ref.part}, loop.kind});
  return nest;
}

} // namespace tessera::schedule
