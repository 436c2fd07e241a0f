import type { SchedulerLike } from 'rxjs'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { type Interval, intervalMs, openTimeOf } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import { SluiceError } from '../../domain/sluice-error.ts'
import type { MarketFact } from '../market-event.ts'
import { streamOf } from '../market-subscription.ts'
import type { KlineWork, StartedKlines } from '../polls/poll-plan.ts'
import type { PollReader, Reading } from '../polls/poll-reader.ts'
import { type KlineFinding, type KlineRequest, KlineSequence } from '../sequences/kline-sequence.ts'
import type { LastPrices } from '../sequences/last-prices.ts'

export interface KlineReaderOptions {
  readonly work: StartedKlines
  /** Delay of the first read after a close, ms. */
  readonly delayMs: number
  readonly ask: (request: KlineRequest) => Promise<readonly Kline[]>
  readonly lastPrices: LastPrices
  readonly scheduler: SchedulerLike
  /** Exchange time, ms UTC, by which klines close. It may be corrected in both directions. */
  readonly serverNow: () => number
}

/** An incomplete kline is read again after a pause as long as its delay so far, within these bounds. */
const [SOONEST_REPEAT_MS, LATEST_REPEAT_MS] = [250, 15_000]

/**
 * Reads the klines of one stream just after each close, again until they are complete, and missed ones page
 * by page.
 */
export class KlineReader implements PollReader {
  readonly streams: readonly string[]
  readonly #options: KlineReaderOptions
  readonly #sequence: KlineSequence
  /** Time of the next read of a due kline that was not yet complete, ms of the scheduler's clock. */
  #againAt: number | undefined

  constructor(options: KlineReaderOptions) {
    const { work } = options
    this.#options = options
    this.#sequence = new KlineSequence(work, work.after)
    this.streams = [streamOf(work)]
  }

  dueAt(now: number): number {
    if (this.#againAt !== undefined) return this.#againAt
    const { delayMs, serverNow } = this.#options
    return now + this.#sequence.nextClose + delayMs - serverNow()
  }

  async read(): Promise<() => Reading> {
    const { ask, scheduler, serverNow, work, lastPrices } = this.#options
    const begunAt = scheduler.now()
    const askedAt = serverNow()
    const request = this.#sequence.request(askedAt)
    const klines = await ask(request)
    checkGrid(klines, work.interval)
    return () => {
      const lastPrice = lastPrices.of(work.market, work.symbol)
      const findings = this.#sequence.apply(klines, request, askedAt, lastPrice)
      const lateMs = askedAt - this.#sequence.nextClose
      return this.#take(findings, begunAt + Math.min(LATEST_REPEAT_MS, Math.max(SOONEST_REPEAT_MS, lateMs)))
    }
  }

  #take(findings: readonly KlineFinding[], againAt: number): Reading {
    const { work, scheduler } = this.#options
    const events = findings.map(finding => factOf(work, finding))
    const wentOn = findings.some(({ type }) => type === 'closed' || type === 'missing')
    this.#againAt = wentOn ? undefined : againAt
    const dueAt = this.dueAt(scheduler.now())
    // Klines that were given up because they are impossible tell nothing of the market.
    const isAlive = findings.some(
      finding => finding.type === 'closed' || (finding.type === 'missing' && finding.reason !== 'refused'),
    )
    return { events, alive: isAlive ? this.streams.map(stream => ({ stream, dueAt })) : [] }
  }
}

function factOf({ market, symbol, interval }: KlineWork, finding: KlineFinding): MarketFact {
  const stream = { market, symbol, interval }
  switch (finding.type) {
    case 'closed':
      return { type: 'kline', ...stream, kline: finding.kline }
    case 'revised':
      return { type: 'klineRevised', ...stream, kline: finding.kline, before: finding.before }
    case 'refused': {
      const { kline, problem } = finding
      const at = utcText(kline.openTime)
      const reason = `The ${interval} kline of ${symbol} that opens at ${at} is refused: ${problem}.`
      return { type: 'refused', stream: streamOf({ type: 'klines', ...stream }), reason }
    }
    case 'missing': {
      const { from, until, reason } = finding
      return { type: 'klinesMissing', ...stream, from, until, reason }
    }
  }
}

/** Klines off our grid, such as days that start at another midnight, cannot be ordered among others. */
function checkGrid(klines: readonly Kline[], interval: Interval): void {
  const odd = klines.find(({ openTime }) => openTimeOf(openTime, interval) !== openTime)
  if (odd === undefined) return
  throw new SluiceError(
    `A ${interval} kline opens at ${new Date(odd.openTime).toISOString()}, but ${interval} klines open every ${intervalMs(interval)} ms by UTC; follow an interval with boundaries in UTC.`,
    { code: 'KLINES_OFF_GRID', reaction: 'skip' },
  )
}
