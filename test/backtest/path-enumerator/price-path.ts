/** A kline whose prices are whole ticks. */
export interface TickKline {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

/** What a trader makes of one price. */
export interface Walker<State> {
  /** The state of the trader once the price has come to `price`; `atOpen` where it got there with the open. */
  readonly walk: (state: State, price: number, atOpen: boolean) => State
  /** Equal for states from which everything goes on alike. */
  readonly keyOf: (state: State) => string
}

/**
 * Every state at the close that some path inside the kline leads to. A path starts at the open, goes a tick up or down at a
 * time, stays between low and high, has touched both, and ends at the close; it may turn as often as it likes. Paths that have
 * come to the same price, extremes and state are followed as one, so that all of them are covered, however long.
 */
export function statesAtClose<State>(kline: TickKline, start: State, walker: Walker<State>): State[] {
  const seen = new Set<string>()
  const waiting: Point<State>[] = []
  const ends = new Map<string, State>()
  const arrive = (point: Point<State>) => {
    const stateKey = walker.keyOf(point.state)
    const key = `${point.price}/${point.touched}/${stateKey}`
    if (seen.has(key)) return
    seen.add(key)
    waiting.push(point)
    if (point.price === kline.close && point.touched === BOTH) ends.set(stateKey, point.state)
  }
  const { open } = kline
  arrive({ price: open, touched: touchedAt(kline, open), state: walker.walk(start, open, true) })
  for (let point = waiting.pop(); point !== undefined; point = waiting.pop()) {
    for (const price of [point.price + 1, point.price - 1]) {
      if (price < kline.low || price > kline.high) continue
      const touched = point.touched | touchedAt(kline, price)
      arrive({ price, touched, state: walker.walk(point.state, price, false) })
    }
  }
  return [...ends.values()]
}

/** The state at the end of one path through `corners`, the first of which is the open. */
export function stateAlong<State>(corners: readonly number[], start: State, walker: Walker<State>): State {
  let state = start
  let isOpen = true
  for (const price of ticksOf(corners)) {
    state = walker.walk(state, price, isOpen)
    isOpen = false
  }
  return state
}

interface Point<State> {
  readonly price: number
  /** Bits of the extremes that the path has touched so far. */
  readonly touched: number
  readonly state: State
}

const BOTH = 3

function touchedAt(kline: TickKline, price: number): number {
  return (price === kline.high ? 1 : 0) | (price === kline.low ? 2 : 0)
}

/** Every price on the way over `corners`, tick by tick. */
export function* ticksOf(corners: readonly number[]): Generator<number> {
  let at = corners[0] as number
  yield at
  for (const corner of corners.slice(1)) {
    while (at !== corner) {
      at += Math.sign(corner - at)
      yield at
    }
  }
}
