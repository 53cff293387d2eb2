// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/document_flow.h"

#include <QToolBar>

class QComboBox;

namespace tessera::views {

class MeasureMenu;
class ScheduleMenu;
class WindowActions;
class Workspace;

// The tool bar of the window: actions of its menus, and the lists of GPUs and algorithms to
// schedule with.
class WindowTools : public QToolBar {
  Q_OBJECT
public:
  WindowTools(Workspace &workspace, WindowActions &actions, ScheduleMenu &schedule,
              MeasureMenu &measure, QWidget *parent);

  QString machine() const;
  QWidget *searchButton() const;
  // As a document has them; what is not in the lists is passed over.
  void choose(const QString &machine, const QString &algorithm);
  void search(DocumentFlow::Around around);
  void openMachines();
  void openAlgorithms();

signals:
  void machineShown(const QString &name); // another one is chosen, by whomever

private:
  void addGeneral(const WindowActions &actions);
  // What only our program does has no icon that everybody knows.
  void addNamed(QAction &action);
  QComboBox *addList(const QString &name, const QString &title, const QString &key,
                     const std::vector<ScheduleService::Choice> &choices, const QString &otherwise);
  void fillMachines();

  Workspace &m_workspace;
  QAction &m_search;
  QComboBox *m_machine = nullptr, *m_algorithm = nullptr;
};

} // namespace tessera::views
