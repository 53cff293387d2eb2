// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/candidates/others_dialog.h"

#include "views/theme/close_box.h"
#include "views/theme/table_look.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

namespace tessera::views {

namespace {

// Rows of several lines need room between them.
class RoomyDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(0, option.fontMetrics.height() / 2);
  }
};

} // namespace

OthersDialog::OthersDialog(OtherFlow &others, QWidget *parent) : QDialog(parent), m_others(others) {
  setObjectName(QStringLiteral("othersDialog"));
  setWindowTitle(tr("Add Others' Schedules"));
  auto *table = new QTableView(this);
  table->setObjectName(QStringLiteral("othersTable"));
  table->setAccessibleName(tr("Schedulers"));
  table->setModel(&m_others);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  makeReadable(*table, 10);
  table->setSortingEnabled(false);
  table->horizontalHeader()->setStretchLastSection(true);
  table->setWordWrap(true);
  table->setItemDelegate(new RoomyDelegate(table));
  table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  const int digit = fontMetrics().averageCharWidth();
  table->setColumnWidth(OtherFlow::Name, digit * 28);
  table->setColumnWidth(OtherFlow::Status, digit * 38);
  auto *buttons = closeBox(*this);
  m_add = buttons->addButton(tr("&Add"), QDialogButtonBox::ActionRole);
  m_add->setObjectName(QStringLiteral("othersAdd"));
  m_add->setDefault(true);
  m_stop = buttons->addButton(tr("&Stop"), QDialogButtonBox::ActionRole);
  m_stop->setObjectName(QStringLiteral("othersStop"));
  auto *column = new QVBoxLayout(this);
  auto *words =
      new QLabel(tr("Each schedule becomes a candidate that you can compare and measure."), this);
  column->addWidget(words);
  column->addWidget(table, 1);
  column->addWidget(buttons);
  resize(digit * 130, 360);
  connect(m_add, &QPushButton::clicked, &m_others, &OtherFlow::find);
  connect(m_stop, &QPushButton::clicked, &m_others, &OtherFlow::stop);
  connect(&m_others, &OtherFlow::changed, this, &OthersDialog::refresh);
  refresh();
}

void OthersDialog::refresh() {
  m_add->setEnabled(m_others.canFind());
  m_stop->setEnabled(m_others.isRunning());
}

} // namespace tessera::views
