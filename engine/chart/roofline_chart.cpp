// SPDX-License-Identifier: MIT
#include "engine/chart/roofline_chart.h"

#include "engine/chart/arrow_shape.h"
#include "engine/chart/compared_kernels.h"
#include "engine/chart/log_axis.h"
#include "engine/chart/mark_boxes.h"
#include "engine/chart/quantity_text.h"
#include "engine/chart/roof_words.h"
#include "engine/chart/tag_places.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace tessera::chart {

using cost::Arithmetic;
using cost::Ceilings;
using cost::Level;
using cost::Origin;
using cost::Placed;
using cost::Roof;
using cost::Roofline;
using cost::Work;

namespace {

constexpr double kShortestArrow = 4; // pixels; shorter movements have no arrow
constexpr std::array kLevelNames{"DRAM", "L2", "L1/shared"};

const char *nameOf(Level level) { return kLevelNames[static_cast<std::size_t>(level)]; }

std::string nameOf(Roof roof) {
  const auto index = static_cast<std::size_t>(roof);
  if (index < kLevelNames.size()) return kLevelNames[index];
  return roof == Roof::Fp64   ? "FP64"
         : roof == Roof::Fp32 ? "FP32"
         : roof == Roof::Fp16 ? "FP16"
                              : "integer";
}

bool knowsMore(Origin a, Origin b) { return static_cast<int>(a) > static_cast<int>(b); }

// A rate of operations, drawn as a flat line. Pipes of nearly the same rate share a line.
struct Rate {
  std::string label;
  double rate = 0;
  bool isUsed = true;
};

// The work whose bounds hold for `placed`. Compiled code has no numbers for the memory levels
// beyond the first-level cache, so a prediction of the same kernel is used for it.
const Placed &boundOf(const Placed &placed, const std::vector<Placed> &among) {
  if (placed.work.origin != Origin::Static) return placed;
  for (const Placed &other : among)
    if (other.work.name == placed.work.name && other.work.origin == Origin::Predicted) return other;
  return placed;
}

std::string reachedText(const Placed &placed, const std::vector<Placed> &among) {
  if (placed.work.seconds <= 0) return "?";
  return percentText(boundOf(placed, among).boundSeconds / placed.work.seconds);
}

class ChartMaker {
public:
  ChartMaker(const Roofline &roofline, const ChartText &text, const ChartOptions &options)
      : m_roofline(roofline), m_counted(roofline.counted), m_options(options), m_x(m_chart.x),
        m_y(m_chart.y) {
    m_chart.frame = options.frame;
    m_chart.title = text.pipeline + " on " + text.machine;
  }

  RooflineChart make() {
    rank();
    chooseCompared();
    fitAxes();
    addTicks();
    addRows();
    addRates();
    addLevels();
    addCompulsory();
    addArrows();
    placeRoofWords();
    addTags();
    addTable();
    addWords();
    return std::move(m_chart);
  }

private:
  void rank();
  void chooseCompared();
  void fitAxes();
  void addTicks();
  std::vector<Rate> rates() const;
  void addRates();
  void addLevels();
  void placeRoofWords();
  void addCompulsory();
  void addRows();
  MarkRow rowOf(const Placed &placed, const MarkRow &like) const;
  void addRow(const Placed &placed, const MarkRow &like);
  void addComparedRows();
  bool addComparedRow(const Placed &placed, std::size_t series, const ComparedKernel &kernel);
  void addArrows();
  void addArrow(const Placed &before, const Placed &now, std::size_t work, bool isWhole);
  Level arrowLevelOf(const Placed &placed) const;
  std::optional<Point> placeOf(const Placed &placed, Level level) const;
  void addTags();
  void placeGains(TagPlaces &places);
  void addTable();
  void addWords();

  template <typename Visit>
  void forEachPlaced(const Visit &visit) const {
    for (const Placed &placed : m_roofline.kernels)
      visit(placed);
    for (const Placed &placed : m_roofline.pipelines)
      visit(placed);
  }
  const Placed *best(const std::vector<Placed> &among) const {
    const auto found = std::ranges::min_element(among, [](const Placed &a, const Placed &b) {
      return knowsMore(a.work.origin, b.work.origin);
    });
    return found == among.end() ? nullptr : &*found;
  }
  std::optional<std::size_t> numberOf(const Placed &placed) const {
    for (std::size_t i = 0; i < m_ranked.size() && i < m_options.most; ++i)
      if (m_ranked[i]->work.name == placed.work.name) return i + 1;
    return std::nullopt;
  }
  // The number shown for a listed kernel.
  std::string tagOf(const Placed &placed) const {
    if (m_options.numbers == ChartOptions::Numbers::ByTime)
      return std::to_string(*numberOf(placed));
    const auto same = std::ranges::find_if(m_roofline.kernels, [&](const Placed &kernel) {
      return kernel.work.name == placed.work.name;
    });
    return std::to_string(same - m_roofline.kernels.begin() + 1);
  }
  double wholeSeconds() const {
    const Placed *whole = best(m_roofline.pipelines);
    return whole ? whole->work.seconds : 0;
  }
  std::string rateText(double rate) const {
    return withPrefix(rate, m_counted == Arithmetic::Float ? "op/s" : "inst/s");
  }
  std::string describe(const Placed &placed) const;

  const Roofline &m_roofline;
  Arithmetic m_counted;
  const ChartOptions &m_options;
  RooflineChart m_chart;
  LogAxis &m_x, &m_y;                      // the axes of m_chart
  std::vector<const Placed *> m_ranked;    // kernels, longest first; each with its best origin
  std::vector<ComparedKernels> m_compared; // one for each compared schedule
};

void ChartMaker::rank() {
  for (const Placed &kernel : m_roofline.kernels) {
    const auto same = std::ranges::find_if(
        m_ranked, [&](const Placed *other) { return other->work.name == kernel.work.name; });
    if (same == m_ranked.end())
      m_ranked.push_back(&kernel);
    else if (knowsMore(kernel.work.origin, (*same)->work.origin))
      *same = &kernel;
  }
  std::ranges::stable_sort(m_ranked, std::greater<>{},
                           [](const Placed *kernel) { return kernel->work.seconds; });
}

// Chooses which kernels of the compared schedules have marks. The first compared schedule, where
// arrows begin, shows up to ChartOptions::most kernels, each further schedule half as many.
void ChartMaker::chooseCompared() {
  std::vector<std::string> listed;
  for (std::size_t i = 0; i < m_ranked.size() && i < m_options.most; ++i)
    listed.push_back(m_ranked[i]->work.name);
  for (const Compared &other : m_options.compared) {
    const std::size_t most = m_compared.empty() ? m_options.most : m_options.most / 2;
    m_compared.push_back(comparedKernels(*other.roofline, m_roofline, listed, most));
    m_chart.compared.push_back({other.title, 0, m_compared.back().all});
    // If both schedules have only one kernel, the compared pipeline's mark stands for its kernel.
    if (m_ranked.size() == 1 && m_compared.back().all == 1) {
      m_chart.compared.back().drawn = 1;
      m_compared.back().kernels.clear();
    }
  }
}

// The axes fit the roofs, the pipelines and the listed kernels. A kernel of a compared schedule
// extends an axis at most by a factor of 3, so that listed marks are not squeezed together.
void ChartMaker::fitAxes() {
  const Frame &frame = m_chart.frame;
  if (const auto &window = m_options.window) {
    m_x.fitTo(window->leastX, window->mostX, frame.left, frame.right());
    m_y.fitTo(window->leastY, window->mostY, frame.bottom(), frame.top);
    return;
  }
  const Ceilings &ceilings = m_roofline.ceilings;
  const double top = ceilings.of(m_counted);
  m_y.show(top);
  for (int l = 0; l < cost::kLevels; ++l)
    m_x.show(top / ceilings.at(static_cast<Level>(l)));
  const auto show = [&](const Placed &placed) {
    const auto performance = placed.performance(m_counted);
    if (!performance) return;
    m_y.show(*performance);
    for (int l = 0; l < cost::kLevels; ++l)
      if (const auto x = placed.intensity(static_cast<Level>(l), m_counted)) m_x.show(*x);
  };
  const auto showNear = [](LogAxis &axis, std::optional<double> value) {
    constexpr double kNear = 3;
    if (value) axis.show(std::clamp(*value, axis.least() / kNear, axis.most() * kNear));
  };
  for (const Placed &kernel : m_roofline.kernels)
    if (numberOf(kernel)) show(kernel);
  for (const Placed &pipeline : m_roofline.pipelines)
    show(pipeline);
  for (const Compared &other : m_options.compared)
    for (const Placed &pipeline : other.roofline->pipelines)
      show(pipeline);
  m_x.show(top / ceilings.at(Level::Dram) * 3); // space for words on the flat roofs
  m_y.show(top / 300);
  for (std::size_t s = 0; s < m_compared.size(); ++s)
    for (const ComparedKernel &kernel : m_compared[s].kernels) {
      const Placed &placed = m_options.compared[s].roofline->kernels[kernel.kernel];
      showNear(m_x, placed.intensity(arrowLevelOf(placed), m_counted));
      showNear(m_y, placed.performance(m_counted));
    }
  m_x.fit(frame.left, frame.right());
  m_y.fit(frame.bottom(), frame.top);
}

// If decades are narrow, only the ticks at powers of ten have a text.
void ChartMaker::addTicks() {
  const auto ticks = [](const LogAxis &axis, double room, auto text) {
    std::vector<Tick> result;
    for (const double value : axis.steps()) {
      const bool hasText = LogAxis::isDecade(value) || std::abs(axis.perDecade()) > room;
      result.push_back({axis.at(value), hasText ? text(value) : std::string()});
    }
    return result;
  };
  m_chart.xTicks = ticks(m_x, 150, plainText);
  m_chart.yTicks = ticks(m_y, 90, roundText);
}

std::vector<Rate> ChartMaker::rates() const {
  const Ceilings &c = m_roofline.ceilings;
  if (m_counted == Arithmetic::Integer) {
    std::vector<Rate> all{{"integers of all kinds", c.integer, true}};
    if (c.integerAdd > 0) all.push_back({"additions only", c.integerAdd, false});
    if (c.integerMultiply > 0) all.push_back({"multiply-adds only", c.integerMultiply, false});
    return all;
  }
  cost::Operations all;
  forEachPlaced([&](const Placed &placed) { all.add(placed.work.operations); });
  return {{"FP64", c.fp64, all.fp64 > 0},
          {"FP32", c.fp32, all.fp32 > 0},
          {"FP16", c.fp16, all.fp16 > 0}};
}

void ChartMaker::addRates() {
  std::vector<Rate> lines;
  for (const Rate &rate : rates()) {
    if (rate.rate < m_y.least()) continue; // unknown, or below the axis
    const auto same = std::ranges::find_if(lines, [&](const Rate &line) {
      return std::abs(line.rate - rate.rate) < 0.03 * rate.rate && line.isUsed == rate.isUsed;
    });
    if (same == lines.end())
      lines.push_back(rate);
    else
      same->label += ", " + rate.label;
  }
  std::ranges::sort(lines, std::greater<>{}, &Rate::rate);
  for (const Rate &line : lines) {
    const double cache = m_roofline.ceilings.at(Level::Cache);
    const double ridge = cache > 0 ? line.rate / cache : 0;
    if (!m_y.shows(line.rate) || ridge > m_x.most()) continue;
    const double y = m_y.at(line.rate);
    RoofLine roof;
    roof.from = {m_x.shows(ridge) ? m_x.at(ridge) : m_chart.frame.left, y};
    roof.to = {m_chart.frame.right(), y};
    roof.isUsed = line.isUsed;
    roof.label = line.label + "  " + rateText(line.rate);
    m_chart.roofs.push_back(std::move(roof));
  }
}

void ChartMaker::addLevels() {
  const Ceilings &c = m_roofline.ceilings;
  const double top = c.of(m_counted);
  for (int l = 0; l < cost::kLevels; ++l) {
    const auto level = static_cast<Level>(l);
    const double bandwidth = c.at(level);
    if (bandwidth <= 0) continue;
    // The line enters the frame at x. It ends at the flat roof, or where it leaves the frame.
    const double x = std::max(m_x.least(), m_y.least() / bandwidth);
    const double end = std::min({top / bandwidth, m_x.most(), m_y.most() / bandwidth});
    if (x >= end) continue;
    RoofLine roof;
    roof.level = level;
    roof.from = {m_x.at(x), m_y.at(x * bandwidth)};
    roof.to = {m_x.at(end), m_y.at(end * bandwidth)};
    roof.label = std::string(nameOf(level)) + "  " + withPrefix(bandwidth, "B/s");
    m_chart.roofs.push_back(std::move(roof));
  }
}

// Words of roofs are placed before other words. They keep off the marks, whose positions are fixed.
void ChartMaker::placeRoofWords() {
  RoofWords words(m_chart.frame);
  for (const MarkRow &row : m_chart.rows)
    for (const Mark &mark : row.marks)
      words.keepOff(paintedBoxOf(mark));
  for (const Arrow &arrow : m_chart.arrows)
    if (arrow.isWhole) words.keepOff(gainBoxOf(arrow));
  for (const RoofLine &roof : m_chart.roofs)
    words.keepOffLine(roof.from, roof.to);
  if (const auto &line = m_chart.compulsory)
    words.keepOffLine({line->x, m_chart.frame.top}, {line->x, m_chart.frame.bottom()});
  const auto place = [&](auto &line) {
    const std::string whole = line.label;
    words.place(line);
    if (line.label != whole) m_chart.apart.push_back(whole);
  };
  std::ranges::for_each(m_chart.roofs, place);
  if (m_chart.compulsory) place(*m_chart.compulsory);
}

void ChartMaker::addCompulsory() {
  const auto &floor = m_roofline.floor;
  const auto x = floor ? floor->intensity(m_counted) : std::nullopt;
  if (!x || *x < m_x.least() || *x > m_x.most()) return;
  m_chart.compulsory = {m_x.at(*x), "compulsory traffic only", {}, false};
}

std::string ChartMaker::describe(const Placed &placed) const {
  const Work &work = placed.work;
  std::string text =
      work.name + ", " + std::string(name(work.origin)) + ": " + timeText(work.seconds);
  if (const auto rate = placed.performance(m_counted)) text += ", " + rateText(*rate);
  for (int l = 0; l < cost::kLevels; ++l) {
    const auto level = static_cast<Level>(l);
    if (const auto bytes = work.traffic.at(level))
      text += std::string(", ") + nameOf(level) + " " + withPrefix(*bytes, "B");
  }
  return text + "; " + nameOf(placed.binding) + " binds, " + percentText(placed.reached()) +
         " of it reached";
}

// The row of `placed`: a copy of `like` with the marks and the text of `placed`.
MarkRow ChartMaker::rowOf(const Placed &placed, const MarkRow &like) const {
  MarkRow row = like;
  const auto performance = placed.performance(m_counted);
  if (!performance) return row;
  constexpr double kLeast = 2.6, kMore = 6;
  const double share = wholeSeconds() > 0 ? placed.work.seconds / wholeSeconds() : 1;
  row.text = describe(placed);
  for (int l = 0; l < cost::kLevels; ++l) {
    const auto level = static_cast<Level>(l);
    const auto x = placed.intensity(level, m_counted);
    if (x && m_x.shows(*x) && m_y.shows(*performance))
      row.marks.push_back(
          {{m_x.at(*x), m_y.at(*performance)},
           row.isWhole ? 6.5 : kLeast + kMore * std::sqrt(std::min(1.0, share)) / 1.6,
           level,
           placed.work.origin});
  }
  return row;
}

void ChartMaker::addRow(const Placed &placed, const MarkRow &like) {
  MarkRow row = rowOf(placed, like);
  if (!row.marks.empty()) m_chart.rows.push_back(std::move(row));
}

// Adds the least important rows first.
void ChartMaker::addRows() {
  addComparedRows();
  std::vector<const Placed *> kernels;
  for (const Placed &kernel : m_roofline.kernels)
    kernels.push_back(&kernel);
  const auto rankOf = [&](const Placed *kernel) {
    const auto place = std::ranges::find_if(
        m_ranked, [&](const Placed *ranked) { return ranked->work.name == kernel->work.name; });
    return place - m_ranked.begin();
  };
  std::ranges::stable_sort(kernels, std::greater<>{}, rankOf);
  for (const Placed *kernel : kernels) {
    const bool isListed = numberOf(*kernel).has_value();
    const auto work = static_cast<std::size_t>(kernel - m_roofline.kernels.data());
    addRow(*kernel, {0, work, {}, {}, {}, isListed ? tagOf(*kernel) : "", isListed, false});
  }
  for (std::size_t s = 0; s < m_options.compared.size(); ++s) {
    const Compared &other = m_options.compared[s];
    for (std::size_t w = 0; w < other.roofline->pipelines.size(); ++w)
      addRow(other.roofline->pipelines[w], {s + 1, w, {}, {}, {}, other.title, true, true});
  }
  if (m_roofline.kernels.size() > 1)
    for (std::size_t w = 0; w < m_roofline.pipelines.size(); ++w)
      addRow(m_roofline.pipelines[w], {0, w, {}, {}, {}, "pipeline", true, true});
  const auto addOrigin = [&](const Placed &placed) {
    if (std::ranges::find(m_chart.origins, placed.work.origin) == m_chart.origins.end())
      m_chart.origins.push_back(placed.work.origin);
  };
  forEachPlaced(addOrigin);
  for (const Compared &other : m_options.compared)
    std::ranges::for_each(other.roofline->pipelines, addOrigin);
}

// Adds the rows of compared schedules, which are painted below those of the drawn schedule. The
// first compared schedule, where arrows begin, is added last.
void ChartMaker::addComparedRows() {
  for (std::size_t s = m_compared.size(); s-- > 0;) {
    std::set<std::string> drawn;
    for (const ComparedKernel &kernel : m_compared[s].kernels) {
      const Placed &placed = m_options.compared[s].roofline->kernels[kernel.kernel];
      if (addComparedRow(placed, s + 1, kernel)) drawn.insert(placed.work.name);
    }
    m_chart.compared[s].drawn += drawn.size();
  }
}

// Adds the mark of a compared kernel at the arrow's level, unless the drawn kernel's mark is at the
// same position. Returns whether one of the two marks shows the position.
bool ChartMaker::addComparedRow(const Placed &placed, std::size_t series,
                                const ComparedKernel &kernel) {
  const Placed *now = kernel.ours ? &m_roofline.kernels[*kernel.ours] : nullptr;
  const Level level = arrowLevelOf(now ? *now : placed);
  const auto from = placeOf(placed, level), to = now ? placeOf(*now, level) : std::nullopt;
  if (from && to && std::hypot(to->x - from->x, to->y - from->y) < kShortestArrow) return true;
  MarkRow row = rowOf(placed, {series, kernel.kernel, kernel.ours, {}, {}, "", false, false});
  std::erase_if(row.marks, [&](const Mark &mark) { return mark.level != level; });
  if (row.marks.empty()) return false;
  m_chart.rows.push_back(std::move(row));
  return true;
}

// The memory level at which an arrow is drawn: the binding level, which a schedule has to improve.
// If a rate of operations binds, the first level with a known intensity.
Level ChartMaker::arrowLevelOf(const Placed &placed) const {
  const auto binding = static_cast<std::size_t>(placed.binding);
  if (binding < cost::kLevels) return static_cast<Level>(binding);
  for (int l = 0; l < cost::kLevels; ++l)
    if (placed.intensity(static_cast<Level>(l), m_counted)) return static_cast<Level>(l);
  return Level::Dram;
}

std::optional<Point> ChartMaker::placeOf(const Placed &placed, Level level) const {
  const auto x = placed.intensity(level, m_counted);
  const auto y = placed.performance(m_counted);
  if (!x || !y || *x <= 0 || *y <= 0) return std::nullopt;
  return Point{m_x.at(*x), m_y.at(*y)};
}

void ChartMaker::addArrow(const Placed &before, const Placed &now, std::size_t work, bool isWhole) {
  const Level level = arrowLevelOf(now);
  const auto from = placeOf(before, level), to = placeOf(now, level);
  if (!from || !to || std::hypot(to->x - from->x, to->y - from->y) < kShortestArrow) return;
  const Arrow whole{*from,
                    *to,
                    level,
                    now.work.origin,
                    work,
                    isWhole,
                    gainText(before.work.seconds, now.work.seconds),
                    false};
  if (const auto seen = clippedTo(m_chart.frame, whole)) m_chart.arrows.push_back(*seen);
}

// Adds arrows from the first compared schedule to the drawn one, for kernels that have marks and
// for the pipeline. Each arrow connects values of one origin, the best that both ends have.
void ChartMaker::addArrows() {
  if (m_options.compared.empty()) return;
  const Roofline &before = *m_options.compared.front().roofline;
  for (const Placed *ranked : m_ranked) {
    const ComparedKernel *from = nullptr;
    for (const ComparedKernel &kernel : m_compared.front().kernels) {
      const Work &work = before.kernels[kernel.kernel].work;
      if (!kernel.ours || work.name != ranked->work.name) continue;
      if (!from || knowsMore(work.origin, before.kernels[from->kernel].work.origin)) from = &kernel;
    }
    if (from)
      addArrow(before.kernels[from->kernel], m_roofline.kernels[*from->ours], *from->ours, false);
  }
  const Placed *from = nullptr, *to = nullptr;
  for (const Placed &now : m_roofline.pipelines)
    for (const Placed &other : before.pipelines)
      if (other.work.origin == now.work.origin &&
          (!to || knowsMore(now.work.origin, to->work.origin))) {
        from = &other;
        to = &now;
      }
  if (to) addArrow(*from, *to, static_cast<std::size_t>(to - m_roofline.pipelines.data()), true);
}

void ChartMaker::addTags() {
  const Frame &frame = m_chart.frame;
  TagPlaces places({frame.left, frame.top, frame.right(), frame.bottom()});
  for (const RoofLine &roof : m_chart.roofs)
    if (!roof.label.empty())
      for (const Box &box : wordBoxOf(roof).pieces())
        places.occupy(box);
  for (const Arrow &arrow : m_chart.arrows)
    if (arrow.isWhole) places.occupy(gainBoxOf(arrow));
  if (const auto &compulsory = m_chart.compulsory)
    for (const Box &box : wordBoxOf(*compulsory).pieces())
      places.occupy(box);
  for (const MarkRow &row : m_chart.rows)
    if (row.isListed || row.series > 0)
      for (const Mark &mark : row.marks)
        places.occupy(boxOf(mark));
  // Goes backwards: the most important rows were added last, and get their words first.
  std::vector<bool> isNamed(m_chart.rows.size(), false);
  for (std::size_t r = m_chart.rows.size(); r-- > 0;) {
    const MarkRow &row = m_chart.rows[r];
    if (!row.isListed || isNamed[r]) continue;
    std::string word = row.tag;
    for (std::size_t other = r; other-- > 0;)
      if (m_chart.rows[other].isListed && covers(row, m_chart.rows[other])) {
        isNamed[other] = true;
        if (m_chart.rows[other].tag != row.tag) word += ", " + m_chart.rows[other].tag;
      }
    const Box named = boxOf(row);
    const Box box = places.place(named, kLetter * static_cast<double>(word.size()) + 4, kLine);
    const Point middle{(box.left + box.right) / 2, (box.top + box.bottom) / 2};
    Tag tag{word, middle, std::nullopt};
    // A word beside its row needs no line.
    if (std::abs(middle.y - row.marks.front().at.y) > 3)
      tag.mark = std::ranges::min_element(row.marks, {}, [&](const Mark &mark) {
                   return std::hypot(mark.at.x - middle.x, mark.at.y - middle.y);
                 })->at;
    m_chart.tags.push_back(std::move(tag));
  }
  placeGains(places);
}

// Names are placed before gains, and gains of the longest kernels before other gains.
void ChartMaker::placeGains(TagPlaces &places) {
  for (Arrow &arrow : m_chart.arrows) {
    const Box box = gainBoxOf(arrow);
    arrow.hasRoom = arrow.isWhole || places.isFree(box);
    if (arrow.hasRoom) places.occupy(box);
  }
}

void ChartMaker::addTable() {
  const auto share = [&](double seconds) {
    return wholeSeconds() > 0 ? percentText(seconds / wholeSeconds()) : std::string();
  };
  double others = 0;
  for (std::size_t i = 0; i < m_ranked.size(); ++i) {
    const Placed &kernel = *m_ranked[i];
    if (i >= m_options.most)
      others += kernel.work.seconds;
    else
      m_chart.table.push_back({tagOf(kernel), kernel.work.name, timeText(kernel.work.seconds),
                               share(kernel.work.seconds),
                               nameOf(boundOf(kernel, m_roofline.kernels).binding),
                               reachedText(kernel, m_roofline.kernels)});
  }
  if (m_ranked.size() > m_options.most)
    m_chart.table.push_back({"", std::to_string(m_ranked.size() - m_options.most) + " more",
                             timeText(others), share(others), "", ""});
}

void ChartMaker::addWords() {
  m_chart.xTitle = m_counted == Arithmetic::Float
                       ? "float operations per byte (a fused multiply-add counts as two)"
                       : "integer instructions per byte (arithmetic, comparisons, addresses)";
  m_chart.yTitle = m_counted == Arithmetic::Float ? "float operations per second"
                                                  : "integer instructions per second";
  m_chart.yTitleBrief = m_counted == Arithmetic::Float ? "float op/s" : "integer inst/s";
  if (const Placed *whole = best(m_roofline.pipelines)) {
    // Compiled code has no time of its own; times shown for it are measured.
    const bool isPredicted = whole->work.origin == Origin::Predicted;
    m_chart.subtitle = timeText(whole->work.seconds) +
                       (isPredicted ? " predicted; " : " measured; ") +
                       nameOf(boundOf(*whole, m_roofline.pipelines).binding) + " binds, " +
                       reachedText(*whole, m_roofline.pipelines) + " of it reached";
    if (const auto times = m_roofline.timesFloor(*whole))
      m_chart.subtitle += "; " + timesText(*times) + " times the floor of " +
                          timeText(m_roofline.floor->seconds) + " (" +
                          nameOf(m_roofline.floor->binding) + ")";
  }
  m_chart.note = "Roofs: " + m_roofline.ceilings.source + ".";
}

} // namespace

RooflineChart chartOf(const Roofline &roofline, const ChartText &text,
                      const ChartOptions &options) {
  return ChartMaker(roofline, text, options).make();
}

} // namespace tessera::chart
