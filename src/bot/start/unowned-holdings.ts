import type { Logger } from 'pino'
import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, amountToText } from '../../domain/numbers/amount.ts'
import { tradableBases } from '../state/tradable-bases.ts'

/**
 * Warns, at a start without a journal, of base on the spot account that a strategy may have bought: the bot
 * treats it as foreign.
 */
export function logUnowned(
  log: Logger,
  instruments: Iterable<Instrument>,
  spot: ReadonlyMap<string, Amount> | undefined,
): void {
  for (const { asset, amount, symbols } of tradableBases(instruments, base => spot?.get(base)))
    log.warn(
      { asset, held: amountToText(amount), symbols: symbols.join(', ') },
      'held, but no strategy owns it',
    )
}
