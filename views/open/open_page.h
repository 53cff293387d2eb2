// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/open_flow.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;
class QStackedLayout;

namespace tessera::views {

class BuildForm;
class EstimateForm;
class GeneratorForm;
class MessageCard;

// The pages shown in the place of the DAG while a file is being opened: progress, the question of
// trust, the choice of a generator, missing estimates, what a source needs to be compiled, the
// error.
class OpenPage : public QWidget {
  Q_OBJECT
public:
  OpenPage(OpenFlow &flow, Bridge &bridge, QWidget *parent = nullptr);

signals:
  void openWanted(); // the user wants to choose another file

private:
  MessageCard *addCard(MessageCard *card);
  void buildWorking();
  void buildTrust();
  void buildGenerator();
  void buildEstimates();
  void buildBuild();
  void buildFailed();
  QPushButton *addBackButton(MessageCard *card);
  void refresh();
  void showTrust();
  void showGenerators();
  void showBuild();
  static QString buildHint(const Error &error);
  QString buildText() const;
  void showFailed();
  void refreshProgress();

  OpenFlow &m_flow;
  Bridge &m_bridge;
  QStackedLayout *m_stack = nullptr;
  MessageCard *m_working = nullptr, *m_trust = nullptr, *m_choice = nullptr, *m_missing = nullptr,
              *m_build = nullptr, *m_failed = nullptr;
  QProgressBar *m_progress = nullptr;
  GeneratorForm *m_generators = nullptr;
  EstimateForm *m_estimates = nullptr;
  BuildForm *m_options = nullptr;
  std::vector<QPushButton *> m_backButtons;
};

} // namespace tessera::views
