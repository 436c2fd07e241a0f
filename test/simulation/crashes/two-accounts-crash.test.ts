import { describe, expect, it, vi } from 'vitest'
import { BotState } from '../../../src/bot/state/bot-state.ts'
import { replayJournal } from '../../../src/bot/state/replay-journal.ts'
import { restoreState } from '../../../src/bot/state/restore-state.ts'
import { add, amountToText } from '../../../src/domain/numbers/amount.ts'
import { JournalReader } from '../../../src/journal/journal-reader.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { declaredOf, moneyOf } from '../../bot/margin/margin-bot.ts'
import { MINUTE, START } from '../../simulator/exchange-caller.ts'
import { deathAt, isTelling } from '../seeds/death-at.ts'
import { BotWorld, SYMBOL } from '../world/bot-world.ts'
import { busyKlines, busyStrategy } from '../world/busy-market.ts'
import { differentFills, doubled, resting } from '../world/margin-world.ts'

/** Set to 1 for the proof at every single moment. */
const EVERY = Number(process.env.SLUICE_KILL_EVERY ?? 90)
const ON_MARGIN = `${SYMBOL}@margin`
const HELD = { USDT: '3000' }
vi.setConfig({ testTimeout: 5_000_000 / EVERY })

/** What trades, by the files that the journal knows them by. */
const TRADED = [
  { file: '', strategy: busyStrategy, symbol: SYMBOL },
  { file: '1', strategy: { ...busyStrategy, name: 'busy-on-margin' }, symbol: ON_MARGIN },
]
const load = async (file: string) => TRADED.find(one => one.file === file)?.strategy ?? busyStrategy

/** One pair on a spot and on a margin account, by two strategies that do the same. */
function worldOf(seed: number): BotWorld {
  const klines = busyKlines(60, seed)
  return new BotWorld({
    strategy: busyStrategy,
    klines,
    startAt: START + 10 * MINUTE,
    traded: TRADED.map(({ strategy, symbol }) => ({ strategy, symbol, parameters: {} })),
    accounts: { spot: {}, margin: { balances: declaredOf(HELD), foreignTrades: 'halt' } },
    exchange: {
      listings: [{ symbol: SYMBOL, quantityPrecision: 3, market: { type: 'klines', klines } }],
      accounts: [{ ...TEST_ACCOUNT, balances: { USDT: '10000' }, marginBalances: HELD }],
      margin: { maxLeverage: '1' },
      futures: { contracts: [] },
    },
  })
}

/** Runs a world to its quiet end, and says everything that is wrong with it then. */
async function played(world: BotWorld): Promise<readonly string[]> {
  world.start()
  await world.run(14 * MINUTE)
  const hasLeft = await world.leave(70_000)
  const state = new BotState(load)
  await restoreState(world.journalPath, state)
  const { ledger } = state.engine
  const { margin, account, history } = world.user
  const spot = ['USDT', 'BTC'].map(asset => {
    const { free, locked } = account.holding(asset)
    return [asset, 'spot', amountToText(add(free, locked))] as const
  })
  const money = [
    ...spot,
    ...Object.entries(moneyOf(world)).map(([asset, held]) => [asset, 'margin', held] as const),
  ]
  const reader = new JournalReader(world.journalPath)
  const { difference } = await replayJournal(reader, load)
  reader.close()
  return [
    ...(hasLeft ? [] : ['the bot did not leave in time']),
    ...world.failures.map(String),
    ...world.said('foreign trade on the account').map(({ id }) => `trade ${id} counts as that of others`),
    ...money.flatMap(([asset, where, theirs]) => {
      const ours = amountToText(ledger.balances.in(where).of(asset))
      return ours === theirs ? [] : [`the books have ${ours} ${asset} on ${where}, the exchange ${theirs}`]
    }),
    ...differentFills(ledger, { history }, SYMBOL),
    ...differentFills(ledger, margin, ON_MARGIN),
    ...[world.user, margin].flatMap(trader => [...resting(trader), ...doubled(trader)]),
    ...(difference === undefined ? [] : [`entry ${difference.seq} replays differently`]),
  ]
}

describe('a bot on one pair with two accounts that is killed', () => {
  it('after any journal write, request or answer, and started again, has the books of both', async () => {
    const calm = worldOf(3)
    expect(await played(calm)).toEqual([])
    for (const { history } of [calm.user, calm.user.margin]) expect(history.size).toBeGreaterThan(10)
    const moments = calm.moments.filter(isTelling).length
    calm.remove()
    for (let at = 5; at < moments; at += EVERY) {
      const world = worldOf(3)
      world.killsAt = deathAt(at)
      expect(await played(world), `killed at moment ${at}`).toEqual([])
      expect(world.lives).toBe(2)
      world.remove()
    }
  })
})
