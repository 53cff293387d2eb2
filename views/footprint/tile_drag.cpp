// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/footprint/tile_drag.h"

#include "views/footprint/edge_handle.h"
#include "views/footprint/footprint_view.h"
#include "views/text/change_text.h"
#include "views/text/stage_summary.h"

#include <utility>

namespace tessera::views {

using footprint::TileEdge;

TileDrag::TileDrag(FootprintView &view, DocumentFlow &documents, ScheduleFlow &schedule,
                   Bridge &bridge, QObject *parent)
    : QObject(parent), m_view(view), m_documents(documents), m_schedule(schedule),
      m_finder(schedule, bridge) {
  connectHandle(Qt::Horizontal);
  connectHandle(Qt::Vertical);
  connect(&m_finder, &TileFinder::changed, this, &TileDrag::sizesChanged);
  connect(&m_finder, &TileFinder::forgotten, this, &TileDrag::end);
}

void TileDrag::connectHandle(Qt::Orientation along) {
  EdgeHandle &handle = m_view.handle(along);
  connect(&handle, &EdgeHandle::taken, this, [this, along] { begin(along); });
  connect(&handle, &EdgeHandle::movedTo, this,
          [this, along](QPointF place) { dragTo(along, place); });
  connect(&handle, &EdgeHandle::released, this, &TileDrag::release);
  connect(&handle, &EdgeHandle::stepped, this,
          [this, along](int direction) { step(along, direction); });
  connect(&handle, &EdgeHandle::kept, this, &TileDrag::keep);
  connect(&handle, &EdgeHandle::givenUp, this, &TileDrag::giveUp);
  connect(&handle, &EdgeHandle::fixedTouched, this, [this, along] {
    if (edge(along)) m_view.refuse(along, QString::fromStdString(edge(along)->whyNot));
  });
}

void TileDrag::setEdges(std::optional<TileEdge> across, std::optional<TileEdge> down) {
  m_edges = {std::move(across), std::move(down)};
  for (const Qt::Orientation along : {Qt::Horizontal, Qt::Vertical}) {
    EdgeHandle &handle = m_view.handle(along);
    const auto &of = edge(along);
    handle.setFixed(of ? QString::fromStdString(of->whyNot) : QString());
    handle.setAccessibleName(of ? tr("Size of the tile along %1: %2")
                                      .arg(QString::fromStdString(of->name), countText(of->size))
                                : tr("Size of the tile"));
  }
}

bool TileDrag::begin(Qt::Orientation along) {
  if (m_active == along) return true;
  giveUp();
  m_view.refuse(along, {});
  if (!edge(along)) return false;
  emit begun();
  if (!m_finder.look(*edge(along))) {
    m_view.refuse(along, m_finder.whyNot());
    return false;
  }
  m_active = along;
  m_original = m_schedule.shown();
  m_tried = edge(along)->size;
  m_wanted = double(m_tried);
  m_steps = 0;
  m_isReleased = false;
  m_view.keepScale(true);
  emit said(
      tr("Finding the legal tile sizes along %1 …").arg(QString::fromStdString(edge(along)->name)));
  return true;
}

void TileDrag::dragTo(Qt::Orientation along, QPointF place) {
  if (m_active != along || m_isReleased) return;
  m_wanted = m_view.sizeAt(along, place);
  tryWanted();
}

void TileDrag::release() {
  if (!m_active) return;
  m_isReleased = true;
  if (!m_finder.isLooking()) finish();
}

void TileDrag::step(Qt::Orientation along, int direction) {
  if (!begin(along)) return;
  m_steps += direction;
  if (!m_finder.isLooking()) takeSteps();
}

void TileDrag::keep() {
  if (!m_active) return;
  m_wanted = double(m_tried);
  release();
}

void TileDrag::giveUp() {
  if (!m_active) return m_view.refuse(Qt::Horizontal, {});
  end();
  m_finder.forget();
  m_schedule.endDraft();
}

void TileDrag::sizesChanged() {
  if (!m_active) return;
  std::vector<FootprintView::Stop> stops{{edge(*m_active)->size, true}};
  for (const TileFinder::Option &option : m_finder.options())
    stops.push_back({option.size, option.isLegal()});
  m_view.showStops(*m_active, std::move(stops));
  if (m_finder.isLooking()) {
    if (m_steps == 0 && !m_isReleased) tryWanted();
    return;
  }
  takeSteps();
  if (m_isReleased)
    finish();
  else
    tryWanted();
}

void TileDrag::takeSteps() {
  for (; m_steps != 0; m_steps -= m_steps > 0 ? 1 : -1) {
    const int direction = m_steps > 0 ? 1 : -1;
    const std::int64_t own = edge(*m_active)->size;
    const TileFinder::Option *next = m_finder.next(m_tried, direction);
    // The options do not contain the edge's own size, so it is handled here.
    const bool isOwn =
        (own - m_tried) * direction > 0 && (!next || (next->size - own) * direction > 0);
    if (!next && !isOwn) {
      m_view.refuse(*m_active, direction > 0 ? tr("There is no larger legal size.")
                                             : tr("There is no smaller legal size."));
      m_steps = 0;
      return;
    }
    m_wanted = double(isOwn ? own : next->size);
    tryOption(isOwn ? nullptr : next);
  }
}

void TileDrag::tryWanted() {
  const TileFinder::Option *nearest = m_finder.nearest(m_wanted);
  if (m_finder.options().empty()) return; // nothing is known yet
  tryOption(nearest);
}

// Null: back to the edge's own size.
void TileDrag::tryOption(const TileFinder::Option *option) {
  const QString name = QString::fromStdString(edge(*m_active)->name);
  if (option && !option->isLegal()) {
    m_view.refuse(
        *m_active,
        tr("%1 = %2 is not legal: %3").arg(name, countText(option->size), option->refusal));
    return;
  }
  m_view.refuse(*m_active, {});
  m_tried = option ? option->size : edge(*m_active)->size;
  m_schedule.showDraft(option ? option->shown : m_original);
  emit said(option ? effectOf(*option)
                   : tr("The tile size along %1 stays %2").arg(name, countText(m_tried)));
}

QString TileDrag::effectOf(const TileFinder::Option &option) const {
  const double before = m_finder.seconds(), now = option.shown->found.prediction.seconds;
  return tr("%1: %2 → %3, %4 ms predicted, %5")
      .arg(QString::fromStdString(edge(*m_active)->name), countText(edge(*m_active)->size),
           countText(option.size), threeDigits(now * 1e3),
           before > 0 ? changeText(now / before - 1) : QString());
}

void TileDrag::finish() {
  const TileFinder::Option *nearest = m_finder.nearest(m_wanted);
  if (!nearest || !nearest->isLegal() || !m_documents.hasDocument()) {
    const QString why = nearest ? nearest->refusal : QString();
    const Qt::Orientation along = *m_active;
    giveUp();
    if (!why.isEmpty()) {
      m_view.refuse(along, why);
      emit said(tr("Nothing has changed: %1.").arg(why));
    }
    return;
  }
  const schedule::Schedule &after = nearest->shown->found.schedule;
  const document::Choice choice{nearest->decision, nearest->value, after,
                                nearest->shown->found.prediction.seconds};
  // The draft stays until the document's schedule takes its place, so that nothing flickers.
  m_schedule.showDraft(nearest->shown);
  end();
  m_documents.choose(choice);
}

void TileDrag::end() {
  if (!m_active) return;
  m_active.reset();
  m_original.reset();
  m_steps = 0;
  m_isReleased = false;
  m_view.refuse(Qt::Horizontal, {});
  m_view.showStops(Qt::Horizontal, {});
  m_view.keepScale(false);
  emit said({});
}

} // namespace tessera::views
