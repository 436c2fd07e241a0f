import { describe, expect, it } from 'vitest'
import type { EngineEvent } from '../../../src/domain/events/engine-event.ts'
import { amountToText } from '../../../src/domain/numbers/amount.ts'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import { steps } from '../../../src/domain/numbers/grid.ts'
import type { OwnTrade } from '../../../src/exchange/spot/own-trade.ts'
import type { TradingCalls } from '../../../src/execution/gateway/trading-calls.ts'
import type { ForeignMarginTrades } from '../../../src/execution/reconciliation/reconciler-options.ts'
import { SentRequests } from '../../../src/execution/sent-requests.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { requestOf } from '../../ledger/order-parts.ts'
import { ExchangeCaller } from '../../simulator/exchange-caller.ts'
import { ComparedSession } from './compared-session.ts'

/** A margin session of 10,000 USDT and 10 BTC whose ledger is compared with its exchange. */
class MarginComparison extends ComparedSession {
  isTraded = true
  foreignTrades: ForeignMarginTrades = 'halt'
  /** Stands between the reconciler and the exchange. */
  between: TradingCalls = this.trading

  constructor() {
    super({ account: 'margin' })
  }

  /** Begins where nothing was seen, or looks `looks` times more. */
  compare(looks: number): Promise<string> {
    const reconciler = this.reconcilerWith({
      trading: this.between,
      account: {
        balances: () => {
          throw new Error('Nobody may ask for the balances of a margin account.')
        },
      },
      margin: { foreignTrades: this.foreignTrades, isTraded: () => this.isTraded, holdOf: () => undefined },
    })
    return this.looksOf(reconciler, looks, 5000)
  }

  /** Trades past the executor, as a person would by hand on the same account. */
  byHand(side: 'BUY' | 'SELL', volume: string, price: string, newClientOrderId?: string): void {
    const person = new ExchangeCaller(this.exchange, TEST_ACCOUNT)
    person.now = this.clock.now()
    const order = { symbol: 'BTC/USDT', side, type: 'LIMIT', volume, price, newClientOrderId }
    person.post('/sapi/v2/margin/order', order)
  }

  kindsOf(events: readonly EngineEvent[]): readonly string[] {
    return events.map(event => event.type)
  }

  owned(asset: string): string {
    return amountToText(this.ledger.balances.of(asset))
  }
}

/** The same calls, with one of them replaced. */
const withCalls = (calls: TradingCalls, more: Partial<TradingCalls>): TradingCalls => ({
  placeOrder: calls.placeOrder,
  cancelOrder: calls.cancelOrder,
  order: calls.order,
  openOrders: calls.openOrders,
  allHistoryOrders: calls.allHistoryOrders,
  myTrades: calls.myTrades,
  allMyTrades: calls.allMyTrades,
  allHistoryTrades: calls.allHistoryTrades,
  ...more,
})

describe('a reconciliation of a margin account', () => {
  it('agrees where only the executor has traded, and never asks for balances', async () => {
    const session = new MarginComparison()
    await session.compare(1)
    session.place('own-1', { quantity: steps(1000) })
    await session.look(5000)
    expect(await session.compare(1)).toBe('agreed')
    expect(session.reports).toEqual([])
  })

  it('books what a trade of somebody else says, and holds the instrument back before that', async () => {
    const session = new MarginComparison()
    await session.compare(1)
    session.byHand('BUY', '0.5', '101')
    await session.run(1)
    expect(await session.compare(2)).toBe('agreed')
    expect(session.kindsOf(session.events)).toEqual(['tradingCommanded', 'balancesReported'])
    // 0.5 at 100.01, and 0.1% of what was bought.
    expect([session.owned('BTC'), session.owned('USDT')]).toEqual(['10.4995', '9949.995'])
    expect(session.events[0]).toMatchObject({ command: 'halt', by: 'invariant', symbol: 'BTC/USDT' })
  })

  it.each([
    ['the instrument is only followed', { isTraded: false }],
    ['others are adopted', { foreignTrades: 'adopt' }],
  ] as const)('holds nothing back where %s', async (_fact, more) => {
    const session = Object.assign(new MarginComparison(), more)
    await session.compare(1)
    session.byHand('SELL', '0.5', '99')
    await session.run(1)
    await session.compare(2)
    expect(session.kindsOf(session.events)).toEqual(['balancesReported'])
    expect(session.owned('BTC')).toBe('9.5')
  })

  it('books it once where a crash forgets that it was seen, but not that it was booked', async () => {
    const session = new MarginComparison()
    await session.compare(1)
    const seen = session.sentRequests.lastTradeOf('BTC/USDT') ?? ''
    session.byHand('BUY', '0.5', '101')
    await session.run(1)
    const crash = new Error('The bot is killed.')
    const { observeTrades } = session.sentRequests
    session.sentRequests.observeTrades = () => {
      throw crash
    }
    expect(await session.compare(1)).toBe(String(crash))
    session.sentRequests.observeTrades = observeTrades.bind(session.sentRequests)
    expect(session.sentRequests.lastTradeOf('BTC/USDT')).toBe(seen)
    // As after a restart.
    const kept = new SentRequests()
    kept.restore(session.sentRequests.snapshot())
    Object.assign(session, { sentRequests: kept })
    expect(await session.compare(2)).toBe('agreed')
    expect(session.owned('BTC')).toBe('10.4995')
    expect(session.kindsOf(session.events)).toEqual(['tradingCommanded', 'balancesReported'])
    expect(kept.snapshot().othersTrades).toBeUndefined()
  })

  it('books a fee in a third asset', async () => {
    const session = new MarginComparison()
    await session.compare(1)
    session.byHand('SELL', '1', '99')
    await session.run(1)
    const inPoints = (trade: OwnTrade) => ({ ...trade, fee: new Decimal('0.25'), feeAsset: 'POINT' })
    const { trading } = session
    session.between = withCalls(trading, {
      allMyTrades: async function* (range) {
        for await (const trade of trading.allMyTrades(range)) yield inPoints(trade)
      },
    })
    await session.compare(2)
    expect([session.owned('BTC'), session.owned('USDT'), session.owned('POINT')]).toEqual([
      '9',
      '10099.99',
      '-0.25',
    ])
  })

  it('books on an order of ours what counted as never placed and has traded all the same', async () => {
    const session = new MarginComparison()
    await session.compare(1)
    const request = requestOf({ clientOrderId: 'own-late', side: 'buy', quantity: steps(500) })
    session.ledger.orders.add(request)
    for (const event of ['submitted', 'outcomeLost', 'notPlaced'] as const)
      session.ledger.orders.update('own-late', event, {})
    session.byHand('BUY', '0.5', '101', 'own-late')
    await session.run(1)
    expect(await session.compare(2)).toBe('agreed')
    expect(session.reports).toEqual([])
    expect(session.lifeOf('own-late')).toEqual(['buy 0.500 at 100.01, fee 0.0005 BTC, taker'])
    expect([session.owned('BTC'), session.owned('USDT')]).toEqual(['10.4995', '9949.995'])
  })

  it('asks once for the clientOrderId of an open order that the list does not tell', async () => {
    const session = new MarginComparison()
    await session.compare(1)
    session.byHand('BUY', '1', '90')
    await session.run(1)
    const asked = () => session.calls.filter(call => call === 'GET /sapi/v2/margin/order').length
    await session.compare(3)
    expect(asked()).toBe(1)
    expect(session.reports.map(({ type }) => type)).toEqual(['foreignOrder'])
  })
})
