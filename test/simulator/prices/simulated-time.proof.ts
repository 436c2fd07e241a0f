import { describe, expect, it } from 'vitest'
import type { SimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { runSimulatedMarket } from '../../bench/long/simulated-day.ts'
import { ExchangeCaller, MINUTE, START } from '../exchange-caller.ts'

const DAY = 1440 * MINUTE

describe('time on the simulated exchange', () => {
  it('passes at a minute or less for a day of 20 symbols that are read and traded', {
    timeout: 60_000,
  }, () => {
    const minutes = 240
    const { cpuSeconds, requests, trades } = runSimulatedMarket(minutes)
    expect(requests).toBe(minutes * 20 * 7)
    expect(trades).toBeGreaterThan(1000)
    // Whatever else the machine has to do.
    expect(cpuSeconds).toBeLessThan((60 * minutes) / 1440)
  })

  const open = (): ExchangeCaller => {
    const listings = ['BTC/USDT', 'ETH/USDT'].map(symbol => ({
      ...{ symbol, market: { type: 'generated', historyKlines: 10 } as const },
    }))
    return ExchangeCaller.open({ listings, correlation: 0.7, keptInputs: 0 })
  }
  const seen = (caller: ExchangeCaller) =>
    ['/sapi/v2/ticker', '/sapi/v2/klines?symbol=BTC/USDT&interval=5min&limit=300', '/v2/pub/summary'].map(
      target => caller.get(target).text,
    )

  it('is the same in one leap and in small steps', () => {
    const [leaping, walking] = [open(), open()]
    for (const caller of [leaping, walking]) caller.get('/sapi/v2/ping')
    leaping.now += 2 * DAY
    for (let time = START; time <= START + 2 * DAY; time += 7 * MINUTE) walking.exchange.advance(time)
    walking.now = leaping.now
    expect(seen(walking)).toEqual(seen(leaping))
  })

  it('leaps without keeping more than the longest window', () => {
    const { exchange } = open()
    exchange.advance(START)
    exchange.advance(START + 20 * DAY)
    expect(sizesOf(exchange)).toEqual([
      [5760, 10_001],
      [5760, 10_001],
    ])
    // Contracts play what they hear of their pairs as it comes.
    for (const contract of exchange.futures.contracts.filter(({ follows }) => follows !== undefined)) {
      expect(contract.tape.newest?.time).toBe(START + 20 * DAY)
    }
  })
})

function sizesOf({ state }: SimulatedExchange): number[][] {
  return state.markets.map(market => [market.tape.size, market.klines('1m', state.now).toArray().length])
}
