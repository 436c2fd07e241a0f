import { describe, expect, it } from 'vitest'
import { amountOf } from '../../src/domain/amount.ts'
import { Engine } from '../../src/engine/engine.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import { enterLong } from '../../src/strategy/index.ts'
import { MARGIN, scripted } from './desk-session.ts'

const OTHER = { ...MARGIN, symbol: 'ETH/USDT', base: 'ETH' }

/** Two desks on an account that owns 10 ETH and 1,000 USDT; the one on BTC/USDT buys half of equity on its first kline. */
function account(symbols: readonly string[] = ['BTC/USDT', 'ETH/USDT']) {
  const balances = [['USDT', amountOf('1000')] as const, ['ETH', amountOf('10')] as const]
  const ledger = new Ledger([MARGIN, OTHER], balances)
  const desks = symbols.map(symbol => {
    const strategy = scripted(
      symbol === 'BTC/USDT' ? { 0: enterLong({ size: { equityFraction: 0.5 } }) } : {},
    )
    return { strategy, parameters: {}, symbol, interval: '1m', size: { base: 1 } } as const
  })
  const engine = new Engine({ bot: 'test', ledger, desks })
  const close = (type: 'klineClosed' | 'historySeen', symbol: string, openTime: number, price: number) => {
    const kline = { openTime, open: price, high: price, low: price, close: price, volume: 1 }
    return engine.process({ type, symbol, interval: '1m', kline })
  }
  return { close }
}

describe('two strategies on one account', () => {
  it('are sized by what everything is worth now, not when it was last traded', () => {
    const { close } = account()
    close('historySeen', 'ETH/USDT', 0, 100)
    close('klineClosed', 'ETH/USDT', 60_000, 200)
    // (1,000 + 10 × 200) × 0.5 ÷ 100 = 15 BTC
    const placed = close('klineClosed', 'BTC/USDT', 60_000, 100).find(output => output.type === 'placeOrder')
    expect(placed?.request.quantity).toBe(15_000)
  })

  it('cannot share an instrument', () => {
    expect(() => account(['BTC/USDT', 'BTC/USDT'])).toThrow('Two strategies trade one instrument')
  })
})
