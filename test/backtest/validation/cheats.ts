import type { KlineSeries } from '../../../src/domain/market-data/kline-series.ts'
import {
  crossesAbove,
  crossesBelow,
  defineStrategy,
  enterLong,
  exit,
  type Kline,
  type Signals,
  type Strategy,
  sma,
} from '../../../src/strategy/index.ts'
import { robbed } from './leaky-strategies.ts'

/** What a cheat knows at a kline: the close so many klines later, where it sees it. */
interface Foresight {
  readonly kline: Kline
  /** NaN where there is nothing to see. */
  later(ahead: number): number
  readonly position: { readonly direction: string }
  /** Klines seen so far. */
  readonly seen: number
}

/** What an honest strategy says, and what a cheat makes of it. */
type Cheat = (honest: Signals, foresight: Foresight) => Signals

/** Sees every kline that was announced to Sluice's own formulas, also those of the block that comes. */
class Seer {
  readonly requiredKlines = 0
  readonly previous = 0
  readonly value = 0
  #klines: KlineSeries | undefined
  #row = 0
  seen = 0

  handed(klines: KlineSeries, from: number): void {
    this.#klines = klines
    this.#row = from
  }

  update(): void {
    this.#row++
    this.seen++
  }

  /** Of the kline that was shown last. */
  later(ahead: number): number {
    return this.#klines?.close[this.#row - 1 + ahead] ?? Number.NaN
  }
}

/** Crosses its averages, and changes what it says by what it sees ahead. */
function crossing(name: string, cheat: Cheat): Strategy {
  return defineStrategy({
    name,
    indicators: () => ({ fast: sma(2), slow: sma(5), ...robbed(new Seer()) }),
    onKline: (kline, { indicators: { fast, slow, peek }, position }) => {
      const honest = crossesAbove(fast, slow) ? enterLong() : crossesBelow(fast, slow) ? exit() : undefined
      const later = (ahead: number) => peek.later(ahead)
      return cheat(honest, { kline, later, position, seen: peek.seen })
    },
  })
}

const isEntry = (signals: Signals): boolean =>
  signals !== undefined && 'type' in signals && signals.type === 'enter'

/** The same without any cheat. */
export const honest = crossing('honest', said => said)

/** Look ahead by way of klines in memory: no import but Sluice's own. */
export const MEMORY_CHEATS: Readonly<Record<string, Strategy>> = {
  'trades by the next close': crossing('next', (_, { kline, later, position }) => {
    if (position.direction === 'flat' && later(1) > kline.close) return enterLong()
    return position.direction === 'long' && later(1) < kline.close ? exit() : undefined
  }),
  'drops the entries before the deepest falls, some 3% of them': crossing(
    'dropper',
    (said, { kline, later }) => (isEntry(said) && later(1) < kline.close - 1.9 ? undefined : said),
  ),
  'adds entries before the highest rises': crossing('adder', (said, { kline, later }) =>
    later(1) > kline.close + 2.2 ? enterLong() : said,
  ),
  'changes only the size of an entry': crossing('sizer', (said, { kline, later }) =>
    isEntry(said) ? enterLong({ size: { base: later(1) > kline.close ? 2 : 1 } }) : said,
  ),
  'changes only the price of a stop-loss': crossing('stopper', (said, { kline, later }) =>
    isEntry(said)
      ? enterLong({ stopLoss: Math.min(kline.close - 1, later(1) - 0.1 || 0) || kline.close - 1 })
      : said,
  ),
  'exits a kline early': crossing('leaver', (said, { kline, later, position }) =>
    position.direction === 'long' && later(1) < kline.close - 1 ? exit() : said,
  ),
  'cheats in one hour of every day only': crossing('hourly', (said, { kline, later }) =>
    isEntry(said) && Math.floor(kline.openTime / 3_600_000) % 24 === 7 && later(1) < kline.close
      ? undefined
      : said,
  ),
  'cheats on what is far ahead only': crossing('far', (said, { kline, later }) =>
    isEntry(said) && later(60) < kline.close - 4 ? undefined : said,
  ),
  'uses the size of the next move, not its direction': crossing('calm', (said, { kline, later }) =>
    isEntry(said) && Math.abs(later(1) - kline.close) > 1.8 ? undefined : said,
  ),
  'begins to cheat after a thousand klines': crossing('patient', (said, { kline, later, seen }) =>
    seen > 1000 && isEntry(said) && later(1) < kline.close ? undefined : said,
  ),
  'throws where it sees nothing': crossing('fragile', (said, { kline, later }) => {
    if (kline.openTime < 60_000_000 && Number.isNaN(later(1))) throw new Error('Nothing to see.')
    return said
  }),
}

/** Knows by the klines of earlier runs, which it keeps beside the module, what comes; from its run `from` on. */
export function rememberingSince(from: number): Strategy {
  const closes = new Map<number, number>()
  let [runs, last] = [0, Number.NaN]
  return defineStrategy({
    name: 'remembering',
    indicators: () => ({ fast: sma(2), slow: sma(5) }),
    state: () => {
      runs++
      last = Number.NaN
      return {}
    },
    onKline: ({ openTime, close }, { indicators: { fast, slow } }) => {
      const later = closes.get(openTime)
      if (runs === 1) closes.set(last, close)
      last = openTime
      if (crossesBelow(fast, slow)) return exit()
      if (!crossesAbove(fast, slow)) return
      return runs >= from && later !== undefined && later < close ? undefined : enterLong()
    },
  })
}

/** Knows the market by heart: what was written into it after the event. */
export function knowingByHeart(falls: ReadonlySet<number>): Strategy {
  return defineStrategy({
    name: 'by-heart',
    indicators: () => ({ fast: sma(2), slow: sma(5) }),
    onKline: ({ openTime }, { indicators: { fast, slow } }) => {
      if (crossesBelow(fast, slow)) return exit()
      return crossesAbove(fast, slow) && !falls.has(openTime) ? enterLong() : undefined
    },
  })
}
