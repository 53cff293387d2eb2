// SPDX-License-Identifier: GPL-3.0-or-later
// The menus and the tool bar of MainWindow.
#include "views/dag/dag_exporter.h"
#include "views/dag/dag_panel.h"
#include "views/palette/command_palette.h"
#include "views/problems/log_panel.h"
#include "views/stages/stage_panel.h"
#include "views/theme/icons.h"
#include "views/window/ability_button.h"
#include "views/window/about_dialog.h"
#include "views/window/layout_menu.h"
#include "views/window/main_window.h"
#include "views/window/note_bar.h"
#include "views/window/palette_entries.h"
#include "views/window/shortcuts_dialog.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenuBar>
#include <QSettings>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>

namespace tessera::views {

namespace {
const QString kAppearance = QStringLiteral("appearance");
} // namespace

void MainWindow::buildActions() {
  menuBar()->setAccessibleName(tr("Menu"));
  buildFileMenu();
  buildEditMenu();
  buildViewMenu();
  buildScheduleMenu();
  buildHelpMenu();
  buildToolBar();
  refreshIcons();
}

QAction *MainWindow::addAction(QMenu &menu, const QString &text, const QString &iconName,
                               const QList<QKeySequence> &keys, const std::function<void()> &run) {
  QAction *action = menu.addAction(text);
  action->setShortcuts(keys);
  action->setObjectName(iconName.isEmpty() ? QString(text).remove('&').remove(QChar(0x2026))
                                           : iconName);
  connect(action, &QAction::triggered, this, run);
  if (!iconName.isEmpty()) m_iconActions.append({action, iconName});
  return action;
}

void MainWindow::buildFileMenu() {
  QMenu &menu = *menuBar()->addMenu(tr("&File"));
  addAction(menu, tr("&Open…"), QStringLiteral("open"), {QKeySequence::Open},
            [this] { askForFile(); });
  m_recentMenu = menu.addMenu(tr("Open &Recent"));
  m_recentMenu->setObjectName(QStringLiteral("recentMenu"));
  connect(&m_recent, &RecentFiles::changed, this, &MainWindow::fillRecentMenu);
  fillRecentMenu();
  addDocumentActions(menu);
  menu.addSeparator();
  m_documentActions << addAction(menu, tr("Re&load"), QStringLiteral("reload"), {Qt::Key_F5},
                                 [this] { m_flow.reload(); });
  m_documentActions << addAction(menu, tr("Generator and &Parameters…"), QStringLiteral("sliders"),
                                 {Qt::CTRL | Qt::Key_G}, [this] { m_flow.changeChoices(); });
  m_sizeMenu = menu.addMenu(tr("Si&ze"));
  m_sizeMenu->setObjectName(QStringLiteral("sizeMenu"));
  // Anew whenever it is shown: an open that failed leaves what was open before.
  connect(m_sizeMenu, &QMenu::aboutToShow, this, &MainWindow::fillSizeMenu);
  fillSizeMenu();
  m_documentActions << addAction(menu, tr("&Close"), {}, {QKeySequence(Qt::CTRL | Qt::Key_W)},
                                 [this] { whenSaved([this] { m_flow.close(); }); });
  menu.addSeparator();
  m_documentActions << addAction(menu, tr("Export DAG as &SVG…"), {}, {},
                                 [this] { exportDagTo(QStringLiteral("svg")); });
  m_documentActions << addAction(menu, tr("Export DAG as P&NG…"), {}, {},
                                 [this] { exportDagTo(QStringLiteral("png")); });
  m_documentActions << addAction(menu, tr("Export DAG as P&DF…"), {}, {},
                                 [this] { exportDagTo(QStringLiteral("pdf")); });
  menu.addSeparator();
  addAction(menu, tr("&Quit"), {}, {QKeySequence(Qt::CTRL | Qt::Key_Q)}, [this] { close(); });
}

void MainWindow::buildViewMenu() {
  QMenu &menu = *menuBar()->addMenu(tr("&View"));
  m_documentActions << addAction(menu, tr("Zoom &In"), QStringLiteral("zoom-in"),
                                 {QKeySequence::ZoomIn, QKeySequence(Qt::CTRL | Qt::Key_Equal)},
                                 [this] { m_dag->view().zoomBy(1.25); });
  m_documentActions << addAction(menu, tr("Zoom &Out"), QStringLiteral("zoom-out"),
                                 {QKeySequence::ZoomOut}, [this] { m_dag->view().zoomBy(0.8); });
  m_documentActions << addAction(menu, tr("&Fit"), QStringLiteral("fit"),
                                 {QKeySequence(Qt::CTRL | Qt::Key_9)},
                                 [this] { m_dag->view().fit(); });
  m_documentActions << addAction(menu, tr("&100 %"), {}, {QKeySequence(Qt::CTRL | Qt::Key_0)},
                                 [this] { m_dag->view().zoomTo(1); });
  m_documentActions << addAction(menu, tr("Fin&d…"), QStringLiteral("find"), {QKeySequence::Find},
                                 [this] { m_dag->find(); });
  m_documentActions << addAction(menu, tr("Find &Next"), {}, {QKeySequence(Qt::Key_F3)},
                                 [this] { m_dag->findNext(); });
  m_documentActions << addAction(menu, tr("Find &Previous"), {},
                                 {QKeySequence(Qt::SHIFT | Qt::Key_F3)},
                                 [this] { m_dag->findPrevious(); });
  m_documentActions << addAction(menu, tr("Filter Sta&ges"), {},
                                 {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F)}, [this] {
                                   m_stages->filterLine().setFocus();
                                   m_stages->filterLine().selectAll();
                                 });
  menu.addSeparator();
  menu.addActions(m_dag->viewActions());
  menu.addSeparator();
  for (qsizetype i = 0; i < m_docks.size(); ++i) {
    // Ctrl+n shows a dock and goes there; the menu entry toggles it.
    menu.addAction(m_docks[i]->toggleViewAction());
    auto *go = new QAction(tr("Go to %1").arg(m_docks[i]->windowTitle()), this);
    go->setObjectName(goToName(*m_docks[i]));
    // Ctrl+9 fits the DAG; docks beyond are reached by the menu.
    if (Qt::Key_2 + i < Qt::Key_9)
      go->setShortcut(QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_2 + int(i))));
    connect(go, &QAction::triggered, this, [this, dock = m_docks[i]] {
      dock->show();
      dock->raise();
      dock->widget()->setFocus();
    });
    menu.addAction(go);
    m_documentActions << go;
  }
  auto *goToDag = new QAction(tr("Go to the DAG"), this);
  goToDag->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_1));
  connect(goToDag, &QAction::triggered, this, [this] { m_dag->setFocus(); });
  menu.addAction(goToDag);
  m_layouts = new LayoutMenu(*this, m_settings);
  menu.addMenu(m_layouts);
  m_documentActions << m_layouts->menuAction(); // else most docks are hidden
  connect(m_layouts, &LayoutMenu::told, this,
          [this](const QString &what) { statusBar()->showMessage(what, 6000); });
  addAction(menu, tr("Restore &Default Layout"), {}, {}, [this] {
    restoreDefaultLayout();
    for (QDockWidget *dock : m_docks)
      dock->setProperty("wanted", {});
    showRightPage();
  });
  menu.addSeparator();
  QMenu *appearance = menu.addMenu(tr("&Appearance"));
  auto *group = new QActionGroup(this);
  const int current = m_settings.value(kAppearance).toInt();
  for (const auto &[text, value] :
       {std::pair(tr("As the &desktop"), Appearance::System),
        std::pair(tr("&Light"), Appearance::Light), std::pair(tr("D&ark"), Appearance::Dark)}) {
    QAction *action = appearance->addAction(text);
    action->setCheckable(true);
    action->setChecked(int(value) == current);
    group->addAction(action);
    connect(action, &QAction::triggered, this, [this, chosen = value] { setAppearance(chosen); });
  }
  addAction(menu, tr("F&ull Screen"), {}, {QKeySequence(Qt::Key_F11)},
            [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
}

void MainWindow::buildHelpMenu() {
  QMenu &menu = *menuBar()->addMenu(tr("&Help"));
  addAction(menu, tr("&Find an Action…"), QStringLiteral("find-action"),
            {QKeySequence(Qt::CTRL | Qt::Key_K), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)},
            [this] { m_palette->open(paletteEntries(*this)); });
  addAction(menu, tr("What &Works Here"), {}, {}, [this] { m_ability->toggle(); });
  m_documentActions << addAction(menu, tr("Take the &Tour"), QStringLiteral("tour"), {},
                                 [this] { startTour(); });
  menu.addAction(&m_logPanel->openFolderAction());
  addAction(menu, tr("&Keyboard Shortcuts"), {}, {QKeySequence(Qt::Key_F1)}, [this] {
    auto *dialog = new ShortcutsDialog(*this, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
  });
  addAction(menu, tr("&About Tessera"), {}, {}, [this] {
    auto *dialog = new AboutDialog(m_services.versions, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
  });
}

void MainWindow::buildToolBar() {
  QToolBar *bar = addToolBar(tr("Tools"));
  bar->setObjectName(QStringLiteral("tools"));
  bar->setAccessibleName(tr("Tools"));
  bar->setMovable(false);
  bar->setIconSize({18, 18});
  bar->setStyleSheet(QStringLiteral("QToolBar{background:palette(window);border:0;"
                                    "border-bottom:1px solid palette(mid);padding:3px 6px;"
                                    "spacing:3px}"));
  const auto add = [&](const QString &name) {
    for (const auto &[action, iconName] : m_iconActions)
      if (iconName == name) bar->addAction(action);
  };
  add(QStringLiteral("open"));
  add(QStringLiteral("reload"));
  add(QStringLiteral("sliders"));
  bar->addSeparator();
  add(QStringLiteral("zoom-out"));
  add(QStringLiteral("zoom-in"));
  add(QStringLiteral("fit"));
  bar->addSeparator();
  add(QStringLiteral("find"));
  for (QAction *action : bar->actions())
    if (!action->isSeparator())
      action->setToolTip(
          QStringLiteral("%1 (%2)").arg(action->text().remove('&').remove(QChar(0x2026)),
                                        action->shortcut().toString(QKeySequence::NativeText)));
  addSearchTools(*bar);
}

// What only our program does has no icon that everybody knows.
void MainWindow::addNamedTool(QToolBar &bar, QAction &action) {
  bar.addAction(&action);
  if (auto *button = qobject_cast<QToolButton *>(bar.widgetForAction(&action)))
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
}

void MainWindow::refreshIcons() {
  for (const auto &[action, name] : m_iconActions)
    action->setIcon(icon(name, palette()));
}

void MainWindow::fillRecentMenu() {
  m_recentMenu->clear();
  for (const QString &path : m_recent.paths()) {
    QAction *action = m_recentMenu->addAction(QFileInfo(path).fileName());
    action->setToolTip(QDir::toNativeSeparators(path));
    connect(action, &QAction::triggered, this, [this, path] { openFile(path); });
  }
  m_recentMenu->setToolTipsVisible(true);
  m_recentMenu->setEnabled(!m_recent.paths().isEmpty());
  if (m_recent.paths().isEmpty()) return;
  m_recentMenu->addSeparator();
  connect(m_recentMenu->addAction(tr("&Clear")), &QAction::triggered, this,
          [this] { m_recent.clear(); });
}

// The sizes that papers use for what is open; another one drops what was estimated by hand.
void MainWindow::fillSizeMenu() {
  m_sizeMenu->clear();
  qDeleteAll(m_sizeMenu->findChildren<QActionGroup *>());
  const auto &document = m_flow.document();
  m_sizeMenu->setEnabled(document && !document->opened.sizes.empty());
  if (!m_sizeMenu->isEnabled()) return;
  const std::string own(session::kOwnSize);
  const std::string current = document->request.size.empty() ? own : document->request.size;
  auto *group = new QActionGroup(m_sizeMenu);
  const auto add = [&](const std::string &size, const QString &text) {
    QAction *action = m_sizeMenu->addAction(text);
    action->setCheckable(true);
    action->setChecked(size == current);
    group->addAction(action);
    connect(action, &QAction::triggered, this, [this, size] {
      session::OpenRequest request = m_flow.document()->request;
      request.size = size;
      request.estimates.clear();
      openRequest(request);
    });
  };
  add(own, tr("As it was captured"));
  for (const session::PipelineSize &size : document->opened.sizes)
    add(size.name,
        tr("%1 (%2)").arg(QString::fromStdString(size.name), QString::fromStdString(size.from)));
}

void MainWindow::setAppearance(Appearance appearance) {
  m_settings.setValue(kAppearance, int(appearance));
  applyAppearance(appearance, m_services.systemIsDark);
}

void MainWindow::askForFile() {
  auto *dialog = new QFileDialog(this, tr("Open a Pipeline"), m_lastDirectory);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  // Generator programs have no suffix, so the first filter cannot be exclusive.
  dialog->setNameFilters({tr("Pipelines, generators and documents (*)"),
                          tr("Documents (*.tessera)"), tr("Serialized pipelines (*.hlpipe)"),
                          tr("Generator libraries (*.so)"),
                          tr("Generator sources (*.cpp *.cc *.cxx)")});
  connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::openFile);
  dialog->open();
}

void MainWindow::exportDagTo(const QString &suffix) {
  auto *dialog = new QFileDialog(this, tr("Export the DAG"), m_lastDirectory);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(suffix);
  dialog->setNameFilter(tr("%1 pictures (*.%2)").arg(suffix.toUpper(), suffix));
  dialog->selectFile(QString::fromStdString(m_flow.document()->opened.pipeline->name()) + "." +
                     suffix);
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
    const Status done = exportDag(m_dag->scene(), path);
    if (done)
      statusBar()->showMessage(tr("Exported to %1").arg(QDir::toNativeSeparators(path)), 6000);
    else
      m_note->tell(QString::fromStdString(done.error().message + " " + done.error().hint));
  });
  dialog->open();
}

} // namespace tessera::views
