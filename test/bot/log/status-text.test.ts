import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { heldBackTexts } from '../../../src/bot/log/held-back-texts.ts'
import { logLineText } from '../../../src/bot/text/log-lines.ts'
import { statusText } from '../../../src/cli/bot/bot-status-text.ts'
import { summaryText } from '../../../src/cli/bot/bot-summary-text.ts'
import { rateOf } from '../../../src/domain/numbers/amount.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { defineStrategy, enterLong } from '../../../src/strategy/index.ts'
import { journalPath } from '../../journal/journal-session.ts'
import { flatMarket, klinesOf, MINUTE } from '../../simulator/exchange-caller.ts'
import { BotSession } from '../bot-session.ts'
import { byHand, futuresBot } from '../futures/futures-bot.ts'
import { bidder, flipper, holder, once } from '../test-strategies.ts'

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
      '  BTC/USDT: LONG 836 contracts (0.0836 BTC, cost 4,986 USDT), entry 59,640.1, mark 59,700.1, +5.02 USDT (+0.10%), liquidation price 48,269.0',
    )
    expect(lines).toContain('    stop-loss 58,000.0, take-profit 62,000.0, trailing stop at 58,200.1')
    expect(lines.slice(lines.indexOf('Orders')).slice(0, 2)).toEqual([
      'Orders',
      '  protective, at the levels above: 3 watched by the bot, not at the exchange yet',
    ])
    const trailing = (await session.status()).orders.find(({ type }) => type === 'trailingStop')
    expect(trailing).toMatchObject({ stopPrice: '58200.1' })
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
      /^STOPPED: strategy thrower on BTC\/USDT threw and decides nothing more until the bot is started again\. Its protective orders stay\. .*I divided by zero\./,
    )
    // 0.999 BTC after a fee of 0.1% in base.
    expect(lines).toContain(
      '  BTC/USDT: LONG 0.999 BTC (cost 99.91 USDT), entry 100.01, last 100.00, -0.01 USDT (-0.01%)',
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
    expect(trailing).not.toHaveProperty('stopPrice')
    expect(statusText(answer.status)).toContain('stop-loss 95.00, trailing stop active from 103.00')
  })

  it('says of a position that is too small for a stop that it has none, and why', async () => {
    const session = new BotSession({
      strategy: once(() => enterLong({ stopLoss: 95 })),
      size: { base: 0.1 },
    })
    // Bought for 10.001 USDT; 0.0999 after the fee in base, and at 95 that is 9.4905 USDT.
    const lines = await statusAfter(session, 2 * MINUTE)
    expect(lines).toContain(
      '    NO STOP for 0.0999 BTC, too small for one: The order is worth 9.4905 USDT, below the smallest order of BTC/USDT, 10 USDT.',
    )
    const { held, unprotected } = await session.status()
    expect(held).toMatchObject([{ notCovered: '0.09990', notCoveredBecause: expect.any(String) }])
    expect(unprotected).toEqual([])
  })

  it('begins with an order whose trades are not listed', async () => {
    const session = new BotSession({ strategy: bidder })
    const bot = await session.create()
    bot.start(error => session.failures.push(error))
    await session.run(2 * MINUTE)
    const answer = await bot.operate({ command: 'status' })
    if (!answer.ok) throw new Error(answer.message)
    expect(answer.status.unlisted).toEqual([])
    const lines = statusText({ ...answer.status, unlisted: ['The buy order a has executed 1.'] }).split('\n')
    expect(lines[1]).toBe('NOT BOOKED YET: The buy order a has executed 1.')
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
      /^HALTED: trading of the account, by the operator since 20.+Z\. The operator halted: a drill\.$/,
    )
  })

  it('tells of several holds the strictest first, each with its own mode, in the log and the notice of a start too', async () => {
    const risk = { protections: { spread: { maxRate: 0.00001, mode: 'reducing' } } } as const
    const session = new BotSession({ strategy: bidder, risk })
    await session.start()
    await session.run(2 * MINUTE)
    await session.operate('halt', { reason: 'a drill' })
    const status = await session.status()
    expect(statusText(status).split('\n').slice(1, 4)).toEqual([
      expect.stringMatching(/^HALTED: trading of the account, by the operator since .+: a drill\.$/),
      expect.stringMatching(/^REDUCING: trading of the account, by spread since /),
      'Positions',
    ])
    const why = 'The operator halted: a drill. The spread of BTC/USDT is 0.02% of the price;'
    expect(heldBackTexts(status)[0]).toContain(`Trading of account is halted: ${why}`)
    const [logged] = session.said('trading halted')
    expect(logLineText('trading halted', logged ?? {})).toContain(`Trading of the account is halted. ${why}`)
  })
})

it('tells a halted instrument as halted everywhere, and that only a start lifts it', async () => {
  const session = futuresBot({ strategy: bidder, klines: flatMarket(100, 60) })
  await session.start()
  await session.run(MINUTE)
  byHand(session).order('BUY', 'OPEN', 'MARKET', 4)
  await session.run(MINUTE)
  const reason =
    'The exchange has 4 contracts of E-BTC-USDT long, our books 0; bring them together by hand, then restart the bot.'
  const lines = statusText(await session.status()).split('\n')
  expect(lines[1]).toBe(
    `HALTED: strategy bidder on BTC/USDT decides nothing more, because its instrument is halted. It holds nothing. ${reason}`,
  )
  expect(lines.slice(lines.indexOf('Trading'))).toEqual([
    'Trading',
    '  account: active',
    '  BTC/USDT: halted until the bot is started again',
    '  bidder on BTC/USDT: halted, as BTC/USDT is',
    expect.stringMatching(/^The exchange lists nowhere what a position of BTC.USDT must keep/),
    '',
  ])
  expect(await session.operate('resume')).toBe(
    `Trading of the account is active, but trading of BTC/USDT is still halted until the bot is started again: ${reason}`,
  )
  expect(await session.operate('resume', { symbol: 'BTC/USDT' })).toBe(
    `Trading of BTC/USDT is still halted until the bot is started again: ${reason}`,
  )
  const summary = await session.leave(MINUTE)
  expect(summary?.trading).toEqual({ account: 'active', 'BTC/USDT': 'halted' })
})

it('says after a restart that the account has something else, until the comparison has adopted it', async () => {
  const path = journalPath()
  const first = new Journal(path)
  const options = { strategy: holder, klines: flatMarket(100, 60) }
  const before = futuresBot({ ...options, journal: first })
  await before.start()
  await before.run(2 * MINUTE)
  expect(statusText(await before.status())).not.toContain('DIFFERS')
  await before.leave(MINUTE)
  first.close()
  byHand(before).order('SELL', 'CLOSE', 'MARKET', 10)

  const second = new Journal(path)
  const after = futuresBot({ ...options, journal: second, beside: before })
  await after.start()
  const lines = statusText(await after.status()).split('\n')
  expect(lines[1]).toBe(
    'DIFFERS FROM THE ACCOUNT: positions and money below are the books of this bot; at the latest look the account had something else. A look that shows the same again adopts it, or halts what it cannot explain; where coins of a position are missing, 90 s after the log has told it, because the sale of them may be listed late.',
  )
  expect(lines[3]).toContain('BTC/USDT: LONG 10 contracts')
  expect(after.said('books and account do not agree yet')).toHaveLength(1)
  await after.run(15_000)
  const later = statusText(await after.status()).split('\n')
  expect(later[1]).toMatch(
    /^CHANGED OUTSIDE: BTC.USDT \(LONG 10 contracts\) was sold outside the bot at 99\.99 on /,
  )
  expect(later.slice(2, 4)).toEqual(['Positions', '  none'])
  await after.leave(MINUTE)
  second.close()
})

it('says as long as the host of a paper account is away', async () => {
  const sentence = 'The host has shown no order book of BTC/USDT for 12 s.'
  let silence: string | undefined = sentence
  const session = new BotSession({ strategy: bidder, silence: () => silence })
  await session.start()
  expect(statusText(await session.status()).split('\n')[1]).toBe(`HOST SILENT: ${sentence}`)
  silence = undefined
  expect(statusText(await session.status())).not.toContain('HOST SILENT')
})

describe('what a status says of a strategy that threw', () => {
  /** Acts on its first kline as told, then throws. */
  const thrower = (act: () => ReturnType<typeof enterLong> | undefined) =>
    defineStrategy({
      name: 'thrower',
      state: () => ({ klines: 0 }),
      onKline: (_kline, { state }) => {
        state.klines++
        if (state.klines === 2) throw new Error('I divided by zero.')
        return act()
      },
    })

  it('names a position that no order protects', async () => {
    const session = new BotSession({ strategy: thrower(() => enterLong()) })
    const lines = await statusAfter(session, 3 * MINUTE)
    const bare =
      'It holds BTC/USDT and NO order protects that; close it with "npm run -s bot -- flatten BTC/USDT", or by hand.'
    expect(lines[1]).toContain(`until the bot is started again. ${bare}`)
    expect(session.said('strategy stopped: it threw')).toEqual([expect.objectContaining({ left: bare })])
  })

  it('says at the next start that it decides again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-status-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const journal = new Journal(join(folder, 'bot.journal'))
    onTestFinished(() => journal.close())
    const strategy = thrower(() => undefined)
    const first = new BotSession({ strategy, journal })
    await first.start()
    await first.run(3 * MINUTE)
    expect(first.said('a strategy that had stopped decides again')).toEqual([])
    await first.leave(1)
    const second = new BotSession({ strategy, journal, beside: first })
    await second.start()
    expect(second.said('a strategy that had stopped decides again')).toEqual([
      expect.objectContaining({ book: 'BTC/USDT' }),
    ])
    await second.leave(1)
  })

  it('says that it holds nothing, and the summary that it threw', async () => {
    const session = new BotSession({ strategy: thrower(() => undefined) })
    const lines = await statusAfter(session, 3 * MINUTE)
    expect(lines[1]).toContain('It holds nothing.')
    const summary = await session.leave(1)
    expect(summary?.stopped).toEqual([
      {
        strategy: 'thrower',
        book: 'BTC/USDT',
        how: 'threw',
        why: expect.stringContaining('I divided by zero.'),
      },
    ])
    expect(summary === undefined ? '' : summaryText(summary)).toMatch(
      /\n {2}stopped {5}thrower on BTC\/USDT threw and decided nothing more: .*I divided by zero\./,
    )
  })
})

describe('the status of orders and scopes', () => {
  it('says of an entry by stop that only the bot watches it, and what an account that is halted means for its parts', async () => {
    const strategy = once(() => enterLong({ order: { type: 'stop', stopPrice: 120 } }))
    const session = new BotSession({ strategy })
    const bot = await session.create()
    bot.start(error => session.failures.push(error))
    await session.run(2 * MINUTE)
    const statusLines = async () => {
      const answer = await bot.operate({ command: 'status' })
      return answer.ok ? statusText(answer.status).split('\n') : []
    }
    const lines = await statusLines()
    expect(lines).toContain(
      '  BTC/USDT: BUY 1 BTC, stop 120, entry, watched by the bot, not at the exchange yet',
    )
    expect(session.user.history.openOrders).toEqual([])
    expect(session.said('order open')).toEqual([expect.objectContaining({ watchedBy: 'bot' })])
    expect(lines).toContain('  BTC/USDT: active')
    await bot.operate({ command: 'halt' })
    await session.run(1000)
    expect(session.said('order canceled')).toEqual([expect.objectContaining({ watchedBy: 'bot' })])
    const halted = await statusLines()
    expect(halted).toContain('  account: halted')
    expect(halted).toContain('  BTC/USDT: halted, as the account is')
    expect(halted).toContain('  once on BTC/USDT: halted, as the account is')
  })

  it('says of an order at the exchange nothing of the bot', async () => {
    const session = new BotSession({ strategy: bidder })
    await statusAfter(session, 2 * MINUTE)
    expect(session.said('order open')).toEqual([expect.not.objectContaining({ watchedBy: 'bot' })])
  })
})

describe('the summary of a run, for people', () => {
  it('tells profit and fees first', async () => {
    const session = new BotSession({ strategy: flipper, klines: flatMarket(100, 60) })
    await session.start()
    await session.run(3 * MINUTE + 2000)
    const summary = await session.leave(1)
    if (summary === undefined) throw new Error('The bot has not left.')
    // Bought 1 at 100.01, fee 0.001 BTC; sold 0.999 at 99.99, fee 0.1%; bought 1 again. 0.32988 of 10,000 is 0.0033%.
    expect(summaryText(summary).split('\n')).toEqual([
      'Summary',
      '  profit      -0.33 USDT (0.00%), the change of equity since this start',
      '  realised    -0.22 USDT by round trips, after fees',
      // Of the position -0.00999, and 0.10001 for the fee of its entry.
      '  open        -0.11 USDT by open positions, the change since this start, after entry fees',
      '  fees        0.002 BTC, 0.10 USDT',
      '  position    BTC/USDT: LONG 0.999 BTC (cost 99.91 USDT), entry 100.01, last 100.00, -0.01 USDT (-0.01%)',
      '  equity      9,999.67 USDT',
      '  balances    0.999 BTC, 9,899.77 USDT',
      '  trades      1 round trip, 3 fills, 3 orders, 3 signals, 0 denials, 0 rejections, 3 klines',
      '  trading     active',
      'Still held: long 0.99900 BTC of BTC/USDT. No order of this bot rests at the exchange.',
      '',
    ])
  })
})
