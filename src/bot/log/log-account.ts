import type { Logger } from 'pino'
import type { Engine } from '../../engine/engine.ts'
import type { LivePrices } from '../text/position-status.ts'
import { heldPositions, quotesOf, texts } from './bot-summary.ts'

/** Logs the account's equity at the latest prices, and its positions. */
export function logAccount(
  log: Logger,
  { ledger, runners }: Pick<Engine, 'ledger' | 'runners'>,
  prices: LivePrices,
): void {
  const quotes = quotesOf(ledger.instruments)
  const equity = texts(quotes.map(quote => [quote, ledger.equity(quote, prices)]))
  log.info({ equity, balances: texts(ledger.balances.entries()) }, 'account')
  for (const held of heldPositions({ ledger, runners }, prices)) log.info({ ...held }, 'position')
}
