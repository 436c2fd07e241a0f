import { existsSync } from 'node:fs'
import { join, matchesGlob, resolve } from 'node:path'
import type { MutantResult } from '@stryker-mutator/api/core'
import { Stryker } from '@stryker-mutator/core'
import { Argument, Command } from 'commander'
import { wholeNumberOption } from '../../src/cli/option-values.ts'
import { MUTATED_ROOMS } from './mutated-rooms.ts'

const ROOT = resolve(import.meta.dirname, '../..')

const command = new Command('mutate')
  .description(
    'Changes the code of a room, one small fault at a time, and counts how many of these its tests notice.',
  )
  .addArgument(new Argument('<room>', 'what is mutated').choices(Object.keys(MUTATED_ROOMS)))
  .option('--percent <number>', 'the share of all mutants that is tried', wholeNumberOption(1), 20)
  .option('--seed <number>', 'draws the sample', wholeNumberOption(0), 1)
  .option('--jobs <number>', 'test runners side by side', wholeNumberOption(1), 1)
  .option('--files <paths...>', 'mutates only these files of the room, from the root of the project')
  .option('--survivors', 'list the mutants that no test noticed, each as soon as it is known', false)
  .parse()
const room = command.args[0] ?? ''
const asked = command.opts<{
  percent: number
  seed: number
  jobs: number
  files?: readonly string[]
  survivors: boolean
}>()

process.chdir(ROOT)
const globs = MUTATED_ROOMS[room]?.mutate ?? []
for (const file of asked.files ?? [])
  if (!existsSync(file) || !globs.some(glob => matchesGlob(file, glob)))
    command.error(`error: ${file} is no file of ${room}. Name files that ${globs.join(', ')} finds.`, {
      exitCode: 2,
    })
process.env.SLUICE_MUTATED_ROOM = room
process.env.SLUICE_MUTATION_SEED = `${asked.seed}`
process.env.SLUICE_MUTATION_SHARE = `${asked.percent / 100}`

const results = await new Stryker({
  mutate: [...(asked.files ?? globs)],
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts', related: false },
  plugins: [
    '@stryker-mutator/vitest-runner',
    join(import.meta.dirname, 'mutant-sample.ts'),
    join(import.meta.dirname, 'survivor-list.ts'),
  ],
  checkers: ['sample'],
  coverageAnalysis: 'perTest',
  ignoreStatic: false,
  // The compiler of TypeScript 7 has no interface that StrykerJS could read its configuration by.
  tsconfigFile: 'no-tsconfig.json',
  disableTypeChecks: false,
  concurrency: asked.jobs,
  // A busy machine is no endless loop.
  timeoutMS: 30_000,
  reporters: ['progress-append-only', ...(asked.survivors ? ['survivors'] : [])],
  allowConsoleColors: false,
  tempDirName: '.mutated',
}).runMutationTest()

// The checker, which comes before all else, marks what is not in the sample.
const sampled = results.filter(mutant => mutant.status !== 'CompileError')
const count = (status: MutantResult['status']) => sampled.filter(mutant => mutant.status === status).length
const [killed, timedOut] = [count('Killed'), count('Timeout')]
const [survived, unreached] = [count('Survived'), count('NoCoverage')]
const tried = killed + timedOut + survived + unreached
console.log(
  `${room}: ${killed + timedOut} of ${tried} sampled mutants noticed (${((100 * (killed + timedOut)) / tried).toFixed(1)}%): ${killed} killed, ${timedOut} timed out; ${survived} survived, ${unreached} are run by no test. ${results.length} mutants in all, seed ${asked.seed}.`,
)
