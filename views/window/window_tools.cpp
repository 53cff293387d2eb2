// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/window_tools.h"

#include "views/window/host_menu.h"
#include "views/window/measure_menu.h"
#include "views/window/schedule_menu.h"
#include "views/window/window_actions.h"
#include "views/workspace/workspace.h"

#include <QAction>
#include <QComboBox>
#include <QSettings>
#include <QToolButton>

namespace tessera::views {

namespace {

const QString kMachine = QStringLiteral("schedule/machine");
const QString kAlgorithm = QStringLiteral("schedule/algorithm");

void add(QComboBox &box, const std::string &name, const std::string &title) {
  box.addItem(QString::fromStdString(name));
  box.setItemData(box.count() - 1, QString::fromStdString(title), Qt::ToolTipRole);
}

// Selects `wanted`, the user's last choice. If the list does not contain it, selects `otherwise`,
// the engine's default, or else the first entry.
void fill(QComboBox &box, const std::vector<ScheduleService::Choice> &choices,
          const QString &wanted, const QString &otherwise) {
  for (const ScheduleService::Choice &choice : choices)
    add(box, choice.name, choice.title);
  int index = box.findText(wanted);
  if (index < 0) index = box.findText(otherwise);
  box.setCurrentIndex(qMax(index, choices.empty() ? -1 : 0));
}

void setCurrent(QComboBox &box, const QString &text) {
  if (const int index = box.findText(text); index >= 0) box.setCurrentIndex(index);
}

void open(QComboBox &box) {
  box.setFocus(Qt::ShortcutFocusReason);
  box.showPopup();
}

} // namespace

WindowTools::WindowTools(Workspace &workspace, WindowActions &actions, ScheduleMenu &schedule,
                         MeasureMenu &measure, QWidget *parent)
    : FlatToolBar(tr("Tools"), Edge::Below, QMargins(6, 3, 6, 4), parent), m_workspace(workspace),
      m_search(schedule.start()) {
  setObjectName(QStringLiteral("tools"));
  setMovable(false);
  setIconSize({18, 18});
  addGeneral(actions);
  addSeparator();
  for (QAction *action : {&schedule.start(), &schedule.around(), &schedule.stop(),
                          &measure.measure(), &measure.verify()})
    addNamed(*action);
  if (auto *button = qobject_cast<QToolButton *>(widgetForAction(&measure.measure()))) {
    button->setObjectName(QStringLiteral("measureTool"));
    button->setMenu(&measure.hosts());
    button->setPopupMode(QToolButton::MenuButtonPopup);
  }
  const ScheduleService &service = workspace.schedule().service();
  m_machine = addList(QStringLiteral("machine"), tr("GPU to schedule for"), kMachine,
                      service.machines, QString::fromStdString(service.defaultMachine));
  m_algorithm = addList(QStringLiteral("algorithm"), tr("Search algorithm"), kAlgorithm,
                        service.algorithms, {});
  connect(m_machine, &QComboBox::activated, this,
          [this] { m_workspace.chooseMachine(m_machine->currentText()); });
  connect(m_machine, &QComboBox::currentTextChanged, this, &WindowTools::machineShown);
  connect(&workspace, &Workspace::machineChosen, this,
          [this](const QString &name) { m_machine->setCurrentIndex(m_machine->findText(name)); });
  connect(&workspace.machines(), &MachineFlow::listChanged, this, &WindowTools::fillMachines);
}

void WindowTools::addGeneral(const WindowActions &actions) {
  const auto addAll = [&](const QStringList &names) {
    for (const QString &name : names)
      addAction(actions.withIcon(name));
  };
  addAll({QStringLiteral("open"), QStringLiteral("reload"), QStringLiteral("sliders")});
  addSeparator();
  addAll({QStringLiteral("zoom-out"), QStringLiteral("zoom-in"), QStringLiteral("fit")});
  addSeparator();
  addAll({QStringLiteral("find")});
  for (QAction *action : QWidget::actions())
    if (!action->isSeparator())
      action->setToolTip(
          QStringLiteral("%1 (%2)").arg(action->text().remove('&').remove(QChar(0x2026)),
                                        action->shortcut().toString(QKeySequence::NativeText)));
}

void WindowTools::addNamed(QAction &action) {
  addAction(&action);
  if (auto *button = qobject_cast<QToolButton *>(widgetForAction(&action)))
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
}

QComboBox *WindowTools::addList(const QString &name, const QString &title, const QString &key,
                                const std::vector<ScheduleService::Choice> &choices,
                                const QString &otherwise) {
  auto *box = new QComboBox(this);
  box->setObjectName(name);
  box->setAccessibleName(title);
  box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  fill(*box, choices, m_workspace.settings().value(key).toString(), otherwise);
  const auto describe = [box, title](int index) {
    box->setToolTip(title + QStringLiteral(": ") +
                    box->itemData(index, Qt::ToolTipRole).toString());
  };
  describe(box->currentIndex());
  connect(box, &QComboBox::currentIndexChanged, this, describe);
  connect(box, &QComboBox::activated, this,
          [this, box, key] { m_workspace.settings().setValue(key, box->currentText()); });
  addWidget(box);
  return box;
}

QString WindowTools::machine() const { return m_machine->currentText(); }

QWidget *WindowTools::searchButton() const { return widgetForAction(&m_search); }

void WindowTools::choose(const QString &machine, const QString &algorithm) {
  setCurrent(*m_machine, machine);
  setCurrent(*m_algorithm, algorithm);
}

void WindowTools::search(DocumentFlow::Around around) {
  m_workspace.documents().search(m_algorithm->currentText(), m_machine->currentText(), around);
}

void WindowTools::openMachines() { open(*m_machine); }

void WindowTools::openAlgorithms() { open(*m_algorithm); }

// The list comes from MachineFlow, which knows the copies of GPUs that were made or discarded. The
// list of ScheduleService is that of the start of the program.
void WindowTools::fillMachines() {
  const QString current = m_machine->currentText();
  const MachineFlow &machines = m_workspace.machines();
  for (int i = m_machine->count() - 1; i >= 0; --i)
    if (!machines.find(m_machine->itemText(i))) m_machine->removeItem(i);
  for (const machine::Machine &machine : machines.machines())
    if (m_machine->findText(QString::fromStdString(machine.name)) < 0)
      add(*m_machine, machine.name, machine.title);
  setCurrent(*m_machine, current);
  emit machineShown(m_machine->currentText());
}

} // namespace tessera::views
