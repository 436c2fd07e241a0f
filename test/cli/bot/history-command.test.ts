import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type HistoryList, runHistory } from '../../../src/cli/bot/history-command.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../../src/domain/numbers/grid.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { enterLong } from '../../../src/strategy/index.ts'
import { BotSession, KEY, SECRET } from '../../bot/bot-session.ts'
import { personOf } from '../../bot/spot/spot-person.ts'
import { idleSession } from '../../bot/state/idle-session.ts'
import { once } from '../../bot/test-strategies.ts'
import { journalPath } from '../../journal/journal-session.ts'
import { flatMarket, MINUTE, START } from '../../simulator/exchange-caller.ts'

/** Buys once with protection. */
const guarded = once(() => enterLong({ stopLoss: 90, takeProfit: 150 }))

/** The lists that a configuration with the given journal shows. */
function listsOf(path: string): (list: HistoryList, last?: number) => Promise<string> {
  const config = `${path}.yaml`
  writeFileSync(
    config,
    readFileSync('config/paper.yaml', 'utf8').replace(
      /^journal:.*(?:\n +.*)*/m,
      `journal: { file: ${path} }`,
    ),
  )
  return async (list, last = 20) => {
    const texts: string[] = []
    const out = { write: (text: string) => texts.push(text) } as never // it only writes
    await runHistory({ config, list, last, json: false }, { out, err: out })
    return texts.join('')
  }
}

it('lists orders and trades in plain words', async () => {
  const path = journalPath()
  const journal = new Journal(path)
  const session = new BotSession({ strategy: guarded, journal })
  await session.start()
  await session.run(2 * MINUTE)
  const listed = listsOf(path)
  const id = / \(id [\w-]+\)/g
  expect(await listed('orders')).toContain(
    'stop 90.00, stop-loss: watched by the bot, not at the exchange yet, 0.00000 filled',
  )
  await session.run(MINUTE)
  await session.operate('flatten')
  await session.run(MINUTE)
  await session.leave(MINUTE)
  journal.close()
  expect((await listed('orders')).replaceAll(id, '').trimEnd().split('\n')).toEqual([
    '2024-01-01 00:11:00Z BTC/USDT BUY 1.00000 BTC, market, entry: filled, 1.00000 filled',
    '2024-01-01 00:11:00Z BTC/USDT SELL 0.99900 BTC, stop 90.00, stop-loss: canceled, which never was at the exchange, 0.00000 filled',
    '2024-01-01 00:11:00Z BTC/USDT SELL 0.99900 BTC, limit 150.00, take-profit: canceled, which never was at the exchange, 0.00000 filled',
    "2024-01-01 00:13:00Z BTC/USDT SELL 0.99900 BTC, market, operator's command: filled, 0.99900 filled",
  ])
  // 100.01 paid for 1 BTC; 0.999 BTC of it, less the fee of 0.1%, sold at 99.99 less 0.1%: 99.79011999.
  expect(await listed('trades')).toBe(
    "2024-01-01 00:13:00Z BTC/USDT LONG 0.99900 BTC from 100.01 to 99.99: -0.22 USDT after fees of 0.20 USDT (operator's command)\n",
  )
  expect(await listed('log')).not.toMatch(/stopLoss|takeProfit|outsideClose/)
})

it('lists a protective order with the quantity that it has now', async () => {
  const path = journalPath()
  const journal = new Journal(path)
  // 0.6 BTC are offered at 100.01, the rest at 100.02.
  const liquidity = { levelNotionals: ['60.006', '100000'] }
  const session = new BotSession({
    ...{ strategy: once(() => enterLong({ stopLoss: 90 })), journal },
    exchange: {
      listings: [{ symbol: 'BTC/USDT', market: { type: 'klines', klines: flatMarket(100, 60) } }],
      accounts: [{ apiKey: KEY, apiSecret: SECRET, balances: { USDT: '10000' } }],
      liquidity,
    },
  })
  await session.start()
  await session.run(2 * MINUTE)
  const listed = listsOf(path)
  // The stop was placed at the first fill, of 0.6 less 0.1%.
  expect(await listed('orders')).toContain('SELL 0.99900 BTC, stop 90.00, stop-loss')
  personOf(session).order('SELL', 'MARKET', '0.4')
  await session.run(13_000)
  expect(await listed('orders')).toContain('SELL 0.59900 BTC, stop 90.00, stop-loss')
  await session.leave(MINUTE)
  journal.close()
})

it('separates the thousands of prices', async () => {
  const path = journalPath()
  const journal = new Journal(path)
  const session = new BotSession({
    ...{ strategy: once(() => enterLong({ stopLoss: 9_000 })), journal },
    exchange: {
      listings: [{ symbol: 'BTC/USDT', market: { type: 'klines', klines: flatMarket(10_000, 60) } }],
      accounts: [{ apiKey: KEY, apiSecret: SECRET, balances: { USDT: '100000' } }],
    },
  })
  await session.start()
  await session.run(2 * MINUTE)
  const listed = listsOf(path)
  expect(await listed('orders')).toContain('BTC, stop 9,000.00, stop-loss: ')
  await session.operate('flatten')
  await session.run(MINUTE)
  await session.leave(MINUTE)
  journal.close()
  // Bought one tick above 10,000 and sold one below.
  expect(await listed('trades')).toMatch(/ from 10,000\.01 to 9,999\.99: /)
})

/** 3,100 round trips beside 6,200 orders would take days of a market: this journal is written by hand. */
function longJournal(trips: number): { readonly path: string; readonly journal: Journal } {
  const path = journalPath()
  const journal = new Journal(path)
  journal.append({ kind: 'session', time: START, body: idleSession() })
  for (let count = 1; count <= trips; count++) {
    const time = START + count * MINUTE
    const roundTrip = {
      ...{
        symbol: 'BTC/USDT',
        book: 'BTC/USDT',
        direction: 'long',
        entryReason: 'entry',
        exitReason: 'exit',
      },
      ...{ entryTime: time - 1, exitTime: time, entryPrice: ticks(10_000), exitPrice: ticks(10_001) },
      ...{ quantity: steps(1000), pnl: amountOf('1'), fees: amountOf('0.1') },
    }
    const decisions = [{ type: 'roundTripClosed', roundTrip }]
    journal.append({ kind: 'event', time, body: { type: 'pricesSeen', prices: new Map(), time }, decisions })
    for (let other = 0; other < 2; other++)
      journal.append({
        kind: 'event',
        time,
        body: { type: 'pricesSeen', prices: new Map(), time },
        decisions: [],
      })
  }
  journal.commit()
  return { path, journal }
}

it('lists as many as are asked for, of a journal of any length', async () => {
  const { path, journal } = longJournal(3100)
  const listed = listsOf(path)
  const count = async (last: number) => (await listed('trades', last)).trimEnd().split('\n').length
  expect(await count(50)).toBe(50)
  expect(await count(100_000)).toBe(3100)
  journal.close()
})
