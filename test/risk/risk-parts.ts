import { amountOf } from '../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import type { OrderIntent } from '../../src/domain/orders/order-intent.ts'
import type { OrderDraft } from '../../src/domain/orders/order-request.ts'
import type { RiskView } from '../../src/risk/risk-view.ts'
import { MARGIN_BTC } from '../domain/instruments.ts'

/** A margin account of 1000 USDT that holds nothing. */
export function viewOf(fields: Partial<RiskView> = {}): RiskView {
  return {
    instrument: MARGIN_BTC,
    equity: amountOf('1000'),
    freeQuote: amountOf('1000'),
    ownedBase: amountOf('0'),
    projectedPosition: 0,
    own: { instrument: MARGIN_BTC, books: ['BTC/USDT'], price: undefined, long: 0, short: 0 },
    working: [],
    markets: [{ instrument: MARGIN_BTC, price: undefined, long: 0, short: 0 }],
    mode: 'active',
    holds: [],
    isTradable: true,
    ...fields,
  }
}

/** A market buy of one BTC at 100. */
export function intentOf(fields: Partial<OrderIntent> = {}): OrderIntent {
  return {
    clientOrderId: 'a',
    strategy: 'test',
    symbol: 'BTC/USDT',
    book: 'BTC/USDT',
    side: 'buy',
    purpose: 'entry',
    plan: { type: 'market' },
    quantity: amountOf('1'),
    reduceOnly: false,
    decidedAt: 0,
    referencePrice: ticks(10_000),
    ...fields,
  }
}

/** The same on the grid. */
export function draftOf(fields: Partial<OrderDraft> = {}): OrderDraft {
  const { plan: _plan, quantity: _quantity, ...rest } = intentOf()
  return { ...rest, spec: { type: 'market' }, quantity: steps(1000), ...fields }
}
