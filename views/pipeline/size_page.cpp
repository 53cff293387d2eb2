// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pipeline/size_page.h"

#include "views/pipeline/changed_delegate.h"
#include "views/pipeline/page_label.h"
#include "views/theme/table_look.h"
#include "views/theme/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

namespace tessera::views {

namespace {

enum ItemRole { SizeRole = Qt::UserRole + 1, EstimatesRole, OwnRole };

QStringList textsOf(const std::vector<open::EstimateOverride> &estimates) {
  QStringList texts;
  for (const open::EstimateOverride &estimate : estimates)
    texts << estimateText(estimate);
  return texts;
}

} // namespace

SizePage::SizePage(OpenFlow &open, DocumentFlow &documents, QSettings &settings, QWidget *parent)
    : QWidget(parent), m_open(open), m_documents(documents), m_sizes(settings) {
  setAccessibleName(tr("Sizes"));
  m_table = new QTableView(this);
  m_table->setObjectName(QStringLiteral("interface"));
  m_table->setAccessibleName(tr("Outputs, inputs and scalars"));
  m_table->setModel(&m_model);
  makeReadable(*m_table, 10);
  m_table->setSortingEnabled(false);
  m_table->setItemDelegate(
      new ChangedDelegate(InterfaceModel::Size, InterfaceModel::ChangedRole, m_table));
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                           QAbstractItemView::AnyKeyPressed);
  m_table->horizontalHeader()->setSectionResizeMode(InterfaceModel::From, QHeaderView::Stretch);
  m_note = new QLabel(this);
  m_note->setObjectName(QStringLiteral("sizeNote"));
  m_note->setAccessibleName(tr("What is wrong with the size"));
  m_note->setWordWrap(true);
  m_note->hide();
  m_lostTitle = new QLabel(tr("Lost when the pipeline changed:"), this);
  m_lostTitle->setAccessibleName(m_lostTitle->text());
  m_lost = new QListWidget(this);
  m_lost->setObjectName(QStringLiteral("lostDecisions"));
  m_lost->setAccessibleName(tr("Decisions that were lost"));
  m_lost->setMaximumHeight(110);
  m_lost->setWordWrap(true);
  auto *column = new QVBoxLayout(this);
  column->setContentsMargins(10, 8, 10, 8);
  column->addWidget(buildChooser());
  column->addWidget(m_table, 1);
  column->addWidget(m_note);
  column->addWidget(buildButtons());
  column->addWidget(m_lostTitle);
  column->addWidget(m_lost);
  connect(&m_open, &OpenFlow::documentChanged, this, &SizePage::refresh);
  connect(&m_documents, &DocumentFlow::changed, this, &SizePage::showLost);
  connect(&m_model, &InterfaceModel::edited, this, &SizePage::updateButtons);
  connect(&m_model, &InterfaceModel::refused, this, [this](const QString &why) {
    QPalette colors = m_note->palette();
    colors.setColor(QPalette::WindowText, Colors(palette()).error);
    m_note->setPalette(colors);
    m_note->setText(why);
    m_note->show();
  });
  refresh();
}

QPushButton *SizePage::addButton(const QString &text, const QString &name,
                                 void (SizePage::*run)()) {
  QPushButton *button = pageButton(this, text, name);
  connect(button, &QPushButton::clicked, this, run);
  return button;
}

QWidget *SizePage::buildChooser() {
  auto *bar = new QWidget(this);
  m_size = new QComboBox(bar);
  m_size->setObjectName(QStringLiteral("sizes"));
  m_size->setAccessibleName(tr("Size"));
  m_size->setToolTip(tr("Sizes at which this pipeline can be opened"));
  m_save = addButton(tr("Save &As…"), QStringLiteral("saveSize"), &SizePage::askForName);
  m_save->setToolTip(tr("Save these estimates under a name, to use them again"));
  m_remove = addButton(tr("&Delete"), QStringLiteral("deleteSize"), &SizePage::remove);
  auto *label = new QLabel(tr("Si&ze"), bar);
  label->setBuddy(m_size);
  auto *row = new QHBoxLayout(bar);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(label);
  row->addWidget(m_size, 1);
  row->addWidget(m_save);
  row->addWidget(m_remove);
  connect(m_size, &QComboBox::activated, this, &SizePage::choose);
  return bar;
}

QWidget *SizePage::buildButtons() {
  auto *bar = new QWidget(this);
  m_revert = addButton(tr("&Revert"), QStringLiteral("revertSize"), &SizePage::revert);
  m_apply = addButton(tr("A&pply"), QStringLiteral("applySize"), &SizePage::apply);
  m_apply->setToolTip(
      tr("Open the pipeline with these estimates; stages of the same name keep their decisions"));
  auto *row = new QHBoxLayout(bar);
  row->setContentsMargins(0, 0, 0, 0);
  row->addStretch(1);
  row->addWidget(m_revert);
  row->addWidget(m_apply);
  return bar;
}

QString SizePage::pipelineName() const {
  return QString::fromStdString(m_open.document()->opened.pipeline->name());
}

void SizePage::refresh() {
  const auto &document = m_open.document();
  m_model.setPipeline(document ? document->opened.pipeline : nullptr);
  setEnabled(document != nullptr);
  m_table->resizeColumnsToContents();
  // Adds room between the columns, and room for one or two more digits in the edited column.
  for (int column = 0; column < InterfaceModel::From; ++column)
    m_table->setColumnWidth(column, m_table->columnWidth(column) +
                                        (column == InterfaceModel::Size ? 16 : 8));
  fillSizes();
  updateButtons();
  showLost();
}

void SizePage::addSize(const QString &text, const QString &size, const QStringList &estimates) {
  m_size->addItem(text);
  m_size->setItemData(m_size->count() - 1, size, SizeRole);
  m_size->setItemData(m_size->count() - 1, estimates, EstimatesRole);
}

void SizePage::fillSizes() {
  m_size->clear();
  const auto &document = m_open.document();
  if (!document) return;
  const open::OpenRequest &request = document->request;
  const QString own = QString::fromUtf8(open::kOwnSize.data(), open::kOwnSize.size());
  addSize(tr("As in the file"), own, {});
  for (const open::PipelineSize &size : document->opened.sizes)
    addSize(tr("%1 (%2)").arg(QString::fromStdString(size.name), QString::fromStdString(size.from)),
            QString::fromStdString(size.name), {});
  for (const OwnSizes::Size &size : m_sizes.of(pipelineName())) {
    addSize(size.name, own, size.estimates);
    m_size->setItemData(m_size->count() - 1, true, OwnRole);
  }
  const QStringList estimates = textsOf(request.estimates);
  const QString size = request.size.empty() ? own : QString::fromStdString(request.size);
  for (int i = 0; i < m_size->count(); ++i)
    if (m_size->itemData(i, SizeRole).toString() == size &&
        m_size->itemData(i, EstimatesRole).toStringList() == estimates)
      return m_size->setCurrentIndex(i);
  addSize(tr("Changed by hand"), size, estimates);
  m_size->setCurrentIndex(m_size->count() - 1);
}

void SizePage::updateButtons() {
  const bool isChanged = m_model.changes() > 0;
  m_apply->setEnabled(isChanged);
  m_revert->setEnabled(isChanged);
  m_save->setEnabled(m_model.rowCount() > 0);
  m_remove->setEnabled(m_size->currentData(OwnRole).toBool());
  m_remove->setToolTip(m_remove->isEnabled() ? tr("Delete this size")
                                             : tr("Only sizes that you saved can be deleted"));
  m_note->hide();
}

void SizePage::showLost() {
  const QStringList &lost = m_documents.notCarried();
  m_lost->clear();
  m_lost->addItems(lost);
  m_lost->setVisible(!lost.isEmpty());
  m_lostTitle->setVisible(!lost.isEmpty());
}

void SizePage::choose(int index) {
  open::OpenRequest request = m_open.document()->request;
  request.size = m_size->itemData(index, SizeRole).toString().toStdString();
  request.estimates = estimatesOf(m_size->itemData(index, EstimatesRole).toStringList());
  updateButtons();
  emit openWanted(request);
}

void SizePage::apply() {
  open::OpenRequest request = m_open.document()->request;
  for (open::EstimateOverride &wish : m_model.changed())
    open::setEstimate(request, std::move(wish));
  emit openWanted(request);
}

void SizePage::revert() { m_model.revertSizes(); }

void SizePage::askForName() {
  auto *dialog = new QInputDialog(this);
  dialog->setObjectName(QStringLiteral("sizeName"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Save the Size"));
  dialog->setLabelText(tr("Name (replaces an existing size of the same name):"));
  connect(dialog, &QInputDialog::textValueSelected, this,
          [this, texts = m_model.texts()](const QString &name) {
            if (name.trimmed().isEmpty() || !m_open.document()) return;
            m_sizes.save(pipelineName(), {name.trimmed(), texts});
            fillSizes();
            const int saved = m_size->findText(name.trimmed());
            m_size->setCurrentIndex(saved);
            choose(saved);
          });
  dialog->open();
}

void SizePage::remove() {
  m_sizes.remove(pipelineName(), m_size->currentText());
  fillSizes();
  updateButtons();
}

} // namespace tessera::views
