import { readFileSync, renameSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../src/domain/numbers/seeded-random.ts'
import { besideOthers } from '../after-test.ts'
import { journalPath } from '../journal/journal-session.ts'
import { addedUp } from './added-up.ts'
import { type Said, saidOn } from './said-lines.ts'
import { fileWith, SluiceProcess, strategyFile } from './sluice-process.ts'

/** How often a bot is killed; SLUICE_KILL_POINTS=50 is a long proof. */
const KILLS = Number(process.env.SLUICE_KILL_POINTS ?? 2)

/** Lines of its log after which a bot is killed at the latest, counted from when it trades. */
const MOST_LINES = 12

/** Fills that the last life waits for. */
const FILLS = 5

/** Begins at a kline, and then trades as fast as fills come: what is killed is nearly always in the middle of an order. */
const RESTLESS = `({ close }, { position, orders }) => (orders.length > 0 ? undefined : position.direction === 'flat' ? enterLong({ stopLoss: close / 2 }) : exit()),
  onFill: (_fill, { position }) => (position.direction === 'flat' ? enterLong({ stopLoss: { fraction: 0.5 } }) : exit()),
  onOrder: ({ status, purpose }, { position }) =>
    (purpose !== 'entry' && purpose !== 'exit') || (status !== 'expired' && status !== 'rejected') ? undefined
      : position.direction === 'flat' ? enterLong() : exit()`

/** What a bot says where its books and the exchange are not the same. */
const DISAGREEMENTS = [
  'balance adopted from the exchange',
  'foreign trade on the account',
  'the exchange holds less of a position than the ledger',
  'leftover order canceled',
  'foreign order left open',
]

/** Starts a bot on the built-in exchange again and again, and kills it; the last start leaves in order, once it has traded. Gives what each said. */
async function livesOf(config: string, random: () => number): Promise<readonly (readonly Said[])[]> {
  const lives: (readonly Said[])[] = []
  const args = ['src/main.js', 'start', '--config', config, '--json']
  for (let kill = 0; kill < KILLS; kill++) {
    const bot = new SluiceProcess(args)
    await bot.line(kill === 0 ? '"msg":"fill"' : '"msg":"trading"')
    await bot.line('"msg":', 'out', bot.lines.length + 1 + Math.floor(MOST_LINES * random()))
    bot.signal('SIGKILL')
    expect(await bot.exitCode).toBeNull()
    lives.push(saidOn(bot.lines))
  }
  // Its end after a minute is a deadline: a wait for fills that do not come ends with what was said instead.
  const last = new SluiceProcess([...args, '--stop-after', '60s'])
  await last.line('"msg":"fill"', 'out', FILLS)
  last.signal('SIGINT')
  expect(await last.exitCode).toBe(0)
  expect(last.err).toBe('')
  return [...lives, saidOn(last.lines)]
}

function expectOneAccount(lives: readonly (readonly Said[])[]): void {
  const venues = lives.map(life => life.find(({ msg }) => msg === 'starting')?.venue ?? '')
  expect(venues[0]).toMatch(/begins, and is kept in .*\.exchange$/)
  for (const venue of venues.slice(1))
    expect(venue).toMatch(/goes on from \d{4}-\d\d-\d\dT.* as .*\.exchange has it$/)
  const messages = lives.flat().map(({ msg }) => msg)
  expect(messages.filter(message => DISAGREEMENTS.includes(message ?? ''))).toEqual([])
}

const configOf = (journal: string, account: string, speed: number) => {
  const file = strategyFile('restless', RESTLESS)
  return fileWith(
    'bot.yaml',
    // The minute that a bot has to leave would be a tenth of a second at a speed of 600.
    `venue: { type: simulated, speed: ${speed}, seed: 5 }
${account}
execution: { stopWithinMs: ${speed * 10_000} }
journal: { file: ${JSON.stringify(journal)} }
strategies: [{ file: ${JSON.stringify(file)}, symbol: BTC/USDT, interval: 1m, size: { quote: 1000 } }]
`,
  )
}

describe.concurrent(`a bot on the built-in exchange that is killed ${KILLS} times`, () => {
  it.for([
    ['spot', 600, 'account: { type: spot }', 0],
    ['margin', 300, 'account: { type: margin, balances: { USDT: 10000, BTC: 0.05 } }', 0.05],
  ] as const)(
    'is one paper account on %s, at a speed of %i',
    besideOthers(async ([kind, speed, account, base]) => {
      const journal = journalPath()
      const lives = await livesOf(configOf(journal, account, speed), seededRandom(kind.length).uniform)
      expectOneAccount(lives)
      const expected = addedUp(journal, 10_000, base)
      expect(expected.fills).toBeGreaterThanOrEqual(FILLS)
      const { balances } = lives.at(-1)?.at(-1) ?? {}
      expect(Number(balances?.USDT)).toBeCloseTo(expected.quote, 6)
      expect(Number(balances?.BTC ?? 0)).toBeCloseTo(expected.base, 9)
    }),
  )

  it(
    'is one paper account on futures, at a speed of 60',
    besideOthers(async () => {
      const journal = journalPath()
      const account = 'account: { type: futures, leverage: 3, marginMode: isolated, positionMode: oneWay }'
      const lives = await livesOf(configOf(journal, account, 60), seededRandom(7).uniform)
      expectOneAccount(lives)
      const { quote, base, fills } = addedUp(journal, 10_000, 0)
      expect(fills).toBeGreaterThanOrEqual(FILLS)
      const { equity } = lives.at(-1)?.at(-1) ?? {}
      // The open position is marked at the moving price; it was opened for 1000.
      const held = base * 60_000
      expect(Math.abs(Number(equity?.USDT) - quote - held)).toBeLessThan(0.1 * Math.abs(held) + 0.001)
    }),
  )
})

describe.concurrent('the file of the built-in exchange', () => {
  it(
    'is said to be missing, or to be of another market, before anything is traded',
    besideOthers(async () => {
      const journal = journalPath()
      const config = configOf(journal, 'account: { type: spot }', 600)
      const args = ['src/main.js', 'start', '--config', config]
      const first = new SluiceProcess([...args, '--stop-after', '1s'])
      expect(await first.exitCode).toBe(0)
      const other = new SluiceProcess([...args.slice(0, -1), fileWith('other.yaml', seeded(config, 6))])
      expect(await other.exitCode).toBe(2)
      expect(other.err).toContain(
        `The simulated exchange in ${journal}.exchange was opened with "venue.seed: 5", but the configuration says 6. Put it back; or,`,
      )
      renameSync(`${journal}.exchange`, `${journal}.moved`)
      const orphan = new SluiceProcess(args)
      expect(await orphan.exitCode).toBe(2)
      expect(orphan.err).toContain(`${journal}.exchange is missing. Put it back, or move the journal away`)
    }),
  )
})

function seeded(config: string, seed: number): string {
  return readFileSync(config, 'utf8').replace('seed: 5', `seed: ${seed}`)
}
