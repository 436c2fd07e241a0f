import { parseArgs } from 'node:util'
import { playSeed } from './seed-run.ts'

/** Simulated hours and so on are told after so many seeds. */
const TOLD_EVERY = 100

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
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
for (let seed = from; seed < from + count; seed++) {
  const result = await playSeed(seed)
  for (const key of ['steps', 'orders', 'fills', 'lives', 'simulatedMs'] as const) total[key] += result[key]
  if (values.whole) console.log(result.everything().join('\n'))
  if (result.violation !== undefined) {
    console.log(result.story.join('\n'))
    console.log(`\nSeed ${seed}: ${result.violation.problem}. Digest ${result.digest}.`)
    console.log(`Play it again: npm run simulate -- --seeds 1 --from ${seed}`)
    process.exit(1)
  }
  if (count === 1) console.log(`Digest ${result.digest}.`)
  if ((seed - from + 1) % TOLD_EVERY === 0 || seed === from + count - 1) console.log(summary(seed - from + 1))
}

function summary(seeds: number): string {
  const seconds = (performance.now() - startedAt) / 1000
  const cpu = process.cpuUsage()
  const cpuSeconds = (cpu.user + cpu.system) / 1e6
  const hours = total.simulatedMs / 3_600_000
  return `${seeds} seeds without a violation: ${total.steps} steps, ${total.orders} orders, ${total.fills} fills, ${total.lives} lives; ${seconds.toFixed(0)} s (CPU ${cpuSeconds.toFixed(0)} s), ${(seeds / cpuSeconds).toFixed(1)} seeds and ${(hours / cpuSeconds).toFixed(2)} simulated hours a CPU second.`
}
