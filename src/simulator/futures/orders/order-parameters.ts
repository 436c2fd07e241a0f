import { amountToText } from '../../../domain/numbers/amount.ts'
import { Decimal } from '../../../domain/numbers/decimal.ts'
import { priceAmount, type Steps, steps, type Ticks, ticks } from '../../../domain/numbers/grid.ts'
import { CLIENT_ORDER_ID_MAX_LENGTH } from '../../../domain/orders/client-order-id.ts'
import type { Side } from '../../../domain/orders/side.ts'
import { ApiError } from '../../protocol/api-error.ts'
import type { RequestParameters } from '../../protocol/request-parameters.ts'
import type { Contract } from '../contract.ts'
import { knownCode } from '../handlers/futures-call.ts'
import type { SimulatedMarginMode } from '../positions/position.ts'
import {
  FUTURES_ORDER_TYPES,
  type FuturesOrderDraft,
  type FuturesOrderType,
  type Trigger,
} from './futures-order-draft.ts'

/** Names that clients give the leverage of an order; the interface document has none. */
const LEVERAGE_NAMES = ['leverageLevel', 'leverage', 'lever'] as const
/** Values of an ordinary limit order, for clients that always send a timeInForce. */
const NO_TIME_IN_FORCE = new Set(['', 'GTC', '1'])

/**
 * Reads the body of an order (interface section 4.6); `mark` prices the value of market orders. Throws
 * `ApiError`, also for an order with a trigger, which would be ignored here.
 */
export function readFuturesOrder(
  parameters: RequestParameters,
  contract: Contract,
  mark: Ticks,
): FuturesOrderDraft {
  const triggerPrice = parameters.text('triggerPrice')
  const hasTrigger = triggerPrice !== undefined && !parameters.decimal('triggerPrice').isZero()
  if (hasTrigger || parameters.text('triggerType')) throw new ApiError('UNKNOWN_ORDER_COMPOSITION')
  return readDraft(parameters, contract, mark)
}

/** Reads the body of a conditional order, including its trigger. */
export function readConditionOrder(parameters: RequestParameters, contract: Contract): FuturesOrderDraft {
  const trigger = readTrigger(parameters, contract)
  return { ...readDraft(parameters, contract, trigger.price), trigger }
}

function readDraft(parameters: RequestParameters, contract: Contract, mark: Ticks): FuturesOrderDraft {
  const side = readSide(parameters)
  const action = readAction(parameters)
  const type = readType(parameters)
  const price = type === 'MARKET' ? undefined : readPrice(parameters, 'price', contract)
  const volume = readVolume(parameters, contract, price ?? mark)
  const clientOrderId = readClientOrderId(parameters)
  const settings = { marginMode: readMarginMode(parameters), leverage: readLeverage(parameters) }
  return { contract, side, action, type, volume, price, clientOrderId, trigger: undefined, ...settings }
}

function readSide(parameters: RequestParameters): Side {
  const text = parameters.required('side').toUpperCase()
  if (text === 'BUY') return 'buy'
  if (text === 'SELL') return 'sell'
  throw new ApiError('INVALID_SIDE')
}

function readAction(parameters: RequestParameters): 'OPEN' | 'CLOSE' {
  const text = parameters.required('open').toUpperCase()
  if (text === 'OPEN' || text === 'CLOSE') return text
  throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', 'open')
}

/** A timeInForce makes any order a limit order of that kind; some clients send it as the type. */
function readType(parameters: RequestParameters): FuturesOrderType {
  const type = FUTURES_ORDER_TYPES.find(known => known === parameters.required('type').toUpperCase())
  if (type === undefined) throw new ApiError('INVALID_ORDER_TYPE')
  const text = parameters.text('timeInForce')?.toUpperCase() ?? ''
  if (NO_TIME_IN_FORCE.has(text)) return type
  if (text === 'IOC' || text === 'FOK' || text === 'POST_ONLY') return text
  throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', 'timeInForce')
}

function readPrice(parameters: RequestParameters, name: string, { pricePrecision }: Contract): Ticks {
  const points = parameters.decimal(name).times(new Decimal(10).pow(pricePrecision))
  if (!points.isInteger()) throw new ApiError('PRICE_VOLUME_PRECISION')
  if (points.lte(0) || points.gt(Number.MAX_SAFE_INTEGER)) throw new ApiError('ORDER_PRICE_WAVE_EXCEED')
  return ticks(points.toNumber())
}

/** orderUnit: 2 whole contracts (default); 1 base and 3 value in the margin coin, cut to whole contracts. */
function readVolume(parameters: RequestParameters, contract: Contract, price: Ticks): Steps {
  const volume = parameters.decimal('volume')
  const unit = parameters.text('orderUnit') === undefined ? 2 : knownCode(parameters, 'orderUnit', [1, 2, 3])
  if (unit === 2 && !volume.isInteger()) throw new ApiError('PRICE_VOLUME_PRECISION')
  const contracts = unit === 2 ? volume : volume.div(oneContract(contract, unit, price)).floor()
  if (contracts.gt(Number.MAX_SAFE_INTEGER))
    throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', 'volume')
  if (contracts.lt(1)) throw new ApiError('ORDER_QUANTITY_TOO_SMALL', String(contract.minOrderVolume))
  return steps(contracts.toNumber())
}

function oneContract(contract: Contract, unit: 1 | 3, price: Ticks): Decimal {
  const base = new Decimal(amountToText(contract.multiplier))
  if (unit === 1) return base
  if (price === 0) throw new ApiError('NO_DEPTH')
  return base.times(amountToText(priceAmount(contract, price)))
}

function readMarginMode(parameters: RequestParameters): SimulatedMarginMode | undefined {
  if (parameters.text('positionType') === undefined) return undefined
  return knownCode(parameters, 'positionType', [1, 2]) === 1 ? 'cross' : 'isolated'
}

function readLeverage(parameters: RequestParameters): number | undefined {
  return LEVERAGE_NAMES.map(name => parameters.integer(name)).find(level => level !== undefined)
}

function readClientOrderId(parameters: RequestParameters): string | undefined {
  const id = parameters.text('clientOrderId')
  if (id !== undefined && id.length > CLIENT_ORDER_ID_MAX_LENGTH) {
    throw new ApiError('PARAM_ERROR', 'clientOrderId must be shorter than 32 characters')
  }
  return id
}

/** `3UP` and `4DOWN`; siblings send the bare number. */
function readTrigger(parameters: RequestParameters, contract: Contract): Trigger {
  const text = parameters.required('triggerType').toUpperCase()
  const direction =
    text === '3' || text === '3UP' ? 'up' : text === '4' || text === '4DOWN' ? 'down' : undefined
  if (direction === undefined) throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', 'triggerType')
  return { direction, price: readPrice(parameters, 'triggerPrice', contract) }
}
