// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QLabel>

#include <map>
#include <optional>

namespace tessera::views {

// A text of several lines that can be selected. Qt lays such a text out anew whenever a layout asks
// how high it is, which is several times for each of them whenever one of them changes; here the
// answers are kept while text and font stay as they are.
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
    std::optional<QSize> hint, least;
  };
  Known &known() const;

  mutable Known m_known;
};

} // namespace tessera::views
