import { describe, expect, it } from 'vitest'
import { nearestName, suggestion } from '../../src/domain/nearest-name.ts'

const KNOWN = ['fast', 'slow', 'stopLoss', 'takeProfit']

describe('nearestName', () => {
  it.each([
    ['fsat', 'fast'],
    ['slwo', 'slow'],
    ['stoploss', 'stopLoss'],
    ['TAKEPROFIT', 'takeProfit'],
    ['stopLos', 'stopLoss'],
    ['stop', 'stopLoss'],
    ['slow1', 'slow'],
    ['stxx', undefined],
    ['xyzxyz', undefined],
    ['', undefined],
  ])('takes %j for %s', (name, nearest) => {
    expect(nearestName(name, KNOWN)).toBe(nearest)
  })

  it.each([
    ['cooldown', 'cooldownAfterStop'],
    ['drawdwon', 'drawdown'],
    ['none', undefined],
    ['longer', 'long'],
    ['drawdown', 'drawdown'],
  ])('takes %j for %s among protections and files', (name, nearest) => {
    expect(nearestName(name, ['drawdown', 'cooldownAfterStop', 'dailyLoss', 'long'])).toBe(nearest)
  })

  it('takes a beginning of two names for neither by that alone', () => {
    expect(nearestName('max', ['maxOrders', 'maxVolume'])).toBeUndefined()
  })

  it('finds nothing among nothing', () => {
    expect(nearestName('fast', [])).toBeUndefined()
  })
})

describe('suggestion', () => {
  it('asks about the nearest name', () => {
    expect(suggestion('fsat', KNOWN)).toBe(' Did you mean "fast"?')
  })

  it('lists what is known where nothing is near', () => {
    expect(suggestion('xyzxyz', KNOWN)).toBe(' Known: fast, slow, stopLoss, takeProfit.')
  })
})
