import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../src/bot/clock/virtual-clock.ts'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { createExchangeClient } from '../../../src/exchange/exchange-client.ts'
import type { Transport } from '../../../src/exchange/http/transport.ts'
import { recentKlines } from '../../../src/market/readers/recent-klines.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { inProcessTransport } from '../../in-process-transport.ts'
import { MINUTE, START } from '../../simulator/exchange-caller.ts'

const NOW = START + 20_000

/** A client of a simulated exchange with so many minutes of history, 20 s into a minute. */
function exchangeWith(historyKlines: number) {
  const clock = new VirtualClock(NOW)
  const exchange = createSimulatedExchange({
    listings: [{ symbol: 'BTC/USDT', market: { type: 'generated', historyKlines } }],
  })
  const carry = inProcessTransport(exchange, clock)
  const limits: (string | null)[] = []
  const transport: Transport = request => {
    limits.push(new URL(request.url).searchParams.get('limit'))
    return carry(request)
  }
  const { spot } = createExchangeClient({ spotUrl: 'http://127.0.0.1', clock, transport })
  return { spot, limits }
}

const MINUTES = { symbol: 'BTC/USDT', interval: '1m', part: '1m' } as const
const openTimes = (klines: readonly Kline[]) => klines.map(({ openTime }) => openTime)
const minutesBefore = (count: number) =>
  Array.from({ length: count }, (_, row) => START - (count - row) * MINUTE)

describe('recentKlines', () => {
  it('pages backwards beyond the 300 klines of one answer', async () => {
    const { spot, limits } = exchangeWith(1000)
    const klines = await recentKlines(spot.klines, MINUTES, 650, NOW)
    expect(openTimes(klines)).toEqual(minutesBefore(650))
    expect(limits).toEqual(['300', '300', '50'])
  })

  it('leaves out the kline that still grows', async () => {
    const { spot } = exchangeWith(1000)
    const klines = await recentKlines(spot.klines, MINUTES, 3, NOW)
    expect(openTimes(klines)).toEqual(minutesBefore(3))
  })

  it('gives what there is where the history is shorter', async () => {
    const { spot, limits } = exchangeWith(400)
    const klines = await recentKlines(spot.klines, MINUTES, 650, NOW)
    expect(openTimes(klines)).toEqual(minutesBefore(400))
    expect(limits.length).toBeLessThan(5)
  })

  it('makes hours of half hours, across pages, as the exchange makes them', async () => {
    const { spot, limits } = exchangeWith(60 * 500)
    const hours = { symbol: 'BTC/USDT', interval: '1h' } as const
    const later = NOW + 59 * MINUTE // Half of the hour that grows is a closed part.
    const made = await recentKlines(spot.klines, { ...hours, part: '30m' }, 160, later)
    expect(limits).toEqual(['300', '20'])
    expect(made).toHaveLength(160)
    const listed = await recentKlines(spot.klines, { ...hours, part: '1h' }, 160, later)
    expect(made).toEqual(listed.map(kline => ({ ...kline, volume: expect.closeTo(kline.volume, 9) })))
  })

  it('reads nothing for a strategy that needs no history', async () => {
    const { spot, limits } = exchangeWith(10)
    expect(await recentKlines(spot.klines, MINUTES, 0, NOW)).toEqual([])
    expect(limits).toEqual([])
  })
})
