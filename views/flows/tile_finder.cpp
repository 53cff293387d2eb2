// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/tile_finder.h"

#include <QSignalBlocker>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tessera::views {

namespace {

const QString kTileSizesTag = QStringLiteral("tile sizes");

TileFinder::Option optionOf(ScheduleService::Tile tile, const QString &machine) {
  TileFinder::Option option{tile.size.size, QString::fromStdString(tile.size.refusal),
                            tile.size.edit.decision, tile.size.edit.value, nullptr};
  if (tile.size.after && tile.prediction)
    option.shown =
        showSchedule({std::move(*tile.size.after), std::move(*tile.prediction)}, machine);
  return option;
}

} // namespace

TileFinder::TileFinder(ScheduleFlow &schedule, Bridge &bridge, QObject *parent)
    : QObject(parent), m_schedule(schedule), m_bridge(bridge) {
  connect(&m_schedule, &ScheduleFlow::shownChanged, this, &TileFinder::becomeStale);
  connect(&m_schedule, &ScheduleFlow::stateChanged, this, &TileFinder::becomeStale);
}

QString TileFinder::whyNot() const {
  if (!m_schedule.shown()) return tr("There is no schedule to change yet.");
  if (m_schedule.isRunning()) return tr("A search is running; stop it to decide yourself.");
  return {};
}

bool TileFinder::look(const footprint::TileEdge &edge) {
  forget();
  const ShownSchedulePtr &shown = m_schedule.shown();
  if (!whyNot().isEmpty() || !edge.isMovable() || !m_schedule.service().tiles) return false;
  m_edge = edge;
  m_current = shown->found.prediction.seconds;
  m_isLooking = true;
  using Options = std::vector<Option>;
  m_bridge.runStaged<Done, Options>(
      kTileSizesTag, {},
      [tiles = m_schedule.service().tiles, shown,
       edge](const job::JobContext &job, const std::function<void(Options)> &tell) -> Status {
        Options all; // each report has all sizes so far, because only the latest arrives
        return tiles(shown->found.schedule, edge, shown->machine.toStdString(), job.stop,
                     [&](ScheduleService::Tile tile) {
                       all.push_back(optionOf(std::move(tile), shown->machine));
                       tell(all);
                     });
      },
      this,
      [this](Options all) {
        m_options = std::move(all);
        emit changed();
      },
      [this](const Status &) {
        m_isLooking = false;
        emit changed();
      });
  return true;
}

void TileFinder::forget() {
  m_options.clear();
  m_edge.reset();
  // Cancelling calls the job's last function at once. That function emits changed(), which must not
  // reach any receiver here.
  const QSignalBlocker quiet(this);
  if (m_isLooking) m_bridge.cancelTag(kTileSizesTag);
  m_isLooking = false;
}

void TileFinder::becomeStale() {
  if (m_schedule.isDraft() || !m_edge) return;
  forget();
  emit forgotten();
}

const TileFinder::Option *TileFinder::nearest(double size) const {
  // Sizes are compared by ratio: from 8 to 12 is as far as from 16 to 24.
  const auto distance = [size](std::int64_t to) {
    return std::abs(std::log(std::max(size, 0.5)) - std::log(static_cast<double>(to)));
  };
  const Option *best = nullptr;
  double least = m_edge ? distance(m_edge->size) : std::numeric_limits<double>::max();
  for (const Option &option : m_options)
    if (const double away = distance(option.size); away < least) {
      least = away;
      best = &option;
    }
  return best;
}

const TileFinder::Option *TileFinder::next(std::int64_t size, int direction) const {
  const Option *best = nullptr;
  for (const Option &option : m_options) {
    if (!option.isLegal() || (option.size - size) * direction <= 0) continue;
    if (!best || (best->size - option.size) * direction > 0) best = &option;
  }
  return best;
}

} // namespace tessera::views
