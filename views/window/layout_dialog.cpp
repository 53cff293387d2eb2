// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/layout_dialog.h"

#include "views/theme/close_box.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QVBoxLayout>

namespace tessera::views {

LayoutDialog::LayoutDialog(NamedLayouts &layouts, QWidget *parent)
    : QDialog(parent), m_layouts(layouts), m_list(new QListView(this)), m_note(new QLabel(this)) {
  setObjectName(QStringLiteral("layoutDialog"));
  setWindowTitle(tr("Layouts"));
  setAccessibleName(windowTitle());
  m_list->setObjectName(QStringLiteral("layoutList"));
  m_list->setAccessibleName(tr("Named layouts"));
  m_list->setModel(&m_layouts);
  m_list->setEditTriggers(QAbstractItemView::EditKeyPressed);
  m_list->setAlternatingRowColors(true);
  m_list->installEventFilter(this);
  m_note->setAccessibleName(tr("Note"));
  m_note->setWordWrap(true);
  m_note->setForegroundRole(QPalette::PlaceholderText);
  auto *buttons = new QVBoxLayout;
  const auto add = [&](const QString &text, const QString &name, void (LayoutDialog::*run)()) {
    auto *button = new QPushButton(text, this);
    button->setObjectName(name);
    button->setAccessibleName(QString(text).remove('&'));
    button->setAutoDefault(false);
    connect(button, &QPushButton::clicked, this, run);
    buttons->addWidget(button);
    return button;
  };
  m_switch = add(tr("&Switch To"), QStringLiteral("layoutSwitch"), &LayoutDialog::switchTo);
  m_rename = add(tr("&Rename"), QStringLiteral("layoutRename"), &LayoutDialog::rename);
  m_remove = add(tr("&Delete"), QStringLiteral("layoutDelete"), &LayoutDialog::remove);
  buttons->addStretch(1);
  auto *row = new QHBoxLayout;
  row->addWidget(m_list, 1);
  row->addLayout(buttons);
  auto *close = closeBox(*this);
  close->button(QDialogButtonBox::Close)->setAutoDefault(false);
  auto *column = new QVBoxLayout(this);
  column->addLayout(row, 1);
  column->addWidget(m_note);
  column->addWidget(close);
  resize(420, 320);
  connect(m_list, &QListView::doubleClicked, this, &LayoutDialog::switchTo);
  connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this,
          &LayoutDialog::refresh);
  connect(&m_layouts, &NamedLayouts::changed, this, &LayoutDialog::refresh);
  connect(&m_layouts, &NamedLayouts::refused, m_note, &QLabel::setText);
  m_list->setCurrentIndex(m_layouts.index(0));
  refresh();
}

void LayoutDialog::refresh() {
  const bool hasCurrent = m_list->currentIndex().isValid();
  for (QPushButton *button : {m_switch, m_rename, m_remove})
    button->setEnabled(hasCurrent);
  m_note->setText(m_layouts.count() == 0
                      ? tr("There is no layout yet. Make one with View › Layouts › Save Layout As.")
                      : tr("Press Return to switch to the selected layout, F2 to rename it, Delete "
                           "to delete it."));
}

void LayoutDialog::rename() {
  m_list->setFocus();
  m_list->edit(m_list->currentIndex());
}

void LayoutDialog::remove() {
  if (m_list->currentIndex().isValid()) m_layouts.remove(m_list->currentIndex().row());
}

void LayoutDialog::switchTo() {
  if (m_list->currentIndex().isValid()) emit layoutWanted(m_list->currentIndex().row());
}

bool LayoutDialog::eventFilter(QObject *, QEvent *event) {
  if (event->type() != QEvent::KeyPress) return false;
  switch (static_cast<QKeyEvent *>(event)->key()) {
  case Qt::Key_Return:
  case Qt::Key_Enter:
    return switchTo(), true;
  case Qt::Key_Delete:
    return remove(), true;
  default:
    return false;
  }
}

} // namespace tessera::views
