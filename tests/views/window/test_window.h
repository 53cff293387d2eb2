// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/window/main_window.h"

#include <QSettings>
#include <QTemporaryDir>

#include <memory>

namespace tessera::views::test {

// The window over an engine of canned answers, with settings that outlive it.
class TestWindow {
public:
  TestWindow();

  MainWindow &window() { return *m_window; }
  QSettings &settings() { return m_settings; }
  WindowServices &services() { return m_services; } // of the windows to come
  QString path(const QString &name) const { return m_folder.filePath(name); }

  // Another one, as if the program had been started anew.
  void makeWindow(QSize size = {1400, 900});
  QString file(const QString &name) const;
  // Until its DAG is laid out and the default candidate is there; false: that never came.
  [[nodiscard]] bool open(const QString &name);
  [[nodiscard]] bool search(); // with the algorithm and machine that are chosen
  void key(int key, Qt::KeyboardModifiers modifiers = {});

  template <typename T>
  T *child(const char *name) {
    return m_window->findChild<T *>(QString::fromLatin1(name));
  }
  QAction *action(const QString &text); // by the beginning of its text

private:
  QTemporaryDir m_folder;
  QSettings m_settings;
  WindowServices m_services;
  std::unique_ptr<MainWindow> m_window;
};

} // namespace tessera::views::test
