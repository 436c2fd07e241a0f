import type { Kline } from '../../src/domain/market-data/kline.ts'
import { Decimal } from '../../src/domain/numbers/decimal.ts'
import { seededRandom } from '../../src/domain/numbers/seeded-random.ts'
import type { SpotMarketCalls } from '../../src/exchange/client/spot-market-calls.ts'
import { NetworkError } from '../../src/exchange/errors/network-error.ts'

const MINUTE = 60_000

/** A stretch of time, ms UTC, its end excluded. */
interface Span {
  readonly from: number
  readonly until: number
}

/** What goes wrong with the klines of one symbol. */
export interface FaultyKlinesOptions {
  readonly seed: number
  /** First and last moment of the market, ms UTC. */
  readonly from: number
  readonly until: number
  /** Nothing can be read meanwhile. */
  readonly outages?: readonly Span[]
  /** Every answer shows the klines as they stood at the beginning. */
  readonly frozen?: readonly Span[]
  /** Until when single reads fail, lag, and repeat themselves; ms UTC. */
  readonly calmFrom: number
  /** Ends the wait for a lost answer. */
  readonly sleep: (ms: number) => Promise<void>
  readonly now: () => number
}

/** A minute as it was at first, and as the exchange has it in the end. */
interface Minute {
  readonly first: Kline
  readonly final: Kline
  /** When the one becomes the other, ms UTC. */
  readonly revisedAt: number
}

/** A 1-minute kline endpoint on virtual time whose truth is known, and whose answers are late, lost, doubled, old and revised. */
export class FaultyKlines {
  readonly #options: FaultyKlinesOptions
  readonly #random: () => number
  /** By open time; minutes without trades are absent. */
  readonly #minutes = new Map<number, Minute>()
  /** How many klines the exchange changed after their close. */
  revisions = 0
  /** How the reads ended. */
  readonly counts = { answered: 0, timedOut: 0, failed: 0, old: 0, doubled: 0, pages: 0 }

  constructor(options: FaultyKlinesOptions) {
    this.#options = options
    this.#random = seededRandom(options.seed).uniform
    for (let openTime = options.from; openTime < options.until; openTime += MINUTE) {
      if (this.#random() < 0.02) continue
      this.#minutes.set(openTime, this.#minute(openTime))
    }
  }

  /** The klines from `from` on that have closed by `until`, as they are in the end. Both ms UTC. */
  closed(from: number, until: number): readonly Kline[] {
    return [...this.#minutes.values()]
      .map(({ final }) => final)
      .filter(({ openTime }) => openTime >= from && openTime + MINUTE <= until)
  }

  /** Whether a kline is one that had closed, rather than one that still grew. */
  hasClosed(kline: Kline): boolean {
    const minute = this.#minutes.get(kline.openTime)
    return minute !== undefined && [minute.first, minute.final].some(({ volume }) => volume === kline.volume)
  }

  /** The ticker is never wrong. */
  readonly ticker: SpotMarketCalls['ticker'] = async ({ symbol }) => {
    const now = this.#options.now()
    const last = new Decimal(this.#rowsAt(now).at(-1)?.close ?? 0)
    const none = { open: undefined, quoteVolume: undefined, change: undefined }
    const book = { bid: undefined, bidQuantity: undefined, ask: undefined, askQuantity: undefined }
    return { symbol, time: now, high: last, low: last, last, volume: last, ...none, ...book }
  }

  readonly klines: SpotMarketCalls['klines'] = async ({ limit = 100, startTime, endTime }) => {
    const { now, outages = [], calmFrom } = this.#options
    const askedAt = now()
    const isCalm = askedAt >= calmFrom
    if (outages.some(span => isIn(span, askedAt))) throw this.#failed()
    if (!isCalm && this.#random() < 0.08) await this.#timeOut()
    if (!isCalm && this.#random() < 0.08) throw this.#failed()
    if (startTime !== undefined) this.counts.pages++
    const rows = this.#rowsAt(this.#viewedAt(askedAt, isCalm))
      .filter(({ openTime }) => openTime >= (startTime ?? 0) && openTime <= (endTime ?? askedAt))
      .slice(-limit)
    this.counts.answered++
    if (isCalm || this.#random() >= 0.1) return rows
    this.counts.doubled++
    return rows.flatMap(kline => [kline, kline])
  }

  #minute(openTime: number): Minute {
    const [open, close] = [100 + this.#random(), 100 + this.#random()]
    // Halves tell what grows, quarters what was revised.
    const volume = 1 + 2 * Math.floor(this.#random() * 9)
    const first = { openTime, open, high: 102, low: 99, close, volume }
    const isRevised = this.#random() < 0.03 && openTime < this.#options.calmFrom
    if (!isRevised) return { first, final: first, revisedAt: openTime + MINUTE }
    this.revisions++
    const revisedAt = openTime + MINUTE + Math.round(this.#random() * 4 * MINUTE)
    return { first, final: { ...first, volume: first.volume + 0.25 }, revisedAt }
  }

  /** The moment whose state is answered. */
  #viewedAt(askedAt: number, isCalm: boolean): number {
    const frozen = this.#options.frozen?.find(span => isIn(span, askedAt))
    if (frozen !== undefined) return frozen.from
    if (isCalm || this.#random() >= 0.1) return askedAt
    this.counts.old++
    return askedAt - Math.round(this.#random() * 4000)
  }

  /** The minute that is forming is there from its first second on, and shows half of what it will be. */
  #rowsAt(time: number): readonly Kline[] {
    const rows: Kline[] = []
    for (const [openTime, { first, final, revisedAt }] of this.#minutes) {
      if (openTime + MINUTE <= time) rows.push(time >= revisedAt ? final : first)
      else if (openTime + 1000 <= time)
        rows.push({ ...first, close: priceAt(time), volume: first.volume / 2 })
    }
    return rows
  }

  async #timeOut(): Promise<never> {
    this.counts.timedOut++
    await this.#options.sleep(10_000)
    throw new NetworkError('spotKlines', 'No answer came in time.')
  }

  #failed(): NetworkError {
    this.counts.failed++
    return new NetworkError('spotKlines', 'It answered HTTP 503 without readable content.')
  }
}

/** Price of a minute that still grows. It does not repeat within 11 days: no ticker shows that of an old copy by chance. */
function priceAt(time: number): number {
  const period = 999_999_937
  return 99 + (((time % period) * 7919) % period) / period
}

function isIn({ from, until }: Span, time: number): boolean {
  return time >= from && time < until
}
