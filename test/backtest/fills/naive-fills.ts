import { Decimal } from 'decimal.js'
import { CASE_MINUTE, type CaseOrder, caseFillText, type FillCase } from './fill-case.ts'

// A second writing of the fill rules on a known path, to compare the fill model with. It shares no code with it and is built
// otherwise: everything is written for a buyer, and a seller is a buyer in a mirror (prices negated); the path is walked in
// half ticks, one by one; decimal.js computes what a taker pays.

/** A kline as a buyer sees it: `up` is where his stops are, `down` is where his limits are. */
interface Seen {
  readonly open: number
  readonly up: number
  readonly down: number
  readonly close: number
}

interface Working {
  readonly id: string
  readonly entry: CaseOrder
  readonly leg: 'stopLoss' | 'takeProfit' | 'trailingStop' | undefined
  /** Which part of what was traded a take-profit closes, if not all. */
  readonly part: readonly [number, number] | undefined
  /** 1 for a buyer, -1 for a seller. */
  readonly mirror: 1 | -1
  /** As seen in the mirror; `undefined` where there is none (any more). */
  stop: number | undefined
  limit: number | undefined
  touch: number | undefined
  kind: CaseOrder['kind']
  isMarket: boolean
  quantity: number
  liveRow: number
  isFresh: boolean
  /** The price of the path at which it began to work; NaN for one that did not begin on it. */
  beganAt: number
  best: number
}

type Price = { readonly at: number; readonly maker: boolean }

/** The fills of a case. */
export function naiveFills(fillCase: FillCase): string[] {
  return new NaiveExchange(fillCase).run()
}

class NaiveExchange {
  readonly #case: FillCase
  readonly #fills: string[] = []
  readonly #held = new Map<string, number>()
  /** What parts are parts of, and what each of them has closed. */
  readonly #whole = new Map<string, number>()
  readonly #closed = new Map<string, number>()
  #orders: Working[] = []
  #row = 0
  #volumeLeft = Number.POSITIVE_INFINITY
  /** The price on the path; NaN while at an open. */
  #at = Number.NaN

  constructor(fillCase: FillCase) {
    this.#case = fillCase
  }

  run(): string[] {
    const { klines, orders, settings } = this.#case
    for (this.#row = 0; this.#row < klines.length; this.#row++) {
      for (const order of orders) if (order.row === this.#row) this.#enter(order)
      const { volume } = this.#kline
      this.#volumeLeft =
        settings.maxVolumeShare === undefined
          ? Number.POSITIVE_INFINITY
          : new Decimal(volume).times(settings.maxVolumeShare).floor().toNumber()
      this.#repeat(order => this.#priceAtOpen(order), 'market stop other target')
      this.#orders = this.#orders.filter(order => order.liveRow > this.#row || this.#outlivesOpen(order))
      this.#walk(settings.path === 'ohlc' ? 'up' : 'down')
      this.#endKline()
      this.#orders = this.#orders.filter(
        ({ leg, entry }) =>
          leg !== undefined || entry.lives === undefined || this.#row !== entry.row + entry.lives - 1,
      )
    }
    return this.#fills
  }

  get #kline() {
    const kline = this.#case.klines[this.#row]
    if (kline === undefined) throw new Error('No such kline.')
    return kline
  }

  #seen({ mirror }: Working): Seen {
    const { open, high, low, close } = this.#kline
    return mirror === 1
      ? { open, up: high, down: low, close }
      : { open: -open, up: -low, down: -high, close: -close }
  }

  #enter(entry: CaseOrder): void {
    const mirror = entry.side === 'buy' ? 1 : -1
    const hasStop = entry.type === 'stop' || entry.type === 'stopLimit'
    const hasLimit = entry.type === 'limit' || entry.type === 'stopLimit'
    this.#orders.push({
      id: entry.id,
      entry,
      leg: undefined,
      part: undefined,
      mirror,
      stop: hasStop ? mirror * entry.stopPrice : undefined,
      limit: hasLimit ? mirror * entry.price : undefined,
      touch: entry.type === 'ifTouched' ? mirror * entry.stopPrice : undefined,
      kind: entry.kind,
      isMarket: entry.type === 'market',
      quantity: entry.quantity,
      liveRow: this.#row + Math.ceil(this.#case.settings.latencyMs / CASE_MINUTE),
      isFresh: true,
      beganAt: Number.NaN,
      best: Number.NaN,
    })
  }

  /** Fills whatever has a price, class by class, and starts again from the first class after every fill. */
  #repeat(priceOf: (order: Working) => Price | undefined, classes: string): void {
    let wasFilled = true
    while (wasFilled) {
      wasFilled = false
      const sorted = classes
        .split(' ')
        .flatMap(name => this.#orders.filter(order => order.liveRow <= this.#row && classOf(order) === name))
      for (const order of sorted) {
        const price = priceOf(order)
        if (price === undefined) continue
        wasFilled = this.#trade(order, price)
        if (wasFilled) break
      }
    }
  }

  /** What a limit order that may not rest, or may not take, becomes once it has seen its first open. */
  #outlivesOpen(order: Working): boolean {
    const { kind, limit } = order
    order.kind = undefined
    if (kind === 'postOnly' && limit !== undefined) return !this.#isPast(this.#seen(order).open, limit)
    return kind === undefined
  }

  #isPast(price: number, limit: number): boolean {
    return this.#case.settings.limitFill === 'touch' ? price <= limit : price < limit
  }

  #priceAtOpen(order: Working): Price | undefined {
    const { open } = this.#seen(order)
    if (order.isMarket) return { at: open, maker: false }
    if (order.stop !== undefined) {
      if (open < order.stop) return undefined
      if (order.limit === undefined) return { at: open, maker: false }
      order.stop = undefined
      return open <= order.limit ? { at: open, maker: false } : undefined
    }
    if (order.touch !== undefined) return open <= order.touch ? { at: open, maker: false } : undefined
    if (order.limit === undefined || !this.#isPast(open, order.limit)) return undefined
    if (order.kind === 'postOnly' || (order.kind === 'fok' && order.quantity > this.#volumeLeft))
      return undefined
    if (order.isFresh) return { at: open, maker: false }
    const at = this.#case.settings.gappedLimit === 'atOpen' ? open : order.limit
    return { at, maker: order.leg !== 'takeProfit' }
  }

  #walk(first: 'up' | 'down'): void {
    const { open, high, low, close } = this.#kline
    const points = first === 'up' ? [open, high, low, close] : [open, low, high, close]
    let at = open
    this.#follow(at)
    for (const to of points) {
      while (at !== to) {
        at += to > at ? 0.5 : -0.5
        this.#at = at
        this.#follow(at)
        this.#repeat(order => this.#priceOnPath(order, at), 'stop other target')
        this.#follow(at)
      }
    }
    this.#at = Number.NaN
  }

  #follow(at: number): void {
    for (const order of this.#orders) {
      if (order.leg !== 'trailingStop' || order.stop === undefined) continue
      order.best = Math.min(order.best, order.mirror * at)
      order.stop = order.best + distanceOf(order)
    }
  }

  #priceOnPath(order: Working, at: number): Price | undefined {
    const price = order.mirror * at
    if (order.stop !== undefined) {
      if (price < order.stop) return undefined
      if (order.limit === undefined) return { at: price, maker: false }
      order.stop = undefined
      return order.limit >= price ? { at: price, maker: false } : undefined
    }
    if (order.touch !== undefined) return price <= order.touch ? { at: price, maker: false } : undefined
    if (order.limit === undefined || !this.#isPast(price, order.limit)) return undefined
    // One that begins to work where the price is past its limit takes what the trade that began it was at.
    if (order.beganAt === at) return { at: Math.floor(price), maker: false }
    return { at: order.limit, maker: order.leg !== 'takeProfit' }
  }

  /** Trades what the volume allows, and tells whether that was anything. */
  #trade(order: Working, { at, maker }: Price): boolean {
    const quantity = Math.min(order.quantity, this.#volumeLeft)
    order.quantity -= quantity
    this.#volumeLeft -= quantity
    const limit = order.limit
    if (order.stop !== undefined || order.touch !== undefined) {
      order.stop = undefined
      order.touch = undefined
      order.isMarket = limit === undefined
    }
    // An entry that takes is over with what there was.
    const isOver = order.leg === undefined && limit === undefined
    if (isOver) order.quantity = 0
    if (isOver) this.#orders = this.#orders.filter(other => other !== order)
    if (quantity === 0) return isOver
    const paid = maker ? at : Math.min(this.#paid(order, at, quantity), limit ?? Number.POSITIVE_INFINITY)
    const price = order.mirror * paid
    this.#fills.push(caseFillText(this.#row, order.id, price, quantity, maker ? 'maker' : 'taker'))
    this.#protect(order, price, quantity)
    return true
  }

  /** The next whole number that is not better, and ticks on top. In the mirror a loss raises a negative price as well. */
  #paid({ mirror }: Working, at: number, quantity: number): number {
    const { slippageRate, slippageTicks, spreadTicks, volumeImpact } = this.#case.settings
    const { volume } = this.#kline
    const share = quantity < volume ? new Decimal(quantity).div(volume) : new Decimal(1)
    const lost = share.times(share).times(volumeImpact).plus(slippageRate)
    const worse = new Decimal(at).times(lost.times(mirror).plus(1))
    return worse.ceil().toNumber() + slippageTicks + Math.ceil(spreadTicks / 2)
  }

  #protect(order: Working, price: number, quantity: number): void {
    const { entry } = order
    const held = (this.#held.get(entry.id) ?? 0) + (order.leg === undefined ? quantity : -quantity)
    this.#held.set(entry.id, held)
    if (order.leg === undefined) this.#whole.set(entry.id, (this.#whole.get(entry.id) ?? 0) + quantity)
    else this.#closed.set(order.id, (this.#closed.get(order.id) ?? 0) + quantity)
    const isBeaten = (other: Working) => other !== order && isOfGroup(order) && isOfGroup(other)
    this.#orders = this.#orders.filter(
      other => other.leg !== undefined || (other.quantity > 0 && !isBeaten(other)),
    )
    const legs = this.#orders.filter(other => other.leg !== undefined && other.entry === entry)
    if (held === 0) {
      this.#orders = this.#orders.filter(other => !legs.includes(other))
      this.#whole.delete(entry.id)
      for (const { id } of legs) this.#closed.delete(id)
    } else if (legs.length > 0) this.#share(legs, held)
    else if (order.leg === undefined) {
      const fresh = this.#legsOf(order, price)
      this.#orders.push(...fresh)
      this.#share(fresh, held)
    }
  }

  /** Gives every leg what is held, and parts what is left of them; a part that had nothing left begins anew. */
  #share(legs: readonly Working[], held: number): void {
    for (const leg of legs) if (leg.part === undefined) leg.quantity = held
    let left = held
    const parts = legs.flatMap(leg => (leg.part === undefined ? [] : [{ leg, part: leg.part }]))
    for (const { leg, part } of parts.sort((one, other) => one.part[0] - other.part[0])) {
      const whole = this.#whole.get(leg.entry.id) ?? 0
      const [from, to] = [Math.floor(part[0] * whole), Math.floor(part[1] * whole)]
      const before = leg.quantity
      leg.quantity = Math.min(left, Math.max(0, to - from - (this.#closed.get(leg.id) ?? 0)))
      left -= leg.quantity
      if (before > 0 || leg.quantity === 0) continue
      leg.isFresh = true
      leg.beganAt = this.#at
      this.#orders = [...this.#orders.filter(other => other !== leg), leg]
    }
  }

  #legsOf(order: Working, price: number): Working[] {
    const { entry, mirror: side } = order
    const { stopLoss, takeProfit, parts, trailing } = entry
    const mirror = side === 1 ? -1 : 1
    // In the mirror of the exit, a loss lies above the entry and a profit below.
    const entered = mirror * price
    const part = {
      entry,
      mirror,
      part: undefined,
      touch: undefined,
      kind: undefined,
      quantity: 0,
      isMarket: false,
      liveRow: 0,
      isFresh: true,
      beganAt: Number.NaN,
      best: entered,
      stop: undefined,
      limit: undefined,
    } as const
    const legs: Working[] = []
    if (stopLoss !== undefined)
      legs.push({ ...part, id: `${entry.id}-stopLoss`, leg: 'stopLoss', stop: entered + stopLoss })
    if (takeProfit !== undefined)
      legs.push({ ...part, id: `${entry.id}-takeProfit`, leg: 'takeProfit', limit: entered - takeProfit })
    let from = 0
    for (const [index, { distance, fraction }] of (parts ?? []).entries()) {
      const range = [from, from + fraction] as const
      legs.push({
        ...part,
        id: `${entry.id}-part${index}`,
        leg: 'takeProfit',
        part: range,
        limit: entered - distance,
      })
      from += fraction
    }
    if (trailing !== undefined)
      legs.push({ ...part, id: `${entry.id}-trailingStop`, leg: 'trailingStop', stop: entered + trailing })
    return legs
  }

  #endKline(): void {
    for (const order of this.#orders) if (order.liveRow <= this.#row) order.isFresh = false
  }
}

function isOfGroup({ entry, leg }: Working): boolean {
  return entry.isGrouped && leg === undefined
}

function classOf({ isMarket, leg }: Working): string {
  if (leg === 'stopLoss' || leg === 'trailingStop') return 'stop'
  if (leg === 'takeProfit') return 'target'
  return isMarket ? 'market' : 'other'
}

function distanceOf({ entry: { trailing } }: Working): number {
  return trailing ?? Number.NaN
}
