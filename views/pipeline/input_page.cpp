// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pipeline/input_page.h"

#include "views/pipeline/changed_delegate.h"
#include "views/pipeline/page_label.h"
#include "engine/measure/inputs.h"
#include "views/text/error_text.h"
#include "views/theme/empty_note.h"
#include "views/theme/file_folder.h"
#include "views/theme/table_look.h"
#include "views/theme/theme.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>
#include <utility>

namespace tessera::views {

namespace {

constexpr int kColumnGap = 12;
const QString kReadTag = QStringLiteral("input");

} // namespace

InputPage::InputPage(DocumentFlow &documents, Bridge &bridge, QWidget *parent)
    : QWidget(parent), m_documents(documents), m_bridge(bridge) {
  setAccessibleName(tr("Inputs"));
  auto *about = pageLabel(this, QStringLiteral("inputAbout"), tr("About inputs"));
  about->setForegroundRole(QPalette::PlaceholderText);
  about->setText(
      tr("Measure and Verify run schedules on these inputs: random numbers, or files that "
         "have the input's type and size. Images for float inputs are scaled to 0…1. The "
         "value of a scalar is its estimate."));
  buildTable();
  m_note = pageLabel(this, QStringLiteral("inputNote"), tr("What is wrong with a file"));
  m_note->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_note->hide();
  m_choose = pageButton(this, tr("Fi&le…"), QStringLiteral("chooseInput"),
                        tr("Read the selected input from a file (Return)"));
  m_random = pageButton(this, tr("&Random"), QStringLiteral("randomInput"),
                        tr("Use random numbers for the selected input again (Delete)"));
  auto *seedLabel = new QLabel(tr("Random see&d"), this);
  m_seed = new QSpinBox(this);
  m_seed->setObjectName(QStringLiteral("inputSeed"));
  m_seed->setAccessibleName(tr("Random seed"));
  m_seed->setRange(1, std::numeric_limits<int>::max());
  m_seed->setKeyboardTracking(false);
  seedLabel->setBuddy(m_seed);
  auto *toleranceLabel = new QLabel(tr("&Tolerance"), this);
  m_tolerance = new QLineEdit(this);
  m_tolerance->setObjectName(QStringLiteral("inputTolerance"));
  m_tolerance->setAccessibleName(tr("Tolerance"));
  m_tolerance->setPlaceholderText(tr("from the types of the outputs"));
  m_tolerance->setToolTip(tr(
      "How far the outputs may be from the reference. If this is empty, the types of the outputs "
      "decide. With rel=1e-3,abs=1,share=0.01, for example, floats may differ by a thousandth "
      "of their value, all numbers by 1, and one element in a hundred by more. The tolerance "
      "is shown beside each time."));
  toleranceLabel->setBuddy(m_tolerance);

  auto *buttons = new QHBoxLayout;
  buttons->addWidget(m_choose);
  buttons->addWidget(m_random);
  buttons->addStretch(1);
  buttons->addWidget(seedLabel);
  buttons->addWidget(m_seed);
  auto *judging = new QHBoxLayout;
  judging->addWidget(toleranceLabel);
  judging->addWidget(m_tolerance, 1);
  auto *column = new QVBoxLayout(this);
  column->setContentsMargins(10, 8, 10, 8);
  column->addWidget(about);
  column->addWidget(m_table, 1);
  column->addWidget(m_note);
  column->addLayout(buttons);
  column->addLayout(judging);

  connect(m_choose, &QPushButton::clicked, this, &InputPage::chooseFile);
  connect(m_random, &QPushButton::clicked, this, &InputPage::makeRandom);
  connect(m_seed, &QSpinBox::valueChanged, this, &InputPage::setSeed);
  connect(m_tolerance, &QLineEdit::editingFinished, this, &InputPage::setTolerance);
  connect(&m_model, &InputModel::wished, this, &InputPage::wish);
  connect(&m_model, &InputModel::numberWished, this, &InputPage::wishNumber);
  connect(&m_model, &InputModel::refused, this, [this](const QString &why) { tell(why, true); });
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          &InputPage::updateButtons);
  connect(&m_documents, &DocumentFlow::changed, this, &InputPage::refresh);
  refresh();
}

void InputPage::buildTable() {
  m_table = new QTableView(this);
  m_table->setObjectName(QStringLiteral("inputTable"));
  m_table->setAccessibleName(tr("Inputs"));
  m_table->setModel(&m_model);
  m_table->setItemDelegate(new ChangedDelegate(InputModel::RunsOn, InputModel::GivenRole, m_table));
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                           QAbstractItemView::AnyKeyPressed);
  m_table->setDragDropMode(QAbstractItemView::DropOnly);
  m_table->setDefaultDropAction(Qt::CopyAction);
  m_table->setDropIndicatorShown(true);
  makeReadable(*m_table, 8);
  m_table->setSortingEnabled(false);
  m_table->horizontalHeader()->setStretchLastSection(true);
  m_table->installEventFilter(this);
  new EmptyNote(*m_table, tr("The pipeline has no inputs."));
}

void InputPage::refresh() {
  const auto opened = m_documents.hasDocument() ? m_documents.opened() : nullptr;
  if (std::exchange(m_opened, opened) != opened) {
    m_bridge.cancelTag(kReadTag);
    const QModelIndex row = m_table->currentIndex();
    const QString chosen = row.isValid() ? m_model.nameAt(row.row()) : QString();
    m_model.setPipeline(opened ? opened->opened.pipeline : nullptr);
    m_note->hide();
    m_shownTolerance.reset();
    if (m_model.rowCount() > 0)
      m_table->setCurrentIndex(
          m_model.index(std::max(0, m_model.rowOf(chosen)), InputModel::RunsOn));
    for (const int column : {InputModel::Name, InputModel::Type, InputModel::Size})
      m_table->setColumnWidth(column, contentWidth(*m_table, column) + kColumnGap);
  }
  const measure::RunInputs inputs =
      m_documents.hasDocument() ? m_documents.document().inputs() : measure::RunInputs();
  m_model.setInputs(inputs);
  const QSignalBlocker quiet(m_seed);
  m_seed->setValue(inputs.seed);
  if (std::exchange(m_shownTolerance, inputs.tolerance) != inputs.tolerance)
    m_tolerance->setText(QString::fromStdString(textOf(inputs.tolerance)));
  updateButtons();
}

void InputPage::updateButtons() {
  const QModelIndex row = m_table->currentIndex();
  const bool takesFile = row.isValid() && m_model.takesFile(row.row());
  m_choose->setEnabled(takesFile);
  m_random->setEnabled(takesFile && !m_model.pathAt(row.row()).isEmpty());
  m_seed->setEnabled(m_opened != nullptr);
  m_tolerance->setEnabled(m_opened != nullptr);
}

void InputPage::tell(const QString &text, bool isWrong) {
  const Colors colors(palette());
  QPalette own = palette();
  own.setColor(QPalette::WindowText, isWrong ? colors.warning : colors.faintText);
  m_note->setPalette(own);
  m_note->setText(text);
  m_note->setVisible(!text.isEmpty());
}

void InputPage::wish(const QString &input, const QString &path) {
  if (!m_opened) return;
  if (path.isEmpty()) {
    m_bridge.cancelTag(kReadTag);
    tell({}, false);
    return m_documents.apply(
        document::SetInputs{tr("Random numbers for %1").arg(input).toStdString(),
                            m_documents.document().inputs().with(input.toStdString(), {})});
  }
  const std::string full = QFileInfo(path).absoluteFilePath().toStdString();
  const QString name = QFileInfo(path).fileName();
  tell(tr("Reading %1…").arg(name), false);
  m_bridge.run<bool>(
      kReadTag, tr("Reading %1").arg(name),
      [input = input.toStdString(), full, opened = m_opened](const job::JobContext &) {
        const auto read =
            measure::readGivenInputs(measure::RunInputs().with(input, full), opened->opened);
        return read ? Result<bool>(true) : Result<bool>(read.error());
      },
      this,
      [this, input, name, full, opened = m_opened](const Result<bool> &read) {
        if (m_opened != opened) return;
        if (!read && read.error().code == ErrorCode::Cancelled) return tell({}, false);
        if (!read) return tell(errorText(read.error()), true);
        tell({}, false);
        m_documents.apply(
            document::SetInputs{tr("Input %1 from %2").arg(input, name).toStdString(),
                                m_documents.document().inputs().with(input.toStdString(), full)});
      });
}

// The row keeps the old number until the pipeline is open with the new one.
void InputPage::wishNumber(const QString &scalar, const QString &number) {
  if (!m_opened) return;
  tell({}, false);
  open::OpenRequest request = m_opened->request;
  open::setEstimate(request, {scalar.toStdString(), {}, number.toStdString()});
  emit openWanted(request);
}

void InputPage::chooseFile() {
  const QModelIndex row = m_table->currentIndex();
  if (!row.isValid() || !m_model.takesFile(row.row())) return;
  const QString now = m_model.pathAt(row.row());
  QFileDialog *dialog = openDialog(*this, tr("File for %1").arg(m_model.nameAt(row.row())),
                                   now.isEmpty() ? fileFolder(*this) : QFileInfo(now).path());
  dialog->setNameFilters({tr("Images and arrays (*.png *.pgm *.ppm *.npy)"), tr("All files (*)")});
  dialog->setObjectName(QStringLiteral("inputDialog"));
  connect(dialog, &QFileDialog::fileSelected, this,
          [this, name = m_model.nameAt(row.row())](const QString &path) { wish(name, path); });
  dialog->open();
}

void InputPage::makeRandom() {
  const QModelIndex row = m_table->currentIndex();
  if (row.isValid() && !m_model.pathAt(row.row()).isEmpty()) wish(m_model.nameAt(row.row()), {});
}

void InputPage::setSeed(int seed) {
  if (!m_opened) return;
  measure::RunInputs inputs = m_documents.document().inputs();
  inputs.seed = seed;
  if (inputs != m_documents.document().inputs())
    m_documents.apply(
        document::SetInputs{tr("Seed %1").arg(seed).toStdString(), std::move(inputs)});
}

// What cannot be read stays in the field, so that it can be mended, and changes nothing.
void InputPage::setTolerance() {
  if (!m_opened) return;
  const QString text = m_tolerance->text().trimmed();
  const auto given =
      text.isEmpty() ? report::GivenTolerance() : report::givenToleranceFrom(text.toStdString());
  if (!given) return tell(errorText(given.error()), true);
  tell({}, false);
  measure::RunInputs inputs = m_documents.document().inputs();
  inputs.tolerance = *given;
  if (inputs == m_documents.document().inputs()) return;
  const QString name =
      text.isEmpty() ? tr("Tolerance from the types of the outputs") : tr("Tolerance %1").arg(text);
  m_documents.apply(document::SetInputs{name.toStdString(), std::move(inputs)});
}

// The table gets these keys before any shortcut does.
bool InputPage::eventFilter(QObject *watched, QEvent *event) {
  const bool isPress = event->type() == QEvent::KeyPress;
  if (watched != m_table || (!isPress && event->type() != QEvent::ShortcutOverride)) return false;
  const int key = static_cast<QKeyEvent *>(event)->key();
  const bool chooses = key == Qt::Key_Return || key == Qt::Key_Enter;
  if (!chooses && key != Qt::Key_Delete) return false;
  event->accept();
  if (!isPress) return true;
  const QModelIndex row = m_table->currentIndex();
  if (!chooses)
    makeRandom();
  else if (row.isValid() && !m_model.takesFile(row.row()))
    m_table->edit(row.siblingAtColumn(InputModel::RunsOn));
  else
    chooseFile();
  return true;
}

} // namespace tessera::views
