import { expect, it } from 'vitest'
import { statusWarnings } from '../../../src/bot/log/status-warnings.ts'
import { OutsideCloses, type OutsideClosesState } from '../../../src/bot/state/outside-closes.ts'
import { logLineText } from '../../../src/bot/text/log-lines.ts'
import type { Liquidation } from '../../../src/domain/events/liquidation.ts'
import type { Instrument } from '../../../src/domain/instrument.ts'
import { amountOf, ZERO } from '../../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../../src/domain/numbers/grid.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { fromJournalText, journalText } from '../../../src/journal/journal-text.ts'
import { JournalWindow } from '../../../src/web/sources/journal-window.ts'
import { FUTURES_BTC, SPOT_BTC } from '../../domain/instruments.ts'
import { journalPath } from '../../journal/journal-session.ts'
import { MINUTE } from '../../simulator/exchange-caller.ts'
import { BotSession } from '../bot-session.ts'
import { holder } from '../test-strategies.ts'

const HOUR = 60 * MINUTE

/** A close of 0.4 BTC at 99.99 outside the bot; `time`: ms UTC. */
function close(
  closes: OutsideCloses,
  time: number,
  { instrument = SPOT_BTC, ...terms }: Partial<Liquidation> & { readonly instrument?: Instrument } = {},
): void {
  const liquidation: Liquidation = {
    ...{ symbol: 'BTC/USDT', book: 'BTC/USDT', direction: 'long', quantity: steps(400), price: ticks(9999) },
    ...{ fee: ZERO, by: 'others', ...terms },
  }
  closes.observe({ type: 'positionLiquidated', liquidation, time }, () => instrument)
}

/** One close at each of the first twelve hours. */
function twelveCloses(): OutsideCloses {
  const closes = new OutsideCloses()
  for (let hour = 1; hour <= 12; hour++) close(closes, hour * HOUR)
  return closes
}

it('shows the ten latest closes outside the bot, each for 24 hours', () => {
  const closes = twelveCloses()
  expect(closes.shownAt(12 * HOUR)).toHaveLength(10)
  expect(closes.shownAt(35 * HOUR).map(({ time }) => time)).toEqual(['1970-01-01T12:00:00.000Z'])
  expect(closes.shownAt(36 * HOUR)).toEqual([])
})

it('counts the closes of the last 24 hours before the ten that it shows', () => {
  const closes = twelveCloses()
  expect(closes.moreAt(12 * HOUR)).toBe(2)
  expect(closes.shownAt(12 * HOUR).map(({ time }) => new Date(time).getUTCHours())).toEqual([
    3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
  ])
  expect([closes.moreAt(25 * HOUR), closes.moreAt(26 * HOUR)]).toEqual([1, 0])
})

it('shows closes of one moment as one, at their average price', () => {
  const closes = new OutsideCloses()
  for (let part = 0; part < 131; part++)
    close(closes, 5000 - part, { quantity: steps(10), price: ticks(part < 100 ? 10_000 : 9990) })
  close(closes, 6000, { quantity: steps(10), price: ticks(9000) })
  // 1 BTC at 100 and 0.31 at 99.90: 130.969 / 1.31 = 99.976.
  expect(closes.shownAt(6000)).toMatchObject([
    { size: '1.31 BTC', price: '99.98' },
    { size: '0.01 BTC', price: '90.00' },
  ])
})

it('knows the price where a trade tells it, or the wallet of contracts', () => {
  const closes = new OutsideCloses()
  close(closes, 0)
  close(closes, HOUR, { by: 'unknown' })
  close(closes, 2 * HOUR, { by: 'unknown', instrument: FUTURES_BTC })
  expect(closes.shownAt(2 * HOUR).map(one => one.isPriceAssumed)).toEqual([false, true, false])
})

it('says of coins that left without a trade that the price is assumed, and how many closes were before those shown', async () => {
  const session = new BotSession({ strategy: holder })
  await session.start()
  await session.run(2 * MINUTE)
  session.user.account.withdraw('BTC', amountOf('0.4'))
  await session.run(13_000)
  await session.operate('flatten')
  const status = await session.status()
  const [closed, ...others] = status.closedOutside
  expect(others).toEqual([])
  const at = closed?.time.slice(0, 19).replace('T', ' ')
  const line = `CHANGED OUTSIDE: BTC/USDT (LONG 0.4 BTC) went, without a trade that would tell how, outside the bot; it counts as closed at 100.00 on ${at}Z, because nothing tells what it brought; positions and money below count that.`
  // The refused sale of all that was held is said as a failed call.
  const warnings = (more: number) =>
    statusWarnings({ ...status, closedOutsideBefore: more }).filter(text => text.startsWith('CHANGED'))
  expect(warnings(0)).toEqual([line])
  expect(warnings(3)).toEqual([
    'CHANGED OUTSIDE: 3 closes of the last 24 hours before those below; the log and "npm run -s bot -- trades" list them.',
    line,
  ])
  const [said] = session.said('position closed outside the bot')
  expect(logLineText('position closed outside the bot', said ?? {})).toBe(
    'BTC/USDT closed outside the bot, by hand or by the exchange: LONG 0.4 BTC; it counts as closed at 100.00, because nothing tells what it brought',
  )
  await session.leave(5000)
})

it('names after a restart what was closed outside before it, in the window on its journal too', async () => {
  const path = journalPath()
  const journal = new Journal(path)
  const session = new BotSession({ strategy: holder, journal })
  await session.start()
  await session.run(2 * MINUTE)
  session.user.account.withdraw('BTC', amountOf('0.4'))
  await session.run(13_000)
  await session.operate('flatten')
  const { closedOutside: before } = await session.status()
  expect(before.map(({ size }) => size)).toEqual(['0.4 BTC'])
  await session.leave(5000)
  journal.close()

  const again = new Journal(path)
  const restarted = new BotSession({ strategy: holder, journal: again, beside: session })
  await restarted.start()
  await restarted.run(MINUTE)
  expect((await restarted.status()).closedOutside).toEqual(before)
  await restarted.leave(5000)
  again.close()
  const window = await JournalWindow.open(path, async () => holder)
  expect(await window.read('overview', {})).toMatchObject({
    warnings: expect.arrayContaining([
      expect.stringMatching(/^CHANGED OUTSIDE: BTC\/USDT \(LONG 0\.4 BTC\)/),
    ]),
  })
  window.close()
})

it('goes on from what a journal keeps of it', () => {
  const closes = twelveCloses()
  const later = new OutsideCloses()
  later.restore(fromJournalText(journalText(closes.state)) as OutsideClosesState)
  expect(later.shownAt(12 * HOUR)).toEqual(closes.shownAt(12 * HOUR))
  expect(later.moreAt(12 * HOUR)).toBe(2)
})
