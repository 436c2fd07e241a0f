import * as fc from 'fast-check'
import type { FillSettings } from '../../../backtest/models/fill-settings.ts'
import type { BacktestResult } from '../../../backtest/results/backtest-result.ts'
import type { Instrument } from '../../../src/domain/instrument.ts'
import { rateOf } from '../../../src/domain/numbers/amount.ts'
import type { OrderWish, Signal, TrailingStop } from '../../../src/domain/signal.ts'
import { enterLong, enterShort, exit } from '../../../src/strategy/index.ts'
import { MARGIN } from '../../engine/engine-session.ts'
import { klinesOf, type Row, type RunSettings, runScript } from '../kline-table.ts'
import {
  type NaiveEntry,
  type NaiveExit,
  type NaiveOrder,
  type NaiveRules,
  type NaiveState,
  type NaiveTrailing,
  naiveResult,
  naiveStart,
  naiveWalker,
  withEntry,
  withExit,
} from './naive-trader.ts'
import { stateAlong, statesAtClose, type TickKline, ticksOf } from './price-path.ts'

/** Entries of one decision, and the klines after it. */
export interface PathCase {
  /** Close before the first kline. */
  readonly before: number
  readonly klines: readonly TickKline[]
  readonly entries: readonly NaiveEntry[]
  /** Decided at the close of the first kline. */
  readonly exit?: NaiveExit | undefined
  /** Decided there as well, against what is held. */
  readonly turn?: NaiveEntry | undefined
  readonly rules: NaiveRules
}

/** Whole ticks, whole units. */
const WHOLE_TICKS: Instrument = { ...MARGIN, pricePrecision: 0, quantityPrecision: 0 }

function instrumentOf({ fees }: NaiveRules): Instrument {
  const { maker, taker, paidIn = 'quote' } = fees
  return { ...WHOLE_TICKS, fees: { maker: rateOf(maker), taker: rateOf(taker), paidIn } }
}

/** What a backtest of a case makes by the close of its last kline, in ticks times units. */
export function gainOf(result: BacktestResult): number {
  return (result.equity.at(-1) ?? Number.NaN) - QUOTE
}

/** A backtest of a case, by `more` of the fill settings. */
export function backtested(
  given: PathCase,
  path: FillSettings['path'],
  more: Partial<FillSettings> = {},
): BacktestResult {
  const settings = settingsOf(given, path, more)
  const { volume } = given.rules
  const rows = rowsOf(given)
  if (volume === undefined) return runScript(scriptOf(given), rows, settings)
  const klines = { ...klinesOf(rows), volume: new Float64Array(rows.length).fill(volume) }
  const fills = { ...settings.fills, maxVolumeShare: 1 }
  return runScript(scriptOf(given), [], { ...settings, klines, fills })
}

/** A backtest of a case of one kline, inside which finer klines that never move stand on the way from corner to corner. */
export function backtestedAlong(given: PathCase, corners: readonly number[]): BacktestResult {
  const rows = rowsOf(given)
  const flat = (price: number): Row => [price, price, price, price]
  const before = Array<Row>(MINUTES).fill(flat(given.before))
  const way = [...ticksOf(corners)].map(flat)
  const rest = Array<Row>(MINUTES - way.length).fill(flat(corners.at(-1) as number))
  return runScript(scriptOf(given), [], {
    ...settingsOf(given, 'detail'),
    interval: '4h',
    klines: {
      ...klinesOf(rows),
      openTime: Float64Array.from(rows, (_row, index) => index * MINUTES * 60_000),
    },
    detail: { klines: klinesOf([...before, ...way, ...rest]), interval: '1m' },
  })
}

/** The result of one path through the kline of a case, every price of which is an open. */
export function resultOfOpens({ entries, rules }: PathCase, corners: readonly number[]): number {
  const walker = naiveWalker(rules)
  let state = naiveStart(entries, rules)
  for (const price of ticksOf(corners)) state = walker.walk(state, price, true)
  return naiveResult(state, corners.at(-1) as number)
}

/** Of a kline that finer ones tell the path of. */
const MINUTES = 240
const QUOTE = 1_000_000

function rowsOf({ before, klines }: PathCase): Row[] {
  return [
    [before, before, before, before],
    ...klines.map(({ open, high, low, close }): Row => [open, high, low, close]),
  ]
}

function settingsOf(
  { rules }: PathCase,
  path: FillSettings['path'],
  more: Partial<FillSettings> = {},
): RunSettings {
  const limitFill = rules.touch ? 'touch' : 'through'
  return {
    instrument: instrumentOf(rules),
    quote: String(QUOTE),
    fills: { path, limitFill, slippageTicks: rules.slippage, ...more },
  }
}

/** The results of every path inside the last kline, or `undefined` where a kline before it leaves open how it ends. */
export function resultsOfPaths(given: PathCase): number[] | undefined {
  const { klines, entries, rules } = given
  const walker = naiveWalker(rules)
  let start = naiveStart(entries, rules)
  for (const [row, kline] of klines.entries()) {
    const ends = statesAtClose(kline, start, walker)
    if (row === klines.length - 1) return ends.map(state => naiveResult(state, kline.close))
    const [end] = ends
    if (end === undefined || ends.length > 1) return undefined
    start = row === 0 ? decided(end, given) : end
  }
  return undefined
}

/** The results of every path inside every kline; a case without an exit of its own. */
export function resultsOfAllPaths({ klines, entries, rules }: PathCase): number[] {
  const walker = naiveWalker(rules)
  let states = [naiveStart(entries, rules)]
  for (const kline of klines) {
    const ends = new Map<string, NaiveState>()
    for (const start of states)
      for (const end of statesAtClose(kline, start, walker)) ends.set(walker.keyOf(end), end)
    states = [...ends.values()]
  }
  return states.map(state => naiveResult(state, klines.at(-1)?.close ?? Number.NaN))
}

/** The result where the price goes one way through every kline, over corners in straight lines. */
export function resultAlong(given: PathCase, cornersOf: (kline: TickKline) => readonly number[]): number {
  const { klines, entries, rules } = given
  const walker = naiveWalker(rules)
  const end = klines.reduce(
    (state, kline, row) => {
      const before = row === 1 ? decided(state, given) : state
      return stateAlong(cornersOf(kline), before, walker)
    },
    naiveStart(entries, rules),
  )
  return naiveResult(end, klines.at(-1)?.close ?? Number.NaN)
}

function scriptOf({ entries, exit: leaving, turn }: PathCase): Record<number, Signal[]> {
  const entering = { 0: entries.map(signalOf) }
  if (turn !== undefined) return { ...entering, 1: [signalOf(turn, 9)] }
  if (leaving === undefined) return entering
  return { ...entering, 1: [exit({ fraction: leaving.fraction, order: wishOf(leaving.order) })] }
}

/** A trader that has decided at the close of the first kline. */
function decided(state: NaiveState, { exit: leaving, turn }: PathCase): NaiveState {
  return withEntry(withExit(state, leaving), turn)
}

/** An order as a strategy writes it. */
function wishOf(order: NaiveOrder): OrderWish {
  if (order.type === 'market') return order
  if (order.type !== 'limit') return { ...order, triggerAtOnce: true }
  const { type, price, only } = order
  if (only === undefined) return { type, price }
  return only === 'post'
    ? { type, price, postOnly: true }
    : { type, price, timeInForce: only === 'ioc' ? 'IOC' : 'FOK' }
}

function signalOf(entry: NaiveEntry, index: number): Signal {
  const { side, order, quantity, stopLoss, takeProfit, trailing, oco } = entry
  const enter = side === 'buy' ? enterLong : enterShort
  return enter({
    order: wishOf(order),
    size: { base: quantity },
    scaleIn: true,
    tag: `${index}`,
    ...(oco && { oco: 'group' }),
    ...(stopLoss !== undefined && { stopLoss }),
    ...(takeProfit !== undefined && {
      takeProfit: takeProfit.map(part => ({
        at: part.price,
        fraction: part.quantity / quantity,
      })),
    }),
    ...(trailing !== undefined && { trailingStop: trailing.map(trailingOf) }),
  })
}

function trailingOf({ distance, percent = 0, from }: NaiveTrailing): TrailingStop {
  const start = from === undefined ? {} : { activation: from }
  return distance === undefined ? { callbackRate: percent / 100, ...start } : { distance, ...start }
}

const CENTRE = 100
/** Farthest that a price of a kline lies from the centre, ticks. */
const SPREAD = 6

/** None, or so large that they change which path is the worst. */
const ANY_FEES = [
  { maker: 0, taker: 0 },
  { maker: 0, taker: 0 },
  { maker: 0.01, taker: 0.02 },
]

const anyPrice = fc.integer({ min: CENTRE - SPREAD, max: CENTRE + SPREAD })
const anyKline = fc.tuple(anyPrice, anyPrice, anyPrice, anyPrice).map(
  ([open, close, one, other]): TickKline => ({
    open,
    high: Math.max(open, close, one, other),
    low: Math.min(open, close, one, other),
    close,
  }),
)
const anyOffset = fc.integer({ min: 1, max: 7 })
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 })

const anyDraft = fc.record({
  type: fc.constantFrom('market', 'market', 'limit', 'stop', 'stopLimit', 'ifTouched'),
  only: fc.constantFrom(undefined, undefined, undefined, 'ioc', 'fok', 'post'),
  /** Whether a limit lies on the side of the market where it takes. */
  isBeyond: fc.boolean(),
  side: fc.constantFrom('buy', 'sell'),
  offset: anyOffset,
  limitOffset: fc.integer({ min: -3, max: 3 }),
  stopLoss: maybe(anyOffset),
  targets: fc.constantFrom(0, 1, 1, 2),
  target: anyOffset,
  nextTarget: fc.integer({ min: 0, max: 4 }),
  trailing: fc.array(fc.record({ isPart: fc.boolean(), behind: anyOffset, from: maybe(anyOffset) }), {
    maxLength: 2,
  }),
} as const)
type Draft = typeof anyDraft extends fc.Arbitrary<infer Value> ? Value : never

/** Corners of a path inside a kline, from its open to its close. */
export function anyCorners({ open, high, low, close }: TickKline): fc.Arbitrary<readonly number[]> {
  return fc
    .tuple(fc.array(fc.integer({ min: low, max: high }), { maxLength: 4 }), fc.boolean())
    .map(([turns, isUpFirst]) => [open, ...turns, ...(isUpFirst ? [high, low] : [low, high]), close])
}

/** Klines and orders around one price, so close that they meet. */
function pathCaseOf(
  anyDrafts: fc.Arbitrary<readonly Draft[]>,
  anyKlines: fc.Arbitrary<readonly TickKline[]> = fc.array(anyKline, { minLength: 1, maxLength: 2 }),
): fc.Arbitrary<PathCase> {
  return fc
    .record({
      klines: anyKlines,
      drafts: anyDrafts,
      isGroup: fc.boolean(),
      touch: fc.boolean(),
      slippage: fc.constantFrom(0, 0, 0, 1),
      fees: fc.constantFrom(...ANY_FEES),
    })
    .map(({ klines, drafts, isGroup, ...rules }) => {
      const sides = new Set(drafts.map(({ side }) => side))
      const resting = drafts.length > 1 && drafts.every(({ type }) => type !== 'market')
      const oco = resting && (isGroup || sides.size > 1)
      // Entries of both sides that do not cancel each other would net.
      const kept = oco || sides.size === 1 ? drafts : drafts.slice(0, 1)
      const entries = kept.map(draft => entryOf(draft, klines, oco))
      return { before: CENTRE, klines, entries, rules }
    })
}

/** Any orders. */
export const anyPathCase: fc.Arbitrary<PathCase> = pathCaseOf(
  fc.oneof(
    { weight: 4, arbitrary: fc.array(anyDraft, { minLength: 1, maxLength: 2 }) },
    { weight: 1, arbitrary: fc.array(anyDraft, { minLength: 3, maxLength: 3 }) },
  ),
)

/** Klines that follow each other without gaps, and are not much higher than the distance of a stop. */
const anyWalk = fc
  .array(
    fc.record({
      move: fc.integer({ min: -3, max: 3 }),
      above: fc.integer({ min: 0, max: 2 }),
      below: fc.integer({ min: 0, max: 2 }),
    }),
    { minLength: 2, maxLength: 5 },
  )
  .map(steps => {
    let open = CENTRE
    return steps.map(({ move, above, below }): TickKline => {
      const close = open + move
      const kline = { open, high: Math.max(open, close) + above, low: Math.min(open, close) - below, close }
      open = close
      return kline
    })
  })

/** One entry that waits for its price and brings trailing stops, and klines on which it may stay. */
export const anyTrailingCase: fc.Arbitrary<PathCase> = pathCaseOf(
  fc.array(
    anyDraft.filter(({ type, trailing }) => type !== 'market' && trailing.length > 0),
    { minLength: 1, maxLength: 1 },
  ),
  anyWalk,
)

/** Entries of one side, each of which brings fixed exits of its own: of both kinds, or take-profits of two parts alone. */
export const anyProtectedCase: fc.Arbitrary<PathCase> = pathCaseOf(
  fc
    .tuple(fc.array(anyDraft, { minLength: 2, maxLength: 2 }), fc.constantFrom('buy', 'sell'))
    .map(([drafts, side]) =>
      drafts.map(draft => ({
        ...{ ...draft, side, trailing: [] },
        targets: draft.stopLoss === undefined || draft.targets === 2 ? (2 as const) : (1 as const),
      })),
    ),
)

/** Entries that bring nothing, and of which one trades. */
export const anyRivalCase: fc.Arbitrary<PathCase> = pathCaseOf(
  fc.array(
    anyDraft
      .filter(({ type }) => type !== 'market')
      .map(draft => ({ ...draft, stopLoss: undefined, targets: 0 as const, trailing: [] })),
    { minLength: 2, maxLength: 3 },
  ),
)

const anyExit = fc
  .record({
    type: fc.constantFrom('limit', 'limit', 'stop', 'stopLimit', 'ifTouched'),
    only: fc.constantFrom(undefined, undefined, 'ioc', 'fok', 'post'),
    offset: fc.integer({ min: -7, max: 7 }),
    limitOffset: fc.integer({ min: -3, max: 3 }),
    fraction: fc.constantFrom(0.5, 1, 1),
  } as const)
  .map(
    ({ type, only, offset, limitOffset, fraction }): NaiveExit => ({
      order: orderOf(type, CENTRE + offset, CENTRE + offset + limitOffset, only),
      fraction,
    }),
  )

/** Entries of one side, and an exit beside their protection. */
export const anyExitCase: fc.Arbitrary<PathCase> = fc
  .tuple(
    pathCaseOf(
      fc
        .tuple(fc.array(anyDraft, { minLength: 1, maxLength: 2 }), fc.constantFrom('buy', 'sell'))
        .map(([drafts, side]) => drafts.map(draft => ({ ...draft, side }))),
    ),
    anyExit,
  )
  .map(([given, exit]) => ({ ...given, exit }))

/** Entries at market of one side, with or without an exit beside their protection. */
export const anyHeldCase: fc.Arbitrary<PathCase> = fc
  .tuple(
    pathCaseOf(
      fc
        .tuple(fc.array(anyDraft, { minLength: 1, maxLength: 2 }), fc.constantFrom('buy', 'sell'))
        .map(([drafts, side]) => drafts.map(draft => ({ ...draft, side, type: 'market' }))),
    ),
    maybe(anyExit),
  )
  .map(([given, exit]) => ({ ...given, exit }))

/** Entries of one side, and later one of the other, which closes what is held before it opens. */
export const anyTurnCase: fc.Arbitrary<PathCase> = fc
  .constantFrom('buy' as const, 'sell' as const)
  .chain(side =>
    fc
      .tuple(
        pathCaseOf(
          fc.array(
            anyDraft.map(draft => ({ ...draft, side })),
            { minLength: 1, maxLength: 2 },
          ),
        ),
        anyDraft.filter(({ type, targets }) => type !== 'market' && targets < 2),
        fc.integer({ min: 1, max: 5 }),
      )
      .map(([given, draft, quantity]) => {
        const entry = entryOf({ ...draft, side: side === 'buy' ? 'sell' : 'buy' }, given.klines, false)
        // All of what it opens, however little.
        const takeProfit = entry.takeProfit?.map(part => ({ ...part, quantity }))
        return { ...given, turn: { ...entry, quantity, takeProfit } }
      }),
  )

/** Protection lies on its side of wherever the entry can trade. */
function entryOf(draft: Draft, klines: readonly TickKline[], oco: boolean): NaiveEntry {
  const { type, side, offset, limitOffset } = draft
  const sign = side === 'buy' ? 1 : -1
  const only = type === 'limit' && !oco ? draft.only : undefined
  const towards = type === 'stop' || type === 'stopLimit' || (only !== undefined && draft.isBeyond) ? 1 : -1
  const level = type === 'market' ? CENTRE : CENTRE + sign * towards * offset
  const limit = type === 'stopLimit' ? level + sign * limitOffset : level
  const places = [level, limit, ...klines.map(({ open }) => open)]
  const from = sign * Math.min(...places.map(price => sign * price))
  const to = sign * Math.max(...places.map(price => sign * price))
  const quantity = 2
  const target = to + sign * draft.target
  const takeProfit =
    draft.targets === 0
      ? undefined
      : draft.targets === 1
        ? [{ price: target, quantity }]
        : [
            { price: target, quantity: 1 },
            { price: target + sign * draft.nextTarget, quantity: 1 },
          ]
  return {
    side,
    quantity,
    order: orderOf(type, level, limit, only),
    stopLoss: draft.stopLoss === undefined ? undefined : from - sign * draft.stopLoss,
    takeProfit,
    trailing:
      draft.trailing.length === 0
        ? undefined
        : draft.trailing.map(({ isPart, behind, from: start }) => ({
            ...(isPart ? { percent: behind } : { distance: behind }),
            from:
              start === undefined ? undefined : sign * Math.max(sign * level, sign * limit) + sign * start,
          })),
    oco,
  }
}

function orderOf(type: Draft['type'], level: number, limit: number, only: Draft['only']): NaiveOrder {
  switch (type) {
    case 'market':
      return { type }
    case 'limit':
      return { type, price: level, only }
    case 'stop':
      return { type, stopPrice: level }
    case 'stopLimit':
      return { type, stopPrice: level, price: limit }
    case 'ifTouched':
      return { type, triggerPrice: level }
    default:
      return type satisfies never
  }
}
