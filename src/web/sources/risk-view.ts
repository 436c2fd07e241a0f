import { amountToText } from '../../domain/numbers/amount.ts'
import type { PassedCheck } from '../../domain/orders/denial.ts'
import type { RiskRules } from '../../risk/risk-rules.ts'
import type { TradingHistory } from '../history/trading-history.ts'
import type { ViewState } from './view-state.ts'

/** A limit with how much of it the latest order took. */
interface LimitMeter {
  readonly key: string
  readonly limit: string
  /** Of the latest order that it applied to; absent before the first. */
  readonly actual?: string
  /** Fraction of the limit, where both are amounts of one unit. */
  readonly used?: number
}

/** A limit of which orders take less than this share is none, such as the largest number that an exchange writes. */
const LEAST_USED = 1e-6

/** Trading states, limits, protections, and what operators commanded. */
export function riskView({ history, status }: ViewState): unknown {
  const { session } = history
  return {
    trading: status.trading,
    closing: status.closing,
    limits: metersOf(history),
    configured: [
      ...configuredLimits('account', session?.risk),
      ...(session?.strategies ?? []).flatMap(({ symbol, risk }) => configuredLimits(symbol, risk)),
    ],
    audit: history.audit.toReversed(),
  }
}

/** The latest figures of every rule that an order was checked by. */
function metersOf(history: TradingHistory): readonly LimitMeter[] {
  const meters = new Map<string, LimitMeter>()
  for (const { orders } of history.decisions)
    for (const { passed, denial } of orders)
      for (const check of [...passed, ...(denial === undefined ? [] : [denial])]) {
        if (check.rule === 'tradingState' || check.limit === 'none') continue
        const key = ('key' in check ? check.key : undefined) ?? keyOf(check.rule, meters)
        meters.set(key, meterOf(key, check))
      }
  return [...meters.values()].filter(({ used }) => used === undefined || used >= LEAST_USED)
}

/** A denial names its rule alone: the key of it that an order passed before, else the rule. */
function keyOf(rule: string, meters: ReadonlyMap<string, LimitMeter>): string {
  return [...meters.keys()].find(key => key.endsWith(`.${rule}`)) ?? rule
}

function meterOf(key: string, { limit, actual }: Pick<PassedCheck, 'limit' | 'actual'>): LimitMeter {
  const [most, taken] = [/^([\d.]+) (.*)$/.exec(limit), /^([\d.]+) (.*)$/.exec(actual)]
  const isMeter = most !== null && taken !== null && most[2] === taken[2] && !key.startsWith('minimum')
  return { key, limit, actual, ...(isMeter && { used: Number(taken[1]) / Number(most[1]) }) }
}

function configuredLimits(
  scope: string,
  { limits = {}, protections = {} }: RiskRules = {},
): readonly object[] {
  const entries = [...Object.entries(limits), ...Object.entries(protections)]
  return entries
    .filter(([, rule]) => rule !== undefined)
    .map(([name, rule]) => ({ scope, name, rule: JSON.parse(JSON.stringify(rule, exactText)) }))
}

/** Amounts and rates as text; JSON has no such numbers. */
function exactText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? amountToText(value as Parameters<typeof amountToText>[0]) : value // the only bigints of rules
}
