import { describe, expect, it } from 'vitest'
import type { Signal } from '../../src/domain/signal.ts'
import { Journal } from '../../src/journal/journal.ts'
import { defineStrategy, enterLong, enterShort, exit, type Strategy } from '../../src/strategy/index.ts'
import { journalPath } from '../journal/journal-session.ts'
import { flatMarket, klinesOf, MINUTE, START } from '../simulator/exchange-caller.ts'
import type { BotSession } from './bot-session.ts'
import { accountOf, type FuturesBotOptions, futuresBot, walletOf } from './futures/futures-bot.ts'

const MODES = ['cross', 'isolated'] as const

/** Says something at the closes of some minutes, counted from the market's start. */
function scripted(script: Readonly<Record<number, Signal | readonly Signal[]>>): Strategy {
  return defineStrategy({
    name: 'hedger',
    onKline: ({ openTime }) => script[(openTime - START) / MINUTE + 1],
  })
}

function twoWayBot(
  marginMode: (typeof MODES)[number],
  script: Readonly<Record<number, Signal | readonly Signal[]>>,
  { klines = flatMarket(100, 60), ...more }: Partial<FuturesBotOptions> = {},
): BotSession {
  return futuresBot({
    strategy: scripted(script),
    klines,
    account: { type: 'futures', leverage: 10, marginMode, positionMode: 'twoWay' },
    ...more,
  })
}

/** What the exchange holds: contracts of 0.1 BTC by direction. */
function heldThere(session: BotSession): Readonly<Record<string, number>> {
  return Object.fromEntries(
    accountOf(session)
      .positions()
      .map(({ direction, volume }) => [direction, volume]),
  )
}

/** Orders as they came to the exchange, oldest first. */
function ordersThere(session: BotSession): readonly string[] {
  return accountOf(session)
    .records.orders.map(({ side, action, executedQuantity }) => `${side} ${action} ${executedQuantity}`)
    .toReversed()
}

/** What would show that books and exchange disagree. */
const TROUBLE = [
  'balance adopted from the exchange',
  'margin adopted from the exchange',
  'the exchange holds less of a position than the ledger',
  'instrument halted: nothing more is decided on it',
]

function expectNoTrouble(session: BotSession): void {
  expect(TROUBLE.filter(message => session.said(message).length > 0)).toEqual([])
  expect(session.failures).toEqual([])
}

describe('a bot that holds both sides of a contract', () => {
  it.each(MODES)('keeps long and short apart, and each exit names its side (%s)', async marginMode => {
    const session = twoWayBot(marginMode, {
      11: enterLong({ size: { base: 1 } }),
      12: enterShort({ size: { base: 0.7 } }),
      13: exit({ direction: 'long', fraction: 0.4 }),
      15: exit({ direction: 'short' }),
    })
    await session.start()
    await session.run(4 * MINUTE)
    expect(heldThere(session)).toEqual({ long: 6, short: 7 })
    await session.run(2 * MINUTE)
    expect(heldThere(session)).toEqual({ long: 6 })
    expect(ordersThere(session)).toEqual(['buy OPEN 10', 'sell OPEN 7', 'sell CLOSE 4', 'buy CLOSE 7'])
    const wallet = walletOf(session)
    const summary = await session.leave(5000)
    expect(summary?.balances).toEqual({ USDT: wallet })
    expect(summary?.position).toEqual({ 'BTC/USDT:long': '6', 'BTC/USDT:short': '0' })
    expectNoTrouble(session)
  })

  it('sends an exit of one side again that the exchange refuses, and closes the other side meanwhile', async () => {
    let refusals = 3
    const asked: string[] = []
    const body = JSON.stringify({ code: '-2016', msg: 'Trading is frozen.', data: null })
    const session = twoWayBot(
      'cross',
      {
        11: enterLong({ size: { base: 1 } }),
        12: enterShort({ size: { base: 0.7 } }),
        13: [exit({ direction: 'long' }), exit({ direction: 'short' })],
      },
      {
        host: exchange => request => {
          const isOrder = request.method === 'POST' && request.url.endsWith('/order')
          const { open, side } = isOrder ? JSON.parse(request.body) : {}
          if (open === 'CLOSE') asked.push(side)
          return open === 'CLOSE' && side === 'SELL' && refusals-- > 0
            ? Promise.resolve({ status: 200, body })
            : exchange(request)
        },
      },
    )
    await session.start()
    await session.run(4 * MINUTE)
    expect(heldThere(session)).toEqual({})
    expect(asked.toSorted()).toEqual(['BUY', 'SELL', 'SELL', 'SELL', 'SELL'])
    expect(ordersThere(session)).toEqual(['buy OPEN 10', 'sell OPEN 7', 'buy CLOSE 7', 'sell CLOSE 10'])
    const wallet = walletOf(session)
    const summary = await session.leave(5000)
    expect(summary?.balances).toEqual({ USDT: wallet })
    expectNoTrouble(session)
  })

  it('sells the rest of a side of which a thin book takes only a part', async () => {
    const session = twoWayBot(
      'cross',
      {
        11: enterLong({ size: { base: 0.5 } }),
        12: enterShort({ size: { base: 0.3 } }),
        13: enterLong({ size: { base: 0.5 }, scaleIn: true }),
        14: exit({ direction: 'long' }),
      },
      // 6 and 3 contracts of 10 USDT: at most 9 of the 10 at once.
      { liquidity: { levelNotionals: ['60', '30'] } },
    )
    await session.start()
    await session.run(6 * MINUTE)
    expect(heldThere(session)).toEqual({ short: 3 })
    const closes = ordersThere(session).filter(text => text.startsWith('sell CLOSE'))
    expect(closes.length).toBeGreaterThan(1)
    expect(session.said('exit sent again').length).toBeGreaterThan(0)
    const wallet = walletOf(session)
    const summary = await session.leave(5000)
    expect(summary?.balances).toEqual({ USDT: wallet })
    expect(summary?.position).toEqual({ 'BTC/USDT:long': '0', 'BTC/USDT:short': '-3' })
    expectNoTrouble(session)
  })

  it.each(MODES)('goes on with both after a restart, each under its own stop (%s)', async marginMode => {
    const rise = klinesOf(
      ...Array.from({ length: 17 }, () => [100, 100, 100, 100] as const),
      [100, 104, 100, 104],
      ...Array.from({ length: 20 }, () => [104, 104, 104, 104] as const),
    )
    const journal = new Journal(journalPath())
    const script = {
      11: enterLong({ size: { base: 1 }, stopLoss: 95 }),
      12: enterShort({ size: { base: 0.7 }, stopLoss: 103 }),
      22: exit({ direction: 'long' }),
    }
    const session = twoWayBot(marginMode, script, { klines: rise, journal })
    await session.start()
    await session.run(4 * MINUTE)
    expect(heldThere(session)).toEqual({ long: 10, short: 7 })
    await session.leave(5000)
    await session.start()
    await session.run(MINUTE)
    expect(heldThere(session)).toEqual({ long: 10, short: 7 })
    // The price rises through the stop of the short, then the long is closed.
    await session.run(4 * MINUTE)
    expect(heldThere(session)).toEqual({ long: 10 })
    await session.run(4 * MINUTE)
    expect(heldThere(session)).toEqual({})
    expect(ordersThere(session)).toEqual(['buy OPEN 10', 'sell OPEN 7', 'buy CLOSE 7', 'sell CLOSE 10'])
    expect(session.said('round trip closed').map(({ exitReason }) => exitReason)).toEqual([
      'stopLoss',
      'exit',
    ])
    const wallet = walletOf(session)
    expect((await session.leave(5000))?.balances).toEqual({ USDT: wallet })
    expectNoTrouble(session)
    journal.close()
  })

  it.each(MODES)(
    'closes both when it leaves flat, also where they are equally large (%s)',
    async marginMode => {
      const session = twoWayBot(
        marginMode,
        { 11: enterLong({ size: { base: 1 } }), 12: enterShort({ size: { base: 1 } }) },
        { execution: { onStop: 'flatten' } },
      )
      await session.start()
      await session.run(3 * MINUTE)
      expect(heldThere(session)).toEqual({ long: 10, short: 10 })
      await session.leave(10_000)
      expect(heldThere(session)).toEqual({})
      expectNoTrouble(session)
    },
  )
})
