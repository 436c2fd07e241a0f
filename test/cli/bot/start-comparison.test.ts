import pino from 'pino'
import { Subject } from 'rxjs'
import { expect, it } from 'vitest'
import { logVerdicts } from '../../../src/cli/bot/start-comparison.ts'
import type { ComparisonUpdate } from '../../../src/compare/comparison-messages.ts'
import { LogLines } from '../../parity/log-lines.ts'

const BEGIN = '2026-11-27T12:57:00.000Z'

/** Says what is logged of verdicts that follow each other, each of a span that begins at a time. */
function loggedOf(...verdicts: readonly (readonly [verdict: string, from: string])[]): readonly unknown[] {
  const lines = new LogLines()
  const updates$ = new Subject<ComparisonUpdate>()
  logVerdicts(updates$, pino({}, lines))
  // Only these fields are read.
  for (const [verdict, from] of verdicts)
    updates$.next({
      type: 'compared',
      comparison: { verdict, from, sentence: `(${verdict})` },
    } as ComparisonUpdate)
  return lines.said('live beside the backtest').map(({ comparison }) => comparison)
}

it('takes back that a difference is a defect once it is explained', () => {
  expect(loggedOf(['unexplained', BEGIN], ['asPromised', BEGIN], ['differs', BEGIN])).toEqual([
    '(unexplained)',
    'What could not be explained of the difference is explained now: it is no defect. (asPromised)',
    '(differs)',
  ])
})

it('takes nothing back where the compared span began anew', () => {
  expect(loggedOf(['unexplained', BEGIN], ['asPromised', '2026-12-27T00:00:00.000Z'])).toEqual([
    '(unexplained)',
    '(asPromised)',
  ])
})
