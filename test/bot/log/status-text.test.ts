import { describe, expect, it } from 'vitest'
import { statusText } from '../../../src/cli/bot/bot-status-text.ts'
import { summaryText } from '../../../src/cli/bot/bot-summary-text.ts'
import { rateOf } from '../../../src/domain/numbers/amount.ts'
import { defineStrategy, enterLong } from '../../../src/strategy/index.ts'
import { flatMarket, klinesOf, MINUTE } from '../../simulator/exchange-caller.ts'
import { BotSession } from '../bot-session.ts'
import { futuresBot } from '../futures/futures-bot.ts'
import { bidder, flipper, once } from '../test-strategies.ts'

/** Starts a bot, lets it trade, and gives its status as a person reads it. */
async function statusAfter(session: BotSession, ms: number): Promise<readonly string[]> {
  const bot = await session.create()
  bot.start(error => session.failures.push(error))
  await session.run(ms)
  const answer = await bot.operate({ command: 'status' })
  if (!answer.ok) throw new Error(answer.message)
  return statusText(answer.status).split('\n')
}

describe('the status of a bot, for people', () => {
  it('tells a futures position with its result, its liquidation price and its levels', async () => {
    const [from, to] = [59_640, 59_700.1]
    const minutes = Array.from({ length: 30 }, (_, minute) => (minute < 12 ? from : to))
    const session = futuresBot({
      strategy: once(() =>
        enterLong({ stopLoss: 58_000, takeProfit: 62_000, trailingStop: { distance: 1500 } }),
      ),
      klines: klinesOf(...minutes.map(price => [price, price, price, price] as const)),
      contract: { multiplier: '0.0001', pricePrecision: 1 },
      size: { base: 0.0836 },
      instruments: { default: { maintenanceMarginRate: rateOf('0.01') } },
    })
    const lines = await statusAfter(session, 5 * MINUTE)
    // Bought at the ask, one tick above: 0.0836 × 59,640.1 = 4,985.91236; 0.0836 × 60.0 = 5.016.
    // Cross margin, 1% maintenance and 0.1% fee: (4,985.91236 - 995.01408764) ÷ (0.0836 × 0.989) = 48,269.0.
    expect(lines).toContain(
      '  BTC/USDT: LONG 836 contracts (0.0836 BTC, 4,986 USDT), entry 59,640.1, mark 59,700.1, +5.02 USDT (+0.10%), liquidation price 48,269.0',
    )
    expect(lines).toContain('    stop-loss 58,000.0, take-profit 62,000.0, trailing stop at 58,200.1')
    // 1000, less a fee of 4.98591236, and the result.
    expect(lines).toContain('  equity 1,000.03 USDT')
    expect(lines).toContain('  once on BTC/USDT 1m: no parameters; size 0.0836 of base')
  })

  it('begins with a strategy that threw, then tells its position', async () => {
    const strategy = defineStrategy({
      name: 'thrower',
      state: () => ({ klines: 0 }),
      onKline: (_kline, { state }) => {
        state.klines++
        if (state.klines === 2) throw new Error('I divided by zero.')
        return enterLong({ stopLoss: 90 })
      },
    })
    const lines = await statusAfter(new BotSession({ strategy }), 3 * MINUTE)
    expect(lines[0]).toMatch(/^test at 20\d\d-\d\d-\d\d \d\d:\d\d:\d\dZ$/)
    expect(lines[1]).toMatch(
      /^STOPPED: strategy thrower on BTC\/USDT threw and decides nothing more; its protective orders stay\. .*I divided by zero\./,
    )
    // 0.999 BTC after a fee of 0.1% in base.
    expect(lines).toContain(
      '  BTC/USDT: LONG 0.999 BTC (99.91 USDT), entry 100.01, last 100.00, -0.01 USDT (-0.01%)',
    )
    expect(lines).toContain('    stop-loss 90.00')
    expect(lines).toContain('  thrower on BTC/USDT 1m: no parameters; size 1 of base (threw)')
  })

  it('tells a trailing stop that follows by a rate, and its order with that rate', async () => {
    const session = new BotSession({
      strategy: once(() =>
        enterLong({ trailingStop: { callbackRate: 0.006, activation: 103 }, stopLoss: 95 }),
      ),
    })
    const bot = await session.create()
    bot.start(error => session.failures.push(error))
    await session.run(3 * MINUTE)
    const answer = await bot.operate({ command: 'status' })
    expect(session.failures).toEqual([])
    if (!answer.ok) throw new Error(answer.message)
    // Bought at the ask, one tick above 100.
    const [trailing] = answer.status.orders.filter(({ type }) => type === 'trailingStop')
    expect(trailing).toMatchObject({ callbackRate: 0.006, prices: [100.01, 103] })
    expect(statusText(answer.status)).toContain('stop-loss 95.00, trailing stop active from 103.00')
  })

  it('begins with what holds trading back, and tells resting orders', async () => {
    const session = new BotSession({ strategy: bidder })
    const bot = await session.create()
    bot.start(error => session.failures.push(error))
    await session.run(2 * MINUTE)
    const before = await bot.operate({ command: 'status' })
    const lines = before.ok ? statusText(before.status).split('\n') : []
    expect(lines).toContain('  BTC/USDT: BUY 1 BTC, limit 90, entry, open')
    expect(lines.slice(1, 3)).toEqual(['Positions', '  none'])
    expect(lines).toContain('  account: active')
    const after = await bot.operate({ command: 'halt', reason: 'a drill' })
    const halted = after.ok ? statusText(after.status).split('\n') : []
    expect(halted[1]).toMatch(
      /^HALTED: trading of the account, by operator since 20.+Z\. The operator halted: a drill\.$/,
    )
  })
})

describe('the summary of a run, for people', () => {
  it('tells profit and fees first', async () => {
    const session = new BotSession({ strategy: flipper, klines: flatMarket(100, 60) })
    await session.start()
    await session.run(3 * MINUTE + 2000)
    const summary = await session.leave(1)
    if (summary === undefined) throw new Error('The bot has not left.')
    // Bought 1 at 100.01, fee 0.001 BTC; sold 0.999 at 99.99, fee 0.1 %; bought 1 again. 0.32988 of 10,000 is 0.0033%.
    expect(summaryText(summary).split('\n')).toEqual([
      'Summary',
      '  profit      -0.33 USDT (0.00%), the change of equity since this start',
      '  realised    -0.22 USDT by round trips, after fees',
      // Of the position -0.00999, and 0.10001 for the fee of its entry.
      '  open        -0.11 USDT by open positions, after entry fees',
      '  fees        0.002 BTC, 0.10 USDT',
      '  position    BTC/USDT: LONG 0.999 BTC (99.91 USDT), entry 100.01, last 100.00, -0.01 USDT (-0.01%)',
      '  equity      9,999.67 USDT',
      '  balances    0.999 BTC, 9,899.77 USDT',
      '  trades      1 round trip, 3 fills, 3 orders, 3 signals, 0 denials, 0 rejections, 3 klines',
      '  trading     active',
      'Still held: long 0.99900 BTC of BTC/USDT. No order rests at the exchange.',
      '',
    ])
  })
})
