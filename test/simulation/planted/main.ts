import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { wholeNumberOption } from '../../../src/cli/option-values.ts'
import { readOptions } from '../seeds/simulation-options.ts'
import { PLANTED_FAULTS, type PlantedFault } from './planted-faults.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const PARTS = ['src', 'backtest', 'config', 'strategies', 'test', 'package.json', 'tsconfig.json']

const asked = readOptions<{ readonly seeds: number; readonly from: number; readonly only: string }>(
  new Command('simulate:planted')
    .description('Plants one fault after the other in a copy of the source, and tells which seed finds it.')
    .option('--seeds <number>', 'most seeds that a fault may take', wholeNumberOption(1), 300)
    .option('--from <number>', 'the first of them', wholeNumberOption(0), 1)
    .option('--only <text>', 'only faults whose name contains this', ''),
)

let missed = 0
for (const fault of PLANTED_FAULTS.filter(({ name }) => name.includes(asked.only))) {
  const [found, seconds] = timed(() => huntFor(fault))
  if (found === undefined) missed++
  console.log(`${fault.name}: ${found ?? `not found in ${asked.seeds} seeds`} (${seconds} s)`)
}
process.exit(missed === 0 ? 0 : 1)

/** Plays seeds on a copy of the source that has a fault; tells which one found it, and by what. */
function huntFor({ name, margin, withoutJournal, edits }: PlantedFault): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-planted-'))
  try {
    for (const part of PARTS) cpSync(join(ROOT, part), join(folder, part), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    for (const { file, find, replace } of edits) {
      const path = join(folder, file)
      const [before, after, ...more] = readFileSync(path, 'utf8').split(find)
      if (before === undefined || after === undefined || more.length > 0)
        throw new Error(`"${name}" looks for a text that ${file} does not have exactly once: ${find}`)
      writeFileSync(path, `${before}${replace}${after}`)
    }
    const main = ['test/simulation/main.ts', '--seeds', `${asked.seeds}`, '--from', `${asked.from}`]
    if (margin !== undefined) main.push('--margin', margin)
    if (withoutJournal) main.push('--without-journal')
    const { status, stdout, stderr } = spawnSync(process.execPath, main, {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
    })
    if (status === 0) return undefined
    const [, seed, problem] = /\nSeed (\d+) (.+?)(?:\. Digest .*)?$/m.exec(stdout) ?? []
    if (seed === undefined) throw new Error(`The simulation did not run: ${stderr}`)
    const count = Number(seed) - asked.from + 1
    return `found after ${count} seeds, ${problem?.slice(0, 160)}`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function timed<Result>(work: () => Result): readonly [Result, string] {
  const startedAt = performance.now()
  const result = work()
  return [result, ((performance.now() - startedAt) / 1000).toFixed(0)]
}
