import type { z } from 'zod'
import type { Size } from '../domain/signal.ts'

/** Reports a size above the account's equity if the account cannot borrow. */
export function refuseSize(
  size: Size | undefined,
  accountType: 'spot' | 'margin',
  path: readonly PropertyKey[],
  context: z.RefinementCtx,
): void {
  for (const [key, value = 0] of Object.entries<number | undefined>(size ?? {})) {
    if ((key !== 'equityFraction' && key !== 'maxEquityFraction') || value <= 1) continue
    const message = `must be at most 1 (0.5 is 50%) on a ${accountType} account, which cannot borrow, but it is ${value}.`
    context.addIssue({ code: 'custom', path: [...path, key], message, params: { sentence: true } })
  }
}
