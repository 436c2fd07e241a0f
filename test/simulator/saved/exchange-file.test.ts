import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { FaultRuleInput } from '../../../src/simulator/faults/fault-rule.ts'
import { ExchangeFile } from '../../../src/simulator/saved/exchange-file.ts'
import { createSimulatedExchange, type SimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { type SimulatorConfigInput, TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { ExchangeCaller, klinesOf, MINUTE, START } from '../exchange-caller.ts'
import { propertyRuns } from '../property-runs.ts'
import { anyDeed, type Deed, does } from '../snapshot/random-inputs.ts'
import { accountAction, carryOut, PAIRS } from '../transfers/random-accounts.ts'

const SECOND = { apiKey: 'second-key', apiSecret: 'second-secret' }
const DAY = 86_400_000
/** Contracts settle at multiples of eight hours. */
const BEFORE_FUNDING = START + 8 * 3_600_000 - MINUTE

function filePath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-exchange-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'bot.exchange')
}

/** Everything that can be seen but the log, whose events a process takes with it, and the faults, which nobody has set again. */
function seen(exchange: SimulatedExchange) {
  const { events: _events, faults: _faults, ...view } = exchange.view()
  return view
}

/** Ends a process without a word: what was not in the file is gone. The next one has the same configuration. */
class Lives {
  readonly path = filePath()
  readonly #config: SimulatorConfigInput
  #file: ExchangeFile
  exchange: SimulatedExchange

  constructor(config: SimulatorConfigInput) {
    this.#config = config
    this.#file = new ExchangeFile(this.path, { syncs: false })
    this.exchange = createSimulatedExchange(config, this.#file)
  }

  dieAndLiveOn(config = this.#config): void {
    const left = this.#file
    this.#file = new ExchangeFile(this.path, { syncs: false })
    this.exchange = createSimulatedExchange(config, this.#file)
    left.close()
  }

  /** Writes the state anew, as happens after many changes, or much time. */
  save(): void {
    this.exchange.save()
  }

  close(): void {
    this.#file.close()
  }
}

const PRICES = Array.from({ length: 60 }, (_, index) => 100 + (index % 7) * 0.1)
const KLINES = klinesOf(...PRICES.map(price => [price, price + 0.3, price - 0.3, price] as const))
const MONEY = { balances: { USDT: '3000', BTC: '30', ETH: '100' }, marginBalances: { USDT: '800', BTC: '2' } }
const ACCOUNTS = [
  { ...TEST_ACCOUNT, ...MONEY },
  { ...SECOND, ...MONEY },
]

/** Three pairs with margin, transfers and withdrawals that take their time. */
const OF_ACCOUNTS: SimulatorConfigInput = {
  listings: PAIRS.map((symbol, index) => ({
    symbol,
    ...(index === 2 && { pricePrecision: 5, minNotional: '0.1' }),
    market: {
      type: 'klines' as const,
      klines: KLINES.map(({ openTime, volume, ...prices }) => {
        const level = [1, 0.1, 0.001][index] ?? 1
        const { open, high, low, close } = prices
        return {
          openTime,
          volume,
          open: open * level,
          high: high * level,
          low: low * level,
          close: close * level,
        }
      }),
    },
  })),
  accounts: ACCOUNTS,
  liquidity: { spreadTicks: 3, levelNotionals: ['400', '900', '700'] },
  margin: { hourlyInterestRate: '0.001' },
  limits: { areEnforced: false },
  transfers: { arrivalMs: 20_000, failures: [{ probability: 0.3 }] },
  withdrawals: { approvalMs: 20_000, paymentMs: 20_000, completionMs: 20_000, fees: { USDT: '1' } },
}

/** A generated pair, a contract that follows it, and one with a market of its own. */
const OF_CONTRACTS: SimulatorConfigInput = {
  listings: [{ symbol: 'BTC/USDT', market: { type: 'generated', startPrice: 100, historyKlines: 30 } }],
  accounts: ACCOUNTS.map(account => ({ ...account, futuresBalances: { USDT: '1000' } })),
  liquidity: { spreadTicks: 3, levelNotionals: ['40', '900'] },
  limits: { areEnforced: false },
  futures: {
    contracts: [
      { symbol: 'E-BTC-USDT', multiplier: '0.01', pricePrecision: 2 },
      {
        symbol: 'E-ETH-USDT',
        multiplier: '0.01',
        pricePrecision: 2,
        market: { type: 'generated', startPrice: 10, historyKlines: 30 },
      },
    ],
  },
}

/** A fault that leaves nothing to chance, its delay included: chance begins anew with a process, and so do the numbers of faults. */
function certain(rule: FaultRuleInput): FaultRuleInput {
  return {
    ...rule,
    ...('probability' in rule && { probability: 1 }),
    ...('jitterMs' in rule && { jitterMs: 0 }),
  }
}

/** Where a life ends, and the state is written anew before that or not. */
const ends = fc.array(fc.record({ after: fc.integer({ min: 1, max: 8 }), saves: fc.boolean() }), {
  maxLength: 5,
})

describe('an exchange in a file', () => {
  it('goes on after every death as if it had never died: spot and margin orders, debts, transfers, withdrawals', () => {
    let deaths = 0
    const flow = fc.array(accountAction, { minLength: 10, maxLength: 40 })
    fc.assert(
      fc.property(flow, ends, (actions, lives) => {
        const [never, often] = [createSimulatedExchange(OF_ACCOUNTS), new Lives(OF_ACCOUNTS)]
        const callersOf = (exchange: SimulatedExchange) =>
          ACCOUNTS.map(keys => new ExchangeCaller(exchange, keys))
        const callers = callersOf(never)
        let others = callersOf(often.exchange)
        for (const caller of [...callers, ...others]) caller.now = START + 10 * MINUTE
        for (const exchange of [never, often.exchange]) exchange.advance(START + 10 * MINUTE)
        let [life, lived] = [0, 0]
        for (const action of actions) {
          if (action.what === 'fault') {
            const rule = certain(action.rule)
            for (const flow of [callers, others]) carryOut({ what: 'fault', rule }, flow, {})
          } else expect(carryOut(action, others, {})).toEqual(carryOut(action, callers, {}))
          const end = lives[life]
          if (end === undefined || ++lived < end.after) continue
          if (end.saves) often.save()
          often.dieAndLiveOn()
          const [{ now = 0 } = {}] = callers
          never.stage({ type: 'liftFault', time: now })
          often.exchange.advance(now)
          others = callersOf(often.exchange)
          for (const caller of others) caller.now = now
          expect(seen(often.exchange)).toEqual(seen(never))
          life++
          lived = 0
          deaths++
        }
        for (const caller of callers) caller.now += 10 * MINUTE
        for (const exchange of [never, often.exchange]) exchange.advance(callers[0]?.now ?? 0)
        expect(seen(often.exchange)).toEqual(seen(never))
        often.close()
      }),
      propertyRuns(25),
    )
    expect(deaths).toBeGreaterThan(25)
  })

  it('goes on after every death as if it had never died: contracts, faults, prices that jump, deposits', () => {
    const deeds = fc.array(
      anyDeed.filter(deed => deed.type !== 'fault' || deed.rule.fault !== 'staleRead'),
      { minLength: 10, maxLength: 40 },
    )
    fc.assert(
      fc.property(deeds, ends, (all, lives) => {
        const [never, often] = [createSimulatedExchange(OF_CONTRACTS), new Lives(OF_CONTRACTS)]
        let [now, life, lived] = [BEFORE_FUNDING, 0, 0]
        for (const exchange of [never, often.exchange]) exchange.advance(now)
        const take = (given: Deed) => {
          const deed = given.type === 'fault' ? { ...given, rule: certain(given.rule) } : given
          const [answer] = does(never, deed, now)
          const [same, after] = does(often.exchange, deed, now)
          if (deed.type !== 'fault' && deed.type !== 'lift') expect(same).toEqual(answer)
          now = after
        }
        for (const deed of all) {
          take(deed)
          const end = lives[life]
          if (end === undefined || ++lived < end.after) continue
          if (end.saves) often.save()
          often.dieAndLiveOn()
          never.stage({ type: 'liftFault', time: now })
          often.exchange.advance(now)
          expect(seen(often.exchange)).toEqual(seen(never))
          life++
          lived = 0
        }
        for (const target of READS) take({ type: 'read', user: 0, target } as Deed)
        take({ type: 'wait', ms: 10 * MINUTE })
        for (const target of READS) take({ type: 'read', user: 0, target } as Deed)
        expect(seen(often.exchange)).toEqual(seen(never))
        often.close()
      }),
      propertyRuns(25),
    )
  })

  it('keeps a file that does not grow, and a start that takes no longer, however long it ran', () => {
    const lives = new Lives(OF_CONTRACTS)
    const caller = new ExchangeCaller(lives.exchange)
    caller.now = START
    const pages: number[] = []
    for (let day = 0; day < 15; day++) {
      caller.now += DAY
      lives.exchange.advance(caller.now)
      for (let order = 0; order < 2; order++) caller.order('BUY', 'MARKET', '20')
      if (day % 5 === 4) {
        const file = new ExchangeFile(lives.path)
        pages.push(file.changes)
        file.close()
      }
    }
    expect(Math.max(...pages)).toBeLessThanOrEqual(6)
    lives.close()
  })
})

const READS = [
  '/sapi/v1/account',
  '/sapi/v2/openOrders?symbol=BTC/USDT',
  '/sapi/v2/historyOrders?symbol=BTC/USDT',
  '/sapi/v2/myTrades?symbol=BTC/USDT',
  '/sapi/v2/depth?symbol=btcusdt',
  '/sapi/v2/ticker?symbol=btcusdt',
  '/sapi/v2/trades?symbol=btcusdt&limit=1000',
  '/sapi/v2/klines?symbol=btcusdt&interval=1min&limit=300',
  '/sapi/v2/klines?symbol=btcusdt&interval=60min',
  '/fapi/v1/account',
  '/fapi/v1/klines?contractName=E-BTC-USDT&interval=1min&limit=300',
  '/fapi/v1/klines?contractName=E-ETH-USDT&interval=1min&limit=300',
  '/fapi/v1/index?contractName=E-BTC-USDT',
]
