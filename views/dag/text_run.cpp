// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/text_run.h"

#include <QFontMetricsF>
#include <QPaintEngine>
#include <QPainter>
#include <QTextLayout>

namespace tessera::views {

namespace {
constexpr qsizetype kMostTexts = 8000; // of a font; more are those of several pipelines
} // namespace

void TextRun::set(const QString &text, const QFont &font) {
  m_text = text;
  m_font = font;
  m_runs.clear();
  m_size = {};
  if (text.isEmpty()) return;
  QTextLayout layout(text, font);
  layout.beginLayout();
  const QTextLine line = layout.createLine();
  layout.endLayout();
  m_size = {line.naturalTextWidth(), line.height()};
  m_ascent = line.ascent();
  m_runs = layout.glyphRuns();
}

// Glyph runs are used on the screen only. A file gets real text, which can be read and searched.
void TextRun::paint(QPainter &painter, QPointF topLeft) const {
  const QPaintEngine *engine = painter.paintEngine();
  if (engine && engine->type() == QPaintEngine::Raster) {
    for (const QGlyphRun &run : m_runs)
      painter.drawGlyphRun(topLeft, run);
    return;
  }
  painter.setFont(m_font);
  painter.drawText(topLeft + QPointF(0, m_ascent), m_text);
}

void ShapedTexts::setFont(const QFont &font) {
  if (font != m_font) m_runs.clear();
  m_font = font;
}

const TextRun &ShapedTexts::elided(const QString &text, double room) {
  if (m_runs.size() >= kMostTexts) m_runs.clear();
  TextRun &run = m_runs[{text, room}];
  if (run.text().isEmpty())
    run.set(QFontMetricsF(m_font).elidedText(text, Qt::ElideMiddle, room), m_font);
  return run;
}

} // namespace tessera::views
