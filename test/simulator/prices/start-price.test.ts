import { describe, expect, it } from 'vitest'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { type SimulatorConfigInput, simulatorConfigOf } from '../../../src/simulator/simulator-config.ts'
import { START } from '../exchange-caller.ts'

const pair = (startPrice: number, pricePrecision: number): SimulatorConfigInput => ({
  listings: [{ symbol: 'A/B', pricePrecision, market: { type: 'generated', startPrice, historyKlines: 5 } }],
  futures: { contracts: [] },
})

describe('a generated market', () => {
  it.each([
    [0.99, 2, 99],
    [0.01, 2, 1],
    [99, 0, 99],
    [0.0000123, 6, 12.3],
    [1.1e9, 3, 1.1e12],
  ])('cannot start at %d with %i decimals, which are %d ticks', (startPrice, pricePrecision, ticks) => {
    const remedy = ticks < 100 ? 'raise' : 'lower'
    expect(() => simulatorConfigOf(pair(startPrice, pricePrecision))).toThrow(
      `listings.0.market.startPrice is ${startPrice}, which at a pricePrecision of ${pricePrecision} is ${ticks} ticks; a generated market starts at 100 to 1000000000000 of them: ${remedy} the price or pricePrecision.`,
    )
  })

  it.each([
    [1, 2, 100],
    [0.00001, 7, 100],
    [1.1, 2, 110],
    [1e9, 3, 1e12],
  ])('starts at %d with %i decimals where it is told to', (startPrice, pricePrecision, ticks) => {
    const exchange = createSimulatedExchange(pair(startPrice, pricePrecision))
    exchange.advance(START)
    const [listed] = exchange.state.markets
    expect([...(listed?.klines('1m', START) ?? [])].at(-1)?.open).toBe(ticks)
  })

  it('of a contract is held to the same, also one for where its pair is not listed', () => {
    const market = { type: 'generated', startPrice: 5 } as const
    const problems = [market, { type: 'spot', ifUnlisted: market } as const].map(own => {
      const contracts = [{ symbol: 'E-A-B', pricePrecision: 1, market: own }]
      return () => simulatorConfigOf({ futures: { contracts } })
    })
    expect(problems[0]).toThrow('futures.contracts.0.market.startPrice is 5, which at')
    expect(problems[1]).toThrow('futures.contracts.0.market.ifUnlisted.startPrice is 5, which at')
  })
})
