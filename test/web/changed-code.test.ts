import { expect, it } from 'vitest'
import { Journal } from '../../src/journal/journal.ts'
import { defineStrategy, enterLong, exit, integer, type Strategy, sma } from '../../src/strategy/index.ts'
import { JournalWindow } from '../../src/web/sources/journal-window.ts'
import { BotSession } from '../bot/bot-session.ts'
import { rejectionOf } from '../exchange/call/scripted-exchange.ts'
import { journalPath } from '../journal/journal-session.ts'
import { MINUTE } from '../simulator/exchange-caller.ts'

/** The page is JavaScript for browsers, which the type checker of the tests does not read. */
const PAGE = new URL('../../src/web/page/', import.meta.url).pathname
const { noFiguresText, noIndicatorsText } = await import(/* @vite-ignore */ `${PAGE}why-view.js`)

/** Buys with a stop-loss, sells, and buys again for good. */
const twice = defineStrategy({
  name: 'twice',
  state: () => ({ klines: 0 }),
  onKline: (_kline, { state }) => {
    state.klines++
    if (state.klines === 2) return exit()
    return state.klines === 1 || state.klines === 3 ? enterLong({ stopLoss: 90 }) : undefined
  },
})
/** Another strategy of the same name. */
const idle = defineStrategy({
  name: 'twice',
  indicators: () => ({ average: sma(2) }),
  onKline: () => undefined,
})
const demanding = defineStrategy({
  name: 'twice',
  parameters: { length: integer({ default: 3, min: 1, max: 9, description: 'A length.' }) },
  check: () => 'nothing pleases it',
  onKline: () => undefined,
})

/** The journal of a bot that bought, sold and bought again, and was told to open nothing more; it is held. */
async function recorded(): Promise<string> {
  const path = journalPath()
  const journal = new Journal(path)
  const session = new BotSession({ strategy: twice, journal })
  await session.start()
  await session.run(4 * MINUTE + 5000)
  await session.operate('reduce', { reason: 'a drill' })
  await session.run(MINUTE / 2)
  await session.leave(MINUTE)
  journal.close()
  return path
}

// biome-ignore lint/suspicious/noExplicitAny: the shape of each view is what a test looks at
const read = async (window: JournalWindow, view: string, query = {}): Promise<any> => window.read(view, query)

it.each<[string, () => Promise<Strategy>]>([
  ['decides otherwise', async () => idle],
  ['refuses its parameters', async () => demanding],
  ['is gone', () => Promise.reject(new Error('The strategy file is gone.'))],
])('a journal whose strategy %s since shows what the journal itself tells', async (_what, load) => {
  const path = await recorded()
  const same = await JournalWindow.open(path, async () => twice)
  const changed = await JournalWindow.open(path, load)
  const [before, after] = [await read(same, 'overview'), await read(changed, 'overview')]
  expect(before.warnings.join(' ')).not.toContain('CODE CHANGED')
  expect(after.warnings).toContainEqual(
    expect.stringMatching(/^CODE CHANGED: from 2024-01-01 00:\d\d:\d\dZ on, /),
  )
  const { held, orders, equity, day, roundTrips, trading, balances } = before.status
  expect(held).toHaveLength(1)
  expect(after.status).toMatchObject({ held, orders, equity, day, roundTrips, balances })
  // The name of a strategy is that of its file, where this is gone: here both are alike.
  const shown = ({ protections: _, ...one }: (typeof trading)[number]) => one
  expect(after.status.trading.map(shown)).toEqual(trading.map(shown))
  for (const view of ['orders', 'risk']) expect(await read(changed, view)).toBeDefined()
  const trips = (await read(changed, 'orders')).trips
  expect(trips).toEqual((await read(same, 'orders')).trips)
  expect(trips).toHaveLength(1)
  const lists = [await read(same, 'decisions', { outcome: 'ordered' })]
  lists.push(await read(changed, 'decisions', { outcome: 'ordered' }))
  expect(lists[1].decisions.map(({ signals }: { readonly signals: unknown }) => signals)).toEqual(
    lists[0].decisions.map(({ signals }: { readonly signals: unknown }) => signals),
  )
  // Nothing of what the other code saw is shown for what the bot did.
  const { decision } = await read(changed, 'decision', { id: String(lists[1].decisions[0].id) })
  expect(decision.indicators?.average).toBeUndefined()
  // Nor does the page send the reader of this view to the view.
  const { isCodeChanged } = await read(changed, 'decision', { id: String(lists[1].decisions[0].id) })
  const unknown = [noIndicatorsText({}, isCodeChanged), noFiguresText(isCodeChanged)]
  expect(unknown).toEqual([
    'Values of indicators are not known, because the bot cannot be run again as it was: its code was changed, or is gone.',
    'Figures of passed checks are not known, because the bot cannot be run again as it was: its code was changed, or is gone.',
  ])
  expect(await read(same, 'decision', { id: '1' })).not.toHaveProperty('isCodeChanged')
  expect(noFiguresText(undefined)).toContain('“npm run view”')
  same.close()
  changed.close()
})

it('a journal without a session is refused, and its file is left', async () => {
  const path = journalPath()
  new Journal(path).close()
  expect(String(await rejectionOf(JournalWindow.open(path, async () => twice)))).toContain('no session yet')
})
