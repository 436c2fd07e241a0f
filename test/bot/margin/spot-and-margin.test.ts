import { describe, expect, it } from 'vitest'
import { rateOf } from '../../../src/domain/numbers/amount.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { klines as candles, defineStrategy, enterLong, enterShort } from '../../../src/strategy/index.ts'
import { journalPath } from '../../journal/journal-session.ts'
import { flatMarket, klinesOf, MINUTE, START } from '../../simulator/exchange-caller.ts'
import { BotSession, KEY, SECRET } from '../bot-session.ts'
import { bidder, flipper, once } from '../test-strategies.ts'
import { declaredOf, marginOf, moneyOf } from './margin-bot.ts'

describe('a bot with a spot and a margin account', () => {
  it('trades each pair on its account, with its money, and goes on so after a restart', async () => {
    const journal = new Journal(journalPath())
    const klines = flatMarket(100, 200)
    const session = new BotSession({
      strategy: flipper,
      traded: [
        { strategy: { ...flipper, name: 'spot' }, symbol: 'BTC/USDT' },
        { strategy: { ...flipper, name: 'margin' }, symbol: 'ETH/USDT' },
      ],
      accounts: {
        spot: {},
        margin: { balances: declaredOf({ USDT: '300' }), symbols: ['ETH/USDT'], foreignTrades: 'halt' },
      },
      journal,
      exchange: {
        listings: ['BTC/USDT', 'ETH/USDT'].map(symbol => ({ symbol, market: { type: 'klines', klines } })),
        accounts: [
          {
            ...{ apiKey: KEY, apiSecret: SECRET },
            balances: { USDT: '500' },
            marginBalances: { USDT: '300' },
          },
        ],
      },
    })
    await session.start()
    await session.run(3.5 * MINUTE)
    await session.leave(5000)
    await session.start()
    await session.run(4 * MINUTE)
    const bases = (orders: readonly { readonly instrument: { readonly base: string } }[]) =>
      new Set(orders.map(({ instrument }) => instrument.base))
    expect(bases(session.user.history.orders)).toEqual(new Set(['BTC']))
    expect(bases(marginOf(session).history.orders)).toEqual(new Set(['ETH']))
    expect(session.said('balance adopted from the exchange')).toEqual([])
    expect(session.said('instrument halted: nothing more is decided on it')).toEqual([])
    const summary = await session.leave(5000)
    const { free } = session.user.account.holding('USDT')
    const both = Number(moneyOf(session).USDT) + Number(free) / 1e18
    expect(Number(summary?.balances.USDT)).toBeCloseTo(both, 9)
    expect(summary?.balances.ETH).toBe(moneyOf(session).ETH)
    expect(session.failures).toEqual([])
    journal.close()
  })
})

describe('a pair that is traded on spot and on margin', () => {
  const PAIR = 'BTC/USDT'
  const SYMBOLS = 'GET /sapi/v2/symbols'

  /** A bot with both accounts on one pair. */
  const both = (
    traded: NonNullable<ConstructorParameters<typeof BotSession>[0]['traded']>,
    journal?: Journal,
    klines = flatMarket(100, 200),
  ) =>
    new BotSession({
      strategy: flipper,
      traded,
      execution: { onStop: 'keep' },
      risk: { limits: { selfCrossingRate: rateOf('0.01') } },
      accounts: {
        spot: {},
        margin: { balances: declaredOf({ USDT: '300', BTC: '2' }), foreignTrades: 'halt' },
      },
      ...(journal !== undefined && { journal }),
      exchange: {
        listings: [{ symbol: PAIR, market: { type: 'klines', klines } }],
        accounts: [
          {
            ...{ apiKey: KEY, apiSecret: SECRET },
            balances: { USDT: '500' },
            marginBalances: { USDT: '300', BTC: '2' },
          },
        ],
      },
    })

  it('is two instruments, each with its own orders, trades and money, also after a restart', async () => {
    const journal = new Journal(journalPath())
    const traded = [
      { strategy: { ...flipper, name: 'spot' }, symbol: PAIR },
      { strategy: { ...flipper, name: 'margin' }, symbol: `${PAIR}@margin` },
    ]
    const session = both(traded, journal)
    await session.start()
    await session.run(3.5 * MINUTE)
    const placed = () => [session.user.history.orders, marginOf(session).history.orders]
    expect(placed().map(orders => orders.length)).toEqual([3, 3])
    await session.leave(5000)
    await session.start()
    await session.run(4 * MINUTE)
    expect(placed().map(orders => orders.length)).toEqual([7, 7])
    expect(session.said('foreign trade on the account')).toEqual([])
    expect(session.said('balance adopted from the exchange')).toEqual([])
    const summary = await session.leave(5000)
    // The seventh order of each has bought; the fee of 0.1% is taken from what came in.
    expect(summary?.position).toEqual({ [PAIR]: '0.99900', [`${PAIR}@margin`]: '0.99900' })
    const { free } = session.user.account.holding('USDT')
    const money = Number(moneyOf(session).USDT) + Number(free) / 1e18
    expect(Number(summary?.balances.USDT)).toBeCloseTo(money, 9)
    expect(session.failures).toEqual([])
    journal.close()
  })

  it('shows klines of a length that is followed on one account there alone', async () => {
    const shown: string[] = []
    const follower = defineStrategy({
      name: 'follower',
      feeds: () => ({ slow: candles({ interval: '5m' }) }),
      onKline: () => undefined,
      on: {
        slow: ({ openTime }) => {
          shown.push(`${(openTime - START) / MINUTE}`)
          return undefined
        },
      },
    })
    const session = both([
      { strategy: bidder, symbol: PAIR },
      { strategy: follower, symbol: `${PAIR}@margin` },
    ])
    await session.start()
    await session.run(6 * MINUTE)
    expect(session.failures).toEqual([])
    expect(shown).toEqual(['10'])
  })

  it('may be a strategy and its role, whose kline comes first', async () => {
    const pairs: number[][] = []
    const strategy = defineStrategy({
      name: 'hedged',
      markets: ['hedge'],
      state: () => ({ isDone: false }),
      onKline: ({ close }, { state, markets: { hedge } }) => {
        pairs.push([close, hedge.price ?? 0])
        if (state.isDone) return undefined
        state.isDone = true
        return [enterLong(), enterShort({ market: 'hedge' })]
      },
    })
    const rising = klinesOf(
      ...Array.from({ length: 30 }, (_, minute) => {
        const [open, close] = [100 + minute, 101 + minute]
        return [open, close, open, close] as const
      }),
    )
    const markets = { hedge: { symbol: `${PAIR}@margin` } }
    const session = both([{ strategy, symbol: PAIR, markets }], undefined, rising)
    await session.start()
    await session.run(3.5 * MINUTE)
    expect(pairs).toEqual([
      [111, 111],
      [112, 112],
      [113, 113],
    ])
    expect(session.said('fill').map(({ symbol, side }) => `${symbol} ${side}`)).toEqual([
      `${PAIR} buy`,
      `${PAIR}@margin sell`,
    ])
    expect(session.failures).toEqual([])
  })

  it('does not trade with itself across the accounts, for both are one market', async () => {
    const offering = defineStrategy({
      name: 'offering',
      onKline: (_kline, { orders }) =>
        orders.length === 0 ? enterShort({ order: { type: 'limit', price: 101 } }) : undefined,
    })
    const session = both([
      { strategy: offering, symbol: `${PAIR}@margin` },
      { strategy: once(() => enterLong({ order: { type: 'limit', price: 102 } })), symbol: PAIR },
    ])
    await session.start()
    await session.run(2.5 * MINUTE)
    expect(session.said('order denied').map(({ rule }) => rule)).toEqual(['selfCrossing'])
    expect(session.said('fill')).toEqual([])
  })

  it('has what a run without its journal left open canceled on the account where it is', async () => {
    const session = both([
      { strategy: { ...bidder, name: 'spot' }, symbol: PAIR },
      { strategy: { ...bidder, name: 'margin' }, symbol: `${PAIR}@margin` },
    ])
    await session.start()
    await session.run(1.5 * MINUTE)
    const open = () => [session.user, marginOf(session)].map(({ history }) => history.openCount)
    expect(open()).toEqual([1, 1])
    await session.leave(5000)
    await session.create()
    await session.run(1000)
    expect(session.said('leftover order canceled')).toHaveLength(2)
    expect(open()).toEqual([0, 0])
  })

  it('halts on both where the exchange changes its decimals', async () => {
    const session = both([
      { strategy: { ...flipper, name: 'spot' }, symbol: PAIR },
      { strategy: { ...flipper, name: 'margin' }, symbol: `${PAIR}@margin` },
    ])
    await session.start()
    const request = { method: 'GET', target: '/sapi/v2/symbols', headers: {}, body: '' }
    const listed = session.exchange.handle(request, session.clock.now()).body
    const body = listed.replace(/"pricePrecision":\d+/, '"pricePrecision":5')
    session.journeyOf = call => (call === SYMBOLS ? { answer: { status: 200, body } } : undefined)
    await session.run(2 * MINUTE)
    expect(session.said('trading halted').map(({ scope }) => scope)).toEqual([PAIR, `${PAIR}@margin`])
  })
})
