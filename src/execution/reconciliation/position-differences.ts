import { sideBook } from '../../domain/book-names.ts'
import { type Amount, amountOf } from '../../domain/numbers/amount.ts'
import { NO_STEPS, type Steps, steps } from '../../domain/numbers/grid.ts'
import type { Direction } from '../../domain/orders/side.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { HeldContract, PositionThere } from './futures-account.ts'

/** A position that differs between ledger and exchange. */
export interface PositionDifference {
  readonly symbol: string
  readonly contract: HeldContract
  readonly book: string
  readonly direction: Direction
  /** Contracts at the exchange. */
  readonly there: Steps
  /** Excess of the ledger over the exchange. */
  readonly missing: Steps
  /** Contracts that the exchange has beyond the ledger, shorts counted negative: no fill that both book changes it. */
  readonly excess: number
  /** True if the exchange merely holds less; a larger or opposite position cannot come from our orders. */
  readonly isExplicable: boolean
  /** Description of the difference, as a sentence. */
  readonly reason: string
}

/** An isolated position with another margin: after a manual change, or a payment after a partial close. */
export interface MarginDifference {
  readonly contract: HeldContract
  readonly book: string
  /** Margin at the exchange. */
  readonly margin: Amount
}

/** A position with other terms than configured: its margin is not the one that risk computes. */
export interface Misfit {
  readonly symbol: string
  /** Description of the difference, as a sentence. */
  readonly reason: string
}

/** Contracts on the account. */
export interface AccountPosition {
  readonly symbol: string
  readonly contractName: string
  readonly direction: Direction
  readonly quantity: Steps
}

/** The positions that the exchange has where the ledger has others; zero contracts for none. */
export function differingPositions(differences: readonly PositionDifference[]): readonly AccountPosition[] {
  return differences.map(({ symbol, contract: { contractName }, direction, there }) => ({
    ...{ symbol, contractName, direction },
    quantity: there,
  }))
}

/** The contracts that the exchange has beyond the ledger: others opened them. */
export function foreignPositions(differences: readonly PositionDifference[]): readonly AccountPosition[] {
  return differences
    .filter(({ isExplicable }) => !isExplicable)
    .map(({ symbol, contract: { contractName }, direction, excess }) => ({
      ...{ symbol, contractName, direction },
      quantity: steps(Math.abs(excess)),
    }))
}

const DIRECTIONS = ['long', 'short'] as const

/** Differences of positions, in order of the contracts. */
export function positionDifferences(
  contracts: readonly HeldContract[],
  positions: readonly PositionThere[],
  ledger: Ledger,
): readonly PositionDifference[] {
  return contracts.flatMap(contract =>
    DIRECTIONS.flatMap(direction => {
      const { instrument, contractName } = contract
      const book = sideBook(instrument, direction)
      const own = ledger.position(book)
      const held = own?.direction === direction ? own.quantity : NO_STEPS
      const there =
        positions.find(one => one.contract === contract && one.direction === direction)?.quantity ?? NO_STEPS
      if (there === held) return []
      const reason = `The exchange has ${there} ${there === 1 ? 'contract' : 'contracts'} of ${contractName} ${direction}, our books ${held}; bring them together by hand, then restart the bot.`
      const missing = steps(Math.max(0, held - there))
      const excess = direction === 'long' ? there - held : held - there
      return [
        {
          ...{ symbol: instrument.symbol, contract, book, direction },
          ...{ there, missing, excess, isExplicable: there < held, reason },
        },
      ]
    }),
  )
}

/** Differences of isolated margins. */
export function marginDifferences(
  positions: readonly PositionThere[],
  ledger: Ledger,
): readonly MarginDifference[] {
  return positions
    .filter(({ contract }) => contract.marginMode === 'isolated')
    .map(({ contract, book, position }) => ({ contract, book, margin: amountOf(position.margin) }))
    .filter(({ book, margin }) => (ledger.contracts.of(book)?.margin ?? margin) !== margin)
}

/** The positions that have another leverage or margin mode than configured. */
export function misfits(positions: readonly PositionThere[]): readonly Misfit[] {
  return positions.flatMap(({ contract, position }) => {
    const { instrument, contractName, marginMode } = contract
    const { symbol, futures } = instrument
    if (position.leverage.equals(futures?.leverage ?? 0) && position.positionType === marginMode) return []
    const reason = `The position of ${contractName} is held ${position.positionType} at ${position.leverage}x, not ${marginMode} at ${futures?.leverage}x as configured; change one of them, then restart the bot.`
    return [{ symbol, reason }]
  })
}
