// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/text/stage_summary.h"

#include <QColor>
#include <QPalette>

namespace tessera::views {

enum class Appearance : std::uint8_t { System, Light, Dark };

// Tessera's own palettes. The greys of the Fusion style would be more prominent than the content.
QPalette lightPalette();
QPalette darkPalette();

// Sets style and palette of the whole program. `systemIsDark` is the desktop's choice, used for
// Appearance::System; main() reads it before it sets another palette.
void applyAppearance(Appearance appearance, bool systemIsDark);

bool isDark(const QPalette &palette);
QColor mix(const QColor &a, const QColor &b, double shareOfB);

// Colours without a palette role. They are derived from the palette, so that they fit dark and
// light.
struct Colors {
  explicit Colors(const QPalette &palette);

  QColor hue(StageKind kind, bool isOutput) const; // saturated
  QColor nodeFill(StageKind kind, bool isOutput) const;
  // The colour of a node at scales where nodes are drawn as small coloured blocks.
  QColor nodeBlock(StageKind kind, bool isOutput) const;
  QColor nodeBorder(StageKind kind, bool isOutput) const;

  // The colour of a kernel, by ShownSchedule::colourOf() and not by the kernel's own number, which
  // changes with each edit. Neighbouring numbers get distant hues. With many kernels hues become
  // similar, so the kernel's number is always shown as well.
  QColor kernelHue(int colour) const;
  QColor kernelFill(int colour) const;
  QColor kernelBlock(int colour) const;
  QColor heat(double part) const;          // the colour of a cost: 0 is none, 1 the highest
  QColor onTop(const QColor &color) const; // the colour of readable text on `color`
  QColor ghost(const QColor &color) const; // a paler `color`, for inlined stages

  bool dark = false;
  QColor canvas, text, faintText, line;
  QColor edge, edgeFar;      // edgeFar is for scales at which many edges are close together
  QColor accent;             // the colour of the selection
  QColor producer, consumer; // the colours of the neighbours of a hovered or selected node
  QColor error, warning, success;
};

} // namespace tessera::views
