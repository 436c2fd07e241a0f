import { countText, studyHtml } from '../../../../backtest/study-report/study-html.ts'
import { TrialColumns } from '../../../../backtest/study-report/trial-columns.ts'
import { UsageError } from '../../../domain/sluice-error.ts'
import type { StudyFile } from '../../../studies/study-file.ts'
import type { TrialGroup } from '../../../studies/study-trial.ts'
import { projectVersion } from '../../project.ts'
import type { CommandOutput } from '../../streams.ts'
import { writeAtomically } from '../../write-atomically.ts'
import { backtestWords, studyWords } from '../backtest-line.ts'
import { hashText, luckOfBest } from '../luck-text.ts'
import { withStudy } from '../opened-study.ts'
import { unknownStrategy } from '../studies-command.ts'

/** A page of a study that is asked for. */
export interface StudyReportRequest {
  readonly strategy: string
  readonly html: string
  /** First characters of the hash of the data. */
  readonly data: string | undefined
  readonly study: string | false
}

/** Writes the page of all trials of a strategy on the same data; returns exit code 0, throws `UsageError`. */
export function reportStudy(
  { strategy, html, data, study: path }: StudyReportRequest,
  out: CommandOutput,
): number {
  return withStudy(path, study => {
    const group = groupOf(study, strategy, data, path)
    const { page, count } = studyPage(study, group, String(path))
    writeAtomically(html, page)
    out.write(`${html} has ${countText(count, 'trial')}.\n`)
    return 0
  })
}

/** The trials that are meant; those of whole data come before parts of it. */
function groupOf(
  study: StudyFile,
  strategy: string,
  data: string | undefined,
  path: string | false,
): TrialGroup {
  const all = study.groups().filter(group => group.strategy === strategy)
  if (all.length === 0) throw new UsageError(unknownStrategy(study, strategy, path))
  const whole = all.filter(({ isSpan }) => !isSpan)
  const groups = (whole.length > 0 ? whole : all).filter(group => group.data.startsWith(data ?? ''))
  const [first, ...others] = groups
  if (first !== undefined && others.length === 0) return first
  const known = [...new Set((whole.length > 0 ? whole : all).map(group => group.data.slice(0, 8)))].join(', ')
  if (first === undefined)
    throw new UsageError(
      `${path} has no trials of ${strategy} on data ${data}; give one of ${known} with --data.`,
    )
  throw new UsageError(
    `${path} has trials of ${strategy} on several data; say which with --data, one of ${known}.`,
  )
}

/** The page of all trials of a strategy on the same data, and their number; `path` is that of the study. */
export function studyPage(
  study: StudyFile,
  group: TrialGroup,
  path: string,
): { readonly page: string; readonly count: number } {
  const { strategy, symbol, interval, from, to } = group
  const command = backtestWords([
    `strategies/${strategy}.ts`,
    '--symbol',
    symbol,
    '--interval',
    interval,
    ...studyWords(path),
  ])
  const columns = new TrialColumns([], command)
  let count = 0
  for (const trial of study.trialsInOrder(group)) {
    count++
    const { code, config } = trial
    columns.add({ ...trial, versions: { Code: hashText(code), Configuration: hashText(config) } })
  }
  const { counted, lines } = luckOfBest(study, group, path)
  const trials = columns.encoded('sharpe', counted?.deflation.value)
  const page = studyHtml({
    ...{ title: `${strategy} on ${symbol} ${interval}`, from, to, version: projectVersion() },
    quote: symbol.split('/')[1]?.split(':')[0] ?? '',
    notes: [
      `${countText(trials.finished, 'trial')}, ${countText(count - trials.finished, 'failure')}, in the order in which searches asked for them; those by hand come last.`,
      ...lines,
    ],
    trials,
    commandNote:
      'The study knows the hash of the klines and of the configuration, and not where they are: add --data, --config and the like as they were.',
  })
  return { page, count }
}
