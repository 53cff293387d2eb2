// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/document_flow.h"
#include "views/tables/input_model.h"

#include <QWidget>

#include <optional>

class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QTableView;

namespace tessera::views {

// The data that Measure and Verify run schedules on: a file or random numbers for an input, a
// number for a scalar, and what the outputs may be off by. A file is read before it is accepted, so
// a file that does not fit changes nothing. A number may change the sizes of buffers, so the
// pipeline is opened again with it.
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
  void setTolerance();
  void tell(const QString &text, bool isWrong);
  bool eventFilter(QObject *watched, QEvent *event) override;

  DocumentFlow &m_documents;
  Bridge &m_bridge;
  InputModel m_model;
  OpenFlow::DocumentPtr m_opened; // the document that the rows belong to
  QTableView *m_table = nullptr;
  QSpinBox *m_seed = nullptr;
  QLineEdit *m_tolerance = nullptr;
  std::optional<report::GivenTolerance> m_shownTolerance; // that the field was last set to
  QLabel *m_note = nullptr;
  QPushButton *m_choose = nullptr, *m_random = nullptr;
};

} // namespace tessera::views
