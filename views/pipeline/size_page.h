// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/document_flow.h"
#include "views/flows/open_flow.h"
#include "views/settings/own_sizes.h"
#include "views/tables/interface_model.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QListWidget;
class QPushButton;
class QTableView;

namespace tessera::views {

// Outputs, inputs and scalars with their estimates, which come from one of several named sizes or
// are changed by hand. Applying opens the same pipeline with them. Decisions that do not fit the
// new size are listed.
class SizePage : public QWidget {
  Q_OBJECT
public:
  SizePage(OpenFlow &open, DocumentFlow &documents, QSettings &settings, QWidget *parent = nullptr);

  InterfaceModel &model() { return m_model; }

signals:
  void openWanted(const tessera::open::OpenRequest &request);

private:
  QWidget *buildChooser();
  QWidget *buildButtons();
  QPushButton *addButton(const QString &text, const QString &name, void (SizePage::*run)());
  void refresh();
  void fillSizes();
  void addSize(const QString &text, const QString &size, const QStringList &estimates);
  void updateButtons();
  void showLost();
  void choose(int index);
  void apply();
  void revert();
  void askForName();
  void remove();
  QString pipelineName() const;

  OpenFlow &m_open;
  DocumentFlow &m_documents;
  OwnSizes m_sizes;
  InterfaceModel m_model;
  QComboBox *m_size = nullptr;
  QTableView *m_table = nullptr;
  QLabel *m_note = nullptr;
  QPushButton *m_apply = nullptr, *m_revert = nullptr, *m_save = nullptr, *m_remove = nullptr;
  QLabel *m_lostTitle = nullptr;
  QListWidget *m_lost = nullptr;
};

} // namespace tessera::views
