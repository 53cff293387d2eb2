// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QLabel>

#include <map>

namespace tessera::views {

// A text of several lines that can be selected, and that gets the width of its panel. Qt lays such
// a text out about ten times whenever it changes, to find the widths that it could have; here only
// its height at a given width is asked of the text, and kept while text and font stay as they are.
class WrappedLabel : public QLabel {
  Q_OBJECT
public:
  explicit WrappedLabel(QWidget *parent = nullptr);

  int heightForWidth(int width) const override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

private:
  struct Known {
    QString text;
    QFont font;
    std::map<int, int> heights; // by width
  };
  int lettersWide(int count) const;
  int lineHeight() const;

  mutable Known m_known;
};

} // namespace tessera::views
