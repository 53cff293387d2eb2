// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <vector>

namespace tessera::samples {

// A dense planar image, x fastest, for the plain C++ references. It starts at (0, 0, 0), as the
// inputs of all samples do. Where an output starts elsewhere, its reference says so.
template <typename T>
class Image {
public:
  Image(int width, int height, int channels = 1)
      : m_width(width), m_height(height), m_channels(channels),
        m_data(static_cast<std::size_t>(width) * height * channels) {}

  int width() const { return m_width; }
  int height() const { return m_height; }
  int channels() const { return m_channels; }
  T *data() { return m_data.data(); }
  const T *data() const { return m_data.data(); }
  std::size_t size() const { return m_data.size(); }

  T &at(int x, int y, int c = 0) { return m_data[index(x, y, c)]; }
  const T &at(int x, int y, int c = 0) const { return m_data[index(x, y, c)]; }

  // The pixel inside the image that is nearest to (x, y): the "repeat edge" boundary condition.
  const T &clamped(int x, int y, int c = 0) const {
    return at(std::clamp(x, 0, m_width - 1), std::clamp(y, 0, m_height - 1), c);
  }

private:
  std::size_t index(int x, int y, int c) const {
    assert(x >= 0 && x < m_width && y >= 0 && y < m_height && c >= 0 && c < m_channels);
    return (static_cast<std::size_t>(c) * m_height + y) * m_width + x;
  }

  int m_width;
  int m_height;
  int m_channels;
  std::vector<T> m_data;
};

} // namespace tessera::samples
