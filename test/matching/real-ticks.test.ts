import { expect, test } from 'vitest'
import { readTopOfBookFile, readTradeFile } from '../../src/klines/formats/read-tick-file.ts'
import type { QueueAssumption } from '../../src/matching/queue-assumption.ts'
import { type ReplayedRow, SessionReplay } from '../../src/matching/session-replay.ts'
import { hasShared, sharedPath } from '../shared-data.ts'

const TRADES = 'hftbacktest-binanceusdm-btcusdt-20240808-trades.csv.gz'
const TOPS = 'hftbacktest-binanceusdm-btcusdt-20240808-booktop.csv.gz'
const SYMBOL = 'BTC/USDT'
/** A pair of orders is sent this often, and canceled as much later, ms. */
const EVERY_MS = 4000
const LATENCY_MS = 25

/** Six minutes of real trades and best prices, with a bid and an ask of 0.5 BTC at the best prices every four seconds. */
async function session(): Promise<readonly ReplayedRow[]> {
  const trades = (await readTradeFile(sharedPath('data', TRADES))).map(
    ({ time, price, quantity, side }, index): ReplayedRow => ({
      ...{ type: 'trade', at: time, symbol: SYMBOL },
      trade: { id: String(index), time, price: price.toFixed(1), quantity: quantity.toFixed(3), side },
    }),
  )
  const tops = await readTopOfBookFile(sharedPath('data', TOPS))
  const books = tops.map(({ time, bid, bidQuantity, ask, askQuantity }): ReplayedRow => {
    const [bids, asks] = [
      [[bid.toFixed(1), bidQuantity.toFixed(3)] as const],
      [[ask.toFixed(1), askQuantity.toFixed(3)] as const],
    ]
    return { type: 'book', at: time, symbol: SYMBOL, book: { time, bids, asks, levels: 1 } }
  })
  let next = 0
  const orders = tops.flatMap(({ time, bid, ask }): ReplayedRow[] => {
    if (time < next) return []
    next = time + EVERY_MS
    return (['buy', 'sell'] as const).flatMap((side): ReplayedRow[] => {
      const order = `${side} ${time}`
      const limit = (side === 'buy' ? bid : ask).toFixed(1)
      const sent = { at: time, symbol: SYMBOL, order }
      return [
        {
          ...{
            type: 'order',
            ...sent,
            clientOrderId: undefined,
            side,
            kind: 'postOnly',
            limit,
            quantity: '0.5',
          },
          ...{ amount: undefined, arrivesAt: time + LATENCY_MS },
        },
        { type: 'cancel', ...sent, at: time + EVERY_MS, arrivesAt: time + EVERY_MS + LATENCY_MS },
      ]
    })
  })
  return [...orders, ...trades, ...books].sort((left, right) => left.at - right.at)
}

test.runIf(hasShared('data', TRADES))(
  'six minutes of real ticks: a better queue fills more, and no trade fills more than its size',
  async () => {
    const rows = await session()
    const market = { symbol: SYMBOL, pricePrecision: 1, quantityPrecision: 3, contractSize: undefined }
    const fillsOf = (queue: QueueAssumption) => {
      const replay = new SessionReplay()
      const markets = [{ ...market, makerFeeRate: '0', takerFeeRate: '0' }]
      replay.apply({ type: 'start', at: 0, goesOn: false, queue, levels: 1, markets })
      for (const row of rows) replay.apply(row)
      return replay.fills
    }
    const [front, shown, back] = [fillsOf('front'), fillsOf('shown'), fillsOf('back')]
    const volume = (fills: typeof front) => fills.reduce((sum, { quantity }) => sum + Number(quantity), 0)
    expect(volume(front)).toBeGreaterThan(volume(shown))
    expect(volume(shown)).toBeGreaterThan(volume(back))
    expect(volume(back)).toBeGreaterThan(0)
    const trades = new Map(rows.flatMap(row => (row.type === 'trade' ? [[row.trade.id, row.trade]] : [])))
    // A bid is hit by a sale at its price or below, an ask by a purchase at its price or above.
    const wrong: unknown[] = []
    for (const fills of [front, shown, back]) {
      const used = new Map<string, number>()
      const filled = new Map<string, number>()
      for (const { order, side, price, quantity, evidence } of fills) {
        filled.set(order, (filled.get(order) ?? 0) + Number(quantity))
        const [id] = evidence.tradeIds
        const trade = id === undefined ? undefined : trades.get(id)
        if (id === undefined || trade === undefined) continue
        used.set(id, (used.get(id) ?? 0) + Number(quantity))
        const isReached =
          side === 'buy' ? Number(price) >= Number(trade.price) : Number(price) <= Number(trade.price)
        const isItsSize = (used.get(id) ?? 0) <= Number(trade.quantity) + 1e-9
        if (trade.side === side || !isReached || !isItsSize) wrong.push({ order, price, trade })
      }
      wrong.push(...[...filled].filter(([, quantity]) => quantity > 0.5 + 1e-9))
    }
    expect(wrong).toEqual([])
  },
)
