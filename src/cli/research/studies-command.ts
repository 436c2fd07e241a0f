import Table from 'cli-table3'
import { fixed, moneyFigure } from '../../../backtest/report/text/figure-text.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { suggestion } from '../../domain/nearest-name.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { StudyFile } from '../../studies/study-file.ts'
import type { StudyTrial, TrialGroup } from '../../studies/study-trial.ts'
import type { CommandOutput } from '../streams.ts'
import { givenParametersText, hashText, luckOfBest } from './luck-text.ts'
import { type AskedTrial, askedTrial, plainNumbers, withStudy } from './opened-study.ts'

/** Trials of a group that are shown. */
const SHOWN = 10

/** Lists strategies and data of a study; returns exit code 0, throws `UsageError`. */
export function listStudies(path: string | false, json: boolean, out: CommandOutput): number {
  return withStudy(path, study => {
    const groups = study.groups()
    if (json) out.write(`${JSON.stringify({ groups })}\n`)
    else out.write(groups.length === 0 ? `${path} has no trials.\n` : `${groupTable(groups)}\n`)
    return 0
  })
}

function groupTable(groups: readonly TrialGroup[]): string {
  const head = [
    'strategy',
    'symbol',
    'interval',
    'from',
    'to',
    'span',
    'trials',
    'failed',
    'best Sharpe',
    'data',
  ]
  const table = new Table({ head, style: { head: [], border: [], compact: true } })
  for (const { strategy, symbol, interval, from, to, isSpan, finished, failed, bestSharpe, data } of groups) {
    table.push([
      ...[strategy, symbol, interval, minute(from), minute(to), isSpan ? 'part' : 'all'],
      ...[String(finished), String(failed), numberText(bestSharpe), hashText(data)],
    ])
  }
  return table.toString()
}

/** Shows the trials of a strategy, the best by Sharpe ratio first; returns exit code 0, throws `UsageError`. */
export function showStudies(
  strategy: string,
  path: string | false,
  json: boolean,
  out: CommandOutput,
): number {
  return withStudy(path, study => {
    const groups = study.groups().filter(group => group.strategy === strategy)
    if (groups.length === 0) throw new UsageError(unknownStrategy(study, strategy, path))
    if (json) writeJson(study, groups, out)
    else out.write(`${groups.map(group => groupText(study, group, String(path))).join('\n\n')}\n`)
    return 0
  })
}

/** One JSON object, written trial by trial: of very many it is longer than a text can be. */
function writeJson(study: StudyFile, groups: readonly TrialGroup[], out: CommandOutput): void {
  let before = '{"trials":['
  for (const group of groups) {
    for (const trial of study.trialsOf(group)) {
      out.write(`${before}${JSON.stringify(shownTrial(study, trial))}`)
      before = ','
    }
  }
  out.write(`${before === ',' ? '' : before}]}\n`)
}

/** Refusal of a strategy that a study does not have, with the one that was meant. */
export function unknownStrategy(study: StudyFile, strategy: string, path: string | false): string {
  const names = [...new Set(study.groups().map(group => group.strategy))]
  const hint = names.length === 0 ? ' It has no trials at all.' : suggestion(strategy, names)
  return `${path} has no trials of a strategy "${strategy}".${hint}`
}

function shownTrial(study: StudyFile, trial: StudyTrial) {
  const { dailyReturns, ...rest } = askedTrial(study, trial)
  return { ...rest, dailyReturns: dailyReturns && plainNumbers(dailyReturns) }
}

function groupText(study: StudyFile, group: TrialGroup, path: string): string {
  const { strategy, symbol, interval, from, to, isSpan } = group
  const heading = `${strategy} on ${symbol} ${interval}, ${minute(from)} to ${minute(to)}${isSpan ? ', a part of the data' : ''}`
  const trials = study.bestOf(group, SHOWN)
  const versions = versionsOf(group)
  const table = new Table({
    head: [
      ...['parameters', ...versions.map(({ head }) => head)],
      ...['Sharpe', 'net profit', 'drawdown', 'round trips', 'asked for'],
    ],
    style: { head: [], border: [], compact: true },
  })
  for (const trial of trials) {
    const { netProfit = null, maxDrawdown = null, roundTrips = null, sharpe = null } = trial.figures ?? {}
    const { asked } = askedTrial(study, trial)
    const parameters = givenParametersText(trial)
    table.push([
      trial.problem === undefined ? parameters : `${parameters}: failed`,
      ...versions.map(({ of }) => hashText(trial[of])),
      ...[
        numberText(sharpe),
        netProfit === null ? 'n/a' : moneyFigure(netProfit, quoteOf(symbol)),
        maxDrawdown === null ? 'n/a' : `${fixed(100 * maxDrawdown, 1)}%`,
      ],
      ...[roundTrips === null ? 'n/a' : fixed(roundTrips, 0), askedText(asked, isSpan)],
    ])
  }
  return [heading, table.toString(), ...luckOfBest(study, group, path).lines].join('\n')
}

/** Columns that tell trials of a group apart, beside their parameters: one version says nothing. */
function versionsOf({ codes, configs }: TrialGroup) {
  const configuration = { head: 'configuration', of: 'config' } as const
  return [
    ...(configs > 1 ? [configuration] : []),
    ...(codes > 1 ? [{ head: 'code', of: 'code' } as const] : []),
  ]
}

/** Quote of a symbol, such as USDT of BTC/USDT and of BTC/USDT:USDT. */
function quoteOf(symbol: string): string {
  return symbol.split('/')[1]?.split(':')[0] ?? ''
}

/** The commands that asked for a trial. */
function askedText(asked: AskedTrial['asked'], isSpan: boolean): string {
  if (asked.length === 0) return isSpan ? 'by a walk-forward' : 'by hand'
  const searches = SEARCHES.flatMap(({ command, one, several }) => {
    const count = new Set(asked.filter(of => of.command === command).map(({ search }) => search)).size
    return count === 0 ? [] : [count === 1 ? `a ${one}` : `${count} ${several}`]
  })
  return `by ${searches.join(' and ')}`
}

/** Names of the searches of each command. */
const SEARCHES = [
  { command: 'optimize', one: 'search', several: 'searches' },
  { command: 'validate', one: 'verdict', several: 'verdicts' },
  { command: 'walk-forward', one: 'walk-forward', several: 'walk-forwards' },
] as const

function numberText(value: number | null): string {
  return value === null ? 'n/a' : fixed(value, 3)
}

function minute(time: number): string {
  return utcText(time).slice(0, 16).replace('T', ' ')
}
