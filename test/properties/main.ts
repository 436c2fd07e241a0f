import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { Command } from 'commander'
import { durationOption, wholeNumberOption } from '../../src/cli/option-values.ts'
import { readOptions } from '../simulation/seeds/simulation-options.ts'

/** Options of `npm run properties`. */
interface PropertyOptions {
  readonly from: number
  /** No round begins any more after so long, ms. */
  readonly for: number
}

const { from, for: longestMs } = readOptions<PropertyOptions>(
  new Command('properties')
    .description(
      'Tries every property of the tests on random cases that npm test does not draw, round by round, and stops at the first that fails.',
    )
    .option(
      '--from <number>',
      'seed of the first round; each has the next (default: the time)',
      wholeNumberOption(1),
      now(),
    )
    .option('--for <duration>', 'begin rounds for so long, such as 20m', durationOption, 20 * 60_000),
)

const startedAt = performance.now()
const files = globSync('test/**/*.test.ts').filter(file =>
  readFileSync(file, 'utf8').includes("'fast-check'"),
)
let seed = from
do {
  console.log(`Seed ${seed}:`)
  const env = { ...process.env, SLUICE_SEED: String(seed) }
  const { status } = spawnSync('npx', ['vitest', 'run', '--reporter=dot', ...files], {
    stdio: 'inherit',
    env,
  })
  if (status !== 0) {
    console.error(
      `Properties fail with SLUICE_SEED=${seed}; with it, npx vitest run FILE tries the same cases.`,
    )
    process.exitCode = 1
  }
  seed++
} while (process.exitCode === undefined && performance.now() - startedAt < longestMs)

/** Seconds since 1970, a seed that differs from call to call. */
function now(): number {
  return Math.floor(Date.now() / 1000)
}
