import { describe, expect, it } from 'vitest'
import { resultHtml } from '../../../../backtest/report/result-html.ts'
import { profitTable } from '../../../../backtest/report/text/profit-table.ts'
import { resultTable } from '../../../../backtest/report/text/result-table.ts'
import { amountOf, ZERO } from '../../../../src/domain/numbers/amount.ts'
import { sampleReport } from '../sample-report.ts'

const NOTHING = {
  ...{
    startEquity: amountOf('100'),
    roundTrips: ZERO,
    openPositions: ZERO,
    funding: ZERO,
    startingBase: ZERO,
  },
  ...{ dust: ZERO, borneLoss: ZERO, writtenOff: ZERO, unexplained: ZERO, endEquity: amountOf('100') },
}
const MONEY = { asset: 'USDT' }

describe('the table of the sources of profit', () => {
  it('leaves out what is zero, but for the round trips', () => {
    expect(profitTable(NOTHING, MONEY).rows).toEqual([
      ['Start equity', '100.00'],
      ['Round trips, after fees', '0.00'],
      ['Final equity', '100.00'],
    ])
  })

  it('says by how much its printed lines miss the final equity', () => {
    // 100 + 1.004 + 0.004 + 0.004 = 101.012, printed as 101.01, but 100.00 + 1.00 + 0.004 + 0.004 = 101.008.
    const parts = { roundTrips: amountOf('1.004'), funding: amountOf('0.004'), dust: amountOf('0.004') }
    const { rows } = profitTable({ ...NOTHING, ...parts, endEquity: amountOf('101.012') }, MONEY)
    expect(rows).toEqual([
      ['Start equity', '100.00'],
      ['Round trips, after fees', '1.00'],
      ['Funding, received less paid', '0.004'],
      ['Base below a step, left by fees in base', '0.004'],
      ['Rounding of these lines', '0.002'],
      ['Final equity', '101.01'],
    ])
  })

  it('is in the text and on the page', () => {
    expect(resultTable(sampleReport())).toMatch(
      /From start to final equity\n +Source +USDT\n +Start equity +10,000\.00\n +Round trips, after fees +149\.25\n +Final equity +10,149\.25\n/,
    )
    expect(resultHtml(sampleReport())).toContain('Round trips, after fees')
  })
})
