// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/file_menu.h"

#include "views/window/action_reason.h"
#include "views/window/file_dialogs.h"
#include "views/window/recent_menu.h"
#include "views/window/size_menu.h"
#include "views/window/window_actions.h"
#include "views/workspace/workspace.h"

#include <QAction>
#include <QMenu>

namespace tessera::views {

FileMenu::FileMenu(QMenu &menu, WindowActions &actions, Workspace &workspace, FileDialogs &files)
    : QObject(&menu), m_actions(actions), m_workspace(workspace), m_files(files) {
  addOpening(menu);
  addDocument(menu);
  menu.addSeparator();
  addPipeline(menu);
  menu.addSeparator();
  addPictures(menu);
  menu.addSeparator();
  m_actions.add(menu, tr("&Quit"), {}, {QKeySequence(Qt::CTRL | Qt::Key_Q)},
                [this] { emit quitWanted(); });
  connect(&workspace.documents(), &DocumentFlow::changed, this, &FileMenu::update);
  connect(&workspace.schedule(), &ScheduleFlow::shownChanged, this, &FileMenu::update);
  connect(&workspace.schedule(), &ScheduleFlow::stateChanged, this, &FileMenu::update);
  update();
}

void FileMenu::addOpening(QMenu &menu) {
  m_actions.add(menu, tr("&Open…"), QStringLiteral("open"), {QKeySequence::Open},
                [this] { m_files.askForFile(); });
  auto *recent = new RecentMenu(m_workspace.recentFiles(), &menu);
  connect(recent, &RecentMenu::fileWanted, this,
          [this](const QString &path) { m_files.open(path); });
  menu.addMenu(recent);
}

void FileMenu::addDocument(QMenu &menu) {
  m_actions.addForPipeline(menu, tr("&Save"), QStringLiteral("save"), {QKeySequence::Save},
                           [this] { m_files.save(); });
  m_actions.addForPipeline(menu, tr("Save &As…"), {},
                           {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)},
                           [this] { m_files.askWhereToSave(); });
  m_exportSchedule =
      m_actions.add(menu, tr("Export Sc&hedule…"), QStringLiteral("export"),
                    {QKeySequence(Qt::CTRL | Qt::Key_E)}, [this] { m_files.askWhereToExport(); });
  // The name is not that of the icon, "export", because the charts have actions with that name.
  m_exportSchedule->setObjectName(QStringLiteral("exportSchedule"));
}

void FileMenu::addPipeline(QMenu &menu) {
  OpenFlow &opening = m_workspace.opening();
  m_actions.addForPipeline(menu, tr("Re&load"), QStringLiteral("reload"), {Qt::Key_F5},
                           [&opening] { opening.reload(); });
  m_actions.addForPipeline(menu, tr("Generator and &Parameters…"), QStringLiteral("sliders"),
                           {Qt::CTRL | Qt::Key_G}, [&opening] { opening.changeChoices(); });
  m_build = m_actions.add(menu, tr("&Build Options…"), QStringLiteral("build"), {},
                          [&opening] { opening.changeBuild(); });
  auto *sizes = new SizeMenu(opening, &menu);
  connect(sizes, &SizeMenu::openWanted, this,
          [this](const open::OpenRequest &request) { m_files.open(request); });
  menu.addMenu(sizes);
  m_actions.addForPipeline(menu, tr("&Close"), {}, {QKeySequence(Qt::CTRL | Qt::Key_W)},
                           [this] { m_files.close(); });
}

void FileMenu::addPictures(QMenu &menu) {
  for (const auto &[text, suffix] : {std::pair(tr("Export DAG as S&VG…"), QStringLiteral("svg")),
                                     std::pair(tr("Export DAG as P&NG…"), QStringLiteral("png")),
                                     std::pair(tr("Export DAG as P&DF…"), QStringLiteral("pdf"))})
    m_actions.addForPipeline(menu, text, {}, {},
                             [this, suffix = suffix] { m_files.exportDag(suffix); });
}

void FileMenu::update() {
  enable(*m_exportSchedule, whyNoSchedule(m_workspace.schedule()));
  enable(*m_build, m_workspace.opening().canChangeBuild()
                       ? QString()
                       : tr("Only a generator's C++ source is compiled, and functions of extern "
                            "stages"));
}

} // namespace tessera::views
