import type { ActiveFault } from '../faults/fault-control.ts'
import type { JsonValue } from '../protocol/json-text.ts'

/** A fault in force, with the calls it has seen and struck; times are ms UTC. */
export function faultView({ id, rule, from, until, calls, strikes }: ActiveFault): JsonValue {
  const { from: _from, until: _until, calls: numbers, ...rest } = rule
  return {
    id,
    ...rest,
    ...(numbers !== undefined && { calls: numbers }),
    ...(Number.isFinite(from) && { from }),
    ...(Number.isFinite(until) && { until }),
    seen: calls,
    struck: strikes,
  }
}
