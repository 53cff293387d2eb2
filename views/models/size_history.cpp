// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/size_history.h"

#include "views/models/own_sizes.h"

#include <QCoreApplication>
#include <QStringList>

#include <string_view>
#include <utility>

namespace tessera::views {

namespace {

QString tr(const char *text) { return QCoreApplication::translate("SizeHistory", text); }

using Estimates = std::vector<session::EstimateOverride>;

// As NAME=VALUE; those of one list that are not in the other.
QStringList onlyIn(const Estimates &these, const Estimates &others) {
  QStringList texts;
  for (const session::EstimateOverride &one : these)
    texts << estimateText(one);
  for (const session::EstimateOverride &other : others)
    texts.removeAll(estimateText(other));
  return texts;
}

std::string_view sizeOf(const session::OpenRequest &request) {
  return request.size.empty() ? session::kOwnSize : std::string_view(request.size);
}

} // namespace

std::optional<QString> SizeHistory::stepBetween(const session::OpenRequest &before,
                                                const session::OpenRequest &after) {
  if (before.path != after.path || before.generator != after.generator ||
      before.parameters != after.parameters || before.ownSchedule != after.ownSchedule)
    return std::nullopt;
  if (sizeOf(before) != sizeOf(after))
    return sizeOf(after) == session::kOwnSize
               ? tr("Size as captured")
               : tr("Size %1").arg(QString::fromStdString(after.size));
  const QStringList now = onlyIn(after.estimates, before.estimates);
  const QStringList then = onlyIn(before.estimates, after.estimates);
  if (now.isEmpty() && then.isEmpty()) return std::nullopt;
  if (now.size() != 1) return tr("Sizes");
  const QString name = now[0].section('=', 0, 0), value = now[0].section('=', 1);
  return value.contains(':') ? tr("Size of %1").arg(name) : tr("%1 = %2").arg(name, value);
}

void SizeHistory::push(Entry left) {
  m_ahead.clear();
  m_behind.push_back(std::move(left));
  if (m_behind.size() > kMost) m_behind.erase(m_behind.begin());
}

void SizeHistory::clear() {
  m_behind.clear();
  m_ahead.clear();
}

QString SizeHistory::undoName() const {
  return m_behind.empty() ? QString() : m_behind.back().step;
}

QString SizeHistory::redoName(std::size_t position) const {
  return m_ahead.empty() || m_ahead.back().leftAt != position ? QString() : m_ahead.back().step;
}

SizeHistory::Entry SizeHistory::back(Entry here) {
  Entry there = std::move(m_behind.back());
  m_behind.pop_back();
  here.step = there.step;
  here.leftAt = there.document.parts().position;
  m_ahead.push_back(std::move(here));
  return there;
}

SizeHistory::Entry SizeHistory::forward(Entry here) {
  Entry there = std::move(m_ahead.back());
  m_ahead.pop_back();
  here.step = there.step;
  m_behind.push_back(std::move(here));
  return there;
}

} // namespace tessera::views
