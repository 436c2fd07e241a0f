import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { replayJournal } from '../../../src/bot/state/replay-journal.ts'
import { UsageError } from '../../../src/domain/sluice-error.ts'
import type { HttpRequest, Transport } from '../../../src/exchange/http/transport.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { JournalReader } from '../../../src/journal/journal-reader.ts'
import { defineStrategy, enterLong, exit, type Strategy } from '../../../src/strategy/index.ts'
import { ANSWER_LOST } from '../../faulty-transport.ts'
import { journalPath } from '../../journal/journal-session.ts'
import { MINUTE } from '../../simulator/exchange-caller.ts'
import { BotSession, KEY, SECRET } from '../bot-session.ts'
import { flipper } from '../test-strategies.ts'

const PLACE = 'POST /sapi/v2/order'

/** Lets a bot trade for some minutes with every third answer to an order lost; gives its journal's path. */
async function recorded(strategy: Strategy): Promise<string> {
  const path = journalPath()
  const journal = new Journal(path)
  const session = new BotSession({ strategy, journal })
  let orders = 0
  session.journeyOf = call => (call === PLACE && ++orders % 3 === 0 ? ANSWER_LOST : undefined)
  await session.start()
  await session.run(20 * MINUTE)
  await session.leave(MINUTE)
  journal.close()
  expect(session.said('fill').length).toBeGreaterThan(5)
  return path
}

async function replayed(path: string, strategy: Strategy) {
  const reader = new JournalReader(path)
  try {
    return await replayJournal(reader, async () => strategy)
  } finally {
    reader.close()
  }
}

describe('the journal of a bot', () => {
  it('leads to the same decisions when its events are run again', async () => {
    const result = await replayed(await recorded(flipper), flipper)
    expect(result).toMatchObject({ sessions: 1, difference: undefined })
    expect(result.decisions).toBeGreaterThan(20)
  })

  it('shows the first decision that a changed strategy makes differently', async () => {
    const path = await recorded(flipper)
    const patient = defineStrategy({
      name: 'flipper',
      state: () => ({ klines: 0 }),
      onKline: (_kline, { position, state }) =>
        position.direction === 'flat' ? enterLong() : state.klines++ < 3 ? exit() : undefined,
    })
    const { difference } = await replayed(path, patient)
    expect(difference?.recorded).toContain('"type":"exit"')
    expect(difference?.again).toBe('[]')
  })

  it('has a decision on the disk before its order leaves', async () => {
    const path = journalPath()
    const journal = new Journal(path)
    const unknown: string[] = []
    const look = ({ body }: HttpRequest): void => {
      const id = String(JSON.parse(body).clientOrderId ?? JSON.parse(body).newClientOrderId)
      const reader = new JournalReader(path)
      const decisions = JSON.stringify(
        [...reader.entries()].map(entry => entry.decisions),
        (_key, value) => (typeof value === 'bigint' ? `${value}` : value),
      )
      reader.close()
      if (!decisions.includes(id)) unknown.push(id)
    }
    const host = (exchange: Transport) => (request: HttpRequest) => {
      if (request.method === 'POST' && request.url.endsWith('/sapi/v2/order')) look(request)
      return exchange(request)
    }
    const session = new BotSession({ strategy: flipper, journal, host })
    await session.start()
    await session.run(5 * MINUTE)
    journal.close()
    expect(session.said('fill').length).toBeGreaterThan(2)
    expect(unknown).toEqual([])
  })

  it('contains no secret', async () => {
    const database = new DatabaseSync(await recorded(flipper), { readOnly: true })
    const text = JSON.stringify(database.prepare('SELECT body, decisions FROM entries').all())
    database.close()
    expect(text).not.toContain(KEY)
    expect(text).not.toContain(SECRET)
  })

  it('without a session cannot be run again', async () => {
    const path = journalPath()
    const journal = new Journal(path)
    journal.append({ kind: 'event', time: 0, body: { type: 'balancesReported' } })
    journal.close()
    await expect(replayed(path, flipper)).rejects.toThrow(UsageError)
  })
})
