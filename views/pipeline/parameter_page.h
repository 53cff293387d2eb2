// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/open_flow.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace tessera::views {

class GeneratorForm;

// The generator of the open pipeline and its parameters. Applying them runs the generator again.
class ParameterPage : public QWidget {
  Q_OBJECT
public:
  explicit ParameterPage(OpenFlow &open, QWidget *parent = nullptr);

signals:
  void openWanted(const tessera::open::OpenRequest &request);

private:
  void refresh();
  void apply();

  OpenFlow &m_open;
  QLabel *m_text = nullptr;
  GeneratorForm *m_form = nullptr;
  QPushButton *m_apply = nullptr;
};

} // namespace tessera::views
