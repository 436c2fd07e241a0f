import type { Logger } from 'pino'
import type { MarketOf } from '../../config/configured-market.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { closeTimeOf, type Interval, openTimeOf } from '../../domain/market-data/interval.ts'
import { type Kline, klineProblem } from '../../domain/market-data/kline.ts'
import { offeredPartOf } from '../../exchange/spot/spot-interval.ts'
import { klineCallOf } from '../../market/market-klines.ts'
import { recentKlines } from '../../market/readers/recent-klines.ts'
import type { LineTrouble } from '../log/line-trouble.ts'
import type { BotState } from '../state/bot-state.ts'
import type { RecordedEngine } from '../state/recorded-engine.ts'
import type { Venue } from '../venue/venue.ts'

export interface WarmUpOptions {
  readonly venue: Pick<Venue, 'spot' | 'futures' | 'profile'>
  readonly marketOf: MarketOf
  readonly state: BotState
  readonly recorded: RecordedEngine
  /** The estimated exchange time, ms UTC. */
  readonly serverNow: () => number
  readonly log: Logger
  readonly trouble: LineTrouble
}

/**
 * After a longer gap, only so many klines are requested; an indicator has then forgotten the earlier ones.
 */
const FEWEST_AFTER_GAP = 1000
const WARM_UPS_AFTER_GAP = 5

/**
 * Shows the strategies the klines that they have not seen: those needed before their first decision, or those
 * that closed while the bot was down. Resolves to the open time of the latest seen kline by `symbol
 * interval`, ms UTC.
 */
export async function warmUp(options: WarmUpOptions): Promise<ReadonlyMap<string, number>> {
  const { state, recorded, serverNow, log } = options
  const after = new Map<string, number>()
  for (const { symbol, interval } of state.engine.klineStreams) {
    const now = serverNow()
    const needed = state.engine.warmUpOf(symbol, interval)
    const seen = state.klines.latestOf(symbol, interval)
    const read = await missingKlines(options, symbol, interval, { now, needed, seen })
    const klines = read.filter(kline => isPossible(options, symbol, interval, kline))
    for (const kline of klines) recorded.process({ type: 'historySeen', symbol, interval, kline })
    const latest = klines.at(-1)?.openTime ?? seen
    after.set(`${symbol} ${interval}`, latest ?? openTimeOf(openTimeOf(now, interval) - 1, interval))
    log.info({ symbol, interval, klines: klines.length, ...(seen === undefined && { needed }) }, 'warmed up')
    if (seen === undefined && klines.length < needed)
      log.warn(
        { symbol, interval, klines: klines.length, needed },
        'the exchange gives fewer klines than the strategy needs: it decides once it has seen them',
      )
  }
  return after
}

/** True if a market can have printed a kline; logs it otherwise. */
function isPossible(
  { log, trouble, serverNow }: WarmUpOptions,
  symbol: string,
  interval: Interval,
  kline: Kline,
): boolean {
  const problem = klineProblem(kline)
  if (problem === undefined) return true
  const reason = `The ${interval} kline of ${symbol} that opens at ${utcText(kline.openTime)} is refused: ${problem}.`
  log.warn({ reason }, 'market data refused')
  trouble.dataRefused(reason, serverNow())
  return false
}

async function missingKlines(
  { venue, marketOf }: WarmUpOptions,
  symbol: string,
  interval: Interval,
  { now, needed, seen }: { readonly now: number; readonly needed: number; readonly seen: number | undefined },
): Promise<readonly Kline[]> {
  const { market, name } = marketOf(symbol)
  const call = klineCallOf(market, { spot: venue.spot, ...(venue.futures && { futures: venue.futures }) })
  const part = offeredPartOf(interval, venue.profile?.[market].lacksKlines)
  const wanted = { symbol: name, interval, part }
  if (seen === undefined) return await recentKlines(call, wanted, needed, now)
  const length = closeTimeOf(seen, interval) - seen
  const most = Math.max(FEWEST_AFTER_GAP, WARM_UPS_AFTER_GAP * needed)
  const count = Math.min(most, Math.ceil((now - seen) / length))
  const klines = await recentKlines(call, wanted, count, now)
  return klines.filter(({ openTime }) => openTime > seen)
}
