import type { Kline } from '../../../src/domain/market-data/kline.ts'
import type { Rest, Violation } from './scene.ts'

/** Each kline that strategies were shown as closed is, price by price, the one that the exchange closed. */
export function klinesAreReal({ events = [], klinesOf }: Rest): readonly Violation[] {
  if (klinesOf === undefined) return []
  const known = new Map<string, ReadonlyMap<number, Kline>>()
  return events.flatMap(event => {
    if (event.type !== 'klineClosed') return []
    const { symbol, interval, kline } = event
    const key = `${symbol} ${interval}`
    const closed =
      known.get(key) ?? new Map([...klinesOf(symbol, interval)].map(one => [one.openTime, one] as const))
    known.set(key, closed)
    const real = closed.get(kline.openTime)
    if (real !== undefined && isSame(real, kline)) return []
    const what = real === undefined ? 'none' : textOf(real)
    const problem = `${symbol}: the kline of ${kline.openTime} was shown as ${textOf(kline)}, the exchange has ${what}`
    return [{ problem, about: symbol }]
  })
}

/** Volumes of contracts are told in other units than they are counted in. */
function isSame(real: Kline, shown: Kline): boolean {
  const areSame = (['open', 'high', 'low', 'close'] as const).every(price => real[price] === shown[price])
  return areSame && (Number.isNaN(real.volume) || real.volume === shown.volume)
}

function textOf({ open, high, low, close, volume }: Kline): string {
  return `${[open, high, low, close].join('/')} with ${volume}`
}
