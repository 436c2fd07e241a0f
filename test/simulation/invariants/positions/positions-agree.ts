import { sideBook } from '../../../../src/domain/book-names.ts'
import type { Instrument } from '../../../../src/domain/instrument.ts'
import { amountToText } from '../../../../src/domain/numbers/amount.ts'
import { baseAmount, NO_STEPS } from '../../../../src/domain/numbers/grid.ts'
import type { Direction } from '../../../../src/domain/orders/side.ts'
import { baseOf } from '../../../../src/simulator/futures/contract.ts'
import type { SimulatedPosition } from '../../../../src/simulator/futures/positions/position.ts'
import { contractsOf, knownFutures, type Rest, type Violation } from '../scene.ts'

const DIRECTIONS: readonly Direction[] = ['long', 'short']

/** Each position of a contract is as large as at the exchange, with the same margin of its own, and held as it was configured; unless the contract is halted. */
export function positionsAgree(rest: Rest): readonly Violation[] {
  const { past } = rest
  const futures = knownFutures(rest)
  if (futures === undefined) return []
  const live = contractsOf(rest).filter(({ symbol }) => !past.heldBack.isHalted(symbol))
  return live.flatMap(instrument =>
    DIRECTIONS.flatMap(direction => {
      const there = futures
        .positions()
        .find(one => one.contract.name === instrument.symbol && one.direction === direction)
      return different(rest, instrument, direction, there).map(problem => ({
        problem: `${instrument.symbol} ${direction}: ${problem}`,
        about: instrument.symbol,
      }))
    }),
  )
}

function different(
  { ledger }: Rest,
  instrument: Instrument,
  direction: Direction,
  there: SimulatedPosition | undefined,
): readonly string[] {
  const { futures } = instrument
  const book = sideBook(instrument, direction)
  const position = ledger.position(book)
  const own = position?.direction === direction ? position.quantity : NO_STEPS
  const [held, real] = [
    baseAmount(instrument, own),
    there === undefined ? 0n : baseOf(there.contract, there.volume),
  ]
  if (held !== real) return [`the books hold ${own} contracts, the exchange ${there?.volume ?? 0}`]
  if (there === undefined) return []
  const contracts = ledger.contracts.of(book)
  const problems: string[] = []
  if (there.leverage !== futures?.leverage) problems.push(`is held at a leverage of ${there.leverage}`)
  if (there.marginMode !== futures?.marginMode) problems.push(`is held ${there.marginMode}`)
  if (contracts?.quantity !== own) problems.push(`lots are ${own}, contracts ${contracts?.quantity}`)
  if (there.marginMode === 'isolated' && contracts?.margin !== there.margin)
    problems.push(`has a margin of ${amountToText(there.margin)}, booked ${contracts?.margin}`)
  return problems
}
