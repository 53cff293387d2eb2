// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/graph.h"
#include "engine/pipeline/pipeline.h"

#include <Halide.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tessera::halide {

// The funcs that the functions of extern stages get, without outputs.
std::set<std::uint32_t> handedFuncs(const Graph &graph);

// The funcs that a stage reads whose definition tells what it reads: any but an extern stage.
std::set<std::string> readOtherwise(const Graph &graph);

pipeline::ExternCall externCallOf(const Halide::Internal::Function &function);

// Whether the function of an extern stage gets the caller's context, which only code for
// Target::UserContext has.
bool takesUserContext(const Halide::Internal::Function &function);

// The loads of an extern stage: the whole of each func and input that its function gets.
std::vector<pipeline::Access> handedLoads(const Graph &graph, const FuncSource &func);

// What the user should know of the pipeline's extern stages. `estimated` is Estimates::handed.
std::vector<pipeline::Remark>
remarksOnExterns(const Graph &graph,
                 const std::map<std::uint32_t, std::vector<pipeline::Estimate>> &estimated);

// The extern stages, and the funcs that they read. Their memory may have to be laid out as the
// generator says, since a function outside of Halide counts on it.
std::set<std::string>
boundaryFuncs(const std::map<std::string, Halide::Internal::Function> &functions);

} // namespace tessera::halide
