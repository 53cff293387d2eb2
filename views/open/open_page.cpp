// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/open/open_page.h"

#include "views/open/message_card.h"
#include "views/forms/estimate_form.h"
#include "views/forms/generator_form.h"
#include "views/text/from_std.h"

#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedLayout>

namespace tessera::views {

namespace {

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
  m_trust->setTitle(tr("Allow this file to run?"));
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

void OpenPage::buildFailed() {
  m_failed = addCard(new MessageCard(MessageCard::Tone::Error, QStringLiteral("error"), this));
  addBackButton(m_failed);
  QPushButton *other = m_failed->addButton(tr("Open &another…"), QStringLiteral("openAnother"));
  QPushButton *retry = m_failed->addButton(tr("&Try again"), QStringLiteral("retry"), true);
  connect(other, &QPushButton::clicked, this, &OpenPage::openWanted);
  connect(retry, &QPushButton::clicked, this,
          [this] { m_flow.open(open::OpenRequest(m_flow.request())); });
}

void OpenPage::refresh() {
  const QFileInfo file(from(m_flow.request().path));
  const QString back = m_flow.document()
                           ? tr("&Back to %1").arg(from(m_flow.document()->opened.pipeline->name()))
                           : tr("&Back");
  for (QPushButton *button : m_backButtons)
    button->setText(back);
  switch (m_flow.state()) {
  case OpenFlow::State::Idle:
    return;
  case OpenFlow::State::Working:
    m_working->setTitle(tr("Opening %1").arg(file.fileName()));
    m_stack->setCurrentIndex(0);
    return refreshProgress();
  case OpenFlow::State::AskTrust: {
    const QString kind = m_flow.kind() ? QString::fromUtf8(name(*m_flow.kind()).data(),
                                                           qsizetype(name(*m_flow.kind()).size()))
                                       : tr("program");
    m_trust->setText(
        tr("%1 is a %2. To read its pipeline, it has to run on this computer.\n\n"
           "Folder: %3\nSHA-256: %4")
            .arg(file.fileName(), kind, QDir::toNativeSeparators(file.path()), m_flow.hash()));
    m_stack->setCurrentIndex(1);
    m_trust->findChild<QPushButton *>(QStringLiteral("allow"))->setFocus();
    return;
  }
  case OpenFlow::State::AskGenerator:
    m_choice->setText(m_flow.generators().size() > 1
                          ? tr("%1 holds %n generators.", nullptr, int(m_flow.generators().size()))
                                .arg(file.fileName())
                          : tr("The generator in %1 has parameters.").arg(file.fileName()));
    m_generators->setGenerators(m_flow.generators(), m_flow.request());
    m_stack->setCurrentIndex(2);
    m_choice->findChild<QPushButton *>(QStringLiteral("openGenerator"))->setFocus();
    return;
  case OpenFlow::State::AskEstimates:
    m_missing->setText(capitalized(from(m_flow.error()->message)));
    m_missing->setHint(from(m_flow.error()->hint));
    m_estimates->setNames(namesIn(from(m_flow.error()->message)));
    m_estimates->setEstimates(m_flow.request().estimates);
    m_stack->setCurrentIndex(3);
    return;
  case OpenFlow::State::Failed:
    m_failed->setTitle(tr("%1 could not be opened").arg(file.fileName()));
    // The first line is Tessera's own. The output of a compiler or generator follows it.
    m_failed->setText(capitalized(from(m_flow.error()->message)).section('\n', 0, 0));
    m_failed->setOutput(from(m_flow.error()->message).section('\n', 1));
    m_failed->setHint(from(m_flow.error()->hint));
    m_stack->setCurrentIndex(4);
    m_failed->findChild<QPushButton *>(QStringLiteral("retry"))->setFocus();
    return;
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
