// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QGlyphRun>
#include <QList>
#include <QSizeF>
#include <QString>

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

} // namespace tessera::views
