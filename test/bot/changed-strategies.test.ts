import { describe, expect, it } from 'vitest'
import { loadStrategy } from '../../src/bot/start/load-strategy.ts'
import { Journal } from '../../src/journal/journal.ts'
import { strategyFile } from '../e2e/sluice-process.ts'
import { rejectionOf } from '../exchange/call/scripted-exchange.ts'
import { journalPath } from '../journal/journal-session.ts'
import { flatMarket, MINUTE } from '../simulator/exchange-caller.ts'
import { BotSession } from './bot-session.ts'

const HANDED_OVER = 'another strategy goes on with what is held'

/** In files, because a start loads also those that were taken away since. */
async function strategyOf(name: string, handler: string) {
  const file = strategyFile(name, handler)
  return { file, strategy: await loadStrategy(file), symbol: 'BTC/USDT' }
}

const holder = (name: string) =>
  strategyOf(
    name,
    `(_kline, { position }) => (position.direction === 'flat' ? enterLong({ stopLoss: 90 }) : undefined)`,
  )
const idler = () => strategyOf('idle', '() => undefined')

/** A bot of these strategies on BTC/USDT, at the exchange and with the journal of an earlier one where that is given. */
function botOf(
  journal: Journal,
  traded: readonly Awaited<ReturnType<typeof strategyOf>>[],
  earlier?: BotSession,
): BotSession {
  const [first] = traded
  if (first === undefined) throw new Error('A bot trades something.')
  const { strategy } = first
  const klines = flatMarket(100, 120)
  return new BotSession({
    ...{ strategy, traded, journal, klines },
    ...(earlier !== undefined && { beside: earlier }),
  })
}

/** Lets a bot trade for three minutes and leave what it holds. */
async function trade(session: BotSession) {
  await session.start()
  await session.run(3 * MINUTE)
  const summary = await session.leave(MINUTE)
  expect(session.failures).toEqual([])
  return summary
}

describe('a strategy that holds something', () => {
  it('keeps its position and its stop when another one is added to its pair, before it and after it', async () => {
    const journal = new Journal(journalPath())
    const keeper = await holder('keeper')
    const other = await holder('other')
    const idle = await idler()
    const first = botOf(journal, [keeper])
    // 1 BTC less the fee of 0.1%.
    expect((await trade(first))?.position).toEqual({ 'BTC/USDT': '0.99900' })
    const second = botOf(journal, [other, keeper, idle], first)
    const summary = await trade(second)
    expect(second.said('fill')).toHaveLength(1)
    expect(second.said(HANDED_OVER)).toEqual([])
    expect(summary?.position).toEqual({
      'BTC/USDT': '0.99900',
      'BTC/USDT#other': '0.99900',
      'BTC/USDT#idle': '0',
    })
    const third = botOf(journal, [keeper, other], second)
    expect((await trade(third))?.position).toEqual({ 'BTC/USDT': '0.99900', 'BTC/USDT#other': '0.99900' })
    expect(third.said('fill')).toEqual([])
    expect(third.said('position').map(fields => JSON.stringify(fields))).toEqual([
      expect.stringContaining('stopLoss'),
      expect.stringContaining('stopLoss'),
    ])
    journal.close()
  })

  it('keeps its position when the other one of its pair is taken away', async () => {
    const journal = new Journal(journalPath())
    const keeper = await holder('keeper')
    const idle = await idler()
    const first = botOf(journal, [idle, keeper])
    expect((await trade(first))?.position).toMatchObject({ 'BTC/USDT#keeper': '0.99900' })
    const second = botOf(journal, [keeper], first)
    expect((await trade(second))?.position).toEqual({ 'BTC/USDT#keeper': '0.99900' })
    expect(second.said('fill')).toEqual([])
    journal.close()
  })

  it('cannot be taken away beside another one: nobody would trade what it holds', async () => {
    const journal = new Journal(journalPath())
    const keeper = await holder('keeper')
    const other = await holder('other')
    const first = botOf(journal, [keeper, other])
    await trade(first)
    const error = await rejectionOf(botOf(journal, [keeper], first).create())
    expect(String(error)).toContain(
      'an open position or order of BTC/USDT#other, but no strategy trades it any more',
    )
    journal.close()
  })

  it('hands what it holds to the one that replaces it, which is said', async () => {
    const journal = new Journal(journalPath())
    const keeper = await holder('keeper')
    const other = await holder('other')
    const first = botOf(journal, [keeper])
    await trade(first)
    const second = botOf(journal, [other], first)
    expect((await trade(second))?.position).toEqual({ 'BTC/USDT': '0.99900' })
    expect(second.said(HANDED_OVER)).toMatchObject([
      { book: 'BTC/USDT', former: 'keeper', strategy: 'other' },
    ])
    expect(second.said('fill')).toEqual([])
    journal.close()
  })
})
