import {
  type Amount,
  add,
  amountOf,
  negate,
  smaller,
  subtract,
  ZERO,
} from '../../../domain/numbers/amount.ts'
import type { EndpointHandler, IncomingCall } from '../../incoming-call.ts'
import { ApiError } from '../../protocol/api-error.ts'
import type { JsonValue } from '../../protocol/json-text.ts'
import type { SlotDefaults } from '../contract-slot.ts'
import { isBusy } from '../orders/admission.ts'
import { openAmountOf } from '../positions/equity.ts'
import { type SimulatedPosition, unrealizedOf } from '../positions/position.ts'
import { accountOf, contractOf, knownCode } from './futures-call.ts'
import { done } from './wire-value.ts'

/** POST /fapi/v1/edit_user_position_model: 1 net, 2 two-way. */
export const editPositionModel: EndpointHandler = call => {
  const model = knownCode(call.parameters, 'positionModel', [1, 2])
  return edited(call, { positionMode: model === 1 ? 'net' : 'twoWay' })
}

/** POST /fapi/v1/edit_user_margin_model: 1 cross, 2 isolated. */
export const editMarginModel: EndpointHandler = call => {
  const model = knownCode(call.parameters, 'marginModel', [1, 2])
  return edited(call, { marginMode: model === 1 ? 'cross' : 'isolated' })
}

/** POST /fapi/v1/edit_lever */
export const editLeverage: EndpointHandler = call => {
  const { contract } = contractOf(call)
  const level = call.parameters.integer('nowLevel')
  if (level === undefined) throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', 'nowLevel')
  const { min, max } = contract.leverage
  if (level < Math.max(1, min) || level > max) {
    throw new ApiError('PARAM_ERROR', `the leverage must be from ${Math.max(1, min)} to ${max}`)
  }
  return edited(call, { leverage: level })
}

/** POST /fapi/v1/edit_position_margin: puts money into an isolated position, or takes some out above its initial margin. */
export const editPositionMargin: EndpointHandler = call => {
  const { futures, parameters } = call
  const account = accountOf(call)
  const id = parameters.required('positionId')
  const change = readAmount(call)
  const position = account.positions().find(candidate => String(candidate.id) === id)
  if (position === undefined) throw new ApiError('PARAM_ERROR', `no open position has the id ${id}`)
  if (position.marginMode === 'cross')
    throw new ApiError('PARAM_ERROR', 'a cross position has no margin of its own')
  const coin = position.contract.quote
  if (change > ZERO && change > futures.availableOf(account, coin)) throw new ApiError('BALANCE_NOT_ENOUGH')
  if (change < ZERO && negate(change) > removableOf(position, call)) {
    throw new ApiError('PARAM_ERROR', 'the position must keep its initial margin')
  }
  account.addMargin(position, change)
  futures.orders.moneyMoved(account, coin)
  return done()
}

/** The margin beyond the initial margin; an unrealised loss uses margin up. */
function removableOf(position: SimulatedPosition, { futures }: IncomingCall): Amount {
  const profit = unrealizedOf(position, futures.orders.markOf(position.contract))
  return subtract(add(position.margin, smaller(profit, ZERO)), openAmountOf(position))
}

function readAmount({ parameters }: IncomingCall): Amount {
  const amount = parameters.decimal('amount')
  if (amount.isZero()) throw new ApiError('PARAM_ERROR', 'the amount must not be 0')
  if (amount.decimalPlaces() > 18) throw new ApiError('BAD_PRECISION')
  return amountOf(amount)
}

/**
 * Changes a setting of a contract. Assumption, since no rule is published: refused while a position or an
 * order exists on the contract, unless the value stays the same.
 */
function edited(call: IncomingCall, change: Partial<SlotDefaults>): JsonValue {
  const account = accountOf(call)
  const { contract } = contractOf(call)
  const slot = account.slot(contract)
  const changed = { ...slot, ...change }
  const isSame =
    changed.positionMode === slot.positionMode &&
    changed.marginMode === slot.marginMode &&
    changed.leverage === slot.leverage
  if (!isSame && isBusy(account, contract)) {
    throw new ApiError('PARAM_ERROR', 'settings cannot change while positions or orders are open')
  }
  Object.assign(slot, change)
  return done()
}
