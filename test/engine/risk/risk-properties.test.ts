import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TradingCommand } from '../../../src/domain/events/trading-event.ts'
import { amountOf, rateOf, ZERO } from '../../../src/domain/numbers/amount.ts'
import type { Signal } from '../../../src/domain/signal.ts'
import { fromJournalText, journalText } from '../../../src/journal/journal-text.ts'
import type { RiskRules } from '../../../src/risk/risk-rules.ts'
import { expectCovered } from '../brackets/expect-covered.ts'
import { EngineSession, MARGIN, scripted } from '../engine-session.ts'
import { anyHappenings, anyScript, confirmCancels, type Happening, step } from '../random-events.ts'

const instrument = { ...MARGIN, minNotional: ZERO }

type Wish = { readonly type: 'command'; readonly command: TradingCommand }
type Step = Happening | Wish

const anyWish: fc.Arbitrary<Wish> = fc.record({
  type: fc.constant('command' as const),
  command: fc.constantFrom<TradingCommand>('pause', 'resume', 'resume', 'reduce', 'flatten', 'halt', 'kill'),
})

/** Any course of events, with a command now and then. */
const anySteps: fc.Arbitrary<readonly Step[]> = fc
  .tuple(anyHappenings, fc.array(fc.tuple(fc.nat(60), anyWish), { maxLength: 6 }))
  .map(([happenings, wishes]) => {
    const steps: Step[] = [...happenings]
    for (const [place, wish] of wishes) steps.splice(place % (steps.length + 1), 0, wish)
    return steps
  })

function take(session: EngineSession, given: Step): void {
  if (given.type !== 'command') {
    step(session, given)
    return
  }
  const until = given.command === 'pause' ? session.time + 240_000 : undefined
  confirmCancels(session, session.command(given.command, until))
}

function playSteps(
  script: readonly (readonly Signal[])[],
  steps: readonly Step[],
  risk: RiskRules,
  check: (session: EngineSession, outputsBefore: number) => void,
): EngineSession {
  const strategy = scripted(Object.fromEntries(script.entries()))
  const session = new EngineSession(strategy, { instrument, quote: '100000', risk })
  for (const given of steps) {
    const before = session.outputs.length
    take(session, given)
    check(session, before)
  }
  return session
}

const PROTECTIVE: RiskRules = {
  protections: {
    cooldownAfterStop: { pauseMs: 120_000, mode: 'reducing' },
    lossesInARow: { count: 2, pauseMs: 180_000, mode: 'halted' },
  },
}

describe('whatever happens and whatever is commanded', () => {
  it('nothing is opened while reducing, nothing but protection and closing is sent while halted', () => {
    const seen = { active: 0, reducing: 0, halted: 0 }
    fc.assert(
      fc.property(anyScript, anySteps, (script, steps) => {
        let mode: keyof typeof seen = 'active'
        playSteps(script, steps, PROTECTIVE, (session, before) => {
          for (const output of session.outputs.slice(before)) {
            // The outputs of a step are in order, and those before a change were decided before it.
            if (output.type === 'tradingStateChanged') mode = session.mode
            if (output.type !== 'placeOrder') continue
            seen[mode]++
            const { reduceOnly, protects, purpose } = output.request
            if (mode !== 'active') expect(reduceOnly).toBe(true)
            if (mode === 'halted') expect(protects !== undefined || purpose === 'operator').toBe(true)
          }
          mode = session.mode
        })
      }),
      { numRuns: 300 },
    )
    expect(Math.min(seen.active, seen.reducing, seen.halted)).toBeGreaterThan(10)
  })

  it('every entry that holds something stays protected', () => {
    let seen = 0
    fc.assert(
      fc.property(anyScript, anySteps, (script, steps) => {
        playSteps(script, steps, PROTECTIVE, session => {
          seen += expectCovered(session)
        })
      }),
      { numRuns: 300 },
    )
    expect(seen).toBeGreaterThan(500)
  })

  it('no entry rests while trading is held back', () => {
    fc.assert(
      fc.property(anyScript, anySteps, (script, steps) => {
        playSteps(script, steps, PROTECTIVE, session => {
          if (session.mode === 'active') return
          const resting = session.ledger.orders.working.filter(
            ({ request }) => request.purpose === 'entry' && request.spec.type !== 'market',
          )
          expect(resting).toEqual([])
        })
      }),
      { numRuns: 100 },
    )
  })

  it('after a kill everything is closed once the orders that were on their way are over', () => {
    fc.assert(
      fc.property(anyScript, anyHappenings, (script, happenings) => {
        const session = playSteps(script, happenings, {}, () => {})
        confirmCancels(session, session.command('kill'))
        const isOver = () => session.ledger.orders.working.length === 0 && session.held === 0
        for (let round = 0; round < 20 && !isOver(); round++) {
          for (const { request } of [...session.ledger.orders.working]) {
            const number =
              session.placed.findIndex(({ clientOrderId }) => clientOrderId === request.clientOrderId) + 1
            const order = session.ledger.orders.get(request.clientOrderId)
            if (order?.status === 'open' || order?.status === 'partiallyFilled')
              confirmCancels(session, session.fill(number, 100))
          }
          // A closing that ended untraded is sent again when its pause is over.
          confirmCancels(session, session.retry())
        }
        expect([session.held, session.mode]).toEqual([0, 'halted'])
      }),
      { numRuns: 200 },
    )
  })
})

describe('limits', () => {
  it.each([
    ['base', { maxPosition: { base: amountOf('3') } }, 3],
    // Everything trades at 100 here, so that 300 USDT are 3 BTC.
    ['quote', { maxPosition: { quote: amountOf('300') } }, 3],
    ['exposure', { maxExposure: amountOf('300') }, 3],
  ] as const)('in %s are never exceeded, whatever fills in whatever order', (name, limits, most) => {
    let near = 0
    fc.assert(
      fc.property(anyScript, anySteps, (script, steps) => {
        const atPar = steps.map(given =>
          'price' in given && name !== 'base' ? { ...given, price: 100 } : given,
        )
        playSteps(script, atPar, { limits }, session => {
          expect(Math.abs(session.held)).toBeLessThanOrEqual(most)
          if (Math.abs(session.held) > most / 2) near++
        })
      }),
      { numRuns: 300 },
    )
    expect(near).toBeGreaterThan(100)
  })
})

it('risk goes on from its snapshot as if nothing had happened', () => {
  const risk: RiskRules = {
    limits: { maxOrders: { count: 5, perMs: 600_000 } },
    protections: {
      ...PROTECTIVE.protections,
      drawdown: { rate: rateOf('0.01'), mode: 'reducing' },
    },
  }
  fc.assert(
    fc.property(anyScript, anySteps, (script, steps) => {
      const session = playSteps(script, steps, risk, () => {})
      const snapshot = session.engine.risk.snapshot()
      const again = new EngineSession(scripted({}), { instrument, risk })
      again.engine.risk.restore(fromJournalText(journalText(snapshot)) as typeof snapshot) // just written
      expect(again.engine.risk.snapshot()).toEqual(snapshot)
      expect(again.mode).toBe(session.mode)
    }),
    { numRuns: 50 },
  )
})
