// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pipeline/tool_page.h"

#include "views/text/error_text.h"
#include "views/theme/path_label.h"
#include "views/theme/theme.h"

#include <QDir>
#include <QFormLayout>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <utility>

namespace tessera::views {

namespace {

using open::Tool;

QString titleOf(Tool tool) {
  switch (tool) {
  case Tool::Halide:
    return ToolPage::tr("Halide");
  case Tool::Compiler:
    return ToolPage::tr("C++ compiler");
  case Tool::Assembler:
    return ToolPage::tr("CUDA's assembler");
  case Tool::Disassembler:
    return ToolPage::tr("CUDA's disassembler");
  case Tool::Gpu:
    return ToolPage::tr("GPU of this machine");
  case Tool::Sandbox:
    return ToolPage::tr("Sandbox");
  case Tool::Ssh:
    return ToolPage::tr("OpenSSH");
  }
  return {};
}

QString purposeOf(Tool tool) {
  switch (tool) {
  case Tool::Halide:
    return ToolPage::tr("reads pipelines, compiles schedules");
  case Tool::Compiler:
    return ToolPage::tr("builds generators from their sources");
  case Tool::Assembler:
    return ToolPage::tr("reports registers and spills");
  case Tool::Disassembler:
    return ToolPage::tr("shows machine code");
  case Tool::Gpu:
    return ToolPage::tr("measures");
  case Tool::Sandbox:
    return ToolPage::tr("isolates generators");
  case Tool::Ssh:
    return ToolPage::tr("measures on other machines");
  }
  return {};
}

QString idOf(Tool tool) { return QString::fromUtf8(name(tool).data(), name(tool).size()); }

void paint(QLabel &label, const QColor &color) {
  QPalette colors = label.palette();
  colors.setColor(QPalette::WindowText, color);
  label.setPalette(colors);
}

} // namespace

ToolPage::ToolPage(ToolService service, Bridge &bridge, QSettings &settings, QWidget *parent)
    : QWidget(parent), m_service(std::move(service)), m_bridge(bridge), m_settings(settings),
      m_used(toolChoices(settings)) {
  setAccessibleName(tr("Tools"));
  auto *inside = new QWidget;
  inside->setAccessibleName(tr("Tools"));
  auto *grid = new QGridLayout;
  grid->setColumnStretch(1, 1);
  grid->setHorizontalSpacing(14);
  grid->setVerticalSpacing(2);
  for (const Tool tool : open::kTools)
    addRow(*grid, tool);
  auto *all = new QPushButton(tr("Test &All"), inside);
  all->setObjectName(QStringLiteral("testAll"));
  all->setAccessibleName(tr("Test all"));
  connect(all, &QPushButton::clicked, this, &ToolPage::testAll);
  auto *row = new QHBoxLayout;
  row->addStretch(1);
  row->addWidget(all);
  auto *column = new QVBoxLayout(inside);
  column->setContentsMargins(10, 8, 10, 8);
  column->addLayout(grid);
  column->addLayout(row);
  column->addWidget(buildChoices());
  column->addStretch(1);
  auto *scroll = new QScrollArea(this);
  scroll->setAccessibleName(tr("Tools"));
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setWidget(inside);
  scroll->viewport()->setAutoFillBackground(false);
  inside->setAutoFillBackground(false);
  auto *outside = new QVBoxLayout(this);
  outside->setContentsMargins(0, 0, 0, 0);
  outside->addWidget(scroll);
  showPaths();
}

void ToolPage::addRow(QGridLayout &grid, Tool tool) {
  const int line = grid.rowCount();
  Row row{tool, new PathLabel(this), new QLabel(this), new QPushButton(tr("Test"), this)};
  auto *title = new QLabel(titleOf(tool), this);
  QFont strong = title->font();
  strong.setWeight(QFont::DemiBold);
  title->setFont(strong);
  auto *purpose = new QLabel(purposeOf(tool), this);
  purpose->setForegroundRole(QPalette::PlaceholderText);
  row.path->setObjectName(QStringLiteral("path.") + idOf(tool));
  row.path->setAccessibleName(tr("Where %1 is").arg(titleOf(tool)));
  row.path->setTextInteractionFlags(Qt::TextSelectableByMouse);
  row.path->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  row.found->setObjectName(QStringLiteral("found.") + idOf(tool));
  row.found->setAccessibleName(tr("Result of the test of %1").arg(titleOf(tool)));
  row.found->setWordWrap(true);
  row.found->setTextInteractionFlags(Qt::TextSelectableByMouse);
  row.found->hide();
  row.test->setObjectName(QStringLiteral("test.") + idOf(tool));
  row.test->setAccessibleName(tr("Test %1").arg(titleOf(tool)));
  row.test->setToolTip(tr("Run a small example with this tool"));
  row.test->setEnabled(m_service.check != nullptr);
  grid.addWidget(title, line, 0);
  grid.addWidget(purpose, line, 1);
  grid.addWidget(row.test, line, 2, 2, 1, Qt::AlignTop);
  grid.addWidget(row.path, line + 1, 0, 1, 2);
  grid.addWidget(row.found, line + 2, 0, 1, 3);
  grid.setRowMinimumHeight(line + 3, 10);
  connect(row.test, &QPushButton::clicked, this, [this, row] { test(row); });
  m_rows.push_back(row);
}

QLineEdit *ToolPage::addChoice(QFormLayout &form, const QString &text, const QString &name,
                               const QString &value, const QString &hint) {
  auto *line = new QLineEdit(value, this);
  line->setObjectName(name);
  line->setAccessibleName(QString(text).remove('&'));
  line->setPlaceholderText(hint);
  line->setClearButtonEnabled(true);
  form.addRow(text, line);
  connect(line, &QLineEdit::editingFinished, this, &ToolPage::choicesChanged);
  return line;
}

QWidget *ToolPage::buildChoices() {
  auto *choices = new QWidget(this);
  auto *form = new QFormLayout(choices);
  form->setContentsMargins(0, 6, 0, 0);
  m_compiler =
      addChoice(*form, tr("C++ &compiler"), QStringLiteral("compilerChoice"),
                QString::fromStdString(m_used.compiler), tr("default: c++, g++ or clang++"));
  m_cuda = addChoice(*form, tr("CU&DA folder"), QStringLiteral("cudaChoice"),
                     QString::fromStdString(m_used.cudaFolder),
                     tr("default: PATH, CUDA_HOME or /usr/local/cuda"));
  m_later = new QLabel(tr("Tests use these choices immediately; everything else uses them after "
                          "Tessera is restarted."),
                       this);
  m_later->setObjectName(QStringLiteral("toolsLater"));
  m_later->setAccessibleName(tr("When the choice takes effect"));
  m_later->setWordWrap(true);
  m_later->setForegroundRole(QPalette::PlaceholderText);
  m_later->hide();
  form->addRow(m_later);
  return choices;
}

void ToolPage::choicesChanged() {
  const ToolChoices choices{m_compiler->text().trimmed().toStdString(),
                            m_cuda->text().trimmed().toStdString()};
  if (choices == toolChoices(m_settings)) return;
  saveToolChoices(choices, m_settings);
  m_later->setVisible(choices != m_used);
  showPaths();
}

// Searching for the tools queries the file system dozens of times, so it does not run on this
// thread.
void ToolPage::showPaths() {
  if (!m_service.find) return;
  m_bridge.run<host::ToolPaths>(
      QStringLiteral("tools"), {},
      [find = m_service.find, choices = toolChoices(m_settings)](
          const job::JobContext &) -> Result<host::ToolPaths> { return find(choices); },
      this,
      [this](const Result<host::ToolPaths> &tools) {
        if (!tools) return;
        for (const Row &row : m_rows) {
          const QString path =
              QDir::toNativeSeparators(QString::fromStdString(pathOf(row.tool, *tools)));
          row.path->setText(path.isEmpty() ? tr("not found") : path);
          row.path->setToolTip(path);
        }
      });
}

void ToolPage::testAll() {
  for (const Row &row : m_rows)
    if (row.test->isEnabled()) test(row);
}

void ToolPage::test(const Row &row) {
  choicesChanged();
  paint(*row.found, Colors(palette()).faintText);
  row.found->setText(tr("Testing…"));
  row.found->show();
  row.test->setEnabled(false);
  m_bridge.run<std::string>(
      QStringLiteral("test ") + idOf(row.tool), tr("Testing %1").arg(titleOf(row.tool)),
      [service = m_service, tool = row.tool,
       choices = toolChoices(m_settings)](const job::JobContext &job) {
        return service.check(tool, service.find(choices), job.stop);
      },
      this,
      [this, row](const Result<std::string> &found) {
        row.test->setEnabled(true);
        const Colors colors(palette());
        paint(*row.found, found ? colors.success : colors.error);
        row.found->setText(found ? QStringLiteral("✓ ") + QString::fromStdString(*found).trimmed()
                                 : QStringLiteral("✗ ") + errorText(found.error()));
      });
}

} // namespace tessera::views
