import { type StudyPage, studyHtml } from '../../../../backtest/study-report/study-html.ts'
import { meanOf } from '../../../research/statistics/sample/moments.ts'
import { projectVersion } from '../../project.ts'
import type { ResearchInput } from '../research-input.ts'
import { outOfSampleOf, walkForwardJson, walkForwardSentences, windowTable } from '../walk-forward-report.ts'
import type { WalkForwardDone } from '../walk-forward-run.ts'

/** The page of a walk-forward: parameters of each window, and the equity of all tests. */
export function walkForwardPage(research: ResearchInput, done: WalkForwardDone): string {
  return studyHtml({
    ...pageHeadOf(research),
    notes: ['Parameters chosen on each training are played on the test after it, which did not choose them.'],
    walkForward: walkForwardPart(research, done),
  })
}

/** Names and span of what was searched. */
export function pageHeadOf({ input, identity }: ResearchInput) {
  const { symbol, interval, from, to } = identity
  return {
    ...{ title: `${input.strategy.name} on ${symbol} ${interval}`, from, to },
    ...{ version: projectVersion(), quote: input.instrument.quote },
  }
}

/** The part of a page that shows a walk-forward. */
export function walkForwardPart(
  research: Pick<ResearchInput, 'search' | 'definition'>,
  done: WalkForwardDone,
): NonNullable<StudyPage['walkForward']> {
  const figures = outOfSampleOf(done)
  const parameters = research.search.parameters.space.map(({ name }) => name)
  const { equity } = walkForwardJson(done, figures)
  return {
    data: {
      ...{ parameters, firstDay: done.stitched.firstDay, equity },
      windows: done.windows.map(({ train, test, chosen, inSample, outOfSample }) => ({
        ...{ trainFrom: train.from, testFrom: test.from, testTo: test.to },
        chosen: chosen === undefined ? null : parameters.map(name => plainValue(chosen[name])),
        inSample: meanOrNull(inSample.returns),
        outOfSample: meanOrNull(outOfSample.returns),
      })),
    },
    notes: walkForwardSentences(research, done, figures),
    table: { id: 'windows', title: 'Windows', ...windowTable(research, done) },
  }
}

function plainValue(value: unknown): number | string {
  return typeof value === 'number' ? value : String(value)
}

function meanOrNull(returns: Float64Array): number | null {
  return returns.length === 0 ? null : meanOf(returns)
}
