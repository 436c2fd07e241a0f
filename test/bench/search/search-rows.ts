import { seededRandomAt } from '../../../src/domain/numbers/seeded-random.ts'
import type { ScoredPoint } from '../../../src/research/sampling/sampler.ts'
import { centredPoint, levelCount, type SearchSpace } from '../../../src/research/sampling/search-space.ts'
import { tpeSampler } from '../../../src/research/sampling/tpe-sampler.ts'
import { hasRedis } from '../../cli/research/queue/redis-server.ts'
import type { BenchRow } from '../bench-row.ts'
import { median } from '../median.ts'
import { SearchCommands } from './search-commands.ts'

/** 1,000 pairs of few trades. */
const LARGE = { fast: '5:100:5', slow: '110:600:10', pairs: 1000 }
/** 60 pairs of many trades, each of which takes more than 50 ms. */
const DENSE = { fast: '5:25:5', slow: '30:85:5', pairs: 60 }
const KNOWN_TRIALS = 1000
const ASKS = 51

/** Searches by whole commands, and what a sampler takes; `npm run bench -- --search`. */
export function searchRows(): readonly BenchRow[] {
  return [oneThread(), twoThreads(), ...queue(), tpeAsks()]
}

/** CPU time of a search beside that of one that has nearly no trials: its start, the study, the report and their threads. */
function oneThread(): BenchRow {
  return {
    name: `search of ${LARGE.pairs} pairs by the command, one thread`,
    unit: 'row-combinations/s of CPU',
    async run() {
      await using commands = await SearchCommands.prepared()
      const { cpu } = await commands.grid(LARGE.fast, LARGE.slow, { jobs: 1 })
      const start = await commands.grid('5', '110', { jobs: 1 })
      const of = (seconds: number) => (LARGE.pairs * commands.klines) / seconds
      return { value: of(cpu), floor: of(cpu - start.cpu) }
    },
  }
}

function twoThreads(): BenchRow {
  return {
    name: `search of ${LARGE.pairs} pairs by the command, two threads (bare: one)`,
    unit: 'ms',
    async run() {
      await using commands = await SearchCommands.prepared()
      const one = await commands.grid(LARGE.fast, LARGE.slow, { jobs: 1 })
      const two = await commands.grid(LARGE.fast, LARGE.slow, { jobs: 2 })
      return { value: two.wall * 1000, floor: one.wall * 1000 }
    },
  }
}

/** No row without Redis. */
function queue(): readonly BenchRow[] {
  if (!hasRedis()) return []
  return [
    {
      name: `search of ${DENSE.pairs} pairs with many trades, two workers of a queue (bare: two threads)`,
      unit: 'ms',
      async run() {
        await using commands = await SearchCommands.prepared()
        await commands.startWorkers(2)
        // The first search of a worker loads strategy and klines, as that of a thread does each time.
        await commands.grid('5:10:5', '30', 'queue')
        const rounds = { queue: [] as number[], threads: [] as number[] }
        for (let round = 0; round < 3; round++) {
          rounds.threads.push((await commands.grid(DENSE.fast, DENSE.slow, { jobs: 2 })).wall)
          rounds.queue.push((await commands.grid(DENSE.fast, DENSE.slow, 'queue')).wall)
        }
        return { value: median(rounds.queue) * 1000, floor: median(rounds.threads) * 1000 }
      },
    },
  ]
}

/** One question for the next point where so many trials are known; the bare figure is the goal. */
function tpeAsks(): BenchRow {
  return {
    name: `TPE asks for a point after ${KNOWN_TRIALS} trials of three parameters (bare: the goal)`,
    unit: 'µs',
    async run() {
      const space: SearchSpace = [
        { kind: 'range', name: 'fast', min: 2, max: 100, step: 1 },
        { kind: 'range', name: 'slow', min: 100, max: 600, step: 1 },
        { kind: 'range', name: 'share', min: 0, max: 1 },
      ]
      const levels = space.map(levelCount)
      const { uniform } = seededRandomAt('bench')(0)
      const finished: ScoredPoint[] = Array.from({ length: KNOWN_TRIALS }, () => ({
        unit: centredPoint(levels, Float64Array.from(space, uniform)),
        score: uniform(),
      }))
      const sampler = tpeSampler(space, 'bench')
      const times = Array.from({ length: ASKS }, (_, ask) => {
        const before = performance.now()
        sampler(KNOWN_TRIALS + ask, { finished, pending: [] })
        return (performance.now() - before) * 1000
      })
      return { value: median(times), floor: 1000 }
    },
  }
}
