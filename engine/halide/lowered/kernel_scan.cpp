// SPDX-License-Identifier: MIT
#include "engine/halide/lowered/kernel_scan.h"

#include <algorithm>
#include <set>

namespace tessera::halide::lowered {

namespace {

namespace ir = Halide::Internal;

class Granules : public ir::IRVisitor {
public:
  std::map<std::string, std::size_t> of;
  std::set<std::string> stored;

private:
  using IRVisitor::visit;
  void visit(const ir::Load *op) override {
    add(op->name, op->type);
    IRVisitor::visit(op);
  }
  void visit(const ir::Store *op) override {
    add(op->name, op->value.type());
    stored.insert(op->name);
    IRVisitor::visit(op);
  }
  void add(const std::string &name, const Halide::Type &type) {
    const auto bytes = static_cast<std::size_t>(type.bytes());
    const auto at = of.emplace(name, bytes).first;
    at->second = std::min(at->second, bytes);
  }
};

class Extents : public ir::IRVisitor {
public:
  std::uint32_t product = 1;

private:
  using IRVisitor::visit;
  void visit(const ir::For *op) override {
    const auto extent = ir::as_const_int(op->extent);
    constexpr std::int64_t kMost = 1024;
    if (isOfGrid(op->for_type) && extent)
      product *= static_cast<std::uint32_t>(std::clamp<std::int64_t>(*extent, 1, kMost));
    IRVisitor::visit(op);
  }
};

} // namespace

std::map<std::string, std::size_t> storedGranules(const ir::Stmt &s) {
  Granules granules;
  s.accept(&granules);
  std::erase_if(granules.of,
                [&](const auto &entry) { return !granules.stored.contains(entry.first); });
  return std::move(granules.of);
}

std::uint32_t threadsWithin(const ir::Stmt &s) {
  Extents extents;
  s.accept(&extents);
  return extents.product;
}

bool isOfGrid(ir::ForType type) {
  return type == ir::ForType::GPUBlock || type == ir::ForType::GPUThread ||
         type == ir::ForType::GPULane;
}

} // namespace tessera::halide::lowered
