import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ComparisonJson } from '../../../src/compare/comparison-rows.ts'
import { sluice } from '../sluice-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-compare-'))
const journal = join(folder, 'bot.journal')
const strategy = join(folder, 'flips.ts')

/** In for some klines, out for some. */
const codeOf = (
  klines: number,
) => `import { defineStrategy, enterLong, exit, sma } from '${join(import.meta.dirname, '../../../src/strategy/index.ts')}'
export default defineStrategy({
  name: 'flips',
  indicators: () => ({ average: sma(${klines}) }),
  onKline({ close }, { indicators: { average }, position }) {
    if (position.direction === 'flat') return close > average.value ? enterLong() : undefined
    return close < average.value ? exit() : undefined
  },
})
`
const configOf = (more = '') => `
bot: compared
venue: { type: simulated, speed: 300, balances: { USDT: 10000 }${more} }
strategies: [{ file: ${strategy}, symbol: BTC/USDT, interval: 1m, size: { quote: 2000 } }]
journal: { file: ${journal} }
log: { level: warn }
`

async function live(lasting: string): Promise<void> {
  const { exitCode, err } = await sluice(
    'start',
    '--config',
    join(folder, 'bot.yaml'),
    '--stop-after',
    lasting,
  )
  expect([exitCode, err]).toEqual([0, ''])
}

const compared = async (): Promise<{ readonly exitCode: number | null; readonly rows: ComparisonJson }> => {
  const { exitCode, out } = await sluice('compare', journal, '--json')
  return { exitCode, rows: JSON.parse(out) }
}

const partOf = ({ parts }: ComparisonJson, name: string) =>
  Number(parts.find(({ part }) => part === name)?.amount)

/** Whole processes, over HTTP: a real bot, and the simulated exchange that it trades on. */
describe('npm run compare', () => {
  beforeAll(async () => {
    // Two klines, so that it trades often: the built-in market follows the time of day, and a slower average may hardly trade in it.
    writeFileSync(strategy, codeOf(2))
    writeFileSync(join(folder, 'bot.yaml'), configOf())
    await live('8s')
  }, 60_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('accounts for everything that a bot did, and finds nothing unexplained', async () => {
    const { exitCode, rows } = await compared()
    expect(rows.bot).toBe('compared')
    expect(rows.orders.filter(({ match }) => match === 'matched').length).toBeGreaterThan(5)
    expect(partOf(rows, 'unexplained')).toBe(0)
    expect([0, 3]).toContain(exitCode)
    expect(rows.trips.some(({ match }) => match === 'matched')).toBe(true)
  })

  it('says it to people, with a row for every order', async () => {
    const { out } = await sluice('compare', journal, '--bound', '0.5')
    expect(out).toContain('compared: live beside the backtest of what it has seen')
    expect(out).toContain('Live traded as the backtest promised')
    expect(out).toMatch(/BTC\/USDT buy entry +│ matched/)
  })

  it('names a strategy that was changed after the bot had run', async () => {
    writeFileSync(strategy, codeOf(9))
    const { rows } = await compared()
    expect(partOf(rows, 'changedStrategy')).not.toBe(0)
    expect(partOf(rows, 'unexplained')).toBe(0)
    writeFileSync(strategy, codeOf(2))
  })

  it('goes on over a restart', async () => {
    await live('4s')
    const { rows } = await compared()
    expect(partOf(rows, 'unexplained')).toBe(0)
    expect(rows.orders.length).toBeGreaterThan(10)
  })

  it('charges the backtest the fee rates that the session of each order had', async () => {
    const before = (await compared()).rows.orders.length
    writeFileSync(
      join(folder, 'bot.yaml'),
      `${configOf()}instruments: { BTC/USDT: { takerFeeRate: "0.0004", makerFeeRate: "0.0004" } }\n`,
    )
    await live('8s')
    const { rows } = await compared()
    expect(partOf(rows, 'unexplained')).toBe(0)
    // The fee of a purchase is in base: its quantity times the rate. The exchange charges 0.001.
    const rates = rows.orders
      .filter(({ side, backtest }) => side === 'buy' && Number(backtest?.filled) > 0)
      .map(({ decidedAt, backtest }) => ({
        decidedAt,
        rate: Number((Number(backtest?.fees) / Number(backtest?.filled)).toFixed(6)),
      }))
    const changed = rates.findIndex(({ rate }) => rate === 0.0004)
    expect(changed).toBeGreaterThan(0)
    expect(changed).toBeLessThan(before)
    expect(new Set(rates.slice(0, changed).map(({ rate }) => rate))).toEqual(new Set([0.001]))
    expect(new Set(rates.slice(changed).map(({ rate }) => rate))).toEqual(new Set([0.0004]))
    expect(partOf(rows, 'fees')).toBeLessThan(0)
  })

  it('refuses a journal that is not there, and a bound that is none', async () => {
    expect(await sluice('compare', join(folder, 'none'))).toMatchObject({ exitCode: 2 })
    const { exitCode, err } = await sluice('compare', journal, '--bound', '2')
    expect([exitCode, err]).toEqual([2, expect.stringContaining('a fraction from 0 up to 1')])
  })
})
