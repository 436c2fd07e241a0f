import type { BacktestReport } from '../../../../backtest/report/backtest-report.ts'
import type { ContractReport } from '../../../../backtest/report/text/margin-report.ts'
import type { BacktestResult } from '../../../../backtest/results/backtest-result.ts'
import { type Amount, add, ZERO } from '../../../domain/numbers/amount.ts'
import type { BacktestInput } from '../backtest-input.ts'

/** Funding paid minus funding received, in quote; `undefined` without rates. */
export function fundingOf(inputs: readonly BacktestInput[], { funding }: BacktestResult): Amount | undefined {
  return inputs.some(({ futures }) => futures?.funding !== undefined) ? paid(funding) : undefined
}

/**
 * Part of a report about a futures account, or about accounts side by side; empty for a single account of
 * another type.
 */
export function marginPart(
  inputs: readonly BacktestInput[],
  { accounts, margin, funding, liquidations }: BacktestResult,
): Pick<BacktestReport, 'accounts' | 'margin' | 'funding'> {
  const onContracts = inputs.filter(({ instrument }) => instrument.futures !== undefined)
  const terms = onContracts[0]?.instrument.futures
  if (terms === undefined || margin === undefined) return { accounts }
  const { leverage, marginMode, positionMode } = terms
  const contracts = contractsOf(onContracts, funding)
  return {
    accounts,
    margin: {
      ...{ leverage, marginMode, positionMode, ...margin, liquidations },
      mark: sharedBy(contracts.map(({ mark }) => mark)),
      funding: sharedBy(contracts.map(contract => contract.funding)),
      ...(contracts.length > 1 && { contracts }),
    },
    ...(inputs.some(({ futures }) => futures?.funding !== undefined) && { funding }),
  }
}

/** Each instrument once, because several strategies may trade one. */
function contractsOf(inputs: readonly BacktestInput[], funding: BacktestResult['funding']): ContractReport[] {
  const bySymbol = new Map(inputs.map(input => [input.instrument.symbol, input]))
  return Array.from(bySymbol, ([symbol, { futures = {}, ticks }]) => {
    const own = funding.filter(payment => payment.symbol === symbol)
    return {
      symbol,
      mark: markSource(futures, ticks),
      funding: futures.funding?.type ?? 'none',
      settlements: own.length,
      paid: paid(own),
    }
  })
}

function markSource(
  { mark }: NonNullable<BacktestInput['futures']>,
  ticks: BacktestInput['ticks'],
): ContractReport['mark'] {
  if (mark !== undefined) return 'markKlines'
  if (ticks === undefined) return 'tradedKlines'
  return ticks.marks === undefined ? 'recordedTicks' : 'recordedMarks'
}

function paid(funding: BacktestResult['funding']): Amount {
  return funding.reduce((sum, { amount }) => add(sum, amount), ZERO)
}

/** The value that all share. */
function sharedBy<Value extends string>(values: readonly Value[]): Value | 'various' {
  const [first = 'various'] = values
  return values.every(value => value === first) ? first : 'various'
}
