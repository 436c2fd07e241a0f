import { wholeBook } from '../../../src/domain/book-names.ts'
import { type Amount, add, amountToNumber, ZERO } from '../../../src/domain/numbers/amount.ts'
import type { Position } from '../../../src/domain/position.ts'
import type { RoundTrip } from '../../../src/domain/round-trip.ts'
import { exposureOf } from '../../metrics/exposure.ts'
import type { ReplayedMarket } from '../../metrics/market.ts'
import { type EquityCurve, endOf } from '../../metrics/returns/equity-curve.ts'
import type { ReportPart } from './report-section.ts'

export interface PartsInput {
  readonly markets: readonly ReplayedMarket[]
  readonly roundTrips: readonly RoundTrip[]
  readonly openPositions: readonly Position[]
  readonly equity: EquityCurve
}

/** Every market of a run by itself, then every strategy, where there are several of them. */
export function reportParts(input: PartsInput): readonly ReportPart[] {
  const { markets } = input
  const byStrategy = [...Map.groupBy(markets, ({ strategy = '' }) => strategy)]
  return [
    ...markets.map(market => partOf('market', marketName(market), [market], input)),
    ...(byStrategy.length < 2 ? [] : byStrategy.map(([name, own]) => partOf('strategy', name, own, input))),
  ]
}

/** `sma-cross on BTC/USDT 1h`, with a number where the same runs more than once. */
export function marketName({
  strategy = '',
  instrument: { symbol },
  interval,
  book = symbol,
}: ReplayedMarket): string {
  const count = /#(\d+)$/.exec(book)?.[1]
  return `${strategy} on ${symbol} ${interval}${count === undefined ? '' : ` (#${count})`}`
}

function partOf(
  kind: ReportPart['kind'],
  name: string,
  markets: readonly ReplayedMarket[],
  { roundTrips, openPositions, equity }: PartsInput,
): ReportPart {
  const books = new Set(markets.map(({ book, instrument }) => book ?? instrument.symbol))
  const own = roundTrips.filter(({ book }) => books.has(wholeBook(book)))
  const open = openPositions.filter(({ book }) => books.has(wholeBook(book))).flatMap(({ lots }) => lots)
  const end = endOf(equity).time
  const held = [...own, ...open.map(({ time }) => ({ entryTime: time, exitTime: end }))]
  const sum = (amounts: readonly Amount[]) => amountToNumber(amounts.reduce(add, ZERO))
  return {
    kind,
    name,
    roundTrips: own.length,
    netProfit: sum(own.map(({ pnl }) => pnl)),
    fees: sum([...own, ...open].map(({ fees, fee }: { fees?: Amount; fee?: Amount }) => fees ?? fee ?? ZERO)),
    exposure: exposureOf(held, equity.startTime, end),
  }
}
