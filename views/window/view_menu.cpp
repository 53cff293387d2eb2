// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/view_menu.h"

#include "views/window/layout_menu.h"
#include "views/window/palette_entries.h"
#include "views/window/window_actions.h"
#include "views/window/window_docks.h"
#include "views/dag/dag_panel.h"
#include "views/stages/stage_panel.h"
#include "views/theme/theme.h"

#include <QAction>
#include <QActionGroup>
#include <QDockWidget>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QSettings>

namespace tessera::views {

namespace {
const QString kAppearance = QStringLiteral("appearance");
const QString kLeftToRight = QStringLiteral("dag/leftToRight");
} // namespace

ViewMenu::ViewMenu(QMenu &menu, WindowActions &actions, QMainWindow &window, DagPanel &dag,
                   WindowDocks &docks, QSettings &settings, bool systemIsDark)
    : QObject(&menu), m_actions(actions), m_window(window), m_dag(dag), m_docks(docks) {
  addZoom(menu);
  addFinding(menu);
  menu.addSeparator();
  menu.addActions(m_dag.viewActions());
  rememberDirection(settings);
  menu.addSeparator();
  addDocks(menu);
  addLayouts(menu, settings);
  menu.addSeparator();
  addAppearance(menu, settings, systemIsDark);
  m_actions.add(menu, tr("F&ull Screen"), {}, {QKeySequence(Qt::Key_F11)},
                [this] { m_window.setWindowState(m_window.windowState() ^ Qt::WindowFullScreen); });
}

void ViewMenu::addZoom(QMenu &menu) {
  DagView &view = m_dag.view();
  m_actions.addForPipeline(menu, tr("Zoom &In"), QStringLiteral("zoom-in"),
                           {QKeySequence::ZoomIn, QKeySequence(Qt::CTRL | Qt::Key_Equal)},
                           [&view] { view.zoomBy(1.25); });
  m_actions.addForPipeline(menu, tr("Zoom &Out"), QStringLiteral("zoom-out"),
                           {QKeySequence::ZoomOut}, [&view] { view.zoomBy(0.8); });
  m_actions.addForPipeline(menu, tr("&Fit"), QStringLiteral("fit"),
                           {QKeySequence(Qt::CTRL | Qt::Key_9)}, [&view] { view.fit(); });
  m_actions.addForPipeline(menu, tr("&100 %"), {}, {QKeySequence(Qt::CTRL | Qt::Key_0)},
                           [&view] { view.zoomTo(1); });
}

void ViewMenu::addFinding(QMenu &menu) {
  m_actions.addForPipeline(menu, tr("Fin&d…"), QStringLiteral("find"), {QKeySequence::Find},
                           [this] { m_dag.find(); });
  m_actions.addForPipeline(menu, tr("Find &Next"), {}, {QKeySequence(Qt::Key_F3)},
                           [this] { m_dag.findNext(); });
  m_actions.addForPipeline(menu, tr("Find &Previous"), {}, {QKeySequence(Qt::SHIFT | Qt::Key_F3)},
                           [this] { m_dag.findPrevious(); });
  m_actions.addForPipeline(menu, tr("Filter Sta&ges"), {},
                           {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F)}, [this] {
                             m_docks.stages().filterLine().setFocus();
                             m_docks.stages().filterLine().selectAll();
                           });
}

void ViewMenu::rememberDirection(QSettings &settings) {
  auto *rightward = m_dag.findChild<QAction *>(QStringLiteral("dagLeftToRight"));
  rightward->setChecked(settings.value(kLeftToRight).toBool());
  connect(rightward, &QAction::toggled, this,
          [&settings](bool isOn) { settings.setValue(kLeftToRight, isOn); });
}

void ViewMenu::addDocks(QMenu &menu) {
  const QList<QDockWidget *> &docks = m_docks.all();
  for (int i = 0; i < int(docks.size()); ++i) {
    menu.addAction(docks[i]->toggleViewAction());
    addGoTo(menu, i, *docks[i]);
  }
  auto *goToDag = new QAction(tr("Go to the DAG"), &m_window);
  goToDag->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_1));
  connect(goToDag, &QAction::triggered, this, [this] { m_dag.setFocus(); });
  menu.addAction(goToDag);
}

// Ctrl+n shows a dock and gives it the focus; the dock's other entry shows and hides it. Ctrl+9
// fits the DAG, so the docks after Ctrl+8 have no shortcut.
void ViewMenu::addGoTo(QMenu &menu, int number, QDockWidget &dock) {
  auto *go = new QAction(tr("Go to %1").arg(dock.windowTitle()), &m_window);
  go->setObjectName(goToName(dock));
  if (Qt::Key_2 + number < Qt::Key_9)
    go->setShortcut(QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_2 + number)));
  connect(go, &QAction::triggered, this, [&dock] {
    dock.show();
    dock.raise();
    dock.widget()->setFocus();
  });
  menu.addAction(go);
  m_actions.needsPipeline(*go);
}

void ViewMenu::addLayouts(QMenu &menu, QSettings &settings) {
  auto *layouts = new LayoutMenu(m_window, settings);
  menu.addMenu(layouts);
  m_actions.needsPipeline(*layouts->menuAction()); // without a pipeline, most docks are hidden
  connect(layouts, &LayoutMenu::told, this, &ViewMenu::told);
  m_actions.add(menu, tr("&Restore Default Layout"), {}, {}, [this] {
    m_docks.restoreDefaults();
    m_docks.forgetWhoWaits();
    m_docks.showThoseThatMay();
  });
}

void ViewMenu::addAppearance(QMenu &menu, QSettings &settings, bool systemIsDark) {
  QMenu *appearance = menu.addMenu(tr("&Appearance"));
  auto *group = new QActionGroup(this);
  const int current = settings.value(kAppearance).toInt();
  for (const auto &[text, value] :
       {std::pair(tr("As the &desktop"), Appearance::System),
        std::pair(tr("&Light"), Appearance::Light), std::pair(tr("D&ark"), Appearance::Dark)}) {
    QAction *action = appearance->addAction(text);
    action->setCheckable(true);
    action->setChecked(int(value) == current);
    group->addAction(action);
    connect(action, &QAction::triggered, this, [&settings, systemIsDark, chosen = value] {
      settings.setValue(kAppearance, int(chosen));
      applyAppearance(chosen, systemIsDark);
    });
  }
}

} // namespace tessera::views
