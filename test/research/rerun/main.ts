import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { wholeNumberOption } from '../../../src/cli/option-values.ts'
import { rerunSearch } from './rerun-search.ts'

const { searches, from } = new Command('rerun')
  .description(
    'Runs small searches that a seed decides, and the command that each prints for its best trial.',
  )
  .option('--searches <number>', 'how many', wholeNumberOption(1), 100)
  .option('--from <seed>', 'seed of the first', wholeNumberOption(0), 1)
  .parse()
  .opts<{ searches: number; from: number }>()

const folder = mkdtempSync(join(tmpdir(), 'sluice-rerun-'))
const counts = { same: 0, different: 0, 'without a score': 0 }
const trips = new Map<string, number>()
// Searches without a score print no command, so that further seeds take their place.
for (let seed = from; counts.same + counts.different < searches; seed++) {
  const { strategy, searched, printed, roundTrips, differences } = await rerunSearch(seed, folder)
  trips.set(strategy, (trips.get(strategy) ?? 0) + roundTrips)
  if (differences.length > 0) {
    counts.different++
    process.stdout.write(`Seed ${seed}: ${differences.join('; ')}.\n  npm run ${searched}\n  ${printed}\n`)
  } else if (printed === undefined) counts['without a score']++
  else counts.same++
}
rmSync(folder, { recursive: true })
const kinds = [...trips].map(([strategy, count]) => `${strategy} ${count}`).join(', ')
process.stdout.write(
  `${counts.same} of ${searches} best trials come out of a backtest with the same bytes; ${counts['without a score']} further searches had no best one. Round trips: ${kinds}.\n`,
)
process.exitCode = counts.different > 0 ? 1 : 0
