// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>

namespace tessera::views {

// The header of a sortable table. The arrow is beside the title, on the side with free space: Qt's
// styles draw it at the right end, over right-aligned titles. It paints itself in the palette's
// colours: a style sheet would keep those of the moment when it was set.
class SortHeader : public QHeaderView {
  Q_OBJECT
public:
  explicit SortHeader(QWidget *parent = nullptr);

  // The places of title and arrow in a section. The arrow is empty if the table is not sorted by
  // this section.
  struct Parts {
    QRect title, arrow;
  };
  Parts partsOf(int section) const; // in the viewport's coordinates

protected:
  void paintEvent(QPaintEvent *event) override;
  void paintSection(QPainter *painter, const QRect &rect, int section) const override;
  QSize sectionSizeFromContents(int section) const override;

private:
  Parts partsIn(const QRect &rect, int section) const;
  bool isSorted(int section) const;
};

} // namespace tessera::views
