// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QGlyphRun>
#include <QHash>
#include <QList>
#include <QSizeF>
#include <QString>

#include <utility>

class QPainter;

namespace tessera::views {

// A line of text that is shaped once and painted at any scale. QStaticText shapes again whenever
// the scale changes: with a thousand nodes, that is most of the time of a zoom frame.
class TextRun {
public:
  void set(const QString &text, const QFont &font);
  const QString &text() const { return m_text; }
  const QSizeF &size() const { return m_size; }

  // Paints in the pen's colour and leaves the painter with another font.
  void paint(QPainter &painter, QPointF topLeft) const;

private:
  QString m_text;
  QFont m_font;
  QSizeF m_size;
  double m_ascent = 0;
  QList<QGlyphRun> m_runs;
};

// Shaped texts of one font, elided in their middle. Each layout of a DAG makes its nodes anew,
// mostly with the texts of the one before, and shaping is most of what a node takes.
class ShapedTexts {
public:
  void setFont(const QFont &font); // forgets the texts of another font
  const TextRun &elided(const QString &text, double room);

private:
  QFont m_font;
  QHash<std::pair<QString, double>, TextRun> m_runs;
};

struct NodeTexts {
  ShapedTexts titles, details;
};

} // namespace tessera::views
