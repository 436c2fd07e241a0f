import { z } from 'zod'
import { type Refusals, refuseParameter } from '../errors/refused-parameter.ts'
import { WIRE_SIDE, WIRE_TYPE_OF_KIND } from '../wire/order-kind.ts'
import {
  clientOrderIdParameter,
  integerField,
  nameParameter,
  positiveDecimalField,
  symbolParameter,
} from '../wire/wire-field.ts'

const SIDES = Object.values(WIRE_SIDE)
const TYPES = Object.values(WIRE_TYPE_OF_KIND)
const PLAIN_TYPES = ['LIMIT', 'MARKET'] as const

/** ms; the document recommends at most 5000. */
const recvwindow = integerField(1)

/** Body of New Order (interface section 4.2). `volume` counts quote for a MARKET BUY and base for every other order. */
export const newOrderRequest = z
  .object({
    symbol: symbolParameter,
    volume: positiveDecimalField,
    side: nameParameter(SIDES),
    type: nameParameter(TYPES),
    price: positiveDecimalField.optional(),
    triggerPrice: positiveDecimalField.optional(),
    newClientOrderId: clientOrderIdParameter.optional(),
    recvwindow: recvwindow.optional(),
  })
  .check(({ value: { type, price, triggerPrice }, issues }) => {
    if (type !== 'MARKET') requireField('price', price, type, issues)
    if (type === 'STOP') requireField('triggerPrice', triggerPrice, type, issues)
  })

/** Body of Test New Order; it spells `newClientorderId` and accepts two types only. */
export const testOrderRequest = z
  .object({
    symbol: symbolParameter,
    volume: positiveDecimalField,
    side: nameParameter(SIDES),
    type: nameParameter(PLAIN_TYPES),
    price: positiveDecimalField.optional(),
    newClientorderId: clientOrderIdParameter.optional(),
    recvwindow: recvwindow.optional(),
  })
  .check(({ value: { type, price }, issues }) => {
    if (type === 'LIMIT') requireField('price', price, type, issues)
  })

/** Body of a margin order (supplement to section 4.4): as New Order, with two types. */
export const marginOrderRequest = z
  .object({
    symbol: symbolParameter,
    volume: positiveDecimalField,
    side: nameParameter(SIDES),
    type: nameParameter(PLAIN_TYPES),
    price: positiveDecimalField.optional(),
    newClientOrderId: clientOrderIdParameter.optional(),
  })
  .check(({ value: { type, price }, issues }) => {
    if (type === 'LIMIT') requireField('price', price, type, issues)
  })

/** Refuses an order that lacks a field which its type needs. */
export function requireField(name: string, value: unknown, type: string, refusals: Refusals): void {
  if (value === undefined) refuseParameter(refusals, name, `is required for an order of type ${type}`)
}
