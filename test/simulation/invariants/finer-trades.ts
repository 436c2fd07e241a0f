import { listedName } from '../../../src/domain/account-symbol.ts'
import {
  baseAmount,
  NO_STEPS,
  notionalOf,
  steps,
  stepsWithin,
  ticks,
} from '../../../src/domain/numbers/grid.ts'
import { ownTrades, type Scene } from './scene.ts'

/** Whether the exchange traded finer than the bot counts, which was told fewer decimals: what nobody can book is beyond the books, and its instrument is halted. */
export function hasFinerTrades(
  scene: Pick<Scene, 'user' | 'futures' | 'instruments' | 'othersPrefix' | 'forgotten'>,
): boolean {
  return ownTrades(scene).some(({ quantity, worth, order: { symbol, account } }) => {
    const instrument = scene.instruments.find(
      known => listedName(known.symbol) === symbol && known.accountType === account,
    )
    if (instrument === undefined) return false
    const counted = stepsWithin(instrument, quantity)
    if (counted === NO_STEPS || baseAmount(instrument, counted) !== quantity) return true
    return worth % notionalOf(instrument, ticks(1), steps(counted)) !== 0n
  })
}
