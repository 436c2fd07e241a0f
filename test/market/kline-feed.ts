import type { VirtualClock } from '../../src/bot/virtual-clock.ts'
import type { Kline } from '../../src/domain/kline.ts'
import { MINUTE, START } from '../simulator/exchange-caller.ts'

/** One read of the klines, as the exchange saw it. */
interface KlineRead {
  /** ms since `START`. */
  readonly at: number
  readonly limit: number
}

/** The kline of a minute since `START` once it has closed: its close is the number of the minute, plus 1000. */
export function minuteKline(minute: number): Kline {
  const close = 1000 + minute
  return { openTime: START + minute * MINUTE, open: 999 + minute, high: close, low: 900, close, volume: 7 }
}

/** The klines endpoint of an exchange on virtual time; misbehaves as told. */
export class KlineFeed {
  readonly reads: KlineRead[] = []
  /** A kline appears so long after its close, ms. */
  lateMs = 0
  /** Nothing can be read in this part of the time, ms since `START`. */
  outage: readonly [from: number, to: number] = [0, 0]
  /** Says every kline twice. */
  repeats = false
  readonly #clock: VirtualClock

  constructor(clock: VirtualClock) {
    this.#clock = clock
  }

  /** The latest klines, oldest first; the newest still grows, unless klines are late. */
  readonly read = async (limit: number): Promise<readonly Kline[]> => {
    const at = this.#clock.now() - START
    this.reads.push({ at, limit })
    if (at >= this.outage[0] && at < this.outage[1]) throw new Error('no answer')
    const growing = Math.floor(at / MINUTE)
    const closed = Math.floor((at - this.lateMs) / MINUTE)
    const minutes = Array.from({ length: limit }, (_, index) => closed - limit + index)
    const klines = minutes.map(minuteKline)
    const shown = this.lateMs > 0 ? klines : [...klines.slice(1), { ...minuteKline(growing), close: 950 }]
    return this.repeats ? shown.flatMap(kline => [kline, kline]) : shown
  }
}
