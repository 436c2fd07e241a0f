import { rulesOf } from '../../domain/account-rules.ts'
import type { OthersTrade } from '../../domain/events/engine-event.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, add, amountOf, amountToText, negate, ZERO } from '../../domain/numbers/amount.ts'
import { baseAmount, steps } from '../../domain/numbers/grid.ts'
import type { OwnTrade } from '../../exchange/spot/own-trade.ts'
import type { ReconcilerOptions } from './reconciler-options.ts'

/**
 * Books foreign trades on the margin account. Its balances are unreadable, but each trade shows its change
 * once. If less remains than our positions need, their instruments halt, as on spot.
 */
export class MarginAdoption {
  readonly #options: ReconcilerOptions
  readonly #halted = new Set<string>()

  constructor(options: ReconcilerOptions) {
    this.#options = options
  }

  /** Books a foreign trade; one that was booked before a crash is not booked again. */
  adopt(trade: OwnTrade, instrument: Instrument): void {
    const { sentRequests, margin } = this.#options
    const named: OthersTrade = { symbol: trade.symbol, tradeId: trade.id, orderId: trade.orderId }
    if (!sentRequests.hasOthersTrade(named)) {
      // First, because a booked trade is not examined again.
      if (margin?.foreignTrades !== 'adopt' && margin?.isTraded(trade.symbol)) this.#hold(trade, instrument)
      this.#book(trade, instrument, named)
    }
    this.#requireCover(instrument.base)
  }

  #book(trade: OwnTrade, instrument: Instrument, named: OthersTrade): void {
    const { ledger, emit, serverNow } = this.#options
    const balances = new Map<string, Amount>()
    for (const [asset, change] of changesBy(trade, instrument)) {
      const known = balances.get(asset) ?? ledger.balances.in('margin').of(asset)
      balances.set(asset, add(known, change))
    }
    emit({ type: 'balancesReported', balances, account: 'margin', trade: named, time: serverNow() })
  }

  #hold({ id, side, quantity, price }: OwnTrade, { symbol, base }: Instrument): void {
    const { emit, serverNow } = this.#options
    const what = `${side === 'buy' ? 'bought' : 'sold'} ${quantity} ${base} at ${price}`
    const reason = `Another client of the margin account ${what} (trade ${id}). The exchange does not publish balances and debts of that account. The trade is booked; other changes there would stay unknown. Resume ${symbol} if there were none; otherwise start with a new journal and declare what is free. To go on beside others, set foreignTrades: adopt.`
    const time = serverNow()
    emit({ type: 'tradingCommanded', command: 'halt', by: 'invariant', symbol, reason, time })
  }

  #requireCover(asset: string): void {
    const { instruments, ledger, emit, serverNow } = this.#options
    const there = ledger.balances.in('margin').of(asset)
    const own = [...instruments.values()].filter(
      one => one.base === asset && rulesOf(one).comparedBy === 'trades',
    )
    let held = ZERO
    for (const instrument of own) {
      const net = ledger.netQuantity(instrument.symbol)
      if (net > 0) held = add(held, baseAmount(instrument, steps(net)))
    }
    if (there >= held) return
    const reason = `Others left ${amountToText(there)} ${asset} on the margin account, less than the ${amountToText(held)} of our positions; bring it back or start with a new journal.`
    for (const { symbol } of own) {
      if (ledger.netQuantity(symbol) === 0 || this.#halted.has(symbol)) continue
      this.#halted.add(symbol)
      emit({ type: 'instrumentHalted', symbol, reason, time: serverNow() })
    }
  }
}

/** Balance changes of a trade, in order; its fee may be in either asset of the pair, or in a third. */
function changesBy(
  { side, price, quantity, fee, feeAsset }: OwnTrade,
  { base, quote }: Instrument,
): readonly (readonly [asset: string, change: Amount])[] {
  const [bought, paid] = [amountOf(quantity), amountOf(quantity.times(price))]
  return [
    [base, side === 'buy' ? bought : negate(bought)],
    [quote, side === 'buy' ? negate(paid) : paid],
    [feeAsset, negate(amountOf(fee))],
  ]
}
