import { rulesOf } from '../../domain/account-rules.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, add, amountToText, subtract, ZERO } from '../../domain/numbers/amount.ts'
import { baseAmount, steps } from '../../domain/numbers/grid.ts'
import { readBalances } from './read-balances.ts'
import type { ReconcilerOptions } from './reconciler-options.ts'
import type { TradeComparison } from './trade-comparison.ts'

/** True if the balances of an instrument's account are compared. */
export function isCompared(instrument: Instrument): boolean {
  return rulesOf(instrument).comparedBy === 'balances'
}

/**
 * Compares the balances of a spot account once every own trade is booked. A remaining difference is a
 * transfer or a foreign trade: the exchange's value is adopted and reported. Only a balance below our
 * positions has no explanation: those instruments halt.
 */
export class BalanceComparison {
  readonly #options: ReconcilerOptions
  /** Instruments of the spot account. */
  readonly #instruments: readonly Instrument[]
  readonly #assets: ReadonlySet<string>
  readonly #trades: TradeComparison
  /**
   * Differences of the previous look, as text: balances may lag behind trades, so a difference counts only
   * after two looks.
   */
  #suspected = ''
  readonly #halted = new Set<string>()
  #balances: ReadonlyMap<string, Amount> = new Map()

  constructor(options: ReconcilerOptions, trades: TradeComparison) {
    this.#options = options
    this.#instruments = [...options.instruments.values()].filter(isCompared)
    this.#assets = new Set(this.#instruments.flatMap(({ base, quote }) => [base, quote]))
    this.#trades = trades
  }

  /** Reads the input of `compare`. */
  async read(): Promise<void> {
    this.#balances = await readBalances(this.#options.account, this.#assets)
  }

  /** Compares the balances; no event may have occurred since the read. */
  compare(): 'agreed' | 'suspected' {
    const known = this.#options.ledger.balances.in('spot')
    const different = [...this.#balances].filter(([asset, amount]) => known.of(asset) !== amount)
    // The differences, not the balances: a trade between two looks changes both sides alike.
    const found = different
      .map(([asset, amount]) => `${asset} ${amountToText(subtract(amount, known.of(asset)))}`)
      .join()
    const isConfirmed = found === this.#suspected
    this.#suspected = found
    if (different.length === 0) return 'agreed'
    if (!isConfirmed) return 'suspected'
    this.#act(new Map(different))
    return 'agreed'
  }

  #act(different: ReadonlyMap<string, Amount>): void {
    const { ledger, emit, onReport, serverNow } = this.#options
    const short = [...different].filter(([asset, amount]) => amount < this.#heldOf(asset))
    for (const [asset, amount] of short) this.#halt(asset, amount)
    const explained = [...different].filter(([asset]) => !short.some(([other]) => other === asset))
    if (explained.length === 0) return
    for (const [asset, exchange] of explained) {
      const cause = this.#trades.tradedByOthers.has(asset) ? 'trades' : 'transfer'
      const before = ledger.balances.in('spot').of(asset)
      onReport({ type: 'balanceAdjusted', asset, ledger: before, exchange, cause })
    }
    const time = serverNow()
    emit({
      type: 'balancesReported',
      balances: new Map(explained),
      account: 'spot',
      time,
    })
  }

  #halt(asset: string, amount: Amount): void {
    const { ledger, emit, serverNow } = this.#options
    const held = amountToText(this.#heldOf(asset))
    const reason = `The account holds ${amountToText(amount)} ${asset}, less than the ${held} of our positions; bring it back or start with a new journal.`
    for (const { symbol, base } of this.#instruments) {
      if (base !== asset || ledger.netQuantity(symbol) === 0 || this.#halted.has(symbol)) continue
      this.#halted.add(symbol)
      emit({ type: 'instrumentHalted', symbol, reason, time: serverNow() })
    }
  }

  /** Base units of an asset that our long positions are made of. */
  #heldOf(asset: string): Amount {
    let held = ZERO
    for (const instrument of this.#instruments) {
      const net = this.#options.ledger.netQuantity(instrument.symbol)
      if (instrument.base === asset && net > 0) held = add(held, baseAmount(instrument, steps(net)))
    }
    return held
  }
}
