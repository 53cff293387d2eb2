// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFrame>

class QHBoxLayout;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QVBoxLayout;

namespace tessera::views {

// A message in the place of the DAG: icon, title, text, room for a form, buttons. The text can be
// selected, because users copy error messages.
class MessageCard : public QFrame {
  Q_OBJECT
public:
  enum class Tone { Neutral, Question, Error };

  MessageCard(Tone tone, const QString &iconName, QWidget *parent = nullptr);

  void setTitle(const QString &title);
  void setText(const QString &text);
  void setOutput(const QString &output); // a program's output, in a fixed-width font; empty: none
  void setHint(const QString &hint);     // what the user can do; painted fainter
  void setContent(QWidget *content);
  QPushButton *addButton(const QString &text, const QString &objectName, bool isDefault = false);

protected:
  void changeEvent(QEvent *event) override;
  void paintEvent(QPaintEvent *event) override;

private:
  void buildOutput();
  void restyle();

  Tone m_tone;
  QString m_iconName;
  QLabel *m_icon = nullptr;
  QLabel *m_title = nullptr;
  QLabel *m_text = nullptr;
  QLabel *m_hint = nullptr;
  QPlainTextEdit *m_output = nullptr;
  QColor m_border;
  QVBoxLayout *m_column = nullptr;
  QHBoxLayout *m_buttons = nullptr;
};

} // namespace tessera::views
