// SPDX-License-Identifier: GPL-3.0-or-later
#include "test_window.h"

#include "../test_pipelines.h"
#include "views/dag/dag_panel.h"

#include <QAction>
#include <QApplication>
#include <QFile>
#include <QTest>

namespace tessera::views::test {

TestWindow::TestWindow() : m_settings(path(QStringLiteral("s.ini")), QSettings::IniFormat) {
  m_services.open = cannedService();
  m_services.schedule = cannedScheduleService();
  m_services.kernels = cannedKernelService();
  m_services.document.scratchFolder = path(QStringLiteral("scratch")).toStdString();
  m_services.sampleFolder = m_folder.path();
}

void TestWindow::makeWindow(QSize size) {
  m_window.reset();
  m_window = std::make_unique<MainWindow>(m_services, m_settings);
  m_window->resize(size);
  m_window->show();
  if (!QTest::qWaitForWindowExposed(m_window.get())) qFatal("the window does not come");
  // Without a window manager, the test has to make this the window that gets shortcuts.
  QApplication::setActiveWindow(m_window.get());
}

QString TestWindow::file(const QString &name) const {
  QFile made(path(name));
  if (!made.open(QIODevice::WriteOnly)) qFatal("cannot write %s", qPrintable(name));
  made.write("content");
  return made.fileName();
}

bool TestWindow::open(const QString &name) {
  const auto before = m_window->flow().document();
  m_window->openFile(file(name));
  return QTest::qWaitFor([&] {
    const DocumentFlow &documents = m_window->documents();
    // The old document stays open until the new one is there.
    return m_window->flow().document() != before && m_window->dag().isVisible() &&
           m_window->dag().isLaidOut() && documents.hasDocument() &&
           !documents.document().candidates().empty();
  });
}

bool TestWindow::search() {
  m_window->findChild<QAction *>(QStringLiteral("schedule"))->trigger();
  return QTest::qWaitFor([&] {
    return m_window->documents().document().current() && !m_window->schedule().isRunning();
  });
}

void TestWindow::key(int key, Qt::KeyboardModifiers modifiers) {
  QTest::keyClick(m_window.get(), Qt::Key(key), modifiers);
}

QAction *TestWindow::action(const QString &text) {
  for (QAction *action : m_window->findChildren<QAction *>())
    if (action->text().remove('&').startsWith(text)) return action;
  qFatal("no action %s", qPrintable(text));
}

} // namespace tessera::views::test
