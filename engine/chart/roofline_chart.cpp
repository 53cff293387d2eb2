// SPDX-License-Identifier: MIT
#include "engine/chart/roofline_chart.h"

#include "engine/chart/log_axis.h"
#include "engine/chart/quantity_text.h"
#include "engine/chart/roof_words.h"
#include "engine/chart/tag_places.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tessera::chart {

using cost::Arithmetic;
using cost::Ceilings;
using cost::Level;
using cost::Origin;
using cost::Placed;
using cost::Roof;
using cost::Roofline;

namespace {

constexpr double kLetter = 6.4, kLine = 14; // of a tag, roughly
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

std::string percent(double part) {
  if (part > 0 && part < 0.005) return "< 1 %";
  return rounded(100 * part, 0) + " %";
}

std::string plain(double value) {
  return rounded(value, value < 0.0095 ? 3 : value < 0.095 ? 2 : value < 0.95 ? 1 : 0);
}

bool knowsMore(Origin a, Origin b) { return static_cast<int>(a) > static_cast<int>(b); }

// One flat line: pipes of the same rate share it.
struct Rate {
  std::string label;
  double rate = 0;
  bool isUsed = true;
};

Box boxOf(const Mark &mark) {
  return {mark.at.x - mark.radius, mark.at.y - mark.radius, mark.at.x + mark.radius,
          mark.at.y + mark.radius};
}

// All that is painted of it: a triangle is higher than its radius, and lines are thick.
Box paintedBoxOf(const Mark &mark) {
  const double most = 1.5 * mark.radius + 1.5;
  return {mark.at.x - most, mark.at.y - most, mark.at.x + most, mark.at.y + most};
}

Box gainBoxOf(const Arrow &arrow) {
  const Point middle = ArrowShape(arrow).word;
  const double half = kLetter * static_cast<double>(arrow.text.size()) / 2;
  return {middle.x - half, middle.y - kLine / 2, middle.x + half, middle.y + kLine / 2};
}

Box boxOf(const MarkRow &row) {
  Box all = boxOf(row.marks.front());
  for (const Mark &mark : row.marks) {
    const Box box = boxOf(mark);
    all = {std::min(all.left, box.left), std::min(all.top, box.top), std::max(all.right, box.right),
           std::max(all.bottom, box.bottom)};
  }
  return all;
}

// Whether one cannot be seen for the other: they share a word then.
bool covers(const MarkRow &a, const MarkRow &b) {
  constexpr double kSame = 3;
  return a.marks.size() == b.marks.size() && a.isWhole == b.isWhole &&
         std::ranges::equal(a.marks, b.marks, [](const Mark &x, const Mark &y) {
           return std::hypot(x.at.x - y.at.x, x.at.y - y.at.y) < kSame && x.origin == y.origin;
         });
}

// Whose bounds hold for a work: compiled code knows nothing of what is below the first-level cache,
// so that a prediction of the same speaks for it.
const Placed &boundOf(const Placed &placed, const std::vector<Placed> &among) {
  if (placed.work.origin != Origin::Static) return placed;
  for (const Placed &other : among)
    if (other.work.name == placed.work.name && other.work.origin == Origin::Predicted) return other;
  return placed;
}

std::string reachedText(const Placed &placed, const std::vector<Placed> &among) {
  if (placed.work.seconds <= 0) return "?";
  return percent(boundOf(placed, among).boundSeconds / placed.work.seconds);
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
  void fitAxes();
  void addTicks();
  std::vector<Rate> rates() const;
  void addRates();
  void addLevels();
  void placeRoofWords();
  void addCompulsory();
  void addRows();
  void addRow(const Placed &placed, const MarkRow &like);
  void addArrows();
  void addArrow(const Placed &before, const Placed &now, std::size_t work, bool isWhole);
  void addTags();
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
  // Its number for a person; of a listed one.
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
  LogAxis &m_x, &m_y;                   // of m_chart
  std::vector<const Placed *> m_ranked; // kernels, the longest first, each by what knows most
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

// By the listed kernels: what is short and slow would press all others together.
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
  for (const Placed &kernel : m_roofline.kernels)
    if (numberOf(kernel)) show(kernel);
  for (const Placed &pipeline : m_roofline.pipelines)
    show(pipeline);
  for (const Compared &other : m_options.compared)
    for (const Placed &pipeline : other.roofline->pipelines)
      show(pipeline);
  m_x.show(top / ceilings.at(Level::Dram) * 3); // room for words on the flat roofs
  m_y.show(top / 300);
  m_x.fit(frame.left, frame.right());
  m_y.fit(frame.bottom(), frame.top);
}

// Where decades are narrow, only they have words.
void ChartMaker::addTicks() {
  const auto ticks = [](const LogAxis &axis, double room, auto text) {
    std::vector<Tick> result;
    for (const double value : axis.steps()) {
      const bool hasText = LogAxis::isDecade(value) || std::abs(axis.perDecade()) > room;
      result.push_back({axis.at(value), hasText ? text(value) : std::string()});
    }
    return result;
  };
  m_chart.xTicks = ticks(m_x, 150, plain);
  m_chart.yTicks = ticks(m_y, 90, roundText);
}

std::vector<Rate> ChartMaker::rates() const {
  const Ceilings &c = m_roofline.ceilings;
  if (m_counted == Arithmetic::Integer) {
    std::vector<Rate> all{{"integers of all kinds", c.integer, true}};
    if (c.integerAdd > 0) all.push_back({"additions alone", c.integerAdd, false});
    if (c.integerMultiply > 0) all.push_back({"multiply-adds alone", c.integerMultiply, false});
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
    if (rate.rate < m_y.least()) continue; // nobody knows it, or it is far below
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
    // From where it enters the frame to the flat roof, or to where it leaves the frame.
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

// Words of roofs have the first choice after the marks, which are where they are.
void ChartMaker::placeRoofWords() {
  RoofWords words(m_chart.frame);
  for (const MarkRow &row : m_chart.rows)
    for (const Mark &mark : row.marks)
      words.keepOff(paintedBoxOf(mark));
  for (const Arrow &arrow : m_chart.arrows)
    if (arrow.isWhole) words.keepOff(gainBoxOf(arrow));
  for (const RoofLine &roof : m_chart.roofs)
    words.keepOffLine(roof);
  for (RoofLine &roof : m_chart.roofs)
    words.place(roof);
  if (m_chart.compulsory) words.place(*m_chart.compulsory);
}

void ChartMaker::addCompulsory() {
  const auto &floor = m_roofline.floor;
  const auto x = floor ? floor->intensity(m_counted) : std::nullopt;
  if (!x || *x < m_x.least() || *x > m_x.most()) return;
  m_chart.compulsory = {m_x.at(*x), "only bytes that have to move", {}, false};
}

std::string ChartMaker::describe(const Placed &placed) const {
  const cost::Work &work = placed.work;
  std::string text =
      work.name + ", " + std::string(name(work.origin)) + ": " + timeText(work.seconds);
  if (const auto rate = placed.performance(m_counted)) text += ", " + rateText(*rate);
  for (int l = 0; l < cost::kLevels; ++l) {
    const auto level = static_cast<Level>(l);
    if (const auto bytes = work.traffic.at(level))
      text += std::string(", ") + nameOf(level) + " " + withPrefix(*bytes, "B");
  }
  return text + "; " + nameOf(placed.binding) + " binds, " + percent(placed.reached()) + " of it";
}

// `like` says what of: all but the marks and the text.
void ChartMaker::addRow(const Placed &placed, const MarkRow &like) {
  const auto performance = placed.performance(m_counted);
  if (!performance) return;
  constexpr double kLeast = 2.6, kMore = 6;
  const double share = wholeSeconds() > 0 ? placed.work.seconds / wholeSeconds() : 1;
  MarkRow row = like;
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
  if (!row.marks.empty()) m_chart.rows.push_back(std::move(row));
}

// The least important first.
void ChartMaker::addRows() {
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
    addRow(*kernel, {0, work, {}, {}, isListed ? tagOf(*kernel) : "", isListed, false});
  }
  for (std::size_t s = 0; s < m_options.compared.size(); ++s) {
    const Compared &other = m_options.compared[s];
    for (std::size_t w = 0; w < other.roofline->pipelines.size(); ++w)
      addRow(other.roofline->pipelines[w], {s + 1, w, {}, {}, other.title, true, true});
  }
  if (m_roofline.kernels.size() > 1)
    for (std::size_t w = 0; w < m_roofline.pipelines.size(); ++w)
      addRow(m_roofline.pipelines[w], {0, w, {}, {}, "pipeline", true, true});
  forEachPlaced([&](const Placed &placed) {
    if (std::ranges::find(m_chart.origins, placed.work.origin) == m_chart.origins.end())
      m_chart.origins.push_back(placed.work.origin);
  });
}

// At the level that binds now, which is where a schedule has to get better; a rate binds at all.
void ChartMaker::addArrow(const Placed &before, const Placed &now, std::size_t work, bool isWhole) {
  const auto binding = static_cast<std::size_t>(now.binding);
  const auto level = static_cast<Level>(binding < cost::kLevels ? binding : 0);
  const auto at = [&](const Placed &placed) -> std::optional<Point> {
    const auto x = placed.intensity(level, m_counted);
    const auto y = placed.performance(m_counted);
    if (!x || !y || *x <= 0 || *y <= 0) return std::nullopt;
    return Point{m_x.at(*x), m_y.at(*y)};
  };
  const auto from = at(before), to = at(now);
  constexpr double kShortest = 4;
  if (!from || !to || std::hypot(to->x - from->x, to->y - from->y) < kShortest) return;
  m_chart.arrows.push_back({*from, *to, level, now.work.origin, work, isWhole,
                            gainText(before.work.seconds, now.work.seconds)});
}

// From kernels of the same name and origin. A kernel that others were fused into has theirs too.
void ChartMaker::addArrows() {
  if (m_options.compared.empty()) return;
  const Roofline &before = *m_options.compared.front().roofline;
  const auto add = [&](const std::vector<Placed> &from, const std::vector<Placed> &to,
                       bool isWhole) {
    for (std::size_t w = 0; w < to.size(); ++w)
      for (const Placed &other : from)
        if (other.work.name == to[w].work.name && other.work.origin == to[w].work.origin)
          addArrow(other, to[w], w, isWhole);
  };
  add(before.kernels, m_roofline.kernels, false);
  add(before.pipelines, m_roofline.pipelines, true);
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
    if (row.isListed)
      for (const Mark &mark : row.marks)
        places.occupy(boxOf(mark));
  // The pipeline and the longest kernels were added last, and have the first choice.
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
    // Beside its row a word needs no line.
    if (std::abs(middle.y - row.marks.front().at.y) > 3)
      tag.mark = std::ranges::min_element(row.marks, {}, [&](const Mark &mark) {
                   return std::hypot(mark.at.x - middle.x, mark.at.y - middle.y);
                 })->at;
    m_chart.tags.push_back(std::move(tag));
  }
}

void ChartMaker::addTable() {
  const auto share = [&](double seconds) {
    return wholeSeconds() > 0 ? percent(seconds / wholeSeconds()) : std::string();
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
                       ? "float operations a byte (a fused multiply-add is two)"
                       : "integer instructions a byte (arithmetic, comparisons, addresses)";
  m_chart.yTitle = m_counted == Arithmetic::Float ? "float operations a second"
                                                  : "integer instructions a second";
  m_chart.yTitleBrief = m_counted == Arithmetic::Float ? "float op/s" : "integer inst/s";
  if (const Placed *whole = best(m_roofline.pipelines)) {
    // Compiled code has no time of its own: where it stands, it was measured.
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

ArrowShape::ArrowShape(const Arrow &arrow) {
  constexpr double kShort = 8, kHead = 9, kHalf = 4, kWord = 14;
  const double dx = arrow.to.x - arrow.from.x, dy = arrow.to.y - arrow.from.y;
  const double length = std::hypot(dx, dy);
  const Point along{dx / length, dy / length};
  const auto at = [&](double forwards, double sideways) {
    return Point{arrow.from.x + forwards * along.x - sideways * along.y,
                 arrow.from.y + forwards * along.y + sideways * along.x};
  };
  const double most = std::max(length - kShort, length / 2);
  from = at(std::min(kShort, length / 4), 0);
  tip = at(most, 0);
  neck = at(std::max(most - kHead, 0.0), 0);
  left = at(most - kHead, kHalf);
  right = at(most - kHead, -kHalf);
  // Above what leads sideways, right of what leads up.
  word = at(length / 2, dx >= 0 ? -kWord : kWord);
}

std::string gainText(double before, double now) {
  if (before <= 0 || now <= 0) return "";
  const std::string percent = wholeText(std::abs(before / now - 1) * 100);
  return (now > before && percent != "0" ? "−" : "+") + percent + " %";
}

RooflineChart chartOf(const Roofline &roofline, const ChartText &text,
                      const ChartOptions &options) {
  return ChartMaker(roofline, text, options).make();
}

} // namespace tessera::chart
