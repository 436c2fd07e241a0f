import { describe, expect, it, vi } from 'vitest'
import { Journal } from '../../../src/journal/journal.ts'
import { defineStrategy, enterLong, exit } from '../../../src/strategy/index.ts'
import { journalPath } from '../../journal/journal-session.ts'
import { flatMarket, MINUTE } from '../../simulator/exchange-caller.ts'
import { BotSession, type BotSessionOptions } from '../bot-session.ts'
import { futuresBot } from '../futures/futures-bot.ts'

const HALTED = 'trading halted'
const NAMESAKE = 'another process trades under the name of this bot'

/** Keeps a bid at 90 on the book. */
const bidder = defineStrategy({
  name: 'same',
  onKline: (_kline, { orders }) =>
    orders.length === 0 ? enterLong({ order: { type: 'limit', price: 90 } }) : undefined,
})

/** Buys and sells at market, in turn. */
const taker = defineStrategy({
  name: 'same',
  onKline: (_kline, { position }) => (position.direction === 'flat' ? enterLong() : exit()),
})

/** Holds one more contract every third kline. */
const holdsOften = defineStrategy({
  name: 'same',
  state: () => ({ row: 0 }),
  onKline: (_kline, { state }) =>
    state.row++ % 3 === 0 ? enterLong({ size: { base: 0.1 }, scaleIn: true }) : undefined,
})

/** Never trades. */
const watcher = defineStrategy({ name: 'same', onKline: () => undefined })

const klines = flatMarket(100, 60)
type Options = Pick<BotSessionOptions, 'strategy' | 'journal' | 'beside' | 'sessionTag'>

/** Bots on each kind of account, and the ids of the orders that rest there. */
const ACCOUNTS = {
  spot: {
    bot: (options: Options) => new BotSession({ klines, ...options }),
    open: async ({ client }: BotSession) => idsOf(await client.spot.openOrders({ symbol: 'BTC/USDT' })),
  },
  futures: {
    bot: (options: Options) => futuresBot({ klines, ...options }),
    open: async ({ client }: BotSession) =>
      idsOf(await client.futures.openOrders({ contractName: 'E-BTC-USDT' })),
  },
}

function idsOf(orders: readonly { readonly clientOrderId?: string | undefined }[]) {
  return orders.map(({ clientOrderId }) => clientOrderId)
}

const SENTENCE =
  /^Another process trades this account under the name "test": it placed order \d+ \(.+\) on BTC\/USDT after this bot started\. Nothing of it was canceled\. Stop one of the two, or give one another name \(bot: in its configuration\), then resume this one\.$/

function expectHalted(session: BotSession): void {
  expect(session.said(NAMESAKE).map(({ level }) => level)).toContain('error')
  const [halted] = session.said(HALTED)
  expect(halted).toMatchObject({ scope: 'account', mode: 'halted' })
  expect(halted?.holds).toEqual([
    expect.objectContaining({ source: 'invariant', reason: expect.stringMatching(SENTENCE) }),
  ])
}

describe.each(['spot', 'futures'] as const)('two bots of one name on one %s account', kind => {
  const { bot, open } = ACCOUNTS[kind]

  it('the one that notices halts with a sentence, and cancels nothing that the other placed since', async () => {
    const first = bot({ strategy: bidder })
    await first.start()
    await first.run(2 * MINUTE)
    const [leftover] = await open(first)
    const second = bot({ strategy: watcher, beside: first })
    await second.start()
    // An order older than its start may be what an earlier life left: it is canceled, and the first bot bids anew.
    expect(second.said('leftover order canceled').map(({ clientOrderId }) => clientOrderId)).toEqual([
      leftover,
    ])
    await first.run(5 * MINUTE)
    const [working, ...more] = await open(first)
    expect(more).toEqual([])
    expect(working).not.toBe(leftover)
    expect(second.said('leftover order canceled')).toHaveLength(1)
    expect(second.said(NAMESAKE).map(({ clientOrderId }) => clientOrderId)).toEqual([working])
    expectHalted(second)
    expect(first.said(HALTED)).toEqual([])
    expect([...first.failures, ...second.failures]).toEqual([])
  })

  it('one halts where both bid, the other goes on, and neither touches an order of the other', async () => {
    const [one, other] = [new Journal(journalPath()), new Journal(journalPath())]
    const first = bot({ strategy: bidder, journal: one })
    await first.start()
    await first.run(1000)
    const second = bot({ strategy: bidder, journal: other, beside: first })
    await second.start()
    await first.run(5 * MINUTE)
    const [halted, ...more] = [first, second].filter(session => session.said(HALTED).length > 0)
    expect(more).toEqual([])
    if (halted === undefined) throw new Error('No bot has halted.')
    expectHalted(halted)
    for (const session of [first, second]) {
      expect(session.said('leftover order canceled')).toEqual([])
      expect(session.said('late order canceled')).toEqual([])
      expect(session.failures).toEqual([])
    }
    // The one that halted took back its own bid, as every halt does; the bid of the other rests since the first minute.
    const going = halted === first ? second : first
    const [bid] = going.said('order open').map(({ clientOrderId }) => clientOrderId)
    expect(await open(first)).toEqual([bid])
    expect(going.said('order canceled')).toEqual([])
    await first.leave(MINUTE)
    await second.leave(MINUTE)
    one.close()
    other.close()
  })

  it('one halts where both began in the same ms', async () => {
    const first = bot({ strategy: bidder, sessionTag: 'aa' })
    const second = bot({ strategy: watcher, sessionTag: 'bb', beside: first })
    const startedAt = first.clock.now()
    const clock = vi.spyOn(first.clock, 'now').mockReturnValue(startedAt)
    await first.start()
    await second.start()
    clock.mockRestore()
    await first.run(2 * MINUTE)
    expectHalted(second)
    expect(first.said(HALTED)).toEqual([])
  })

  it('notices the other by its trades, where no order of it ever rests', async () => {
    const first = bot({ strategy: taker })
    await first.start()
    await first.run(1000)
    const second = bot({ strategy: watcher, beside: first })
    await second.start()
    await first.run(5 * MINUTE)
    expectHalted(second)
    expect(first.said(HALTED)).toEqual([])
  })

  it('may be resumed once the other has ended, and halts anew if it comes back', async () => {
    const first = bot({ strategy: bidder })
    await first.start()
    await first.run(1000)
    const second = bot({ strategy: watcher, beside: first })
    await second.start()
    await first.run(2 * MINUTE)
    expectHalted(second)
    await first.leave(MINUTE)
    expect(await second.operate('resume')).toContain('Trading of the account is active.')
    await second.run(3 * MINUTE)
    expect(second.said(HALTED)).toHaveLength(1)
    const third = bot({ strategy: bidder, beside: second })
    await third.start()
    await third.run(2 * MINUTE)
    expect(second.said(HALTED)).toHaveLength(2)
    expect(third.said(HALTED)).toEqual([])
  })
})

describe('a bot that begins anew without a journal', () => {
  it('cancels what its earlier life left, and trades on', async () => {
    const session = new BotSession({ klines, strategy: bidder, execution: { onStop: 'keep' } })
    await session.start()
    await session.run(2 * MINUTE)
    const [left] = session.openIds
    await session.leave(1000)
    await session.start()
    await session.run(2 * MINUTE)
    expect(session.said('leftover order canceled').map(({ clientOrderId }) => clientOrderId)).toEqual([left])
    expect(session.openIds).toHaveLength(1)
    expect(session.said(HALTED)).toEqual([])
  })
})

it('a contract that is halted because of what the other holds tells to stop one of both, not to close that by hand', async () => {
  const { bot } = ACCOUNTS.futures
  const first = bot({ strategy: holdsOften })
  await first.start()
  await first.run(2 * MINUTE)
  const second = bot({ strategy: watcher, beside: first })
  await second.start()
  await first.run(5 * MINUTE)
  expectHalted(second)
  const shown = (await second.status()).trading.find(({ scope }) => scope === 'BTC/USDT')?.haltedUntilStart
  expect(shown).toBe(
    'Another process trades this account under the name "test", which explains that books and account differ. Close nothing by hand; stop one of the two, or give one another name (bot: in its configuration), then restart this one.',
  )
  // Before the other's first order since this start, the difference was all that there was to tell.
  const [halt] = second.said('instrument halted: nothing more is decided on it')
  expect(halt?.reason).toContain('our books 0; bring them together by hand')
  expect(second.said('the reason of a halt has changed').map(({ reason }) => reason)).toEqual([shown])
})
