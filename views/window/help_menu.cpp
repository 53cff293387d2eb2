// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/help_menu.h"

#include "views/window/about_dialog.h"
#include "views/window/shortcuts_dialog.h"
#include "views/window/window_actions.h"

#include <QMainWindow>
#include <QMenu>

namespace tessera::views {

HelpMenu::HelpMenu(QMenu &menu, WindowActions &actions, QAction &openLogFolder, QMainWindow &window,
                   Versions versions)
    : QObject(&menu), m_window(window), m_versions(std::move(versions)) {
  actions.add(menu, tr("&Find an Action…"), QStringLiteral("find-action"),
              {QKeySequence(Qt::CTRL | Qt::Key_K), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)},
              [this] { emit paletteWanted(); });
  actions.add(menu, tr("What &Works Here"), {}, {}, [this] { emit abilitiesWanted(); });
  actions.addForPipeline(menu, tr("Take the &Tour"), QStringLiteral("tour"), {},
                         [this] { emit tourWanted(); });
  menu.addAction(&openLogFolder);
  actions.add(menu, tr("&Keyboard Shortcuts"), {}, {QKeySequence(Qt::Key_F1)},
              [this] { showShortcuts(); });
  actions.add(menu, tr("&About Tessera"), {}, {}, [this] { showAbout(); });
}

void HelpMenu::showShortcuts() {
  auto *dialog = new ShortcutsDialog(m_window, &m_window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
}

void HelpMenu::showAbout() {
  auto *dialog = new AboutDialog(m_versions, &m_window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
}

} // namespace tessera::views
