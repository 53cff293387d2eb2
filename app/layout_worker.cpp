// SPDX-License-Identifier: MIT
// tessera-layout: the only program that uses Graphviz. It reads requests from standard input
// (engine/job), so that it can be killed if a layout takes too long.
#include "engine/job/worker_client.h"

#include <graphviz/cgraph.h>
#include <graphviz/gvc.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace {

using nlohmann::json;
using tessera::Error;
using tessera::ErrorCode;
using tessera::Outcome;
using tessera::job::Reply;
using tessera::job::WorkerRequest;

constexpr double kPointsPerInch = 72;

struct FreeContext {
  void operator()(GVC_t *context) const { gvFreeContext(context); }
};
using Context = std::unique_ptr<GVC_t, FreeContext>;

struct CloseGraph {
  void operator()(Agraph_t *graph) const { agclose(graph); }
};
using Graph = std::unique_ptr<Agraph_t, CloseGraph>;

Reply refuse(std::string message) {
  Reply reply;
  reply.outcome = Outcome::CompileError;
  reply.error = {ErrorCode::InputRefused, std::move(message), {}};
  return reply;
}

void set(Agraph_t *graph, int kind, const char *name, const char *value) {
  agattr(graph, kind, const_cast<char *>(name), const_cast<char *>(value));
}

// The number of ranks that each edge spans, summed over all edges. dot creates a virtual node
// wherever an edge crosses a rank, and its time depends more on virtual nodes than on real ones.
// Edges that close a cycle do not count.
std::size_t crossedRanks(std::size_t nodes, const json &edges) {
  std::vector<std::vector<std::size_t>> consumers(nodes);
  std::vector<std::size_t> waiting(nodes, 0), rank(nodes, 0), ready;
  for (const json &edge : edges) {
    consumers[edge[0].get<std::size_t>()].push_back(edge[1].get<std::size_t>());
    ++waiting[edge[1].get<std::size_t>()];
  }
  for (std::size_t i = 0; i < nodes; ++i)
    if (waiting[i] == 0) ready.push_back(i);
  for (std::size_t next = 0; next < ready.size(); ++next)
    for (const std::size_t to : consumers[ready[next]]) {
      rank[to] = std::max(rank[to], rank[ready[next]] + 1);
      if (--waiting[to] == 0) ready.push_back(to);
    }
  std::size_t crossed = 0;
  for (const json &edge : edges) {
    const std::size_t from = rank[edge[0].get<std::size_t>()],
                      to = rank[edge[1].get<std::size_t>()];
    if (to > from) crossed += to - from;
  }
  return crossed;
}

// dot's defaults are best while they are fast: a layered graph of 1,000 nodes and 1,900 short edges
// took 0.7 s. Long edges are much slower: 400 nodes and 1,300 edges, a third of them long, took
// more than 40 s; with nslimit 2 and mclimit 0.5 they took 21 s; with nslimit 0.5, mclimit 0.2 and
// straight lines 7.8 s; hard graphs get still lower limits. A graph of 1,000 nodes with so many
// long edges takes longer than the deadline even then, and keeps its plain layout.
void chooseEffort(Agraph_t *graph, std::size_t crossed) {
  const bool easy = crossed <= 3000, hard = crossed > 6000;
  set(graph, AGRAPH, "splines", hard ? "line" : "true");
  if (easy) return;
  set(graph, AGRAPH, "nslimit", hard ? "0.3" : "2");
  set(graph, AGRAPH, "nslimit1", hard ? "0.3" : "2");
  set(graph, AGRAPH, "mclimit", hard ? "0.1" : "0.5");
}

// A straight edge as a Bézier curve, for edges that Graphviz did not route.
json straight(double x0, double y0, double x1, double y1) {
  return {x0,
          y0,
          x0 + (x1 - x0) / 3,
          y0 + (y1 - y0) / 3,
          x0 + 2 * (x1 - x0) / 3,
          y0 + 2 * (y1 - y0) / 3,
          x1,
          y1};
}

json curveOf(Agedge_t *edge, double top) {
  const splines *routed = ED_spl(edge);
  if (!routed || routed->size == 0 || routed->list[0].size < 4) {
    const pointf from = ND_coord(agtail(edge)), to = ND_coord(aghead(edge));
    return straight(from.x, top - from.y, to.x, top - to.y);
  }
  json flat = json::array();
  const bezier &curve = routed->list[0];
  for (int i = 0; i < curve.size; ++i) {
    flat.push_back(curve.list[i].x);
    flat.push_back(top - curve.list[i].y);
  }
  return flat;
}

Reply layout(GVC_t *context, const WorkerRequest &request) {
  const json &fields = request.fields;
  if (!fields.contains("nodes") || !fields["nodes"].is_array() || !fields.contains("edges") ||
      !fields["edges"].is_array())
    return refuse("a layout request needs nodes and edges");
  const json &nodes = fields["nodes"], &edges = fields["edges"];

  Graph graph(agopen(const_cast<char *>("pipeline"), Agdirected, nullptr));
  const std::string direction = fields.value("direction", "down");
  set(graph.get(), AGRAPH, "rankdir", direction == "right" ? "LR" : "TB");
  set(graph.get(), AGRAPH, "nodesep", "0.28");
  set(graph.get(), AGRAPH, "ranksep", "0.38");
  set(graph.get(), AGNODE, "shape", "box");
  set(graph.get(), AGNODE, "fixedsize", "true");
  set(graph.get(), AGNODE, "label", "");
  set(graph.get(), AGNODE, "width", "1");
  set(graph.get(), AGNODE, "height", "1");
  set(graph.get(), AGEDGE, "dir", "none");

  std::vector<Agnode_t *> made;
  for (const json &node : nodes) {
    if (!node.is_object() || !node.value("width", json()).is_number() ||
        !node.value("height", json()).is_number())
      return refuse("a node needs a width and a height");
    std::string name = std::to_string(made.size());
    Agnode_t *n = agnode(graph.get(), name.data(), 1);
    char text[32];
    std::snprintf(text, sizeof text, "%.4f", node["width"].get<double>() / kPointsPerInch);
    agset(n, const_cast<char *>("width"), text);
    std::snprintf(text, sizeof text, "%.4f", node["height"].get<double>() / kPointsPerInch);
    agset(n, const_cast<char *>("height"), text);
    made.push_back(n);
  }
  std::vector<Agedge_t *> drawn;
  for (const json &edge : edges) {
    if (!edge.is_array() || edge.size() != 2 || !edge[0].is_number_unsigned() ||
        !edge[1].is_number_unsigned() || edge[0].get<std::size_t>() >= made.size() ||
        edge[1].get<std::size_t>() >= made.size())
      return refuse("an edge must name two nodes");
    std::string name = std::to_string(drawn.size());
    drawn.push_back(agedge(graph.get(), made[edge[0].get<std::size_t>()],
                           made[edge[1].get<std::size_t>()], name.data(), 1));
  }

  chooseEffort(graph.get(), crossedRanks(made.size(), edges));

  if (gvLayout(context, graph.get(), "dot") != 0) return refuse("Graphviz found no layout");
  const boxf bounds = GD_bb(graph.get());
  json centres = json::array(), curves = json::array();
  for (Agnode_t *node : made) {
    centres.push_back(ND_coord(node).x);
    centres.push_back(bounds.UR.y - ND_coord(node).y);
  }
  for (Agedge_t *edge : drawn)
    curves.push_back(curveOf(edge, bounds.UR.y));
  gvFreeLayout(context, graph.get());

  Reply reply;
  reply.outcome = Outcome::Ok;
  reply.body = {{"centres", std::move(centres)},
                {"curves", std::move(curves)},
                {"width", bounds.UR.x - bounds.LL.x},
                {"height", bounds.UR.y - bounds.LL.y}};
  return reply;
}

Reply svg(GVC_t *context, const WorkerRequest &request) {
  if (!request.fields.contains("dot") || !request.fields["dot"].is_string())
    return refuse("an svg request needs a graph in the DOT language");
  const std::string dot = request.fields["dot"].get<std::string>();
  Graph graph(agmemread(dot.c_str()));
  if (!graph) return refuse("the graph is not in the DOT language");
  if (gvLayout(context, graph.get(), "dot") != 0) return refuse("Graphviz found no layout");
  char *data = nullptr;
  unsigned int length = 0;
  const int failed = gvRenderData(context, graph.get(), "svg", &data, &length);
  Reply reply;
  if (failed || !data) {
    reply = refuse("Graphviz could not draw the graph");
  } else {
    reply.outcome = Outcome::Ok;
    reply.body = {{"svg", std::string(data, length)}};
  }
  if (data) gvFreeRenderData(data);
  gvFreeLayout(context, graph.get());
  return reply;
}

} // namespace

int main() {
  // Only errors are printed: Graphviz warns about every label that it would like to move.
  agseterr(AGERR);
  const Context context(gvContext());
  if (!context) return 1;
  return tessera::job::serveWorker(
      {{
           {"layout", [&](const WorkerRequest &request) { return layout(context.get(), request); }},
           {"svg", [&](const WorkerRequest &request) { return svg(context.get(), request); }},
       },
       TESSERA_VERSION});
}
