// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/forms/estimate_form.h"

#include "views/text/from_std.h"
#include "views/theme/theme.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

namespace tessera::views {

EstimateForm::EstimateForm(QWidget *parent)
    : QWidget(parent), m_table(new QTableWidget(0, 2, this)), m_error(new QLabel(this)) {
  setAccessibleName(tr("Estimates"));
  m_table->setObjectName(QStringLiteral("estimateTable"));
  m_table->setAccessibleName(tr("Estimates by name"));
  m_table->setHorizontalHeaderLabels(
      {tr("Output, input or scalar"), tr("1536×2560, min:extent, … or value")});
  m_table->horizontalHeader()->setStretchLastSection(true);
  m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  m_table->verticalHeader()->hide();
  m_table->setColumnWidth(0, 190);
  m_table->setEditTriggers(QAbstractItemView::AllEditTriggers);
  m_table->setMinimumHeight(130);
  m_table->setMaximumHeight(190);
  m_error->setAccessibleName(tr("What is wrong with the estimates"));
  m_error->setWordWrap(true);
  m_error->hide();
  auto *add = new QPushButton(tr("&Add a row"), this);
  add->setObjectName(QStringLiteral("addEstimate"));
  add->setAccessibleName(tr("Add a row"));
  add->setAutoDefault(false);
  connect(add, &QPushButton::clicked, this, [this] { addRow({}, {}); });
  auto *column = new QVBoxLayout(this);
  column->setContentsMargins(0, 6, 0, 0);
  column->addWidget(m_table);
  column->addWidget(add, 0, Qt::AlignLeft);
  column->addWidget(m_error);
}

void EstimateForm::setAsked(const std::vector<Asked> &asked) {
  m_table->setRowCount(0);
  for (const Asked &one : asked) {
    if (one.option != "estimate") continue;
    const QString text = from(one.value);
    addRow(text.section('=', 0, 0), text.section('=', 1).replace(',', QStringLiteral(", ")));
  }
  if (m_table->rowCount() == 0) addRow({}, {});
  m_error->hide();
}

void EstimateForm::setEstimates(const std::vector<open::EstimateOverride> &estimates) {
  for (const open::EstimateOverride &estimate : estimates) {
    QStringList dims;
    for (const pipeline::Interval &dim : estimate.dims)
      dims << QStringLiteral("%1:%2").arg(dim.min).arg(dim.extent());
    const QString value = estimate.dims.empty() ? QString::fromStdString(estimate.scalar)
                                                : dims.join(QStringLiteral(", "));
    const auto found = m_table->findItems(QString::fromStdString(estimate.name), Qt::MatchExactly);
    if (!found.isEmpty() && found.front()->column() == 0)
      m_table->item(found.front()->row(), 1)->setText(value);
    else
      addRow(QString::fromStdString(estimate.name), value);
  }
}

Result<std::vector<open::EstimateOverride>> EstimateForm::estimates() const {
  std::vector<open::EstimateOverride> all;
  for (int row = 0; row < m_table->rowCount(); ++row) {
    const QString name = m_table->item(row, 0)->text().trimmed();
    const QString value = m_table->item(row, 1)->text().trimmed();
    if (name.isEmpty() && value.isEmpty()) continue;
    auto parsed = open::parseEstimate((name + "=" + value).toStdString());
    if (!parsed) return parsed.error();
    all.push_back(std::move(*parsed));
  }
  if (all.empty())
    return Error{ErrorCode::Usage, tr("Enter at least one estimate.").toStdString(), {}};
  return all;
}

void EstimateForm::showError(const QString &message) {
  QPalette colors = m_error->palette();
  colors.setColor(QPalette::WindowText, Colors(palette()).error);
  m_error->setPalette(colors);
  m_error->setText(message);
  m_error->show();
}

void EstimateForm::addRow(const QString &name, const QString &value) {
  const int row = m_table->rowCount();
  m_table->insertRow(row);
  m_table->setItem(row, 0, new QTableWidgetItem(name));
  m_table->setItem(row, 1, new QTableWidgetItem(value));
}

} // namespace tessera::views
