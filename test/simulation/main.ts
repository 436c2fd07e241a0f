import { planOf } from './plan/seed-plan.ts'
import { playLives } from './seeds/lives-without-journal.ts'
import { playSeeds } from './seeds/play-seeds.ts'
import { planOfTask, type SeedOutcome } from './seeds/seed-outcome.ts'
import { simulationOptions } from './seeds/simulation-options.ts'

/** What came of the seeds so far is told after so many. */
const TOLD_EVERY = 100

const {
  seeds,
  from,
  for: longestMs = Number.POSITIVE_INFINITY,
  jobs,
  margin,
  dialect,
  withoutJournal,
  whole,
  ...asked
} = simulationOptions()
const only = margin === undefined ? asked.only : 'spot'

const startedAt = performance.now()
const total = { steps: 0, orders: 0, fills: 0, lives: 0, simulatedMs: 0 }
const kinds = new Map<string, { seeds: number; cpuSeconds: number }>()
// Not `exit`: what was said must reach a pipe first.
if (!(await (withoutJournal ? playWithoutJournal() : play()))) process.exitCode = 1

/** Whether nothing was found. */
async function play(): Promise<boolean> {
  const wanted = Array.from({ length: seeds }, (_, index) => from + index).filter(
    seed => only === undefined || planOf(seed).kind === only,
  )
  const isForAll = dialect === 'document' || dialect === 'drawn'
  const tasks = wanted
    .map(seed => ({ seed, margin, dialect, isWhole: whole }))
    .filter(task => isForAll || planOfTask(task) !== undefined)
  for await (const outcome of playSeeds(tasks, jobs)) {
    add(outcome)
    tell(outcome)
    if (outcome.violation !== undefined) return false
    if (played() % TOLD_EVERY === 0) console.error(summary())
    if (performance.now() - startedAt > longestMs) break
  }
  console.log(summary())
  return true
}

/** The same for lives without a journal. */
async function playWithoutJournal(): Promise<boolean> {
  const sum = { seeds: 0, lives: 0, orders: 0, fills: 0 }
  for (let seed = from; seed < from + seeds; seed++) {
    const { violation, lives, orders, fills } = await playLives(seed)
    if (violation !== undefined) {
      console.log(`\nSeed ${seed} (without a journal): ${violation}.`)
      return false
    }
    sum.seeds++
    sum.lives += lives
    sum.orders += orders
    sum.fills += fills
    if (performance.now() - startedAt > longestMs) break
  }
  console.log(
    `${sum.seeds} seeds without a journal and without a violation: ${sum.lives} lives, ${sum.orders} orders, ${sum.fills} fills.`,
  )
  return true
}

function add({ kind, cpuSeconds: spent, ...counts }: SeedOutcome): void {
  const { seeds, cpuSeconds } = kinds.get(kind) ?? { seeds: 0, cpuSeconds: 0 }
  kinds.set(kind, { seeds: seeds + 1, cpuSeconds: cpuSeconds + spent })
  for (const key of ['steps', 'orders', 'fills', 'lives', 'simulatedMs'] as const) total[key] += counts[key]
}

/** Tells the story of what must not be. */
function tell({ seed, kind, dialect: spoken, violation, story, everything, digest }: SeedOutcome): void {
  if (whole) console.log(everything.join('\n'))
  if (violation !== undefined) {
    console.log(story.join('\n'))
    console.log(`\nSeed ${seed} (${kind}, ${spoken}): ${violation.problem}. Digest ${digest}.`)
    const options = `${margin === undefined ? '' : ` --margin ${margin}`}${dialect === 'drawn' ? '' : ` --dialect ${dialect}`}`
    console.log(`Play it again: npm run simulate -- --seeds 1 --from ${seed}${options}`)
  } else if (seeds === 1) console.log(`Digest ${digest}.`)
}

function played(): number {
  return [...kinds.values()].reduce((sum, { seeds }) => sum + seeds, 0)
}

function summary(): string {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
  const { user, system } = process.cpuUsage()
  const cpu = (user + system) / 1e6
  const hours = total.simulatedMs / 3_600_000
  const speeds = [...kinds].map(
    ([kind, spent]) => `${kind} ${spent.seeds} (${(spent.seeds / spent.cpuSeconds).toFixed(1)} a CPU second)`,
  )
  return `${played()} seeds without a violation: ${total.steps} steps, ${total.orders} orders, ${total.fills} fills, ${total.lives} lives; ${seconds} s (CPU ${cpu.toFixed(0)} s), ${(played() / cpu).toFixed(1)} seeds and ${(hours / cpu).toFixed(2)} simulated hours a CPU second: ${speeds.join(', ')}.`
}
