// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/zoom_draft.h"

#include <QGraphicsView>
#include <QPainter>

#include <utility>

namespace tessera::views {

namespace {
// The view hands hints down to the painter of all items; of this one Qt asks only for brushes with
// patterns, which the DAG has none of.
constexpr QPainter::RenderHint kDraft = QPainter::NonCosmeticBrushPatterns;
} // namespace

ZoomDraft::ZoomDraft(QGraphicsView &view) : QObject(&view), m_view(view) {
  m_rest.setSingleShot(true);
  m_rest.setInterval(kRestMilliseconds);
  connect(&m_rest, &QTimer::timeout, this, [this] { set(false); });
}

void ZoomDraft::zoomed(std::size_t nodes) {
  if (nodes < kManyNodes) return;
  if (m_rest.isActive()) set(true);
  m_rest.start();
}

void ZoomDraft::set(bool active) {
  if (std::exchange(m_isActive, active) != active) m_view.setRenderHint(kDraft, active);
}

bool isDraft(const QPainter &painter) { return painter.testRenderHint(kDraft); }

} // namespace tessera::views
