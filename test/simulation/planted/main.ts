import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { PLANTED_FAULTS, type PlantedFault } from './planted-faults.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const PARTS = ['src', 'backtest', 'strategies', 'test', 'package.json', 'tsconfig.json']

const { values } = parseArgs({
  options: {
    /** Most seeds that a fault may take. */
    seeds: { type: 'string', default: '300' },
    from: { type: 'string', default: '1' },
    /** Only faults whose name contains this. */
    only: { type: 'string', default: '' },
  },
})

let missed = 0
for (const fault of PLANTED_FAULTS.filter(({ name }) => name.includes(values.only))) {
  const [found, seconds] = timed(() => huntFor(fault))
  if (found === undefined) missed++
  console.log(`${fault.name}: ${found ?? `not found in ${values.seeds} seeds`} (${seconds} s)`)
}
process.exit(missed === 0 ? 0 : 1)

/** Plays seeds on a copy of the source that has a fault; tells which one found it, and by what. */
function huntFor({ name, edits }: PlantedFault): string | undefined {
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
    const main = ['test/simulation/main.ts', '--seeds', values.seeds, '--from', values.from]
    const { status, stdout, stderr } = spawnSync(process.execPath, main, {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
    })
    if (status === 0) return undefined
    const [, seed, problem] = /\nSeed (\d+) (.+?)(?:\. Digest .*)?$/m.exec(stdout) ?? []
    if (seed === undefined) throw new Error(`The simulation did not run: ${stderr}`)
    const count = Number(seed) - Number(values.from) + 1
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
