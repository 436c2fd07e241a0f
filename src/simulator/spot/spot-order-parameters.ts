import type { Instrument } from '../../domain/instrument.ts'
import { amountOf, amountToText } from '../../domain/numbers/amount.ts'
import { Decimal } from '../../domain/numbers/decimal.ts'
import { type Grid, notionalOf, quantityText, steps, type Ticks, ticks } from '../../domain/numbers/grid.ts'
import type { Side } from '../../domain/orders/side.ts'
import { ApiError } from '../protocol/api-error.ts'
import type { RequestParameters } from '../protocol/request-parameters.ts'
import { type OrderSize, SPOT_ORDER_TYPES, type SpotOrderDraft, type SpotOrderType } from './spot-order.ts'

/** Order types without a price. */
const PRICELESS: ReadonlySet<SpotOrderType> = new Set(['MARKET', 'STOP_MARKET'])
/** Order types with a trigger price. */
const TRIGGERED: ReadonlySet<SpotOrderType> = new Set(['STOP', 'STOP_MARKET'])

/**
 * Reads the body of New Order (interface section 4.2) and checks it against the instrument's rules; `types`
 * are the order types of the endpoint. Throws `ApiError`.
 */
export function readSpotOrder(
  parameters: RequestParameters,
  instrument: Instrument,
  types: readonly SpotOrderType[] = SPOT_ORDER_TYPES,
): SpotOrderDraft {
  const side = readSide(parameters)
  const type = readType(parameters, types)
  const size = readSize(parameters, instrument, side, type)
  const price = PRICELESS.has(type) ? undefined : readPrice(parameters, instrument, 'price')
  const triggerPrice = readTriggerPrice(parameters, instrument, type)
  checkMinima(instrument, size, price)
  const clientOrderId = parameters.text('newClientOrderId')
  return { instrument, side, type, size, price, triggerPrice, clientOrderId }
}

function readSide(parameters: RequestParameters): Side {
  const text = parameters.required('side').toUpperCase()
  if (text === 'BUY') return 'buy'
  if (text === 'SELL') return 'sell'
  throw new ApiError('INVALID_SIDE')
}

function readType(parameters: RequestParameters, types: readonly SpotOrderType[]): SpotOrderType {
  const text = parameters.required('type').toUpperCase()
  const type = types.find(known => known === text)
  if (type === undefined) throw new ApiError('INVALID_ORDER_TYPE')
  return type
}

/** The volume of a market buy is an amount of quote, at most as fine as a price times a quantity. */
function readSize(
  parameters: RequestParameters,
  instrument: Instrument,
  side: Side,
  type: SpotOrderType,
): OrderSize {
  const volume = parameters.decimal('volume')
  if (volume.lte(0)) throw new ApiError('ORDER_QUANTITY_TOO_SMALL', minimumVolume(instrument))
  if (PRICELESS.has(type) && side === 'buy') {
    const decimals = instrument.pricePrecision + instrument.quantityPrecision
    if (volume.decimalPlaces() > decimals) throw new ApiError('BAD_PRECISION')
    return { unit: 'quote', amount: amountOf(volume) }
  }
  return { unit: 'base', quantity: steps(gridPoints(volume, instrument.quantityPrecision, 'volume')) }
}

/** Refuses a trigger price on an order type that would ignore it and trade at once. */
function readTriggerPrice(
  parameters: RequestParameters,
  instrument: Instrument,
  type: SpotOrderType,
): Ticks | undefined {
  if (TRIGGERED.has(type)) return readPrice(parameters, instrument, 'triggerPrice')
  const text = parameters.text('triggerPrice')
  if (text !== undefined && !parameters.decimal('triggerPrice').isZero()) {
    throw new ApiError('UNKNOWN_ORDER_COMPOSITION')
  }
  return undefined
}

function readPrice(
  parameters: RequestParameters,
  instrument: Instrument,
  name: 'price' | 'triggerPrice',
): Ticks {
  const price = ticks(gridPoints(parameters.decimal(name), instrument.pricePrecision, name))
  if (price < instrument.minPrice) throw new ApiError('ORDER_PRICE_WAVE_EXCEED')
  return price
}

function gridPoints(value: Decimal, precision: number, name: string): number {
  const points = value.times(new Decimal(10).pow(precision))
  if (!points.isInteger()) throw new ApiError('PRICE_VOLUME_PRECISION')
  if (points.abs().gt(Number.MAX_SAFE_INTEGER)) throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', name)
  return points.toNumber()
}

/** `limitAmountMin` bounds limit orders and the money of a market buy; a market sell is bounded by its volume alone. */
function checkMinima(instrument: Instrument, size: OrderSize, price: Ticks | undefined): void {
  if (size.unit === 'base' && size.quantity < instrument.minQuantity) {
    throw new ApiError('ORDER_QUANTITY_TOO_SMALL', minimumVolume(instrument))
  }
  if (size.unit === 'base' && size.quantity > instrument.maxQuantity)
    throw new ApiError('PARAM_ERROR', 'the volume is above the maximum')
  const worth = notional(instrument, size, price)
  if (worth !== undefined && worth < instrument.minNotional) {
    throw new ApiError('MINIMUM_NOTIONAL', amountToText(instrument.minNotional))
  }
}

function notional(grid: Grid, size: OrderSize, price: Ticks | undefined) {
  if (size.unit === 'quote') return size.amount
  return price === undefined ? undefined : notionalOf(grid, price, size.quantity)
}

function minimumVolume(instrument: Instrument): string {
  return quantityText(instrument, instrument.minQuantity)
}
