import { describe, expect, it } from 'vitest'
import { amountOf, amountToNumber, amountToText } from '../../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../../src/domain/numbers/grid.ts'
import { fundingRateOf } from '../../../src/simulator/futures/positions/funding.ts'
import { positionLiquidationPrice } from '../../../src/simulator/futures/positions/liquidation-price.ts'
import { emptyPosition, grow } from '../../../src/simulator/futures/positions/position.ts'
import { simulatorConfigOf } from '../../../src/simulator/simulator-config.ts'
import { flatMarket, klinesOf, MINUTE, START } from '../exchange-caller.ts'
import { type ContractInput, FuturesCaller, futuresOf, ROUND_CONTRACT, SECOND } from './futures-caller.ts'

const HOUR = 60 * MINUTE
const ISOLATED = { positionType: 2 }

/** A market at 100 that goes to `price` after a minute. */
function movesTo(price: number) {
  return klinesOf([100, 100, 100, 100], [price, price, price, price])
}

/** One contract is 0.1 BTC; the house asks 100.01 and bids 99.99 around 100. */
function open(contract: Partial<ContractInput> = {}, klines = flatMarket(100)): FuturesCaller {
  return FuturesCaller.open(futuresOf(klines, contract))
}

function transactions(caller: FuturesCaller): [string, number, number][] {
  const body = { beginTime: START, endTime: caller.now, symbol: 'USDT' }
  const { transList } = caller.post('/fapi/v1/get_user_transaction', body).json.data
  return transList.map((entry: { type: string; amount: number; afterBalance: number }) => [
    entry.type,
    entry.amount,
    entry.afterBalance,
  ])
}

describe('an isolated position', () => {
  it('costs its margin and the fee of a taker', () => {
    const caller = open()
    // 10 contracts at 100.01 are worth 100.01: a tenth is margin, a thousandth the fee.
    caller.order('BUY', 'OPEN', 'MARKET', 10, undefined, ISOLATED)
    expect(caller.wallet()).toMatchObject({
      accountNormal: 989.89899, // 1000 - 10.001 - 0.10001
      accountLock: 0,
      partPositionNormal: 10.001,
      unrealizedAmount: -0.01,
      partEquity: 9.991,
      totalEquity: 989.89899,
      totalPositionNormal: 0,
    })
    expect(caller.positions()).toEqual([
      expect.objectContaining({
        positionType: 2,
        side: 'BUY',
        volume: 10,
        openPrice: 100.01,
        avgPrice: 100.01,
        leverageLevel: 10,
        holdAmount: 10.001,
        openAmount: 10.001,
        positionBalance: 100,
        indexPrice: 100,
        unRealizedAmount: -0.01,
        tradeFee: -0.10001,
        historyRealizedAmount: -0.10001,
        keepRate: 0.01,
        maxFeeRate: 0.001,
        reducePrice: 91.01011122345804, // (100.01 - 10.001) / 0.989
      }),
    ])
  })

  it('pays a maker fee where its order rested, and its orders freeze margin and the largest fee', () => {
    const caller = open()
    const placed = caller.order('BUY', 'OPEN', 'LIMIT', 10, 99, ISOLATED)
    // 99 is worth 99: 9.9 margin and 0.099 fee.
    expect(caller.wallet()).toMatchObject({ accountNormal: 990.001, accountLock: 9.999 })
    caller.as(SECOND).order('SELL', 'OPEN', 'MARKET', 1)
    expect(caller.find(placed)).toMatchObject({ status: 'NEW', executedQty: 0 })
    const seller = open({}, klinesOf([100, 100, 100, 100], [98, 98, 98, 98]))
    const resting = seller.order('BUY', 'OPEN', 'LIMIT', 10, 99, ISOLATED)
    seller.pass(MINUTE)
    expect(seller.find(resting)).toMatchObject({ status: 'FILLED', avgPrice: 99, tradeFee: 0.0495 })
    expect(seller.wallet()).toMatchObject({
      accountNormal: 990.0505,
      accountLock: 0,
      partPositionNormal: 9.9,
    })
  })

  it('gives back margin, profit and fee where a part is closed', () => {
    const caller = open({}, movesTo(110))
    caller.order('BUY', 'OPEN', 'MARKET', 10, undefined, ISOLATED)
    caller.pass(MINUTE)
    const closed = caller.order('SELL', 'CLOSE', 'MARKET', 4)
    // 4 contracts at 109.99: worth 43.996, cost 40.004, fee 0.043996, 4/10 of the margin comes back.
    expect(caller.find(closed)).toMatchObject({ realizedAmount: 3.992, tradeFee: 0.043996 })
    expect(caller.wallet()).toMatchObject({ accountNormal: 997.847394, partPositionNormal: 6.0006 })
    expect(caller.positions()[0]).toMatchObject({
      volume: 6,
      closeVolume: 4,
      closePrice: 109.99,
      closeProfit: 3.992,
    })
    expect(transactions(caller)).toEqual([
      ['7', -0.043996, 1003.847994],
      ['13', 3.992, 1003.89199],
      ['6', -0.10001, 999.89999],
      ['1', 1000, 1000],
    ])
  })

  it('is taken over at its bankruptcy price once the mark price reaches its liquidation price', () => {
    const spared = open({}, movesTo(91.02))
    const ruined = open({}, movesTo(91.01))
    for (const caller of [spared, ruined]) {
      caller.order('BUY', 'OPEN', 'MARKET', 10, undefined, ISOLATED)
      caller.order('SELL', 'CLOSE', 'LIMIT', 10, 120)
      caller.pass(MINUTE)
    }
    expect(spared.positions()).toHaveLength(1)
    expect(ruined.positions()).toHaveLength(0)
    expect(ruined.get('/fapi/v1/openOrders').json).toEqual([])
    expect(ruined.wallet()).toMatchObject({ accountNormal: 989.89899, accountLock: 0, partPositionNormal: 0 })
    expect(ruined.post('/fapi/v1/profitHistorical', {}).json).toEqual([
      expect.objectContaining({
        closeProfit: -10.001,
        tradeFee: -0.10001,
        historyRealizedAmount: -10.10101,
        closePrice: 90.009, // 100.01 - 10.001
        shareAmount: 0,
        freezeLock: 1,
      }),
    ])
    expect(transactions(ruined)[0]).toEqual(['13', -10.001, 989.89899])
  })

  it('never loses more than its margin: the house bears what a gap goes beyond it', () => {
    const caller = open({}, movesTo(50))
    caller.order('BUY', 'OPEN', 'MARKET', 10, undefined, ISOLATED)
    caller.pass(MINUTE)
    expect(caller.wallet()).toMatchObject({
      accountNormal: 989.89899,
      partPositionNormal: 0,
      totalEquity: 989.89899,
    })
  })

  it('takes and gives margin within bounds', () => {
    const caller = open()
    caller.order('BUY', 'OPEN', 'MARKET', 10, undefined, ISOLATED)
    const positionId = caller.positions()[0].id
    const edit = (amount: number) =>
      caller.post('/fapi/v1/edit_position_margin', { positionId, amount }).json.code
    expect([edit(5), edit(989), edit(0), edit(-5)]).toEqual(['0', '-2017', '-2100', '-2100'])
    // 15.001 less the loss of 0.01 may come down to the initial margin of 10.001.
    expect([edit(-4.99), edit(-0.001)]).toEqual(['0', '-2100'])
    expect(caller.positions()[0].holdAmount).toBe(10.011)
    expect(caller.post('/fapi/v1/edit_position_margin', { positionId: 99, amount: 1 }).json.code).toBe(
      '-2100',
    )
  })
})

describe('a cross position', () => {
  it('is backed by the whole balance and liquidated with all others once that is used up', () => {
    const spared = open({}, movesTo(89.99))
    const ruined = open({}, movesTo(89.98))
    for (const caller of [spared, ruined]) {
      // Worth 9000.9; fee 9.0009. Liquidated where 990.9991 + 90 × (p - 100.01) <= 0.011 × 90 × p: at 89.98877.
      caller.order('BUY', 'OPEN', 'MARKET', 900)
      expect(caller.positions()[0].reducePrice).toBeCloseTo(89.988775418, 8)
      caller.pass(MINUTE)
    }
    expect(spared.positions()).toHaveLength(1)
    expect(ruined.wallet()).toMatchObject({
      accountNormal: 0,
      accountLock: 0,
      totalEquity: 0,
      positionVos: [],
    })
    expect(ruined.post('/fapi/v1/profitHistorical', {}).json[0]).toMatchObject({
      closeProfit: -990.9991,
      historyRealizedAmount: -1000,
      freezeLock: 1,
    })
  })

  it('and the one beside it leave nothing of the account once both are taken over, whoever won', () => {
    const caller = open({}, movesTo(88))
    // Of 1000 only the initial margins stay, 800.08 and 99.99: the long one loses 960.8, the short one gains 119.9.
    caller.order('BUY', 'OPEN', 'MARKET', 800)
    caller.order('SELL', 'OPEN', 'MARKET', 100)
    expect(caller.positions().map(({ side }) => side)).toEqual(['BUY', 'SELL'])
    const { futures } = caller.exchange
    const [account] = futures.accounts
    if (account === undefined) throw new Error('unreachable')
    futures.withdraw(account, 'USDT', futures.availableOf(account, 'USDT'))
    caller.pass(MINUTE)
    expect(caller.wallet()).toMatchObject({ accountNormal: 0, totalEquity: 0, positionVos: [] })
    const closed = caller.post('/fapi/v1/profitHistorical', {}).json
    expect(
      closed.map(({ freezeLock, shareAmount }: Record<string, number>) => [freezeLock, shareAmount]),
    ).toEqual([
      [1, 0],
      [1, 0],
    ])
  })

  it('shows what the supplement worked out on a live position', () => {
    const klines = flatMarket(0.09174)
    const caller = FuturesCaller.open(
      futuresOf(
        klines,
        {
          ...{
            multiplier: '1',
            pricePrecision: 5,
            openTakerFee: '0.0006',
            market: { type: 'klines', klines },
          },
        },
        { leverage: 20 },
      ),
    )
    // The second user's bid is the only one at 0.09175: the house's spread leaves no room, so it sells to nobody else.
    const maker = caller.as(SECOND)
    maker.order('SELL', 'OPEN', 'MARKET', 1)
    const bid = maker.order('BUY', 'OPEN', 'LIMIT', 54, 0.09174)
    caller.order('SELL', 'OPEN', 'LIMIT', 54, 0.09174)
    expect(maker.find(bid).status).toBe('FILLED')
    // 54 at 0.09174, 20x, 0.06%.
    expect(caller.positions()[0]).toMatchObject({
      positionBalance: 4.95396,
      openAmount: 0.247698,
      holdAmount: 0.247698,
      unRealizedAmount: 0,
      tradeFee: -0.002972376,
      historyRealizedAmount: -0.002972376,
    })
  })
})

describe('the liquidation price', () => {
  it('is that of the documented account answer', () => {
    const fees = { openTakerFee: '0.0025', openMakerFee: '0', closeTakerFee: '0', closeMakerFee: '0' }
    const { contracts } = simulatorConfigOf({
      futures: {
        contracts: [
          {
            ...ROUND_CONTRACT,
            ...fees,
            multiplier: '0.0001',
            maintenance: [{ keepRate: '0.005' }],
            market: { type: 'generated' },
          },
        ],
      },
    }).futures
    const contract = contracts[0]?.contract
    if (contract === undefined) throw new Error('unreachable')
    const start = { id: 1, contract, marginMode: 'isolated', leverage: 24, openTime: 0 } as const
    const cost = amountOf('82458.2834199') // 69642 × 0.0001 × avgPrice 11840.3095
    const long = emptyPosition({ ...start, direction: 'long' })
    grow(long, steps(69642), cost)
    // Its margin: holdAmount 7014.2111 and the realised 8115.9125 that the sample leaves in the position.
    expect(amountToNumber(positionLiquidationPrice(long, amountOf('15130.1236')))).toBeCloseTo(9740.8083, 4)
    const short = emptyPosition({ ...start, direction: 'short' })
    grow(short, steps(69642), cost)
    expect(amountToNumber(positionLiquidationPrice(short, amountOf('15130.1236')))).toBeCloseTo(13908.5527, 4)
    expect(positionLiquidationPrice(long, amountOf('90000'))).toBe(0n)
  })
})

describe('funding', () => {
  it.each([
    ['0', '0.0001'],
    ['0.0004', '0.0001'],
    ['0.002', '0.0015'],
    ['-0.002', '-0.0015'],
    ['0.05', '0.015'],
    ['-0.05', '-0.015'],
  ])('of a premium of %s is %s', (premium, rate) => {
    const { contracts } = simulatorConfigOf({ futures: { contracts: [ROUND_CONTRACT] } }).futures
    const contract = contracts[0]?.contract
    if (contract === undefined) throw new Error('unreachable')
    const mark = Math.round(Number(premium) * 10_000) + 10_000
    expect(amountToText(fundingRateOf(contract, ticks(mark), amountOf('100')))).toBe(rate)
  })

  it('is paid by longs and received by shorts at 08:00 UTC', () => {
    const long = open()
    const short = long.as(SECOND)
    long.order('BUY', 'OPEN', 'MARKET', 10, undefined, ISOLATED)
    short.order('SELL', 'OPEN', 'MARKET', 10)
    long.pass(8 * HOUR - 1)
    expect(long.positions()[0].capitalFee).toBe(0)
    long.pass(1)
    short.now = long.now
    // 0.0001 of 100
    expect(long.positions()[0]).toMatchObject({
      capitalFee: -0.01,
      holdAmount: 9.991,
      historyRealizedAmount: -0.11001,
    })
    expect(short.positions()[0]).toMatchObject({ capitalFee: 0.01 })
    expect(transactions(long)[0]).toEqual(['5', -0.01, 999.88999])
    expect(transactions(short)[0]).toEqual(['5', 0.01, 999.91001])
    long.pass(16 * HOUR)
    expect(long.positions()[0].capitalFee).toBe(-0.03)
  })

  it('comes at the intervals of the contract, at its fixed rate, to shorts at the cost of nobody if negative', () => {
    const long = open({ fundingHours: 1, fundingRate: '-0.002' })
    long.order('BUY', 'OPEN', 'MARKET', 10)
    long.pass(2 * HOUR)
    expect(long.positions()[0].capitalFee).toBe(0.4)
    expect(long.get('/fapi/v1/index?contractName=E-BTC-USDT').json).toMatchObject({
      lastFundingRate: -0.002,
      nextFundTime: START + 3 * HOUR,
    })
  })

  it('is paid from the margin of an isolated position, which is liquidated sooner, and from the wallet of a cross one', () => {
    const paidBy = (terms: object) => {
      const caller = open({ fundingHours: 1, fundingRate: '0.015' })
      caller.order('BUY', 'OPEN', 'MARKET', 10, undefined, terms)
      const state = () => {
        const { accountNormal } = caller.wallet()
        const { holdAmount, reducePrice } = caller.positions()[0]
        return { accountNormal, holdAmount, reducePrice }
      }
      const before = state()
      caller.pass(HOUR)
      return { before, after: state() }
    }
    // 0.015 of 100, out of a margin of 10.001.
    const isolated = paidBy(ISOLATED)
    expect(isolated.before).toMatchObject({ accountNormal: 989.89899, holdAmount: 10.001 })
    expect(isolated.after).toMatchObject({ accountNormal: 989.89899, holdAmount: 8.501 })
    // (100.01 - margin) / (1 - 0.01 - 0.001), of one base: what is kept, and the larger fee.
    expect(isolated.before.reducePrice).toBeCloseTo(90.009 / 0.989, 4)
    expect(isolated.after.reducePrice).toBeCloseTo(91.509 / 0.989, 4)
    const cross = paidBy({})
    expect(cross.after.accountNormal - cross.before.accountNormal).toBeCloseTo(-1.5, 9)
    expect(cross.after.holdAmount).toBe(cross.before.holdAmount)
  })
})
