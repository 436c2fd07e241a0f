import { describe, expect, it } from 'vitest'
import type { BacktestResult } from '../../../backtest/results/backtest-result.ts'
import { startEquityOf } from '../../../backtest/results/start-equity.ts'
import type { BacktestMarket } from '../../../backtest/run/backtest-options.ts'
import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import type { AccountType } from '../../../src/domain/instrument.ts'
import { amountOf, amountToText, rateOf } from '../../../src/domain/numbers/amount.ts'
import type { Signal, Size } from '../../../src/domain/signal.ts'
import { enterLong, enterShort, exit } from '../../../src/strategy/index.ts'
import { MARGIN, SPOT, scripted } from '../../engine/engine-session.ts'
import { contractWith } from '../futures/contract-run.ts'
import { klinesOf, QUIET, type Row } from '../kline-table.ts'
import { marketOf, several } from './several.ts'

type Script = Readonly<Record<number, Signal | readonly Signal[]>>

const CROSS = { ...contractWith({ marginMode: 'cross' }), symbol: 'E-BTC-USDT' }
const CHARGED = {
  ...CROSS,
  fees: { maker: rateOf('0.001'), taker: rateOf('0.001'), paidIn: 'quote' as const },
}
const UP: Row = [100, 110, 100, 110]
const HIGH: Row = [110, 110, 110, 110]
const TEN: Size = { base: 10 }

function onSpot(
  script: Script,
  rows: readonly Row[],
  settings: Partial<BacktestMarket> = {},
): BacktestMarket {
  return marketOf(scripted(script), klinesOf(rows), { instrument: SPOT, size: TEN, ...settings })
}

function onContract(script: Script, rows: readonly Row[], settings: Partial<BacktestMarket> = {}) {
  return marketOf(scripted(script), klinesOf(rows), { instrument: CROSS, size: TEN, ...settings })
}

function run(markets: readonly BacktestMarket[], spot: string, futures: string): BacktestResult {
  const quote = (amount: string) => new Map([['USDT', amountOf(amount)]])
  return runBacktest(several(markets, { balances: { spot: quote(spot), futures: quote(futures) } }))
}

/** `spot 1000 USDT, 9.99 BTC`, without what is zero. */
function held({ accounts = [] }: BacktestResult): Readonly<Record<string, string>> {
  return Object.fromEntries(
    accounts.map(({ account, balances }) => [
      account,
      balances
        .filter(([, amount]) => amount !== 0n)
        .map(([asset, amount]) => `${amountToText(amount)} ${asset}`)
        .join(', '),
    ]),
  )
}

describe('a spot long and a short contract in one run', () => {
  const funding = {
    type: 'list',
    length: 1,
    time: Float64Array.of(180_000),
    rate: Float64Array.of(0.001),
  } as const
  const contract = { instrument: CHARGED, futures: { funding } }
  const carry = (rows: readonly Row[], end: Script = {}) =>
    run(
      [onSpot({ 0: enterLong(), ...end }, rows), onContract({ 0: enterShort(), ...end }, rows, contract)],
      '2000',
      '500',
    )

  it('are each paid for and held on their own account', () => {
    const result = carry([QUIET, QUIET, QUIET])
    // 10 BTC cost 1000 and lose 0.1%; 20 contracts of 0.5 BTC are sold for 1000 at a fee of 1.
    expect(held(result)).toEqual({ spot: '1000 USDT, 9.99 BTC', futures: '499 USDT' })
    expect(amountToText(result.balances.get('USDT') ?? amountOf('0'))).toBe('1499')
    // 1000 + 9.99 × 100 + 499
    expect([...result.equity]).toEqual([2500, 2498, 2498])
  })

  it('gain and lose against each other, and only the contract receives funding', () => {
    const result = carry([QUIET, QUIET, QUIET, UP])
    expect(held(result)).toEqual({ spot: '1000 USDT, 9.99 BTC', futures: '500 USDT' })
    expect(result.funding.map(({ symbol, amount }) => [symbol, amountToText(amount)])).toEqual([
      ['E-BTC-USDT', '-1'],
    ])
    // 1000 + 9.99 × 110 + 500 − 10 × 10
    expect(result.equity.at(-1)).toBeCloseTo(2498.9, 9)
    // The margin of 1000 ÷ 10 and the worth of 1100, against 500 − 100 on the futures account.
    expect(result.margin?.highestUse).toBeCloseTo(100 / 400, 9)
    expect(result.margin?.highestLeverage).toBeCloseTo(1100 / 400, 9)
  })

  it('bring their money back to the account that it came from', () => {
    const result = carry([QUIET, QUIET, QUIET, UP, HIGH], { 3: exit() })
    // 1000 + 9.99 × 110 less 0.1% of that; 500 − 100 less 0.1% of 1100.
    expect(held(result)).toEqual({ spot: '2097.8011 USDT', futures: '398.9 USDT' })
    expect(result.equity.at(-1)).toBeCloseTo(2496.7011, 9)
    expect(result.roundTrips.map(({ symbol, pnl }) => [symbol, amountToText(pnl)]).sort()).toEqual([
      ['BTC/USDT', '97.8011'],
      ['E-BTC-USDT', '-102.1'],
    ])
  })
})

describe('accounts side by side', () => {
  it('leave a spot account as it is when contracts are liquidated', () => {
    const rest = enterLong({ order: { type: 'limit', price: 60 } })
    const result = run(
      [
        onSpot({ 0: rest }, [QUIET, QUIET, QUIET, QUIET]),
        onContract({ 0: enterShort() }, [QUIET, QUIET, [100, 120, 100, 120], [120, 120, 120, 120]]),
      ],
      '2000',
      '110',
    )
    // 110 − 10 × (p − 100) comes down to 1% of 10 × p at 1110 ÷ 10.1 = 109.90…
    expect(result.liquidations.map(({ symbol, price }) => [symbol, price / 100])).toEqual([
      ['E-BTC-USDT', 109.91],
    ])
    expect(held(result)).toEqual({ spot: '2000 USDT', futures: '' })
    expect(result.workingOrders).toBe(1)
    expect(result.ruined).toBe(false)
    expect(result.equity.at(-1)).toBe(2000)
  })

  it('lend each other nothing', () => {
    const rules = (spot: string, futures: string) =>
      run(
        [onSpot({ 0: enterLong() }, [QUIET, QUIET]), onContract({ 0: enterShort() }, [QUIET, QUIET])],
        spot,
        futures,
      ).denials.map(({ rule }) => rule)
    expect(rules('999', '5000')).toEqual(['balance'])
    expect(rules('5000', '99')).toEqual(['margin'])
    expect(rules('1000', '100')).toEqual([])
  })

  it('do not help each other out where an open is dearer than expected', () => {
    const dearer = [QUIET, HIGH]
    const result = run([onSpot({ 0: enterLong() }, dearer), onContract({}, dearer)], '1000', '5000')
    // 9.090 at 110 for 999.9, less 0.1% of what is bought.
    expect(held(result)).toEqual({ spot: '0.1 USDT, 9.08091 BTC', futures: '5000 USDT' })
  })

  it('count together where a size is a part of the equity', () => {
    const size = { equityFraction: 0.5 }
    const result = run(
      [
        onSpot({ 0: enterLong() }, [QUIET, QUIET], { size }),
        onContract({ 0: enterShort() }, [QUIET, QUIET], { size }),
      ],
      '3000',
      '1000',
    )
    expect(held(result)).toEqual({ spot: '1000 USDT, 19.98 BTC', futures: '1000 USDT' })
    expect(result.openPositions.map(({ symbol, quantity }) => [symbol, quantity])).toEqual([
      ['BTC/USDT', 19_980],
      ['E-BTC-USDT', 40],
    ])
  })

  it('start with all that they hold', () => {
    const balances = {
      spot: new Map([
        ['USDT', amountOf('100')],
        ['BTC', amountOf('2')],
      ]),
      futures: new Map([['USDT', amountOf('50')]]),
    }
    const markets = [onContract({}, [HIGH, HIGH]), onSpot({}, [UP, HIGH])]
    expect(startEquityOf(balances, markets)).toBe(350)
    expect([...runBacktest(several(markets, { balances })).equity]).toEqual([370, 370])
  })

  it.each<[AccountType, AccountType, string]>([
    ['spot', 'margin', '; run them one by one.'],
    ['margin', 'futures', '; run them one by one.'],
  ])('are not %s and %s', (first, second, end) => {
    const of = (accountType: AccountType, symbol: string) =>
      marketOf(scripted({}), klinesOf([QUIET]), { instrument: { ...MARGIN, symbol, accountType } })
    const balances = { [first]: new Map(), [second]: new Map() }
    expect(() => runBacktest(several([of(first, 'A/USDT'), of(second, 'B/USDT')], { balances }))).toThrow(
      `A/USDT is traded on a ${first} account and B/USDT on a ${second} account${end}`,
    )
  })

  it('need balances of each', () => {
    expect(() => runBacktest(several([onSpot({}, [QUIET]), onContract({}, [QUIET])]))).toThrow(
      'run them one by one, or give each account its balances.',
    )
  })
})
