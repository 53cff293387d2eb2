// SPDX-License-Identifier: MIT
#include "engine/chart/roofline_svg.h"

#include "engine/chart/arrow_shape.h"
#include "engine/chart/compared_kernels.h"
#include "engine/chart/quantity_text.h"

#include <array>
#include <algorithm>

namespace tessera::chart {

using cost::Level;
using cost::Origin;

namespace {

constexpr double kSide = 412; // width of the legend and the table, right of the plot
constexpr double kMargin = 24;
constexpr double kRowHeight = 19;
constexpr std::size_t kLongestName = 22;

// Colours that can be told apart with most kinds of colour blindness (Okabe and Ito 2008).
constexpr std::array kColours{"#0072b2", "#d55e00", "#009e73"};

const char *colourOf(Level level) { return kColours[static_cast<std::size_t>(level)]; }

std::string number(double value) {
  std::string text = rounded(value, 1);
  return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

std::string escaped(const std::string &text) {
  std::string out;
  for (const char c : text)
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    default:
      out += c;
    }
  return out;
}

std::string shortened(const std::string &name) {
  if (name.size() <= kLongestName) return name;
  const std::size_t half = kLongestName / 2 - 1;
  return name.substr(0, half) + "…" + name.substr(name.size() - half);
}

std::string comparedText(const ComparedKey &key) {
  if (key.drawn == key.all) return key.title;
  return key.title + ": " + std::to_string(key.drawn) + " of " + std::to_string(key.all) +
         " kernels";
}

class SvgWriter {
public:
  explicit SvgWriter(const RooflineChart &chart) : m_chart(chart), m_frame(chart.frame) {}

  std::string write() {
    begin();
    writeGrid();
    writeRoofs();
    writeCompulsory();
    for (const Arrow &arrow : m_chart.arrows)
      writeArrow(arrow);
    for (const MarkRow &row : m_chart.rows)
      writeRow(row);
    for (const Tag &tag : m_chart.tags)
      writeTag(tag);
    writeAxisTitles();
    m_y = m_frame.top + 10;
    writeKey();
    writeTable();
    m_out += "</svg>\n";
    return std::move(m_out);
  }

private:
  void begin();
  void writeGrid();
  void writeRoofs();
  void writeCompulsory();
  void writeArrow(const Arrow &arrow);
  void writeRow(const MarkRow &row);
  void writeTag(const Tag &tag);
  void writeAxisTitles();
  void writeKey();
  void writeComparedKey();
  void writeTable();
  void writeTableRow(const TableRow &row, const char *style);

  void line(Point from, Point to, const std::string &attributes) {
    m_out += "<line x1=\"" + number(from.x) + "\" y1=\"" + number(from.y) + "\" x2=\"" +
             number(to.x) + "\" y2=\"" + number(to.y) + "\" " + attributes + "/>\n";
  }
  void text(Point at, const std::string &words, const std::string &attributes) {
    m_out += "<text x=\"" + number(at.x) + "\" y=\"" + number(at.y) + "\" " + attributes + ">" +
             escaped(words) + "</text>\n";
  }
  void shape(const Mark &mark, const MarkRow &of);
  double sideLeft() const { return m_frame.right() + 28; }

  const RooflineChart &m_chart;
  const Frame &m_frame;
  std::string m_out;
  double m_y = 0; // where the next part at the side begins
};

void SvgWriter::begin() {
  const double width = m_frame.right() + 28 + kSide + kMargin;
  const double height = m_frame.bottom() + 78;
  const std::string size = "width=\"" + number(width) + "\" height=\"" + number(height) +
                           "\" viewBox=\"0 0 " + number(width) + " " + number(height) + "\"";
  m_out = "<svg xmlns=\"http://www.w3.org/2000/svg\" " + size +
          " role=\"img\" aria-labelledby=\"title desc\" "
          "font-family=\"Inter, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif\" "
          "font-size=\"12\" fill=\"#1f2328\">\n";
  m_out += "<title id=\"title\">Roofline of " + escaped(m_chart.title) + "</title>\n";
  std::string spoken = m_chart.subtitle + ". " + m_chart.note;
  for (const TableRow &row : m_chart.table) {
    spoken += " " + row.name + ": " + row.time;
    if (!row.binding.empty()) spoken += ", " + row.binding + " binds, " + row.reached + " reached";
    spoken += ".";
  }
  m_out += "<desc id=\"desc\">" + escaped(spoken);
  m_out += "</desc>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  text({m_frame.left, 34}, m_chart.title, "font-size=\"20\" font-weight=\"600\"");
  text({m_frame.left, 57}, m_chart.subtitle, "font-size=\"13\" fill=\"#57606a\"");
}

void SvgWriter::writeGrid() {
  const auto stroke = [](const Tick &tick) {
    return tick.text.empty() ? "stroke=\"#f0f2f4\"" : "stroke=\"#e1e4e8\"";
  };
  const std::string small = "font-size=\"11\" fill=\"#57606a\" ";
  for (const Tick &tick : m_chart.xTicks) {
    line({tick.at, m_frame.top}, {tick.at, m_frame.bottom()}, stroke(tick));
    text({tick.at, m_frame.bottom() + 17}, tick.text, small + "text-anchor=\"middle\"");
  }
  for (const Tick &tick : m_chart.yTicks) {
    line({m_frame.left, tick.at}, {m_frame.right(), tick.at}, stroke(tick));
    text({m_frame.left - 8, tick.at + 4}, tick.text, small + "text-anchor=\"end\"");
  }
  m_out += "<rect x=\"" + number(m_frame.left) + "\" y=\"" + number(m_frame.top) + "\" width=\"" +
           number(m_frame.width) + "\" height=\"" + number(m_frame.height) +
           "\" fill=\"none\" stroke=\"#c9ced4\"/>\n";
}

void SvgWriter::writeRoofs() {
  for (const RoofLine &roof : m_chart.roofs) {
    const std::string colour = roof.level ? colourOf(*roof.level) : "#424a53";
    line(roof.from, roof.to,
         "stroke=\"" + colour + "\" stroke-width=\"" + (roof.isUsed ? "2" : "1.2") +
             "\" stroke-linecap=\"round\"" + (roof.isUsed ? "" : " stroke-dasharray=\"5 4\""));
  }
  for (const RoofLine &roof : m_chart.roofs) {
    if (roof.label.empty()) continue;
    const std::string colour = roof.level ? colourOf(*roof.level) : "#424a53";
    const std::string turn =
        roof.labelAngle == 0 ? ""
                             : " transform=\"rotate(" + number(roof.labelAngle) + " " +
                                   number(roof.labelAt.x) + " " + number(roof.labelAt.y) + ")\"";
    const std::string common = std::string("font-size=\"11.5\" font-weight=\"500\"") +
                               (roof.labelEndsThere ? " text-anchor=\"end\"" : "") + turn;
    // A white outline keeps the letters legible where they cross a line.
    text(roof.labelAt, roof.label,
         common + " stroke=\"#ffffff\" stroke-width=\"3\" stroke-linejoin=\"round\"");
    text(roof.labelAt, roof.label, common + " fill=\"" + colour + "\"");
  }
}

void SvgWriter::writeCompulsory() {
  const auto &compulsory = m_chart.compulsory;
  if (!compulsory) return;
  line({compulsory->x, m_frame.top}, {compulsory->x, m_frame.bottom()},
       "stroke=\"#8250df\" stroke-width=\"1.2\" stroke-dasharray=\"2 4\"");
  text(compulsory->labelAt, compulsory->label,
       std::string("font-size=\"11\" fill=\"#8250df\" text-anchor=\"") +
           (compulsory->labelEndsThere ? "end\"" : "start\""));
}

// Circle, square and triangle show the level. A full mark is measured, an empty one predicted, one
// with a dot counted in the code. A dashed outline is that of a compared schedule.
void SvgWriter::shape(const Mark &mark, const MarkRow &of) {
  const auto &[at, r, level, origin] = mark;
  const std::string colour = colourOf(level);
  const std::string fill = origin != Origin::Measured ? "#ffffff" : colour;
  std::string dashes;
  for (const double length : dashesOf(of.series))
    dashes += (dashes.empty() ? " stroke-dasharray=\"" : " ") + number(length);
  const std::string style =
      " fill=\"" + fill + "\" stroke=\"" + colour + "\" stroke-width=\"" +
      (of.isWhole ? "2.6\"" : "1.7\"") +
      (origin == Origin::Measured && of.series > 0 ? " fill-opacity=\"0.5\"" : "") + dashes +
      (dashes.empty() ? "" : "\"");
  const std::string x = number(at.x), y = number(at.y);
  if (level == Level::Dram) {
    m_out += "<circle cx=\"" + x + "\" cy=\"" + y + "\" r=\"" + number(r) + "\"" + style + "/>";
  } else if (level == Level::L2) {
    const double side = r * 1.77; // a square with the same area as the circle
    m_out += "<rect x=\"" + number(at.x - side / 2) + "\" y=\"" + number(at.y - side / 2) +
             "\" width=\"" + number(side) + "\" height=\"" + number(side) + "\"" + style + "/>";
  } else {
    const double half = r * 1.35, up = r * 1.5, down = r * 0.85;
    m_out += "<path d=\"M" + x + " " + number(at.y - up) + "L" + number(at.x + half) + " " +
             number(at.y + down) + "H" + number(at.x - half) + "Z\"" + style +
             " stroke-linejoin=\"round\"/>";
  }
  if (origin == Origin::Static)
    m_out += "<circle cx=\"" + x + "\" cy=\"" + y + "\" r=\"" + number(std::max(1.2, r * 0.35)) +
             "\" fill=\"" + colour + "\"/>";
  m_out += "\n";
}

void SvgWriter::writeArrow(const Arrow &arrow) {
  const ArrowShape shape(arrow);
  const char *colour = arrow.isWhole ? "#424a53" : "#8c959f";
  line(shape.from, shape.neck,
       std::string("stroke=\"") + colour + "\" stroke-width=\"" +
           (arrow.isWhole ? "1.6\"" : "1\""));
  m_out += "<path d=\"M" + number(shape.tip.x) + " " + number(shape.tip.y) + "L" +
           number(shape.left.x) + " " + number(shape.left.y) + "L" + number(shape.right.x) + " " +
           number(shape.right.y) + "Z\" fill=\"" + colour + "\"/>\n";
  if (!arrow.hasRoom) return;
  const std::string common = "font-size=\"11.5\" font-weight=\"600\" text-anchor=\"middle\"";
  text(shape.word, arrow.text,
       common + " stroke=\"#ffffff\" stroke-width=\"3\" stroke-linejoin=\"round\"");
  text(shape.word, arrow.text, common);
}

void SvgWriter::writeRow(const MarkRow &row) {
  m_out += row.series > 0 ? "<g opacity=\"0.6\">" : row.isListed ? "<g>" : "<g opacity=\"0.35\">";
  m_out += "<title>" + escaped(row.text) + "</title>\n";
  const auto [left, right] =
      std::ranges::minmax(row.marks, {}, [](const Mark &m) { return m.at.x; });
  if (right.at.x > left.at.x)
    line(left.at, right.at,
         std::string("stroke=\"#8c959f\" stroke-width=\"") + (row.isWhole ? "1.6\"" : "1\""));
  for (const Mark &mark : row.marks)
    shape(mark, row);
  m_out += "</g>\n";
}

void SvgWriter::writeTag(const Tag &tag) {
  if (tag.mark) line(*tag.mark, tag.at, "stroke=\"#8c959f\" stroke-width=\"0.8\"");
  const Point base{tag.at.x, tag.at.y + 4};
  const std::string common = "font-size=\"11\" font-weight=\"600\" text-anchor=\"middle\"";
  text(base, tag.text, common + " stroke=\"#ffffff\" stroke-width=\"3\" stroke-linejoin=\"round\"");
  text(base, tag.text, common);
}

void SvgWriter::writeAxisTitles() {
  text({m_frame.left + m_frame.width / 2, m_frame.bottom() + 40}, m_chart.xTitle,
       "text-anchor=\"middle\" font-weight=\"500\"");
  const Point at{20, m_frame.top + m_frame.height / 2};
  text(at, m_chart.yTitle,
       "text-anchor=\"middle\" font-weight=\"500\" transform=\"rotate(-90 " + number(at.x) + " " +
           number(at.y) + ")\"");
  text({m_frame.left, m_frame.bottom() + 64}, m_chart.note, "font-size=\"11\" fill=\"#57606a\"");
}

void SvgWriter::writeKey() {
  const double left = sideLeft();
  const std::array<const char *, 3> levels{"device memory", "second-level cache",
                                           "first-level cache and shared memory"};
  text({left, m_y}, "bytes that pass", "font-weight=\"600\"");
  for (std::size_t l = 0; l < levels.size(); ++l) {
    m_y += kRowHeight;
    shape({{left + 8, m_y - 4}, 5, static_cast<Level>(l), Origin::Measured}, {});
    text({left + 22, m_y}, levels[l], "");
  }
  m_y += kRowHeight * 1.5;
  text({left, m_y}, "numbers that are", "font-weight=\"600\"");
  for (const Origin origin : m_chart.origins) {
    m_y += kRowHeight;
    shape({{left + 8, m_y - 4}, 5, Level::Dram, origin}, {});
    text({left + 22, m_y},
         origin == Origin::Predicted ? "predicted by the cost model"
         : origin == Origin::Static  ? "counted in the compiled code, time measured"
                                     : "measured by hardware counters",
         "");
  }
  writeComparedKey();
  for (const std::string &word : m_chart.apart) {
    m_y += word == m_chart.apart.front() ? kRowHeight * 1.5 : kRowHeight;
    text({left, m_y}, word, "fill=\"#57606a\"");
  }
  m_y += kRowHeight * 1.7;
}

void SvgWriter::writeComparedKey() {
  if (m_chart.compared.empty()) return;
  const double left = sideLeft();
  m_y += kRowHeight * 1.5;
  text({left, m_y}, "compared with", "font-weight=\"600\"");
  MarkRow of;
  for (const ComparedKey &key : m_chart.compared) {
    ++of.series;
    m_y += kRowHeight;
    shape({{left + 8, m_y - 4}, 5, Level::Dram, Origin::Predicted}, of);
    text({left + 22, m_y}, comparedText(key), "");
  }
}

void SvgWriter::writeTableRow(const TableRow &row, const char *style) {
  const double left = sideLeft();
  const std::string right = std::string("text-anchor=\"end\" ") + style;
  text({left + 16, m_y}, row.tag, "text-anchor=\"end\" font-weight=\"600\"");
  text({left + 24, m_y}, shortened(row.name), style);
  text({left + 238, m_y}, row.time, right);
  text({left + 284, m_y}, row.share, right);
  text({left + 298, m_y}, row.binding, style);
  text({left + kSide, m_y}, row.reached, right);
}

void SvgWriter::writeTable() {
  writeTableRow({"", "kernel", "time", "of all", "binds", "reached"}, "font-weight=\"600\"");
  line({sideLeft(), m_y + 6}, {sideLeft() + kSide, m_y + 6}, "stroke=\"#c9ced4\"");
  m_y += 4;
  for (const TableRow &row : m_chart.table) {
    m_y += kRowHeight;
    writeTableRow(row, "");
  }
}

} // namespace

std::string svgOf(const RooflineChart &chart) { return SvgWriter(chart).write(); }

} // namespace tessera::chart
