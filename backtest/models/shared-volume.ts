import type { Instrument } from '../../src/domain/instrument.ts'
import { type Interval, intervalMs, openTimeOf } from '../../src/domain/market-data/interval.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { type Steps, steps, stepsPerBase } from '../../src/domain/numbers/grid.ts'
import { type Participation, UNLIMITED, volumeParticipation } from './participation.ts'

/** Klines with fills that are remembered at least; more are looked through for old ones. */
const REMEMBERED = 50_000
/** The longest kline, ms. Finer klines inside one are played when it closes, as late as this. */
const LONGEST_MS = 31 * 24 * 3_600_000

/** Klines of one length. */
interface Level {
  readonly interval: Interval
  /** Quantity that has traded in a kline, in steps, by its open time. */
  readonly used: Map<number, number>
  /** Open time of the kline that was played last, and what may trade in it. */
  openTime: number
  tradable: Steps
}

/**
 * What may trade on the klines of one instrument, whatever strategies its orders are of. What trades on a kline counts in each
 * longer one that is played as well; at its open, also in each shorter one that begins with it.
 */
export class SharedVolume {
  readonly #participation: Participation
  readonly #levels: Level[] = []

  constructor(participation: Participation) {
    this.#participation = participation
  }

  /** Names an interval that the instrument is played on. */
  join(interval: Interval): void {
    if (this.#levels.some(level => level.interval === interval)) return
    this.#levels.push({ interval, used: new Map(), openTime: Number.NaN, tradable: UNLIMITED })
  }

  /** Quantity that may still trade on a kline. */
  left(kline: Kline, interval: Interval): Steps {
    let least: number = UNLIMITED
    for (const level of this.#levels) {
      if (level.interval === interval) {
        level.openTime = kline.openTime
        level.tradable = this.#participation(kline)
      } else if (level.openTime !== longerAround(kline.openTime, interval, level.interval)) continue
      least = Math.min(least, level.tradable - (level.used.get(level.openTime) ?? 0))
    }
    return steps(Math.max(0, least))
  }

  /** Notes that orders have traded on the kline that opened at a time, ms UTC. */
  use(quantity: Steps, openTime: number, interval: Interval, atOpen: boolean): void {
    for (const { interval: other, used } of this.#levels) {
      const around = longerAround(openTime, interval, other)
      if (other !== interval && around === undefined && !atOpen) continue
      const time = around ?? openTime
      used.set(time, (used.get(time) ?? 0) + quantity)
      if (used.size >= REMEMBERED) forgetBefore(openTime - LONGEST_MS, used)
    }
  }
}

/** The volume of an instrument whose orders may trade a share of it; `undefined` without a limit. */
export function sharedVolume(
  mostShare: number | undefined,
  instrument: Instrument,
): SharedVolume | undefined {
  if (mostShare === undefined) return undefined
  return new SharedVolume(volumeParticipation(mostShare, stepsPerBase(instrument)))
}

/** Open time of the kline of a longer interval in which a kline begins; `undefined` if `other` is not longer. */
function longerAround(openTime: number, interval: Interval, other: Interval): number | undefined {
  return intervalMs(other) > intervalMs(interval) ? openTimeOf(openTime, other) : undefined
}

function forgetBefore(time: number, used: Map<number, number>): void {
  for (const openTime of used.keys()) if (openTime < time) used.delete(openTime)
}
