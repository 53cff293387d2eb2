// SPDX-License-Identifier: MIT
#include "engine/host/layout.h"

#include "engine/record/process_lines.h"

#include <cmath>
#include <optional>
#include <utility>

namespace tessera::host {

namespace {

using nlohmann::json;

Error broken(const std::string &what) {
  return {ErrorCode::WorkerFailed, "the layout worker's answer is not a layout: " + what,
          "The plain layout is shown instead."};
}

// Points are sent as one flat array: x0, y0, x1, y1, …
std::optional<std::vector<GraphPoint>> pointsFrom(const json &flat) {
  if (!flat.is_array() || flat.size() % 2 != 0) return {};
  std::vector<GraphPoint> points;
  points.reserve(flat.size() / 2);
  for (std::size_t i = 0; i < flat.size(); i += 2) {
    if (!flat[i].is_number() || !flat[i + 1].is_number()) return {};
    const GraphPoint point{flat[i].get<double>(), flat[i + 1].get<double>()};
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) return {};
    points.push_back(point);
  }
  return points;
}

Result<GraphLayout> layoutFrom(const json &body, const GraphShape &shape) {
  if (!body.is_object() || !body.contains("centres") || !body.contains("curves"))
    return broken("members are missing");
  GraphLayout layout;
  auto centres = pointsFrom(body["centres"]);
  if (!centres || centres->size() != shape.nodes.size())
    return broken("not every node has a position");
  layout.centres = std::move(*centres);
  const json &curves = body["curves"];
  if (!curves.is_array() || curves.size() != shape.edges.size())
    return broken("not every edge has a curve");
  layout.curves.reserve(curves.size());
  for (const json &flat : curves) {
    auto points = pointsFrom(flat);
    if (!points || points->size() < 4 || points->size() % 3 != 1)
      return broken("an edge is not a Bézier curve");
    layout.curves.push_back(std::move(*points));
  }
  const json width = body.value("width", json()), height = body.value("height", json());
  if (!width.is_number() || !height.is_number()) return broken("the size is missing");
  layout.width = width.get<double>();
  layout.height = height.get<double>();
  return layout;
}

} // namespace

LayoutClient::LayoutClient(std::string program, const record::Record &record)
    : m_worker([&] {
        job::ProcessOptions options;
        options.program = std::move(program);
        options.listener = record::processLines(record, "tessera-layout");
        options.limits.addressSpaceBytes = std::size_t{4} << 30;
        return options;
      }()) {}

Result<GraphLayout> LayoutClient::layout(const GraphShape &shape, std::chrono::milliseconds timeout,
                                         std::stop_token stop) {
  json nodes = json::array(), edges = json::array();
  for (const GraphShape::Node &node : shape.nodes)
    nodes.push_back({{"width", node.width}, {"height", node.height}});
  for (const GraphShape::Edge &edge : shape.edges)
    edges.push_back({edge.from, edge.to});
  job::Reply reply = m_worker.request(
      "layout", {{"nodes", std::move(nodes)}, {"edges", std::move(edges)}, {"direction", "down"}},
      timeout, std::move(stop));
  if (reply.outcome != Outcome::Ok) return reply.error;
  return layoutFrom(reply.body, shape);
}

Result<std::string> LayoutClient::svg(const std::string &dot, std::chrono::milliseconds timeout,
                                      std::stop_token stop) {
  job::Reply reply = m_worker.request("svg", {{"dot", dot}}, timeout, std::move(stop));
  if (reply.outcome != Outcome::Ok) return reply.error;
  if (!reply.body.is_object() || !reply.body.contains("svg") || !reply.body["svg"].is_string())
    return broken("there is no SVG in it");
  return reply.body["svg"].get<std::string>();
}

} // namespace tessera::host
