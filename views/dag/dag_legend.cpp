// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/dag_legend.h"

#include "views/theme/kind_mark.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <utility>

namespace tessera::views {

namespace {
constexpr int kBetween = 6;     // pixels between a mark and its words, and between entries
constexpr int kAfterWords = 12; // more room than before the words, so that these belong to the mark
} // namespace

DagLegend::DagLegend(QWidget *parent) : QWidget(parent), m_zoom(new QLabel(this)) {
  setAccessibleName(tr("Legend"));
  m_zoom->setAccessibleName(tr("Zoom"));
  m_zoom->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  auto *rows = new QVBoxLayout(this);
  rows->setContentsMargins(12, 4, 12, 5);
  rows->setSpacing(3);
  for (const auto fill : {&DagLegend::addKinds, &DagLegend::addMarks}) {
    auto *row = new QHBoxLayout;
    row->setSpacing(kBetween);
    rows->addLayout(row);
    (this->*fill)(*row);
  }
  describe({});
}

void DagLegend::addKinds(QBoxLayout &row) {
  const auto kind = [&](StageKind of, bool isOutput, const QString &words) {
    return add(row, words, [this, of, isOutput] {
      return kindMark(of, isOutput, palette(), devicePixelRatioF());
    });
  };
  kind(StageKind::Input, false, tr("input"));
  kind(StageKind::Pure, false, tr("pure"));
  kind(StageKind::Update, false, tr("update"));
  kind(StageKind::Reduction, false, tr("reduction"));
  m_extern = kind(StageKind::Extern, false, tr("extern stage"));
  kind(StageKind::Pure, true, tr("output"));
  add(row, tr("bytes read"), [this] { return edgeMark(palette(), devicePixelRatioF()); });
  row.addStretch(1);
  row.addWidget(m_zoom);
}

void DagLegend::addMarks(QBoxLayout &row) {
  const auto mark = [&](QPixmap (*picture)(const QPalette &, double), const QString &words) {
    return add(row, words, [this, picture] { return picture(palette(), devicePixelRatioF()); });
  };
  m_ofSchedule.push_back(mark(hullMark, tr("a kernel: its number and its share of the predicted "
                                           "time")));
  m_heat = mark(heatMark, tr("no time … most time"));
  m_ofSchedule.push_back(mark(inlinedMark, tr("inlined")));
  m_added = mark(addedMark, tr("added by the schedule"));
  m_frozen = mark(frozenMark, tr("frozen by the search"));
  row.addStretch(1);
}

QWidget *DagLegend::add(QBoxLayout &row, const QString &words, std::function<QPixmap()> draw) {
  auto *whole = new QWidget(this);
  auto *mark = new QLabel(whole);
  auto *label = new QLabel(words, whole);
  label->setForegroundRole(QPalette::PlaceholderText);
  auto *entry = new QHBoxLayout(whole);
  entry->setContentsMargins(0, 0, kAfterWords, 0);
  entry->setSpacing(kBetween);
  entry->addWidget(mark);
  entry->addWidget(label);
  row.addWidget(whole);
  m_entries.push_back({mark, std::move(draw)});
  return whole;
}

// The window may be on another screen since the marks were drawn.
void DagLegend::describe(Of of) {
  if (m_pixelRatio != devicePixelRatioF()) draw();
  if (m_of == of) return;
  m_of = of;
  for (QWidget *entry : m_ofSchedule)
    entry->setVisible(of.hasSchedule);
  m_heat->setVisible(of.hasSchedule && of.isHeat);
  m_added->setVisible(of.hasSchedule && of.hasAdded);
  m_extern->setVisible(of.hasExtern);
  m_frozen->setVisible(of.hasSchedule && of.hasFrozen);
}

void DagLegend::setZoom(double scale) { m_zoom->setText(tr("%1 %").arg(qRound(scale * 100))); }

void DagLegend::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) draw();
}

void DagLegend::draw() {
  m_pixelRatio = devicePixelRatioF();
  for (const Entry &entry : m_entries)
    entry.mark->setPixmap(entry.draw());
}

} // namespace tessera::views
