import type { ScriptedExchange } from '../call/scripted-exchange.ts'

/** A call that breaks a rule, and what its refusal names. */
export type InvalidCall = readonly [
  what: string,
  call: (exchange: ScriptedExchange) => Promise<unknown>,
  parameter: string,
  rule: string,
  section: string,
]

/** What TypeScript would not let through, as plain JavaScript can make it. */
export function untyped(value: unknown): never {
  return value as never // that is the point
}
