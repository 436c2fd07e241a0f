import type { ScopeStatus } from './bot-status.ts'

/** The wider scope whose mode a scope has, in words: `the account`, or its instrument; `undefined` where its mode is its own. */
export function widerHolder(
  { scope, mode, effectiveMode }: Pick<ScopeStatus, 'scope' | 'mode' | 'effectiveMode'>,
  all: readonly ScopeStatus[],
): string | undefined {
  if (mode === effectiveMode) return undefined
  const isHeld = (name: string) =>
    all.some(one => one.scope === name && (one.mode === effectiveMode || one.haltedUntilStart !== undefined))
  if (isHeld('account')) return 'the account'
  return all.find(one => scope.includes(` on ${one.scope}`) && isHeld(one.scope))?.scope ?? 'its instrument'
}
