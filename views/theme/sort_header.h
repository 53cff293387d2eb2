// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>

namespace tessera::views {

// The head of a table that can be sorted. The arrow stands beside the title, on the side where
// there is room: styles put it at the right end, on top of titles that are aligned there.
class SortHeader : public QHeaderView {
  Q_OBJECT
public:
  explicit SortHeader(QWidget *parent = nullptr);

  // Where title and arrow of a section are; an empty arrow: it is not sorted by it.
  struct Parts {
    QRect title, arrow;
  };
  Parts partsOf(int section) const; // in the viewport

protected:
  void paintSection(QPainter *painter, const QRect &rect, int section) const override;
  QSize sectionSizeFromContents(int section) const override;

private:
  Parts partsIn(const QRect &rect, int section) const;
  bool isSorted(int section) const;
};

} // namespace tessera::views
