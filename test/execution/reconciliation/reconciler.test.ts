import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountOf, amountToText } from '../../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../../src/domain/numbers/grid.ts'
import { spotTrading } from '../../../src/execution/gateway/spot-trading.ts'
import type { Reconciler } from '../../../src/execution/reconciliation/reconciler.ts'
import type { ForeignOrders } from '../../../src/execution/reconciliation/reconciler-options.ts'
import { ANSWER_LOST, REQUEST_LOST } from '../../faulty-transport.ts'
import { firstOf, MARGIN_MS, RECV_WINDOW_MS } from '../execution-session.ts'
import { ComparedSession } from './compared-session.ts'

const PLACE = 'POST /sapi/v2/order'

/** A spot session whose ledger is compared with its exchange. */
class Comparison extends ComparedSession {
  readonly reconciler: Reconciler

  constructor(foreignOrders: ForeignOrders = 'leave') {
    super()
    this.reconciler = this.reconcilerWith({
      trading: spotTrading(this.spot),
      account: this.account,
      foreignOrders,
    })
  }

  /** Compares until two looks in a row agree; says how the last one ended. */
  compare(): Promise<string> {
    return this.looksOf(this.reconciler, 4, 10_000)
  }

  /** Places an order past the executor, as a person would by hand on the same account. */
  async byHand(
    side: 'buy' | 'sell',
    quantity: string,
    price: string,
    clientOrderId = 'by-hand',
  ): Promise<void> {
    void this.spot.placeOrder({ symbol: 'BTC/USDT', type: 'limit', side, quantity, price, clientOrderId })
    await this.run(1)
  }

  kinds(): string[] {
    return this.reports.map(({ type }) => type)
  }
}

describe('a reconciliation', () => {
  it('finds nothing where only the executor has traded', async () => {
    const session = new Comparison()
    await session.compare()
    session.place('own-1', { quantity: steps(1000) })
    session.place('own-2', {
      side: 'buy',
      spec: { type: 'limit', price: ticks(9000) },
      quantity: steps(1000),
    })
    await session.look(5000)
    expect(await session.compare()).toBe('agreed')
    expect(session.reports).toEqual([])
    expect(session.atExchange('own-2')?.status).toBe('NEW')
  })

  it('is not put off by orders that are canceled while it reads, for they change no balance', async () => {
    const session = new Comparison()
    await session.compare()
    for (let order = 1; order <= 4; order++)
      session.place(`own-${order}`, { side: 'buy', spec: { type: 'limit', price: ticks(9000) } })
    await session.look(5000)
    session.user.account.deposit('USDT', amountOf('500'))
    let order = 0
    const busy = session.reconcilerWith({
      trading: spotTrading(session.spot),
      account: {
        balances: async () => {
          session.cancel(`own-${++order}`)
          return session.account.balances()
        },
      },
    })
    expect(await session.looksOf(busy, 3, 10_000)).toBe('agreed')
    expect(order).toBe(3)
    expect(session.reports).toMatchObject([{ type: 'balanceAdjusted', asset: 'USDT', cause: 'transfer' }])
  })

  it('leaves an order of somebody else alone, and says so once', async () => {
    const session = new Comparison()
    await session.compare()
    await session.byHand('buy', '1', '90')
    await session.compare()
    await session.compare()
    expect(session.reports).toEqual([expect.objectContaining({ type: 'foreignOrder', isCanceled: false })])
    expect(session.user.history.openCount).toBe(1)
  })

  it('forgets an order of somebody else once two looks in a row do not show it', async () => {
    const session = new Comparison()
    await session.byHand('buy', '1', '90')
    let hidden = 0
    session.journeyOf = call =>
      call === 'GET /sapi/v2/openOrders' && hidden-- > 0 ? { answer: { status: 200, body: '[]' } } : undefined
    await session.compare()
    expect(session.kinds()).toEqual(['foreignOrder'])
    hidden = 1
    await session.compare()
    expect(session.kinds()).toEqual(['foreignOrder'])
    hidden = 2
    await session.compare()
    expect(session.kinds()).toEqual(['foreignOrder', 'foreignOrder'])
  })

  it('cancels an order of somebody else where it is told to, and one of ours of which the ledger knows nothing anyway', async () => {
    const session = new Comparison('cancel')
    await session.byHand('buy', '1', '90')
    await session.compare()
    expect(session.kinds()).toEqual(['foreignOrder'])
    expect(session.user.history.openCount).toBe(0)
    const other = new Comparison('leave')
    await other.byHand('buy', '1', '90', 'own-from-a-lost-journal')
    await other.compare()
    expect(other.kinds()).toEqual(['leftoverOrder'])
    expect(other.user.history.openCount).toBe(0)
    expect(other.departures.map(({ action }) => action)).toEqual(['cancel'])
  })

  it('books what somebody else traded as a change of balance, and tells the trade', async () => {
    const session = new Comparison()
    await session.compare()
    await session.byHand('buy', '0.5', '101')
    expect(await session.compare()).toBe('agreed')
    expect(session.kinds()).toEqual(['foreignTrade', 'balanceAdjusted', 'balanceAdjusted'])
    expect(session.reports).toContainEqual(expect.objectContaining({ asset: 'BTC', cause: 'trades' }))
    // 0.5 less the fee of 0.1%.
    expect(amountToText(session.ledger.balances.of('BTC'))).toBe('10.4995')
  })

  it('takes a deposit over, and calls it a transfer', async () => {
    const session = new Comparison()
    await session.compare()
    session.user.account.deposit('USDT', amountOf('500'))
    expect(await session.compare()).toBe('agreed')
    expect(session.reports).toEqual([
      expect.objectContaining({ type: 'balanceAdjusted', asset: 'USDT', cause: 'transfer' }),
    ])
    expect(amountToText(session.ledger.balances.of('USDT'))).toBe('10500')
  })

  it('takes a deposit over although the executor trades between any two looks', async () => {
    const session = new Comparison()
    void session.reconciler.begin()
    await session.run(100)
    session.user.account.deposit('USDT', amountOf('500'))
    const looks: string[] = []
    for (let look = 0; look < 2; look++) {
      void session.reconciler.look().then(ended => looks.push(ended))
      await session.run(1000)
      session.place(`own-${look}`)
      await session.run(1000)
      await session.look(1000)
    }
    expect(looks).toEqual(['suspected', 'agreed'])
    expect(session.reports).toMatchObject([{ type: 'balanceAdjusted', asset: 'USDT', cause: 'transfer' }])
    expect(session.ledger.balances.of('USDT')).toBe(session.user.account.holding('USDT').free)
  })

  it('does not believe balances that say once what nothing else says', async () => {
    const session = new Comparison()
    await session.compare()
    const body =
      '{"balances":[{"asset":"USDT","free":"9000","locked":"0"},{"asset":"BTC","free":"10","locked":"0"}]}'
    session.journeyOf = firstOf('GET /sapi/v1/account', { answer: { status: 200, body } })
    expect(await session.compare()).toBe('agreed')
    expect(session.reports).toEqual([])
    expect(amountToText(session.ledger.balances.of('USDT'))).toBe('10000')
  })

  it('halts an instrument whose position the account does not hold any more, once, and leaves its books alone', async () => {
    const session = new Comparison()
    await session.compare()
    session.place('own-1', { quantity: steps(1000) })
    await session.look(2000)
    await session.compare()
    session.user.account.withdraw('BTC', amountOf('10.5'))
    for (let look = 0; look < 3; look++) await session.compare()
    await session.look(90_000)
    await session.compare()
    await session.compare()
    const halts = session.events.filter(({ type }) => type === 'instrumentHalted')
    expect(halts).toEqual([
      expect.objectContaining({
        symbol: 'BTC/USDT',
        reason: expect.stringContaining('holds 0.499 BTC, less than the 0.999'),
      }),
    ])
    expect(session.reports).toMatchObject([{ type: 'shortageAwaited', asset: 'BTC' }])
    expect(amountToText(session.ledger.balances.of('BTC'))).toBe('10.999')
  })

  it('books a fill that nobody had booked on an order that is over, once', async () => {
    const session = new Comparison()
    await session.compare()
    session.place('own-1', { quantity: steps(1000) })
    await session.look(2000)
    const again = new Comparison()
    await again.compare()
    again.place('own-1', { quantity: steps(1000) })
    // The executor is told that the order was canceled; its trade shows up later.
    again.journeyOf = firstOf('GET /sapi/v2/order', {
      answer: {
        status: 200,
        body: '{"orderId":"1","symbol":"BTCUSDT","price":"101","origQty":"1","executedQty":"0","avgPrice":"0","type":"IOC","side":"BUY","status":"CANCELED","transactTime":1704067200000}',
      },
    })
    await again.look(2000)
    expect(again.statusOf('own-1')).toBe('canceled')
    await again.compare()
    await again.compare()
    expect(again.statusOf('own-1')).toBe('filled')
    expect(again.events.filter(({ type }) => type === 'filled')).toHaveLength(1)
    expect(again.reports).toEqual([])
    expect(again.ledger.balances.of('BTC')).toBe(session.ledger.balances.of('BTC'))
  })

  it('adopts and cancels an order that turns up after it counted as never placed', async () => {
    const session = new Comparison()
    await session.compare()
    const after = RECV_WINDOW_MS + MARGIN_MS + 1000
    // Hidden from every query until the executor has given it up.
    let isHidden = true
    const none = { answer: { status: 400, body: '{"code":-2013,"msg":"Order does not exist."}' } }
    const empty = { answer: { status: 200, body: '{"code":"0","data":[]}' } }
    session.journeyOf = call => {
      if (call === PLACE) return ANSWER_LOST
      if (!isHidden) return undefined
      if (call === 'GET /sapi/v2/order') return none
      return call.endsWith('openOrders') || call.endsWith('historyOrders') ? empty : undefined
    }
    session.place('own-1', {
      side: 'buy',
      spec: { type: 'limit', price: ticks(9000) },
      quantity: steps(1000),
    })
    await session.look(3000)
    await session.run(after)
    await session.look(5000)
    expect(session.statusOf('own-1')).toBe('expired')
    isHidden = false
    await session.compare()
    expect(session.kinds()).toEqual(['lateOrder'])
    expect(session.atExchange('own-1')?.status).toBe('CANCELED')
    expect(session.statusOf('own-1')).toBe('canceled')
  })

  it('cancels an order of the other side under an id that counted as never placed, and books nothing of it', async () => {
    const session = new Comparison()
    await session.compare()
    session.journeyOf = call => (call === PLACE ? REQUEST_LOST : undefined)
    session.place('own-1', {
      side: 'buy',
      spec: { type: 'limit', price: ticks(9000) },
      quantity: steps(1000),
    })
    await session.look(3000)
    await session.run(RECV_WINDOW_MS + MARGIN_MS + 1000)
    await session.look(5000)
    expect(session.statusOf('own-1')).toBe('expired')
    session.journeyOf = () => undefined
    await session.byHand('sell', '1', '110', 'own-1')
    await session.compare()
    expect(session.kinds()).toEqual(['lateOrder'])
    expect(session.atExchange('own-1')?.status).toBe('CANCELED')
    expect(session.statusOf('own-1')).toBe('expired')
  })

  it('changes nothing when it is done again, whatever happened on the account', async () => {
    const happening = fc.oneof(
      fc.record({
        what: fc.constant('own' as const),
        side: fc.constantFrom('buy', 'sell'),
        price: fc.integer({ min: 9800, max: 10_200 }),
      }),
      fc.record({
        what: fc.constant('hand' as const),
        side: fc.constantFrom('buy', 'sell'),
        price: fc.integer({ min: 98, max: 102 }),
      }),
      fc.record({ what: fc.constant('deposit' as const), asset: fc.constantFrom('BTC', 'USDT', 'ETH') }),
      fc.record({ what: fc.constant('withdrawal' as const), asset: fc.constantFrom('BTC', 'USDT') }),
      fc.record({ what: fc.constant('look' as const) }),
    )
    let found = 0
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { maxLength: 6 }), async happenings => {
        const session = new Comparison()
        await session.compare()
        for (const [index, one] of happenings.entries()) {
          if (one.what === 'own')
            session.place(`own-${index}`, {
              side: one.side,
              spec: { type: 'limit', price: ticks(one.price) },
              quantity: steps(100),
            })
          else if (one.what === 'hand') await session.byHand(one.side, '0.2', `${one.price}`, `hand-${index}`)
          else if (one.what === 'deposit') session.user.account.deposit(one.asset, amountOf('3'))
          else if (one.what === 'withdrawal') session.user.account.withdraw(one.asset, amountOf('1'))
          else await session.compare()
          await session.run(100)
        }
        await session.compare()
        found += session.reports.length
        const [events, reports, departures] = [
          session.events.length,
          session.reports.length,
          session.departures.length,
        ]
        const books = session.ledger.snapshot()
        await session.compare()
        expect([session.events.length, session.reports.length, session.departures.length]).toEqual([
          events,
          reports,
          departures,
        ])
        expect(session.ledger.snapshot()).toEqual(books)
        for (const asset of ['BTC', 'USDT']) {
          const { free, locked } = session.user.account.holding(asset)
          expect(amountToText(session.ledger.balances.of(asset))).toBe(
            amountToText((free + locked) as typeof free),
          )
        }
      }),
      { numRuns: 25 },
    )
    expect(found).toBeGreaterThan(20)
  })
})
