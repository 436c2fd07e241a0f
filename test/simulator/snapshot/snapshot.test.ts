import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonText } from '../../../src/simulator/protocol/json-text.ts'
import { createSimulatedExchange, type SimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import type { SimulatorConfigInput } from '../../../src/simulator/simulator-config.ts'
import { readSnapshot } from '../../../src/simulator/snapshot/snapshot.ts'
import { flatMarket, klinesOf, MINUTE, replayOf, START } from '../exchange-caller.ts'
import { anyDeed, type Deed, does } from './random-inputs.ts'

const MARKET = klinesOf(
  ...Array.from({ length: 30 }, (_, index) => {
    const price = 100 + (index % 7) * 0.1
    return [price, price + 0.3, price - 0.3, price] as const
  }),
)

const CONFIG: SimulatorConfigInput = replayOf(MARKET, {
  liquidity: { spreadTicks: 3, levelNotionals: ['40', '900'] },
  futures: { contracts: [{ symbol: 'E-BTC-USDT', multiplier: '0.01', pricePrecision: 2 }] },
})
const open = (more: SimulatorConfigInput = {}) => createSimulatedExchange({ ...CONFIG, ...more })

/** What a snapshot becomes on its way through a file. */
function copied(exchange: SimulatedExchange) {
  return readSnapshot(JSON.parse(jsonText(exchange.snapshot() as never)))
}

function play(exchange: SimulatedExchange, deeds: readonly Deed[], from: number): [unknown[], number] {
  let now = from
  const answers = deeds.map(deed => {
    const [answer, after] = does(exchange, deed, now)
    now = after
    return answer
  })
  return [answers, now]
}

const deeds = fc.array(anyDeed, { minLength: 5, maxLength: 40 })

describe('a restored exchange', () => {
  it('has the same state and answers everything like the one it was taken of', () => {
    let trades = 0
    fc.assert(
      fc.property(deeds, deeds, (before, after) => {
        const original = open()
        original.advance(START)
        const [, now] = play(original, before, START)
        const restored = createSimulatedExchange()
        restored.restore(copied(original))
        expect(restored.stateHash).toBe(original.stateHash)
        const answers = play(original, after, now)
        expect(play(restored, after, now)).toEqual(answers)
        expect(restored.stateHash).toBe(original.stateHash)
        expect(restored.eventsAfter(0, 1000)).toEqual(original.eventsAfter(0, 1000))
        trades += original.state.users.reduce(
          (sum, { history }) => sum + history.trades().toArray().length,
          0,
        )
      }),
      { numRuns: 60 },
    )
    expect(trades).toBeGreaterThan(100)
  })

  it('of a generated market goes on as the original does', () => {
    const config: SimulatorConfigInput = {
      listings: [{ symbol: 'BTC/USDT', market: { type: 'generated', historyKlines: 5 } }],
    }
    const original = createSimulatedExchange(config)
    for (let minute = 0; minute < 50; minute++) original.advance(START + minute * MINUTE)
    const restored = createSimulatedExchange()
    restored.restore(copied(original))
    for (const exchange of [original, restored]) exchange.advance(START + 100 * MINUTE)
    expect(restored.stateHash).toBe(original.stateHash)
    expect(restored.state.markets[0]?.reference).not.toBe(
      createSimulatedExchange({ ...config, seed: 2 }).state.markets[0]?.reference,
    )
  })

  it('does not depend on how often anyone looked at the market', () => {
    fc.assert(
      fc.property(
        deeds,
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
        (all, parts) => {
          const [once, often] = [open(), open()]
          for (const exchange of [once, often]) exchange.advance(START)
          const looking = new Proxy(often, {
            get(target, key) {
              if (key !== 'advance') {
                const member = Reflect.get(target, key, target)
                return typeof member === 'function' ? member.bind(target) : member
              }
              return (to: number) => {
                const from = target.state.now
                for (const part of parts) target.advance(Math.floor(from + ((to - from) * part) / 10))
                target.advance(to)
              }
            },
          })
          const answers = play(once, all, START)
          expect(play(looking, all, START)).toEqual(answers)
          expect(often.stateHash).toBe(once.stateHash)
        },
      ),
      { numRuns: 40 },
    )
  })
})

describe('a snapshot', () => {
  it('shows the state for reading', () => {
    const exchange = open()
    exchange.advance(START)
    expect(exchange.snapshot()).toMatchObject({ time: START, state: { users: [{ openOrders: [] }, {}] } })
  })

  it('that leads to another state is refused, and changes nothing', () => {
    const exchange = open()
    exchange.advance(START)
    const hash = exchange.stateHash
    const wrong = { ...copied(exchange), config: replayOf(flatMarket(7)) }
    expect(() => exchange.restore(wrong)).toThrow('does not lead to the state it was taken of')
    expect(exchange.stateHash).toBe(hash)
  })

  it('cannot be taken once inputs have been forgotten, and says how to keep them', () => {
    const exchange = open({ keptInputs: 3 })
    for (let index = 0; index < 50; index++) exchange.advance(START + index)
    expect(exchange.snapshot().inputs).toHaveLength(2)
    play(exchange, [{ type: 'lift' }, { type: 'lift' }], START + 50)
    expect(() => exchange.snapshot()).toThrow('more than 3 inputs and forgotten them; raise keptInputs')
    const rule = { fault: 'staleRead', lagMs: 1 } as const
    expect(() => exchange.stage({ type: 'setFault', time: START + 60, rule })).toThrow('raise keptInputs')
  })
})
