import type { ScopeStatus } from '../../bot/log/bot-status.ts'
import { widerHolder } from '../../bot/log/wider-hold.ts'
import { momentText } from '../../bot/text/figures.ts'
import { sourceText } from '../../bot/text/log-lines.ts'
import { protectionWord, ruleTexts } from '../../bot/text/rule-texts.ts'
import { type HoldSource, scopeText } from '../../domain/events/trading-hold.ts'
import type { Instrument } from '../../domain/instrument.ts'
import type { RiskRules } from '../../risk/risk-rules.ts'
import { isCondition } from '../../risk/trading-state.ts'
import type { AssessedOrder } from '../history/decision-record.ts'
import type { TradingHistory } from '../history/trading-history.ts'
import { checkFigure } from './check-figure.ts'
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
export function riskView({ history, status, stoppedAt }: ViewState): unknown {
  const { session } = history
  const instruments = session?.instruments ?? []
  const textsOf = (scope: string, rules: RiskRules | undefined, own: readonly Instrument[]) => {
    const [base, quote] = [namesOf(own, 'base'), namesOf(own, 'quote')]
    return ruleTexts(rules, { base, quote }).map(text => ({ scope, ...text }))
  }
  return {
    trading: status.trading.map(one => ({
      ...one,
      protections: one.protections.map(protectionWord),
      heldBy: holdLines(one, status.trading),
    })),
    ...(stoppedAt !== undefined && { stoppedAt }),
    closing: status.closing,
    limits: metersOf(history).map(({ limit, actual, ...meter }) => ({
      ...meter,
      limit: checkFigure(limit, instruments),
      ...(actual !== undefined && { actual: checkFigure(actual, instruments) }),
    })),
    configured: [
      ...textsOf('account', session?.risk, instruments),
      // The engine has them in the order of the session.
      ...(session?.strategies ?? []).flatMap(({ symbol, risk }, index) =>
        textsOf(
          scopeText(status.strategies[index] ?? { symbol }),
          risk,
          instruments.filter(one => one.symbol === symbol),
        ),
      ),
    ],
    audit: history.audit.toReversed(),
  }
}

/** What holds a scope back, each in a sentence with its end; empty where nothing does. */
function holdLines(scope: ScopeStatus, all: readonly ScopeStatus[]): readonly string[] {
  const holder = widerHolder(scope, all)
  const { haltedUntilStart } = scope
  return [
    ...(haltedUntilStart === undefined ? [] : [`${haltedUntilStart} Until the next start.`]),
    ...scope.holds.map(
      ({ source, reason, until }) => `${sourceText(source)}: ${reason} ${endText(source, until)}`,
    ),
    ...(holder === undefined ? [] : [`as ${holder} is`]),
  ]
}

function endText(source: HoldSource, until: string | undefined): string {
  if (until !== undefined) return `Until ${momentText(until)}.`
  return isCondition(source) ? 'As long as that lasts.' : 'Until resumed.'
}

/** The figures of the latest order that each limit applied to. */
function metersOf(history: TradingHistory): readonly LimitMeter[] {
  const meters = new Map<string, LimitMeter>()
  for (const { orders } of history.decisions)
    for (const order of orders)
      for (const check of checksOf(order)) {
        if (check.rule === 'tradingState' || check.limit === 'none') continue
        const key = check.key ?? check.rule
        // An order that closes may take all there is, and be no cause for alarm.
        const hasBar = check.rule !== 'balance' || order.purpose === 'entry'
        meters.set(key, meterOf(key, check, hasBar))
      }
  return [...meters.values()].filter(({ used }) => used === undefined || used >= LEAST_USED)
}

/** Figures of a check, of one that an order passed or that denied it. */
interface CheckFigures {
  readonly rule: string
  readonly limit: string
  readonly actual: string
  readonly key?: string
}

function checksOf({ passed, denial }: AssessedOrder): readonly CheckFigures[] {
  return denial === undefined ? passed : [...passed, denial]
}

function meterOf(key: string, { limit, actual }: CheckFigures, hasBar: boolean): LimitMeter {
  const [most, taken] = [/^([\d.]+) (.*)$/.exec(limit), /^([\d.]+) (.*)$/.exec(actual)]
  const isMeter = hasBar && most !== null && taken !== null && most[2] === taken[2]
  const isLeast = key.startsWith('minimum')
  return {
    ...{ key, limit, actual },
    ...(isMeter && !isLeast && { used: Number(taken[1]) / Number(most[1]) }),
  }
}

/** `USDT`, or `USDT/EUSDT` of several. */
function namesOf(instruments: readonly Instrument[], asset: 'base' | 'quote'): string {
  return [...new Set(instruments.map(one => one[asset]))].join('/')
}
