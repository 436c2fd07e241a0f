import { rulesOf } from '../../domain/account-rules.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, add, amountToText, subtract, ZERO } from '../../domain/numbers/amount.ts'
import { baseAmount, type Steps, steps } from '../../domain/numbers/grid.ts'
import type { OwnTrade } from '../../exchange/spot/own-trade.ts'
import { Halts } from './halts.ts'
import { MissingBase, type OutsideSales } from './outside-sales.ts'
import { type AssetBalance, readAssetBalances } from './read-balances.ts'
import type { ReconcilerOptions } from './reconciler-options.ts'
import type { LockedCoins } from './reconciliation-report.ts'
import { changesBy } from './trade-changes.ts'
import type { TradeComparison } from './trade-comparison.ts'

/** True if the balances of an instrument's account are compared. */
export function isCompared(instrument: Instrument): boolean {
  return rulesOf(instrument).comparedBy === 'balances'
}

/** Balance of an asset that the account does not list. */
const NOTHING: AssetBalance = { free: ZERO, total: ZERO }

type BalanceCause = 'trades' | 'transfer' | 'unknown'

/** Time in which the sale behind a shortage may still be listed, ms: hosts list trades up to a minute after balances show them. */
const LISTING_MS = 90_000

/**
 * Compares the balances of a spot account once every own trade is booked. A remaining difference is a
 * transfer or a foreign trade: the exchange's value is adopted and reported. Where less of an asset is left than
 * our positions consist of, sales of others close them as far as they explain it, with what they brought. The rest waits
 * for a sale that is listed late. Where none comes, the asset stays in the books, what its instruments brought is not
 * adopted either, and they halt; while an operator closes them, the rest counts as closed at the latest price.
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
  /** When a shortage without a sale was first believed, by asset, ms UTC. */
  readonly #shortSince = new Map<string, number>()
  /** Sales that have closed a position, so that they explain no other. */
  readonly #booked = new WeakSet<OwnTrade>()
  readonly #halts: Halts
  #read: ReadonlyMap<string, AssetBalance> = new Map()
  /** Base units that are free to be sold, by symbol, of instruments whose closing orders were refused while that is too little. */
  readonly #sellable = new Map<string, Amount>()

  constructor(options: ReconcilerOptions, trades: TradeComparison) {
    this.#options = options
    this.#instruments = [...options.instruments.values()].filter(isCompared)
    this.#assets = new Set(this.#instruments.flatMap(({ base, quote }) => [base, quote]))
    this.#trades = trades
    this.#halts = new Halts(options)
  }

  /** Reads the input of `compare`. */
  async read(): Promise<void> {
    this.#read = await readAssetBalances(this.#options.account, this.#assets)
  }

  /** See `ExecutionOptions.sellableOf`; as of the latest look. */
  sellableOf(symbol: string): Amount | undefined {
    return this.#sellable.get(symbol)
  }

  /** Coins of positions whose closing orders are refused and that orders of others lock; as of the latest look. */
  get lockedCoins(): readonly LockedCoins[] {
    return [...this.#sellable.keys()].flatMap(symbol => {
      const asset = this.#options.ledger.instrument(symbol).base
      const { free, total } = this.#read.get(asset) ?? NOTHING
      const isLocked = add(free, this.#ownSalesOf(asset).offered) < total
      return isLocked ? [{ symbol, asset, free, exchange: total }] : []
    })
  }

  /** Compares the balances; no event may have occurred since the read. */
  compare(): 'agreed' | 'suspected' {
    const known = this.#options.ledger.balances.in('spot')
    const different = [...this.#read].flatMap(([asset, { total }]) =>
      known.of(asset) === total ? [] : [[asset, total] as const],
    )
    // The differences, not the balances: a trade between two looks changes both sides alike.
    const found = different
      .map(([asset, amount]) => `${asset} ${amountToText(subtract(amount, known.of(asset)))}`)
      .join()
    const isConfirmed = found === this.#suspected
    this.#suspected = found
    this.noteSellable()
    if (different.length > 0 && !isConfirmed) return 'suspected'
    const isAwaited = this.#settle(new Map(different))
    this.#halts.settle(symbol => this.#shortageOf(symbol))
    return isAwaited ? 'suspected' : 'agreed'
  }

  /**
   * Notes what can be sold of instruments whose closing orders are refused, and tells once that open orders are the reason. Looks
   * without a verdict do it too: a stop-loss cannot wait until the exchange lists the trades of another order.
   */
  noteSellable(): void {
    for (const { symbol, base } of this.#instruments) {
      const { free } = this.#read.get(base) ?? NOTHING
      const { unlisted, offered } = this.#ownSalesOf(base)
      if (free >= subtract(this.#heldOf(base), add(unlisted, offered))) {
        this.#sellable.delete(symbol)
        continue
      }
      // While its order is on the way again, what the refusal before it has shown still counts.
      if (this.#options.closingOf(symbol) === undefined) continue
      const isKnown = this.#sellable.has(symbol)
      this.#sellable.set(symbol, free)
      const locked = isKnown ? undefined : this.lockedCoins.find(one => one.symbol === symbol)
      if (locked !== undefined) this.#options.onReport({ type: 'coinsLocked', ...locked })
    }
  }

  /** Settles differences that are believed; true if a shortage waits for its sale. */
  #settle(there: ReadonlyMap<string, Amount>): boolean {
    const causes = this.#causesOf(there)
    const sales = [...there].map(([asset, amount]) => ({ asset, ...this.#salesOf(asset, amount) }))
    const short = new Set(sales.flatMap(({ asset, unexplained }) => (unexplained > ZERO ? [asset] : [])))
    for (const asset of this.#shortSince.keys()) if (!short.has(asset)) this.#shortSince.delete(asset)
    const awaited = new Set([...short].filter(asset => this.#isAwaited(asset)))
    for (const one of sales) if (!awaited.has(one.asset)) this.#bookSales(one)
    for (const asset of short) if (!awaited.has(asset)) this.#halt(asset)
    const brought = new Set(this.#instruments.flatMap(({ base, quote }) => (short.has(base) ? [quote] : [])))
    const known = this.#options.ledger.balances.in('spot')
    this.#adopt(
      [...there].filter(
        ([asset, amount]) => !short.has(asset) && !(brought.has(asset) && amount > known.of(asset)),
      ),
      causes,
    )
    return awaited.size > 0
  }

  /** True while the sale behind a shortage may still be listed; the first time it is told. */
  #isAwaited(asset: string): boolean {
    const { onReport, serverNow } = this.#options
    const now = serverNow()
    const since = this.#shortSince.get(asset)
    if (since !== undefined) return now - since < LISTING_MS
    this.#shortSince.set(asset, now)
    onReport({
      type: 'shortageAwaited',
      ...{ asset, held: this.#heldOf(asset), exchange: this.#totalOf(asset) },
      until: now + LISTING_MS,
    })
    return true
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

  /** The closes that explain what the account lacks of our positions of an asset, and what nothing explains. */
  #salesOf(asset: string, amount: Amount): OutsideSales {
    const { ledger, closingOf, serverNow } = this.#options
    const missing = subtract(this.#heldOf(asset), amount)
    if (missing <= ZERO) return { closes: [], sales: [], unexplained: ZERO }
    const instruments = this.#instruments.filter(({ base }) => base === asset)
    const gone = new MissingBase(ledger, instruments, missing)
    gone.takeSales(this.#trades.tradesOfOthers.filter(trade => !this.#booked.has(trade)))
    gone.takeRest(closingOf, serverNow())
    return gone.result
  }

  #bookSales({ closes, sales }: OutsideSales): void {
    const { emit, onReport, serverNow } = this.#options
    for (const sale of sales) this.#booked.add(sale)
    for (const close of closes) {
      const { symbol, direction, quantity, by } = close.liquidation
      const cause = by === 'others' ? 'trades' : 'unknown'
      onReport({ type: 'positionClosed', symbol, direction, quantity, cause, isPriceDerived: false })
      emit({ ...close, time: Math.min(close.time, serverNow()) })
    }
  }

  #halt(asset: string): void {
    for (const { symbol, base } of this.#instruments)
      if (base === asset && this.#options.ledger.netQuantity(symbol) !== 0)
        this.#halts.halt(symbol, this.#shortageOf(symbol))
  }

  /** The shortage of an instrument's base on the account, as a sentence; empty if there is none. */
  #shortageOf(symbol: string): string {
    const { base } = this.#options.ledger.instrument(symbol)
    const [there, held] = [this.#totalOf(base), this.#heldOf(base)]
    if (there >= held) return ''
    return `The account holds ${amountToText(there)} ${base}, less than the ${amountToText(held)} of our positions, and no sale explains that; bring it back and restart the bot, or close what is there with "npm run -s bot -- flatten".`
  }

  #totalOf(asset: string): Amount {
    return (this.#read.get(asset) ?? NOTHING).total
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

  /** Base units of an asset that own sales have sold and no listed trade shows, and those that own resting orders lock. */
  #ownSalesOf(asset: string): { readonly unlisted: Amount; readonly offered: Amount } {
    const { orders } = this.#options.tracker
    const total = (stepsOf: (symbol: string) => Steps) =>
      this.#instruments
        .filter(({ base }) => base === asset)
        .map(instrument => baseAmount(instrument, stepsOf(instrument.symbol)))
        .reduce(add, ZERO)
    return {
      unlisted: total(symbol => orders.unlistedSalesOf(symbol)),
      offered: total(symbol => orders.offeredOf(symbol)),
    }
  }
}
