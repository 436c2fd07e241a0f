import { hasTwoBooks, sideBook } from '../../domain/book-names.ts'
import { type Amount, amountAtExchange } from '../../domain/numbers/amount.ts'
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
  /** Contracts at the exchange in the opposite direction of ours, where both net to one position; otherwise 0. */
  readonly turnedInto: Steps
  /** Contracts on both sides, as the beginning of a sentence. */
  readonly state: string
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
  return differences
    .filter(({ turnedInto, isExplicable }) => !(turnedInto > NO_STEPS && isExplicable))
    .map(({ symbol, contract: { contractName }, direction, there }) => ({
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

/** Differences of positions, in order of the contracts; two of a position that is turned round: ours is gone, and another is there. */
export function positionDifferences(
  contracts: readonly HeldContract[],
  positions: readonly PositionThere[],
  ledger: Ledger,
): readonly PositionDifference[] {
  return contracts.flatMap(contract => {
    const there = (direction: Direction) =>
      positions.find(one => one.contract === contract && one.direction === direction)?.quantity ?? NO_STEPS
    return DIRECTIONS.flatMap(direction => differenceOf(contract, direction, there, ledger) ?? [])
  })
}

function differenceOf(
  contract: HeldContract,
  direction: Direction,
  thereIn: (direction: Direction) => Steps,
  ledger: Ledger,
): PositionDifference | undefined {
  const { instrument, contractName } = contract
  const book = sideBook(instrument, direction)
  const own = ledger.position(book)
  const held = own?.direction === direction ? own.quantity : NO_STEPS
  const there = thereIn(direction)
  if (there === held) return undefined
  const turnedInto =
    own === undefined || hasTwoBooks(instrument) ? NO_STEPS : thereIn(opposite(own.direction))
  const state =
    own !== undefined && turnedInto > NO_STEPS
      ? turnedText(contractName, own, turnedInto)
      : `The exchange has ${contractsText(there)} of ${contractName} ${direction}, our books ${held}`
  const reason = `${state}; bring them together by hand, then restart the bot.`
  const missing = steps(Math.max(0, held - there))
  const excess = direction === 'long' ? there - held : held - there
  return {
    ...{ symbol: instrument.symbol, contract, book, direction },
    ...{ there, missing, excess, isExplicable: there < held, turnedInto, state, reason },
  }
}

/** `own` is held in the books, `there` contracts of the other direction on the account. */
function turnedText(
  contractName: string,
  { direction, quantity }: { readonly direction: Direction; readonly quantity: Steps },
  there: Steps,
): string {
  return `The exchange has ${contractsText(there)} of ${contractName} ${opposite(direction)}, our books ${quantity} ${direction}: a difference of ${there + quantity}`
}

function opposite(direction: Direction): Direction {
  return direction === 'long' ? 'short' : 'long'
}

function contractsText(count: number): string {
  return `${count} ${count === 1 ? 'contract' : 'contracts'}`
}

/** Differences of isolated margins. */
export function marginDifferences(
  positions: readonly PositionThere[],
  ledger: Ledger,
): readonly MarginDifference[] {
  return positions
    .filter(({ contract }) => contract.marginMode === 'isolated')
    .map(({ contract, book, position }) => ({ contract, book, margin: amountAtExchange(position.margin) }))
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
