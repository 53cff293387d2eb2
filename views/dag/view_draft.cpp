// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/view_draft.h"

#include <QPainter>

namespace tessera::views {

namespace {
// All items share one painter, so its render hints can carry these flags. Qt uses the first hint
// only for patterned brushes, which the DAG does not have, and the second only for PDF files.
constexpr QPainter::RenderHint kDraft = QPainter::NonCosmeticBrushPatterns;
constexpr QPainter::RenderHint kSketch = QPainter::LosslessImageRendering;
} // namespace

ViewDraft::ViewDraft(QObject *parent) : QObject(parent) {
  m_rest.setSingleShot(true);
  connect(&m_rest, &QTimer::timeout, this, [this] {
    m_isActive = false;
    emit ended();
  });
}

void ViewDraft::begin(std::size_t nodes, Kind kind) {
  if (nodes < kManyNodes) return;
  m_isQuick = m_begun.isValid() && m_begun.elapsed() < kRestMilliseconds;
  m_begun.start();
  m_kind = kind;
  m_isActive = true;
  m_rest.start(kRestMilliseconds);
}

void ViewDraft::painted() {
  if (m_isActive && !m_isQuick) m_rest.start(0);
}

void ViewDraft::mark(QPainter &painter) const {
  painter.setRenderHint(kDraft, m_isActive);
  painter.setRenderHint(kSketch, m_isActive && m_kind == Kind::Sketch);
}

bool isDraft(const QPainter &painter) { return painter.testRenderHint(kDraft); }
bool isSketch(const QPainter &painter) {
  return isDraft(painter) && painter.testRenderHint(kSketch);
}

} // namespace tessera::views
