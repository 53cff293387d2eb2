// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/open/open_page.h"

#include "views/open/message_card.h"
#include "views/forms/build_form.h"
#include "views/forms/estimate_form.h"
#include "views/forms/generator_form.h"
#include "views/text/form_hint.h"
#include "views/text/from_std.h"

#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedLayout>

#include <algorithm>

namespace tessera::views {

namespace {

// The cards in the order in which they were added.
enum Page { kWorking, kTrust, kGenerator, kEstimates, kBuild, kFailed };

QString capitalized(QString text) {
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text;
}

} // namespace

OpenPage::OpenPage(OpenFlow &flow, Bridge &bridge, QWidget *parent)
    : QWidget(parent), m_flow(flow), m_bridge(bridge), m_stack(new QStackedLayout(this)) {
  setObjectName(QStringLiteral("openPage"));
  setAccessibleName(tr("Opening a pipeline"));
  buildWorking();
  buildTrust();
  buildGenerator();
  buildEstimates();
  buildBuild();
  buildFailed();
  connect(&m_flow, &OpenFlow::stateChanged, this, &OpenPage::refresh);
  connect(&m_bridge, &Bridge::runningChanged, this, &OpenPage::refreshProgress);
}

// Each card has a page of its own and stands a little above the centre of that page.
MessageCard *OpenPage::addCard(MessageCard *card) {
  auto *page = new QWidget(this);
  auto *grid = new QGridLayout(page);
  grid->addWidget(card, 1, 1);
  grid->setRowStretch(0, 2);
  grid->setRowStretch(2, 3);
  grid->setColumnStretch(0, 1);
  grid->setColumnStretch(1, 4);
  grid->setColumnStretch(2, 1);
  m_stack->addWidget(page);
  return card;
}

QPushButton *OpenPage::addBackButton(MessageCard *card) {
  QPushButton *button = card->addButton(tr("&Back"), QStringLiteral("back"));
  connect(button, &QPushButton::clicked, &m_flow, &OpenFlow::dismiss);
  m_backButtons.push_back(button);
  return button;
}

void OpenPage::buildWorking() {
  m_working = addCard(new MessageCard(MessageCard::Tone::Neutral, QStringLiteral("file"), this));
  m_progress = new QProgressBar(this);
  m_progress->setAccessibleName(tr("Progress of opening"));
  m_progress->setTextVisible(false);
  m_working->setContent(m_progress);
  QPushButton *cancel = m_working->addButton(tr("&Cancel"), QStringLiteral("cancelOpen"));
  connect(cancel, &QPushButton::clicked, &m_flow, &OpenFlow::dismiss);
}

void OpenPage::buildTrust() {
  m_trust = addCard(new MessageCard(MessageCard::Tone::Question, QStringLiteral("shield"), this));
  m_trust->setHint(tr("The file will run inside a sandbox, without network, and can write only to "
                      "a temporary folder of its own. Your answer holds for exactly this content; "
                      "after a rebuild you will be asked again."));
  addBackButton(m_trust);
  QPushButton *allow = m_trust->addButton(tr("&Allow"), QStringLiteral("allow"), true);
  connect(allow, &QPushButton::clicked, &m_flow, &OpenFlow::allow);
}

void OpenPage::buildGenerator() {
  m_choice = addCard(new MessageCard(MessageCard::Tone::Question, QStringLiteral("sliders"), this));
  m_choice->setTitle(tr("Which pipeline?"));
  m_generators = new GeneratorForm(this);
  m_choice->setContent(m_generators);
  addBackButton(m_choice);
  QPushButton *open = m_choice->addButton(tr("&Open"), QStringLiteral("openGenerator"), true);
  connect(open, &QPushButton::clicked, this, [this] {
    m_flow.choose(m_generators->generator(), m_generators->parameters(),
                  m_generators->ownSchedule());
  });
}

void OpenPage::buildEstimates() {
  m_missing = addCard(new MessageCard(MessageCard::Tone::Question, QStringLiteral("ruler"), this));
  m_missing->setTitle(tr("How large is it?"));
  m_estimates = new EstimateForm(this);
  m_missing->setContent(m_estimates);
  addBackButton(m_missing);
  QPushButton *open = m_missing->addButton(tr("&Open"), QStringLiteral("openEstimates"), true);
  connect(open, &QPushButton::clicked, this, [this] {
    auto estimates = m_estimates->estimates();
    if (!estimates) return m_estimates->showError(from(estimates.error().message));
    m_flow.estimate(std::move(*estimates));
  });
}

void OpenPage::buildBuild() {
  m_build = addCard(new MessageCard(MessageCard::Tone::Question, QStringLiteral("build"), this));
  m_options = new BuildForm(this);
  m_build->setContent(m_options);
  addBackButton(m_build);
  QPushButton *open = m_build->addButton(tr("&Open"), QStringLiteral("openBuild"), true);
  connect(open, &QPushButton::clicked, this, [this] { m_flow.build(m_options->options()); });
}

void OpenPage::buildFailed() {
  m_failed = addCard(new MessageCard(MessageCard::Tone::Error, QStringLiteral("error"), this));
  addBackButton(m_failed);
  QPushButton *other = m_failed->addButton(tr("Open &another…"), QStringLiteral("openAnother"));
  QPushButton *build = m_failed->addButton(tr("B&uild options…"), QStringLiteral("failedBuild"));
  QPushButton *retry = m_failed->addButton(tr("&Try again"), QStringLiteral("retry"), true);
  connect(other, &QPushButton::clicked, this, &OpenPage::openWanted);
  connect(build, &QPushButton::clicked, &m_flow, &OpenFlow::askBuild);
  connect(retry, &QPushButton::clicked, this,
          [this] { m_flow.open(open::OpenRequest(m_flow.request())); });
}

void OpenPage::showTrust() {
  const QFileInfo file(from(m_flow.request().path));
  const QString kind = m_flow.kind() ? from(name(*m_flow.kind())) : tr("program");
  QString text = tr("%1 is a %2. To read its pipeline, it has to run on this computer.\n")
                     .arg(file.fileName(), kind);
  for (const OpenFlow::Code &one : m_flow.code())
    text +=
        tr("\nFile: %1\nSHA-256: %2").arg(QDir::toNativeSeparators(from(one.path)), from(one.hash));
  m_trust->setTitle(m_flow.code().size() > 1 ? tr("Allow these files to run?")
                                             : tr("Allow this file to run?"));
  m_trust->setText(text);
  m_stack->setCurrentIndex(kTrust);
  m_trust->findChild<QPushButton *>(QStringLiteral("allow"))->setFocus();
}

// With an error, the generator asks for parameters: they are fields with values to begin with.
void OpenPage::showGenerators() {
  const QString file = QFileInfo(from(m_flow.request().path)).fileName();
  const auto &error = m_flow.error();
  open::OpenRequest request = m_flow.request();
  m_choice->setTitle(error ? tr("What does %1 work on?").arg(file) : tr("Which pipeline?"));
  m_choice->setHint(error ? formHint(error->hint) : QString());
  if (error)
    m_choice->setText(capitalized(from(error->message)).section('\n', 0, 0));
  else
    m_choice->setText(
        m_flow.generators().size() > 1
            ? tr("%1 holds %n generators.", nullptr, int(m_flow.generators().size())).arg(file)
            : tr("The generator in %1 has parameters.").arg(file));
  if (error && request.generator.empty()) request.generator = m_flow.generators().front().name;
  for (const Asked &one : error ? error->asked : std::vector<Asked>{})
    if (const std::size_t equals = one.value.find('='); one.option == "param")
      request.parameters.emplace_back(one.value.substr(0, equals), one.value.substr(equals + 1));
  m_generators->setGenerators(m_flow.generators(), request);
  m_stack->setCurrentIndex(kGenerator);
  m_choice->findChild<QPushButton *>(QStringLiteral("openGenerator"))->setFocus();
}

// What an error asks for stands in rows already. Of its hint, only what was not found is new.
QString OpenPage::buildHint(const Error &error) {
  if (error.asked.empty()) return formHint(error.hint);
  const QString found = tr("The rows below were found nearby. Change those that you do not mean.");
  const QString rest =
      formHint(error.hint.substr(std::min(error.hint.find('\n'), error.hint.size())));
  return rest.isEmpty() ? found : found + '\n' + rest;
}

QString OpenPage::buildText() const {
  QStringList lines;
  if (m_flow.isSource()) lines << tr("Halide's own headers are known, and need no row here.");
  QStringList functions;
  if (m_flow.document())
    for (const std::string &function : m_flow.document()->opened.file.functions.functions)
      functions << from(function);
  if (!functions.isEmpty())
    lines << tr("To run, its extern stages need these functions: %1. Add the sources or libraries "
                "that have them.")
                 .arg(functions.join(QStringLiteral(", ")));
  return lines.join('\n');
}

void OpenPage::showBuild() {
  const QString file = QFileInfo(from(m_flow.request().path)).fileName();
  const auto &error = m_flow.error();
  m_build->setTitle(error               ? tr("What does %1 need to be compiled?").arg(file)
                    : m_flow.isSource() ? tr("How is %1 compiled?").arg(file)
                                        : tr("What does %1 need to run?").arg(file));
  // The first line is Tessera's own. The output of a compiler follows it.
  m_build->setText(error ? capitalized(from(error->message)).section('\n', 0, 0) : buildText());
  m_build->setOutput(error ? from(error->message).section('\n', 1) : QString());
  m_build->setHint(error ? buildHint(*error) : QString());
  m_options->setOptions(m_flow.request().build, m_flow.buildNear(),
                        error ? error->asked : std::vector<Asked>{});
  m_stack->setCurrentIndex(kBuild);
  m_build->findChild<QPushButton *>(QStringLiteral("openBuild"))->setFocus();
}

void OpenPage::showFailed() {
  m_failed->setTitle(
      tr("%1 could not be opened").arg(QFileInfo(from(m_flow.request().path)).fileName()));
  // The first line is Tessera's own. The output of a compiler or generator follows it.
  m_failed->setText(capitalized(from(m_flow.error()->message)).section('\n', 0, 0));
  m_failed->setOutput(from(m_flow.error()->message).section('\n', 1));
  m_failed->setHint(from(m_flow.error()->hint));
  m_failed->findChild<QPushButton *>(QStringLiteral("failedBuild"))->setVisible(m_flow.isSource());
  m_stack->setCurrentIndex(kFailed);
  m_failed->findChild<QPushButton *>(QStringLiteral("retry"))->setFocus();
}

void OpenPage::refresh() {
  const QString back = m_flow.document()
                           ? tr("&Back to %1").arg(from(m_flow.document()->opened.pipeline->name()))
                           : tr("&Back");
  for (QPushButton *button : m_backButtons)
    button->setText(back);
  switch (m_flow.state()) {
  case OpenFlow::State::Idle:
    return;
  case OpenFlow::State::Working:
    m_working->setTitle(tr("Opening %1").arg(QFileInfo(from(m_flow.request().path)).fileName()));
    m_stack->setCurrentIndex(kWorking);
    return refreshProgress();
  case OpenFlow::State::AskTrust:
    return showTrust();
  case OpenFlow::State::AskGenerator:
    return showGenerators();
  case OpenFlow::State::AskEstimates:
    m_missing->setText(capitalized(from(m_flow.error()->message)));
    m_missing->setHint(formHint(m_flow.error()->hint));
    m_estimates->setAsked(m_flow.error()->asked);
    m_estimates->setEstimates(m_flow.request().estimates);
    return m_stack->setCurrentIndex(kEstimates);
  case OpenFlow::State::AskBuild:
    return showBuild();
  case OpenFlow::State::Failed:
    return showFailed();
  }
}

void OpenPage::refreshProgress() {
  for (const Bridge::Running &job : m_bridge.running()) {
    if (job.tag != QLatin1String("open")) continue;
    m_working->setText(capitalized(from(job.progress.phase)));
    m_progress->setRange(0, job.progress.fraction < 0 ? 0 : 1000);
    m_progress->setValue(int(job.progress.fraction * 1000));
  }
}

} // namespace tessera::views
