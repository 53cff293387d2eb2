// SPDX-License-Identifier: MIT
#include "engine/halide/lowered/used_where.h"

#include <optional>

namespace tessera::halide::lowered {

namespace {

namespace ir = Halide::Internal;
using Halide::Expr;

class LoadsFrom : public ir::IRVisitor {
public:
  explicit LoadsFrom(const std::map<std::string, std::size_t> *buffers) : m_buffers(buffers) {}
  bool found = false;

private:
  using IRVisitor::visit;
  void visit(const ir::Load *op) override {
    found = found || !m_buffers || m_buffers->contains(op->name);
    IRVisitor::visit(op);
  }

  const std::map<std::string, std::size_t> *m_buffers; // nullptr: all
};

bool loadsFrom(const Expr &e, const std::map<std::string, std::size_t> *buffers) {
  LoadsFrom loads(buffers);
  e.accept(&loads);
  return loads.found;
}

// Whether threads read each other's values: then any of them may be needed.
class Shuffles : public ir::IRVisitor {
public:
  bool found = false;

private:
  using IRVisitor::visit;
  void visit(const ir::Call *op) override {
    found = found || op->name.starts_with("llvm.nvvm.shfl");
    IRVisitor::visit(op);
  }
};

bool shuffles(const ir::LetStmt &let) {
  Shuffles in;
  let.accept(&in);
  return in.found;
}

// Collects where a statement uses a name: nothing, a condition, or `true`.
class Uses {
public:
  explicit Uses(const std::string &name) : m_name(name) { m_inner.push(name); }

  std::optional<Expr> in(const ir::Stmt &s) {
    if (!s.defined() || !ir::stmt_uses_var(s, m_name)) return std::nullopt;
    if (const auto *block = s.as<ir::Block>()) return either(in(block->first), in(block->rest));
    if (const auto *choice = s.as<ir::IfThenElse>()) return inChoice(*choice);
    if (const auto *let = s.as<ir::LetStmt>()) return inLet(*let);
    if (const auto *atomic = s.as<ir::Atomic>()) return in(atomic->body);
    return ir::const_true();
  }

private:
  static std::optional<Expr> either(const std::optional<Expr> &a, const std::optional<Expr> &b) {
    if (!a || !b) return a ? a : b;
    return *a || *b;
  }

  // A condition that names what is only known further inside, or that is loaded, says nothing.
  bool isKnownOutside(const Expr &condition) const {
    return !ir::expr_uses_vars(condition, m_inner) && !loadsFrom(condition, nullptr);
  }

  std::optional<Expr> inChoice(const ir::IfThenElse &choice) {
    if (!isKnownOutside(choice.condition)) return ir::const_true();
    const auto then = in(choice.then_case), otherwise = in(choice.else_case);
    return either(then ? std::optional(choice.condition) : then,
                  otherwise ? std::optional(!choice.condition) : otherwise);
  }

  // What is computed from the name is needed where its own name is.
  std::optional<Expr> inLet(const ir::LetStmt &let) {
    m_inner.push(let.name);
    std::optional<Expr> uses = in(let.body);
    if (ir::expr_uses_var(let.value, m_name)) {
      const std::string before = std::exchange(m_name, let.name);
      uses = either(uses, in(let.body));
      m_name = before;
    }
    m_inner.pop(let.name);
    return uses;
  }

  std::string m_name;
  ir::Scope<> m_inner; // names that are defined by the let and within it
};

} // namespace

const Expr &UsedWhere::of(const ir::LetStmt &let,
                          const std::map<std::string, std::size_t> &followed) {
  const auto [at, isNew] = m_known.try_emplace(&let);
  if (!isNew || !loadsFrom(let.value, &followed) || shuffles(let)) return at->second;
  const auto uses = Uses(let.name).in(let.body);
  if (uses && !ir::is_const_one(*uses)) at->second = *uses;
  return at->second;
}

} // namespace tessera::halide::lowered
