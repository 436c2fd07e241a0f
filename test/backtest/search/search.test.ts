import { describe, expect, it } from 'vitest'
import { paretoFront, plateauOf, rankedTrials } from '../../../backtest/search/ranking.ts'
import type { SamplerName } from '../../../backtest/search/sampler-name.ts'
import { type SearchOptions, search } from '../../../backtest/search/search.ts'
import { searchedParameters } from '../../../backtest/search/searched-parameters.ts'
import type { FinishedTrial, ParameterSet, Trial, TrialRunner } from '../../../backtest/trials/trial.ts'
import { boolean, choice, defineStrategy, integer, number } from '../../../src/strategy/index.ts'

const strategy = defineStrategy({
  name: 'tuned',
  parameters: {
    fast: integer({ default: 3, min: 1, max: 9, description: 'Whole.' }),
    share: number({ default: 0.5, min: 0, max: 1, description: 'Any.' }),
    mode: choice({ default: 'near', options: ['near', 'far', 'both'], description: 'Some.' }),
    isOn: boolean({ default: true, description: 'Two.' }),
  },
})

describe('the parameters of a search', () => {
  it('are those of the strategy, within its bounds', () => {
    expect(searchedParameters(strategy, {})).toEqual({
      space: [
        { kind: 'range', name: 'fast', min: 1, max: 9, step: 1 },
        { kind: 'range', name: 'share', min: 0, max: 1 },
        { kind: 'choice', name: 'mode', options: ['near', 'far', 'both'] },
        { kind: 'choice', name: 'isOn', options: [false, true] },
      ],
      fixed: {},
    })
  })

  it('are narrowed, or fixed', () => {
    expect(
      searchedParameters(strategy, { fast: '2:8:3', share: '0.25', mode: 'far,near', isOn: 'true' }),
    ).toEqual({
      space: [
        { kind: 'range', name: 'fast', min: 2, max: 8, step: 3 },
        { kind: 'choice', name: 'mode', options: ['far', 'near'] },
      ],
      fixed: { share: 0.25, isOn: true },
    })
    const { space } = searchedParameters(strategy, { fast: '2:4', share: '0.1:0.3' })
    expect(space.slice(0, 2)).toEqual([
      { kind: 'range', name: 'fast', min: 2, max: 4, step: 1 },
      { kind: 'range', name: 'share', min: 0.1, max: 0.3 },
    ])
  })

  it.each([
    [{ fest: '1:2:1' }, 'Strategy "tuned" has no parameter "fest". Did you mean "fast"?'],
    [
      { fast: '0:5:1' },
      'Parameter "fast" of strategy "tuned" is "0", but must be a whole number from 1 to 9.',
    ],
    [
      { fast: '1:50:1' },
      'Parameter "fast" of strategy "tuned" is "50", but must be a whole number from 1 to 9.',
    ],
    [{ fast: '8:2:1' }, '--param fast=8:2:1 ends before it begins; write fast=2:8:1.'],
    [{ fast: '8:2' }, '--param fast=8:2 ends before it begins; write fast=2:8.'],
    [{ fast: '8:2:-2' }, '--param fast=8:2:-2 ends before it begins; write fast=2:8:2.'],
    [{ fast: '1:9:0' }, '--param fast=1:9:0 has the step 0, but must have a whole number above 0.'],
    [{ fast: '1:9:0.5' }, '--param fast=1:9:0.5 has the step 0.5, but must have a whole number above 0.'],
    [{ share: '0:1:' }, '--param share=0:1: has no step, but must have a number above 0.'],
    [{ fast: '1:2:3:4' }, '--param fast=1:2:3:4 has too many parts; write from:to:step, as in fast=5:50:5.'],
    [{ fast: '1,2' }, '--param fast=1,2 lists values, but "fast" is a number; write from:to:step.'],
    [{ mode: 'a:b' }, '--param mode=a:b is a range, but "mode" has a few values; list them, with commas.'],
    [{ mode: 'near,near' }, '--param mode=near,near names a value twice; name each once.'],
    [
      { mode: 'near,up' },
      'Parameter "mode" of strategy "tuned" is "up", but must be one of near, far, both.',
    ],
  ])('are refused with a sentence: %j', (given, sentence) => {
    expect(() => searchedParameters(strategy, given as Readonly<Record<string, string>>)).toThrow(sentence)
  })
})

/** A runner whose trials end with a net profit that their parameters decide; it notes what it was asked together. */
function runnerOf(profitOf: (parameters: ParameterSet) => number | undefined) {
  const rounds: number[] = []
  const trialOf = (parameters: ParameterSet): Trial => {
    const netProfit = profitOf(parameters)
    return netProfit === undefined
      ? { outcome: 'refused', parameters, problem: 'No.' }
      : ({ outcome: 'finished', parameters, figures: { netProfit } } as FinishedTrial)
  }
  const runner: TrialRunner = {
    run: (sets, _span, onTrial) => {
      rounds.push(sets.length)
      const trials = sets.map(trialOf)
      // In any order, as threads would.
      for (let at = trials.length - 1; at >= 0; at--) onTrial?.(trials[at] as Trial, at)
      return Promise.resolve(trials)
    },
    close: () => Promise.resolve(),
  }
  return { runner, rounds }
}

const hill = ({ fast }: ParameterSet) => (fast === 5 ? undefined : 10 - Math.abs(Number(fast) - 7))

function options(sampler: SamplerName, given: Readonly<Record<string, string>>, trials: number) {
  const { runner, rounds } = runnerOf(hill)
  const score = ({ figures }: FinishedTrial) => figures.netProfit ?? undefined
  const parameters = searchedParameters(strategy, given)
  return { rounds, search: { parameters, sampler, seed: 1, trials, runner, score } satisfies SearchOptions }
}

const FIXED = { share: '0.5', mode: 'near', isOn: 'true' }

describe('a search', () => {
  it('of a grid asks for every point once, in order', async () => {
    const trials = await search(options('grid', { ...FIXED, fast: '1:9:2', isOn: 'false,true' }, 1000).search)
    expect(
      trials.map(({ number: at, trial: { parameters }, score }) => [
        at,
        parameters.fast,
        parameters.isOn,
        score,
      ]),
    ).toEqual([
      [0, 1, false, 4],
      [1, 1, true, 4],
      [2, 3, false, 6],
      [3, 3, true, 6],
      [4, 5, false, undefined],
      [5, 5, true, undefined],
      [6, 7, false, 10],
      [7, 7, true, 10],
      [8, 9, false, 8],
      [9, 9, true, 8],
    ])
    expect(trials[0]?.trial.parameters).toEqual({ fast: 1, share: 0.5, mode: 'near', isOn: false })
  })

  it('ends at the most trials', async () => {
    expect(await search(options('grid', FIXED, 4).search)).toHaveLength(4)
    expect(await search(options('random', {}, 300).search)).toHaveLength(300)
  })

  it('by TPE learns in rounds of 16, and finds the best', async () => {
    const { search: given, rounds } = options('tpe', {}, 70)
    const trials = await search(given)
    expect(rounds).toEqual([16, 16, 16, 16, 6])
    const late = trials.slice(32).filter(({ trial }) => Number(trial.parameters.fast) >= 6)
    // At random, 4 of 9.
    expect(late.length / 38).toBeGreaterThan(0.6)
  })

  it.each(['random', 'sobol', 'tpe'] as const)(
    'by %s is the same for the same seed, and another for another',
    async sampler => {
      const pointsOf = async (seed: number) => {
        const trials = await search({ ...options(sampler, {}, 40).search, seed })
        return trials.map(({ trial }) => trial.parameters)
      }
      expect(await pointsOf(3)).toEqual(await pointsOf(3))
      expect(await pointsOf(4)).not.toEqual(await pointsOf(3))
    },
  )

  it('refuses a grid without steps', async () => {
    await expect(search(options('grid', {}, 10).search)).rejects.toThrow(
      'A grid needs a step for parameter "share"; give one with --param share=from:to:step, or one value with --param share=value.',
    )
  })

  it('tells of trials as they come, with their numbers', async () => {
    const told: number[] = []
    await search({ ...options('tpe', {}, 20).search, onTrial: ({ number: at }) => told.push(at) })
    expect(told).toEqual([...Array.from({ length: 16 }, (_, at) => 15 - at), 19, 18, 17, 16])
  })
})

describe('the ranking of trials', () => {
  it('puts the best first and counts a point once', async () => {
    const trials = await search(options('random', FIXED, 60).search)
    const ranked = rankedTrials(trials)
    // Nine values, of which one is refused; of equal scores the one that was asked first is first.
    expect(ranked).toHaveLength(8)
    expect(ranked.map(({ score }) => score)).toEqual([10, 9, 9, 8, 7, 6, 5, 4])
    expect(ranked[1]?.number).toBeLessThan(ranked[2]?.number ?? 0)
  })

  it('says the mean of the neighbours one step away', async () => {
    const given = options('grid', { ...FIXED, fast: '1:9:2', mode: 'near,far' }, 100).search
    const trials = await search(given)
    const { space } = given.parameters
    const plateau = (at: number) => plateauOf(space, trials, (trials[at] as { unit: Float64Array }).unit)
    // fast 7, between 5, which is refused, and 9; the other mode is no neighbour.
    expect(plateau(6)).toEqual({ mean: 8, scored: 1, neighbours: 2 })
    // fast 1, at the end: only 3.
    expect(plateau(0)).toEqual({ mean: 6, scored: 1, neighbours: 1 })
    // fast 9: only 7.
    expect(plateau(8)).toEqual({ mean: 10, scored: 1, neighbours: 1 })
    expect(plateauOf(space, [], (trials[0] as { unit: Float64Array }).unit).mean).toBeUndefined()
  })

  it('keeps of several objectives what nothing beats', () => {
    const of = (...scores: (number | undefined)[]) => ({ scores })
    const [best, other] = [of(3, 1), of(1, 3)]
    expect(paretoFront([best, of(2, 1), other, of(1, 2), of(undefined, 9)])).toEqual([best, other])
    expect(paretoFront([of(1, 1), of(1, 1)])).toHaveLength(2)
  })
})
