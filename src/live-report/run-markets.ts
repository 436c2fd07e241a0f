import type { ReplayedMarket } from '../../backtest/metrics/market.ts'
import type { LoadStrategy } from '../bot/state/bot-state.ts'
import type { SessionRecord } from '../bot/state/session-record.ts'
import type { Interval } from '../domain/market-data/interval.ts'
import type { Kline } from '../domain/market-data/kline.ts'
import { tradedMarkets } from '../engine/traded-markets.ts'
import { columnsFrom } from '../klines/kline-columns.ts'
import type { RecordedRun } from './recorded-run.ts'

/** A market that a bot traded, with the parameters of its strategy. */
export interface RunMarket extends ReplayedMarket {
  readonly book: string
  readonly strategy: string
  /** Complete with defaults. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** Klines of another source that open within a span, both ends included, ms UTC. */
export type MoreKlines = (
  symbol: string,
  interval: Interval,
  span: { readonly first: number; readonly last: number },
) => readonly Kline[]

/** Markets of all sessions in the quote asset of a run that have klines; of a book that several sessions traded, the latest. `more` fills their gaps. */
export async function runMarkets(
  run: RecordedRun,
  load: LoadStrategy,
  more?: MoreKlines,
): Promise<readonly RunMarket[]> {
  const markets = new Map<string, RunMarket>()
  for (const { session } of run.sessions)
    for (const market of await marketsIn(session, load, run, more)) markets.set(market.book, market)
  return [...markets.values()].filter(
    ({ instrument, klines }) => instrument.quote === run.quote && klines.length > 0,
  )
}

async function marketsIn(
  { strategies, instruments }: SessionRecord,
  load: LoadStrategy,
  run: RecordedRun,
  more: MoreKlines | undefined,
): Promise<readonly RunMarket[]> {
  const loaded = await Promise.all(
    strategies.map(async ({ file, ...declared }) => ({ ...declared, strategy: await load(file) })),
  )
  return tradedMarkets(loaded).flatMap(({ strategyIndex, symbol, book, strategy }) => {
    const declared = loaded[strategyIndex]
    const instrument = instruments.find(one => one.symbol === symbol)
    if (declared === undefined || instrument === undefined) return []
    const { interval, parameters } = declared
    const seen = run.klines.get(`${symbol} ${interval}`) ?? new Map<number, Kline>()
    const klines =
      more === undefined ? [...seen.values()] : filled(seen, span => more(symbol, interval, span))
    return {
      ...{ instrument, interval, strategy, book },
      klines: columnsFrom(klines.sort((left, right) => left.openTime - right.openTime)),
      parameters: declared.strategy.parameterValues(parameters),
    }
  })
}

/** Klines that were seen, and those of another source at open times between them that were not. */
export function filled(
  seen: ReadonlyMap<number, Kline>,
  more: (span: { readonly first: number; readonly last: number }) => readonly Kline[],
): Kline[] {
  if (seen.size === 0) return []
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const time of seen.keys()) [first, last] = [Math.min(first, time), Math.max(last, time)]
  return [...seen.values(), ...more({ first, last }).filter(({ openTime }) => !seen.has(openTime))]
}
