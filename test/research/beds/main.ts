import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Table from 'cli-table3'
import { Command, Option } from 'commander'
import { objectiveOf } from '../../../backtest/search/objective.ts'
import { searchedParameters } from '../../../backtest/search/searched-parameters.ts'
import { readBacktestInput } from '../../../src/cli/backtest/backtest-input.ts'
import { READ_ANEW } from '../../../src/cli/backtest/input/backtest-sources.ts'
import { wholeNumberOption } from '../../../src/cli/option-values.ts'
import { runJudge } from '../../../src/cli/research/judge-run.ts'
import { processTrials } from '../../../src/cli/research/process-trials.ts'
import { DEFAULT_VERDICT } from '../../../src/config/verdict-field.ts'
import { criterionResult, VERDICTS, type Verdict } from '../../../src/research/verdict/criterion.ts'
import { reversion } from './reversion.ts'
import { trend } from './trend.ts'

const command = new Command('beds')
  .description('Judges strategies on made-up price series of which it is known what is in them.')
  .argument('<folder>', 'series and truth.json, as make-test-beds.py writes them')
  .option('--only <kinds>', 'only these kinds of series, with commas')
  .option('--count <number>', 'series of each kind', wholeNumberOption(1), 20)
  .addOption(
    new Option('--sides <sides>', 'long only, or long and short').choices(['long', 'both']).default('long'),
  )
  .option('--free', 'without fees', false)
  .addOption(
    new Option('--strategy <name>', 'what is judged').choices(['trend', 'reversion']).default('trend'),
  )
  .option('--out <file>', 'a line of JSON for each verdict; series that it has already are not judged again')
  .parse()
const [folder = ''] = command.args
const asked = command.opts<{
  only?: string
  count: number
  sides: 'long' | 'both'
  free: boolean
  strategy: 'trend' | 'reversion'
  out?: string
}>()

const STRATEGIES = { trend, reversion }

/** Some 37 of each, chosen before any series was looked at. */
const GRIDS = {
  trend: { fast: '4:28:8', slow: '24:240:24' },
  reversion: { klines: '12:48:6', fall: '0.01:0.05:0.01' },
}

interface Series {
  readonly file: string
  readonly kind: string
}

/** A verdict on one series. */
interface Judged {
  readonly series: string
  readonly kind: string
  readonly verdict: Verdict
  readonly seconds: number
  readonly failing: readonly string[]
  readonly figures: Readonly<Record<string, number | null>>
}

async function judged({ file, kind }: Series): Promise<Judged> {
  const fee = asked.free ? '0' : '0.001'
  const input = await readBacktestInput({
    strategy: asked.strategy,
    sources: { ...READ_ANEW, strategy: () => Promise.resolve(STRATEGIES[asked.strategy]) },
    ...{ data: join(folder, file), symbol: 'BTC/USDT', interval: '1h', store: '', gaps: 'fail', seed: 1 },
    parameters: {},
    config: 'beds',
    configValues: {
      account: { type: asked.sides === 'both' ? 'margin' : 'spot', balance: { USDT: 10_000 } },
      instruments: { default: { makerFeeRate: fee, takerFeeRate: fee } },
      fills: { slippageRate: 0 },
    },
  })
  const started = process.cpuUsage()
  const sharpe = objectiveOf('sharpe', 0)
  const { windows, missedShare, noiseShare, repeats, ...settings } = DEFAULT_VERDICT
  const done = await runJudge({
    backtest: input,
    runnerOf: backtest => processTrials({ backtest, riskFreeRate: 0 }),
    search: {
      parameters: searchedParameters(input.strategy, {
        ...GRIDS[asked.strategy],
        short: `${asked.sides === 'both'}`,
      }),
      ...{ sampler: 'grid', seed: 1, trials: 1000, score: trial => sharpe(trial) ?? undefined },
    },
    asked: { windows, embargo: 0, isAnchored: false },
    ...{ settings, stress: { missedShare, noiseShare, repeats, others: [] }, seed: 1 },
  })
  const { user, system } = process.cpuUsage(started)
  const deciding = done.criteria.filter(one => one.isWarning !== true)
  return {
    ...{ series: file, kind, verdict: done.verdict, seconds: (user + system) / 1e6 },
    failing: deciding
      .filter(one => criterionResult(one) !== 'passed')
      .map(one => `${one.key} ${criterionResult(one)}`),
    figures: Object.fromEntries(done.criteria.map(({ key, figure }) => [key, figure.value ?? null])),
  }
}

function known(): Map<string, Judged> {
  if (asked.out === undefined || !existsSync(asked.out)) return new Map()
  const lines = readFileSync(asked.out, 'utf8').trim().split('\n')
  return new Map(lines.map(line => JSON.parse(line) as Judged).map(one => [one.series, one]))
}

function tableOf(all: readonly Judged[]): string {
  const table = new Table({ head: ['series', 'judged', ...VERDICTS, 'CPU s each', 'most often not passed'] })
  for (const kind of new Set(all.map(one => one.kind))) {
    const of = all.filter(one => one.kind === kind)
    const shares = VERDICTS.map(verdict => `${of.filter(one => one.verdict === verdict).length}`)
    const seconds = of.reduce((sum, one) => sum + one.seconds, 0) / of.length
    const keys = of.flatMap(({ failing }) => failing.map(one => one.split(' ')[0] as string))
    const counts = [...new Set(keys)].map(key => [key, keys.filter(other => other === key).length] as const)
    const often = counts.sort((left, right) => right[1] - left[1]).slice(0, 3)
    table.push([
      kind,
      of.length,
      ...shares,
      seconds.toFixed(1),
      often.map(([key, count]) => `${key} ${count}`).join(', '),
    ])
  }
  return table.toString()
}

const only = asked.only?.split(',')
const truth = JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8')) as readonly Series[]
const kinds = [...new Set(truth.map(({ kind }) => kind))].filter(kind => only?.includes(kind) ?? true)
const before = known()
const all: Judged[] = []
for (const series of kinds.flatMap(kind => truth.filter(one => one.kind === kind).slice(0, asked.count))) {
  const found = before.get(series.file) ?? (await judged(series))
  if (asked.out !== undefined && !before.has(series.file))
    appendFileSync(asked.out, `${JSON.stringify(found)}\n`)
  all.push(found)
}
console.log(
  `${asked.strategy}, ${asked.sides === 'both' ? 'long and short' : 'long only'}, ${asked.free ? 'without fees' : '0.1% a side'}\n${tableOf(all)}`,
)
