// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/document_flow.h"
#include "views/tables/input_model.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QSpinBox;
class QTableView;

namespace tessera::views {

// What Measure and Verify run schedules on: a file for an input, or random numbers; the number of
// a scalar. A file is read before it is taken, so that one that does not fit changes nothing. A
// number may decide how large everything is, so the pipeline is opened with it, as at another size.
class InputPage : public QWidget {
  Q_OBJECT
public:
  InputPage(DocumentFlow &documents, Bridge &bridge, QWidget *parent = nullptr);

  InputModel &model() { return m_model; }

signals:
  void openWanted(const tessera::open::OpenRequest &request);

private:
  void buildTable();
  void refresh();
  void updateButtons();
  void wish(const QString &input, const QString &path);
  void wishNumber(const QString &scalar, const QString &number);
  void chooseFile();
  void makeRandom();
  void setSeed(int seed);
  void tell(const QString &text, bool isWrong);
  bool eventFilter(QObject *watched, QEvent *event) override;

  DocumentFlow &m_documents;
  Bridge &m_bridge;
  InputModel m_model;
  OpenFlow::DocumentPtr m_opened; // that the rows are of
  QTableView *m_table = nullptr;
  QSpinBox *m_seed = nullptr;
  QLabel *m_note = nullptr;
  QPushButton *m_choose = nullptr, *m_random = nullptr;
};

} // namespace tessera::views
