// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/details/details_panel.h"

#include "views/details/details_html.h"

#include <QEvent>

#include <utility>

namespace tessera::views {

DetailsPanel::DetailsPanel(Selection &selection, QWidget *parent)
    : QTextBrowser(parent), m_selection(selection) {
  setObjectName(QStringLiteral("details"));
  setAccessibleName(tr("Details of the active stage"));
  setFrameShape(QFrame::NoFrame);
  setOpenLinks(false);
  document()->setDocumentMargin(12);
  connect(&m_selection, &Selection::changed, this, [this](Selection::Changes changes) {
    if (changes & Selection::ActiveChanged) m_later.start();
  });
  m_later.setSingleShot(true);
  m_later.setInterval(0);
  connect(&m_later, &QTimer::timeout, &m_refresh, &SeenRefresh::request);
  connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl &link) {
    const auto subject = subjectOf(link);
    if (subject) m_selection.select(*subject);
  });
}

void DetailsPanel::setPipeline(pipeline::PipelinePtr pipeline) {
  m_pipeline = std::move(pipeline);
  m_later.stop();
  m_refresh.request();
}

// Only what an algorithm says of its kernels is shown of a schedule.
void DetailsPanel::showSchedule(ShownSchedulePtr shown) {
  const auto hasCosts = [](const ShownSchedulePtr &one) {
    return one && !one->found.costs.empty();
  };
  const bool isOther = hasCosts(m_shown) || hasCosts(shown);
  m_shown = std::move(shown);
  if (isOther) m_refresh.request();
}

void DetailsPanel::changeEvent(QEvent *event) {
  QTextBrowser::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) m_refresh.request();
}

void DetailsPanel::refresh() {
  if (!m_pipeline) return clear();
  const auto active = m_selection.active();
  setHtml(active ? detailsHtml(*m_pipeline, *active, palette(), m_shown)
                 : overviewHtml(*m_pipeline, palette()));
}

} // namespace tessera::views
