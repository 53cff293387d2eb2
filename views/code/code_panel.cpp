// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/code/code_panel.h"

#include "engine/document/schedule_file.h"
#include "engine/measure/compile.h"
#include "views/kernels/empty_page.h"
#include "views/text/code_difference.h"
#include "views/text/error_text.h"
#include "views/text/stage_summary.h"
#include "views/theme/find_bar.h"
#include "views/theme/flat_tool_bar.h"
#include "views/theme/icons.h"
#include "views/theme/wrapped_label.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolBar>
#include <QVBoxLayout>

#include <utility>

namespace tessera::views {

namespace {

const QString kCodeTag = QStringLiteral("code text");

const char *formatOf(CodeKind kind) {
  return kind == CodeKind::Cpp ? "h" : kind == CodeKind::Python ? "py" : "json";
}

const std::string &textOf(const CompiledTexts &texts, CodeKind kind) {
  return kind == CodeKind::Loops ? texts.loops : kind == CodeKind::Ptx ? texts.ptx : texts.sass;
}

// The colour of each mark's kernel.
CodeView::KernelColours coloursOf(const std::vector<LineMark> &marks, const ShownSchedule &shown) {
  CodeView::KernelColours colours;
  for (const LineMark &mark : marks)
    colours.push_back(
        mark.subjects.empty() ? 0 : shown.colourOf(shown.placeOf(mark.subjects.front()).kernel));
  return colours;
}

Result<QString> exportedText(const ShownSchedule &shown, CodeKind kind, const std::string &machine,
                             const std::string &version) {
  const auto text =
      document::scheduleText(shown.found.schedule, formatOf(kind),
                             {machine, version, shown.found.prediction.milliseconds(), {}});
  if (!text) return text.error();
  return QString::fromStdString(*text);
}

} // namespace

QString titleOf(CodeKind kind) {
  switch (kind) {
  case CodeKind::Cpp:
    return QStringLiteral("C++");
  case CodeKind::Python:
    return QStringLiteral("Python");
  case CodeKind::Json:
    return QStringLiteral("JSON");
  case CodeKind::Loops:
    return CodePanel::tr("Loops");
  case CodeKind::Ptx:
    return QStringLiteral("PTX");
  case CodeKind::Sass:
    break;
  }
  return QStringLiteral("SASS");
}

CodePanel::CodePanel(ShownKernels &kernels, CompileFlow &compile, CompileFlow &compared,
                     Selection &selection, Bridge &bridge, std::string version, QWidget *parent)
    : QWidget(parent), m_kernels(kernels), m_compile(compile), m_compared(compared),
      m_selection(selection), m_bridge(bridge), m_version(std::move(version)) {
  setAccessibleName(tr("Code"));
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  m_view = new CodeView(this);
  m_view->setObjectName(QStringLiteral("codeView"));
  m_view->setAccessibleName(tr("Code of the schedule"));
  m_about = new QLabel(this);
  m_about->setObjectName(QStringLiteral("codeAbout"));
  m_about->setAccessibleName(tr("Lines that differ, and those of the active stage"));
  m_about->setForegroundRole(QPalette::PlaceholderText);
  m_about->setContentsMargins(10, 2, 10, 4);
  m_find = new FindBar(
      {QStringLiteral("codeFind"), tr("Find in the code"), tr("Text to find"), tr("Find")}, this);
  m_pages = new QStackedWidget(this);
  m_pages->addWidget(m_view);
  m_pages->addWidget(buildNote());
  auto *column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(buildBar());
  column->addWidget(m_find);
  column->addWidget(buildComparison());
  column->addWidget(m_pages, 1);
  column->addWidget(m_about);

  connect(m_tabs, &QTabBar::currentChanged, &m_refresh, &SeenRefresh::request);
  connect(m_view, &CodeView::lineChosen, this, &CodePanel::lineChosen);
  connect(m_view, &CodeView::matchesChanged, this,
          [this] { m_find->showPosition(m_view->currentMatch(), m_view->matches()); });
  connect(m_find, &FindBar::textChanged, m_view, &CodeView::search);
  connect(m_find, &FindBar::nextWanted, m_view, [this] { m_view->findNext(false); });
  connect(m_find, &FindBar::previousWanted, m_view, [this] { m_view->findNext(true); });
  connect(m_find, &FindBar::closed, this, [this] {
    m_find->hide();
    m_view->search({});
    m_view->setFocus();
  });
  connect(&m_kernels, &ShownKernels::changed, &m_refresh, &SeenRefresh::request);
  for (CompileFlow *flow : {&m_compile, &m_compared})
    connect(flow, &CompileFlow::changed, this, [this] {
      if (!isExported()) m_refresh.request();
    });
  connect(&m_selection, &Selection::changed, this, [this](Selection::Changes changes) {
    if (changes & Selection::ActiveChanged) lightActive(CodeView::Scroll::ToFirst);
  });
  m_refresh.now();
}

// --- building the widgets

QWidget *CodePanel::buildBar() {
  auto *row = new QWidget(this);
  m_tabs = new QTabBar(row);
  m_tabs->setObjectName(QStringLiteral("codeTabs"));
  m_tabs->setAccessibleName(tr("Kind of code"));
  m_tabs->setDrawBase(false);
  m_tabs->setExpanding(false);
  const QString meanings[kCodeKinds] = {
      tr("The schedule as a C++ header, as Halide's autoschedulers write it"),
      tr("The schedule for Halide's Python bindings"),
      tr("The schedule as JSON, which Tessera reads back"),
      tr("The loops that Halide makes from the schedule"),
      tr("The PTX code that Halide passes to the GPU's driver"),
      tr("The machine code that ptxas makes from the PTX")};
  for (int i = 0; i < kCodeKinds; ++i)
    m_tabs->setTabToolTip(m_tabs->addTab(titleOf(CodeKind(i))), meanings[i]);
  auto *bar = new FlatToolBar(tr("Code"), FlatToolBar::Edge::None, QMargins(6, 2, 6, 2), row);
  bar->setIconSize({16, 16});
  m_difference = addAction(*bar, QStringLiteral("difference"), {});
  m_difference->setCheckable(true);
  m_search = addAction(*bar, QStringLiteral("find"), tr("Find in the code (Ctrl+F)"));
  m_copy = addAction(*bar, QStringLiteral("copy"), tr("Copy the whole text"));
  connect(m_difference, &QAction::toggled, this, [this](bool isWanted) {
    if (!isWanted) m_compared.cancel();
    m_refresh.request();
  });
  connect(m_search, &QAction::triggered, this, &CodePanel::find);
  connect(m_copy, &QAction::triggered, this,
          [this] { QGuiApplication::clipboard()->setText(m_view->toPlainText()); });
  auto *layout = new QHBoxLayout(row);
  layout->setContentsMargins(6, 2, 0, 2);
  layout->addWidget(m_tabs);
  layout->addStretch(1);
  layout->addWidget(bar);
  return row;
}

QWidget *CodePanel::buildNote() {
  m_notePage = new QWidget(this);
  m_note = new WrappedLabel(m_notePage);
  m_note->setObjectName(QStringLiteral("codeNote"));
  m_note->setAccessibleName(tr("Why there is no text"));
  m_note->setAlignment(Qt::AlignCenter);
  m_button = new QPushButton(m_notePage);
  m_button->setObjectName(QStringLiteral("codeCompile"));
  auto *column = new QVBoxLayout(m_notePage);
  column->setContentsMargins(24, 24, 24, 24);
  column->addStretch(1);
  column->addWidget(m_note);
  column->addSpacing(8);
  column->addWidget(m_button, 0, Qt::AlignHCenter);
  column->addStretch(1);
  connect(m_button, &QPushButton::clicked, this, [this] {
    m_compile.state() == CompileFlow::State::Running ? m_compile.cancel() : m_compile.start();
  });
  return m_notePage;
}

QWidget *CodePanel::buildComparison() {
  m_comparison = new QWidget(this);
  m_comparison->setAutoFillBackground(true);
  m_comparison->setBackgroundRole(QPalette::AlternateBase);
  m_comparing = new WrappedLabel(m_comparison);
  m_comparing->setObjectName(QStringLiteral("codeComparing"));
  m_comparing->setAccessibleName(tr("Why there is no comparison"));
  m_comparingButton = new QPushButton(m_comparison);
  m_comparingButton->setObjectName(QStringLiteral("codeCompareButton"));
  auto *row = new QHBoxLayout(m_comparison);
  row->setContentsMargins(10, 4, 8, 4);
  row->addWidget(m_comparing, 1);
  row->addWidget(m_comparingButton);
  connect(m_comparingButton, &QPushButton::clicked, this, [this] {
    // While the job runs, the button stops it and also switches the difference off. Otherwise the
    // job would start again.
    m_compared.state() == CompileFlow::State::Running ? m_difference->setChecked(false)
                                                      : m_compared.start();
  });
  return m_comparison;
}

QAction *CodePanel::addAction(QToolBar &bar, const QString &iconName, const QString &text) {
  QAction *action = bar.addAction(icon(iconName), text);
  action->setObjectName(QStringLiteral("code-") + iconName);
  action->setToolTip(text);
  return action;
}

// --- choosing and showing a text

CodeKind CodePanel::kind() const { return CodeKind(m_tabs->currentIndex()); }

void CodePanel::show(CodeKind kind) { m_tabs->setCurrentIndex(int(kind)); }

bool CodePanel::wantsDifference() const { return m_difference->isChecked() && m_kernels.before(); }

QString CodePanel::comparedName() const {
  const std::vector<ComparedSchedule> compared = m_kernels.compared();
  if (m_kernels.comparesWithKept()) return tr("the kept schedule");
  if (compared.empty() || compared.front().name.isEmpty()) return tr("the previous schedule");
  return tr("%1, %2").arg(compared.front().title, compared.front().name);
}

void CodePanel::updateActions() {
  const bool hasBefore = m_kernels.before() != nullptr;
  m_difference->setEnabled(hasBefore);
  m_difference->setText(tr("Difference from %1").arg(comparedName()));
  m_difference->setToolTip(hasBefore ? m_difference->text()
                                     : tr("There is no previous schedule to compare with"));
}

// The other schedule is compiled after the shown one, because until then there is nothing to
// compare it with.
void CodePanel::updateComparison() {
  const bool isCompared =
      wantsDifference() && !isExported() && m_compile.state() == CompileFlow::State::Done;
  if (isCompared && m_compared.state() == CompileFlow::State::Idle) m_compared.start();
  const auto why = [this](const Error &error) {
    return tr("Cannot compare with %1: %2").arg(comparedName(), errorText(error));
  };
  const CompileFlow::State state = m_compared.state();
  QString text, button;
  if (isCompared && state == CompileFlow::State::Running) {
    text = tr("Compiling %1 to find the differences…").arg(comparedName());
    button = tr("S&top");
  } else if (isCompared && state == CompileFlow::State::Failed) {
    text = why(*m_compared.error());
    button = tr("&Try Again");
  } else if (isCompared && state == CompileFlow::State::Done &&
             textOf(*m_compared.texts(), kind()).empty()) {
    text = why(measure::missingText(m_compared.texts()->report));
  }
  m_comparing->setText(text.trimmed());
  m_comparingButton->setText(button);
  m_comparingButton->setVisible(!button.isEmpty());
  m_comparison->setVisible(!text.isEmpty());
}

void CodePanel::refresh() {
  updateActions();
  updateComparison();
  const auto make = wanted();
  if (!make) {
    m_bridge.cancelTag(kCodeTag);
    return;
  }
  m_bridge.run<Made>(
      kCodeTag, {}, [work = *make](const job::JobContext &job) { return work(job.stop); }, this,
      [this, of = kind()](Result<Made> text) { made(of, std::move(text)); });
}

std::optional<CodePanel::Make> CodePanel::wanted() {
  if (!m_kernels.schedule()) {
    showNote(emptyText(m_kernels), {});
    return std::nullopt;
  }
  if (isExported()) return makeSchedule();
  if (m_compile.state() == CompileFlow::State::Done && !textOf(*m_compile.texts(), kind()).empty())
    return makeCompiled();
  showCompileNote();
  return std::nullopt;
}

CodePanel::Make CodePanel::makeSchedule() const {
  return [of = kind(), shown = m_kernels.schedule(),
          before = wantsDifference() ? m_kernels.before() : nullptr,
          machine = m_kernels.facts().machine.name,
          version = m_version](const std::stop_token &) -> Result<Made> {
    const auto text = exportedText(*shown, of, machine, version);
    if (!text) return text.error();
    Made made{*text, marksOfSchedule(of, *text, *shown->found.schedule.base()), {}, {}};
    if (before) {
      const auto old = exportedText(*before, of, machine, version);
      if (!old) return old.error();
      made.compare(differenceOf(old->split('\n'), text->split('\n')));
    }
    made.colours = coloursOf(made.marks, *shown);
    return made;
  };
}

// Until the other schedule is compiled, the plain text is shown.
CodePanel::Make CodePanel::makeCompiled() const {
  const bool isCompared = wantsDifference() && m_compared.state() == CompileFlow::State::Done &&
                          !textOf(*m_compared.texts(), kind()).empty();
  return [of = kind(), shown = m_kernels.schedule(), texts = m_compile.texts(),
          others = isCompared ? m_compared.texts() : nullptr](const std::stop_token &stop) {
    Made made{QString::fromStdString(textOf(*texts, of)),
              marksOfCompiled(of, texts->report, *shown->found.schedule.base()),
              {},
              {}};
    if (others)
      made.compare(differenceOf(
          comparedText(of, QString::fromStdString(textOf(*others, of)), others->report),
          comparedText(of, made.text, texts->report), stop));
    made.colours = coloursOf(made.marks, *shown);
    return Result<Made>(std::move(made));
  };
}

void CodePanel::Made::compare(TextDifference with) {
  marks = marksIn(with, std::move(marks));
  difference = std::move(with);
}

void CodePanel::made(CodeKind of, Result<Made> made) {
  if (of != kind()) return;
  if (!made) {
    if (made.error().code != ErrorCode::Cancelled) showNote(errorText(made.error()), {});
    return;
  }
  const auto &difference = made->difference;
  m_counts = !difference
                 ? QString()
                 : tr("+%1 −%2 lines compared with %3")
                       .arg(countText(difference->count(LineChange::Added)),
                            countText(difference->count(LineChange::Removed)), comparedName());
  if (difference)
    m_view->showDifference(of, *difference, std::move(made->marks), std::move(made->colours));
  else
    m_view->showText(of, made->text, std::move(made->marks), std::move(made->colours));
  m_pages->setCurrentWidget(m_view);
  m_copy->setEnabled(true);
  // In a difference, the view does not scroll to the active stage, so that the first change is
  // visible.
  lightActive(difference ? CodeView::Scroll::No : CodeView::Scroll::ToFirst);
}

void CodePanel::showNote(const QString &text, const QString &button) {
  m_note->setText(text.trimmed());
  m_button->setText(button);
  m_button->setVisible(!button.isEmpty());
  m_pages->setCurrentWidget(m_notePage);
  m_copy->setEnabled(false);
  describe();
}

void CodePanel::showCompileNote() {
  const auto inTwoLines = [](const Error &error) {
    return QString::fromStdString(error.message + "\n" + error.hint);
  };
  switch (m_compile.state()) {
  case CompileFlow::State::Idle:
    showNote(tr("Compile to see Halide's loops, the PTX and the machine code of this "
                "schedule.\nThis takes a few seconds and needs no GPU."),
             tr("&Compile"));
    break;
  case CompileFlow::State::Running:
    showNote(tr("Compiling…"), tr("S&top"));
    break;
  case CompileFlow::State::Failed:
    showNote(inTwoLines(*m_compile.error()), tr("&Try Again"));
    break;
  case CompileFlow::State::Done:
    showNote(inTwoLines(measure::missingText(m_compile.texts()->report)), {});
    break;
  }
  m_button->setEnabled(m_compile.state() == CompileFlow::State::Running || m_compile.canStart());
}

// --- stages

void CodePanel::lineChosen(int line) {
  const LineMark *mark = markAt(m_view->marks(), line);
  if (mark && !mark->subjects.empty())
    m_selection.selectAll(mark->subjects, mark->subjects.front());
}

void CodePanel::lightActive(CodeView::Scroll scroll) {
  m_view->light(m_selection.active(), scroll);
  describe();
}

void CodePanel::describe() {
  QStringList parts;
  const bool isText = m_kernels.schedule() && m_pages->currentWidget() == m_view;
  if (isText && !m_counts.isEmpty()) parts << m_counts;
  if (const auto active = m_selection.active(); isText && active) {
    const pipeline::Pipeline &pipeline = *m_kernels.schedule()->found.schedule.base();
    const QString name = summarize(pipeline, *active).name;
    const int lines = m_view->litLines();
    parts << (lines == 1  ? tr("%1: 1 line").arg(name)
              : lines > 1 ? tr("%1: %2 lines", nullptr, lines).arg(name, countText(lines))
              : m_kernels.schedule()->placeOf(*active).isInlined
                  ? tr("%1 is inlined: it has no lines of its own").arg(name)
                  : tr("%1: no lines").arg(name));
  }
  m_about->setText(parts.join(QStringLiteral("   ·   ")));
  m_about->setToolTip(
      m_counts.isEmpty() || isExported()
          ? QString()
          : tr("Differences in addresses and in the numbering of registers, labels and temporaries "
               "are ignored: every change of the code shifts these"));
}

// --- find

void CodePanel::find() {
  m_find->open();
  m_view->search(m_find->text());
}

// While the text has the focus, these keys search in it and not in the DAG.
bool CodePanel::event(QEvent *event) {
  if (event->type() == QEvent::ShortcutOverride) {
    auto *key = static_cast<QKeyEvent *>(event);
    if (key->matches(QKeySequence::Find) || key->key() == Qt::Key_F3) {
      key->accept();
      return true;
    }
  }
  return QWidget::event(event);
}

void CodePanel::keyPressEvent(QKeyEvent *event) {
  if (event->matches(QKeySequence::Find)) return find();
  if (event->key() == Qt::Key_F3) return m_view->findNext(event->modifiers() & Qt::ShiftModifier);
  QWidget::keyPressEvent(event);
}

} // namespace tessera::views
