// SPDX-License-Identifier: MIT
#pragma once

// The nodes of Halide's expressions that are operations, but for divisions and remainders, which
// each visitor counts in its own way: TESSERA_COUNTED_NODES(COUNT) is COUNT(node, kind, type) for
// each of them, with the kind of operation (pipeline::OpKind) and the type that it computes in,
// where `op` is the node.
#define TESSERA_COUNTED_NODES(COUNT)                                                               \
  COUNT(Add, Add, op->type)                                                                        \
  COUNT(Sub, Add, op->type)                                                                        \
  COUNT(Mul, Multiply, op->type)                                                                   \
  COUNT(Min, MinMax, op->type)                                                                     \
  COUNT(Max, MinMax, op->type)                                                                     \
  COUNT(EQ, Compare, op->a.type())                                                                 \
  COUNT(NE, Compare, op->a.type())                                                                 \
  COUNT(LT, Compare, op->a.type())                                                                 \
  COUNT(LE, Compare, op->a.type())                                                                 \
  COUNT(GT, Compare, op->a.type())                                                                 \
  COUNT(GE, Compare, op->a.type())                                                                 \
  COUNT(And, Logic, op->type)                                                                      \
  COUNT(Or, Logic, op->type)                                                                       \
  COUNT(Not, Logic, op->type)                                                                      \
  COUNT(Select, Select, op->type)                                                                  \
  COUNT(Cast, Cast, op->type)
