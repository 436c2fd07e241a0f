import { describe, expect, it } from 'vitest'
import type { EngineEvent } from '../../../src/domain/events/engine-event.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import { steps } from '../../../src/domain/numbers/grid.ts'
import { ExchangeError } from '../../../src/exchange/errors/exchange-error.ts'
import type { OwnTrade } from '../../../src/exchange/spot/own-trade.ts'
import { spotTrading } from '../../../src/execution/gateway/spot-trading.ts'
import type { TradingCalls } from '../../../src/execution/gateway/trading-calls.ts'
import type { NamesakeWatch } from '../../../src/execution/reconciliation/namesake-watch.ts'
import type { ReconcilerOptions } from '../../../src/execution/reconciliation/reconciler-options.ts'
import type { ReconciliationReport } from '../../../src/execution/reconciliation/reconciliation-report.ts'
import { TradeComparison } from '../../../src/execution/reconciliation/trade-comparison.ts'
import { SentRequests, type TradesSeen } from '../../../src/execution/sent-requests.ts'
import { TrackedOrders } from '../../../src/execution/tracking/tracked-orders.ts'
import type { UnbookableError } from '../../../src/execution/tracking/unbookable-error.ts'
import { Ledger } from '../../../src/ledger/ledger.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { SPOT_BTC } from '../../domain/instruments.ts'
import { fillOf, requestOf } from '../../ledger/order-parts.ts'
import { ExchangeCaller } from '../../simulator/exchange-caller.ts'
import { ComparedSession } from './compared-session.ts'

const NOT_FOUND = new ExchangeError({
  ...{ endpoint: 'marginOrder', httpStatus: 400, exchangeCode: -2013, reason: 'Order does not exist.' },
})

/** Trades past the executor, as a person would by hand on the same account. */
function byHand(session: ComparedSession, side: 'BUY' | 'SELL', volume: string, price: string): void {
  const person = new ExchangeCaller(session.exchange, TEST_ACCOUNT)
  person.now = session.clock.now()
  person.order(side, 'LIMIT', volume, price)
}

const spotReconciler = (session: ComparedSession, differs: Partial<ReconcilerOptions> = {}) =>
  session.reconcilerWith({ trading: spotTrading(session.spot), account: session.account, ...differs })

describe('a look at own trades', () => {
  it('ends with a fault that is met, and begins with the same trade the next time', async () => {
    const session = new ComparedSession()
    await session.looksOf(spotReconciler(session), 1, 1000)
    byHand(session, 'BUY', '0.5', '101')
    const fault = new RangeError('A fault of ours.')
    const onReport = () => {
      throw fault
    }
    const seen = session.sentRequests.lastTradeOf('BTC/USDT')
    expect(await session.looksOf(spotReconciler(session, { onReport }), 1, 1000)).toBe(String(fault))
    expect([session.unbookable, session.sentRequests.lastTradeOf('BTC/USDT')]).toEqual([[], seen])
    await session.looksOf(spotReconciler(session), 1, 1000)
    expect(session.reports).toMatchObject([{ type: 'foreignTrade' }])
  })

  it('says later where a fill was booked while it looked, and compares nothing', async () => {
    const session = new ComparedSession()
    let booked = 0
    const ledger = Object.create(session.ledger, { changes: { get: () => booked++ } }) as Ledger
    const reconciler = spotReconciler(session, { ledger })
    session.user.account.deposit('USDT', amountOf('500'))
    expect(await session.looksOf(reconciler, 3, 5000)).toBe('later')
    expect(session.reports).toEqual([])
  })

  it('forgets what others traded once everything agreed: what moves later was moved', async () => {
    const session = new ComparedSession()
    const reconciler = spotReconciler(session)
    await session.looksOf(reconciler, 1, 1000)
    byHand(session, 'BUY', '0.5', '101')
    expect(await session.looksOf(reconciler, 2, 1000)).toBe('agreed')
    session.user.account.deposit('BTC', amountOf('1'))
    expect(await session.looksOf(reconciler, 2, 1000)).toBe('agreed')
    const causes = session.reports.flatMap(report =>
      report.type === 'balanceAdjusted' && report.asset === 'BTC' ? [report.cause] : [],
    )
    expect(causes).toEqual(['trades', 'transfer'])
  })
})

const ETH = { ...SPOT_BTC, symbol: 'ETH/USDT', base: 'ETH' }

type ListedTrade = Pick<OwnTrade, 'id' | 'orderId' | 'side' | 'symbol'> & Partial<OwnTrade>

/** Own trades of two markets that are compared with a ledger whose orders nobody follows any more. */
class Trades {
  readonly ledger = new Ledger([SPOT_BTC, ETH], [['USDT', amountOf('1000')]])
  readonly sentRequests = new SentRequests()
  readonly told: unknown[] = []
  tradedByOthers: readonly string[] = []

  /** An order of ours of 1 BTC or ETH, as the exchange knows it, and the trades that are booked on it. */
  own(
    side: 'buy' | 'sell',
    exchangeOrderId: string,
    fills: readonly string[] = [],
    symbol = 'BTC/USDT',
  ): void {
    const request = requestOf({ clientOrderId: `own-${exchangeOrderId}`, symbol, book: symbol, side })
    this.ledger.orders.add(request)
    this.ledger.orders.update(request.clientOrderId, 'submitted')
    this.ledger.orders.update(request.clientOrderId, 'accepted', { exchangeOrderId })
    for (const id of fills) this.ledger.book(fillOf(request, { id, price: '10', quantity: '0.5' }))
  }

  /** Looks at trades of half a BTC or ETH, unless they say another quantity, and says what they were taken for. */
  async look(...trades: readonly ListedTrade[]): Promise<readonly unknown[]> {
    const listed = trades.map(trade => ({
      ...{ price: new Decimal(10), quantity: new Decimal('0.5'), fee: new Decimal(0), feeAsset: 'BTC' },
      ...{ liquidity: 'maker', time: 5, ...trade },
    }))
    const options = {
      trading: {
        allMyTrades: async function* ({ symbol }: { symbol: string }) {
          yield* listed.filter(trade => trade.symbol === symbol)
        },
      },
      instruments: new Map([SPOT_BTC, ETH].map(one => [one.symbol, one])),
      ledger: this.ledger,
      sentRequests: this.sentRequests,
      tracker: { book: () => false, orders: new TrackedOrders() },
      emit: (event: EngineEvent) =>
        this.told.push(event.type === 'filled' ? `${event.fill.id} of ${event.fill.clientOrderId}` : event),
      onReport: ({ type }: ReconciliationReport) => this.told.push(type),
      onTradesSeen: (seen: TradesSeen) => this.told.push(seen),
      onUnbookable: ({ symbol }: UnbookableError) => this.told.push(`unbookable ${symbol}`),
    } as unknown as ReconcilerOptions // all that it reads
    const namesake = { suspect: () => {} } as unknown as NamesakeWatch // all that is asked of it
    const comparison = new TradeComparison(options, namesake)
    expect(await comparison.look()).toBe(true)
    this.tradedByOthers = [...comparison.tradedByOthers]
    return this.told
  }
}

const seen = (symbol = 'BTC/USDT') => ({ type: 'tradesSeen', symbol, tradeId: '1' })

describe('a trade that nobody follows', () => {
  it('is booked on its order, whose other trades are booked', async () => {
    const trades = new Trades()
    trades.own('buy', '7', ['0'])
    expect(await trades.look({ id: '1', orderId: '7', side: 'buy', symbol: 'BTC/USDT' })).toEqual([
      '1 of own-7',
      seen(),
    ])
  })

  it('is not booked a second time', async () => {
    const trades = new Trades()
    trades.own('buy', '7', ['1'])
    expect(await trades.look({ id: '1', orderId: '7', side: 'buy', symbol: 'BTC/USDT' })).toEqual([seen()])
  })

  it('with oneself is booked on both orders, though both sides have one id', async () => {
    const trades = new Trades()
    trades.own('buy', '7', ['1'])
    trades.own('sell', '8')
    expect(await trades.look({ id: '1', orderId: '8', side: 'sell', symbol: 'BTC/USDT' })).toEqual([
      '1 of own-8',
      seen(),
    ])
  })

  it('is of others where only an order of another market has its id', async () => {
    const trades = new Trades()
    trades.own('buy', '7')
    expect(await trades.look({ id: '1', orderId: '7', side: 'buy', symbol: 'ETH/USDT' })).toEqual([
      'foreignTrade',
      seen('ETH/USDT'),
    ])
  })

  it('that is finer than we count is said, and ends what is booked of its market; what it changed is not ours to explain', async () => {
    const trades = new Trades()
    trades.own('buy', '7')
    const trade = { orderId: '7', side: 'buy', symbol: 'BTC/USDT' } as const
    const fine = { ...trade, id: '2', quantity: new Decimal('0.0001'), feeAsset: 'POINT' }
    expect(await trades.look({ ...trade, id: '1' }, fine, { ...trade, id: '3' })).toEqual([
      '1 of own-7',
      'unbookable BTC/USDT',
      seen(),
    ])
    expect(trades.tradedByOthers).toEqual(['BTC', 'USDT', 'POINT'])
  })

  it('of a part of an order is known by its id where that is booked', async () => {
    const trades = new Trades()
    const request = requestOf({ clientOrderId: 'big', quantity: steps(SPOT_BTC.maxQuantity + 1) })
    trades.ledger.orders.add(request)
    for (const event of ['submitted', 'accepted'] as const) trades.ledger.orders.update('big', event)
    trades.ledger.book(fillOf(request, { id: '1', price: '10', quantity: '0.5' }))
    expect(await trades.look({ id: '1', orderId: '9', side: 'buy', symbol: 'BTC/USDT' })).toEqual([seen()])
  })
})

describe('a trade on a margin account whose order the ledger does not know', () => {
  async function lookWith(order: TradingCalls['order']) {
    const session = new ComparedSession({ account: 'margin' })
    // A class keeps its calls in fields, so that they can be spread.
    const trading = { ...session.trading, order }
    const reconciler = session.reconcilerWith({
      ...{ trading, margin: { foreignTrades: 'adopt', isTraded: () => true, holdOf: () => undefined } },
      account: { balances: () => Promise.reject(new Error('Nobody may ask.')) },
    })
    await session.looksOf(reconciler, 1, 1000)
    const person = new ExchangeCaller(session.exchange, TEST_ACCOUNT)
    person.now = session.clock.now()
    const trade = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', volume: '0.5', price: '101' }
    person.post('/sapi/v2/margin/order', trade)
    const ended = await session.looksOf(reconciler, 1, 1000)
    return { session, ended }
  }

  it('is of others where the exchange does not know the order either', async () => {
    const { session, ended } = await lookWith(() => Promise.reject(NOT_FOUND))
    // It is booked, so that something has happened since balances were read.
    expect([ended, session.reports.map(({ type }) => type)]).toEqual(['later', ['foreignTrade']])
  })

  it('is nobody’s yet where that cannot be asked', async () => {
    const fault = new RangeError('No network.')
    const { session, ended } = await lookWith(() => Promise.reject(fault))
    expect([ended, session.reports]).toEqual([String(fault), []])
  })
})

it('an exit by stop that buys back a short of a margin account is bounded from the dearest price that is known', async () => {
  for (const [ask, price] of [
    // The ask of 102.004 is 102.01 on the grid; a hundredth more is 103.0301.
    [102.004, '103.03'],
    // No ask: the latest price of 101.5, and 102.515.
    [Number.POSITIVE_INFINITY, '102.51'],
  ] as const) {
    const session = new ComparedSession({ account: 'margin' })
    const stop = { type: 'stop', stopPrice: session.instrument.minPrice } as const
    session.place('cover', {
      side: 'buy',
      reduceOnly: true,
      purpose: 'exit',
      spec: stop,
      quantity: steps(200),
    })
    session.executor.observe('BTC/USDT', { bid: 101, ask, last: 101.5 })
    await session.run(1)
    expect(session.departures[0]?.sent).toEqual({ quantity: '0.200', price })
  }
})
