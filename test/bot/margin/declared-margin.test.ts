import { describe, expect, it } from 'vitest'
import { Journal } from '../../../src/journal/journal.ts'
import { journalPath } from '../../journal/journal-session.ts'
import { flatMarket, MINUTE } from '../../simulator/exchange-caller.ts'
import { BotSession } from '../bot-session.ts'
import { flipper } from '../test-strategies.ts'
import { marginBot } from './margin-bot.ts'

describe('the declared balances of a margin account', () => {
  const journalled = (journal: Journal, declared: Readonly<Record<string, string>>) =>
    marginBot({ strategy: flipper, klines: flatMarket(100, 60), journal, declared, held: { USDT: '1000' } })

  it('are not read again once the journal has them, and a change is said with what to do', async () => {
    const path = journalPath()
    const first = new Journal(path)
    const session = journalled(first, { USDT: '1000' })
    await session.start()
    await session.run(5.5 * MINUTE)
    const before = await session.leave(5000)
    first.close()
    for (let start = 0; start < 2; start++) {
      const second = new Journal(path)
      const again = journalled(second, { USDT: '5000', BTC: '1' })
      await again.create()
      expect(again.said('the declared margin balances were changed, and do not count')).toEqual([
        expect.objectContaining({
          why: 'The configuration declares 1 BTC and 5000 USDT on the margin account, but the journal began with 1000 USDT and has booked every own trade since: the journal counts. Put the old declaration back, or, to begin with the new one, close what is held and start with a new journal.',
        }),
      ])
      expect((await again.leave(5000))?.balances).toEqual(before?.balances)
      second.close()
    }
  })

  it('are not said to have changed when they are written otherwise', async () => {
    const path = journalPath()
    for (const declared of [
      { USDT: '1000', BTC: '0' },
      { BTC: '0.0', USDT: '1000.00' },
    ]) {
      const journal = new Journal(path)
      const session = journalled(journal, declared)
      await session.create()
      expect(session.said('the declared margin balances were changed, and do not count')).toEqual([])
      await session.leave(5000)
      journal.close()
    }
  })

  it('are refused where the journal trades the symbol on another account', async () => {
    const path = journalPath()
    const first = new Journal(path)
    const spot = new BotSession({ strategy: flipper, journal: first })
    await spot.create()
    await spot.leave(5000)
    first.close()
    const second = new Journal(path)
    await expect(journalled(second, { USDT: '1000' }).create()).rejects.toThrow(
      'The configuration trades BTC/USDT on the margin account, but the journal on the spot account.',
    )
    second.close()
  })
})
