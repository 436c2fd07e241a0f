import type { Signal } from '../../src/domain/signal.ts'
import {
  cancelEntries,
  defineStrategy,
  enterLong,
  exit,
  type Strategy,
  targetPosition,
} from '../../src/strategy/index.ts'

/** What a strategy of this room may do at a kline, given numbers from 0 up to 1. */
type Move = (close: number, random: () => number) => Signal | readonly Signal[] | undefined

const size = (random: () => number) => ({ base: Math.round((0.3 + random() * 3) * 1000) / 1000 })
const near = (close: number, spread: number, random: () => number) =>
  close * (1 + (random() * 2 - 1) * spread)

const MOVES = {
  market: (_close, random) => enterLong({ size: size(random), scaleIn: random() < 0.5 }),
  bracket: (_close, random) =>
    enterLong({
      size: size(random),
      scaleIn: random() < 0.5,
      stopLoss: { fraction: 0.004 + random() * 0.02 },
      takeProfit: { fraction: 0.004 + random() * 0.02 },
    }),
  trailing: (_close, random) =>
    enterLong({
      size: size(random),
      scaleIn: random() < 0.5,
      trailingStop: { fraction: 0.004 + random() * 0.015 },
      ...(random() < 0.5 && { stopLoss: { fraction: 0.03 } }),
    }),
  resting: (close, random) =>
    enterLong({
      size: size(random),
      scaleIn: true,
      order: { type: 'limit', price: near(close, 0.012, random) },
      ...(random() < 0.7 && { stopLoss: { fraction: 0.01 }, takeProfit: { fraction: 0.008 } }),
    }),
  ladder: (close, random) =>
    [0.997, 0.993, 0.988].map((step, index) =>
      enterLong({
        size: size(random),
        scaleIn: true,
        order: { type: 'limit', price: close * step },
        tag: `rung ${index}`,
        ...(random() < 0.5 && { stopLoss: { fraction: 0.012 } }),
      }),
    ),
  stopEntry: (close, random) =>
    enterLong({
      size: size(random),
      scaleIn: true,
      order: { type: 'stop', stopPrice: close * (1 + random() * 0.01) },
      trailingStop: { fraction: 0.01 },
    }),
  stopLimitEntry: (close, random) =>
    enterLong({
      size: size(random),
      scaleIn: true,
      order: { type: 'stopLimit', stopPrice: close * (1 + random() * 0.006), price: close * 1.008 },
      stopLoss: { fraction: 0.01 },
    }),
  partialExit: (_close, random) => exit({ fraction: 0.1 + random() * 0.8 }),
  restingExit: (close, random) =>
    exit({ fraction: 0.3 + random() * 0.7, order: { type: 'limit', price: near(close, 0.008, random) } }),
  exit: () => exit(),
  target: (_close, random) => targetPosition({ base: Math.floor(random() * 5) / 2 }),
  cancel: () => cancelEntries(),
  wait: () => undefined,
} satisfies Readonly<Record<string, Move>>

type MoveName = keyof typeof MOVES

const MOODS: Readonly<Record<string, readonly MoveName[]>> = {
  brackets: ['bracket', 'bracket', 'trailing', 'partialExit', 'wait'],
  resting: ['resting', 'ladder', 'ladder', 'restingExit', 'cancel', 'exit'],
  scaling: ['market', 'bracket', 'partialExit', 'partialExit', 'trailing', 'exit'],
  reversing: ['target', 'target', 'market', 'exit', 'bracket'],
  everything: [
    ...(['market', 'bracket', 'trailing', 'resting', 'ladder', 'stopEntry', 'stopLimitEntry'] as const),
    ...(['partialExit', 'restingExit', 'exit', 'target', 'cancel', 'wait'] as const),
  ],
}

/** Strategies that ask at every kline for something else, out of what a number in their state decides. */
export const CHAOTIC_STRATEGIES: readonly Strategy[] = Object.entries(MOODS).map(([mood, moves]) =>
  defineStrategy({
    name: `chaos-${mood}`,
    parameters: {
      seed: { type: 'integer', default: 1, min: 0, max: 2 ** 31, description: 'Decides everything.' },
    },
    state: () => ({ random: 0, hasBegun: false }),
    onKline: ({ close }, { state, parameters }): Signal | readonly Signal[] | undefined => {
      if (!state.hasBegun) state.random = parameters.seed
      state.hasBegun = true
      const random = () => {
        // Knuth's MMIX multiplier does not fit into doubles; this one (Numerical Recipes) does.
        state.random = (Math.imul(state.random, 1664525) + 1013904223) >>> 0
        return state.random / 2 ** 32
      }
      random()
      const move: Move = MOVES[moves[Math.floor(random() * moves.length)] ?? 'wait']
      return move(close, random)
    },
  }),
)
