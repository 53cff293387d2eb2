// SPDX-License-Identifier: MIT
#pragma once

#include "engine/chart/log_axis.h"
#include "engine/cost/roofline/roofline.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tessera::chart {

// A roofline as numbers: the positions of all lines, marks and words in a drawing with logarithmic
// axes. roofline_svg.h writes it as a file.

struct Point {
  double x = 0, y = 0;
};

struct Frame {
  double left = 78, top = 84, width = 760, height = 520;

  double right() const { return left + width; }
  double bottom() const { return top + height; }
};

struct Tick {
  double at = 0;    // position along its axis in the drawing
  std::string text; // empty for a minor tick
};

// A roof: slanted for a memory level, flat for a rate of operations.
struct RoofLine {
  Point from, to;
  std::optional<cost::Level> level;
  bool isUsed = true; // true: some work in the chart has operations of this roof
  std::string label;  // crosses no other line; shortened or empty if there is no space
  Point labelAt;
  double labelAngle = 0; // degrees, clockwise
  bool labelEndsThere = false;
};

// The intensity if only the unavoidable bytes move: a vertical line over the whole height.
struct CompulsoryLine {
  double x = 0;
  std::string label;
  Point labelAt;
  bool labelEndsThere = false;
};

struct Mark {
  Point at;
  double radius = 4;
  cost::Level level = cost::Level::Dram;
  cost::Origin origin = cost::Origin::Predicted;
};

// The marks of one kernel or pipeline, side by side: one for each level whose bytes are known. A
// kernel of a compared schedule has only one.
struct MarkRow {
  std::size_t series = 0;          // 0: the drawn schedule; from 1: a compared one
  std::size_t work = 0;            // index among the kernels or the pipelines
  std::optional<std::size_t> ours; // for a compared kernel: its index in the drawn schedule
  std::vector<Mark> marks;
  std::string text;     // all that is known, shown when the user points at it
  std::string tag;      // the word beside it, or empty
  bool isListed = true; // true: the table has a row for it
  bool isWhole = false; // true: the marks are of a pipeline
};

// A word beside marks. Words do not cover each other or listed marks, as far as there is space.
struct Tag {
  std::string text;
  Point at;                  // position of the middle of the word
  std::optional<Point> mark; // the mark to which a line leads; empty: the word is beside its mark
};

// The movement of a kernel or the pipeline from the compared schedule to the drawn one, at one
// level.
struct Arrow {
  Point from, to;
  cost::Level level = cost::Level::Dram;
  cost::Origin origin = cost::Origin::Predicted; // of both ends
  std::size_t work = 0;
  bool isWhole = false;
  std::string text;     // the gain: "+62 %", time before ÷ time now − 1
  bool hasRoom = false; // true: the text is drawn; always for the pipeline, else if it has space
};

// The legend of a compared schedule.
struct ComparedKey {
  std::string title;
  // Numbers of kernels. `drawn` counts those with a mark, and those at whose place the mark of the
  // drawn schedule's kernel already is.
  std::size_t drawn = 0, all = 0;
};

struct TableRow {
  std::string tag, name, time, share, binding, reached;
};

struct RooflineChart {
  Frame frame;
  LogAxis x, y;
  std::string title, subtitle, note, xTitle, yTitle;
  std::string yTitleBrief; // used if the drawing is low
  std::vector<Tick> xTicks, yTicks;
  std::vector<RoofLine> roofs;
  std::optional<CompulsoryLine> compulsory;
  std::vector<MarkRow> rows; // the least important first, in painting order
  std::vector<Tag> tags;
  std::vector<Arrow> arrows;
  std::vector<ComparedKey> compared; // by series, starting with series 1
  std::vector<std::string> apart;    // full words of lines that have no space for them
  std::vector<TableRow> table;
  std::vector<cost::Origin> origins; // all that occur in the chart
};

struct ChartText {
  std::string pipeline, machine;
};

// The visible range: operations per byte, operations per second.
struct ChartWindow {
  double leastX = 0, mostX = 0, leastY = 0, mostY = 0;

  friend bool operator==(const ChartWindow &, const ChartWindow &) = default;
};

// Another schedule in the same chart. Its pipeline and some of its kernels have marks. From those
// of the first compared schedule, arrows lead to the same kernels of the drawn schedule.
struct Compared {
  const cost::Roofline *roofline = nullptr;
  std::string title; // in the legend and beside the mark of its pipeline
};

struct ChartOptions {
  // How many kernels are in the table: those with the longest times. All other kernels have marks
  // without words.
  std::size_t most = 12;
  enum class Numbers { ByTime, ByLaunch } numbers = Numbers::ByTime; // numbering of kernels
  Frame frame;
  std::optional<ChartWindow> window; // empty: fits the listed kernels and the pipelines
  std::vector<Compared> compared; // arrows start at the first one, which shows up to `most` kernels
};

RooflineChart chartOf(const cost::Roofline &roofline, const ChartText &text,
                      const ChartOptions &options = {});

} // namespace tessera::chart
