// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/layered_layout.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

namespace tessera::views {

using host::GraphLayout;
using host::GraphPoint;
using host::GraphShape;

namespace {

constexpr double kNodeGap = 26;
constexpr double kBendGap = 12;
constexpr double kLayerGap = 44;
constexpr int kOrderSweeps = 8;
constexpr int kPlaceSweeps = 8;
// With more bends than this, long edges are drawn straight.
constexpr std::size_t kMostBends = 60'000;

// A node of the shape, or a bend: the point where a long edge passes a layer.
struct Vertex {
  double width = 0;
  double height = 0;
  int layer = 0;
  double x = 0;
  bool isBend = false;
  std::vector<std::uint32_t> up, down; // neighbours in the layer above and in the layer below
};

class Layering {
public:
  explicit Layering(const GraphShape &shape) : m_shape(shape) {
    assignLayers();
    addVertices();
    order();
    place();
  }

  GraphLayout result() const;

private:
  void assignLayers();
  void addVertices();
  void order();
  void place();
  void placeLayer(const std::vector<std::uint32_t> &layer, bool byUp, bool byDown);
  double gapBetween(const Vertex &a, const Vertex &b) const {
    return (a.width + b.width) / 2 + (a.isBend && b.isBend ? kBendGap : kNodeGap);
  }

  const GraphShape &m_shape;
  std::vector<int> m_layerOf;
  std::vector<Vertex> m_vertices; // first the nodes of the shape, then the bends
  std::vector<std::vector<std::uint32_t>> m_layers;
  // Indexed by edge: its bends, from top to bottom.
  std::vector<std::vector<std::uint32_t>> m_chains;
};

void Layering::assignLayers() {
  const std::size_t n = m_shape.nodes.size();
  std::vector<std::vector<std::uint32_t>> consumers(n);
  std::vector<int> waiting(n, 0);
  for (const GraphShape::Edge &edge : m_shape.edges)
    if (edge.from != edge.to) {
      consumers[edge.from].push_back(edge.to);
      ++waiting[edge.to];
    }
  m_layerOf.assign(n, 0);
  std::vector<bool> isSource(n);
  std::vector<std::uint32_t> ready;
  for (std::uint32_t i = 0; i < n; ++i) {
    isSource[i] = waiting[i] == 0;
    if (isSource[i]) ready.push_back(i);
  }
  for (std::size_t next = 0; next < ready.size(); ++next)
    for (const std::uint32_t to : consumers[ready[next]]) {
      m_layerOf[to] = std::max(m_layerOf[to], m_layerOf[ready[next]] + 1);
      if (--waiting[to] == 0) ready.push_back(to);
    }
  // A source that is read late is placed in the layer just above its first reader.
  for (std::uint32_t i = 0; i < n; ++i) {
    if (!isSource[i] || consumers[i].empty()) continue;
    int first = m_layerOf[consumers[i].front()];
    for (const std::uint32_t to : consumers[i])
      first = std::min(first, m_layerOf[to]);
    m_layerOf[i] = std::max(0, first - 1);
  }
}

void Layering::addVertices() {
  for (std::size_t i = 0; i < m_shape.nodes.size(); ++i)
    m_vertices.push_back(
        {m_shape.nodes[i].width, m_shape.nodes[i].height, m_layerOf[i], 0, false, {}, {}});
  std::size_t bends = 0;
  for (const GraphShape::Edge &edge : m_shape.edges)
    bends += std::size_t(std::max(0, m_layerOf[edge.to] - m_layerOf[edge.from] - 1));
  const bool bend = bends <= kMostBends;

  m_chains.resize(m_shape.edges.size());
  for (std::size_t e = 0; e < m_shape.edges.size(); ++e) {
    const GraphShape::Edge &edge = m_shape.edges[e];
    const int span = m_layerOf[edge.to] - m_layerOf[edge.from];
    if (span < 1 || (span > 1 && !bend)) continue;
    std::uint32_t above = edge.from;
    const auto connect = [&](std::uint32_t below) {
      m_vertices[above].down.push_back(below);
      m_vertices[below].up.push_back(above);
      above = below;
    };
    for (int layer = m_layerOf[edge.from] + 1; layer < m_layerOf[edge.to]; ++layer) {
      m_vertices.push_back({0, 0, layer, 0, true, {}, {}});
      m_chains[e].push_back(static_cast<std::uint32_t>(m_vertices.size() - 1));
      connect(m_chains[e].back());
    }
    connect(edge.to);
  }
  for (std::uint32_t v = 0; v < m_vertices.size(); ++v) {
    const auto layer = static_cast<std::size_t>(m_vertices[v].layer);
    if (m_layers.size() <= layer) m_layers.resize(layer + 1);
    m_layers[layer].push_back(v);
  }
}

// Orders each layer by the barycentres of the neighbours, in sweeps that go down and up in turn.
void Layering::order() {
  std::vector<double> position(m_vertices.size());
  const auto number = [&](const std::vector<std::uint32_t> &layer) {
    for (std::size_t i = 0; i < layer.size(); ++i)
      position[layer[i]] = double(i);
  };
  for (const auto &layer : m_layers)
    number(layer);
  std::vector<double> wish(m_vertices.size());
  const auto sortLayer = [&](std::vector<std::uint32_t> &layer, bool byUp) {
    for (const std::uint32_t v : layer) {
      const auto &beside = byUp ? m_vertices[v].up : m_vertices[v].down;
      double sum = 0;
      for (const std::uint32_t u : beside)
        sum += position[u];
      wish[v] = beside.empty() ? position[v] : sum / double(beside.size());
    }
    std::ranges::stable_sort(layer, {}, [&](std::uint32_t v) { return wish[v]; });
    number(layer);
  };
  for (int sweep = 0; sweep < kOrderSweeps; ++sweep) {
    for (std::size_t i = 1; i < m_layers.size(); ++i)
      sortLayer(m_layers[i], true);
    for (std::size_t i = m_layers.size(); i-- > 1;)
      sortLayer(m_layers[i - 1], false);
  }
}

void Layering::place() {
  for (const auto &layer : m_layers) {
    double x = 0;
    for (std::size_t i = 0; i < layer.size(); ++i) {
      if (i > 0) x += gapBetween(m_vertices[layer[i - 1]], m_vertices[layer[i]]);
      m_vertices[layer[i]].x = x;
    }
    for (const std::uint32_t v : layer)
      m_vertices[v].x -= x / 2;
  }
  for (int sweep = 0; sweep < kPlaceSweeps; ++sweep) {
    for (std::size_t i = 1; i < m_layers.size(); ++i)
      placeLayer(m_layers[i], true, false);
    for (std::size_t i = m_layers.size(); i-- > 1;)
      placeLayer(m_layers[i - 1], false, true);
  }
  for (const auto &layer : m_layers)
    placeLayer(layer, true, true);
}

// Each vertex is placed close to the mean of its neighbours, keeping the order and the gaps. With
// the gaps subtracted as offsets, this is isotonic regression, for which pool adjacent violators
// gives the exact least-squares solution.
void Layering::placeLayer(const std::vector<std::uint32_t> &layer, bool byUp, bool byDown) {
  struct Pool {
    double sum, weight;
    std::size_t count;
    double mean() const { return sum / weight; }
  };
  std::vector<Pool> pools;
  std::vector<double> offsets;
  double offset = 0;
  for (std::size_t i = 0; i < layer.size(); ++i) {
    const Vertex &vertex = m_vertices[layer[i]];
    if (i > 0) offset += gapBetween(m_vertices[layer[i - 1]], vertex);
    offsets.push_back(offset);
    double sum = 0, weight = 0;
    const auto pull = [&](std::uint32_t u) {
      // Two bends of one edge pull each other more strongly, so that long edges are straight.
      const double strength = vertex.isBend && m_vertices[u].isBend ? 4 : 1;
      sum += strength * m_vertices[u].x;
      weight += strength;
    };
    if (byUp) std::ranges::for_each(vertex.up, pull);
    if (byDown) std::ranges::for_each(vertex.down, pull);
    const double wish = weight > 0 ? sum / weight : vertex.x;
    const double importance = weight > 0 ? 1 : 0.05;
    pools.push_back({(wish - offset) * importance, importance, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().weight += last.weight;
      pools.back().count += last.count;
    }
  }
  std::size_t i = 0;
  for (const Pool &pool : pools)
    for (std::size_t k = 0; k < pool.count; ++k, ++i)
      m_vertices[layer[i]].x = pool.mean() + offsets[i];
}

// Appends a curve piece that leaves and arrives vertically.
void appendPiece(std::vector<GraphPoint> &curve, GraphPoint to) {
  const GraphPoint from = curve.back();
  const double half = (to.y - from.y) / 2;
  curve.push_back({from.x, from.y + half});
  curve.push_back({to.x, to.y - half});
  curve.push_back(to);
}

GraphLayout Layering::result() const {
  GraphLayout layout;
  std::vector<double> middle(m_layers.size()), height(m_layers.size(), 0);
  double y = 0;
  for (std::size_t i = 0; i < m_layers.size(); ++i) {
    for (const std::uint32_t v : m_layers[i])
      height[i] = std::max(height[i], m_vertices[v].height);
    middle[i] = y + height[i] / 2;
    y += height[i] + kLayerGap;
  }
  layout.height = m_layers.empty() ? 0 : y - kLayerGap;

  double left = 0, right = 0;
  for (std::size_t v = 0; v < m_vertices.size(); ++v) {
    const double low = m_vertices[v].x - m_vertices[v].width / 2;
    left = v == 0 ? low : std::min(left, low);
    right = v == 0 ? low : std::max(right, m_vertices[v].x + m_vertices[v].width / 2);
  }
  layout.width = right - left;
  const auto xOf = [&](std::uint32_t v) { return m_vertices[v].x - left; };
  for (std::uint32_t i = 0; i < m_shape.nodes.size(); ++i)
    layout.centres.push_back({xOf(i), middle[static_cast<std::size_t>(m_layerOf[i])]});
  for (std::size_t e = 0; e < m_shape.edges.size(); ++e) {
    const auto [from, to] = m_shape.edges[e];
    const GraphPoint start = layout.centres[from], end = layout.centres[to];
    std::vector<GraphPoint> curve{{start.x, start.y + m_shape.nodes[from].height / 2}};
    for (const std::uint32_t bend : m_chains[e]) {
      const auto layer = static_cast<std::size_t>(m_vertices[bend].layer);
      appendPiece(curve, {xOf(bend), middle[layer] - height[layer] / 2});
      appendPiece(curve, {xOf(bend), middle[layer] + height[layer] / 2});
    }
    appendPiece(curve, {end.x, end.y - m_shape.nodes[to].height / 2});
    layout.curves.push_back(std::move(curve));
  }
  return layout;
}

} // namespace

GraphLayout layeredLayout(const GraphShape &shape) { return Layering(shape).result(); }

} // namespace tessera::views
