// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/move_finder.h"

#include "engine/pipeline/stage_names.h"
#include "views/text/change_text.h"

#include <QStringList>

#include <algorithm>
#include <utility>

namespace tessera::views {

using document::Move;

namespace {

const QString kMovesTag = QStringLiteral("moves");

} // namespace

MoveFinder::MoveFinder(ScheduleFlow &schedule, Bridge &bridge, QObject *parent)
    : QObject(parent), m_schedule(schedule), m_bridge(bridge) {
  connect(&m_schedule, &ScheduleFlow::shownChanged, this, &MoveFinder::becomeStale);
  connect(&m_schedule, &ScheduleFlow::stateChanged, this, &MoveFinder::becomeStale);
}

QString MoveFinder::whyNot() const {
  if (!m_schedule.shown()) return tr("There is no schedule to change yet.");
  if (m_schedule.isRunning()) return tr("A search is running; stop it to decide yourself.");
  return {};
}

bool MoveFinder::look(const QString &name) {
  forget();
  const ShownSchedulePtr &shown = m_schedule.shown();
  if (!whyNot().isEmpty() || !m_schedule.service().moves) return false;
  const auto stage = stageNamed(*shown->found.schedule.pipeline(), name.toStdString());
  if (!stage) return false;
  m_current = shown->found.prediction.seconds;
  m_isLooking = true;
  using Moves = std::vector<Move>;
  m_bridge.runStaged<Done, Moves>(
      kMovesTag, {},
      [moves = m_schedule.service().moves, shown, stage = *stage](
          const job::JobContext &job, const std::function<void(Moves)> &tell) -> Status {
        // Each report contains all moves found so far, because only the latest report arrives.
        Moves all;
        return moves(shown->found.schedule, stage, shown->machine.toStdString(), job.stop,
                     [&](Moves more) {
                       std::move(more.begin(), more.end(), std::back_inserter(all));
                       tell(all);
                     });
      },
      this,
      [this](Moves all) {
        m_moves = std::move(all);
        emit changed();
      },
      [this](const Status &) {
        m_isLooking = false;
        emit changed();
      });
  return true;
}

void MoveFinder::forget() {
  m_moves.clear();
  if (m_isLooking) m_bridge.cancelTag(kMovesTag);
  m_isLooking = false;
}

void MoveFinder::becomeStale() {
  forget();
  emit forgotten();
}

const Move *MoveFinder::into(int kernel) const {
  const auto found = std::ranges::find_if(m_moves, [&](const Move &move) {
    return move.kind == Move::Kind::Fuse && move.kernel == kernel;
  });
  return found == m_moves.end() ? nullptr : &*found;
}

const Move *MoveFinder::to(Move::Kind kind) const {
  const auto found = std::ranges::find(m_moves, kind, &Move::kind);
  return found == m_moves.end() ? nullptr : &*found;
}

QString MoveFinder::effect(const Move &move) const {
  return move.choice && m_current > 0 ? changeText(move.choice->seconds / m_current - 1)
                                      : QString();
}

QString MoveFinder::timeAfter(const Move &move) const {
  return move.choice ? tr("%1 ms").arg(threeDigits(move.choice->seconds * 1e3)) : QString();
}

QString MoveFinder::description(const Move &move) {
  const QString name = QString::fromStdString(move.moved);
  switch (move.kind) {
  case Move::Kind::Inline:
    return tr("Inline %1").arg(name);
  case Move::Kind::OwnKernel:
    return tr("%1 in a kernel of its own").arg(name);
  case Move::Kind::Fuse:
    break;
  }
  return tr("Fuse %1 into kernel %2 (%3)")
      .arg(name, QString::number(move.kernel), QString::fromStdString(move.with));
}

QString MoveFinder::nameFor(const Move &move) {
  QString name = move.kind == Move::Kind::OwnKernel
                     ? tr("Split %1 out").arg(QString::fromStdString(move.moved))
                 : move.kind == Move::Kind::Inline ? description(move)
                                                   : tr("Fuse %1 into %2")
                                                         .arg(QString::fromStdString(move.moved),
                                                              QString::fromStdString(move.with));
  if (move.along.empty()) return name;
  QStringList along;
  for (const std::string &one : move.along)
    along << QString::fromStdString(one);
  return along.size() > 3 ? tr("%1, with %n more", nullptr, int(along.size())).arg(name)
                          : tr("%1, with %2").arg(name, along.join(QStringLiteral(", ")));
}

} // namespace tessera::views
