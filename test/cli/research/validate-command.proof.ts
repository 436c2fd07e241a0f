import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withStudy } from '../../../src/cli/research/opened-study.ts'
import { sluiceHere } from '../backtest/in-process.ts'
import { fileWith, ROOT } from '../sluice-process.ts'
import { contentOf, studied, trialsIn } from './studied.ts'

const SMA = 'strategies/sma-cross.ts'
const GRID = ['--sampler', 'grid', '--param', 'fast=2:8:6', '--param', 'slow=12:24:12']
const FREE = `
account: { type: spot, balance: { USDT: 10000 } }
instruments: { default: { makerFeeRate: 0, takerFeeRate: 0 } }
fills: { slippageRate: 0 }
`
/** Nothing is asked of an edge but that it is there. */
const EASY = `${FREE}validate: { superiorAbilityP: 1, deflatedSharpe: 0, outOfSampleT: -1000, efficiency: -1000, resamples: 100, controls: 9, windows: 3, repeats: 1 }\n`
/** More than any record shows. */
const HARD = `${FREE}validate: { outOfSampleT: 1000, resamples: 100, controls: 9, windows: 3, repeats: 1 }\n`

async function validated(config: string, ...options: readonly string[]) {
  const world = studied()
  const given = ['validate', SMA, ...world.inputs, ...GRID, '--config', fileWith('validate.yaml', config)]
  return { ...(await sluiceHere(...given, ...options)), world }
}

describe('npm run validate', () => {
  it('answers with its exit code, with each reason and its figure', async () => {
    const { exitCode, out, world } = await validated(EASY)
    const verdict = /^Verdict: (.*)\.$/m.exec(out)?.[1]
    expect(exitCode).toBe({ edge: 0, undecided: 3, 'no edge': 4 }[verdict ?? ''])
    const lines = out.split('\n')
    const reasons = lines.filter(line => /^(Passed|Not passed|Against an edge): the /.test(line))
    // Of ten criteria one warns here: where there are no costs, doubling them tells nothing.
    expect(reasons).toHaveLength(9)
    for (const reason of reasons) expect(reason).toMatch(/(wanted (above|below) |is undefined\. ).*\.$/)
    expect(lines.filter(line => /^(No w|W)arning: the /.test(line))).toHaveLength(3)
    expect(out).toMatch(/^(A record like this shows|No length of record would show it)/m)
    expect(out).toMatch(/^Judged: the best of 4 parameter sets, fast=\d+ slow=\d+, /m)
    for (const row of [
      'as it is',
      'double fees and slippage \\(there are none\\)',
      'orders one kline later',
      'second half of the klines',
    ])
      expect(out).toMatch(new RegExp(`^ +${row} +-?[\\d.,]+%`, 'm'))
    expect(out).toMatch(/^ +buy and hold, out of sample +-?[\d.,]+%/m)
    expect(out).toMatch(/^Out of sample its daily returns move as .* \(beta\); .* a year \(alpha\)\.$/m)
    expect(out).toMatch(/9 controls, random entries of the same number and lengths: p = /)
    // All trials on the whole span, and those of the windows.
    expect(trialsIn(world.study).filter(({ isSpan }) => !isSpan)).toHaveLength(4)
  })

  it('says first what decided and what to do, and of a strategy that never traded only that', async () => {
    const { out } = await validated(HARD)
    const [, verdict, why, next] = out.split('\n')
    expect(verdict).toMatch(/^Verdict: /)
    expect(why).toMatch(/^Why: .*\.$/)
    expect(next).toMatch(/^What to do: .*\.$/)
    const never = `
import { defineStrategy, integer } from '${join(ROOT, 'src/strategy/index.ts')}'
export default defineStrategy({
  name: 'never',
  parameters: { wait: integer({ default: 1, min: 1, max: 9, description: 'Nothing.' }) },
  onKline() {},
})
`
    const { inputs } = studied()
    const html = fileWith('never.html', '')
    const given = [
      'validate',
      fileWith('never.ts', never),
      ...inputs,
      '--param',
      'wait=1:3:1',
      '--sampler',
      'grid',
    ]
    const untraded = await sluiceHere(...given, '--html', html, '--config', fileWith('validate.yaml', HARD))
    expect([untraded.exitCode, untraded.out.split('\n').slice(1)]).toEqual([
      4,
      [
        'Verdict: no edge.',
        'Why: it never traded: none of 3 parameter sets bought or sold anything on these klines, so there is nothing to judge.',
        'What to do: run npm run backtest with it, which says what it decided and which orders were denied; then give it other parameters, a smaller size or more klines.',
        '',
      ],
    ])
    expect(readFileSync(html, 'utf8')).toContain('<p>Why: it never traded: none of 3 parameter sets')
  })

  it('is undecided or none, but never an edge, where a threshold is not met', async () => {
    const { exitCode, out } = await validated(HARD)
    expect([3, 4]).toContain(exitCode)
    expect(out).toMatch(
      /^(Not passed|Against an edge): the t of the daily returns out of sample .*wanted above 1,000/m,
    )
  })

  it('writes the same as JSON, with thresholds, and null with a reason for what is undefined', async () => {
    const other = studied(1500)
    const { exitCode, out } = await validated(HARD, '--json', '-', '--also', `ETH/USDT=${other.csv}`)
    const found = JSON.parse(out)
    expect([3, 4]).toContain(exitCode)
    expect(found.settings).toMatchObject({ outOfSampleT: 1000, deflatedSharpe: 0.95, windows: 3 })
    expect(found.criteria).toHaveLength(12)
    for (const { value, reason, result } of found.criteria) {
      if (value === null) expect([typeof reason, result]).toEqual(['string', 'undefined'])
      else expect([typeof value, reason]).toEqual(['number', undefined])
    }
    const { all, outOfSample } = found.market
    expect([typeof all.totalReturn, typeof all.sharpe.value]).toEqual(['number', 'number'])
    expect(Object.keys(outOfSample)).toEqual(['totalReturn', 'sharpe', 'beta', 'alpha'])
    expect(found.walkForward.windows).toHaveLength(3)
    expect(found.trials).toMatchObject({ known: 4 })
    expect(found.stress.map(({ title }: { title: string }) => title)).toContain('on ETH/USDT')
  })

  it('keeps its verdict in the study with the page that --html writes, and another question beside it', async () => {
    const html = fileWith('verdict.html', '')
    const { out, world } = await validated(HARD, '--html', html)
    const verdicts = () => withStudy(world.study, study => study.verdicts())
    const [verdict, ...others] = verdicts()
    expect([verdict?.answer, others]).toEqual([/^Verdict: (.*)\.$/m.exec(out)?.[1], []])
    expect(withStudy(world.study, study => study.verdictPage(verdict?.id ?? ''))).toBe(
      readFileSync(html, 'utf8'),
    )
    const again = ['validate', SMA, ...world.inputs, ...GRID, '--config']
    await sluiceHere(...again, fileWith('validate.yaml', HARD))
    expect(verdicts()).toEqual([verdict])
    await sluiceHere(...again, fileWith('validate.yaml', EASY))
    expect(verdicts()).toHaveLength(2)
  })

  it('answers with the same bytes on two threads', async () => {
    const one = await validated(HARD, '--json', '-', '--jobs', '1')
    const two = await validated(HARD, '--json', '-', '--jobs', '2')
    expect([two.exitCode, two.out]).toEqual([one.exitCode, one.out])
    expect(contentOf(two.world)).toEqual(contentOf(one.world))
  })

  it('counts earlier backtests of the study', async () => {
    const world = studied()
    const config = ['--config', fileWith('validate.yaml', HARD)]
    const run = ['backtest', SMA, ...world.inputs, ...config, '--param', 'fast=3', '--param', 'slow=50']
    expect((await sluiceHere(...run)).exitCode).toBe(0)
    const { out } = await sluiceHere('validate', SMA, ...world.inputs, ...GRID, ...config, '--json', '-')
    expect(JSON.parse(out).trials).toMatchObject({ known: 5, counted: 5 })
  })

  it('counts them also where a kline was appended since, was cut, or the klines begin later', async () => {
    const world = studied()
    const config = ['--config', fileWith('validate.yaml', HARD)]
    const counted = async (count: number, ...options: readonly string[]) => {
      const inputs = [...studied(count).inputs.slice(0, -1), world.study, ...config, ...options]
      const { out } = await sluiceHere('validate', SMA, ...inputs, ...GRID, '--json', '-')
      const known = JSON.parse(out).trials.known
      const run = await sluiceHere('backtest', SMA, ...inputs, '--param', 'fast=2', '--param', 'slow=12')
      return [known, Number(/ knows (\d+) trials of sma-cross /.exec(run.out)?.[1])]
    }
    const run = ['backtest', SMA, ...world.inputs, ...config, '--param', 'fast=3', '--param', 'slow=50']
    expect((await sluiceHere(...run)).exitCode).toBe(0)
    // The grid of four and the one by hand, on whatever klines.
    expect(await counted(2000)).toEqual([5, 5])
    expect(await counted(2001)).toEqual([5, 5])
    expect(await counted(1999)).toEqual([5, 5])
    expect(await counted(2000, '--from', '2024-01-02')).toEqual([5, 5])
  })

  it('names parameters that are fixed', async () => {
    const world = studied()
    const fixed = ['--param', 'fast=2', '--param', 'slow=12', '--config', fileWith('validate.yaml', HARD)]
    const { out } = await sluiceHere('validate', SMA, ...world.inputs, ...fixed)
    expect(out).toContain('Judged: the only parameter set, fast=2 slow=12 fixed by --param, with')
  })

  it('refuses thresholds that are none', async () => {
    const { exitCode, err } = await validated(`${FREE}validate: { deflatedSharpe: 95, blocks: 7 }\n`)
    expect(exitCode).toBe(2)
    expect(err).toMatch(/a number from 0 to 1/)
    expect(err).toMatch(/an even number from 2 to 24/)
  })

  it('says how --also is written', async () => {
    const { exitCode, err } = await sluiceHere('validate', 'strategies/sma-cross.ts', '--also', 'BBB/USDT')
    expect(exitCode).toBe(2)
    expect(err).toContain('Write SYMBOL=FILE, such as ETH/USDT=eth.csv.')
  })
})
