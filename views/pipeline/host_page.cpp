// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pipeline/host_page.h"

#include "views/pipeline/page_label.h"
#include "views/theme/table_look.h"
#include "views/theme/theme.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

namespace tessera::views {

namespace {

class HostDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

protected:
  void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const Colors colors(option->palette);
    if (index.data(HostModel::ChosenRole).toBool() && index.column() == HostModel::Name)
      option->font.setBold(true);
    if (index.column() == HostModel::State)
      option->palette.setColor(QPalette::Text, index.data(HostModel::FailedRole).toBool()
                                                   ? colors.warning
                                                   : colors.faintText);
  }
};

} // namespace

HostPage::HostPage(HostModel &hosts, QWidget *parent) : QWidget(parent), m_hosts(hosts) {
  setAccessibleName(tr("Hosts"));
  auto *about = pageLabel(this, QStringLiteral("hostAbout"), tr("About hosts"));
  about->setForegroundRole(QPalette::PlaceholderText);
  about->setText(tr("Measure on this computer, or on another one through ssh, which must log in "
                    "without a prompt. Nothing is installed on that computer; the worker is "
                    "copied to ~/.cache/tessera/gpu."));
  m_line = new QLineEdit(this);
  m_line->setObjectName(QStringLiteral("hostLine"));
  m_line->setAccessibleName(tr("Another host"));
  m_line->setPlaceholderText(tr("user@machine, or a name from your ssh configuration"));
  m_line->setClearButtonEnabled(true);
  m_add = pageButton(this, tr("&Add"), QStringLiteral("addHost"),
                     tr("Add this host, choose it and test it"));
  m_note = pageLabel(this, QStringLiteral("hostNote"), tr("What is wrong with this host"));
  m_note->hide();
  buildTable();
  m_state = pageLabel(this, QStringLiteral("hostState"), tr("What was found on the selected host"));
  m_state->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_choose = pageButton(this, tr("&Measure Here"), QStringLiteral("chooseHost"),
                        tr("Measure on the selected host from now on (Return)"));
  m_test = pageButton(this, tr("&Test"), QStringLiteral("testHost"),
                      tr("Connect to the selected host, and look for its GPU"));
  m_remove = pageButton(this, tr("&Remove"), QStringLiteral("removeHost"),
                        tr("Remove the selected host from the list (Delete)"));

  auto *top = new QHBoxLayout;
  top->addWidget(m_line, 1);
  top->addWidget(m_add);
  auto *buttons = new QHBoxLayout;
  buttons->addWidget(m_choose);
  buttons->addWidget(m_test);
  buttons->addStretch(1);
  buttons->addWidget(m_remove);
  auto *column = new QVBoxLayout(this);
  column->setContentsMargins(10, 8, 10, 8);
  column->addWidget(about);
  column->addLayout(top);
  column->addWidget(m_note);
  column->addWidget(m_table, 1);
  column->addWidget(m_state);
  column->addLayout(buttons);

  connectWishes();
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          &HostPage::refresh);
  connect(&m_hosts, &HostModel::changed, this, &HostPage::refresh);
  m_table->selectRow(0);
  refresh();
}

void HostPage::buildTable() {
  m_table = new QTableView(this);
  m_table->setObjectName(QStringLiteral("hostTable"));
  m_table->setAccessibleName(tr("Hosts"));
  m_table->setModel(&m_hosts);
  m_table->setItemDelegate(new HostDelegate(m_table));
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  makeReadable(*m_table, 8);
  m_table->setSortingEnabled(false);
  m_table->horizontalHeader()->setStretchLastSection(true);
  m_table->setColumnWidth(HostModel::Name, fontMetrics().averageCharWidth() * 32);
  m_table->installEventFilter(this);
}

void HostPage::connectWishes() {
  connect(m_line, &QLineEdit::returnPressed, this, &HostPage::add);
  connect(m_line, &QLineEdit::textChanged, this, [this] {
    m_note->hide();
    refresh();
  });
  connect(m_add, &QPushButton::clicked, this, &HostPage::add);
  connect(m_choose, &QPushButton::clicked, this, &HostPage::choose);
  connect(m_table, &QTableView::doubleClicked, this, &HostPage::choose);
  connect(m_test, &QPushButton::clicked, this, [this] { m_hosts.test(current()); });
  connect(m_remove, &QPushButton::clicked, this, [this] { m_hosts.remove(current()); });
}

QString HostPage::current() const {
  return m_table->currentIndex().data(HostModel::HostRole).toString();
}

void HostPage::add() {
  const QString host = m_line->text().trimmed();
  if (host.isEmpty()) return;
  const QString wrong = m_hosts.add(host);
  m_note->setText(wrong);
  m_note->setVisible(!wrong.isEmpty());
  if (!wrong.isEmpty()) return;
  m_line->clear();
  m_table->selectRow(int(m_hosts.hosts().indexOf(host)) + 1);
  m_hosts.test(host);
}

void HostPage::choose() {
  if (m_table->currentIndex().isValid()) m_hosts.choose(current());
}

void HostPage::refresh() {
  const QString host = current();
  const bool isTesting = m_hosts.isTesting(host);
  m_add->setEnabled(!m_line->text().trimmed().isEmpty());
  m_choose->setEnabled(host != m_hosts.chosen());
  m_test->setEnabled(m_hosts.canTest() && !isTesting);
  m_remove->setEnabled(!host.isEmpty());
  m_state->setText(isTesting ? tr("Looking for a GPU on %1…").arg(hostText(host))
                   : !m_hosts.whyNot(host).isEmpty() ? m_hosts.whyNot(host)
                   : m_hosts.gpu(host).isEmpty()
                       ? tr("Tessera has not looked for a GPU on %1 yet.").arg(hostText(host))
                       : tr("%1: %2").arg(hostText(host), m_hosts.gpu(host)));
}

bool HostPage::eventFilter(QObject *watched, QEvent *event) {
  if (watched == m_table && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent *>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) return choose(), true;
    if (key == Qt::Key_Delete) return m_hosts.remove(current()), true;
  }
  return QWidget::eventFilter(watched, event);
}

} // namespace tessera::views
