import type { BacktestResult } from '../../../backtest/results/backtest-result.ts'
import type { FuturesTerms } from '../../../src/domain/futures-terms.ts'
import type { Instrument } from '../../../src/domain/instrument.ts'
import { amountOf, rateOf } from '../../../src/domain/numbers/amount.ts'
import { MARGIN } from '../../engine/engine-session.ts'
import { fillWords } from '../kline-table.ts'

const TERMS: FuturesTerms = {
  leverage: 10,
  marginMode: 'isolated',
  positionMode: 'oneWay',
  maintenance: [{ rate: rateOf('0.01') }],
}

/**
 * Contracts of 0.5 base without fees, tick 0.01, leverage 10, of whose worth 1% is kept. One base bought at 100 has a margin
 * of 10 and is liquidated at 90 ÷ 0.99 = 90.909…, sold at 100 at 110 ÷ 1.01 = 108.910…
 */
export function contractWith(terms: Partial<FuturesTerms> = {}): Instrument {
  return {
    ...MARGIN,
    pricePrecision: 2,
    quantityPrecision: 0,
    contractSize: amountOf('0.5'),
    accountType: 'futures',
    leverage: { min: 1, max: 100 },
    fees: { maker: rateOf('0'), taker: rateOf('0'), paidIn: 'quote' },
    futures: { ...TERMS, ...terms },
  }
}

export const CONTRACT = contractWith()

/** Fills in words with the purposes of their rules: row, side, base, price, and `!` where the exchange took over. */
export function contractFills(result: BacktestResult): string[] {
  return fillWords(result, CONTRACT).map((words, index) => {
    const isForced = result.fills[index]?.rule === 'liquidated'
    return isForced ? words.replace('taker', 'liquidated') : words.replace(' taker', '')
  })
}
