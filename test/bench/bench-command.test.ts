import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { absentData } from './bench-data.ts'
import type { BenchRow } from './bench-row.ts'
import { measuredRows } from './measured-rows.ts'

it('says what it can measure where it is asked, and measures nothing', () => {
  const main = join(import.meta.dirname, 'main.ts')
  const out = execFileSync(process.execPath, [main, '--help'], { encoding: 'utf8', timeout: 20_000 })
  expect(out).toContain('Usage: npm run bench -- [options]')
  expect(out).toMatch(/--search +searches by whole commands instead/)
})

it('writes the line of a row before the next one is measured', async () => {
  const happened: string[] = []
  const row = (name: string, value: number): BenchRow => ({
    ...{ name, unit: 'klines/s' },
    run: async () => {
      happened.push(`runs ${name}`)
      return { value, floor: 4000 }
    },
  })
  const measured = await measuredRows([row('one', 1000), row('two', 2000)], line => happened.push(line))
  expect(happened).toEqual([
    'runs one',
    '1 of 2: one: 1,000 klines/s, bare 4,000',
    'runs two',
    '2 of 2: two: 2,000 klines/s, bare 4,000',
  ])
  expect(measured.map(({ ratio }) => ratio)).toEqual([0.25, 0.5])
})

it('says of each absent file what is measured without it', () => {
  expect(absentData(() => true)).toEqual([])
  const [year, ...ticks] = absentData(() => false)
  expect(year).toBe(
    'data/derived-bitfinex-btcusd-2018filled-1m.csv.gz is not in SLUICE_SHARED (default ../shared), so a generated year of minutes stands for it; see docs/speed.md.',
  )
  expect(ticks).toHaveLength(2)
  for (const sentence of ticks)
    expect(sentence).toMatch(/, so the row of ticks is left out; see docs\/speed\.md\.$/)
})
