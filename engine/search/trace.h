// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::search {

// What became of something that a search tried. Tried: it is told for its numbers alone, such as a
// pass of a beam search. Frozen: the algorithm itself decided it for all that follows.
enum class TraceOutcome : std::uint8_t { Tried, Taken, Refused, Frozen };
std::string_view name(TraceOutcome outcome); // "taken"

// One thing that a search decided or tried.
struct TraceRow {
  std::string phase;              // of the search: "grouping"
  std::string what;               // "merge into out"
  std::vector<std::string> funcs; // that it concerns, also funcs that the search added
  std::optional<double> cost = {}, benefit = {}; // see Trace::unit
  TraceOutcome outcome = TraceOutcome::Tried;
  std::string reason = {};                                      // why it was refused
  std::vector<std::pair<std::string_view, double>> counts = {}; // such as {"evaluated", 340}

  friend bool operator==(const TraceRow &, const TraceRow &) = default;
};

// What a search did, in order.
struct Trace {
  std::string_view unit = {}; // of costs and benefits: "s"; empty: the algorithm's own
  std::vector<TraceRow> rows;
  std::size_t leftOut = 0; // rows that came after, when there were enough

  friend bool operator==(const Trace &, const Trace &) = default;
};

// Reasons that several algorithms have.
inline constexpr const char *kNotFaster = "it is not faster",
                            *kGainsTooLittle = "it gains too little",
                            *kCannotBeWritten = "its loops cannot be written";

// Rows that a user can still look through.
inline constexpr std::size_t kMostTraceRows = 10'000;

// Gathers a trace of at most some rows. With 0 it records nothing, and asks for nothing.
class TraceWriter {
public:
  explicit TraceWriter(std::size_t most) : m_most(most) {}

  bool isOn() const { return m_most > 0; }
  // Whether the next row is kept. What is only counted need not be described.
  bool hasRoom() const { return m_trace.rows.size() < m_most; }
  std::size_t room() const { return m_most - m_trace.rows.size(); }
  void setUnit(std::string_view unit) { m_trace.unit = unit; }

  // `describe` returns the row. It is called only if the row is kept.
  template <typename Describe>
  void add(const Describe &describe) {
    if (hasRoom())
      m_trace.rows.push_back(describe());
    else if (isOn())
      ++m_trace.leftOut;
  }
  // Adds rows of a search that was a phase of this one.
  void append(Trace trace, std::string_view phase);

  const Trace &trace() const { return m_trace; }

private:
  std::size_t m_most;
  Trace m_trace;
};

// Nothing for an infinite cost.
std::optional<double> finiteCost(double cost);
std::string sizesText(std::span<const std::int64_t> sizes); // "32×8"

} // namespace tessera::search
