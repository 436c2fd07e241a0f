import { describe, expect, it } from 'vitest'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import { clientOrderIdOf, clientOrderIdPrefix } from '../../../src/domain/orders/client-order-id.ts'
import type { SpotOrder } from '../../../src/exchange/spot/spot-order.ts'
import { NamesakeWatch } from '../../../src/execution/reconciliation/namesake-watch.ts'
import { OrderComparison } from '../../../src/execution/reconciliation/order-comparison.ts'
import type { ReconcilerOptions } from '../../../src/execution/reconciliation/reconciler-options.ts'
import type { ReconciliationReport } from '../../../src/execution/reconciliation/reconciliation-report.ts'
import { SentRequests } from '../../../src/execution/sent-requests.ts'
import { trackedOrder } from '../../../src/execution/tracking/tracked-order.ts'
import { TrackedOrders } from '../../../src/execution/tracking/tracked-orders.ts'
import { Ledger } from '../../../src/ledger/ledger.ts'
import { SPOT_BTC } from '../../domain/instruments.ts'
import { requestOf } from '../../ledger/order-parts.ts'

const STARTED_AT = Date.UTC(2026, 0, 1)
const SPOT_ETH = { ...SPOT_BTC, symbol: 'ETH/USDT', base: 'ETH' }
const INSTRUMENTS = [SPOT_BTC, SPOT_ETH]
const prefix = clientOrderIdPrefix({ bot: 'ours', strategy: 'cross', book: 'BTC/USDT' }, { startedAt: 1 })

/** An open order to buy 1 BTC, that tells no id of ours. */
function open(orderId: string, fields: Partial<SpotOrder> = {}): SpotOrder {
  const order: Partial<SpotOrder> = {
    ...{ orderId, clientOrderId: undefined, symbol: 'BTC/USDT', side: 'buy', time: STARTED_AT + 60_000 },
    ...{ ordered: { quantity: new Decimal(1) }, price: new Decimal(99) },
    ...fields,
  }
  return order as SpotOrder // as far as it is looked at
}

/** Two spot markets whose open orders are compared with a ledger. */
class OpenOrders {
  readonly ledger = new Ledger(INSTRUMENTS, [])
  readonly tracked = new TrackedOrders()
  readonly reports: ReconciliationReport[] = []
  readonly canceled: string[] = []
  readonly asked: unknown[] = []
  there: readonly SpotOrder[] = []
  foreignOrders: ReconcilerOptions['foreignOrders'] = 'leave'

  /** Compares so often. */
  async look(times = 1): Promise<void> {
    const options = {
      trading: {
        openOrders: async (query: { symbol: string }) => {
          this.asked.push(query)
          return this.there.filter(({ symbol }) => symbol === query.symbol)
        },
        cancelOrder: async ({ orderId }: { orderId: string }) => void this.canceled.push(orderId),
      } as unknown as ReconcilerOptions['trading'],
      instruments: new Map(INSTRUMENTS.map(one => [one.symbol, one])),
      ledger: this.ledger,
      tracker: { orders: this.tracked },
      sentRequests: new SentRequests(),
      ownPrefixes: [prefix.slice(0, 8)],
      startedAt: STARTED_AT,
      settlementMarginMs: 3000,
      foreignOrders: this.foreignOrders,
      onReport: (report: ReconciliationReport) => this.reports.push(report),
      onDeparture: () => {},
    } as unknown as ReconcilerOptions // all that it reads
    const comparison = new OrderComparison(options, new NamesakeWatch(options))
    for (let look = 0; look < times; look++) await comparison.look()
  }

  /** An order of ours that the exchange has confirmed under an id of its own, and that is followed or not. */
  own(clientOrderId: string, orderId: string | undefined, isTracked: boolean, symbol = 'BTC/USDT'): void {
    const request = requestOf({ clientOrderId, symbol, book: symbol })
    this.ledger.orders.add(request)
    this.ledger.orders.update(clientOrderId, 'submitted')
    if (orderId !== undefined)
      this.ledger.orders.update(clientOrderId, 'accepted', { exchangeOrderId: orderId })
    if (isTracked) this.tracked.add(trackedOrder(SPOT_BTC, request, 0, { exchangeOrderId: orderId }))
  }

  get kinds(): readonly string[] {
    return this.reports.map(report => `${report.type} ${'order' in report ? report.order.orderId : ''}`)
  }
}

describe('an open order that tells no id of ours', () => {
  it('is ours where the ledger knows it by the id of the exchange', async () => {
    const orders = new OpenOrders()
    orders.own('own-1', '7', false)
    orders.there = [open('7')]
    await orders.look(2)
    expect(orders.kinds).toEqual([])
    expect(orders.asked.slice(0, 2)).toEqual([
      { symbol: 'BTC/USDT', limit: 1000 },
      { symbol: 'ETH/USDT', limit: 1000 },
    ])
  })

  it('is not ours where that id is one of another market', async () => {
    const orders = new OpenOrders()
    orders.own('own-1', '7', false)
    orders.there = [open('7', { symbol: 'ETH/USDT' })]
    await orders.look()
    expect(orders.kinds).toEqual(['foreignOrder 7'])
  })

  it('may be a part of an order of ours, which is followed by its own id', async () => {
    const orders = new OpenOrders()
    orders.own('own-1', '7', false)
    orders.tracked.add(
      trackedOrder(SPOT_BTC, requestOf({ clientOrderId: 'own-1.2' }), 0, { exchangeOrderId: '8' }),
    )
    orders.there = [open('7'), open('8')]
    await orders.look()
    expect(orders.kinds).toEqual([])
  })

  it('may be one of ours that the exchange has not confirmed yet, as long as there is one of its market', async () => {
    const orders = new OpenOrders()
    orders.own('own-1', undefined, true)
    orders.there = [open('7'), open('8', { symbol: 'ETH/USDT' })]
    await orders.look(2)
    expect(orders.kinds).toEqual(['foreignOrder 8'])
  })

  it('is somebody else’s otherwise, told once, and canceled where that is configured', async () => {
    const orders = new OpenOrders()
    orders.own('own-1', '7', true)
    orders.there = [open('8')]
    await orders.look(3)
    expect([orders.kinds, orders.canceled]).toEqual([['foreignOrder 8'], []])
    orders.foreignOrders = 'cancel'
    await orders.look()
    expect(orders.reports.at(-1)).toMatchObject({ type: 'foreignOrder', isCanceled: true })
    expect(orders.canceled).toEqual(['8'])
  })
})

describe('an open order under the name of the bot', () => {
  const decided = (at: number) => clientOrderIdOf(prefix, at, 0)

  it('that another process placed is told, and left alone whatever is configured', async () => {
    const orders = Object.assign(new OpenOrders(), { foreignOrders: 'cancel' } as const)
    orders.there = [open('7', { clientOrderId: decided(STARTED_AT + 1) })]
    await orders.look()
    expect([orders.kinds, orders.canceled]).toEqual([['namesakeOrder 7'], []])
  })

  it('that an earlier life left is told, and canceled whatever is configured', async () => {
    const orders = new OpenOrders()
    orders.there = [open('7', { clientOrderId: decided(STARTED_AT - 1), time: STARTED_AT - 1 })]
    await orders.look()
    expect([orders.kinds, orders.canceled]).toEqual([['leftoverOrder 7'], ['7']])
  })
})

it.each(['filled', 'canceled', 'rejected'] as const)(
  'an order of ours that an old list shows open, though it was accepted and is %s since, is as it should be',
  async event => {
    const orders = new OpenOrders()
    orders.own('own-1', '7', false)
    orders.ledger.orders.update('own-1', event)
    orders.there = [open('7', { clientOrderId: 'own-1' })]
    await orders.look()
    expect([orders.kinds, orders.canceled]).toEqual([[], []])
  },
)
