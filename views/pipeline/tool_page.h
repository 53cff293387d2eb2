// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/bridge.h"
#include "views/flows/tool_service.h"

#include <QWidget>

#include <vector>

class QFormLayout;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSettings;

namespace tessera::views {

// The external tools that Tessera needs: the path of each, and a button that tests it by running
// it.
class ToolPage : public QWidget {
  Q_OBJECT
public:
  ToolPage(ToolService service, Bridge &bridge, QSettings &settings, QWidget *parent = nullptr);

private:
  struct Row {
    open::Tool tool{};
    QLabel *path = nullptr, *found = nullptr;
    QPushButton *test = nullptr;
  };
  QWidget *buildChoices();
  QLineEdit *addChoice(QFormLayout &form, const QString &text, const QString &name,
                       const QString &value, const QString &hint);
  void addRow(QGridLayout &grid, open::Tool tool);
  void testAll();
  void test(const Row &row);
  void choicesChanged();
  void showPaths();

  ToolService m_service;
  Bridge &m_bridge;
  QSettings &m_settings;
  ToolChoices m_used; // the choices in use since the program started
  std::vector<Row> m_rows;
  QLineEdit *m_compiler = nullptr, *m_cuda = nullptr;
  QLabel *m_later = nullptr;
};

} // namespace tessera::views
