import type { MarketOf } from '../../config/configured-market.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { closeTimeOf, type Interval, openTimeOf } from '../../domain/market-data/interval.ts'
import { type Kline, klineProblem } from '../../domain/market-data/kline.ts'
import { offeredPartOf } from '../../exchange/spot/spot-interval.ts'
import { klineCallOf } from '../../market/market-klines.ts'
import { readKlines } from '../../market/polls/kline-call.ts'
import type { StrategySubscriptions } from '../inputs/strategy-subscriptions.ts'
import { durationText } from '../text/figures.ts'
import type { Venue } from '../venue/venue.ts'
import { sentenceOf } from './examine-venue.ts'
import { type Finding, problem, sound } from './finding.ts'

/** Klines that are read of each stream; the newest is not over. */
const ASKED = 4
/** Intervals without a kline from which the finding says so. */
const LATE = 3

/** Klines of an instrument that a strategy decides by. */
interface KlineStream {
  readonly symbol: string
  readonly interval: Interval
}

/** Reads the latest klines of every stream that strategies decide by. */
export async function examineKlines(
  venue: Venue,
  followed: readonly StrategySubscriptions[],
  marketOf: MarketOf,
): Promise<readonly Finding[]> {
  const streams = new Map(followed.map(one => [`${one.symbol} ${one.interval}`, one] as const))
  const findings: Finding[] = []
  for (const stream of streams.values()) findings.push(await examineStream(venue, stream, marketOf))
  return findings
}

async function examineStream(
  venue: Venue,
  { symbol, interval }: KlineStream,
  marketOf: MarketOf,
): Promise<Finding> {
  const { market, name } = marketOf(symbol)
  const subject = `${symbol} ${interval}`
  const client = { spot: venue.spot, ...(venue.futures && { futures: venue.futures }) }
  const part = offeredPartOf(interval, venue.profile?.[market].lacksKlines)
  try {
    const wanted = { symbol: name, interval, part, limit: ASKED }
    return judged(subject, interval, await readKlines(klineCallOf(market, client), wanted), venue.serverNow())
  } catch (error) {
    return problem('klines', subject, sentenceOf(error), NO_KLINES_ADVICE)
  }
}

const NO_KLINES_ADVICE =
  'No strategy decides without klines. npm run doctor -- --venue asks the host for those of every interval; an interval that it lacks goes into `lacksKlines` of its profile, and is made of a shorter one.'

const ODD_KLINES_ADVICE =
  'The bot refuses such klines, and decides by none of them. Trade another symbol, or wait until the exchange has corrected them.'

function judged(subject: string, interval: Interval, klines: readonly Kline[], now: number): Finding {
  const latest = klines.toSorted((left, right) => left.openTime - right.openTime).at(-1)
  if (latest === undefined)
    return problem('klines', subject, 'The exchange answers with an empty list.', NO_KLINES_ADVICE)
  const odd = klines.flatMap(kline => oddityOf(kline, interval, now) ?? [])
  const [first] = odd
  if (first !== undefined)
    return problem(
      'klines',
      subject,
      `${odd.length} of ${klines.length} klines cannot be used. ${first}`,
      ODD_KLINES_ADVICE,
    )
  const found = `There are klines; the latest opened at ${utcText(latest.openTime)}.`
  const ageMs = now - latest.openTime
  const isLate = ageMs > LATE * (closeTimeOf(latest.openTime, interval) - latest.openTime)
  const late = ` That is ${durationText(ageMs)} ago: nothing was traded since, or the exchange is late.`
  return sound('klines', subject, isLate ? found + late : found)
}

function oddityOf(kline: Kline, interval: Interval, now: number): string | undefined {
  const { openTime } = kline
  const why =
    klineProblem(kline) ??
    (openTime > now ? "it lies ahead of the exchange's time" : undefined) ??
    (openTimeOf(openTime, interval) === openTime
      ? undefined
      : `no ${interval} kline opens at such a time by UTC`)
  return why && `The one that opens at ${utcText(openTime)} is refused: ${why}.`
}
