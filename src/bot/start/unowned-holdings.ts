import type { Logger } from 'pino'
import { rulesOf } from '../../domain/account-rules.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, amountToText } from '../../domain/numbers/amount.ts'
import { NO_STEPS, stepsWithin } from '../../domain/numbers/grid.ts'

/**
 * Warns, at a start without a journal, of base on the spot account that a strategy may have bought: the bot
 * treats it as foreign.
 */
export function logUnowned(
  log: Logger,
  instruments: Iterable<Instrument>,
  spot: ReadonlyMap<string, Amount> | undefined,
): void {
  const symbolsOf = Map.groupBy(
    [...instruments].filter(one => rulesOf(one).comparedBy === 'balances'),
    ({ base }) => base,
  )
  for (const [asset, traded] of symbolsOf) {
    const held = spot?.get(asset)
    if (held === undefined || !traded.some(one => isTradable(one, held))) continue
    const symbols = traded.map(({ symbol }) => symbol).join(', ')
    log.warn({ asset, held: amountToText(held), symbols }, 'held, but no strategy owns it')
  }
}

/** True if the exchange accepts an order of so much base. */
function isTradable(instrument: Instrument, base: Amount): boolean {
  const quantity = stepsWithin(instrument, base)
  return quantity > NO_STEPS && quantity >= instrument.minQuantity
}
