import type { Instrument } from '../../src/domain/instrument.ts'
import { intervalMs } from '../../src/domain/market-data/interval.ts'
import type { Rate } from '../../src/domain/numbers/amount.ts'
import type { TimeSpan } from '../../src/klines/slice-klines.ts'
import type { BacktestOptions, RoleMarket } from '../run/backtest-options.ts'
import type { ParameterSet } from '../trials/trial.ts'
import { missingEntries } from './missed-entries.ts'
import { noisyKlines } from './noisy-klines.ts'

/** One way to make things worse, or other. */
export interface StressScenario {
  readonly key: string
  /** In words: "double fees and slippage". */
  readonly title: string
  readonly backtest: BacktestOptions
  /** In place of the judged parameters. */
  readonly parameters?: ParameterSet
  readonly span?: TimeSpan
  /** Says, once it was played, what became of it; a part of the title. */
  readonly remark?: () => string
}

/** Sizes of the stress, and what else is tried. */
export interface StressPlan {
  /** Fraction of entries that are missed. */
  readonly missedShare: number
  /** Noise of a close, in parts of the mean range of a kline. */
  readonly noiseShare: number
  /** Runs of each drawn scenario. */
  readonly repeats: number
  readonly seed: string
  /** Parameters one step away from the judged ones. */
  readonly neighbours: readonly ParameterSet[]
  /** The same strategy on other data, by name. */
  readonly others: readonly { readonly name: string; readonly backtest: BacktestOptions }[]
}

/** Every scenario of a plan, in the order in which they are shown. */
export function stressScenarios(backtest: BacktestOptions, plan: StressPlan): StressScenario[] {
  return [
    {
      key: 'doubleCosts',
      title: `double fees and slippage${hasCosts(backtest) ? '' : ' (there are none)'}`,
      backtest: atDoubleCosts(backtest),
    },
    { key: 'later', title: 'orders one kline later', backtest: oneKlineLater(backtest) },
    { key: 'worstPath', title: 'worst path inside each kline', backtest: onWorstPath(backtest) },
    ...drawn(plan, 'missedEntries', `${percent(plan.missedShare)} of entries missed`, seed =>
      withoutSome(backtest, plan.missedShare, seed),
    ),
    ...drawn(plan, 'noise', `prices moved by ${percent(plan.noiseShare)} of a kline's range`, seed => ({
      backtest: withNoise(backtest, plan.noiseShare, seed),
    })),
    ...plan.neighbours.map(parameters => ({
      ...{ key: 'neighbour', backtest, parameters },
      title: `parameters ${Object.entries(parameters)
        .map(([name, value]) => `${name}=${value}`)
        .join(' ')}`,
    })),
    ...halves(backtest),
    ...plan.others.map(({ name, backtest: other }) => ({
      ...{ key: 'other', title: `on ${name}`, backtest: other },
    })),
  ]
}

/** False where doubling costs changes nothing, because there are none. */
export function hasCosts({ fills, instrument, roles = {} }: BacktestOptions): boolean {
  const { slippageRate, slippageTicks, volumeImpact, spreadRate, spreadTicks } = fills
  const instruments = [instrument, ...Object.values(roles).map(market => market.instrument)]
  return (
    [slippageRate, slippageTicks, volumeImpact, spreadRate, spreadTicks].some(cost => cost > 0) ||
    instruments.some(({ fees: { maker, taker } }) => maker > 0n || taker > 0n)
  )
}

/** Fees, slippage and spread twice as large; a rebate stays what it is. */
export function atDoubleCosts(backtest: BacktestOptions): BacktestOptions {
  const { fills, instrument, roles } = backtest
  return {
    ...backtest,
    instrument: withDoubleFees(instrument),
    fills: {
      ...fills,
      slippageRate: 2 * fills.slippageRate,
      slippageTicks: 2 * fills.slippageTicks,
      volumeImpact: 2 * fills.volumeImpact,
      spreadRate: 2 * fills.spreadRate,
      spreadTicks: 2 * fills.spreadTicks,
    },
    ...(roles !== undefined && {
      roles: mapped(roles, market => ({ ...market, instrument: withDoubleFees(market.instrument) })),
    }),
  }
}

function withDoubleFees(instrument: Instrument): Instrument {
  const { fees } = instrument
  return { ...instrument, fees: { ...fees, maker: doubled(fees.maker), taker: doubled(fees.taker) } }
}

function doubled(rate: Rate): Rate {
  return rate > 0n ? ((rate * 2n) as Rate) : rate
}

/** Every order goes live one kline later than it does. */
export function oneKlineLater(backtest: BacktestOptions): BacktestOptions {
  const { fills, interval } = backtest
  return { ...backtest, fills: { ...fills, latencyMs: fills.latencyMs + intervalMs(interval) } }
}

/** Of all paths inside each kline, the one that makes least. */
export function onWorstPath(backtest: BacktestOptions): BacktestOptions {
  const { roles } = backtest
  return {
    ...backtest,
    fills: { ...backtest.fills, path: 'pessimistic' },
    detail: undefined,
    ...(roles !== undefined && { roles: mapped(roles, market => ({ ...market, detail: undefined })) }),
  }
}

function withNoise(backtest: BacktestOptions, share: number, seed: string): BacktestOptions {
  const { klines, instrument, roles } = backtest
  return {
    ...backtest,
    detail: undefined,
    klines: noisyKlines(klines, instrument, { share, seed }),
    ...(roles !== undefined && {
      roles: mapped(roles, (market, role) => ({
        ...market,
        detail: undefined,
        klines: noisyKlines(market.klines, market.instrument, { share, seed: `${seed}/${role}` }),
      })),
    }),
  }
}

function withoutSome(
  backtest: BacktestOptions,
  share: number,
  seed: string,
): Pick<StressScenario, 'backtest' | 'remark'> {
  const tally = { missed: 0, askedAgain: 0 }
  const strategy = missingEntries(backtest.strategy, { share, seed, tally })
  return {
    backtest: { ...backtest, strategy },
    remark: () => `: ${tally.missed} missed, ${tally.askedAgain} of them asked again at once`,
  }
}

function drawn(
  { repeats, seed }: StressPlan,
  key: string,
  title: string,
  made: (seed: string) => Pick<StressScenario, 'backtest' | 'remark'>,
): StressScenario[] {
  return Array.from({ length: repeats }, (_, index) => ({
    key,
    title: `${title}, draw ${index + 1}`,
    ...made(`${seed}/${key}/${index}`),
  }))
}

/** The first and the second half of the klines, each from flat. */
function halves(backtest: BacktestOptions): StressScenario[] {
  const { openTime, length } = backtest.klines
  const middle = openTime[Math.floor(length / 2)]
  if (middle === undefined || length < 2) return []
  return [
    { key: 'span', title: 'first half of the klines', backtest, span: { to: middle } },
    { key: 'span', title: 'second half of the klines', backtest, span: { from: middle } },
  ]
}

function mapped(
  roles: Readonly<Record<string, RoleMarket>>,
  change: (market: RoleMarket, role: string) => RoleMarket,
): Readonly<Record<string, RoleMarket>> {
  return Object.fromEntries(Object.entries(roles).map(([role, market]) => [role, change(market, role)]))
}

function percent(share: number): string {
  return `${Number((100 * share).toFixed(2))}%`
}
