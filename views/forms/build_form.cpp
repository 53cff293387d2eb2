// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/forms/build_form.h"

#include "views/text/from_std.h"
#include "views/theme/file_folder.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace tessera::views {

namespace {

using Kind = BuildForm::Kind;
using Values = std::vector<std::string>;

// What each kind is called on the command line, and where it stands in the options.
struct KindRow {
  Kind kind;
  const char *option;
  Values open::BuildOptions::*values;
};
constexpr std::array<KindRow, 4> kKinds{
    {{Kind::Folder, "include", &open::BuildOptions::includes},
     {Kind::Definition, "define", &open::BuildOptions::definitions},
     {Kind::Source, "with-source", &open::BuildOptions::sources},
     {Kind::Library, "with-library", &open::BuildOptions::libraries}}};

constexpr int kKindRole = Qt::UserRole;
constexpr int kFoundRole = kKindRole + 1;
constexpr int kKindColumn = 0, kValueColumn = 1;
constexpr int kFewestRows = 2, kMostRows = 6; // for which there is room without scrolling

QString nameOf(Kind kind) {
  switch (kind) {
  case Kind::Folder:
    return BuildForm::tr("Folder of headers");
  case Kind::Definition:
    return BuildForm::tr("Definition");
  case Kind::Source:
    return BuildForm::tr("Source");
  case Kind::Library:
    break;
  }
  return BuildForm::tr("Library");
}

QString meaningOf(Kind kind) {
  switch (kind) {
  case Kind::Folder:
    return BuildForm::tr("Headers that the source includes are looked for here");
  case Kind::Definition:
    return BuildForm::tr("NAME or NAME=VALUE, as for #define");
  case Kind::Source:
    return BuildForm::tr("A C++ source to compile with it. It is code that will run.");
  case Kind::Library:
    break;
  }
  return BuildForm::tr("A library to link with it. It is code that will run.");
}

} // namespace

BuildForm::BuildForm(QWidget *parent) : QWidget(parent), m_table(new QTableWidget(0, 2, this)) {
  setAccessibleName(tr("How the source is compiled"));
  m_table->setObjectName(QStringLiteral("buildTable"));
  m_table->setAccessibleName(tr("Folders, definitions, sources and libraries"));
  m_table->setHorizontalHeaderLabels({tr("Kind"), tr("Path, or NAME=VALUE")});
  m_table->horizontalHeader()->setStretchLastSection(true);
  m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  m_table->verticalHeader()->hide();
  m_table->setColumnWidth(kKindColumn, 190);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setTabKeyNavigation(false);
  m_table->setTextElideMode(Qt::ElideMiddle);
  // Its frame is not seen on a dark card.
  m_table->viewport()->setBackgroundRole(QPalette::Window);
  auto *column = new QVBoxLayout(this);
  column->setContentsMargins(0, 6, 0, 0);
  column->addWidget(m_table);
  addButtons();
  connect(m_table, &QTableWidget::currentCellChanged, this, &BuildForm::update);
  connect(new QShortcut(QKeySequence::Delete, m_table, nullptr, nullptr, Qt::WidgetShortcut),
          &QShortcut::activated, this, &BuildForm::removeRow);
  update();
}

void BuildForm::addButtons() {
  auto *add = new QPushButton(tr("&Add"), this);
  add->setObjectName(QStringLiteral("addBuild"));
  add->setAccessibleName(tr("Add a folder, definition, source or library"));
  auto *menu = new QMenu(add);
  for (const KindRow &row : kKinds) {
    QAction *action = menu->addAction(nameOf(row.kind));
    action->setToolTip(meaningOf(row.kind));
    connect(action, &QAction::triggered, this, [this, kind = row.kind] { this->add(kind); });
  }
  menu->setToolTipsVisible(true);
  add->setMenu(menu);
  m_browse = new QPushButton(tr("Bro&wse…"), this);
  m_browse->setObjectName(QStringLiteral("browseBuild"));
  m_browse->setAccessibleName(tr("Choose the path of the selected row"));
  m_remove = new QPushButton(tr("&Remove"), this);
  m_remove->setObjectName(QStringLiteral("removeBuild"));
  m_remove->setAccessibleName(tr("Remove the selected row"));
  connect(m_browse, &QPushButton::clicked, this, &BuildForm::browse);
  connect(m_remove, &QPushButton::clicked, this, &BuildForm::removeRow);
  auto *buttons = new QHBoxLayout;
  for (QPushButton *button : {add, m_browse, m_remove}) {
    button->setAutoDefault(false);
    buttons->addWidget(button);
  }
  buttons->addStretch(1);
  static_cast<QVBoxLayout *>(layout())->addLayout(buttons);
}

void BuildForm::setOptions(const open::BuildOptions &given, const open::BuildOptions &found,
                           const std::vector<Asked> &asked) {
  m_table->setRowCount(0);
  for (const KindRow &row : kKinds) {
    for (const std::string &value : given.*row.values)
      addRow(row.kind, from(value), false);
    for (const Asked &one : asked) {
      const Values &known = given.*row.values;
      if (one.option == row.option && std::ranges::find(known, one.value) == known.end())
        addRow(row.kind, from(one.value), false);
    }
  }
  for (const KindRow &row : kKinds)
    for (const std::string &value : found.*row.values)
      addRow(row.kind, from(value), true);
  if (m_table->rowCount() > 0) m_table->setCurrentCell(0, kValueColumn);
  update();
}

open::BuildOptions BuildForm::options() const {
  open::BuildOptions options;
  for (int row = 0; row < m_table->rowCount(); ++row) {
    const QTableWidgetItem &item = *m_table->item(row, kValueColumn);
    const QString value = item.text().trimmed();
    if (value.isEmpty() || item.data(kFoundRole).toBool()) continue;
    (options.*kKinds[std::size_t(item.data(kKindRole).toInt())].values)
        .push_back(value.toStdString());
  }
  return options;
}

void BuildForm::add(Kind kind, const QString &value) {
  addRow(kind, value, false);
  m_table->setCurrentCell(m_table->rowCount() - 1, kValueColumn);
  m_table->setFocus();
  if (value.isEmpty()) m_table->editItem(m_table->currentItem());
}

void BuildForm::addRow(Kind kind, const QString &value, bool isFound) {
  const int row = m_table->rowCount();
  m_table->insertRow(row);
  auto *name = new QTableWidgetItem(nameOf(kind));
  auto *item = new QTableWidgetItem(value);
  name->setFlags(Qt::ItemIsSelectable | Qt::ItemIsEnabled);
  name->setToolTip(meaningOf(kind));
  item->setToolTip(isFound ? tr("%1\nFrom a compile_commands.json nearby").arg(value) : value);
  item->setData(kKindRole, int(kind));
  item->setData(kFoundRole, isFound);
  if (isFound) {
    name->setText(tr("%1 (found)").arg(nameOf(kind)));
    item->setFlags(Qt::ItemIsSelectable | Qt::ItemIsEnabled);
    for (QTableWidgetItem *part : {name, item})
      part->setForeground(palette().placeholderText());
  }
  m_table->setItem(row, kKindColumn, name);
  m_table->setItem(row, kValueColumn, item);
  update();
}

void BuildForm::browse() {
  const QTableWidgetItem *item = m_table->item(m_table->currentRow(), kValueColumn);
  if (!item) return;
  const auto kind = Kind(item->data(kKindRole).toInt());
  const QString now = item->text();
  QFileDialog *dialog =
      openDialog(*this, nameOf(kind), now.isEmpty() ? fileFolder(*this) : QFileInfo(now).path());
  dialog->setObjectName(QStringLiteral("buildDialog"));
  if (kind == Kind::Folder) dialog->setFileMode(QFileDialog::Directory);
  if (kind == Kind::Source) dialog->setNameFilters({tr("C++ sources (*.cpp *.cc *.cxx)")});
  const int row = m_table->currentRow();
  connect(dialog, &QFileDialog::fileSelected, this, [this, row](const QString &path) {
    if (QTableWidgetItem *chosen = m_table->item(row, kValueColumn)) chosen->setText(path);
  });
  dialog->open();
}

void BuildForm::removeRow() {
  const QTableWidgetItem *item = m_table->item(m_table->currentRow(), kValueColumn);
  if (item && !item->data(kFoundRole).toBool()) m_table->removeRow(m_table->currentRow());
  update();
}

void BuildForm::update() {
  const int rows = std::clamp(m_table->rowCount(), kFewestRows, kMostRows);
  m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height() +
                          rows * m_table->verticalHeader()->defaultSectionSize() +
                          2 * m_table->frameWidth());
  const QTableWidgetItem *item = m_table->item(m_table->currentRow(), kValueColumn);
  const bool isOwn = item && !item->data(kFoundRole).toBool();
  m_remove->setEnabled(isOwn);
  m_browse->setEnabled(isOwn && Kind(item->data(kKindRole).toInt()) != Kind::Definition);
}

} // namespace tessera::views
