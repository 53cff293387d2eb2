// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/selection.h"

#include <algorithm>
#include <utility>

namespace tessera::views {

Selection::Selection(QObject *parent) : QObject(parent) {}

bool Selection::isSelected(Subject subject) const {
  return std::ranges::find(m_now.selected, subject) != m_now.selected.end();
}

void Selection::select(Subject subject) {
  m_now.selected = {subject};
  m_now.active = subject;
  announceLater();
}

void Selection::toggle(Subject subject) {
  const auto found = std::ranges::find(m_now.selected, subject);
  if (found == m_now.selected.end()) {
    m_now.selected.push_back(subject);
    m_now.active = subject;
  } else {
    m_now.selected.erase(found);
    m_now.active = m_now.selected.empty() ? std::nullopt : std::optional(m_now.selected.back());
  }
  announceLater();
}

void Selection::selectAll(std::vector<Subject> subjects, std::optional<Subject> active) {
  m_now.selected = std::move(subjects);
  m_now.active = active;
  if (!m_now.active && !m_now.selected.empty()) m_now.active = m_now.selected.back();
  announceLater();
}

void Selection::hover(std::optional<Subject> subject) {
  m_now.hovered = subject;
  announceLater();
}

void Selection::clear() {
  m_now.selected.clear();
  m_now.active.reset();
  announceLater();
}

void Selection::reset() {
  m_now = {};
  announce();
}

void Selection::announceLater() {
  if (std::exchange(m_pending, true)) return;
  QMetaObject::invokeMethod(this, &Selection::announce, Qt::QueuedConnection);
}

void Selection::announce() {
  m_pending = false;
  Changes changes;
  if (m_now.selected != m_announced.selected) changes |= SelectedChanged;
  if (m_now.active != m_announced.active) changes |= ActiveChanged;
  if (m_now.hovered != m_announced.hovered) changes |= HoveredChanged;
  m_announced = m_now;
  if (changes) emit changed(changes);
}

} // namespace tessera::views
