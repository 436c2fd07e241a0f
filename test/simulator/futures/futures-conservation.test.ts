import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonText } from '../../../src/simulator/protocol/json-text.ts'
import { propertyRuns } from '../property-runs.ts'
import { futuresStateOf } from './futures-state.ts'
import { FuturesWatch } from './futures-watch.ts'
import { carryOut, type FuturesDeed, type FuturesFlow, futuresDeed, openFlow } from './random-futures.ts'
import { futuresMarket, MONEY } from './random-futures-exchange.ts'

function addTo(total: Record<string, number>, part: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(part)) total[name] = (total[name] ?? 0) + count
}

/** What became of positions and money, by kind. */
function outcomesOf({ exchange }: FuturesFlow): Record<string, number> {
  const outcomes: Record<string, number> = {}
  for (const { closedPositions, transactions } of exchange.futures.accounts) {
    for (const { isLiquidated, marginMode } of closedPositions.oldestFirst()) {
      if (isLiquidated) addTo(outcomes, { [`${marginMode}Liquidated`]: 1 })
    }
    for (const { type } of transactions.oldestFirst()) addTo(outcomes, { [type]: 1 })
  }
  return outcomes
}

describe('any flow of futures orders', () => {
  const { numRuns, timeout } = propertyRuns(150)

  it('conserves money, keeps positions in balance, lets no one owe, and trades by price and time', {
    timeout,
  }, () => {
    const seen: Record<string, number> = {}
    const deeds = fc.array(futuresDeed, { minLength: 40, maxLength: 110 })
    fc.assert(
      fc.property(futuresMarket, deeds, (prices, actions) => {
        const flow = openFlow(prices)
        const watch = new FuturesWatch(flow.exchange, MONEY)
        for (const action of actions) {
          carryOut(flow, action)
          watch.look()
        }
        watch.expectNoProblems()
        addTo(seen, watch.seen)
        addTo(seen, outcomesOf(flow))
        addTo(seen, flow.done)
      }),
      { numRuns },
    )
    // How often in a run, at the least: flows in which nothing happens would prove nothing.
    const least = {
      ...{ trades: 5, triggeredTrades: 1, heldBothWays: 3, FILLED: 1, CANCELED: 2, REJECTED: 0.5 },
      ...{ crossLiquidated: 0.2, isolatedLiquidated: 0.4, funding: 1, closingProfit: 1, transferOut: 0.1 },
      ...{ margin: 0.05, set: 0.5, transfer: 0.3, cancel: 0.2, cancelAll: 0.3 },
    }
    const rare = Object.entries(least).filter(([what, perRun]) => (seen[what] ?? 0) < perRun * numRuns)
    expect(rare.map(([what]) => [what, seen[what]])).toEqual([])
  })

  it('comes to the same state from the same seed and deeds, whoever looks meanwhile', { timeout }, () => {
    const hashOf = (prices: readonly number[], actions: readonly FuturesDeed[], looks: boolean) => {
      const flow = openFlow(prices)
      const answers = actions.map(action => {
        if (looks) flow.exchange.futures.awakeContracts()
        return carryOut(flow, action)
      })
      const state = jsonText(futuresStateOf(flow.exchange.futures))
      const hash = createHash('sha256').update(state).digest('hex')
      return { hash, whole: flow.exchange.stateHash, answers }
    }
    const deeds = fc.array(futuresDeed, { minLength: 20, maxLength: 60 })
    fc.assert(
      fc.property(futuresMarket, deeds, (prices, actions) => {
        const first = hashOf(prices, actions, false)
        expect(hashOf(prices, actions, false)).toEqual(first)
        expect(hashOf(prices, actions, true)).toMatchObject({ hash: first.hash, answers: first.answers })
      }),
      { numRuns: propertyRuns(15).numRuns },
    )
  })
})
