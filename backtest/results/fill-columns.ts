import type { Amount } from '../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import type { FillEvidence } from '../../src/matching/fill-evidence.ts'
import type { SimulatedFill } from '../fills/simulated-fill.ts'
import { Kinds } from './kinds.ts'
import { NumberRows } from './number-rows.ts'

type FillKind = Pick<SimulatedFill, 'symbol' | 'book' | 'side' | 'feeAsset' | 'liquidity' | 'rule' | 'tag'>

/** Number, kind, price, quantity, time, kline and price before slippage. */
const COLUMNS = 7

/** Fills as columns while klines play, to spare memory; objects are built on first read. */
export class FillColumns {
  readonly #numbers = new NumberRows(COLUMNS)
  readonly #orders: string[] = []
  readonly #kinds = new Kinds<FillKind>(isSameKind, kindOf)
  readonly #fees: Amount[] = []
  readonly #slippage: Amount[] = []
  /** By row; empty where klines were played. */
  readonly #evidence: FillEvidence[] = []
  #latestTime = Number.NEGATIVE_INFINITY
  #isInOrder = true
  #all: readonly SimulatedFill[] | undefined

  /** True if the fills ascend by time. */
  get isInOrder(): boolean {
    return this.#isInOrder
  }

  /** Adds a fill of a replay. Its id must be a number. */
  push(fill: SimulatedFill): void {
    this.#all = undefined
    this.#orders.push(fill.clientOrderId)
    const place = this.#numbers.add()
    this.#numbers.set(place, Number(fill.id))
    this.#numbers.set(place + 1, this.#kinds.numberOf(fill))
    this.#numbers.set(place + 2, fill.price)
    this.#numbers.set(place + 3, fill.quantity)
    this.#numbers.set(place + 4, fill.time)
    this.#numbers.set(place + 5, fill.klineOpenTime)
    this.#numbers.set(place + 6, fill.priceBeforeSlippage)
    this.#fees.push(fill.fee)
    this.#slippage.push(fill.slippage)
    if (fill.evidence !== undefined) this.#evidence[this.#orders.length - 1] = fill.evidence
    if (fill.time < this.#latestTime) this.#isInOrder = false
    this.#latestTime = fill.time
  }

  /** In order of arrival. */
  get all(): readonly SimulatedFill[] {
    this.#all ??= this.#orders.map((clientOrderId, row) => this.#at(row, clientOrderId))
    return this.#all
  }

  #at(row: number, clientOrderId: string): SimulatedFill {
    const numbers = this.#numbers
    const { symbol, book, side, feeAsset, liquidity, rule, tag } = this.#kinds.at(numbers.at(row, 1))
    const evidence = this.#evidence[row]
    return {
      id: `${numbers.at(row, 0)}`,
      clientOrderId,
      symbol,
      book,
      side,
      price: ticks(numbers.at(row, 2)),
      quantity: steps(numbers.at(row, 3)),
      fee: this.#fees[row] as Amount, // a row, as below
      feeAsset,
      liquidity,
      time: numbers.at(row, 4),
      rule,
      tag,
      klineOpenTime: numbers.at(row, 5),
      priceBeforeSlippage: ticks(numbers.at(row, 6)),
      slippage: this.#slippage[row] as Amount,
      ...(evidence !== undefined && { evidence }),
    }
  }
}

function isSameKind(left: FillKind, right: FillKind): boolean {
  return (
    left.side === right.side &&
    left.rule === right.rule &&
    left.symbol === right.symbol &&
    left.book === right.book &&
    left.feeAsset === right.feeAsset &&
    left.liquidity === right.liquidity &&
    left.tag === right.tag
  )
}

function kindOf({ symbol, book, side, feeAsset, liquidity, rule, tag }: FillKind): FillKind {
  return { symbol, book, side, feeAsset, liquidity, rule, tag }
}
