// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/job_indicator.h"

#include "views/theme/icons.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

namespace tessera::views {

namespace {
constexpr qint64 kBlinkMilliseconds = 150;
} // namespace

JobIndicator::JobIndicator(Bridge &bridge, QWidget *parent)
    : QWidget(parent), m_bridge(bridge), m_text(new QLabel(this)), m_bar(new QProgressBar(this)),
      m_cancel(new QToolButton(this)) {
  setObjectName(QStringLiteral("jobIndicator"));
  setAccessibleName(tr("Running job"));
  m_text->setAccessibleName(tr("Running job"));
  m_bar->setAccessibleName(tr("Progress"));
  m_bar->setTextVisible(false);
  m_bar->setFixedSize(140, 12);
  m_cancel->setObjectName(QStringLiteral("cancelJob"));
  m_cancel->setIcon(icon(QStringLiteral("stop")));
  m_cancel->setAutoRaise(true);
  m_cancel->setAccessibleName(tr("Cancel the running job"));
  m_cancel->setToolTip(tr("Cancel (Esc)"));
  m_cancel->setShortcut(QKeySequence(Qt::Key_Escape));
  auto *row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 6, 0);
  row->addWidget(m_text);
  row->addWidget(m_bar);
  row->addWidget(m_cancel);
  m_later.setSingleShot(true);
  connect(&m_later, &QTimer::timeout, this, &JobIndicator::refresh);
  connect(&m_bridge, &Bridge::runningChanged, this, &JobIndicator::refresh);
  connect(m_cancel, &QToolButton::clicked, this, [this] { m_bridge.cancelAll(); });
  refresh();
}

void JobIndicator::refresh() {
  const Bridge::Running *shown = nullptr;
  int titled = 0;
  for (const Bridge::Running &job : m_bridge.running())
    if (!job.title.isEmpty() && ++titled == 1) shown = &job;
  const qint64 age = shown ? m_bridge.elapsedMilliseconds() - shown->startedMilliseconds : 0;
  const bool visible = shown && age >= kBlinkMilliseconds;
  if (shown && !visible && !m_later.isActive()) m_later.start(int(kBlinkMilliseconds - age));
  for (QWidget *part : {static_cast<QWidget *>(m_text), static_cast<QWidget *>(m_bar),
                        static_cast<QWidget *>(m_cancel)})
    part->setVisible(visible);
  m_cancel->setEnabled(visible);
  if (!visible) return;
  QString text = shown->title;
  if (!shown->progress.phase.empty())
    text += QStringLiteral(": ") + QString::fromStdString(shown->progress.phase);
  if (titled > 1) text += tr(" (and %n more)", nullptr, titled - 1);
  m_text->setText(text);
  // A new value would repaint at once whatever in the window waits for a repaint.
  m_bar->setUpdatesEnabled(false);
  m_bar->setRange(0, shown->progress.fraction < 0 ? 0 : 1000);
  m_bar->setValue(int(shown->progress.fraction * 1000));
  m_bar->setUpdatesEnabled(true);
}

} // namespace tessera::views
