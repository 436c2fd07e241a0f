import { readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { StudyPageData } from '../../../backtest/study-report/study-page-data.ts'
import { sluiceHere } from '../backtest/in-process.ts'
import { fileWith } from '../sluice-process.ts'
import { SEARCHED_STRATEGY, type Studied, studied, trialsIn } from './studied.ts'

/** Nine points, of which three are refused: fast is not below slow. */
const POINTS = ['--param', 'fast=4:12:4', '--param', 'slow=8:16:4', '--jobs', '1']
/** 0.42278·Φ⁻¹(5/6) + 0.57722·Φ⁻¹(1 - 1/6e): expected maximum of six normal variables. */
const BEST_OF_SIX = 1.3001407878455837
const QUICK = 'validate: { resamples: 100, controls: 9, windows: 3, repeats: 1 }\n'

/** Runs a command on the points, and returns its text, its page and the trials of the page. */
async function paged(command: string, world: Studied, ...options: readonly string[]) {
  const html = world.study.replace('study.sqlite', `${command}.html`)
  const given = command === 'studies' ? ['report', 'sma-cross', '--study', world.study] : []
  const searched = command === 'studies' ? [] : [SEARCHED_STRATEGY, ...world.inputs, ...POINTS]
  const { out } = await sluiceHere(command, ...given, ...searched, ...options, '--html', html)
  const page = readFileSync(html, 'utf8')
  const [, data = ''] = /id="data">([^<]+)</.exec(page) ?? []
  const { trials }: StudyPageData = JSON.parse(inflateRawSync(Buffer.from(data, 'base64')).toString())
  return { out, page, trials }
}

/** Annual Sharpe ratio that luck alone gives the best of all six, of the daily returns that the study has. */
function luckOfSix({ study }: Studied): number {
  const ratios = trialsIn(study).flatMap(({ isSpan, dailyReturns }) =>
    isSpan || dailyReturns === undefined ? [] : [mean(dailyReturns) / deviation(dailyReturns)],
  )
  expect(ratios).toHaveLength(6)
  return deviation(ratios) * Math.sqrt(365) * BEST_OF_SIX
}

function mean(of: ArrayLike<number>): number {
  return Array.from(of).reduce((sum, one) => sum + one, 0) / of.length
}

function deviation(of: ArrayLike<number>): number {
  const middle = mean(of)
  const squares = Array.from(of, one => (one - middle) ** 2)
  return Math.sqrt(squares.reduce((sum, one) => sum + one, 0) / (of.length - 1))
}

describe('trials that are counted', () => {
  it.each([
    ['grid', [], '6 trials (3 more refused) by grid'],
    ['tpe', ['--trials', '60'], '6 trials (3 more refused, 51 asked for again, which run once) by tpe'],
  ])('of %s are those that differ and finished, in text and chart alike', async (sampler, more, counts) => {
    const world = studied()
    const { out, page, trials } = await paged('optimize', world, '--sampler', sampler, ...more)
    expect(out).toContain(counts)
    expect(page).toContain(counts)
    expect(trials).toMatchObject({ count: 9, finished: 6, counted: 6 })
    const luck = luckOfSix(world)
    expect(trials?.luck.at(-1)).toEqual([9, expect.closeTo(luck, 9)])
    expect(page).toContain(`Luck alone gives the best of 6 an annual Sharpe ratio of ${luck.toFixed(2)}.`)
    const ofStudy = await paged('studies', world)
    expect(ofStudy.page).toContain('<li>6 trials, 0 failures, in the order')
    expect(ofStudy.trials).toMatchObject({ count: 6, finished: 6, counted: 6 })
    expect(ofStudy.trials?.luck.at(-1)).toEqual([6, expect.closeTo(luck, 9)])
  })

  it('of a verdict are the same, and it says which luck is of which number', async () => {
    const world = studied()
    const config = ['--config', fileWith('quick.yaml', QUICK)]
    const { out, page, trials } = await paged('validate', world, '--trials', '60', ...config)
    const luck = luckOfSix(world)
    expect(trials?.luck.at(-1)).toEqual([9, expect.closeTo(luck, 9)])
    for (const text of [out, page]) {
      expect(text).toContain('Judged: the best of 6 parameter sets, fast=')
      expect(text).toContain(
        `Number of trials: 6 that the study knows on klines of these days, of which 6 have returns of their own; were all 6 independent, luck alone would give the best an annual Sharpe ratio of ${luck.toFixed(2)}.`,
      )
      expect(text).toMatch(
        /Effective number of trials: [\d.]+, because like parameters earn alike; luck alone gives the best of so many [\d.]+, by which the verdict judges\./,
      )
    }
  })
})
