import { bookOf } from '../../domain/book-names.ts'
import { type Instrument, quantityUnit } from '../../domain/instrument.ts'
import { type Amount, add, amountToText, divide, ZERO } from '../../domain/numbers/amount.ts'
import { decimalOf } from '../../domain/numbers/decimal.ts'
import {
  baseAmount,
  notionalOf,
  priceText,
  quantityText,
  type Steps,
  steps,
  type Ticks,
} from '../../domain/numbers/grid.ts'
import { type Order, openQuantityOf } from '../../domain/orders/order.ts'
import type { Direction } from '../../domain/orders/side.ts'
import { trailingLevel } from '../../domain/orders/trailing-stop.ts'
import type { Position } from '../../domain/position.ts'
import { type ContractPosition, profitAt } from '../../ledger/contract-position.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { FreshPrices } from '../../ledger/market-prices.ts'

/** A price at which a protective order closes a position or a part of it. */
export interface LevelStatus {
  readonly kind: 'stopLoss' | 'takeProfit' | 'trailingStop'
  /** Quote per base, as text; absent of a trailing stop before its activation. */
  readonly price?: string
  /** Of a trailing stop before its activation: the price that activates it. */
  readonly activationPrice?: string
  /** Quantity to close, in the unit of the position. */
  readonly quantity: string
  /** The clientOrderId of the entry that it protects. */
  readonly entry: string
}

/** A position with all figures for a trader; prices, quantities and money are exact text. */
export interface PositionStatus {
  readonly symbol: string
  /** Name of the book; see `bookNames`. */
  readonly book: string
  readonly direction: Direction
  /** In `unit`. */
  readonly quantity: string
  /** `contracts`, or the base asset. */
  readonly unit: string
  readonly baseAsset: string
  readonly base: string
  readonly quote: string
  /** Quantity at the average entry price, in quote: paid, or of a short received, for what is open. */
  readonly cost: string
  /** Decimals of the instrument's prices. */
  readonly pricePrecision: number
  /**
   * Average price of the entries, to 18 decimals, which may be between two ticks; of contracts as the exchange counts it: of all entries since the
   * position was last flat, also of those that are closed again.
   */
  readonly entryPrice: string
  /** Of contracts, the average price of the entries that are still open, first in, first out, where it is another one to the tick. */
  readonly openEntryPrice?: string
  /** The latest price, of contracts the mark price; absent before the first. */
  readonly markPrice?: string
  /** Age of `markPrice`, ms; absent while prices come. */
  readonly priceAgeMs?: number
  /** Result at `markPrice` before fees, in quote. */
  readonly unrealised?: string
  /** The same as a fraction of `cost`. */
  readonly unrealisedRate?: string
  /** Of contracts, where the exchange liquidates them at any price. */
  readonly liquidationPrice?: string
  /** Protective orders that work. */
  readonly levels: readonly LevelStatus[]
  /** Quantity that no stop-loss and no trailing stop closes, in `unit`; absent where they close all of it. */
  readonly notCovered?: string
  /** Reason, in whole sentences, for which no order covers that, where it is less than an order may be. */
  readonly notCoveredBecause?: string
  /** Quantity that exits have closed at the exchange, which does not list the trades yet, in `unit`: `quantity` still counts it. */
  readonly closedUnlisted?: string
}

/** Prices fresher than those of the ledger, which has the latest closes. */
export interface LivePrices extends FreshPrices {
  /** Present stop price of a trailing stop; `undefined` if it is not waiting. */
  stopPriceOf(clientOrderId: string): Ticks | undefined
  /** Age of the latest price of a symbol, ms; `undefined` while it is not old. */
  oldPriceMs(symbol: string): number | undefined
}

/** Cost of the lots of a position: what round trips leave of it, so that results of both add up. */
export interface OpenCost extends Pick<ContractPosition, 'direction' | 'quantity' | 'cost'> {
  readonly instrument: Instrument
  /** Of its entries, in quote. */
  readonly fees: Amount
}

/** Cost of the open position of a book; `undefined` when flat. */
export function openCost(ledger: Ledger, book: string): OpenCost | undefined {
  const position = ledger.position(book)
  if (position === undefined) return undefined
  const { symbol, direction, quantity, lots } = position
  const instrument = ledger.instrument(symbol)
  const cost = costOf(instrument, position)
  let fees = ZERO
  for (const { fee } of lots) fees = add(fees, fee)
  return { instrument, direction, quantity, cost, fees }
}

/** Position of a book, for people; `undefined` when flat. */
export function positionStatus(ledger: Ledger, book: string, prices: LivePrices): PositionStatus | undefined {
  const position = ledger.position(book)
  if (position === undefined) return undefined
  const { symbol, direction, quantity } = position
  const instrument = ledger.instrument(symbol)
  const lotsCost = costOf(instrument, position)
  const cost = ledger.contracts.of(book)?.cost ?? lotsCost
  const base = baseAmount(instrument, quantity)
  const { pricePrecision } = instrument
  const averageOf = (paid: Amount) => amountToText(divide(paid, base))
  const [entryPrice, openEntryPrice] = [averageOf(cost), averageOf(lotsCost)]
  const isSameTick = inTicks(entryPrice, pricePrecision) === inTicks(openEntryPrice, pricePrecision)
  const mark = prices.priceOf(symbol) ?? ledger.markPriceOf(symbol)
  const liquidationPrice = liquidationText(ledger, book, instrument)
  const priceAgeMs = mark === undefined ? undefined : prices.oldPriceMs(symbol)
  return {
    ...{ symbol, book, direction },
    quantity: quantityText(instrument, quantity),
    unit: quantityUnit(instrument),
    ...{ baseAsset: instrument.base, base: amountToText(base), quote: instrument.quote },
    cost: amountToText(cost),
    ...{ pricePrecision, entryPrice },
    ...(!isSameTick && { openEntryPrice }),
    ...(mark !== undefined && {
      markPrice: priceText(instrument, mark),
      ...resultOf(cost, profitAt(instrument, { direction, quantity, cost }, mark)),
    }),
    ...(priceAgeMs !== undefined && { priceAgeMs }),
    ...(liquidationPrice !== undefined && { liquidationPrice }),
    levels: ledger.orders.working.flatMap(order => levelOf(order, book, instrument, prices) ?? []),
    ...notCovered(ledger, book, instrument, quantity),
  }
}

/** A price as exact text, rounded to `precision` decimals. */
export function inTicks(price: string, precision: number): string {
  return decimalOf(price).toFixed(precision)
}

/** Part of a position that stops do not close; of those of one entry the largest counts, because only one of them trades. */
function notCovered(ledger: Ledger, book: string, instrument: Instrument, quantity: Steps) {
  const byEntry = new Map<string, number>()
  for (const order of ledger.orders.working) {
    const { purpose, protects } = order.request
    if (protects === undefined || bookOf(order.request) !== book) continue
    if (purpose !== 'stopLoss' && purpose !== 'trailingStop') continue
    byEntry.set(protects, Math.max(byEntry.get(protects) ?? 0, openQuantityOf(order)))
  }
  const covered = [...byEntry.values()].reduce((sum, one) => sum + one, 0)
  return covered >= quantity ? {} : { notCovered: quantityText(instrument, steps(quantity - covered)) }
}

/**
 * The mark price at which the exchange liquidates the position of a book, as text; `undefined` if no price
 * does.
 */
export function liquidationText(ledger: Ledger, book: string, instrument: Instrument): string | undefined {
  const price = ledger.liquidations.priceOf(book) ?? ZERO
  return price <= ZERO ? undefined : decimalOf(amountToText(price)).toFixed(instrument.pricePrecision)
}

function resultOf(cost: Amount, unrealised: Amount) {
  return {
    unrealised: amountToText(unrealised),
    ...(cost > ZERO && { unrealisedRate: amountToText(divide(unrealised, cost)) }),
  }
}

function costOf(instrument: Instrument, { lots }: Position): Amount {
  let cost = ZERO
  for (const { price, quantity } of lots) cost = add(cost, notionalOf(instrument, price, quantity))
  return cost
}

function levelOf(
  order: Order,
  book: string,
  instrument: Instrument,
  prices: LivePrices,
): LevelStatus | undefined {
  const { request } = order
  const { purpose, clientOrderId, spec } = request
  if (bookOf(request) !== book || request.protects === undefined) return undefined
  if (purpose !== 'stopLoss' && purpose !== 'takeProfit' && purpose !== 'trailingStop') return undefined
  const price = prices.stopPriceOf(clientOrderId) ?? priceOfProtection(request)
  const activation = spec.type === 'trailingStop' ? spec.activationPrice : undefined
  return {
    kind: purpose,
    quantity: quantityText(instrument, openQuantityOf(order)),
    entry: request.protects,
    ...(price !== undefined && { price: priceText(instrument, price) }),
    ...(price === undefined &&
      activation !== undefined && { activationPrice: priceText(instrument, activation) }),
  }
}

/** Price at which a protective order closes, as it was placed; `undefined` of one at market. */
export function priceOfProtection({ spec, side }: Order['request']): Ticks | undefined {
  switch (spec.type) {
    case 'limit':
      return spec.price
    case 'stop':
    case 'stopLimit':
      return spec.stopPrice
    case 'ifTouched':
      return spec.triggerPrice
    case 'trailingStop':
      return trailingLevel(spec, side === 'buy', spec.anchor)
    case 'market':
      return undefined
  }
}
