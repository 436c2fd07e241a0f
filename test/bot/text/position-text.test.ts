import { describe, expect, it } from 'vitest'
import type { PositionStatus } from '../../../src/bot/text/position-status.ts'
import { levelsText, positionText, quantityWithUnit } from '../../../src/bot/text/position-text.ts'

/** 836 contracts of 0.0001 BTC: 0.0836 × 59,640 = 4,985.904, and 0.0836 × 60.1 = 5.02436, which is 0.1008% of it. */
const CONTRACTS: PositionStatus = {
  symbol: 'BTC/USDT',
  book: 'BTC/USDT',
  direction: 'long',
  quantity: '836',
  unit: 'contracts',
  baseAsset: 'BTC',
  base: '0.0836',
  quote: 'USDT',
  cost: '4985.904',
  pricePrecision: 1,
  entryPrice: '59640',
  markPrice: '59700.1',
  unrealised: '5.02436',
  unrealisedRate: '0.00100771',
  liquidationPrice: '39981.4',
  levels: [],
}

describe('a position in a line', () => {
  it('tells contracts with their size, notional, prices, result and liquidation price', () => {
    expect(positionText(CONTRACTS)).toBe(
      'LONG 836 contracts (0.0836 BTC, cost 4,986 USDT), entry 59,640.0, mark 59,700.1, +5.02 USDT (+0.10%), liquidation price 39,981.4',
    )
  })

  it('tells what a spot account holds, and what is not known yet not at all', () => {
    const { liquidationPrice: _, markPrice: __, unrealised: ___, unrealisedRate: ____, ...rest } = CONTRACTS
    const spot = { ...rest, quantity: '0.083600', unit: 'BTC' }
    expect(positionText(spot)).toBe('LONG 0.0836 BTC (cost 4,986 USDT), entry 59,640.0')
    expect(positionText({ ...spot, direction: 'short', markPrice: '59000.0', unrealised: '-1234.5' })).toBe(
      'SHORT 0.0836 BTC (cost 4,986 USDT), entry 59,640.0, last 59,000.0, -1,234.50 USDT',
    )
  })

  it('rounds an average entry between two ticks to the nearer one', () => {
    expect(positionText({ ...CONTRACTS, entryPrice: '59640.146' })).toContain(', entry 59,640.1, ')
    expect(positionText({ ...CONTRACTS, entryPrice: '59640.16' })).toContain(', entry 59,640.2, ')
  })

  it('tells its levels, and what a level closes where that is a part', () => {
    expect(levelsText(CONTRACTS)).toBeUndefined()
    const levels = [
      { kind: 'stopLoss', entry: 'e', price: '58000.0', quantity: '836' },
      { kind: 'takeProfit', entry: 'e', price: '62000.0', quantity: '418' },
      { kind: 'trailingStop', entry: 'e', price: '59000.5', quantity: '1' },
      { kind: 'trailingStop', entry: 'e', activationPrice: '61000.0', quantity: '836' },
    ] as const
    expect(levelsText({ ...CONTRACTS, levels })).toBe(
      'stop-loss 58,000.0, take-profit 62,000.0 (418 contracts), trailing stop at 59,000.5 (1 contract), trailing stop active from 61,000.0',
    )
  })

  it('says what no stop covers', () => {
    const levels = [{ kind: 'stopLoss', entry: 'e', price: '58000.0', quantity: '500' }] as const
    expect(levelsText({ ...CONTRACTS, levels, notCovered: '336' })).toBe(
      'stop-loss 58,000.0 (500 contracts); not covered by a stop: 336 contracts',
    )
  })

  it.each([
    ['10', 'BTC', '10 BTC'],
    ['10.000', 'BTC', '10 BTC'],
    ['0.50', 'BTC', '0.5 BTC'],
    ['1200', 'contracts', '1,200 contracts'],
  ])('%s of %s is %s', (quantity, unit, expected) => {
    expect(quantityWithUnit(quantity, unit)).toBe(expected)
  })
})
