import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadStrategy } from '../../src/bot/start/load-strategy.ts'
import { backtestConfigSchema } from '../../src/config/backtest-config.ts'
import { botConfigSchema } from '../../src/config/bot-config.ts'
import { parseConfig } from '../../src/config/parse-config.ts'
import { readYamlFile } from '../../src/config/yaml-file.ts'
import { klineScript } from '../../src/testing/klines.ts'
import { tryStrategy } from '../../src/testing/try-strategy.ts'
import { fileWith } from '../cli/sluice-process.ts'
import { blocksOf, PAGES, pageText } from './guide-pages.ts'
import { folderWith, outputIn, snippetsOfGuide } from './snippet-file.ts'

const blocks = PAGES.flatMap(blocksOf)
const files = snippetsOfGuide()
const { folder, remove } = folderWith(files)

afterAll(remove)

describe('the guide', () => {
  it('has links that lead somewhere, and a way to every page', () => {
    const links = PAGES.flatMap(page =>
      [...pageText(page).matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, to]) => to),
    )
    expect(links.filter(to => !PAGES.includes(to ?? ''))).toEqual([])
    const linked = [...pageText('index.md').matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, to]) => to)
    expect([...linked, 'index.md'].sort()).toEqual(PAGES)
  })

  it('has no two files of one name', () => {
    expect(files.map(({ path }) => path)).toEqual([...new Set(files.map(({ path }) => path))])
  })

  it('shows code that compiles', async () => {
    const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false }
    const include = ['strategies', 'test', '*.ts']
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: '../tsconfig.json', compilerOptions, include }),
    )
    const said = await outputIn(folder, 'tsc', '-p', join(folder, 'tsconfig.json'))
    expect(said).toBe('')
  })

  it.each(files.filter(({ path }) => path.startsWith('strategies/')).map(({ path }) => path))(
    'shows a strategy that runs: %s',
    async path => {
      const strategy = await loadStrategy(join(folder, path))
      const config = { account: { type: 'margin', maxLeverage: 20 } } as const
      const others = Object.fromEntries(strategy.markets.map(role => [role, waves(50)]))
      const feeds = path.endsWith('tight-spread.ts') ? { quote: [] } : {}
      const options = { klines: waves(60), markets: others, feeds, config, size: { quote: 1000 } }
      const { denials, signals } = tryStrategy(strategy, options)
      // A target that is reached already is too small an order.
      const unexpected = denials.filter(({ rule }) => rule !== 'minimumVolume')
      expect(unexpected.map(({ message }) => message)).toEqual([])
      expect(signals.length).toBeGreaterThan(0)
    },
  )

  it.each(blocks.filter(({ kind }) => kind.startsWith('yaml')))(
    'shows a configuration that is read: $page $number, $kind',
    ({ kind, text }) => {
      expect(kind).toMatch(/^yaml (backtest|bot)$/)
      const file = readYamlFile(fileWith('a.yaml', text))
      parseConfig(file, kind === 'yaml bot' ? botConfigSchema : backtestConfigSchema)
    },
  )
})

/** A thousand hours of waves, long and short ones, that rise and fall far enough for everything to happen. */
function waves(length: number) {
  const closes = Array.from(
    { length: 1000 },
    (_, hour) =>
      Math.round(100 * (1 + 0.15 * Math.sin(hour / length) + 0.03 * Math.sin(hour / 7)) * 100) / 100,
  )
  return klineScript('1h').closes(...closes)
}
