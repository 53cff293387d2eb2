// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/window/main_window.h"

#include <QSettings>
#include <QTemporaryDir>

#include <memory>

namespace tessera::views::test {

// The main window on a fake engine with fixed answers. The settings outlive the window.
class TestWindow {
public:
  TestWindow();

  MainWindow &window() { return *m_window; }
  QSettings &settings() { return m_settings; }
  WindowServices &services() { return m_services; } // used by later calls of makeWindow()
  QString path(const QString &name) const { return m_folder.filePath(name); }

  // Makes another window, as if the program had been started again.
  void makeWindow(QSize size = {1400, 900});
  QString file(const QString &name) const;
  // Waits until the DAG is laid out and the default candidate is there. Returns false if it takes
  // too long.
  [[nodiscard]] bool open(const QString &name);
  [[nodiscard]] bool search(); // by the chosen algorithm, for the chosen machine
  void key(int key, Qt::KeyboardModifiers modifiers = {});

  template <typename T>
  T *child(const char *name) {
    return m_window->findChild<T *>(QString::fromLatin1(name));
  }
  QAction *action(const QString &text); // found by the beginning of its text

private:
  QTemporaryDir m_folder;
  QSettings m_settings;
  WindowServices m_services;
  std::unique_ptr<MainWindow> m_window;
};

} // namespace tessera::views::test
