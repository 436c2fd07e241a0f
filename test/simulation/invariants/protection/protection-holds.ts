import { wholeBook } from '../../../../src/domain/book-names.ts'
import type { ProtectionRules } from '../../../../src/risk/risk-rules.ts'
import type { Fact } from '../facts.ts'

/** A protection that holds trading back. */
export interface NaiveHold {
  readonly mode: 'reducing' | 'halted'
  readonly source: keyof ProtectionRules
  /** ms UTC; infinite where it must be lifted. */
  readonly until: number
}

/** Whose rules are asked for: the account's, or those of a strategy's book of a symbol. */
export interface ProtectedScope {
  readonly symbol?: string
  readonly book?: string
}

const DAY_MS = 86_400_000
const STOPS: readonly string[] = ['stopLoss', 'trailingStop', 'liquidation', 'outsideClose']
const ONE = 10n ** 18n

/**
 * What protections hold at a time (ms UTC), told by going through everything that ever happened, as one would do by hand.
 * Conditions hold as long as they are so; other holds end by themselves, or when an operator resumes their scope.
 */
export function protectionHolds(
  facts: readonly Fact[],
  rules: ProtectionRules,
  scope: ProtectedScope,
  now: number,
): readonly NaiveHold[] {
  const holds = new Map<keyof ProtectionRules, NaiveHold>()
  const state = new Remembered()
  for (const fact of facts) {
    if (isOf(fact, scope)) see(fact, rules, scope, state, holds)
  }
  return [...holds.values()].filter(({ until }) => until > now)
}

/** What rules compare with. */
class Remembered {
  readonly silent = new Set<string>()
  readonly wide = new Set<string>()
  gapUntil = Number.NEGATIVE_INFINITY
  losses = 0
  /** Of trades that are not over, by book. */
  readonly trades = new Map<string, bigint>()
  earned = 0n
  day: { start: number; result: bigint; equity: bigint; isOver: boolean } | undefined
  latest: { result: bigint; equity: bigint } | undefined
  peak: { result: bigint; equity: bigint } | undefined
}

type Holds = Map<keyof ProtectionRules, NaiveHold>

function isOf(fact: Fact, { symbol, book }: ProtectedScope): boolean {
  if (book === undefined) return true
  if (fact.type === 'closed' || fact.type === 'paid') return wholeBook(fact.book) === book
  if (fact.type === 'funded') return false
  if (fact.type === 'resumed') return fact.symbol === symbol
  return !('symbol' in fact) || fact.symbol === symbol
}

function see(
  fact: Fact,
  rules: ProtectionRules,
  scope: ProtectedScope,
  state: Remembered,
  holds: Holds,
): void {
  const hold = (source: keyof ProtectionRules, until: number) => {
    const mode = rules[source]?.mode
    if (mode !== undefined) holds.set(source, { mode, source, until })
  }
  switch (fact.type) {
    case 'marked':
      seeMark(fact, rules, scope, state, hold)
      break
    case 'funded':
      for (const base of [state.day, state.latest, state.peak]) {
        if (base === undefined) continue
        base.result += fact.amount
        base.equity += fact.amount
      }
      break
    case 'paid':
      state.earned -= fact.amount
      break
    case 'closed':
      seeClosing(fact, rules, state, hold)
      break
    case 'silent':
      state.silent.add(fact.stream)
      hold('staleData', Number.POSITIVE_INFINITY)
      break
    case 'heard':
      state.silent.delete(fact.stream)
      if (state.silent.size === 0) hold('staleData', state.gapUntil)
      break
    case 'missed':
      state.gapUntil = fact.time + (rules.staleData?.gapPauseMs ?? 0)
      if (state.silent.size === 0) hold('staleData', state.gapUntil)
      break
    case 'clock':
      hold('clockUncertainty', endOf(fact.uncertaintyMs > (rules.clockUncertainty?.maxMs ?? 0)))
      break
    case 'spread': {
      if (fact.rate > (rules.spread?.maxRate ?? 0)) state.wide.add(fact.symbol)
      else state.wide.delete(fact.symbol)
      hold('spread', endOf(state.wide.size > 0))
      break
    }
    case 'resumed':
      if (scope.book === undefined && fact.symbol !== undefined) break
      for (const { source, until } of [...holds.values()]) {
        if (CONDITIONS.has(source) || until <= fact.time) continue
        holds.delete(source)
        if (source === 'lossesInARow') state.losses = 0
        if (source === 'drawdown') state.peak = undefined
        if (source === 'dailyLoss' && state.day !== undefined && state.latest !== undefined)
          state.day = { ...state.latest, start: state.day.start, isOver: false }
      }
      break
    case 'restarted':
      for (const source of CONDITIONS) holds.delete(source)
      state.silent.clear()
      state.wide.clear()
      state.gapUntil = Number.NEGATIVE_INFINITY
  }
}

const CONDITIONS: ReadonlySet<keyof ProtectionRules> = new Set(['staleData', 'clockUncertainty', 'spread'])

function endOf(holds: boolean): number {
  return holds ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
}

type Hold = (source: keyof ProtectionRules, until: number) => void

function seeClosing(
  fact: Extract<Fact, { type: 'closed' }>,
  rules: ProtectionRules,
  state: Remembered,
  hold: Hold,
) {
  state.earned += fact.pnl
  if (STOPS.includes(fact.purpose))
    hold('cooldownAfterStop', fact.time + (rules.cooldownAfterStop?.pauseMs ?? 0))
  if (rules.lossesInARow === undefined) return
  const pnl = (state.trades.get(fact.book) ?? 0n) + fact.pnl
  state.trades.set(fact.book, fact.isFlat ? 0n : pnl)
  if (!fact.isFlat) return
  state.losses = pnl < 0n ? state.losses + 1 : 0
  if (state.losses < rules.lossesInARow.count) return
  state.losses = 0
  hold('lossesInARow', fact.time + rules.lossesInARow.pauseMs)
}

function seeMark(
  { time, equity, unrealised }: Extract<Fact, { type: 'marked' }>,
  { dailyLoss, drawdown }: ProtectionRules,
  { book }: ProtectedScope,
  state: Remembered,
  hold: Hold,
) {
  const result = book === undefined ? equity : state.earned + (unrealised.get(book) ?? 0n)
  const start = Math.floor((time - 1) / DAY_MS) * DAY_MS
  if (state.day === undefined || start > state.day.start)
    state.day = { ...(state.latest ?? { result, equity }), start, isOver: false }
  state.latest = { result, equity }
  const { day } = state
  if (dailyLoss !== undefined && !day.isOver && hasLost(day, result, dailyLoss.rate)) {
    day.isOver = true
    if (day.start + DAY_MS > time) hold('dailyLoss', day.start + DAY_MS)
  }
  if (state.peak === undefined || result > state.peak.result) state.peak = { result, equity }
  if (drawdown !== undefined && hasLost(state.peak, result, drawdown.rate)) {
    state.peak = { result, equity }
    hold('drawdown', time + (drawdown.pauseMs ?? Number.POSITIVE_INFINITY))
  }
}

function hasLost(
  from: { readonly result: bigint; readonly equity: bigint },
  result: bigint,
  rate: bigint,
): boolean {
  const loss = from.result - result
  return loss > 0n && loss >= (from.equity * rate) / ONE
}
