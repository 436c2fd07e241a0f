import { parseArgs } from 'node:util'
import { onMargin } from './margin-plan.ts'
import { planOf, type SeedPlan } from './seed-plan.ts'
import { playSeed } from './seed-run.ts'

/** What came of the seeds so far is told after so many. */
const TOLD_EVERY = 100

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    /** `spot`, `futures` or `both`: leaves out seeds of other accounts. */
    only: { type: 'string' },
    /** Plays the seeds of spot accounts on margin accounts, and no others. */
    margin: { type: 'boolean', default: false },
    whole: { type: 'boolean', default: false },
  },
})
const [count, from] = [Number(values.seeds), Number(values.from)]
if (!(Number.isSafeInteger(count) && count > 0 && Number.isSafeInteger(from) && from >= 0)) {
  console.error('Give --seeds a whole number above 0, and --from one of at least 0.')
  process.exit(2)
}

const startedAt = performance.now()
const total = { steps: 0, orders: 0, fills: 0, lives: 0, simulatedMs: 0 }
const kinds = new Map<string, { seeds: number; cpuSeconds: number }>()
for (let seed = from; seed < from + count; seed++) {
  const plan = planOf(seed)
  const only = values.margin ? 'spot' : values.only
  const isWanted = only === undefined || only === plan.kind
  if (isWanted && !(await isRight(seed, values.margin ? onMargin(plan) : plan))) {
    // Not `exit`: what was said must reach a pipe first.
    process.exitCode = 1
    break
  }
  if ((seed - from + 1) % TOLD_EVERY === 0 || seed === from + count - 1) console.log(summary())
}

/** Plays a seed; tells the story of what must not be. */
async function isRight(seed: number, plan: SeedPlan): Promise<boolean> {
  const before = cpuSeconds()
  const result = await playSeed(seed, plan).catch((error: unknown) => {
    console.log(`\nSeed ${seed} threw: ${error}`)
    throw error
  })
  const { seeds, cpuSeconds: spent } = kinds.get(result.kind) ?? { seeds: 0, cpuSeconds: 0 }
  kinds.set(result.kind, { seeds: seeds + 1, cpuSeconds: spent + cpuSeconds() - before })
  for (const key of ['steps', 'orders', 'fills', 'lives', 'simulatedMs'] as const) total[key] += result[key]
  if (values.whole) console.log(result.everything().join('\n'))
  if (result.violation !== undefined) {
    console.log(result.story.join('\n'))
    console.log(`\nSeed ${seed} (${result.kind}): ${result.violation.problem}. Digest ${result.digest}.`)
    console.log(
      `Play it again: npm run simulate -- --seeds 1 --from ${seed}${values.margin ? ' --margin' : ''}`,
    )
    return false
  }
  if (count === 1) console.log(`Digest ${result.digest}.`)
  return true
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

function summary(): string {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
  const cpu = cpuSeconds()
  const seeds = [...kinds.values()].reduce((sum, kind) => sum + kind.seeds, 0)
  const hours = total.simulatedMs / 3_600_000
  const speeds = [...kinds].map(
    ([kind, spent]) => `${kind} ${spent.seeds} (${(spent.seeds / spent.cpuSeconds).toFixed(1)} a CPU second)`,
  )
  return `${seeds} seeds without a violation: ${total.steps} steps, ${total.orders} orders, ${total.fills} fills, ${total.lives} lives; ${seconds} s (CPU ${cpu.toFixed(0)} s), ${(seeds / cpu).toFixed(1)} seeds and ${(hours / cpu).toFixed(2)} simulated hours a CPU second: ${speeds.join(', ')}.`
}
