// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/window_actions.h"

#include "views/window/action_reason.h"
#include "views/theme/icons.h"

#include <QAction>
#include <QMenu>
#include <QWidget>

namespace tessera::views {

WindowActions::WindowActions(QWidget &window) : QObject(&window) {}

QAction *WindowActions::add(QMenu &menu, const QString &text, const QString &iconName,
                            const Keys &keys, const std::function<void()> &run) {
  QAction *action = menu.addAction(text);
  action->setShortcuts(keys);
  action->setObjectName(iconName.isEmpty() ? QString(text).remove('&').remove(QChar(0x2026))
                                           : iconName);
  connect(action, &QAction::triggered, this, run);
  if (!iconName.isEmpty()) {
    action->setIcon(icon(iconName));
    m_icons.append({action, iconName});
  }
  return action;
}

QAction *WindowActions::addForPipeline(QMenu &menu, const QString &text, const QString &iconName,
                                       const Keys &keys, const std::function<void()> &run) {
  QAction *action = add(menu, text, iconName, keys, run);
  needsPipeline(*action);
  return action;
}

void WindowActions::needsPipeline(QAction &action) { m_forPipeline << &action; }

void WindowActions::setHasPipeline(bool has) {
  for (QAction *action : m_forPipeline)
    enable(*action, has ? QString() : tr("No pipeline is open"));
}

QAction *WindowActions::withIcon(const QString &iconName) const {
  for (const auto &[action, name] : m_icons)
    if (name == iconName) return action;
  return nullptr;
}

} // namespace tessera::views
