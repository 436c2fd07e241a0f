import { copyFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { seededRandomAt } from '../../../src/domain/numbers/seeded-random.ts'
import { ExchangeFile } from '../../../src/simulator/saved/exchange-file.ts'
import { createSimulatedExchange, type SimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { type SimulatorConfigInput, TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { ExchangeCaller, START } from '../exchange-caller.ts'
import { FuturesCaller } from '../futures/futures-caller.ts'

const CONFIG: SimulatorConfigInput = {
  keptInputs: 0,
  listings: [{ symbol: 'BTC/USDT', market: { type: 'live' } }],
  accounts: [
    {
      ...TEST_ACCOUNT,
      balances: { USDT: '1000000', BTC: '1000' },
      futuresBalances: { USDT: '1000000' },
    },
  ],
  futures: {
    positionMode: 'net',
    contracts: [{ symbol: 'E-BTC-USDT', multiplier: '0.01', pricePrecision: 1, market: { type: 'live' } }],
  },
}

interface Step {
  readonly ms: number
  readonly act: (exchange: SimulatedExchange, now: number) => void
}

/**
 * A session of 40 s: books that move at every read and take 20 to 800 ms, trades, mark prices, fees that change, and
 * now and then an order at market, one that rests or a cancel of all. There are quiet spells, in which no order
 * works and the exchange hears of the market only.
 */
function session(): readonly Step[] {
  const { uniform } = seededRandomAt('killed')(0)
  const among = (from: number, to: number) => from + Math.floor(uniform() * (to - from))
  return Array.from({ length: 200 }, (_, index): Step => {
    const ms = index * 200
    const middle = among(950, 1050)
    const [kind, side, price] = [among(0, 20), uniform() < 0.5 ? 'BUY' : 'SELL', middle + among(-3, 3)]
    const [symbol, contractName] = ['BTC/USDT', 'E-BTC-USDT']
    const market = index % 2 === 0 ? symbol : contractName
    const isQuiet = index % 50 > 30
    const told = (observation: (now: number) => object): Step => ({
      ms,
      act: (exchange, now) => exchange.observe({ symbol: market, ...observation(now) } as never, now),
    })
    if (index > 2 && !isQuiet && kind < 5) {
      const fields = { symbol, side, type: kind < 2 ? 'LIMIT' : 'MARKET', volume: among(1, 5), price }
      const volume = side === 'BUY' && kind >= 2 ? among(2000, 5000) : fields.volume
      return {
        ms,
        act: (exchange, now) => {
          const caller = market === symbol ? new ExchangeCaller(exchange) : new FuturesCaller(exchange)
          caller.now = now
          if (caller instanceof FuturesCaller)
            caller.order(
              side,
              'OPEN',
              fields.type,
              fields.volume,
              fields.type === 'LIMIT' ? price : undefined,
            )
          else caller.post('/sapi/v2/order', { ...fields, volume, price: kind < 2 ? price : undefined })
        },
      }
    }
    if (index > 2 && kind === 5)
      return {
        ms,
        act: (exchange, now) => {
          const caller = new ExchangeCaller(exchange)
          caller.now = now
          for (const { orderIdString: orderId } of caller.get('/sapi/v2/openOrders?symbol=BTC/USDT').json)
            caller.post('/sapi/v2/cancel', { symbol, orderId })
        },
      }
    if (kind === 6 && market === symbol) {
      const takerFeeRate = `0.00${among(1, 9)}`
      return told(() => ({ kind: 'rules', rules: { isTrading: true, takerFeeRate } }))
    }
    if (kind < 9 && market === contractName)
      return told(() => ({ kind: 'index', mark: `${middle}`, index: `${middle}`, fundingRate: '0.0001' }))
    if (kind < 12 && market === symbol) {
      const quantity = `${among(1, 9)}`
      return told(time => ({
        kind: 'trades',
        trades: [{ id: `${ms}`, time, price: `${price}`, quantity, side: side.toLowerCase() }],
      }))
    }
    const [roundTripMs, bid, ask] = [among(20, 800), `${among(1, 9)}`, `${among(1, 9)}`]
    return told(time => ({
      ...{ kind: 'book', roundTripMs },
      book: {
        ...{ time, levels: 20 },
        bids: [`${middle - 1}`, `${middle - 2}`].map(level => [level, bid]),
        asks: [`${middle + 1}`, `${middle + 2}`].map(level => [level, ask]),
      },
    }))
  })
}

function opened(path: string): SimulatedExchange {
  return createSimulatedExchange(CONFIG, new ExchangeFile(path, { syncs: false }))
}

/** Accounts with their orders and trades, and the place of every order in its queue. */
function accountOf(exchange: SimulatedExchange) {
  const { users, futures } = exchange.view() as { users: unknown; futures: { accounts: unknown } }
  const [pair] = exchange.state.markets
  const [contract] = exchange.futures.contracts
  const queues = [pair, contract].flatMap(market =>
    (market?.live?.orders.dump().working ?? []).map(({ order, arrivesAt, cancelAt, rest }) => ({
      ...{ id: order.id, arrivesAt, cancelAt, rest },
    })),
  )
  const caller = new ExchangeCaller(exchange)
  caller.now = exchange.state.now
  const ended = caller.get('/sapi/v3/historyOrders?symbol=BTC/USDT').json
  return { users, accounts: futures.accounts, queues, ended }
}

test('a paper account that is killed at any moment is the same to the last digit when it is built anew', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-killed-'))
  const [path, copy] = [join(folder, 'exchange'), join(folder, 'copy')]
  const uninterrupted = opened(path)
  const steps = session()
  const different: number[] = []
  for (const [index, { ms, act }] of steps.entries()) {
    act(uninterrupted, START + ms)
    // The state is written anew now and then.
    if (index % 77 === 76) uninterrupted.save()
    if (index % 3 !== 0) continue
    for (const part of ['', '-wal']) copyFileSync(path + part, copy + index + part)
    const anew = opened(copy + index)
    anew.advance(START + ms)
    try {
      expect(accountOf(anew)).toEqual(accountOf(uninterrupted))
    } catch {
      different.push(index)
    }
  }
  expect(different).toEqual([])
  expect(uninterrupted.state.users[0]?.history.trades().toArray().length).toBeGreaterThan(15)
  expect(uninterrupted.futures.accounts[0]?.records.trades().toArray().length).toBeGreaterThan(10)
})

test('a paper account that is killed again and again after changes trades on as one that never was', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'sluice-killed-')), 'exchange')
  const uninterrupted = createSimulatedExchange(CONFIG)
  let killed = opened(path)
  for (const [index, { ms, act }] of session().entries()) {
    act(uninterrupted, START + ms)
    const before = index % 4 === 0 ? changesIn(path) : Number.NaN
    act(killed, START + ms)
    if (index % 4 === 0 && changesIn(path) !== before) killed = opened(path)
  }
  expect(accountOf(killed)).toEqual(accountOf(uninterrupted))
})

test('a market without orders is heard of and not written, until something changes an account', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'sluice-killed-')), 'exchange')
  const exchange = opened(path)
  const book = (ms: number) =>
    exchange.observe(
      {
        ...{ kind: 'book', symbol: 'BTC/USDT', roundTripMs: 80 },
        book: { time: START + ms, bids: [['99', '5']], asks: [['100', '5']], levels: 20 },
      },
      START + ms,
    )
  // The first one opens the exchange, whose state is written then.
  for (let ms = 0; ms < 900; ms++) book(ms)
  expect(changesIn(path)).toBe(0)
  const caller = new ExchangeCaller(exchange)
  caller.now = START + 900
  caller.order('BUY', 'LIMIT', '1', '98')
  expect(changesIn(path)).toBe(900)
  caller.post('/sapi/v2/cancel', {
    symbol: 'BTC/USDT',
    orderId: caller.get('/sapi/v2/openOrders').json[0].orderIdString,
  })
  // The cancel takes 80 ms, and is known with the next book: 2 more. After 1,000 that nothing needs, all is written anew.
  book(1100)
  expect(changesIn(path)).toBe(902)
  for (let ms = 1101; ms < 2101; ms++) book(ms)
  expect(changesIn(path)).toBe(0)
})

function changesIn(path: string): number {
  const file = new ExchangeFile(path, { syncs: false })
  const { changes } = file
  file.close()
  return changes
}
