// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/job/worker_client.h"
#include "engine/record/record.h"

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::host {

// A directed graph whose nodes have sizes, in points. Edges run from producer to consumer.
struct GraphShape {
  struct Node {
    double width = 0;
    double height = 0;

    friend bool operator==(const Node &, const Node &) = default;
  };
  struct Edge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;

    friend bool operator==(const Edge &, const Edge &) = default;
  };
  std::vector<Node> nodes;
  std::vector<Edge> edges;

  friend bool operator==(const GraphShape &, const GraphShape &) = default;
};

struct GraphPoint {
  double x = 0;
  double y = 0; // grows downwards, as on a screen

  friend bool operator==(const GraphPoint &, const GraphPoint &) = default;
};

// The positions of nodes and edges. An edge is a cubic Bézier curve from the border of its producer
// to the border of its consumer, with 1 + 3·n points, at least 4.
struct GraphLayout {
  std::vector<GraphPoint> centres;             // one per node
  std::vector<std::vector<GraphPoint>> curves; // one per edge
  double width = 0;
  double height = 0;

  friend bool operator==(const GraphLayout &, const GraphLayout &) = default;
};

// A client of `tessera-layout`, which contains Graphviz: Graphviz is not thread-safe, may take
// minutes and may crash. Calls block, so run them as a job. The result is checked against the
// shape.
class LayoutClient {
public:
  explicit LayoutClient(std::string program, const record::Record &record = {});

  Result<GraphLayout> layout(const GraphShape &shape, std::chrono::milliseconds timeout,
                             std::stop_token stop = {});

  // Draws a graph in Graphviz's DOT language as an SVG document.
  Result<std::string> svg(const std::string &dot, std::chrono::milliseconds timeout,
                          std::stop_token stop = {});

  // Loads the worker before the first request.
  void warmUp() { m_worker.warmUp(); }

private:
  job::WorkerClient m_worker;
};

} // namespace tessera::host
