import { rulesOf } from '../../domain/account-rules.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, add, amountToText, subtract, ZERO } from '../../domain/numbers/amount.ts'
import { baseAmount, steps } from '../../domain/numbers/grid.ts'
import { Halts } from './halts.ts'
import { MissingBase } from './outside-sales.ts'
import { readBalances } from './read-balances.ts'
import type { ReconcilerOptions } from './reconciler-options.ts'
import { changesBy } from './trade-changes.ts'
import type { TradeComparison } from './trade-comparison.ts'

/** True if the balances of an instrument's account are compared. */
export function isCompared(instrument: Instrument): boolean {
  return rulesOf(instrument).comparedBy === 'balances'
}

type BalanceCause = 'trades' | 'transfer' | 'unknown'

/**
 * Compares the balances of a spot account once every own trade is booked. A remaining difference is a
 * transfer or a foreign trade: the exchange's value is adopted and reported. Where less of an asset is left than
 * our positions consist of, sales of others close them as far as they explain it, with what they brought. Nothing
 * explains the rest: the asset stays in the books, what its instruments brought is not adopted either, and they halt;
 * while an operator closes them, the rest counts as closed at the latest price.
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
  readonly #halts: Halts
  #balances: ReadonlyMap<string, Amount> = new Map()

  constructor(options: ReconcilerOptions, trades: TradeComparison) {
    this.#options = options
    this.#instruments = [...options.instruments.values()].filter(isCompared)
    this.#assets = new Set(this.#instruments.flatMap(({ base, quote }) => [base, quote]))
    this.#trades = trades
    this.#halts = new Halts(options)
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
    if (different.length > 0 && !isConfirmed) return 'suspected'
    if (different.length > 0) this.#act(new Map(different))
    this.#halts.settle(symbol => this.#shortageOf(symbol))
    return 'agreed'
  }

  #act(there: ReadonlyMap<string, Amount>): void {
    const causes = this.#causesOf(there)
    const unexplained = [...there].filter(([asset, amount]) => !this.#bookSales(asset, amount))
    for (const [asset] of unexplained) this.#halt(asset)
    const short = new Set(unexplained.map(([asset]) => asset))
    const brought = new Set(this.#instruments.flatMap(({ base, quote }) => (short.has(base) ? [quote] : [])))
    const known = this.#options.ledger.balances.in('spot')
    this.#adopt(
      [...there].filter(
        ([asset, amount]) => !short.has(asset) && !(brought.has(asset) && amount > known.of(asset)),
      ),
      causes,
    )
  }

  /**
   * Causes of differences: a transfer where others did not trade the asset; their trades where all of them, or the latest
   * since some time, come to it exactly; of anything else, such as a trade and a transfer at once, the cause is unknown.
   */
  #causesOf(there: ReadonlyMap<string, Amount>): ReadonlyMap<string, BalanceCause> {
    const { ledger } = this.#options
    const known = ledger.balances.in('spot')
    const { tradedByOthers, tradesOfOthers } = this.#trades
    const latestFirst = tradesOfOthers.toReversed().toSorted((left, right) => right.time - left.time)
    const causeOf = (asset: string, change: Amount): BalanceCause => {
      if (!tradedByOthers.has(asset)) return 'transfer'
      let sum = ZERO
      for (const trade of latestFirst) {
        const own = changesBy(trade, ledger.instrument(trade.symbol)).filter(([changed]) => changed === asset)
        const traded = own.reduce((total, [, part]) => add(total, part), ZERO)
        sum = add(sum, traded)
        if (traded !== ZERO && sum === change) return 'trades'
      }
      return 'unknown'
    }
    return new Map(
      [...there].map(([asset, amount]) => [asset, causeOf(asset, subtract(amount, known.of(asset)))]),
    )
  }

  #adopt(
    there: Iterable<readonly [asset: string, amount: Amount]>,
    causes: ReadonlyMap<string, BalanceCause>,
  ): void {
    const { ledger, emit, onReport, serverNow } = this.#options
    const known = ledger.balances.in('spot')
    const different = [...there].filter(([asset, amount]) => known.of(asset) !== amount)
    if (different.length === 0) return
    for (const [asset, exchange] of different) {
      const cause = causes.get(asset) ?? 'unknown'
      onReport({ type: 'balanceAdjusted', asset, ledger: known.of(asset), exchange, cause })
    }
    emit({ type: 'balancesReported', balances: new Map(different), account: 'spot', time: serverNow() })
  }

  /** Books as closed what the account lacks of our positions of an asset; `false` if something of it has no explanation. */
  #bookSales(asset: string, amount: Amount): boolean {
    const { ledger, emit, isClosing, onReport, serverNow } = this.#options
    const missing = subtract(this.#heldOf(asset), amount)
    if (missing <= ZERO) return true
    const instruments = this.#instruments.filter(({ base }) => base === asset)
    const gone = new MissingBase(ledger, instruments, missing)
    gone.takeSales(this.#trades.tradesOfOthers)
    gone.takeRest(isClosing, serverNow())
    const { closes, unexplained } = gone.result
    for (const close of closes) {
      const { symbol, direction, quantity, by } = close.liquidation
      onReport({
        type: 'positionClosed',
        symbol,
        direction,
        quantity,
        cause: by === 'others' ? 'trades' : 'unknown',
        isPriceDerived: false,
      })
      emit({ ...close, time: Math.min(close.time, serverNow()) })
    }
    return unexplained === ZERO
  }

  #halt(asset: string): void {
    for (const { symbol, base } of this.#instruments)
      if (base === asset && this.#options.ledger.netQuantity(symbol) !== 0)
        this.#halts.halt(symbol, this.#shortageOf(symbol))
  }

  /** The shortage of an instrument's base on the account, as a sentence; empty if there is none. */
  #shortageOf(symbol: string): string {
    const { base } = this.#options.ledger.instrument(symbol)
    const [there, held] = [this.#balances.get(base) ?? ZERO, this.#heldOf(base)]
    if (there >= held) return ''
    return `The account holds ${amountToText(there)} ${base}, less than the ${amountToText(held)} of our positions, and no sale explains that; bring it back and restart the bot, or close what is there with "npm run -s bot -- flatten".`
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
