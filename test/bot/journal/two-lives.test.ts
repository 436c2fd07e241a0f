import { describe, expect, it } from 'vitest'
import { replayJournal } from '../../../src/bot/state/replay-journal.ts'
import type { SessionRecord } from '../../../src/bot/state/session-record.ts'
import type { EngineOutput } from '../../../src/domain/events/engine-output.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { JournalReader } from '../../../src/journal/journal-reader.ts'
import { defineStrategy, enterLong, ticker } from '../../../src/strategy/index.ts'
import { REQUEST_LOST } from '../../faulty-transport.ts'
import { journalPath } from '../../journal/journal-session.ts'
import { ExchangeCaller, MINUTE } from '../../simulator/exchange-caller.ts'
import { BotSession, KEY, SECRET } from '../bot-session.ts'

const PLACE = 'POST /sapi/v2/order'

/**
 * Places an order at its first ticker. The time of a ticker is where its 24 hours begin, so that every life decides on the
 * same one.
 */
const tickerBuyer = (limit?: number) =>
  defineStrategy({
    name: 'ticker-buyer',
    feeds: () => ({ quote: ticker({ everyMs: 1000 }) }),
    state: () => ({ hasBought: false }),
    on: {
      quote: (_ticker, { state }) => {
        if (state.hasBought) return undefined
        state.hasBought = true
        return enterLong(limit === undefined ? {} : { order: { type: 'limit', price: limit } })
      },
    },
    onStop: ({ state }) => {
      state.hasBought = false
      return undefined
    },
  })

const idsSent = (session: BotSession) =>
  session.said('order submitted').map(({ clientOrderId }) => String(clientOrderId))

describe('two lives of a bot that decide on the same ticker', () => {
  it('never share a clientOrderId, so that a lost placement is not taken for the order of before', async () => {
    const session = new BotSession({ strategy: tickerBuyer() })
    await session.start()
    await session.run(5000)
    await session.leave(10_000)
    expect(session.said('fill')).toHaveLength(1)
    session.journeyOf = call => (call === PLACE ? REQUEST_LOST : undefined)
    await session.start()
    await session.run(MINUTE)
    expect(session.failures).toEqual([])
    const [first, second, ...others] = idsSent(session)
    expect(others).toEqual([])
    expect(second).not.toBe(first)
    expect(session.user.history.orders).toHaveLength(1)
    expect(session.said('fill')).toHaveLength(1)
    const reason = expect.stringContaining('cannot accept it any more')
    expect(session.said('order expired')).toEqual([
      expect.objectContaining({ clientOrderId: second, reason }),
    ])
  })

  it('decide at no time before they began, and go on with other ids from a journal', async () => {
    const path = journalPath()
    const journal = new Journal(path)
    const session = new BotSession({ strategy: tickerBuyer(50), journal })
    for (let life = 0; life < 3; life++) {
      await session.start()
      await session.run(5000)
      await session.leave(10_000)
    }
    journal.close()
    expect(session.failures).toEqual([])
    expect(new Set(idsSent(session)).size).toBe(3)
    const reader = new JournalReader(path)
    const starts: number[] = []
    for (const { kind, body, decisions } of reader.entries()) {
      if (kind === 'session') starts.push((body as SessionRecord).startedAt ?? Number.NaN)
      for (const output of (decisions ?? []) as EngineOutput[])
        if (output.type === 'placeOrder')
          expect(output.request.decidedAt).toBeGreaterThanOrEqual(starts.at(-1) ?? Number.NaN)
    }
    expect(starts).toHaveLength(3)
    expect(new Set(starts).size).toBe(3)
    expect(starts.toSorted((one, other) => one - other)).toEqual(starts)
    const replay = await replayJournal(reader, async () => tickerBuyer(50))
    expect(replay).toMatchObject({ sessions: 3, difference: undefined })
    reader.close()
  })

  it('begin at different times of a journal also where the clock of the exchange went back', async () => {
    const path = journalPath()
    const journal = new Journal(path)
    const strategy = tickerBuyer(50)
    const first = new BotSession({ strategy, journal })
    await first.run(30 * MINUTE)
    await first.start()
    await first.run(5000)
    await first.leave(10_000)
    const second = new BotSession({ strategy, journal })
    await second.start()
    await second.run(5000)
    await second.leave(10_000)
    journal.close()
    const ids = [...idsSent(first), ...idsSent(second)]
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(2)
  })
})

describe('another order under the id of one whose placement is lost', () => {
  it('is not booked as ours: it is said, and the instrument is held back until the operator resumes it', async () => {
    const session = new BotSession({ strategy: tickerBuyer() })
    session.journeyOf = (call, { body }) => {
      if (call !== PLACE) return undefined
      const caller = new ExchangeCaller(session.exchange, { apiKey: KEY, apiSecret: SECRET })
      caller.now = session.clock.now()
      caller.order('BUY', 'LIMIT', '3', '101', { newClientOrderId: JSON.parse(body).newClientOrderId })
      return REQUEST_LOST
    }
    await session.start()
    await session.run(MINUTE)
    expect(session.failures).toEqual([])
    expect(session.said('fill')).toEqual([])
    expect(session.said('order expired')).toHaveLength(1)
    const [halt, ...others] = session.said('trading halted')
    expect(others).toEqual([])
    expect(JSON.stringify(halt)).toMatch(
      /The exchange has order \d+ of BTC\/USDT under the clientOrderId [\w-]+, whose placement got no answer, but it is not the order that left: its quantity is 3\./,
    )
    expect(await session.operate('resume', { symbol: 'BTC/USDT' })).toMatch(/active/)
  })
})
