// SPDX-License-Identifier: MIT
#pragma once

// The expression nodes of Halide that are operations. Divisions and remainders are missing because
// each visitor counts them in its own way. TESSERA_COUNTED_NODES(COUNT) expands to COUNT(node,
// kind, type) for each node: its class, its pipeline::OpKind, and the type in which it computes.
// The type is an expression in which `op` points to the node.
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
