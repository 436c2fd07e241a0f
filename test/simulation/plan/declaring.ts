import type { Protection, Signal } from '../../../src/domain/signal.ts'
import { defineStrategy, every, type Strategy, targetPosition } from '../../../src/strategy/index.ts'
import { nextRandom } from './chaos-move.ts'
import { guard } from './guards.ts'

/** Fractions of equity at the edges of what can be held. */
const EDGES = [0, 0.001, 0.2, 0.5, 0.9, 0.95, 0.99, 0.999, 1] as const

/** How a strategy declares its targets. */
interface Manner {
  readonly name: string
  /** Largest short of what a target says, as a fraction of equity; 0 for an account that cannot be short. */
  readonly short: number
  /** Largest long. */
  readonly long: number
  readonly protects: boolean
}

/** Strategies that declare the fraction of equity they want at every kline, fill and half minute: now and then another one, mostly the same again. */
export const DECLARERS: readonly Strategy[] = [
  declarer({ name: 'declarer', short: 0, long: 1, protects: false }),
  declarer({ name: 'protected-declarer', short: 0, long: 1, protects: true }),
]

/** The same on contracts, which can be short, and hold more than the account has. */
export const CONTRACT_DECLARERS: readonly Strategy[] = [
  declarer({ name: 'contract-declarer', short: 1, long: 1, protects: false }),
  declarer({ name: 'protected-contract-declarer', short: 2, long: 2, protects: true }),
]

function declarer({ name, short, long, protects }: Manner): Strategy {
  const declared = (state: { random: number; fraction: number; protection: Protection }): Signal =>
    targetPosition({ equityFraction: state.fraction }, state.protection)
  return defineStrategy({
    name,
    parameters: {
      seed: { type: 'integer', default: 1, min: 0, max: 2 ** 31, description: 'Decides everything.' },
    },
    state: () => ({ random: 0, hasBegun: false, fraction: 0, protection: {} as Protection, repeats: 0 }),
    onKline: ({ close }, { state, parameters }) => {
      if (!state.hasBegun) state.random = parameters.seed
      state.hasBegun = true
      state.repeats = 0
      const random = nextRandom(state)
      if (random() < 0.4) {
        const edge = EDGES[Math.floor(random() * EDGES.length)] ?? 0
        const part = random() < 0.6 ? edge : random()
        state.fraction = random() < 0.5 ? part * long : -part * short
        state.protection = protects ? guard(close * 0.01, random) : {}
      }
      // The same again in the same breath changes nothing.
      return random() < 0.2 ? [declared(state), declared(state)] : declared(state)
    },
    timers: { again: every('30s') },
    on: { again: (_time, { state }) => (state.hasBegun ? declared(state) : undefined) },
    onFill: (_fill, { state }) => {
      const random = nextRandom(state)
      return state.repeats++ < 4 && random() < 0.5 ? declared(state) : undefined
    },
  })
}
