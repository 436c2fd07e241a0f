import { bookOf } from '../domain/book-names.ts'
import type { Instrument } from '../domain/instrument.ts'
import { type Amount, add, subtract, ZERO } from '../domain/numbers/amount.ts'
import { baseAmount, gainOf, type Steps, steps, stepsWithin, worthOf } from '../domain/numbers/grid.ts'
import type { Fill } from '../domain/orders/fill.ts'
import type { OrderRequest } from '../domain/orders/order-request.ts'
import type { Direction } from '../domain/orders/side.ts'
import type { Lot, Position } from '../domain/position.ts'
import type { RoundTrip } from '../domain/round-trip.ts'
import { share } from './contract-position.ts'

/**
 * A position, and the base below one step left by fees in base (it goes into the next lot), or still owed for
 * them.
 */
export interface Holding {
  readonly position: Position | undefined
  readonly dust: Amount
  /** Cost in quote of fills that left no whole step; the next lot bears it. */
  readonly dustFee?: Amount
}

/** Effect of a fill on a holding. */
export interface BookedFill {
  readonly holding: Holding
  readonly roundTrips: readonly RoundTrip[]
}

const NO_ROUND_TRIPS: readonly RoundTrip[] = []

/** A flat holding. */
export const EMPTY_HOLDING: Holding = { position: undefined, dust: ZERO }

/**
 * Books a fill on a holding. A fill against the position closes lots first in, first out — but first those of
 * the entry of a protective order — and gives a round trip for each; any remainder opens a lot. A fee in base
 * shrinks the lot by whole steps; a fraction of a step remains as dust. If no step is left, the next lot
 * bears the fee too, so that every fee is part of a round trip.
 */
export function bookFill(
  instrument: Instrument,
  holding: Holding,
  fill: Fill,
  order: OrderRequest,
): BookedFill {
  const direction: Direction = fill.side === 'buy' ? 'long' : 'short'
  const fee = feeInQuote(instrument, fill)
  const { position } = holding
  if (position === undefined || position.direction === direction) {
    return {
      holding: opened(instrument, holding, fill, order, fill.quantity, fee),
      roundTrips: NO_ROUND_TRIPS,
    }
  }
  const closing = closed(instrument, position, fill, order, fee)
  const rest = steps(fill.quantity - closing.quantity)
  const reduced = withPosition(holding, closing.position)
  return {
    holding:
      rest === 0
        ? withoutBaseFee(instrument, reduced, fill)
        : opened(instrument, reduced, fill, order, rest, closing.feeLeft),
    roundTrips: closing.roundTrips,
  }
}

/** Mostly there is no fee beside the dust, and then no field of it: many fills are booked in a backtest. */
function withPosition({ dust, dustFee }: Holding, position: Position | undefined): Holding {
  return dustFee === undefined ? { position, dust } : { position, dust, dustFee }
}

/** A fill that only closes adds no base to pay a base fee from: the dust pays it, and may go negative. */
function withoutBaseFee(instrument: Instrument, holding: Holding, { fee, feeAsset }: Fill): Holding {
  if (feeAsset !== instrument.base) return holding
  return { ...holding, dust: subtract(holding.dust, fee) }
}

/**
 * A fee in quote. A fee in base counts at the fill's price; one in a third asset counts as zero, because its
 * balance shows it.
 */
function feeInQuote(instrument: Instrument, { fee, feeAsset, price }: Fill): Amount {
  if (feeAsset === instrument.base) return worthOf(instrument, price, fee)
  return feeAsset === instrument.quote ? fee : ZERO
}

function opened(
  instrument: Instrument,
  holding: Holding,
  fill: Fill,
  order: OrderRequest,
  quantity: Steps,
  fee: Amount,
): Holding {
  const net = netOfBaseFee(instrument, holding.dust, fill, quantity)
  const before = holding.position
  const borne = add(fee, holding.dustFee ?? ZERO)
  if (net.quantity === 0) return { position: before, dust: net.dust, dustFee: borne }
  const lot: Lot = {
    clientOrderId: order.clientOrderId,
    quantity: net.quantity,
    price: fill.price,
    time: fill.time,
    fee: borne,
    reason: order.purpose,
    tag: order.tag,
  }
  const direction: Direction = fill.side === 'buy' ? 'long' : 'short'
  const lots = before === undefined ? [lot] : [...before.lots, lot]
  return { position: positionOf(fill.symbol, bookOf(order), direction, lots), dust: net.dust }
}

function netOfBaseFee(
  instrument: Instrument,
  dust: Amount,
  fill: Fill,
  quantity: Steps,
): { quantity: Steps; dust: Amount } {
  if (fill.feeAsset !== instrument.base || fill.fee === 0n) return { quantity, dust }
  // A sale brings no base that its fee could be taken from: other base of the account pays it.
  if (fill.side === 'sell') return { quantity, dust: subtract(dust, fill.fee) }
  const owned = add(subtract(baseAmount(instrument, quantity), fill.fee), dust)
  const whole = stepsWithin(instrument, owned)
  return { quantity: whole, dust: subtract(owned, baseAmount(instrument, whole)) }
}

interface Closing {
  readonly position: Position | undefined
  readonly quantity: Steps
  /** The part of the fill's fee that its round trips did not take. */
  readonly feeLeft: Amount
  readonly roundTrips: readonly RoundTrip[]
}

function closed(
  instrument: Instrument,
  position: Position,
  fill: Fill,
  order: OrderRequest,
  fee: Amount,
): Closing {
  let left: number = fill.quantity
  let feeLeft = fee
  let roundTrips = NO_ROUND_TRIPS
  let { lots } = position
  for (const lot of protectedFirst(position.lots, order.protects)) {
    if (left === 0) break
    const taken = steps(Math.min(left, lot.quantity))
    // Each share is taken of the remainder, so that shares add up to the whole fee even after rounding.
    const exitFee = share(feeLeft, taken, steps(left))
    left -= taken
    feeLeft = subtract(feeLeft, exitFee)
    const roundTrip = roundTripOf(instrument, position.direction, lot, taken, fill, order, exitFee)
    roundTrips = roundTrips.length === 0 ? [roundTrip] : [...roundTrips, roundTrip]
    lots = withoutPart(lots, lot, taken)
  }
  return {
    position:
      lots.length === 0 ? undefined : positionOf(position.symbol, position.book, position.direction, lots),
    quantity: steps(fill.quantity - left),
    feeLeft,
    roundTrips,
  }
}

function protectedFirst(lots: readonly Lot[], entry: string | undefined): readonly Lot[] {
  if (entry === undefined) return lots
  const isProtected = (lot: Lot) => lot.clientOrderId === entry
  return [...lots.filter(isProtected), ...lots.filter(lot => !isProtected(lot))]
}

const NO_LOTS: readonly Lot[] = []

/** Lots less a part of one of them, or less all of it. */
function withoutPart(lots: readonly Lot[], lot: Lot, taken: Steps): readonly Lot[] {
  if (taken === lot.quantity) return lots.length === 1 ? NO_LOTS : lots.filter(other => other !== lot)
  const left: Lot = {
    ...lot,
    quantity: steps(lot.quantity - taken),
    fee: subtract(lot.fee, share(lot.fee, taken, lot.quantity)),
  }
  return lots.map(other => (other === lot ? left : other))
}

function roundTripOf(
  instrument: Instrument,
  direction: Direction,
  lot: Lot,
  quantity: Steps,
  fill: Fill,
  order: OrderRequest,
  exitFee: Amount,
): RoundTrip {
  const gross =
    direction === 'long'
      ? gainOf(instrument, lot.price, fill.price, quantity)
      : gainOf(instrument, fill.price, lot.price, quantity)
  const fees = add(share(lot.fee, quantity, lot.quantity), exitFee)
  return {
    symbol: fill.symbol,
    book: bookOf(order),
    direction,
    quantity,
    entryTime: lot.time,
    entryPrice: lot.price,
    exitTime: fill.time,
    exitPrice: fill.price,
    pnl: subtract(gross, fees),
    fees,
    entryReason: lot.reason,
    exitReason: order.purpose,
    tag: lot.tag,
  }
}

function positionOf(symbol: string, book: string, direction: Direction, lots: readonly Lot[]): Position {
  let quantity = 0
  for (const lot of lots) quantity += lot.quantity
  return { symbol, book, direction, quantity: steps(quantity), lots }
}
