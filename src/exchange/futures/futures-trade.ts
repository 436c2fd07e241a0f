import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import type { Liquidity } from '../../domain/orders/fill.ts'
import type { Side } from '../../domain/orders/side.ts'
import { listField } from '../wire/list-field.ts'
import { sideField } from '../wire/order-kind.ts'
import {
  decimalField,
  flagField,
  optionalDecimalField,
  optionalIdField,
  optionalTextField,
  timeField,
} from '../wire/wire-field.ts'

/** One execution of one of the account's futures orders, exact. */
export interface FuturesTrade {
  readonly id: string
  /** The account's own order: the bid of a buyer, the ask of a seller. */
  readonly orderId: string
  /** `undefined` if the exchange does not give it. */
  readonly bidId: string | undefined
  /** `undefined` if the exchange does not give it. */
  readonly askId: string | undefined
  /** Such as `E-BTC-USDT`. */
  readonly contractName: string
  /** Name of the pair, as the exchange spells it. */
  readonly symbol: string | undefined
  readonly side: Side
  readonly liquidity: Liquidity
  readonly price: Decimal
  /** Contracts. */
  readonly volume: Decimal
  /** Quote: contracts × multiplier × price; `undefined` if the exchange does not give it. */
  readonly value: Decimal | undefined
  /** Paid if positive, in the margin coin. */
  readonly fee: Decimal
  readonly bidUserId: string | undefined
  readonly askUserId: string | undefined
  /** ms UTC. */
  readonly time: number
}

const wireTrade = z.object({
  tradeId: optionalIdField,
  /** Another spelling of `tradeId`. */
  id: optionalIdField,
  bidId: optionalIdField,
  askId: optionalIdField,
  contractName: optionalTextField,
  symbol: optionalTextField,
  side: sideField.nullish(),
  /** Missing on hosts that give the side. */
  isBuyer: flagField.nullish(),
  isMaker: flagField,
  price: decimalField,
  qty: decimalField,
  amount: optionalDecimalField,
  fee: decimalField,
  bidUserId: optionalIdField,
  askUserId: optionalIdField,
  time: timeField,
})

const trade = wireTrade.transform((wire, context): FuturesTrade => {
  const refuse = (key: string, message: string): never => {
    context.addIssue({ code: 'custom', path: [key], message })
    return z.NEVER
  }
  const side = sideOf(wire.isBuyer) ?? wire.side ?? undefined
  if (side === undefined) return refuse('isBuyer', 'is required')
  if (wire.side !== undefined && wire.side !== null && wire.side !== side)
    return refuse('side', 'contradicts isBuyer')
  const id = wire.tradeId ?? wire.id
  if (id === undefined) return refuse('tradeId', 'a trade needs an id')
  const [key, orderId] = side === 'buy' ? ['bidId', wire.bidId] : ['askId', wire.askId]
  if (orderId === undefined) return refuse(key, 'is required, as the id of the own order')
  return tradeOf(wire, { side, id, orderId })
})

function sideOf(isBuyer: boolean | null | undefined): Side | undefined {
  if (typeof isBuyer !== 'boolean') return undefined
  return isBuyer ? 'buy' : 'sell'
}

function tradeOf(
  wire: z.output<typeof wireTrade>,
  own: Pick<FuturesTrade, 'side' | 'id' | 'orderId'>,
): FuturesTrade {
  return {
    ...own,
    bidId: wire.bidId,
    askId: wire.askId,
    contractName: wire.contractName ?? '',
    symbol: wire.symbol,
    liquidity: wire.isMaker ? 'maker' : 'taker',
    price: wire.price,
    volume: wire.qty,
    value: wire.amount,
    fee: wire.fee,
    bidUserId: wire.bidUserId,
    askUserId: wire.askUserId,
    time: wire.time,
  }
}

/** Answer of the own futures trades, newest first; it may omit the contract. */
export const futuresTradesResponse = listField(trade, 'trades', 'tradeList')
