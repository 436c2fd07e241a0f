import type { Walker } from './price-path.ts'

/** Prices and distances are whole ticks, quantities whole units. */
export type NaiveOrder =
  | { readonly type: 'market' }
  | { readonly type: 'limit'; readonly price: number; readonly only?: 'ioc' | 'fok' | 'post' | undefined }
  | { readonly type: 'stop'; readonly stopPrice: number }
  | { readonly type: 'stopLimit'; readonly stopPrice: number; readonly price: number }
  | { readonly type: 'ifTouched'; readonly triggerPrice: number }

/** A stop behind the best price since the entry: by so many ticks, or by so many percent of it, on the farther tick. */
export interface NaiveTrailing {
  readonly distance?: number | undefined
  readonly percent?: number | undefined
  /** There is no such stop before the price has been here. */
  readonly from?: number | undefined
}

/** An entry and the protection that it brings. */
export interface NaiveEntry {
  readonly side: 'buy' | 'sell'
  readonly quantity: number
  readonly order: NaiveOrder
  readonly stopLoss?: number | undefined
  readonly takeProfit?: readonly { readonly price: number; readonly quantity: number }[] | undefined
  readonly trailing?: readonly NaiveTrailing[] | undefined
  /** Whether another entry's fill takes this one back. */
  readonly oco?: boolean | undefined
}

/** An order of its own that closes, placed once the first kline has closed; nothing where nothing is held then. */
export interface NaiveExit {
  readonly order: NaiveOrder
  /** Part of what is held. */
  readonly fraction: 0.5 | 1
}

/** How orders trade. */
export interface NaiveRules {
  /** Whether a resting limit order fills where the price is only touched. */
  readonly touch: boolean
  /** Ticks that orders lose which take what is there. */
  readonly slippage: number
  /**
   * Parts of what is traded that are paid: by who rested, and by who took what is there, as take-profits do; in quote, or in
   * what was received.
   */
  readonly fees: {
    readonly maker: number
    readonly taker: number
    readonly paidIn?: 'quote' | 'received' | undefined
  }
  /** Units that all orders together may trade, on one kline; all they want if absent. */
  readonly volume?: number | undefined
}

/** An entry that waits. */
interface Waiting {
  readonly entry: NaiveEntry
  /** Whether a stop-limit's stop price has come, so that it is a limit order. */
  readonly triggered: boolean
  /** Whether the next open is the first price that it sees. */
  readonly fresh: boolean
}

/** What one entry has bought or sold short, and what protects it. */
interface Held {
  readonly entry: NaiveEntry
  readonly quantity: number
  /** Indexes of the take-profits that have not traded. */
  readonly parts: readonly number[]
  /** Best price since the entry. */
  readonly best: number
}

/** An exit that waits. */
interface Leaving extends Omit<Waiting, 'entry'> {
  readonly order: NaiveOrder
  readonly quantity: number
  /** Of the position, so that the order is on the other one. */
  readonly side: 'buy' | 'sell'
}

/** Where a naive trader stands. */
export interface NaiveState {
  readonly cash: number
  readonly waiting: readonly Waiting[]
  readonly leaving: readonly Leaving[]
  readonly held: readonly Held[]
  /** Units that may still be traded. */
  readonly left: number
  /** Units that fees have taken. */
  readonly paidBase: number
}

/** A trader before the first kline on which its orders trade. */
export function naiveStart(entries: readonly NaiveEntry[], { volume }: NaiveRules): NaiveState {
  const waiting = entries.map(entry => ({ entry, triggered: false, fresh: true }))
  return { cash: 0, waiting, leaving: [], held: [], left: volume ?? Number.POSITIVE_INFINITY, paidBase: 0 }
}

/** The trader after it has decided on another entry, at a close: it takes the place of those that wait. */
export function withEntry(state: NaiveState, entry: NaiveEntry | undefined): NaiveState {
  return entry === undefined ? state : { ...state, waiting: [{ entry, triggered: false, fresh: true }] }
}

/** The trader after it has decided on an exit, at a close: one in full takes back what rested. */
export function withExit(before: NaiveState, exit: NaiveExit | undefined): NaiveState {
  if (exit === undefined) return before
  const state = exit.fraction === 1 ? { ...before, waiting: [] } : before
  const [first] = state.held
  if (first === undefined) return state
  const quantity = Math.floor(totalOf(state) * exit.fraction)
  const leaving: Leaving = {
    ...{ order: exit.order, side: first.entry.side, quantity },
    ...{ triggered: false, fresh: true },
  }
  return quantity === 0 ? state : { ...state, leaving: [leaving] }
}

/** What was made, with what is still held taken at `price`. */
export function naiveResult(state: NaiveState, price: number): number {
  const paid = state.cash - state.paidBase * price
  return state.held.reduce((sum, held) => sum + signOf(held.entry) * held.quantity * price, paid)
}

/** A trader that looks at every price by itself: orders whose price has come trade, one after the other. */
export function naiveWalker(rules: NaiveRules): Walker<NaiveState> {
  return {
    walk: (state, price, atOpen) => aged(settled(trailed(state, price), price, atOpen, rules), price, rules),
    keyOf: ({ cash, waiting, leaving, held, left, paidBase }) =>
      JSON.stringify([cash, waiting, leaving, held, left, paidBase]),
  }
}

/** What an order that trades leads to, and what comes before it at the same price. */
interface Trade {
  /** Whether the price of a resting limit order lies behind, so that it traded on the way. */
  readonly isBehind: boolean
  /** Orders at market, stops that protect, then other entries, then take-profits; as placed among themselves. */
  readonly rank: -1 | 0 | 1 | 2
  readonly next: NaiveState
}

/** Lets orders trade until none can. An order that is not filled whole has used up the volume: nothing trades after it. */
function settled(state: NaiveState, price: number, atOpen: boolean, rules: NaiveRules): NaiveState {
  if (state.left === 0) return state
  const trades = [
    ...entriesAt(state, price, atOpen, rules),
    ...leavingAt(state, price, atOpen, rules),
    ...exitsAt(state, price, rules),
  ]
  const place = ({ isBehind, rank }: Trade) => rank - (isBehind && !atOpen ? 10 : 0)
  const [first] = trades.sort((one, other) => place(one) - place(other))
  return first === undefined ? state : settled(shrunk(first.next), price, atOpen, rules)
}

/** Exits that rest shrink to what is held, for good. */
function shrunk(state: NaiveState): NaiveState {
  const total = totalOf(state)
  const leaving = state.leaving.map(one => ({ ...one, quantity: Math.min(one.quantity, total) }))
  return { ...state, leaving: leaving.filter(({ quantity }) => quantity > 0) }
}

function trailed(state: NaiveState, price: number): NaiveState {
  return { ...state, held: state.held.map(held => ({ ...held, best: better(held.entry, held.best, price) })) }
}

/** Lets go what may only take at its first price, and what may never. */
function aged(state: NaiveState, price: number, rules: NaiveRules): NaiveState {
  const { waiting, leaving } = state
  if ([...waiting, ...leaving].every(({ fresh }) => !fresh)) return state
  const stays = (order: NaiveOrder, fresh: boolean, sign: number) =>
    !fresh ||
    order.type !== 'limit' ||
    order.only === undefined ||
    (order.only === 'post' && !isReached(order.price, sign, price, rules))
  return {
    ...state,
    waiting: waiting
      .filter(({ entry, fresh }) => stays(entry.order, fresh, signOf(entry)))
      .map(one => ({ ...one, fresh: false })),
    leaving: leaving
      .filter(({ order, fresh, side }) => stays(order, fresh, side === 'buy' ? -1 : 1))
      .map(one => ({ ...one, fresh: false })),
  }
}

function* entriesAt(state: NaiveState, price: number, atOpen: boolean, rules: NaiveRules): Generator<Trade> {
  for (const one of state.waiting) {
    const { order } = one.entry
    const outcome = orderAt({ ...one, order }, signOf(one.entry), price, atOpen, rules)
    if (outcome === undefined) continue
    if (isFillOrKill(order) && state.left < one.entry.quantity) continue
    const waiting = state.waiting.flatMap(other => {
      if (other !== one) return [other]
      return outcome === 'triggered' ? [{ ...one, triggered: true }] : []
    })
    const next = { ...state, waiting }
    const isBehind = outcome !== 'triggered' && outcome.isMaker && !rules.touch
    yield {
      isBehind,
      rank: one.entry.order.type === 'market' ? -1 : 1,
      next: outcome === 'triggered' ? next : entered(next, one.entry, outcome, rules),
    }
  }
}

/** Where an order trades. */
interface Price {
  readonly at: number
  readonly isMaker: boolean
}

function isFillOrKill(order: NaiveOrder): boolean {
  return order.type === 'limit' && order.only === 'fok'
}

/** The price at which an order trades now, or that it becomes a limit order, or `undefined`; `sign` is 1 for a buy. */
function orderAt(
  one: Pick<Leaving, 'order' | 'triggered' | 'fresh'>,
  sign: number,
  price: number,
  atOpen: boolean,
  rules: NaiveRules,
): Price | 'triggered' | undefined {
  const { order } = one
  const taken: Price = { at: price + sign * rules.slippage, isMaker: false }
  switch (order.type) {
    case 'market':
      return taken
    case 'stop':
      return sign * price >= sign * order.stopPrice ? taken : undefined
    case 'ifTouched':
      return sign * price <= sign * order.triggerPrice ? taken : undefined
    case 'limit': {
      const comes = atOpen && one.fresh
      return order.only === 'post' && comes ? undefined : limitAt(order.price, sign, price, comes, rules)
    }
    case 'stopLimit': {
      if (one.triggered) return limitAt(order.price, sign, price, false, rules)
      if (sign * price < sign * order.stopPrice) return undefined
      return sign * price <= sign * order.price ? takenWithin(order.price, sign, price, rules) : 'triggered'
    }
    default:
      return order satisfies never
  }
}

/** The price at which a limit order trades: its own where it rested, that of the market where it came as a taker. */
function limitAt(
  limit: number,
  sign: number,
  price: number,
  comes: boolean,
  rules: NaiveRules,
): Price | undefined {
  if (!isReached(limit, sign, price, rules)) return undefined
  return comes ? takenWithin(limit, sign, price, rules) : { at: limit, isMaker: true }
}

function isReached(limit: number, sign: number, price: number, { touch }: NaiveRules): boolean {
  return touch ? sign * price <= sign * limit : sign * price < sign * limit
}

/** The price at which an order takes that pays no more than its limit. */
function takenWithin(limit: number, sign: number, price: number, rules: NaiveRules): Price {
  return { at: sign * Math.min(sign * limit, sign * price + rules.slippage), isMaker: false }
}

/** The quote that comes in by a trade, fee paid; `sign` is 1 for a buy. */
function broughtBy(sign: number, quantity: number, { at, isMaker }: Price, { fees }: NaiveRules): number {
  const isPaidInBase = fees.paidIn === 'received' && sign === 1
  return -sign * quantity * at - (isPaidInBase ? 0 : quantity * at * (isMaker ? fees.maker : fees.taker))
}

function entered(state: NaiveState, entry: NaiveEntry, price: Price, rules: NaiveRules): NaiveState {
  const waiting = entry.oco ? state.waiting.filter(other => !other.entry.oco) : state.waiting
  const parts = (entry.takeProfit ?? []).map((_, index) => index)
  const quantity = Math.min(entry.quantity, state.left)
  const isAgainst = state.held.some(({ entry: { side } }) => side !== entry.side)
  const closed = isAgainst ? Math.min(quantity, totalOf(state)) : 0
  const opened = quantity - closed
  const held = [
    ...withoutOldest(state.held, closed),
    ...(opened === 0 ? [] : [{ entry, quantity: opened, parts, best: price.at }]),
  ]
  const cash = state.cash + broughtBy(signOf(entry), quantity, price, rules)
  const rate = price.isMaker ? rules.fees.maker : rules.fees.taker
  const isPaidInBase = rules.fees.paidIn === 'received' && entry.side === 'buy'
  const paidBase = state.paidBase + (isPaidInBase ? quantity * rate : 0)
  return { ...state, cash, waiting, held, left: state.left - quantity, paidBase }
}

function totalOf({ held }: NaiveState): number {
  return held.reduce((sum, { quantity }) => sum + quantity, 0)
}

/** What is left once so many units of the oldest are closed. */
function withoutOldest(held: readonly Held[], quantity: number): readonly Held[] {
  let toClose = quantity
  return held.flatMap(one => {
    const part = Math.min(toClose, one.quantity)
    toClose -= part
    return part === one.quantity ? [] : [{ ...one, quantity: one.quantity - part }]
  })
}

/** Orders of their own that close: never more than is held, and of that the oldest first. */
function* leavingAt(state: NaiveState, price: number, atOpen: boolean, rules: NaiveRules): Generator<Trade> {
  for (const one of state.leaving) {
    const sign = one.side === 'buy' ? -1 : 1
    const outcome = orderAt(one, sign, price, atOpen, rules)
    const total = totalOf(state)
    if (outcome === undefined || total === 0) continue
    const others = state.leaving.filter(other => other !== one)
    if (outcome === 'triggered') {
      yield {
        ...{ isBehind: false, rank: 1 },
        next: { ...state, leaving: [...others, { ...one, triggered: true }] },
      }
      continue
    }
    const wanted = Math.min(one.quantity, total)
    if (isFillOrKill(one.order) && state.left < wanted) continue
    const quantity = Math.min(wanted, state.left)
    const next = {
      ...state,
      cash: state.cash + broughtBy(sign, quantity, outcome, rules),
      leaving: others,
      held: withoutOldest(state.held, quantity),
      left: state.left - quantity,
    }
    yield {
      isBehind: outcome.isMaker && !rules.touch,
      rank: one.order.type === 'market' ? -1 : 1,
      next,
    }
  }
}

function* exitsAt(state: NaiveState, price: number, rules: NaiveRules): Generator<Trade> {
  for (const held of state.held) {
    const withRest = (rest: Held) =>
      state.held.flatMap(other => (other !== held ? [other] : rest.quantity === 0 ? [] : [rest]))
    const sign = signOf(held.entry)
    if (isStopped(held, price)) {
      const taken = { at: price - sign * rules.slippage, isMaker: false }
      const quantity = Math.min(held.quantity, state.left)
      const rest = { ...held, quantity: held.quantity - quantity }
      const next = {
        ...state,
        cash: state.cash + broughtBy(-sign, quantity, taken, rules),
        held: withRest(rest),
        left: state.left - quantity,
      }
      yield { isBehind: false, rank: 0, next }
    }
    for (const part of held.parts) {
      const target = held.entry.takeProfit?.[part]
      if (target === undefined) continue
      if (!isReached(target.price, -sign, price, rules)) continue
      const taken = { at: target.price, isMaker: false }
      const closed = Math.min(target.quantity, held.quantity, state.left)
      const quantity = held.quantity - closed
      const rest = { ...held, quantity, parts: held.parts.filter(other => other !== part) }
      const cash = state.cash + broughtBy(-sign, closed, taken, rules)
      const left = state.left - closed
      const next = { ...state, cash, held: withRest(rest), left }
      yield { isBehind: !rules.touch, rank: 2, next }
    }
  }
}

function isStopped({ entry, best }: Held, price: number): boolean {
  const { stopLoss, trailing = [] } = entry
  const sign = signOf(entry)
  if (stopLoss !== undefined && sign * price <= sign * stopLoss) return true
  return trailing.some(stop => {
    if (stop.from !== undefined && sign * best < sign * stop.from) return false
    const behind = stop.distance ?? (best * (stop.percent ?? 0)) / 100
    // Half a tick below is a tick below; far less than that is noise of floats.
    return sign * price <= Math.floor(sign * best - behind + 1e-9)
  })
}

function better(entry: NaiveEntry, one: number, other: number): number {
  return entry.side === 'buy' ? Math.max(one, other) : Math.min(one, other)
}

function signOf(entry: NaiveEntry): 1 | -1 {
  return entry.side === 'buy' ? 1 : -1
}
