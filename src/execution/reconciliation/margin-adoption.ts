import { rulesOf } from '../../domain/account-rules.ts'
import type { OthersTrade } from '../../domain/events/engine-event.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, add, amountToText, negate, ZERO } from '../../domain/numbers/amount.ts'
import { baseAmount, steps } from '../../domain/numbers/grid.ts'
import type { OwnTrade } from '../../exchange/spot/own-trade.ts'
import { Halts } from './halts.ts'
import type { ReconcilerOptions } from './reconciler-options.ts'
import { changesBy } from './trade-changes.ts'
import { TradeSums } from './trade-sums.ts'

/** Begins the reason of a hold after trades of others. */
const OPENING = 'Another client of the margin account'

/**
 * Books foreign trades on the margin account. Its balances are unreadable, but each trade shows its change
 * once. If less remains than our positions need, their instruments halt, as on spot, and say what remains now.
 */
export class MarginAdoption {
  readonly #options: ReconcilerOptions
  readonly #halts: Halts
  /** Assets that others traded since the latest `settle`. */
  readonly #traded = new Set<string>()
  /** The reason that each symbol was held back for, what stands before its sums, and these. */
  readonly #held = new Map<
    string,
    { readonly reason: string; readonly before: string; readonly sums: TradeSums }
  >()

  constructor(options: ReconcilerOptions) {
    this.#options = options
    this.#halts = new Halts(options)
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
    this.#traded.add(instrument.base)
  }

  /**
   * Halts the instruments of which the adopted trades left too little, and renews the reasons of earlier halts. Called
   * after the trades of a look, before they count as processed.
   */
  settle(): void {
    for (const { symbol, base } of this.#instruments) {
      const reason = this.#traded.has(base) ? this.#shortageOf(symbol) : ''
      if (reason !== '' && this.#options.ledger.netQuantity(symbol) !== 0) this.#halts.halt(symbol, reason)
    }
    this.#traded.clear()
    this.#halts.settle(symbol => this.#shortageOf(symbol))
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

  #hold(trade: OwnTrade, { symbol, base }: Instrument): void {
    const { margin, emit, serverNow } = this.#options
    const renews = margin?.holdOf(symbol)
    const known = this.#held.get(symbol)
    // A resume ends what a reason sums up; the reason of the run before goes on in front of the sums of this one.
    const isKnown = known !== undefined && known.reason === renews
    const sums = isKnown ? known.sums : new TradeSums()
    const before = isKnown ? known.before : renews?.startsWith(OPENING) ? `${renews} Later: ` : ''
    sums.add(trade)
    const reason = `${before}${OPENING} ${sums.text(base)}. The exchange does not publish balances and debts of that account. ${sums.count === 1 ? 'The trade is' : 'The trades are'} booked; other changes there would stay unknown. Resume ${symbol} if there were none; otherwise start with a new journal and declare what is free. To go on beside others, set foreignTrades: adopt.`
    this.#held.set(symbol, { reason, before, sums })
    const time = serverNow()
    emit({
      ...{ type: 'tradingCommanded', command: 'halt', by: 'invariant', symbol, reason, time },
      ...(renews !== undefined && (isKnown || before !== '') && { renews }),
    })
  }

  /** Instruments of the margin account. */
  get #instruments(): readonly Instrument[] {
    return [...this.#options.instruments.values()].filter(one => rulesOf(one).comparedBy === 'trades')
  }

  /** The shortage of an instrument's base on the account, as a sentence; empty if there is none. */
  #shortageOf(symbol: string): string {
    const { ledger } = this.#options
    const { base } = ledger.instrument(symbol)
    const there = ledger.balances.in('margin').of(base)
    let held = ZERO
    for (const instrument of this.#instruments) {
      const net = instrument.base === base ? ledger.netQuantity(instrument.symbol) : 0
      if (net > 0) held = add(held, baseAmount(instrument, steps(net)))
    }
    if (there >= held) return ''
    const what =
      there < ZERO
        ? `sold ${amountToText(negate(there))} ${base} more than the margin account had, which it owes now${held > ZERO ? `, beside the ${amountToText(held)} of our positions` : ''}`
        : `left ${amountToText(there)} ${base} on the margin account, less than the ${amountToText(held)} of our positions`
    return `Others ${what}; bring it back, or close what is held and start with a new journal.`
  }
}
