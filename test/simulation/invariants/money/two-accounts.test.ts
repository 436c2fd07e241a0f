import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BotState } from '../../../../src/bot/state/bot-state.ts'
import { restoreState } from '../../../../src/bot/state/restore-state.ts'
import type { EngineEvent } from '../../../../src/domain/events/engine-event.ts'
import {
  type Amount,
  amountOf,
  amountToText,
  rateOf,
  subtract,
} from '../../../../src/domain/numbers/amount.ts'
import { ticks } from '../../../../src/domain/numbers/grid.ts'
import type { RiskLimits } from '../../../../src/risk/risk-rules.ts'
import { TEST_ACCOUNT } from '../../../../src/simulator/simulator-config.ts'
import { enterLong, enterShort } from '../../../../src/strategy/index.ts'
import { declaredOf } from '../../../bot/margin/margin-bot.ts'
import { once } from '../../../bot/test-strategies.ts'
import { requestOf } from '../../../ledger/order-parts.ts'
import { intentOf } from '../../../risk/risk-parts.ts'
import { ExchangeCaller, flatMarket, MINUTE, START } from '../../../simulator/exchange-caller.ts'
import { told } from '../../invariants.ts'
import { BotWorld, SYMBOL } from '../../world/bot-world.ts'
import { hasFinerTrades } from '../finer-trades.ts'
import { ordersAsAsked } from '../orders/orders-as-asked.ts'
import { ordersEndAlike } from '../orders/orders-end-alike.ts'
import { NO_PAST, pastOf } from '../past.ts'
import { ProtectionTrades } from '../protection/protection-trades.ts'
import type { Moment, Rest, Scene, Violation } from '../scene.ts'
import { balancesAgree } from './balances-agree.ts'
import { fillIsReal, fillsBookedOnce } from './fills-booked-once.ts'
import { freeOnPairs, moneyIsWanting } from './free-money.ts'
import { profitAgrees } from './profit-agrees.ts'
import { reservationsReleased } from './reservations-released.ts'
import { riskLimitsKept } from './risk-limits-kept.ts'

const ON_MARGIN = `${SYMBOL}@margin`
const HELD = { USDT: '700', BTC: '2' }
const [buyer, seller] = [
  once(() => enterLong({ size: { base: 1 } })),
  once(() => enterShort({ size: { base: 0.5 }, stopLoss: { fraction: 0.02 } })),
]
const load = async (file: string) => (file === '' ? buyer : seller)

/** Buys 1 BTC on spot, and sells 0.5 BTC of the same pair on margin. */
const world = new BotWorld({
  strategy: buyer,
  klines: [],
  startAt: START + 10 * MINUTE,
  traded: [
    { strategy: buyer, parameters: {}, symbol: SYMBOL },
    { strategy: seller, parameters: {}, symbol: ON_MARGIN },
  ],
  accounts: { spot: {}, margin: { balances: declaredOf(HELD), foreignTrades: 'halt' } },
  exchange: {
    listings: [
      { symbol: SYMBOL, quantityPrecision: 3, market: { type: 'klines', klines: flatMarket(100, 60) } },
    ],
    accounts: [{ ...TEST_ACCOUNT, balances: { USDT: '1000' }, marginBalances: HELD }],
    margin: { maxLeverage: '1' },
    futures: { contracts: [] },
  },
})

beforeAll(async () => {
  world.start()
  await world.run(3 * MINUTE)
  await world.leave(10_000)
})
afterAll(() => world.remove())

/** Books and exchange as the bot left them; books of its own for every test. */
async function rest(): Promise<Rest> {
  const state = new BotState(load)
  await restoreState(world.journalPath, state)
  const { ledger } = state.engine
  return {
    ...{ ledger, user: world.user, othersPrefix: 'other', past: pastOf(ledger) },
    ...{ instruments: state.session?.instruments ?? [], isPunctual: true, requests: [] },
    ...told(world.journalPath),
  }
}

/** The same with what happened on each account said to have happened on the other. */
async function swapped(): Promise<Rest> {
  const { account, history, margin } = world.user
  const user: Scene['user'] = { ...margin, margin: { ...margin, account, history } }
  return { ...(await rest()), user }
}

function momentOf(scene: Rest, event: EngineEvent): Moment {
  const risk = { account: {}, strategies: new Map() }
  return { ...scene, event, decisions: [], before: NO_PAST, after: NO_PAST, risk }
}

const nothing: EngineEvent = { type: 'balancesReported', balances: new Map(), time: 0 }
const problemsIn = (violations: readonly Violation[]) => violations.map(({ problem }) => problem)

describe('of a pair on two accounts, an invariant finds', () => {
  it('nothing where books and exchange agree', async () => {
    const quiet = await rest()
    const fills = (quiet.events ?? []).filter(({ type }) => type === 'filled')
    expect(fills).toHaveLength(2)
    const all = [balancesAgree, fillsBookedOnce, ordersAsAsked, ordersEndAlike, profitAgrees]
    expect([...all, reservationsReleased].flatMap(invariant => invariant(quiet))).toEqual([])
    expect(fills.flatMap(event => fillIsReal(momentOf(quiet, event)))).toEqual([])
  })

  it('orders on the wrong account, and fills that are booked on the wrong one', async () => {
    const wrong = await swapped()
    expect(problemsIn(ordersAsAsked(wrong))).toEqual([
      expect.stringMatching(`of ${ON_MARGIN} is a sell of ${SYMBOL} on spot$`),
      expect.stringMatching(`of ${SYMBOL} is a buy of ${SYMBOL} on margin$`),
    ])
    const fills = (wrong.events ?? []).filter(({ type }) => type === 'filled')
    const invented = fills.map(event => (event.type === 'filled' ? event.fill.id : ''))
    expect(fills.flatMap(event => problemsIn(fillIsReal(momentOf(wrong, event))))).toEqual(
      invented.map(id => `fill ${id} never happened`),
    )
  })

  it('money of the one account that is in the books of the other, by the least there is', async () => {
    const wrong = await rest()
    const { balances } = wrong.ledger
    const [spot, margin] = [balances.in('spot'), balances.in('margin')]
    spot.set('USDT', (spot.of('USDT') - 1n) as Amount) // an amount less one is one
    margin.set('USDT', (margin.of('USDT') + 1n) as Amount) // as well
    expect(problemsIn(balancesAgree(wrong))).toEqual([
      expect.stringMatching(/^USDT is 8\d\d\.?\d* on spot, booked /),
      expect.stringMatching(/^USDT is 7\d\d\.?\d* on margin, booked /),
    ])
  })

  it('what is locked on margin, by whomever', async () => {
    const person = new ExchangeCaller(world.exchange, TEST_ACCOUNT)
    person.now = world.clock.now()
    const order = { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', volume: '1', price: 90 }
    const { orderId } = person.post('/sapi/v2/margin/order', order).json
    expect(problemsIn(reservationsReleased(await rest()))).toEqual(['the exchange locks 90 USDT'])
    person.post('/sapi/v2/margin/cancel', { symbol: SYMBOL, orderId })
    expect(reservationsReleased(await rest())).toEqual([])
  })

  it('a trade on margin that is finer than the pair is counted there', async () => {
    const known = await rest()
    expect(hasFinerTrades(known)).toBe(false)
    const coarser = known.instruments.map(instrument =>
      instrument.symbol === ON_MARGIN ? { ...instrument, quantityPrecision: 0 } : instrument,
    )
    expect(hasFinerTrades({ ...known, instruments: coarser })).toBe(true)
  })

  it('an order that meets one of ours on the other account', async () => {
    const known = await rest()
    const [bid, ask] = [
      requestOf({ clientOrderId: 'bid', spec: { type: 'limit', price: ticks(9900) } }),
      requestOf({
        ...{ clientOrderId: 'ask', symbol: ON_MARGIN, book: ON_MARGIN, side: 'sell' },
        spec: { type: 'limit', price: ticks(9900) },
      }),
    ]
    for (const request of [bid, ask]) known.ledger.orders.add(request)
    const moment = { ...momentOf(known, nothing), decisions: [{ type: 'placeOrder', request: ask }] } as const
    const risk = (limits: RiskLimits) => ({ account: { limits }, strategies: new Map() })
    expect(riskLimitsKept({ ...moment, risk: risk({}) })).toEqual([])
    const wrong = riskLimitsKept({ ...moment, risk: risk({ selfCrossingRate: rateOf('0.01') }) })
    expect(problemsIn(wrong)).toEqual(['it meets an order of ours'])
  })

  it('who may not buy on spot although the money is there, which no order on margin takes', async () => {
    const { ledger } = await rest()
    const [spot, margin] = [ledger.balances.in('spot').of('USDT'), ledger.balances.in('margin').of('USDT')]
    const bid = { symbol: ON_MARGIN, book: ON_MARGIN, spec: { type: 'limit', price: ticks(9000) } } as const
    ledger.orders.add(requestOf({ clientOrderId: 'bid', ...bid }))
    expect(freeOnPairs(ledger, 'USDT', 'spot')).toBe(spot)
    expect(subtract(margin, freeOnPairs(ledger, 'USDT', 'margin'))).toBe(amountOf('90'))
    const deniedFor = (free: Amount) => {
      const denial = {
        rule: 'balance',
        limit: `${amountToText(free)} USDT`,
        actual: '5000 USDT',
        message: 'No.',
        intent: intentOf({ clientOrderId: 'poor' }),
      } as const
      return moneyIsWanting({ ledger, decisions: [{ type: 'denied', denial, time: 0 }] })
    }
    expect(deniedFor(spot)).toEqual([])
    expect(problemsIn(deniedFor(subtract(spot, amountOf('90'))))).toEqual([
      expect.stringMatching(/^order poor was denied for .+ USDT, but .+ are left$/),
    ])
  })

  it('a stop on margin that stays away once the price of the pair has come', async () => {
    const { ledger } = await rest()
    const watched = new ProtectionTrades()
    const prices = new Map([[SYMBOL, 103]])
    expect(watched.look(ledger, prices, 0)).toEqual([])
    expect(problemsIn(watched.look(ledger, prices, 26_000))).toEqual([
      expect.stringMatching(/^the price of .+ has come, but nobody sends it$/),
    ])
  })
})
