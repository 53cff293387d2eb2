// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QLineEdit;

namespace tessera::views {

// A line for a search word, and buttons to go from match to match. Its owner does the searching.
class FindBar : public QWidget {
  Q_OBJECT
public:
  struct Words {
    QString id; // "find": the bar is findBar, its line findLine
    // Accessible names of the bar and its line, and the line's placeholder.
    QString name, line, placeholder;
  };
  explicit FindBar(const Words &words, QWidget *parent = nullptr);

  void open(); // shows the bar and gives it the focus
  QString text() const;
  void showPosition(int current, int matches); // `current` counts from 1; 0: none

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
