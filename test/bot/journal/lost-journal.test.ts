import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { examineJournal } from '../../../src/bot/doctor/examine-journal.ts'
import { runReplay } from '../../../src/cli/bot/replay-command.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { defineStrategy } from '../../../src/strategy/index.ts'
import { journalPath } from '../../journal/journal-session.ts'
import { flatMarket, MINUTE } from '../../simulator/exchange-caller.ts'
import { BotSession, KEY, SECRET } from '../bot-session.ts'

const idle = defineStrategy({ name: 'idle' })
const UNOWNED = 'held, but no strategy owns it'

/** A bot on an account that holds BTC besides. */
function holding(btc: string, journal?: Journal): BotSession {
  return new BotSession({
    strategy: idle,
    ...(journal !== undefined && { journal }),
    exchange: {
      listings: [{ symbol: 'BTC/USDT', market: { type: 'klines', klines: flatMarket(100, 60) } }],
      accounts: [{ apiKey: KEY, apiSecret: SECRET, balances: { USDT: '10000', BTC: btc } }],
    },
  })
}

/** What is thrown. */
function thrownBy(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    return String(error)
  }
  return ''
}

describe('a start without a journal', () => {
  it('says what the account holds of a traded pair, and that no strategy owns it', async () => {
    const session = holding('0.5')
    await session.create()
    expect(session.said(UNOWNED)).toMatchObject([{ asset: 'BTC', held: '0.5', symbols: 'BTC/USDT' }])
  })

  it('says nothing of less than a step', async () => {
    const session = holding('0.000000001')
    await session.create()
    expect(session.said(UNOWNED)).toEqual([])
  })

  it('says so once: with the journal that it begins, the next start knows what was there', async () => {
    const path = journalPath()
    const journal = new Journal(path)
    const first = holding('0.5', journal)
    await first.start()
    await first.leave(MINUTE)
    expect(first.said(UNOWNED)).toHaveLength(1)
    journal.close()
    const again = new Journal(path)
    const second = holding('0.5', again)
    await second.start()
    await second.leave(MINUTE)
    expect(second.said(UNOWNED)).toEqual([])
    again.close()
  })
})

describe('a damaged journal', () => {
  it('is told of alike by a start, the doctor and a replay: the first damage, and what to do', async () => {
    const path = journalPath()
    const journal = new Journal(path)
    for (let time = 1; time <= 5; time++) journal.append({ kind: 'note', time, body: 'a' })
    journal.snapshot(5, {})
    journal.close()
    const database = new DatabaseSync(path)
    // A start reads from the latest state on, and finds the second of these first.
    database.exec(`UPDATE entries SET body = '"b"' WHERE seq = 2; UPDATE snapshots SET state = '{}x'`)
    database.close()
    const lines: string[] = []
    await runReplay({ journal: path, json: false }, { write: (line: string) => lines.push(line) })
    const [, finding] = examineJournal(path, true)
    const told = [
      thrownBy(() => new Journal(path)),
      `${finding?.found} ${finding?.status === 'problem' ? finding.advice : ''}`,
      lines.join(''),
    ]
    for (const sentence of told) {
      expect(sentence).toContain('damaged: entry 2 is not what was written. Entries up to 1 can be trusted. ')
      expect(sentence).toMatch(
        /Without one, close the positions of the bot and cancel its orders at the exchange by hand, and only then move the file away/,
      )
    }
  })
})
