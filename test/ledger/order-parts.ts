import { type Amount, amountOf, ZERO } from '../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import type { Fill } from '../../src/domain/orders/fill.ts'
import type { OrderDraft, OrderRequest } from '../../src/domain/orders/order-request.ts'

/** A market order for one BTC, with the given fields instead. */
export function requestOf(fields: Partial<OrderDraft> = {}): OrderRequest {
  const draft: OrderDraft = {
    clientOrderId: 'order-1',
    strategy: 'test',
    symbol: 'BTC/USDT',
    book: 'BTC/USDT',
    side: 'buy',
    purpose: 'entry',
    spec: { type: 'market' },
    quantity: steps(1000),
    reduceOnly: false,
    decidedAt: 0,
    referencePrice: ticks(10_000),
    ...fields,
  }
  return draft as OrderRequest // stands in for the approval of risk
}

/** What a test says of a fill: price and quantity as text, in quote and base. */
export interface FillText {
  readonly id?: string
  readonly price: string
  readonly quantity: string
  readonly fee?: string
  readonly feeAsset?: string
  readonly time?: number
}

/** A fill of an order on the grid of the test instruments (0.01 and 0.001). */
export function fillOf(request: OrderRequest, { id, price, quantity, fee, feeAsset, time }: FillText): Fill {
  return {
    id: id ?? `fill of ${request.clientOrderId}`,
    clientOrderId: request.clientOrderId,
    symbol: request.symbol,
    side: request.side,
    price: ticks(Number(amountOf(price) / 10n ** 16n)),
    quantity: steps(Number(amountOf(quantity) / 10n ** 15n)),
    fee: fee === undefined ? ZERO : amountOf(fee),
    feeAsset: feeAsset ?? 'USDT',
    liquidity: 'taker',
    time: time ?? 0,
  }
}

/** An amount of so many 10^-18 units. */
export function units(value: bigint): Amount {
  return value as Amount // every whole number of 10^-18 units is an amount
}
