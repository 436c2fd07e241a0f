import type { Instrument } from '../../src/domain/instrument.ts'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import type { FillEvidence } from '../../src/matching/fill-evidence.ts'
import type { SimulatedFill, UncostedFill } from '../fills/simulated-fill.ts'
import { slippageOf } from '../fills/slippage-of.ts'
import { AmountColumn } from './amount-column.ts'
import { Kinds } from './kinds.ts'
import { NumberRows } from './number-rows.ts'

type FillKind = Pick<UncostedFill, 'symbol' | 'book' | 'side' | 'feeAsset' | 'liquidity' | 'rule' | 'tag'>

/** Number, kind, price, quantity, time, kline and price before slippage. */
const COLUMNS = 7

/** Fills as columns while klines play, to spare memory; objects are built on first read. */
export class FillColumns {
  readonly #numbers = new NumberRows(COLUMNS)
  readonly #orders: string[] = []
  readonly #kinds = new Kinds<FillKind>(isSameKind, kindOf)
  readonly #fees = new AmountColumn()
  readonly #instrumentOf: (symbol: string) => Instrument
  /** By row; empty where klines were played. */
  readonly #evidence: FillEvidence[] = []
  #latestTime = Number.NEGATIVE_INFINITY
  #isInOrder = true
  #all: readonly SimulatedFill[] | undefined

  constructor(instrumentOf: (symbol: string) => Instrument) {
    this.#instrumentOf = instrumentOf
  }

  /** Number of fills. */
  get length(): number {
    return this.#orders.length
  }

  /** True if the fills ascend by time. */
  get isInOrder(): boolean {
    return this.#isInOrder
  }

  /** Adds a fill of a replay. Its id must be a number. */
  push(fill: UncostedFill): void {
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
    const fill: UncostedFill = {
      id: `${numbers.at(row, 0)}`,
      clientOrderId,
      symbol,
      book,
      side,
      price: ticks(numbers.at(row, 2)),
      quantity: steps(numbers.at(row, 3)),
      fee: this.#fees.at(row),
      feeAsset,
      liquidity,
      time: numbers.at(row, 4),
      rule,
      tag,
      klineOpenTime: numbers.at(row, 5),
      priceBeforeSlippage: ticks(numbers.at(row, 6)),
    }
    const slippage = slippageOf(this.#instrumentOf(symbol), fill)
    return evidence === undefined ? { ...fill, slippage } : { ...fill, slippage, evidence }
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
