import type { z } from 'zod'
import type { RiskLimits } from '../risk/risk-rules.ts'

/** Refuses limits of which one can never bite, because another one is narrower. */
export function limitProblems(limits: RiskLimits, context: z.RefinementCtx<unknown>): void {
  const { maxNotional, maxPosition, maxExposure } = limits
  const position = maxPosition !== undefined && 'quote' in maxPosition ? maxPosition.quote : undefined
  if (isAbove(maxNotional, position))
    refuse(context, ['maxNotional'], 'is above maxPosition: no order could ever be so large.')
  else if (isAbove(maxNotional, maxExposure))
    refuse(context, ['maxNotional'], 'is above maxExposure: no order could ever be so large.')
  if (isAbove(position, maxExposure))
    refuse(context, ['maxPosition'], 'is above maxExposure: no position could ever be so large.')
}

/** Refuses limits of a strategy that are wider than those of its account, at `path`. */
export function strategyLimitProblems(
  own: RiskLimits,
  account: RiskLimits,
  path: readonly PropertyKey[],
  context: z.RefinementCtx<unknown>,
): void {
  const wider = [
    isAbove(own.priceBandRate, account.priceBandRate) ? 'priceBandRate' : undefined,
    isAbove(own.maxNotional, account.maxNotional) ? 'maxNotional' : undefined,
    isAbove(own.maxWorkingOrders, account.maxWorkingOrders) ? 'maxWorkingOrders' : undefined,
    isWiderPosition(own, account) ? 'maxPosition' : undefined,
  ]
  for (const name of wider) {
    if (name === undefined) continue
    refuse(
      context,
      [...path, name],
      `is above risk.limits.${name}, which holds for every strategy; the narrower one decides.`,
    )
  }
}

function isWiderPosition({ maxPosition: own }: RiskLimits, { maxPosition: account }: RiskLimits): boolean {
  if (own === undefined || account === undefined) return false
  if ('quote' in own) return 'quote' in account && own.quote > account.quote
  return 'base' in account && own.base > account.base
}

function isAbove(value: bigint | number | undefined, bound: bigint | number | undefined): boolean {
  return value !== undefined && bound !== undefined && value > bound
}

function refuse(context: z.RefinementCtx<unknown>, path: readonly PropertyKey[], message: string): void {
  context.addIssue({ code: 'custom', path: [...path], message, params: { sentence: true } })
}
