// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pipeline/machine_page.h"

#include "views/pipeline/changed_delegate.h"
#include "views/pipeline/page_label.h"
#include "engine/machine/what_if.h"
#include "views/text/prediction_formula.h"
#include "views/theme/table_look.h"
#include "views/theme/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

namespace tessera::views {

namespace {

QString originalName(const QString &name) {
  return QString::fromStdString(machine::originalOf(name.toStdString()).value_or(std::string()));
}

} // namespace

MachinePage::MachinePage(MachineFlow &machines, ScheduleFlow &schedule, Bridge &bridge,
                         QWidget *parent)
    : QWidget(parent), m_machines(machines), m_schedule(schedule), m_bridge(bridge) {
  setAccessibleName(tr("GPU"));
  m_choice = new QComboBox(this);
  m_choice->setObjectName(QStringLiteral("machineChoice"));
  m_choice->setAccessibleName(tr("GPU to schedule for"));
  m_state = pageLabel(this, QStringLiteral("machineState"), tr("About this GPU"));
  m_state->setForegroundRole(QPalette::PlaceholderText);
  m_times = pageLabel(this, QStringLiteral("machineTimes"), tr("Predicted times"));
  m_times->setToolTip(predictionFormula());
  m_note = pageLabel(this, QStringLiteral("machineNote"), tr("What is wrong with a value"));
  m_note->hide();
  m_filter = new QLineEdit(this);
  m_filter->setObjectName(QStringLiteral("machineFilter"));
  m_filter->setAccessibleName(tr("Filter the GPU parameters"));
  m_filter->setPlaceholderText(tr("Filter: shared, bytes/s, cache…"));
  m_filter->setClearButtonEnabled(true);
  buildTable();
  m_reset = pageButton(this, tr("&Reset the Value"), QStringLiteral("resetNumber"),
                       tr("Go back to the value of the original GPU"));
  m_discard = pageButton(this, tr("&Discard the Copy"), QStringLiteral("discardMachine"),
                         tr("Delete the copy and go back to the original GPU"));
  auto *top = new QHBoxLayout;
  top->addWidget(m_choice, 1);
  top->addWidget(m_reset);
  top->addWidget(m_discard);
  auto *column = new QVBoxLayout(this);
  column->setContentsMargins(10, 8, 10, 8);
  column->addLayout(top);
  column->addWidget(m_state);
  column->addWidget(m_times);
  column->addWidget(m_filter);
  column->addWidget(m_table, 1);
  column->addWidget(m_note);
  connectAll();
}

void MachinePage::buildTable() {
  m_proxy.setSourceModel(&m_model);
  m_proxy.setFilterKeyColumn(MachineModel::What);
  m_proxy.setFilterCaseSensitivity(Qt::CaseInsensitive);
  m_table = new QTableView(this);
  m_table->setObjectName(QStringLiteral("machineNumbers"));
  m_table->setAccessibleName(tr("GPU parameters"));
  m_table->setModel(&m_proxy);
  makeReadable(*m_table, 8);
  m_table->setSortingEnabled(false);
  m_proxy.sort(-1); // unsorted: the model keeps related fields together
  m_table->setItemDelegate(
      new ChangedDelegate(MachineModel::Value, MachineModel::ChangedRole, m_table));
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                           QAbstractItemView::AnyKeyPressed);
  m_table->horizontalHeader()->setStretchLastSection(true);
}

void MachinePage::connectAll() {
  connect(m_choice, &QComboBox::activated, this,
          [this](int index) { emit machineWanted(m_choice->itemData(index).toString()); });
  connect(m_filter, &QLineEdit::textChanged, &m_proxy,
          &QSortFilterProxyModel::setFilterFixedString);
  connect(m_reset, &QPushButton::clicked, this, &MachinePage::resetCurrent);
  connect(m_discard, &QPushButton::clicked, this, [this] { m_machines.discard(m_name); });
  connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this,
          &MachinePage::showMachine);
  connect(&m_model, &MachineModel::changeWanted, this, &MachinePage::changeValue);
  connect(&m_model, &MachineModel::refused, this, &MachinePage::tell);
  connect(&m_machines, &MachineFlow::told, this, &MachinePage::tell);
  connect(&m_machines, &MachineFlow::listChanged, this, &MachinePage::fill);
  connect(&m_machines, &MachineFlow::changed, this, &MachinePage::showMachine);
  connect(&m_schedule, &ScheduleFlow::shownChanged, this, &MachinePage::compare);
}

void MachinePage::setMachine(const QString &name) {
  m_name = name;
  m_choice->setCurrentIndex(m_choice->findData(name));
  m_note->hide();
  showMachine();
  compare();
}

void MachinePage::fill() {
  m_choice->clear();
  for (const machine::Machine &machine : m_machines.machines()) {
    const QString name = QString::fromStdString(machine.name);
    m_choice->addItem(tr("%1 — %2").arg(name, QString::fromStdString(machine.title)), name);
  }
  const bool isFirst = m_model.rowCount() == 0;
  setMachine(m_name);
  if (!isFirst || m_model.rowCount() == 0) return;
  // A few names are very long. Their tooltips have them whole, and the source needs room, too.
  const int most = fontMetrics().averageCharWidth() * 36;
  m_table->setColumnWidth(MachineModel::What,
                          std::min(most, contentWidth(*m_table, MachineModel::What) + 12));
  m_table->setColumnWidth(MachineModel::Value, 90);
  m_table->setColumnWidth(MachineModel::Original, 80);
}

void MachinePage::showMachine() {
  const machine::Machine *shown = m_machines.find(m_name);
  const QString original = originalName(m_name);
  const machine::Machine *of = original.isEmpty() ? nullptr : m_machines.find(original);
  m_model.setMachine(shown ? std::optional(*shown) : std::nullopt,
                     of ? std::optional(*of) : std::nullopt);
  m_discard->setEnabled(of != nullptr);
  // The current index is read only here, because setMachine() may have made older indices invalid.
  m_reset->setEnabled(of && m_table->currentIndex().data(MachineModel::ChangedRole).toBool());
  m_table->setColumnHidden(MachineModel::Original, !of);
  m_state->setText(of ? tr("This is a copy of %1 (values changed: %2); no such GPU exists.")
                            .arg(original)
                            .arg(m_model.changes())
                      : tr("Change a value to see its effect on predicted times. This makes a "
                           "copy, %1-what-if.")
                            .arg(m_name));
}

// Predicts the same schedule on the original GPU, so that the user sees the effect of a changed
// parameter.
void MachinePage::compare() {
  const ShownSchedulePtr &shown = m_schedule.shown();
  m_times->setVisible(shown != nullptr);
  if (!shown) return;
  m_times->setText(shown->summary());
  const QString original = originalName(shown->machine);
  if (original.isEmpty() || m_schedule.isRunning() || !m_schedule.service().predict) return;
  m_bridge.run<double>(
      QStringLiteral("what if"), {},
      [predict = m_schedule.service().predict, schedule = shown->found.schedule,
       name = original.toStdString()](const job::JobContext &) -> Result<double> {
        const auto found = predict(schedule, name);
        if (!found) return found.error();
        return found->prediction.milliseconds();
      },
      this,
      [this, shown, original](const Result<double> &before) {
        if (!before || shown != m_schedule.shown()) return;
        const double now = shown->found.prediction.milliseconds();
        const double gain = (now / *before - 1) * 100;
        m_times->setText(
            tr("%1; %4 % compared with %2 ms on %3")
                .arg(shown->summary(), threeDigits(*before), original,
                     (gain > 0 ? QStringLiteral("+") : QString()) + QString::number(gain, 'f', 1)));
      });
}

void MachinePage::changeValue(const QString &field, double value) {
  m_note->hide();
  m_machines.change(m_name, field, value);
}

void MachinePage::resetCurrent() {
  m_machines.reset(m_name, m_table->currentIndex().data(MachineModel::FieldRole).toString());
}

void MachinePage::tell(const QString &what) {
  QPalette colors = m_note->palette();
  colors.setColor(QPalette::WindowText, Colors(palette()).error);
  m_note->setPalette(colors);
  m_note->setText(what);
  m_note->show();
}

} // namespace tessera::views
