import { z } from 'zod'
import type { Side } from '../../domain/orders/side.ts'
import type { ExactNumber } from '../spot/order-placement.ts'
import { requireField } from '../spot/spot-order-request.ts'
import { WIRE_SIDE } from '../wire/order-kind.ts'
import {
  codeParameter,
  contractNameParameter,
  nameParameter,
  positiveDecimalField,
  positiveDecimalTextField,
} from '../wire/wire-field.ts'
import {
  ORDER_UNIT_CODES,
  POSITION_TYPE_CODES,
  type PositionAction,
  type PositionType,
  WIRE_ACTION,
  WIRE_TRIGGER,
} from './futures-code.ts'
import { type UnitVolume, type VolumeUnits, volumeFields } from './volume-unit.ts'

/** Volume of an order: contracts, base units, or an amount of quote. Some hosts accept contracts only. */
type FuturesVolume =
  | { readonly contracts: ExactNumber; readonly quantity?: never; readonly quoteAmount?: never }
  | { readonly quantity: ExactNumber; readonly contracts?: never; readonly quoteAmount?: never }
  | { readonly quoteAmount: ExactNumber; readonly contracts?: never; readonly quantity?: never }

/** Fields that all futures orders share. */
type FuturesTarget = FuturesVolume & {
  /** Such as `E-BTC-USDT`. */
  readonly contractName: string
  readonly side: Side
  /** A buy opens a long or closes a short, a sell opens a short or closes a long. */
  readonly action: PositionAction
  readonly positionType: PositionType
}

/** A new futures order. */
export type FuturesPlacement = FuturesTarget & {
  /** At most 31 characters. */
  readonly clientOrderId?: string
} & (
    | { readonly type: 'market' }
    /**
     * `limit` rests, `ioc` cancels the part that does not fill at once, `fok` fills completely or not at all,
     * `postOnly` is always maker.
     */
    | { readonly type: 'limit' | 'ioc' | 'fok' | 'postOnly'; readonly price: ExactNumber }
  )

/** An order that is placed once the market reaches a price. */
export type ConditionPlacement = FuturesTarget & {
  /** `rise`: the market rises to `triggerPrice`; `fall`: it falls to it. */
  readonly trigger: keyof typeof WIRE_TRIGGER
  readonly triggerPrice: ExactNumber
} & ({ readonly type: 'market' } | { readonly type: 'limit'; readonly price: ExactNumber })

/** An order with a time in force has the wire type LIMIT (section 4.6). */
const WIRE_TYPE = {
  market: 'MARKET',
  limit: 'LIMIT',
  ioc: 'LIMIT',
  fok: 'LIMIT',
  postOnly: 'LIMIT',
} as const satisfies Record<FuturesPlacement['type'], string>

const TIME_IN_FORCE = { ioc: 'IOC', fok: 'FOK', postOnly: 'POST_ONLY' } as const

/** Wire fields of a new order; throws `UnitNotReadError` if the host may read its volume in another unit. */
export function futuresOrderFields(placement: FuturesPlacement, units: VolumeUnits) {
  const { type, clientOrderId } = placement
  const timeInForce = type === 'market' || type === 'limit' ? undefined : TIME_IN_FORCE[type]
  return {
    ...targetFields(placement, units),
    price: type === 'market' ? undefined : placement.price,
    type: WIRE_TYPE[type],
    clientOrderId,
    timeInForce,
  }
}

/** Wire fields of a condition order; throws as `futuresOrderFields` does. */
export function conditionOrderFields(placement: ConditionPlacement, units: VolumeUnits) {
  const { type, trigger, triggerPrice } = placement
  return {
    ...targetFields(placement, units),
    price: type === 'market' ? undefined : placement.price,
    type: WIRE_TYPE[type],
    triggerType: WIRE_TRIGGER[trigger],
    triggerPrice,
  }
}

function targetFields(target: FuturesTarget & { readonly type: string }, units: VolumeUnits) {
  return {
    contractName: target.contractName.toUpperCase(),
    ...volumeFields(volumeOf(target), target, units),
    side: WIRE_SIDE[target.side],
    open: WIRE_ACTION[target.action],
    positionType: POSITION_TYPE_CODES[target.positionType],
  }
}

function volumeOf({ contracts, quantity, quoteAmount }: FuturesVolume): UnitVolume {
  if (contracts !== undefined) return { volume: contracts, unit: 'contracts' }
  if (quantity !== undefined) return { volume: quantity, unit: 'base' }
  return { volume: quoteAmount, unit: 'quote' }
}

const target = {
  contractName: contractNameParameter,
  volume: positiveDecimalField,
  orderUnit: codeParameter(ORDER_UNIT_CODES).optional(),
  price: positiveDecimalField.optional(),
  type: nameParameter(['LIMIT', 'MARKET']),
  side: nameParameter(Object.values(WIRE_SIDE)),
  open: nameParameter(Object.values(WIRE_ACTION)),
  positionType: codeParameter(POSITION_TYPE_CODES),
}

/** Body of a new order (interface section 4.6). */
export const futuresOrderRequest = z
  .object({
    ...target,
    clientOrderId: z
      .string('must be text')
      .min(1, 'must not be empty')
      .max(31, 'must have fewer than 32 characters')
      .optional(),
    timeInForce: nameParameter(Object.values(TIME_IN_FORCE)).optional(),
  })
  .check(({ value: { type, price }, issues }) => {
    if (type === 'LIMIT') requireField('price', price, type, issues)
  })

/** Body of a condition order; its trigger price is text. */
export const conditionOrderRequest = z
  .object({
    ...target,
    triggerType: nameParameter(Object.values(WIRE_TRIGGER)),
    triggerPrice: positiveDecimalTextField,
  })
  .check(({ value: { type, price }, issues }) => {
    if (type === 'LIMIT') requireField('price', price, type, issues)
  })
