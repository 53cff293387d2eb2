// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/document_flow.h"
#include "views/theme/flat_tool_bar.h"

class QComboBox;

namespace tessera::views {

class MeasureMenu;
class ScheduleMenu;
class WindowActions;
class Workspace;

// The tool bar of the window: actions from its menus, and lists to choose GPU and algorithm from.
class WindowTools : public FlatToolBar {
  Q_OBJECT
public:
  WindowTools(Workspace &workspace, WindowActions &actions, ScheduleMenu &schedule,
              MeasureMenu &measure, QWidget *parent);

  QString machine() const;
  QWidget *searchButton() const;
  // Selects the GPU and the algorithm that a document has stored. Names that are not in the lists
  // are ignored.
  void choose(const QString &machine, const QString &algorithm);
  void search(DocumentFlow::Around around);
  void openMachines();
  void openAlgorithms();

signals:
  // The list shows another GPU, chosen by the user or by the program.
  void machineShown(const QString &name);

private:
  void addGeneral(const WindowActions &actions);
  // Shows the action's name, because actions special to this program have no icon that users know.
  void addNamed(QAction &action);
  QComboBox *addList(const QString &name, const QString &title, const QString &key,
                     const std::vector<ScheduleService::Choice> &choices, const QString &otherwise);
  void fillMachines();

  Workspace &m_workspace;
  QAction &m_search;
  QComboBox *m_machine = nullptr, *m_algorithm = nullptr;
};

} // namespace tessera::views
