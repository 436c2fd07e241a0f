import {
  type Amount,
  add,
  amountOf,
  amountToText,
  rateOf,
  subtract,
  times,
  ZERO,
} from '../../domain/numbers/amount.ts'
import { baseAmount, type Grid, stepsOf, ticksOf, worthOf } from '../../domain/numbers/grid.ts'
import { isObservedRule, type MatchingRule } from '../../matching/fill-evidence.ts'
import { QUEUE_ASSUMPTIONS, type QueueAssumption } from '../../matching/queue-assumption.ts'
import { type ReplayedRow, type SessionFill, SessionReplay } from '../../matching/session-replay.ts'
import type { SessionMarket } from '../../matching/session-row.ts'
import type { ToldBook } from '../../matching/told-market.ts'
import type { RecordedSession } from './read-session.ts'

/** Figures of the fills under one assumption of the queue; money is decimal text in quote. */
export interface QueueResult {
  readonly queue: QueueAssumption
  readonly fills: number
  /** Fills by their rule. */
  readonly byRule: Readonly<Partial<Record<MatchingRule, number>>>
  /** Share of the traded worth that rests on observations alone, 0 to 1; NaN without fills. */
  readonly observedShare: number
  /** By market: money from its fills after fees, with what is held at the opposite best of its last book. */
  readonly results: Readonly<Record<string, string>>
}

/** A session, judged by its record. */
export interface SessionResult {
  readonly queue: QueueAssumption
  /** True if matching the record again gives the same fills, byte for byte. */
  readonly isReproduced: boolean
  /** The first difference, as JSON of both. */
  readonly difference: readonly [recorded: string, again: string] | undefined
  /** The best queue, the assumed one, the worst one. */
  readonly queues: readonly QueueResult[]
}

/** Matches a session again under each assumption of the queue. */
export function sessionResult({ rows, fills, start }: RecordedSession): SessionResult {
  const again = replayed(rows)
  const at = fills.findIndex((fill, index) => JSON.stringify(fill) !== JSON.stringify(again[index]))
  const different = at >= 0 ? at : again.length > fills.length ? fills.length : -1
  const books = lastBooks(rows)
  return {
    queue: start.queue,
    isReproduced: different < 0,
    difference:
      different < 0 ? undefined : [JSON.stringify(fills[different]), JSON.stringify(again[different])],
    queues: QUEUE_ASSUMPTIONS.map(queue => resultOf(queue, replayed(rows, queue), start.markets, books)),
  }
}

function replayed(rows: readonly ReplayedRow[], queue?: QueueAssumption): readonly SessionFill[] {
  const replay = new SessionReplay(queue)
  for (const row of rows) replay.apply(row)
  return replay.fills
}

function lastBooks(rows: readonly ReplayedRow[]): ReadonlyMap<string, ToldBook> {
  return new Map(rows.flatMap(row => (row.type === 'book' ? [[row.symbol, row.book] as const] : [])))
}

function resultOf(
  queue: QueueAssumption,
  fills: readonly SessionFill[],
  markets: readonly SessionMarket[],
  books: ReadonlyMap<string, ToldBook>,
): QueueResult {
  const byRule: Partial<Record<MatchingRule, number>> = {}
  for (const { evidence } of fills) byRule[evidence.rule] = (byRule[evidence.rule] ?? 0) + 1
  const accounts = markets.map(market => accountOf(market, fills, books.get(market.symbol)))
  const sum = (part: 'traded' | 'observed') =>
    accounts.reduce((total, account) => add(total, account[part]), ZERO)
  return {
    queue,
    fills: fills.length,
    byRule,
    observedShare: Number(sum('observed')) / Number(sum('traded')),
    results: Object.fromEntries(accounts.map(({ symbol, result }) => [symbol, amountToText(result)])),
  }
}

/** Worth of the fills of a market, and what came of them, in quote. */
function accountOf(
  { symbol, makerFeeRate, takerFeeRate, contractSize, ...precisions }: SessionMarket,
  fills: readonly SessionFill[],
  book: ToldBook | undefined,
) {
  const grid: Grid = {
    ...precisions,
    ...(contractSize !== undefined && { contractSize: amountOf(contractSize) }),
  }
  let money: Amount = ZERO
  let held: Amount = ZERO
  let traded: Amount = ZERO
  let observed: Amount = ZERO
  for (const { side, price, quantity, liquidity, evidence } of fills.filter(fill => fill.symbol === symbol)) {
    const base = baseAmount(grid, stepsOf(grid, quantity))
    const worth = worthOf(grid, ticksOf(grid, price), base)
    const rate = rateOf(liquidity === 'maker' ? makerFeeRate : takerFeeRate)
    const isBuy = side === 'buy'
    money = isBuy ? subtract(money, worth) : add(money, worth)
    held = isBuy ? add(held, base) : subtract(held, base)
    // The buyer of a pair pays in what is received.
    if (isBuy && contractSize === undefined) held = subtract(held, times(base, rate))
    else money = subtract(money, times(worth, rate))
    traded = add(traded, worth)
    if (isObservedRule(evidence.rule)) observed = add(observed, worth)
  }
  const [best] = held > ZERO ? (book?.bids ?? []) : (book?.asks ?? [])
  const marked = best === undefined ? ZERO : times(held, rateOf(best[0]))
  return { symbol, traded, observed, result: add(money, marked) }
}
