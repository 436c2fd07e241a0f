import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sluiceHere } from '../cli/backtest/in-process.ts'
import { ROOT } from '../cli/sluice-process.ts'
import { runIn } from '../project-copy.ts'
import { commandsOf, PAGES, pageText } from './guide-pages.ts'

const scripts: Record<string, string> = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts
/** Commands that have commands of their own. */
const FAMILIES = ['klines', 'bot', 'notify', 'studies']
/** The options of `npm run bench`, which has no help. */
const BENCH_OPTIONS = '--long --search --window'

const DOCUMENTS = ['../README.md', '../CONTRIBUTING.md', ...PAGES]
/** Code inside sentences and tables. */
const spans = DOCUMENTS.flatMap(page => [...pageText(page).matchAll(/`([^`\n]+(?:\n[^`\n]+)?)`/g)])
  .map(([, text = '']) => text.replaceAll('\n', ' '))
  .filter(text => text !== 'npm run')
/** Commands of blocks, and those inside sentences, but for those that stand for a family of commands. */
const commands = [
  ...DOCUMENTS.flatMap(commandsOf),
  ...spans.filter(text => text.startsWith('npm ') && !text.includes('COMMAND')),
]
/** Every command that has options. */
const ALL = [
  ...[
    'start',
    'backtest',
    'optimize',
    'worker',
    'walk-forward',
    'validate',
    'studies list',
    'doctor',
    'replay',
    'compare',
    'report',
    'record',
    'exchange',
    'bot pause',
    'notify test',
    'new-strategy',
  ],
  ...['generate', 'download', 'import', 'list', 'check', 'resample', 'export'].map(name => `klines ${name}`),
  ...['simulate', 'mutate', 'bench', 'beds', 'rerun', 'large-study', 'shots'],
]

/** The options of scripts, and of commands of a family, as their help lists them. */
const options = new Map<string, readonly string[]>()

/** The options that a text names: `--from`. */
const optionsIn = (text: string) => text.match(/(?<![\w-])--[a-z][a-z-]*/g) ?? []

/** The options of a script; `first` is its first argument. */
async function optionsOf(script: string, first: string): Promise<readonly string[]> {
  const key = FAMILIES.includes(script) ? `${script} ${first}` : script
  const known = options.get(key) ?? ['--help', ...optionsIn(await helpOf(script, first))]
  options.set(key, known)
  return known
}

/** What the help of a script says; `first` is its first argument. */
async function helpOf(script: string, first: string): Promise<string> {
  if (script === 'bench') return BENCH_OPTIONS
  const [, file = ''] = /^(?:exec )?node (?:--\S+ )*(\S+\.[jt]s)/.exec(scripts[script] ?? '') ?? []
  if (file !== 'src/main.js') {
    const { exitCode, out } = await runIn(ROOT, process.execPath, file, '--help')
    expect(exitCode).toBe(0)
    return out
  }
  const { out, exitCode } = await sluiceHere(script, ...(FAMILIES.includes(script) ? [first] : []), '--help')
  expect(exitCode).toBe(0)
  return out
}

describe('the commands of README.md, CONTRIBUTING.md and the guide', () => {
  it.each([...new Set(commands)])('are commands that there are: %s', async command => {
    if (command === 'npm ci' || command.startsWith('npx vitest run test/')) return
    const [, script = '', given = ''] =
      /^(?:npm ci && )?npm (?:run (?:-s )?)?([a-z:-]+)(?: -- (.*))?$/.exec(command) ?? []
    expect(Object.keys(scripts)).toContain(script)
    if (given === '') return
    const [first = ''] = given.split(' ')
    expect(await optionsOf(script, first)).toEqual(expect.arrayContaining(optionsIn(given)))
  })

  it('have every option that a sentence or a table names', async () => {
    const known = new Set<string>()
    for (const command of ALL) {
      const [script = '', first = ''] = command.split(' ')
      for (const option of await optionsOf(script, first)) known.add(option)
    }
    expect(spans.flatMap(optionsIn).filter(option => !known.has(option))).toEqual([])
  })
})
