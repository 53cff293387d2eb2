// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QLineEdit;

namespace tessera::views {

// A line to type a word into, and the way from match to match. Who owns it does the finding.
class FindBar : public QWidget {
  Q_OBJECT
public:
  struct Words {
    QString id;                      // "find": the bar is findBar, its line findLine
    QString name, line, placeholder; // of the bar and its line, for who cannot see them
  };
  explicit FindBar(const Words &words, QWidget *parent = nullptr);

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
