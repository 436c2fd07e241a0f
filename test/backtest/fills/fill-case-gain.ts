import type { FillCase } from './fill-case.ts'

/** What the fills of a case (in words) make by the close of its last kline, in ticks times steps; fees are none. */
export function gainOfFills({ klines, orders }: FillCase, fills: readonly string[]): number {
  const close = klines.at(-1)?.close ?? Number.NaN
  const buyers = new Set(orders.filter(({ side }) => side === 'buy').map(({ id }) => id))
  return fills.reduce((sum, fill) => {
    const [, id = '', quantity, , price] = fill.split(' ')
    const [entry = '', leg] = id.split('-')
    const sign = buyers.has(entry) === (leg === undefined) ? 1 : -1
    return sum + sign * Number(quantity) * (close - Number(price))
  }, 0)
}
