// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;

namespace tessera::views {

// A line to type a name into, and the way from match to match. Who owns it does the finding.
class FindBar : public QWidget {
  Q_OBJECT
public:
  explicit FindBar(QWidget *parent = nullptr);

  void open(); // shows it and takes the focus
  QString text() const;
  void showPosition(int current, int matches); // current counts from 1; 0: none

signals:
  void textChanged(const QString &text);
  void nextWanted();
  void previousWanted();
  void closed();

protected:
  void keyPressEvent(QKeyEvent *event) override;

private:
  QLineEdit *m_line = nullptr;
  QLabel *m_position = nullptr;
};

} // namespace tessera::views
