import { describe, expect, it, onTestFinished } from 'vitest'
import type { TrialRunner } from '../../../backtest/trials/trial.ts'
import type { BacktestCommandOptions } from '../../../src/cli/backtest/backtest-command-options.ts'
import { readTrialInput } from '../../../src/cli/backtest/backtest-input.ts'
import { SharedSources } from '../../../src/cli/backtest/input/cached-sources.ts'
import { processTrials } from '../../../src/cli/research/process-trials.ts'
import { parallelTrials, threadedTrials } from '../../../src/cli/research/threaded-trials.ts'
import { workerDataOf } from '../../../src/cli/research/trial-runner.ts'
import { fileWith } from '../sluice-process.ts'
import { studied } from './studied.ts'

/** A runner of each kind for the same backtest: on this thread, on another one, and on both and a third one. */
async function runnersOf(
  strategy: string,
): Promise<{ alone: TrialRunner; threads: readonly [TrialRunner, TrialRunner] }> {
  const { csv: data } = studied(1500)
  const options: BacktestCommandOptions = {
    ...{ strategy, data, store: 'data/klines', symbol: 'BTC/USDT', interval: '1h', parameters: {} },
    gaps: 'fail',
    ...{ config: 'config/backtest.yaml', seed: 1 },
  }
  const backtest = await readTrialInput({ ...options, sources: new SharedSources() })
  const alone = processTrials({ backtest, riskFreeRate: backtest.config.riskFreeRate })
  const worker = workerDataOf(options, backtest)
  const threads = [threadedTrials(worker), parallelTrials(3, alone, worker)] as const
  onTestFinished(async () => void (await Promise.all(threads.map(runner => runner.close()))))
  return { alone, threads }
}

const SETS = Array.from({ length: 30 }, (_, at) => ({ fast: 1 + at, slow: 20 }))

describe('trials on threads', () => {
  it('come back in the order of their sets, as in one process, also of a span', async () => {
    const { alone, threads } = await runnersOf('strategies/sma-cross.ts')
    for (const span of [undefined, { from: Date.UTC(2024, 0, 20), to: Date.UTC(2024, 1, 20) }]) {
      const expected = await alone.run(SETS, span)
      for (const runner of threads) {
        const told: number[] = []
        const trials = await runner.run(SETS, span, (trial, index) => {
          expect(trial.parameters.fast).toBe(SETS[index]?.fast)
          told.push(index)
        })
        expect(trials).toEqual(expected)
        expect(told.toSorted((left, right) => left - right)).toEqual(SETS.map((_, at) => at))
      }
    }
  })

  it('are refused with the sentence of one process', async () => {
    const { alone, threads } = await runnersOf('strategies/sma-cross.ts')
    const span = { from: Date.UTC(2030, 0, 1) }
    const sentence = 'No kline opens from 2030-01-01T00:00:00.000Z;'
    await expect(alone.run(SETS, span)).rejects.toThrow(sentence)
    for (const runner of threads) await expect(runner.run(SETS, span)).rejects.toThrow(sentence)
  })

  it('fail as their strategy says', async () => {
    const file = fileWith(
      'failing.mjs',
      `import { defineStrategy, integer } from ${JSON.stringify(import.meta.resolve('../../../src/strategy/index.ts'))}
export default defineStrategy({
  name: 'failing',
  parameters: { fast: integer({ default: 1, min: 1, max: 99, description: 'Any.' }), slow: integer({ default: 1, min: 1, max: 99, description: 'Any.' }) },
  onKline(_kline, { parameters: { fast } }) { if (fast > 15) throw new Error('too fast') },
})`,
    )
    const { threads } = await runnersOf(file)
    for (const runner of threads) {
      const trials = await runner.run(SETS)
      expect(trials.map(({ outcome }) => outcome)).toEqual(
        SETS.map(({ fast }) => (fast > 15 ? 'failed' : 'finished')),
      )
      expect(trials[20]).toMatchObject({ problem: expect.stringContaining('too fast') })
    }
  })
})
