// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/roofline/roofline_painter.h"

#include "engine/chart/arrow_shape.h"
#include "engine/chart/compared_kernels.h"

#include <QCoreApplication>
#include <QPainter>
#include <QStaticText>

#include <algorithm>
#include <cmath>

namespace tessera::views {

using chart::Mark;
using chart::MarkRow;
using chart::Point;
using chart::RooflineChart;
using cost::Level;
using cost::Origin;

namespace {

QPointF at(Point point) { return {point.x, point.y}; }

class RooflinePainter {
  Q_DECLARE_TR_FUNCTIONS(RooflinePainter)
public:
  RooflinePainter(QPainter &painter, const RooflineChart &chart, const RooflineLook &look)
      : m_painter(painter), m_chart(chart), m_look(look), m_colors(look.colors),
        m_plot(chart.frame.left, chart.frame.top, chart.frame.width, chart.frame.height) {
    m_font = rooflineFont(look.font);
    m_strong = m_font;
    m_strong.setWeight(QFont::DemiBold);
  }

  void paintMarks() {
    for (const chart::RoofLine &roof : m_chart.roofs)
      paintRoofWord(roof);
    paintCompulsoryWord();
    paintArrows();
    for (std::size_t r = 0; r < m_chart.rows.size(); ++r)
      if (!isMarked(r)) paintRow(r);
    for (std::size_t r = 0; r < m_chart.rows.size(); ++r)
      if (isMarked(r)) paintRow(r);
    for (const chart::Tag &tag : m_chart.tags)
      paintTag(tag);
    paintGains();
  }

  void paintKey();

private:
  QColor colorOf(Level level) const { return views::colorOf(m_colors, level); }
  bool isCurrent(const MarkRow &row) const {
    return row.series == 0 && !row.isWhole && isCurrent(row.work);
  }
  // The pipeline's arrow and the arrow of the marked kernel are strong.
  bool isStrong(const chart::Arrow &arrow) const { return arrow.isWhole || isCurrent(arrow.work); }
  bool isCurrent(std::size_t work) const {
    return work < m_look.numbers.size() && m_look.current >= 0 &&
           m_look.numbers[work] == m_look.current;
  }
  bool isMarked(std::size_t row) const {
    return m_look.hovered == row || isCurrent(m_chart.rows[row]);
  }
  // Draws a word with a halo in the canvas's colour, so that lines do not cross its letters.
  // Stroking the outlines of letters would take ten times as long as drawing them nine times from
  // Qt's glyph cache.
  void word(QPointF middle, const QString &text, const QFont &font, const QColor &color) {
    const double half = QFontMetricsF(font).horizontalAdvance(text) / 2;
    haloed(middle - QPointF(half, 0), text, font, color);
  }
  void haloed(QPointF start, const QString &text, const QFont &font, const QColor &color) {
    QStaticText letters(text);
    letters.setTextFormat(Qt::PlainText);
    letters.prepare(m_painter.transform(), font);
    const QPointF corner = start - QPointF(0, QFontMetricsF(font).ascent());
    m_painter.setFont(font);
    m_painter.setPen(m_colors.canvas);
    constexpr double kReach = 1.5, kAslant = 1.1;
    for (const QPointF aside : {QPointF(kReach, 0), QPointF(kAslant, kAslant), QPointF(0, kReach),
                                QPointF(-kAslant, kAslant)})
      for (const QPointF way : {aside, -aside})
        m_painter.drawStaticText(corner + way, letters);
    m_painter.setPen(color);
    m_painter.drawStaticText(corner, letters);
  }

  void paintRoofWord(const chart::RoofLine &roof);
  void paintCompulsoryWord();
  void paintArrows();
  void paintGains();
  void paintRow(std::size_t row);
  void paintMark(const Mark &mark, const MarkRow &of);
  double opacityOf(std::size_t row) const;
  void paintTag(const chart::Tag &tag);
  void paintEntry(Mark mark, const MarkRow &of, const QString &text);
  void paintApart(QStringList &words);

  QPainter &m_painter;
  const RooflineChart &m_chart;
  const RooflineLook &m_look;
  const Colors &m_colors;
  QRectF m_plot;
  QFont m_font, m_strong;
  double m_keyX = 0, m_keyY = 0; // the place of the next entry of the key
};

void RooflinePainter::paintRoofWord(const chart::RoofLine &roof) {
  if (roof.label.empty()) return;
  const QString text = QString::fromStdString(roof.label);
  const double width = QFontMetricsF(m_strong).horizontalAdvance(text);
  m_painter.save();
  m_painter.translate(at(roof.labelAt));
  m_painter.rotate(roof.labelAngle);
  haloed({roof.labelEndsThere ? -width : 0, 0}, text, m_strong,
         roof.level ? colorOf(*roof.level) : m_colors.faintText);
  m_painter.restore();
}

void RooflinePainter::paintCompulsoryWord() {
  const auto &compulsory = m_chart.compulsory;
  if (!compulsory || compulsory->label.empty()) return;
  const QString text = tr("compulsory traffic only");
  const double half = QFontMetricsF(m_font).horizontalAdvance(text) / 2;
  word(at(compulsory->labelAt) + QPointF(compulsory->labelEndsThere ? -half : half, 0), text,
       m_font, m_colors.hue(StageKind::Update, false));
}

// If the user has chosen a kernel, the arrows of the other kernels are fainter. The arrows of the
// chosen kernel and of the pipeline stay strong.
void RooflinePainter::paintArrows() {
  for (const chart::Arrow &arrow : m_chart.arrows) {
    const chart::ArrowShape shape(arrow);
    const QColor color = arrow.isWhole ? m_colors.text : m_colors.faintText;
    m_painter.setOpacity(isStrong(arrow) ? 1 : m_look.isChosen ? 0.35 : 0.7);
    m_painter.setPen(QPen(color, arrow.isWhole ? 1.8 : isStrong(arrow) ? 1.4 : 1));
    m_painter.drawLine(at(shape.from), at(shape.neck));
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(color);
    m_painter.drawPolygon(QPolygonF{at(shape.tip), at(shape.left), at(shape.right)});
  }
  m_painter.setOpacity(1);
}

void RooflinePainter::paintGains() {
  for (const chart::Arrow &arrow : m_chart.arrows)
    if (isStrong(arrow) || (arrow.hasRoom && !m_look.isChosen))
      word(at(chart::ArrowShape(arrow).word) + QPointF(0, 4), QString::fromStdString(arrow.text),
           isStrong(arrow) ? m_strong : m_font,
           isStrong(arrow) ? m_colors.text : m_colors.faintText);
}

double RooflinePainter::opacityOf(std::size_t index) const {
  const MarkRow &row = m_chart.rows[index];
  if (isMarked(index)) return 1;
  if (row.isWhole) return row.series > 0 ? 0.6 : 1;
  const bool isOfCurrent = row.series > 0 ? row.ours && isCurrent(*row.ours) : isCurrent(row);
  if (m_look.isChosen) return isOfCurrent ? 0.9 : 0.35;
  return row.series > 0 ? 0.6 : row.isListed ? 1 : 0.35;
}

void RooflinePainter::paintRow(std::size_t index) {
  const MarkRow &row = m_chart.rows[index];
  const bool marked = isMarked(index);
  m_painter.setOpacity(opacityOf(index));
  const auto [left, right] =
      std::ranges::minmax(row.marks, {}, [](const Mark &mark) { return mark.at.x; });
  if (right.at.x > left.at.x) {
    m_painter.setPen(marked ? QPen(m_colors.accent, 2)
                            : QPen(m_colors.edge, row.isWhole ? 1.6 : 1));
    m_painter.drawLine(at(left.at), at(right.at));
  }
  if (marked)
    for (const Mark &mark : row.marks) { // a ring, so that the mark does not depend on colour alone
      m_painter.setPen(QPen(m_colors.accent, 2));
      m_painter.setBrush(m_colors.canvas);
      m_painter.drawEllipse(at(mark.at), mark.radius + 4, mark.radius + 4);
    }
  for (const Mark &mark : row.marks)
    paintMark(mark, row);
  m_painter.setOpacity(1);
}

// The shape shows the memory level: circle, square or triangle. A filled mark is measured, an empty
// one predicted, one with a dot counted in the code. A dashed outline belongs to a compared
// schedule.
void RooflinePainter::paintMark(const Mark &mark, const MarkRow &of) {
  const QColor color = colorOf(mark.level);
  const double r = mark.radius, width = of.isWhole ? 2.6 : 1.7;
  const QPointF c = at(mark.at);
  QPen pen(color, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin);
  if (of.series > 0) {
    QList<qreal> dashes; // in units of the pen's width
    for (const double length : chart::dashesOf(of.series))
      dashes << length / width;
    pen.setCapStyle(Qt::FlatCap);
    pen.setDashPattern(dashes);
  }
  m_painter.setPen(pen);
  m_painter.setBrush(mark.origin != Origin::Measured ? m_colors.canvas
                     : of.series > 0                 ? mix(m_colors.canvas, color, 0.5)
                                                     : color);
  if (mark.level == Level::Dram) {
    m_painter.drawEllipse(c, r, r);
  } else if (mark.level == Level::L2) {
    const double half = r * 1.77 / 2; // a square of the same area as the circle
    m_painter.drawRect(QRectF(c.x() - half, c.y() - half, 2 * half, 2 * half));
  } else {
    const double half = r * 1.35, up = r * 1.5, down = r * 0.85;
    m_painter.drawPolygon(QPolygonF{QPointF(c.x(), c.y() - up), QPointF(c.x() + half, c.y() + down),
                                    QPointF(c.x() - half, c.y() + down)});
  }
  if (mark.origin != Origin::Static) return;
  m_painter.setPen(Qt::NoPen);
  m_painter.setBrush(color);
  m_painter.drawEllipse(c, std::max(1.2, r * 0.35), std::max(1.2, r * 0.35));
}

void RooflinePainter::paintTag(const chart::Tag &tag) {
  if (tag.mark) {
    m_painter.setPen(QPen(m_colors.edge, 0.8));
    m_painter.drawLine(at(*tag.mark), at(tag.at));
  }
  word(at(tag.at) + QPointF(0, 4), QString::fromStdString(tag.text), m_strong, m_colors.text);
}

void RooflinePainter::paintKey() {
  m_keyX = m_plot.left();
  m_keyY = m_plot.bottom() + 50;
  m_painter.setFont(m_font);
  const Origin first = m_chart.origins.empty() ? Origin::Predicted : m_chart.origins.front();
  const bool areMany = m_chart.origins.size() > 1;
  const auto entry = [&](Level level, Origin origin, const QString &text) {
    paintEntry({{}, 4.5, level, origin}, {}, text);
  };
  entry(Level::Dram, areMany ? Origin::Measured : first, tr("device memory"));
  entry(Level::L2, areMany ? Origin::Measured : first, tr("L2"));
  entry(Level::Cache, areMany ? Origin::Measured : first, tr("L1 and shared"));
  const auto textOf = [](Origin origin) {
    return origin == Origin::Predicted ? tr("predicted")
           : origin == Origin::Static  ? tr("counted in the code")
                                       : tr("measured");
  };
  // If all marks have the same origin, the key names it in words only: a mark beside the words
  // would look like another memory level.
  if (!areMany) paintEntry({{}, 0}, {}, tr("all %1").arg(textOf(first)));
  for (const Origin origin : areMany ? m_chart.origins : std::vector<Origin>())
    entry(Level::Dram, origin, textOf(origin));
  QStringList apart = wordsApart(m_chart);
  paintApart(apart);
  if (m_chart.compared.empty()) return;
  m_keyX = m_plot.left();
  m_keyY += kKeyLine;
  MarkRow of;
  for (const chart::ComparedKey &key : m_chart.compared) {
    ++of.series;
    const QString title = QString::fromStdString(key.title);
    paintEntry({{}, 4.5, Level::Dram, Origin::Predicted}, of,
               key.drawn == key.all ? title
                                    : tr("%1: %2 of %3 kernels", nullptr, int(key.all))
                                          .arg(title)
                                          .arg(key.drawn)
                                          .arg(key.all));
  }
  paintApart(apart);
}

// A radius of 0 means no mark.
void RooflinePainter::paintEntry(Mark mark, const MarkRow &of, const QString &text) {
  if (mark.radius > 0) {
    mark.at = {m_keyX + 6, m_keyY};
    paintMark(mark, of);
    m_keyX += 16;
  }
  m_painter.setPen(m_colors.faintText);
  m_painter.drawText(QPointF(m_keyX, m_keyY + 4), text);
  m_keyX += QFontMetricsF(m_font).horizontalAdvance(text) + 14;
}

// Writes labels of roofs that have no room beside their line at the right end of a line of the key,
// and takes them from `words`. A label is written whole or not at all: the start of a number is
// another number. The tooltip of the key has all labels.
void RooflinePainter::paintApart(QStringList &words) {
  const QFontMetricsF metrics(m_font);
  const double room = m_plot.right() - m_keyX;
  QString text;
  while (!words.isEmpty()) {
    const QString longer =
        text.isEmpty() ? words.front() : text + QStringLiteral("   ·   ") + words.front();
    if (metrics.horizontalAdvance(longer) > room) break;
    text = longer;
    words.removeFirst();
  }
  m_painter.setPen(m_colors.faintText);
  m_painter.drawText(QRectF(m_keyX, m_keyY - 8, room, 16), Qt::AlignRight | Qt::AlignVCenter, text);
}

} // namespace

QFont rooflineFont(const QFont &font) {
  QFont words = font;
  words.setPixelSize(11);
  return words;
}

QColor colorOf(const Colors &colors, Level level) {
  return level == Level::Dram ? colors.producer
         : level == Level::L2 ? colors.consumer
                              : colors.success;
}

void paintMarks(QPainter &painter, const RooflineChart &chart, const RooflineLook &look) {
  RooflinePainter(painter, chart, look).paintMarks();
}

void paintKey(QPainter &painter, const RooflineChart &chart, const RooflineLook &look) {
  RooflinePainter(painter, chart, look).paintKey();
}

QStringList wordsApart(const RooflineChart &chart) {
  QStringList words;
  for (const std::string &word : chart.apart)
    words << QString::fromStdString(word);
  return words;
}

std::optional<std::size_t> rowAt(const RooflineChart &chart, Point place) {
  constexpr double kNear = 5;
  std::optional<std::size_t> found;
  double least = 0;
  for (std::size_t r = chart.rows.size(); r-- > 0;)
    for (const Mark &mark : chart.rows[r].marks) {
      const double away = std::hypot(mark.at.x - place.x, mark.at.y - place.y) - mark.radius;
      if (away > kNear || (found && away >= least)) continue;
      found = r;
      // Inside a mark the distance is 0. The loop starts at the top row, so the top one of
      // overlapping marks is kept.
      least = std::max(away, 0.0);
    }
  return found;
}

} // namespace tessera::views
