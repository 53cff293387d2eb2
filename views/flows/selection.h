// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/text/subject.h"

#include <QObject>

#include <optional>
#include <vector>

namespace tessera::views {

// The only place that knows what is selected, active and hovered. Panels send wishes. All receivers
// get changed() once per iteration of the event loop, however many wishes came in.
//
//   selected  what the user clicked, in order
//   active    the one of them that details and keyboard refer to
//   hovered   what the mouse (or the keyboard's walk) points at; nothing is selected
class Selection : public QObject {
  Q_OBJECT
public:
  enum Change { SelectedChanged = 1, ActiveChanged = 2, HoveredChanged = 4 };
  Q_DECLARE_FLAGS(Changes, Change)

  explicit Selection(QObject *parent = nullptr);

  const std::vector<Subject> &selected() const { return m_now.selected; }
  std::optional<Subject> active() const { return m_now.active; }
  std::optional<Subject> hovered() const { return m_now.hovered; }
  bool isSelected(Subject subject) const;

  // The wishes that panels send.
  void select(Subject subject);
  void toggle(Subject subject);
  void selectAll(std::vector<Subject> subjects, std::optional<Subject> active);
  void hover(std::optional<Subject> subject);
  void clear();

  // For a new pipeline, whose indices differ. Announced at once, so that no panel sees an index of
  // the previous pipeline.
  void reset();

signals:
  void changed(tessera::views::Selection::Changes changes);

private:
  struct State {
    std::vector<Subject> selected;
    std::optional<Subject> active;
    std::optional<Subject> hovered;
  };
  void announceLater();
  void announce();

  State m_now;
  State m_announced;
  bool m_pending = false;
};

} // namespace tessera::views

Q_DECLARE_OPERATORS_FOR_FLAGS(tessera::views::Selection::Changes)
