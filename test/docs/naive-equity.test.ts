import { afterAll, describe, expect, it } from 'vitest'
import { hasShared } from '../shared-data.ts'
import { blocksOf, PAGES } from './guide-pages.ts'
import { MARKET_CASES } from './naive/market-cases.ts'
import { equities, type NaiveCase } from './naive/naive-case.ts'
import { PATH_CASES } from './naive/path-cases.ts'
import { folderWith, snippetFile } from './snippet-file.ts'

/** Quantities are whole steps of 1e-8, which thousands of fills add up to less than this part of the equity. */
const TOLERANCE = 2e-6

const { folder, remove } = folderWith([])
afterAll(remove)

const cases = [...MARKET_CASES, ...PATH_CASES].map((naive): readonly [string, NaiveCase] => [
  naive.snippet.split('\n', 1)[0] ?? '',
  naive,
])

it('every strategy of the guide has plain loops', () => {
  const blocks = ['../README.md', ...PAGES].flatMap(blocksOf).filter(({ kind }) => kind === 'ts')
  const strategies = blocks.filter(block => snippetFile(block).path.startsWith('strategies/'))
  expect(strategies.length).toBeGreaterThan(30)
  const all = [...MARKET_CASES, ...PATH_CASES]
  const bare = strategies.filter(({ text }) => !all.some(({ snippet }) => text.includes(snippet)))
  expect(bare.map(({ page, number }) => `${page}, block ${number}`)).toEqual([])
})

describe.runIf(hasShared('data'))(
  'on real klines, a snippet of the guide ends with the equity of plain loops',
  () => {
    it.each(cases)('%s', async (_name, naive) => {
      const { run, expected } = await equities(folder, naive)
      expect(run.fills.length).toBeGreaterThanOrEqual(naive.fills)
      expect(Math.abs((run.equity.at(-1) ?? Number.NaN) / expected - 1)).toBeLessThan(TOLERANCE)
    })
  },
)
