import type { Liquidation } from '../domain/events/liquidation.ts'
import type { Instrument } from '../domain/instrument.ts'
import { type Amount, add, subtract, ZERO } from '../domain/numbers/amount.ts'
import { notionalOf, type Steps, type Ticks, ticks } from '../domain/numbers/grid.ts'
import { maintenanceMargin } from './contract-margin.ts'
import {
  type ContractPosition,
  type HeldContracts,
  isIsolated,
  type MarkOf,
  profitAt,
} from './contract-position.ts'
import type { Contracts } from './contracts.ts'
import { firstShortfall } from './first-shortfall.ts'
import { liquidationPrice } from './liquidation-price.ts'

/** Highest price of the search; no exchange quotes more ticks. */
const MOST_TICKS = 2 ** 50

/**
 * Liquidations by the exchange: an isolated position once its margin and its profit at the mark price fall to
 * its maintenance margin, and all cross positions of a quote once the equity behind them falls to theirs. A
 * liquidation takes all the equity behind the positions; losses beyond it are the exchange's.
 */
export class Liquidations {
  readonly #contracts: Contracts
  readonly #markOf: MarkOf

  constructor(contracts: Contracts, markOf: MarkOf) {
    this.#contracts = contracts
    this.#markOf = markOf
  }

  /**
   * Positions liquidated if the mark price of an instrument is `mark`: isolated ones first, then all cross
   * ones.
   */
  due(instrument: Instrument, mark: Ticks): readonly Liquidation[] {
    const isolated = this.#isolatedOf(instrument)
      .filter(({ position }) => isolatedSurplus(instrument, position, mark) <= ZERO)
      .map(held => takenOver(held, mark, isolatedEquity(instrument, held.position, mark)))
    return this.#crossSurplus(instrument, mark) > ZERO
      ? isolated
      : [...isolated, ...this.#crossLiquidations(instrument, mark)]
  }

  /**
   * The first mark price on the way from `from` up or down that liquidates a position of an instrument, with
   * all other prices constant.
   */
  firstDue(instrument: Instrument, from: Ticks, towards: 'up' | 'down'): Ticks | undefined {
    const to = towards === 'up' ? MOST_TICKS : 1
    const found = this.#surpluses(instrument).flatMap(({ positions, surplus }) => {
      const bends = positions.flatMap(position => bendsOf(instrument, position.quantity))
      return firstShortfall(at => surplus(ticks(at)), from, to, bends) ?? []
    })
    if (found.length === 0) return undefined
    return ticks(towards === 'up' ? Math.min(...found) : Math.max(...found))
  }

  /**
   * The liquidation price that the exchange shows for a position (reducePrice of the interface); 0 if no
   * price liquidates it, `undefined` without a position.
   */
  priceOf(book: string): Amount | undefined {
    const held = [...this.#contracts.held].find(candidate => candidate.book === book)
    if (held === undefined) return undefined
    const { instrument, position } = held
    if (isIsolated(instrument)) return liquidationPrice(instrument, position, position.margin)
    const { equity, maintenance } = this.#contracts.cross(instrument.quote)
    const mark = this.#markOf(instrument)
    const worth = mark === undefined ? position.cost : notionalOf(instrument, mark, position.quantity)
    const others = subtract(maintenance, maintenanceMargin(instrument, worth))
    const behind = subtract(subtract(equity, this.#contracts.profitOf(held)), others)
    return liquidationPrice(instrument, position, behind)
  }

  #surpluses(instrument: Instrument) {
    const isolated = this.#isolatedOf(instrument).map(({ position }) => ({
      positions: [position],
      surplus: (mark: Ticks) => isolatedSurplus(instrument, position, mark),
    }))
    const cross = this.#contracts
      .cross(instrument.quote)
      .held.filter(held => held.instrument.symbol === instrument.symbol)
      .map(({ position }) => position)
    if (cross.length === 0) return isolated
    return [...isolated, { positions: cross, surplus: (mark: Ticks) => this.#crossSurplus(instrument, mark) }]
  }

  #isolatedOf({ symbol }: Instrument): HeldContracts[] {
    return [...this.#contracts.held].filter(
      ({ instrument }) => instrument.symbol === symbol && isIsolated(instrument),
    )
  }

  /** Equity of the cross positions above their maintenance margin. */
  #crossSurplus(instrument: Instrument, mark: Ticks): Amount {
    const { equity, maintenance } = this.#crossAt(instrument, mark)
    return subtract(equity, maintenance)
  }

  /** Each position bears a share of the equity by its notional, the last one the remainder. */
  #crossLiquidations(instrument: Instrument, mark: Ticks): Liquidation[] {
    const { held, equity, worth } = this.#crossAt(instrument, mark)
    let left = equity
    return held.map((one, index) => {
      const at = one.instrument.symbol === instrument.symbol ? mark : (this.#markOf(one.instrument) ?? mark)
      const ownWorth = notionalOf(one.instrument, at, one.position.quantity)
      const isLast = index === held.length - 1
      const part = isLast ? left : (((equity * ownWorth) / worth) as Amount) // a share of an amount
      left = subtract(left, part)
      return takenOver(one, at, part)
    })
  }

  #crossAt(instrument: Instrument, mark: Ticks) {
    return this.#contracts.cross(instrument.quote, other =>
      other.symbol === instrument.symbol ? mark : this.#markOf(other),
    )
  }
}

function isolatedEquity(instrument: Instrument, position: ContractPosition, mark: Ticks): Amount {
  return add(position.margin, profitAt(instrument, position, mark))
}

function isolatedSurplus(instrument: Instrument, position: ContractPosition, mark: Ticks): Amount {
  const kept = maintenanceMargin(instrument, notionalOf(instrument, mark, position.quantity))
  return subtract(isolatedEquity(instrument, position, mark), kept)
}

/** The last prices at which the notional of a quantity fits into each maintenance tier. */
function bendsOf(instrument: Instrument, quantity: Steps): number[] {
  const worthOfTick = notionalOf(instrument, ticks(1), quantity)
  const tiers = instrument.futures?.maintenance ?? []
  return tiers.flatMap(({ upTo }) => (upTo === undefined ? [] : [Number(upTo / worthOfTick)]))
}

/**
 * Liquidation of a position with `equity` left at the mark price; below 0, at the last price without a
 * shortfall.
 */
function takenOver({ book, instrument, position }: HeldContracts, mark: Ticks, equity: Amount): Liquidation {
  const { direction, quantity } = position
  const price = equity >= ZERO ? mark : lastBackedPrice(instrument, position, mark, equity)
  const gained = subtract(profitAt(instrument, position, price), profitAt(instrument, position, mark))
  const fee = add(equity, gained)
  return { symbol: instrument.symbol, book, direction, quantity, price, fee }
}

function lastBackedPrice(
  instrument: Instrument,
  { direction, quantity }: ContractPosition,
  mark: Ticks,
  equity: Amount,
): Ticks {
  const perTick = notionalOf(instrument, ticks(1), quantity)
  const missing = Number((-equity + perTick - 1n) / perTick)
  return ticks(direction === 'long' ? mark + missing : mark - missing)
}
