// SPDX-License-Identifier: MIT
#pragma once

#include "engine/chart/log_axis.h"
#include "engine/cost/roofline/roofline.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tessera::chart {

// A roofline as numbers: where each line, mark and word is, in a drawing with both axes
// logarithmic, before anything is drawn. roofline_svg.h writes it as a file.

struct Point {
  double x = 0, y = 0;
};

struct Frame {
  double left = 78, top = 84, width = 760, height = 520;

  double right() const { return left + width; }
  double bottom() const { return top + height; }
};

struct Tick {
  double at = 0;    // along its axis, in the drawing
  std::string text; // empty: a minor one
};

// A roof: slanted for a level of the memory, flat for a rate of operations.
struct RoofLine {
  Point from, to;
  std::optional<cost::Level> level;
  bool isUsed = true; // something in the drawing does such operations
  std::string label;  // crosses no other line; without its number, or empty, where there is no room
  Point labelAt;
  double labelAngle = 0; // degrees, clockwise
  bool labelEndsThere = false;
};

// Where all bytes that move are those that have to: upright, from the top to the bottom.
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

// The marks of one kernel or pipeline: one for each level whose bytes are known, side by side; of a
// kernel that ours are compared with, one.
struct MarkRow {
  std::size_t series = 0;          // 0: what is drawn; from 1: what it is compared with
  std::size_t work = 0;            // its place among the kernels, or the pipelines
  std::optional<std::size_t> ours; // of a compared kernel: that of ours which computes the same
  std::vector<Mark> marks;
  std::string text;     // all that is known of it, for a person who points at it
  std::string tag;      // the word beside it; empty: none
  bool isListed = true; // it has a row in the table
  bool isWhole = false; // the pipeline
};

// A word beside marks. Words cover neither each other nor listed marks where there is room.
struct Tag {
  std::string text;
  Point at;                  // of its middle
  std::optional<Point> mark; // a line leads there; none: it is beside it
};

// From where a kernel or the pipeline was to where it is, at one level.
struct Arrow {
  Point from, to;
  cost::Level level = cost::Level::Dram;
  cost::Origin origin = cost::Origin::Predicted; // of both ends
  std::size_t work = 0;
  bool isWhole = false;
  std::string text;     // the gain: "+62 %", time before ÷ time now − 1
  bool hasRoom = false; // its word covers nothing; of the pipeline it is there in any case
};

// What a drawing says of a schedule that ours is compared with.
struct ComparedKey {
  std::string title;
  std::size_t drawn = 0, all = 0; // kernels; drawn: with a mark, or ours is where it was
};

struct TableRow {
  std::string tag, name, time, share, binding, reached;
};

struct RooflineChart {
  Frame frame;
  LogAxis x, y;
  std::string title, subtitle, note, xTitle, yTitle;
  std::string yTitleBrief; // where the drawing is low
  std::vector<Tick> xTicks, yTicks;
  std::vector<RoofLine> roofs;
  std::optional<CompulsoryLine> compulsory;
  std::vector<MarkRow> rows; // the least important first, as they are to be painted
  std::vector<Tag> tags;
  std::vector<Arrow> arrows;
  std::vector<ComparedKey> compared; // by series, from 1
  std::vector<std::string> apart;    // whole words of lines beside which there is no room for them
  std::vector<TableRow> table;
  std::vector<cost::Origin> origins; // that occur
};

struct ChartText {
  std::string pipeline, machine;
};

// What is seen: operations a byte, operations a second.
struct ChartWindow {
  double leastX = 0, mostX = 0, leastY = 0, mostY = 0;

  friend bool operator==(const ChartWindow &, const ChartWindow &) = default;
};

// Another schedule in the same drawing: its pipeline and its kernels have marks, and arrows lead
// from those to ours that compute the same.
struct Compared {
  const cost::Roofline *roofline = nullptr;
  std::string title; // the word beside its mark
};

struct ChartOptions {
  std::size_t most = 12; // kernels in the table, the longest; the others are marks without a word
  enum class Numbers { ByTime, ByLaunch } numbers = Numbers::ByTime; // the words of kernels
  Frame frame;
  std::optional<ChartWindow> window; // none: all that there is
  std::vector<Compared> compared; // the first is where arrows come from, and has `most` kernels too
};

RooflineChart chartOf(const cost::Roofline &roofline, const ChartText &text,
                      const ChartOptions &options = {});

} // namespace tessera::chart
