import { describe, expect, it } from 'vitest'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import { steps } from '../../../src/domain/numbers/grid.ts'
import type { Order } from '../../../src/domain/orders/order.ts'
import type { SpotOrder } from '../../../src/exchange/spot/spot-order.ts'
import { adoptedOrder } from '../../../src/execution/tracking/known-orders.ts'
import { SPOT_BTC } from '../../domain/instruments.ts'
import { requestOf } from '../../ledger/order-parts.ts'

const DECIDED_AT = 1_000_000
/** Of one BTC, of which 0.4 are booked. */
const order: Order = {
  request: requestOf({ clientOrderId: 'big', quantity: steps(1000), decidedAt: DECIDED_AT }),
  ...{ status: 'expired', filledQuantity: steps(400), exchangeOrderId: '7', reason: undefined },
}
const found = (fields: Partial<SpotOrder>) =>
  ({ orderId: '7', ordered: { quantity: new Decimal('0.3') }, ...fields }) as SpotOrder // as far as it is looked at

describe('an order that counted as over and is followed again', () => {
  it.each([['big'], [undefined]])(
    'goes on with what is booked of it, where it is told as %s',
    clientOrderId => {
      const adopted = adoptedOrder(order, SPOT_BTC, found({ clientOrderId }), ['1', '2'])
      expect(adopted).toMatchObject({ request: order.request, since: DECIDED_AT, cancelWanted: true })
      expect([adopted.booked, [...adopted.tradeIds], [...adopted.told]]).toEqual([400, ['1', '2'], []])
    },
  )

  it('is counted anew where it is a part, as large as the exchange says, and tells no trade again', () => {
    const adopted = adoptedOrder(order, SPOT_BTC, found({ clientOrderId: 'big.2' }), ['1', '2'])
    const request = { ...order.request, clientOrderId: 'big.2', quantity: 300 }
    expect(adopted).toMatchObject({ request, since: DECIDED_AT, cancelWanted: true })
    expect([adopted.booked, [...adopted.tradeIds], [...adopted.told]]).toEqual([0, [], ['1', '2']])
  })

  it('is as large as its order at most, where the exchange says no quantity', () => {
    const part = found({ clientOrderId: 'big.2', ordered: { quoteAmount: new Decimal(5) } })
    expect(adoptedOrder(order, SPOT_BTC, part, []).request.quantity).toBe(1000)
  })
})
