// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>

#include <functional>
#include <utility>

class QAction;
class QMenu;
class QWidget;

namespace tessera::views {

// The actions in the menus of the window. They are all made in the same way. Actions that need a
// pipeline are disabled until one is open.
class WindowActions : public QObject {
  Q_OBJECT
public:
  explicit WindowActions(QWidget &window);

  using Keys = QList<QKeySequence>;
  // The action's object name is `iconName`, or its plain text if there is no icon.
  QAction *add(QMenu &menu, const QString &text, const QString &iconName, const Keys &keys,
               const std::function<void()> &run);
  // Like add(), but the action is disabled until a pipeline is open.
  QAction *addForPipeline(QMenu &menu, const QString &text, const QString &iconName,
                          const Keys &keys, const std::function<void()> &run);
  void needsPipeline(QAction &action);
  void setHasPipeline(bool has);

  QAction *withIcon(const QString &iconName) const; // null: there is no such action

private:
  QList<std::pair<QAction *, QString>> m_icons;
  QList<QAction *> m_forPipeline;
};

} // namespace tessera::views
