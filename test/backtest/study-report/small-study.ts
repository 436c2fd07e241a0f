import type { StudyPage } from '../../../backtest/study-report/study-html.ts'
import { TrialColumns } from '../../../backtest/study-report/trial-columns.ts'

/** A text that would be a script if it were taken for one. */
export const HOSTILE = '</script><img src=x onerror=alert(1)>'

/** Five trials by hand: three with a Sharpe ratio, one without, one that failed. */
function smallTrials() {
  const columns = new TrialColumns([], 'npm run backtest -- s.ts')
  const rows = [
    [0.1, 1.5, 0.3],
    [0.2, 0.5, 0.1],
    [0.1 + 0.2, -1, -0.2],
    [0.4, null, 0],
  ] as const
  rows.forEach(([share, sharpe, totalReturn], number) => {
    columns.add({
      number,
      outcome: 'finished',
      parameters: { share, mode: HOSTILE },
      figures: { sharpe, totalReturn },
    })
  })
  columns.add({ number: 4, outcome: 'failed', problem: HOSTILE, parameters: { share: 0.5, mode: HOSTILE } })
  return columns.encoded('sharpe')
}

const DAY = 86_400_000

/** A page with every part, small enough to work out by hand. */
export function smallStudy(): StudyPage {
  return {
    ...{ title: `s ${HOSTILE} on BTC/USDT 1h`, from: 0, to: 10 * DAY, version: '1.2.3', quote: 'USDT' },
    notes: [HOSTILE],
    verdict: {
      summary: ['Why: a reason.', 'What to do: nothing.'],
      answer: 'undecided',
      rows: [
        {
          word: 'Not passed',
          tone: 'muted',
          title: 't out of sample',
          figure: 'undefined',
          reason: 'No days.',
          wanted: 'above 1.000',
        },
      ],
      notes: [],
    },
    trials: smallTrials(),
    walkForward: {
      data: {
        parameters: ['share'],
        windows: [
          {
            trainFrom: 0,
            testFrom: 4 * DAY,
            testTo: 5 * DAY,
            chosen: [0.1],
            inSample: 0.02,
            outOfSample: 0.1,
          },
          {
            trainFrom: DAY,
            testFrom: 5 * DAY,
            testTo: 6 * DAY,
            chosen: [0.2],
            inSample: 0.03,
            outOfSample: -0.1,
          },
        ],
        firstDay: 4,
        equity: [1.1, 1.1 * 0.9],
      },
      notes: [],
      table: { id: 'windows', title: 'Windows', head: ['test from'], rows: [['1970-01-05']] },
    },
    paths: {
      data: {
        firstDay: 4,
        equity: [
          [1.1, 0.9],
          [1, 1.2],
          [0.8, 0.7],
        ],
      },
      notes: [HOSTILE],
      tables: [
        { id: 'splits', title: 'Splits', head: ['tested folds', 'chosen'], rows: [['1 and 2', HOSTILE]] },
      ],
    },
    drawdowns: {
      data: [{ key: 'redrawn', title: 'Bootstrapped', actual: 0.2, drawdowns: [0.1, 0.2, 0.3, 0.4] }],
      note: '',
    },
  }
}
