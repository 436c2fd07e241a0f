import type { Liquidated } from '../../domain/events/engine-event.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, add, amountAtExchange, subtract, ZERO } from '../../domain/numbers/amount.ts'
import { baseAmount, type Steps, steps, stepsOf, stepsWithin, ticksOf } from '../../domain/numbers/grid.ts'
import type { Position } from '../../domain/position.ts'
import type { OwnTrade } from '../../exchange/spot/own-trade.ts'
import { share } from '../../ledger/contract-position.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { ReconcilerOptions } from './reconciler-options.ts'

/** Parts of long spot positions whose base left the account, and the base that nothing explains. */
export interface OutsideSales {
  readonly closes: readonly Liquidated[]
  /** The sales that the closes are made of. */
  readonly sales: readonly OwnTrade[]
  /** Base units. */
  readonly unexplained: Amount
}

/** A part of a position that is gone. */
interface Part {
  readonly position: Position
  readonly quantity: Steps
}

/** Long positions of one asset, from which parts are taken until nothing is missing. */
export class MissingBase {
  readonly #ledger: Ledger
  readonly #instruments: readonly Instrument[]
  /** Quantities that are left of the positions, by book. */
  readonly #left = new Map<string, Steps>()
  readonly #closes: Liquidated[] = []
  readonly #sales: OwnTrade[] = []
  /** Places in `#closes`, by order, book and price. */
  readonly #byOrder = new Map<string, number>()
  #missing: Amount

  /** `instruments`: those of the asset; `missing`: base units that the account lacks for their positions. */
  constructor(ledger: Ledger, instruments: readonly Instrument[], missing: Amount) {
    this.#ledger = ledger
    this.#instruments = instruments
    this.#missing = missing
  }

  /** Quantities taken so far. */
  get result(): OutsideSales {
    return { closes: this.#closes, sales: this.#sales, unexplained: this.#missing }
  }

  /**
   * Takes parts that sales of others explain, at their prices and fees, the latest sale first: coins of the bot are the
   * last that a person sells.
   */
  takeSales(others: readonly OwnTrade[]): void {
    for (const instrument of this.#instruments) {
      const sales = others.filter(({ symbol, side }) => symbol === instrument.symbol && side === 'sell')
      for (const sale of sales.toReversed()) this.#takeSale(instrument, sale)
    }
  }

  /**
   * Takes the rest at the latest prices, of instruments of which positions are being closed: from these positions last, so that
   * the orders that close them find what is there.
   */
  takeRest(closingOf: ReconcilerOptions['closingOf'], time: number): void {
    for (const instrument of this.#instruments) {
      const closing = closingOf(instrument.symbol)
      const price = closing?.price ?? this.#ledger.markOf(instrument.symbol)
      if (price === undefined || closing === undefined) continue
      const positions = this.#longOf(instrument).toSorted(
        (left, right) => Number(closing.books.has(left.book)) - Number(closing.books.has(right.book)),
      )
      for (const { position, quantity } of this.#parts(instrument, positions, Number.MAX_SAFE_INTEGER)) {
        const { symbol, book, direction } = position
        this.#closes.push({
          type: 'liquidated',
          liquidation: { symbol, book, direction, quantity, price, fee: ZERO, by: 'unknown' },
          ...{ fillId: `missing-${time}-${book}`, time },
        })
      }
    }
  }

  #takeSale(instrument: Instrument, sale: OwnTrade): void {
    const { id, orderId, quantity, price, fee, feeAsset, time } = sale
    const sold = stepsOf(instrument, quantity)
    const paid = feeAsset === instrument.quote ? amountAtExchange(fee) : ZERO
    const before = this.#missing
    for (const { position, quantity: taken } of this.#parts(instrument, this.#longOf(instrument), sold)) {
      const { symbol, book, direction } = position
      const terms = { quantity: taken, price: ticksOf(instrument, price), fee: share(paid, taken, sold) }
      this.#takePart(orderId, {
        type: 'liquidated',
        liquidation: { symbol, book, direction, ...terms, by: 'others' },
        ...{ fillId: `closed-${id}`, time },
      })
    }
    if (this.#missing < before) this.#sales.push(sale)
  }

  /** Fills of one order at one price are one close. */
  #takePart(orderId: string, close: Liquidated): void {
    const { book, price, quantity, fee } = close.liquidation
    const key = [orderId, book, price].join()
    const known = this.#byOrder.get(key)
    if (known === undefined) {
      this.#byOrder.set(key, this.#closes.push(close) - 1)
      return
    }
    const before = this.#closes[known] as Liquidated // as it was noted
    const { liquidation } = before
    this.#closes[known] = {
      ...before,
      liquidation: {
        ...liquidation,
        quantity: steps(liquidation.quantity + quantity),
        fee: add(liquidation.fee, fee),
      },
    }
  }

  #longOf({ symbol }: Instrument): readonly Position[] {
    return this.#ledger.positionsOf(symbol).filter(({ direction }) => direction === 'long')
  }

  /** Takes up to `most` steps of positions of an instrument, one after the other, in whole steps that cover what is missing. */
  *#parts(
    instrument: Instrument,
    positions: readonly Position[],
    most: number,
  ): Generator<Part, void, undefined> {
    let left = most
    for (const position of positions) {
      const held = this.#left.get(position.book) ?? position.quantity
      const quantity = steps(Math.min(left, held, stepsCovering(instrument, this.#missing)))
      if (quantity === 0) continue
      left -= quantity
      this.#left.set(position.book, steps(held - quantity))
      const rest = subtract(this.#missing, baseAmount(instrument, quantity))
      this.#missing = rest > ZERO ? rest : ZERO
      yield { position, quantity }
    }
  }
}

/** The least whole steps that are worth at least `base`. */
function stepsCovering(instrument: Instrument, base: Amount): Steps {
  const whole = stepsWithin(instrument, base)
  return baseAmount(instrument, whole) < base ? steps(whole + 1) : whole
}
