import { sideBook } from '../../domain/book-names.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, add, amountAtExchange, amountOf, ZERO } from '../../domain/numbers/amount.ts'
import { type Steps, stepsOf } from '../../domain/numbers/grid.ts'
import type { Direction } from '../../domain/orders/side.ts'
import { SluiceError } from '../../domain/sluice-error.ts'
import type { FuturesClient } from '../../exchange/client/futures-client.ts'
import type { FuturesBalance } from '../../exchange/futures/futures-balance.ts'
import type { FuturesPosition } from '../../exchange/futures/futures-position.ts'
import type { UnreadableEntry } from '../../exchange/wire/list-field.ts'
import type { TradedContract } from '../gateway/futures-trading.ts'

export type FuturesReads = Pick<FuturesClient, 'account' | 'allTransactions' | 'indexPrice'>

/** Tolerated difference of money, in quote, for exchanges that count with fewer decimals. */
export const MONEY_ROUNDING = amountOf('0.0001')

/** A traded contract: the instrument, and its name at the exchange. */
export interface HeldContract extends TradedContract {
  readonly instrument: Instrument
}

/** A position at the exchange. */
export interface PositionThere {
  readonly contract: HeldContract
  /** Book of the position. */
  readonly book: string
  readonly direction: Direction
  readonly quantity: Steps
  readonly position: FuturesPosition
}

/** Total balance of each margin coin: free, frozen by orders, and in isolated positions. */
export async function readWallets(
  futures: Pick<FuturesReads, 'account'>,
): Promise<ReadonlyMap<string, Amount>> {
  return walletsIn(await futures.account())
}

/** Total balance of each margin coin, from an account that was read. */
export function walletsIn(account: readonly FuturesBalance[]): ReadonlyMap<string, Amount> {
  return new Map(
    account.map(({ marginCoin, balance, orderMargin, isolatedMargin }) => [
      marginCoin.toUpperCase(),
      [balance, orderMargin, isolatedMargin].map(amountAtExchange).reduce(add, ZERO),
    ]),
  )
}

/**
 * The positions of traded contracts in an account that was read; throws `SluiceError` for one of them that
 * cannot be read.
 */
export function positionsIn(
  account: readonly FuturesBalance[],
  contracts: readonly HeldContract[],
): readonly PositionThere[] {
  return account.flatMap(({ contracts: listed }) =>
    listed.flatMap(({ contractName, positions, unreadable = [] }) => {
      const contract = contracts.find(known => known.contractName === contractName.toUpperCase())
      if (contract === undefined) return []
      const [odd] = unreadable
      if (odd !== undefined) throw unreadablePosition(contractName, odd)
      const { instrument } = contract
      return positions
        .filter(({ volume }) => !volume.isZero())
        .map(position => {
          const { direction } = position
          const quantity = stepsOf(instrument, position.volume)
          return { contract, book: sideBook(instrument, direction), direction, quantity, position }
        })
    }),
  )
}

/** The position in a traded contract must be known. */
function unreadablePosition(contractName: string, { key, rule }: UnreadableEntry): SluiceError {
  return new SluiceError(
    `The exchange's position of ${contractName} cannot be read: ${key} ${rule}. It is read again.`,
    { code: 'POSITION_UNREADABLE', reaction: 'skip' },
  )
}

/** True if a transaction names this contract: hosts write `BTCUSDT`, `E-BTC-USDT` and the like. */
export function isNamed({ contractName }: TradedContract, displayName: string | undefined): boolean {
  if (displayName === undefined) return false
  const bare = (name: string) => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  const [, ...pair] = contractName.split('-')
  const written = bare(displayName)
  return written === bare(contractName) || written === bare(pair.join(''))
}
