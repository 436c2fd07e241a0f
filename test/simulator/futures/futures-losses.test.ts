import { describe, expect, it } from 'vitest'
import { amountOf, amountToText, rateOf } from '../../../src/domain/numbers/amount.ts'
import { feeAt } from '../../../src/simulator/futures/contract.ts'
import { flatMarket, klinesOf, MINUTE, START } from '../exchange-caller.ts'
import { FuturesCaller, futuresOf, SECOND } from './futures-caller.ts'

const NAME = { contractName: 'E-BTC-USDT' }

/** Long 10 contracts at 100.01 with 50x, and the only bid left is one of the second user at 96; `money` is all there is. */
function trapped(positionType: 1 | 2, money: string): FuturesCaller {
  const config = futuresOf(flatMarket(100), {}, { leverage: 50 })
  const caller = FuturesCaller.open({ ...config, liquidity: { spreadTicks: 1, levelNotionals: ['150'] } })
  caller.pass(1)
  const { futures } = caller.exchange
  const [account] = futures.accounts
  if (account === undefined) throw new Error('unreachable')
  futures.withdraw(account, 'USDT', amountOf(String(1000 - Number(money))))
  caller.order('BUY', 'OPEN', 'MARKET', 10, undefined, { positionType })
  const other = caller.as(SECOND)
  other.order('SELL', 'OPEN', 'MARKET', 15)
  other.order('BUY', 'OPEN', 'LIMIT', 20, 96)
  return caller
}

function newestOfHouse(caller: FuturesCaller): [string, string] {
  const { type = '', amount = amountOf('0') } =
    caller.exchange.futures.clearing.house.transactions.newest ?? {}
  return [type, amountToText(amount)]
}

describe('a loss beyond the money there is', () => {
  it('is borne by the house where an isolated position is closed', () => {
    const caller = trapped(2, '1000')
    // Margin 2.0002, loss 4.01, fee 0.096: 2.1058 is missing.
    caller.order('SELL', 'CLOSE', 'MARKET', 10)
    expect(caller.wallet()).toMatchObject({ accountNormal: 997.89979, partPositionNormal: 0 })
    expect(caller.post('/fapi/v1/profitHistorical', NAME).json[0]).toMatchObject({
      ...{ closeProfit: -4.01, tradeFee: -0.19601, shareAmount: 2.1058, historyRealizedAmount: -2.10021 },
    })
    expect(newestOfHouse(caller)).toEqual(['lossShare', '-2.1058'])
  })

  it('is first borne by the margin of what is left', () => {
    const caller = trapped(2, '1000')
    // Half of it: 1.0001 comes free, 2.005 is lost and 0.048 the fee; the other 1.0001 pays, 0.0528 is missing.
    caller.order('SELL', 'CLOSE', 'MARKET', 5)
    expect(caller.positions()).toEqual([])
    expect(caller.post('/fapi/v1/profitHistorical', NAME).json[0]).toMatchObject({
      ...{ volume: 10, closeProfit: -2.005, shareAmount: 0.0528, freezeLock: 1 },
    })
    expect(caller.wallet()).toMatchObject({ accountNormal: 997.89979, partPositionNormal: 0 })
  })

  it('is borne by the house where the last cross position is closed', () => {
    const caller = trapped(1, '3')
    // 3 - 0.10001 - 4.01 - 0.096
    caller.order('SELL', 'CLOSE', 'MARKET', 10)
    expect(caller.wallet()).toMatchObject({ accountNormal: 0, accountLock: 0, totalEquity: 0 })
    expect(newestOfHouse(caller)).toEqual(['lossShare', '-1.20601'])
  })

  it('cancels orders whose frozen money it needs', () => {
    const caller = trapped(1, '6')
    caller.order('BUY', 'OPEN', 'LIMIT', 10, 95)
    expect(caller.wallet()).toMatchObject({ accountLock: 1.995 })
    caller.order('SELL', 'CLOSE', 'MARKET', 10)
    expect(caller.wallet()).toMatchObject({ accountNormal: 1.79399, accountLock: 0 })
    expect(caller.get('/fapi/v1/openOrders').json).toEqual([])
  })

  it('takes the open orders of a cross account along when that is liquidated', () => {
    const caller = FuturesCaller.open(futuresOf(klinesOf([100, 100, 100, 100], [89.98, 89.98, 89.98, 89.98])))
    caller.order('BUY', 'OPEN', 'MARKET', 900)
    caller.order('BUY', 'OPEN', 'LIMIT', 10, 50)
    caller.pass(MINUTE)
    expect(caller.get('/fapi/v1/openOrders').json).toEqual([])
    expect(caller.wallet()).toMatchObject({ accountNormal: 0, accountLock: 0 })
  })
})

describe('while orders meet', () => {
  it('a closing order ends before it trades more than is left of the position', () => {
    const caller = FuturesCaller.open(futuresOf(flatMarket(100)))
    caller.post('/fapi/v1/edit_user_position_model', { ...NAME, positionModel: 1 })
    caller.order('BUY', 'OPEN', 'MARKET', 10)
    const closing = caller.order('SELL', 'CLOSE', 'POST_ONLY', 10, 100.01)
    const opening = caller.order('SELL', 'OPEN', 'POST_ONLY', 5, 100)
    const buyer = caller.as(SECOND)
    buyer.order('BUY', 'OPEN', 'LIMIT', 5, 100)
    expect(caller.find(opening).status).toBe('FILLED')
    expect(caller.find(closing)).toMatchObject({ status: 'CANCELLED', executedQty: 0 })
    expect(caller.positions().map(({ side, volume }) => [side, volume])).toEqual([['BUY', 5]])
  })

  it('the same holds within one order that sweeps both', () => {
    const config = futuresOf(flatMarket(100))
    const caller = FuturesCaller.open({ ...config, liquidity: { spreadTicks: 9, levelNotionals: ['150'] } })
    caller.post('/fapi/v1/edit_user_position_model', { ...NAME, positionModel: 1 })
    caller.order('BUY', 'OPEN', 'MARKET', 10)
    const closing = caller.order('SELL', 'CLOSE', 'LIMIT', 10, 100.02)
    caller.order('SELL', 'OPEN', 'LIMIT', 5, 100.01)
    const bought = caller.as(SECOND).order('BUY', 'OPEN', 'IOC', 15, 100.02)
    expect(caller.as(SECOND).find(bought).executedQty).toBe(5)
    expect(caller.find(closing).executedQty).toBe(0)
  })

  it('an order that must be filled whole or not at all is not filled in part', () => {
    const config = futuresOf(flatMarket(100))
    const caller = FuturesCaller.open({ ...config, liquidity: { spreadTicks: 1, levelNotionals: ['150'] } })
    const placed = caller.order('BUY', 'OPEN', 'FOK', 15, 100.01)
    expect(caller.find(placed)).toMatchObject({ status: 'CANCELLED', executedQty: 0 })
    expect(caller.find(caller.order('BUY', 'OPEN', 'FOK', 14, 100.01)).status).toBe('FILLED')
  })

  it('a sell reserves for the best bid it may get, not for its limit', () => {
    const config = futuresOf(flatMarket(100))
    const caller = FuturesCaller.open({
      ...config,
      liquidity: { spreadTicks: 300, levelNotionals: ['50000'] },
    })
    caller.as(SECOND).order('BUY', 'OPEN', 'LIMIT', 5, 102)
    // 985 contracts: 965.0 at the house's bid of 97, but 1014.7 at 102.
    expect(caller.order('SELL', 'OPEN', 'LIMIT', 985, 96).json.code).toBe('-2017')
    expect(caller.order('SELL', 'OPEN', 'LIMIT', 970, 96).status).toBe(200)
  })

  it('a print comes before a settlement of the same moment', () => {
    const [first] = flatMarket(100)
    if (first === undefined) throw new Error('unreachable')
    const later = { openTime: START + 480 * MINUTE, open: 110, high: 110, low: 110, close: 110, volume: 4 }
    const caller = FuturesCaller.open(futuresOf([first, later]))
    caller.order('BUY', 'OPEN', 'MARKET', 10)
    caller.pass(480 * MINUTE)
    expect(caller.positions()[0].capitalFee).toBe(-0.011)
  })

  it.each([
    ['1', '0.001', '0.001'],
    ['0.000000000000000001', '0.001', '0.000000000000000001'],
    ['0.000000000000001001', '0.001', '0.000000000000000002'],
    ['0.000000000000001001', '-0.001', '-0.000000000000000001'],
  ])('the fee of %s at %s is rounded up to %s', (value, rate, fee) => {
    expect(amountToText(feeAt(amountOf(value), rateOf(rate)))).toBe(fee)
  })
})
