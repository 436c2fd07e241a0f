import { rulesOf } from '../../domain/account-rules.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, ZERO } from '../../domain/numbers/amount.ts'
import { roundToSteps, roundToTicks } from '../../domain/numbers/grid.ts'
import type { QuotesSignal, QuoteWish } from '../../domain/signal.ts'
import type { RiskView } from '../../risk/risk-view.ts'
import { type SizingAccount, sizeToBase } from '../../risk/sizing.ts'
import type { DeclaredQuote } from './quote-set.ts'

/**
 * Brings quotes onto the grid: prices away from the market, quantities down. Throws where a size cannot be
 * computed.
 */
export function declaredQuotes({ quotes }: QuotesSignal, view: RiskView): readonly DeclaredQuote[] {
  const account = wholeAccount(view)
  return quotes.map(wish => onGrid(wish, view.instrument, account))
}

function onGrid(wish: QuoteWish, instrument: Instrument, account: SizingAccount): DeclaredQuote {
  const { side, size, tag, postOnly = true, reduceOnly = false } = wish
  const price = roundToTicks(instrument, wish.price, side === 'buy' ? 'down' : 'up')
  const quantity = roundToSteps(instrument, sizeToBase(size, { side, price }, account) ?? ZERO)
  const isExit = reduceOnly || (side === 'sell' && !rulesOf(instrument).canBeShort)
  return { side, price, quantity, postOnly, reduceOnly: isExit, tag }
}

/**
 * Resting quotes are paid for already, so a fraction of equity is not bounded by the free balance here: risk
 * checks that.
 */
function wholeAccount(view: RiskView): SizingAccount {
  let known: Amount | undefined
  const equity = () => {
    known ??= view.equity
    return known
  }
  return {
    instrument: view.instrument,
    get equity() {
      return equity()
    },
    get freeQuote() {
      return equity()
    },
  }
}
