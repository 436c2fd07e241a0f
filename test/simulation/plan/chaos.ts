import type { OrderStatus } from '../../../src/domain/orders/order-status.ts'
import type { Signal } from '../../../src/domain/signal.ts'
import {
  defineStrategy,
  enterLong,
  enterShort,
  every,
  protect,
  type Signals,
  type Strategy,
} from '../../../src/strategy/index.ts'
import { mirrored } from '../world/mirrored.ts'
import { type Move, nextRandom, type Random } from './chaos-move.ts'
import { ENTERING_MOVES } from './entering-moves.ts'
import { guard } from './guards.ts'
import { LEAVING_MOVES } from './leaving-moves.ts'

const MOVES = {
  ...ENTERING_MOVES,
  ...LEAVING_MOVES,
  /** What rests on the other side fills where a take-profit leaves, and makes what that protects smaller. */
  meeting: ((price, random) => [
    enterLong({
      size: { base: 0.4 + Math.round(random() * 40) / 100 },
      scaleIn: true,
      takeProfit: price * 1.004,
    }),
    enterLong({ size: { base: 0.4 }, scaleIn: true }),
    enterShort({
      size: { base: 0.1 + Math.round(random() * 30) / 100 },
      scaleIn: true,
      order: { type: 'limit', price: price * 1.0035 },
    }),
  ]) satisfies Move,
  guarded: ((price, random) =>
    enterLong({
      size: { base: Math.round((0.3 + random() * 2) * 1000) / 1000 },
      scaleIn: random() < 0.5,
      ...guard(price * 0.01, random),
    })) satisfies Move,
  guardAnew: ((price, random) => protect(guard(price * 0.01, random))) satisfies Move,
  bothSides: (() => [enterLong({ size: { base: 0.5 } }), enterShort({ size: { base: 0.5 } })]) satisfies Move,
}

type MoveName = keyof typeof MOVES

/** What a mood does at klines, and, if anything, at fills and at what else happens to its orders. */
interface Mood {
  readonly klines: readonly MoveName[]
  readonly fills?: readonly MoveName[]
  readonly orders?: readonly MoveName[]
}

const names = (moves: object) => Object.keys(moves) as readonly MoveName[] // of the moves alone

const MOODS: Readonly<Record<string, Mood>> = {
  brackets: { klines: ['bracket', 'bracket', 'trailing', 'partialExit', 'wait'] },
  resting: { klines: ['limit', 'ladder', 'ladder', 'restingExit', 'cancel', 'exit'] },
  scaling: {
    klines: ['market', 'bracket', 'bracket', 'partialExit', 'partialExit', 'trailing', 'exit'],
    fills: ['wait', 'partialExit', 'partialExit'],
  },
  reversing: { klines: ['target', 'targetShare', 'restingTarget', 'market', 'exit', 'bracket'] },
  groups: { klines: ['pair', 'pair', 'crowd', 'crowd', 'wait', 'partialExit', 'exit'] },
  making: {
    klines: ['maker', 'maker', 'restingExit', 'atOnce', 'wholeOrNot', 'exitAtOnce'],
    orders: ['wait', 'wait', 'wait', 'atOnce', 'exitAtOnce'],
  },
  managing: {
    klines: ['parts', 'parts', 'bracket', 'ladder', 'protect', 'protect', 'protectSome', 'partialExit'],
    fills: ['wait', 'protect', 'protect', 'partialExit'],
  },
  quoting: {
    klines: ['quotes', 'quotes', 'quotes', 'bids', 'noQuotes', 'wait', 'exit', 'protect'],
    fills: ['wait', 'quotes', 'quotes', 'bids'],
    orders: ['wait', 'wait', 'wait', 'quotes'],
  },
  patient: {
    klines: ['kept', 'kept', 'touched', 'stopEntry', 'waitingExit', 'cancelSome', 'wait', 'restingExit'],
    fills: ['wait', 'wait', 'kept', 'waitingExit'],
  },
  everything: {
    klines: [...names(ENTERING_MOVES), ...names(LEAVING_MOVES)],
    fills: ['wait', 'wait', 'wait', ...names(LEAVING_MOVES)],
    orders: ['wait', 'wait', 'wait', 'wait', 'wait', 'wait', 'wait', 'wait', 'market', 'exit', 'protect'],
  },
}

/** Of those who hold both sides of a contract equally large, once both have filled. */
const BALANCED_MOODS: Readonly<Record<string, Mood>> = {
  balanced: { klines: ['bothSides', 'wait'] },
  rebalanced: { klines: ['bothSides', 'bothSides', 'bothSides', 'exit'] },
}

/** Of those that protect what they hold by everything there is. */
const GUARDING: Readonly<Record<string, Mood>> = {
  guarding: {
    klines: ['guarded', 'guarded', 'guarded', 'guardAnew', 'partialExit', 'wait', 'exit'],
    fills: ['wait', 'wait', 'guardAnew', 'guarded'],
  },
}

/** What a strategy's next number comes from. */
interface Memory {
  random: number
  hasBegun: boolean
  price: number
  /** Moves out of fills and ends of orders since the latest kline. */
  between: number
}

/** What ends an order without a fill: what else happens to one is no reason to do something. */
const ENDED: ReadonlySet<OrderStatus> = new Set(['canceled', 'rejected', 'expired'])

/** A kind of strategies: how many moves they make at a kline at most, and what becomes of what each decided at a price. */
interface Temper {
  readonly kind: string
  readonly moods?: Readonly<Record<string, Mood>>
  readonly most: number
  readonly turn: (signal: Signal, price: number, random: Random) => Signal | undefined
}

/** Strategies that ask at every kline, and some at fills and ends of orders, for something else, out of what a number in their state decides. They only buy, and sell what they bought. */
export const CHAOTIC_STRATEGIES = strategiesOf({ kind: 'chaos', most: 1, turn: signal => signal })

/** The same for contracts: half of what they ask for is the other way round, and some of it is about one side only. */
export const CHAOTIC_TRADERS = strategiesOf({ kind: 'trader', most: 3, turn: turned })

/** Those among them whose resting entries on the other side fill where their take-profits leave. */
export const MEETING_TRADERS = strategiesOf({
  kind: 'trader',
  moods: { meeting: { klines: ['meeting', 'meeting', 'meeting', 'exit'] } },
  most: 1,
  turn: signal => signal,
})

/** Strategies with every form of protection beside each other. */
export const GUARDED_STRATEGIES = strategiesOf({
  kind: 'chaos',
  moods: GUARDING,
  most: 1,
  turn: signal => signal,
})

/** The same, long and short. */
export const GUARDED_TRADERS = strategiesOf({ kind: 'trader', moods: GUARDING, most: 2, turn: turned })

/** The same where both sides of a contract are held at once, of which there are no quotes. */
export const CHAOTIC_HEDGERS = strategiesOf({
  kind: 'hedger',
  most: 3,
  turn: (signal, ...rest) => (signal.type === 'quotes' ? undefined : turned(signal, ...rest)),
})

/** Those among them who hold as much of the one side as of the other, most of the time. */
export const BALANCED_HEDGERS = strategiesOf({
  kind: 'hedger',
  moods: BALANCED_MOODS,
  most: 3,
  turn: turned,
})

function turned(signal: Signal, price: number, random: Random): Signal {
  const [turns, part] = [random() < 0.5, random()]
  const sized = random() < 0.5 ? inHalves(signal) : signal
  const own = turns ? mirrored(sized, price) : sized
  if (own.type === 'exit' && part < 0.6) return { ...own, direction: part < 0.3 ? 'long' : 'short' }
  if (own.type !== 'quotes') return own
  return { ...own, quotes: own.quotes.map(quote => ({ ...quote, reduceOnly: random() < 0.2 })) }
}

/** Entries of the same few sizes, so that both sides of a contract are now and then equally large. */
function inHalves(signal: Signal): Signal {
  if (signal.type !== 'enter' || signal.size === undefined || !('base' in signal.size)) return signal
  return { ...signal, size: { base: Math.max(0.5, Math.round(signal.size.base * 2) / 2) } }
}

function strategiesOf(temper: Temper): readonly Strategy[] {
  const { kind, moods = MOODS, most } = temper
  return Object.entries(moods).map(([mood, { klines, fills = [], orders = [] }]) =>
    defineStrategy({
      name: `${kind}-${mood}`,
      parameters: {
        seed: { type: 'integer', default: 1, min: 0, max: 2 ** 31, description: 'Decides everything.' },
      },
      state: (): Memory => ({ random: 0, hasBegun: false, price: Number.NaN, between: 0 }),
      onKline: ({ close }, { state, parameters }) => {
        if (!state.hasBegun) state.random = parameters.seed
        state.hasBegun = true
        state.price = close
        state.between = 0
        return moved(klines, state, temper, most)
      },
      timers: { tick: every('30s') },
      on: { tick: (_time, { state }) => movedBetween(orders, state, temper) },
      onStart: ({ state }) => movedBetween(orders, state, temper),
      onStop: ({ state }) => movedBetween(fills, state, temper),
      onFill: ({ price }, { state }) => {
        state.price = price
        return movedBetween(fills, state, temper)
      },
      onOrder: ({ status }, { state }) =>
        ENDED.has(status) ? movedBetween(orders, state, temper) : undefined,
    }),
  )
}

/** So many moves at most between two klines: an order in many parts has many fills. */
const MOST_BETWEEN = 6

function movedBetween(moves: readonly MoveName[], state: Memory, temper: Temper): Signals {
  return state.between++ < MOST_BETWEEN ? moved(moves, state, temper, 1) : undefined
}

function moved(moves: readonly MoveName[], state: Memory, { turn }: Temper, most: number): Signals {
  if (moves.length === 0 || !state.hasBegun) return undefined
  const random = nextRandom(state)
  const { price } = state
  const count = most === 1 ? 1 : 1 + Math.floor(random() * most)
  return Array.from({ length: count }, () => {
    const move: Move = MOVES[moves[Math.floor(random() * moves.length)] ?? 'wait']
    return [move(price, random) ?? []].flat().flatMap(signal => turn(signal, price, random) ?? [])
  }).flat()
}
