import {
  type Amount,
  absolute,
  add,
  amountAtExchange,
  amountToText,
  negate,
  subtract,
  ZERO,
} from '../../domain/numbers/amount.ts'
import { NO_STEPS } from '../../domain/numbers/grid.ts'
import { exitSideOf } from '../../domain/orders/side.ts'
import type { FuturesBalance } from '../../exchange/futures/futures-balance.ts'
import {
  AccountTransactions,
  type AccountTransactionsOptions,
  type ReportedClose,
} from './account-transactions.ts'
import { DerivedFunding } from './derived-funding.ts'
import { EntryComparison, type EntryComparisonOptions, type EntryDifference } from './entry-comparison.ts'
import {
  broughtBy,
  type ClosingTrade,
  closingTradesOf,
  type ForcedClose,
  forcedClosesOf,
  isCrossLiquidation,
  isIsolatedLiquidation,
} from './forced-closes.ts'
import { FundingBooking, type FundingBookingOptions } from './funding-booking.ts'
import {
  type HeldContract,
  MONEY_ROUNDING,
  type PositionThere,
  positionsIn,
  walletsIn,
} from './futures-account.ts'
import { Halts } from './halts.ts'
import {
  type AccountPosition,
  differingPositions,
  foreignPositions,
  type MarginDifference,
  type Misfit,
  marginDifferences,
  misfits,
  type PositionDifference,
  positionDifferences,
} from './position-differences.ts'
import type { ReconcilerOptions } from './reconciler-options.ts'
import { Suspicion } from './suspicion.ts'
import type { TradeComparison } from './trade-comparison.ts'

export interface FuturesComparisonOptions
  extends FundingBookingOptions,
    AccountTransactionsOptions,
    EntryComparisonOptions,
    Pick<ReconcilerOptions, 'onPositionMismatch' | 'namesakeReason'> {}

/**
 * Compares wallets and positions of a futures account once every own trade and payment is booked. Transfers
 * are adopted; closes without our orders, by the exchange or manually, are booked as such; any other
 * difference halts its instrument. A difference counts only after two looks, because the exchange's lists may
 * lag behind each other.
 */
export class FuturesComparison {
  readonly #options: FuturesComparisonOptions
  readonly #trades: TradeComparison
  readonly #fundings: FundingBooking
  readonly #derived: DerivedFunding
  readonly #entries: EntryComparison
  readonly #transactions: AccountTransactions
  readonly #halts: Halts
  readonly #suspicion = new Suspicion()
  #readAt = 0
  #account: readonly FuturesBalance[] = []
  #foreign: readonly AccountPosition[] = []
  #differing: readonly AccountPosition[] = []

  constructor(options: FuturesComparisonOptions, trades: TradeComparison) {
    this.#options = options
    this.#trades = trades
    this.#halts = new Halts(options)
    this.#fundings = new FundingBooking(options)
    this.#derived = new DerivedFunding(options)
    this.#entries = new EntryComparison(options)
    this.#transactions = new AccountTransactions(options)
  }

  /** Contracts on the account beyond the books, as of the latest look that was believed. */
  get foreign(): readonly AccountPosition[] {
    return this.#foreign
  }

  /** Positions of the account that differ from the books, as of the latest look that was believed. */
  get differing(): readonly AccountPosition[] {
    return this.#differing
  }

  /** Books funding, before any comparison. */
  async book(): Promise<void> {
    const wasListed = this.#fundings.isListed
    this.#transactions.list(await this.#fundings.look())
    if (this.#fundings.isListed) return
    if (wasListed) this.#options.onReport({ type: 'transactionsUnlisted' })
    await this.#derived.look(this.#options.serverNow())
  }

  /** Reads the input of `compare`. */
  async read(): Promise<void> {
    this.#readAt = this.#options.serverNow()
    this.#account = await this.#options.reads.account()
  }

  /** Compares account and ledger; no event may have occurred since the read. */
  compare(): 'agreed' | 'suspected' {
    const positions = positionsIn(this.#account, this.#options.contracts)
    const differences = positionDifferences(this.#live, positions, this.#options.ledger)
    const wallets = this.#walletDifferences()
    const live = positions.filter(({ contract }) => !this.#halts.has(contract.instrument.symbol))
    const margins = differences.length > 0 ? [] : marginDifferences(live, this.#options.ledger)
    const unfit = misfits(live)
    const entries = this.#entries.differences(positions)
    // Profits differ with every fill while positions do, so wallets say something only where positions agree.
    const ofPositions = differences.length > 0 ? excessTexts(differences) : wallets.map(textOf)
    const stateOf = (symbol: string) => this.#stateOf(symbol, positions)
    const found = [
      ...ofPositions,
      ...[...margins, ...entries, ...unfit].map(textOf),
      ...this.#halts.changes(stateOf),
    ].join()
    if (!this.#suspicion.isConfirmed(found, this.#readAt, this.#options.ledger.changes)) {
      for (const { symbol } of differences) this.#options.onPositionMismatch(symbol)
      return 'suspected'
    }
    if (found !== '') {
      for (const { symbol, reason } of unfit) this.#halts.halt(symbol, reason)
      if (differences.length === 0) this.#bookDerivedFunding()
      this.#settlePositions(differences, this.#walletDifferences())
      this.#settleWallets()
      for (const margin of margins) this.#takeMargin(margin)
      for (const entry of entries) this.#entries.adopt(entry)
      this.#halts.settle(stateOf)
    }
    const open = positionDifferences(this.#options.contracts, positions, this.#options.ledger)
    this.#foreign = foreignPositions(open)
    this.#differing = differingPositions(open)
    if (found === '') this.#entries.settle(positions, open, this.#trades.tradesOfOthers)
    this.#transactions.agree(this.#readAt, found !== '')
    this.#derived.agree(this.#readAt)
    return 'agreed'
  }

  /** Differences of a halted instrument, as sentences; empty if there are none. */
  #stateOf(symbol: string, positions: readonly PositionThere[]): string {
    const isOfSymbol = ({ instrument }: HeldContract) => instrument.symbol === symbol
    const contracts = this.#options.contracts.filter(isOfSymbol)
    const held = positions.filter(({ contract }) => isOfSymbol(contract))
    const differences = positionDifferences(contracts, held, this.#options.ledger)
    return [...new Set([...differences, ...misfits(held)].map(({ reason }) => reason))].join(' ')
  }

  /** Contracts of instruments that are not halted. */
  get #live(): readonly HeldContract[] {
    return this.#options.contracts.filter(({ instrument }) => !this.#halts.has(instrument.symbol))
  }

  /** Excess of the account over the ledger for each margin coin that differs. */
  #walletDifferences(): readonly WalletDifference[] {
    const { contracts } = this.#options
    const there = walletsIn(this.#account)
    const coins = [...new Set(contracts.map(({ quote }) => quote))]
    return coins
      .map(coin => ({ coin, excess: subtract(there.get(coin) ?? ZERO, this.#walletOf(coin)) }))
      .filter(({ excess }) => excess !== ZERO)
  }

  /** The ledger's balance of a coin on the futures account. */
  #walletOf(coin: string): Amount {
    return this.#options.ledger.balances.in('futures').of(coin)
  }

  /** Books the closes found at the exchange, and halts what they do not explain. */
  #settlePositions(differences: readonly PositionDifference[], wallets: readonly WalletDifference[]): void {
    const smaller = differences.filter(({ isExplicable }) => isExplicable)
    const explained = smaller.filter(
      difference =>
        this.#transactions.wasClosed(difference.contract) || this.#tradesOf(difference) !== undefined,
    )
    for (const coin of new Set(explained.map(({ contract }) => contract.quote))) {
      const closed = explained.filter(({ contract }) => contract.quote === coin)
      const excess = wallets.find(wallet => wallet.coin === coin)?.excess ?? ZERO
      const received = subtract(excess, this.#transactions.movedIn(coin))
      if (!this.#bookTrades(closed, received, coin))
        this.#bookClosings(closed, this.#proceedsOf(closed, received, coin), coin)
    }
    for (const difference of differences) {
      if (!difference.isExplicable) this.#haltLarger(difference, explained)
      else if (!explained.includes(difference))
        this.#halts.halt(difference.symbol, this.#unexplainedClose(difference))
    }
  }

  /** Halts a contract of which the account has more than the books, or others than these. */
  #haltLarger(
    { symbol, book, turnedInto, reason }: PositionDifference,
    closed: readonly PositionDifference[],
  ): void {
    const ours = turnedInto > NO_STEPS && closed.find(one => one.book === book)
    this.#halts.halt(symbol, ours ? turnedRound(ours) : reason)
  }

  #unexplainedClose({ state, missing, turnedInto, reason }: PositionDifference): string {
    if (turnedInto > NO_STEPS) return reason
    const why = this.#fundings.isListed
      ? 'and no transaction closed the missing'
      : 'and the exchange lists no transactions that would tell what closed the missing'
    return `${state}, ${why} ${missing}; look at the account, open as many again by hand, then restart the bot.`
  }

  #tradesOf(difference: PositionDifference): readonly ClosingTrade[] | undefined {
    const fees = this.#transactions.closingFeesOf(difference.contract)
    return closingTradesOf(difference, this.#trades.tradesOfOthers, fees)
  }

  /**
   * Books closes by the trades of others that made them, with their prices and fees; `false` where they do not explain
   * all closes, bring another amount than the transactions of the exchange, or are those of a proven liquidation.
   */
  #bookTrades(closed: readonly PositionDifference[], received: Amount, coin: string): boolean {
    const { ledger, emit, serverNow, onReport } = this.#options
    const explained = closed.flatMap(difference => {
      const trades = this.#tradesOf(difference)
      return trades === undefined ? [] : [{ difference, trades }]
    })
    if (explained.length < closed.length) return false
    const brought = explained.map(({ difference, trades }) => broughtBy(difference, trades, ledger))
    const isLiquidation = explained.some(
      ({ difference }, index) =>
        this.#transactions.wasLossCovered(difference.contract) ||
        isIsolatedLiquidation({ difference, received: brought[index] ?? ZERO }, ledger),
    )
    if (isLiquidation) return false
    const fees = explained.flatMap(({ trades }) => trades.map(({ fee }) => fee)).reduce(add, ZERO)
    const feesBeyond = subtract(this.#feesOfOthersIn(coin), fees)
    const left = absolute(subtract(add(received, feesBeyond), brought.reduce(add, ZERO)))
    if (this.#fundings.isListed && left > MONEY_ROUNDING) return false
    for (const { difference, trades } of explained) {
      const { symbol, book, direction, missing } = difference
      onReport({
        type: 'positionClosed',
        ...{ symbol, direction, quantity: missing, cause: 'trades', isPriceDerived: false },
      })
      for (const { id, time, ...terms } of trades)
        emit({
          type: 'liquidated',
          liquidation: { symbol, book, direction, ...terms, by: 'others' },
          fillId: `closed-${id}`,
          time: Math.min(time, serverNow()),
        })
    }
    return true
  }

  /**
   * Books what funding explains of the wallets, where the exchange lists no transactions, and where nobody else has
   * traded contracts of that coin: a fee of theirs may look like funding.
   */
  #bookDerivedFunding(): void {
    if (this.#fundings.isListed) return
    for (const { coin, excess } of this.#walletDifferences().filter(
      ({ coin }) => !this.#isTradedByOthers(coin),
    ))
      for (const payment of this.#derived.paymentsFor(coin, excess, this.#readAt, this.#halts))
        this.#options.emit({ type: 'fundingPaid', payment })
  }

  /** Fees in a coin that others paid on contracts since the last agreement. */
  #feesOfOthersIn(coin: string): Amount {
    const symbols = this.#options.contracts.map(({ instrument }) => instrument.symbol)
    return this.#trades.tradesOfOthers
      .filter(({ symbol, feeAsset }) => feeAsset === coin && symbols.includes(symbol))
      .map(({ fee }) => amountAtExchange(fee))
      .reduce(add, ZERO)
  }

  #isTradedByOthers(coin: string): boolean {
    const { contracts } = this.#options
    return this.#trades.tradesOfOthers.some(({ symbol }) =>
      contracts.some(({ quote, instrument }) => quote === coin && instrument.symbol === symbol),
    )
  }

  /**
   * Proceeds of closes: what the wallet received, or what the transactions tell of them, where no more is missing than
   * others paid in fees, as for contracts that they opened besides.
   */
  #proceedsOf(closed: readonly PositionDifference[], received: Amount, coin: string): Amount {
    const contracts = new Set(closed.map(({ contract }) => contract))
    const told = [...contracts].map(contract => this.#transactions.closesOf(contract)).reduce(add, ZERO)
    const missing = subtract(told, received)
    return missing > ZERO && missing <= this.#feesOfOthersIn(coin) ? told : received
  }

  /** Splits the total proceeds among the closes of a coin. */
  #bookClosings(closed: readonly PositionDifference[], received: Amount, coin: string): void {
    const { ledger, emit, serverNow, onReport } = this.#options
    const causes = closed.map(difference => this.#causeOf(difference))
    const closings = forcedClosesOf(
      closed,
      received,
      ledger,
      causes.map(({ told }) => told),
    )
    const liquidated = this.#liquidatedOf(closings, coin)
    for (const [index, closing] of closings.entries()) {
      const { difference, price, fee, received: own } = closing
      const { isOfOthers, told } = causes[index] as Cause // there is one for each
      const by = isOfOthers ? 'others' : liquidated.has(closing) ? undefined : 'unknown'
      this.#takeLostMargin(difference, negate(own))
      const { symbol, book, direction, missing } = difference
      onReport({
        type: 'positionClosed',
        ...{ symbol, direction, quantity: missing },
        cause: by === undefined ? 'liquidation' : by === 'others' ? 'trades' : 'unknown',
        isPriceDerived: true,
      })
      emit({
        type: 'liquidated',
        liquidation: {
          ...{ symbol, book, direction, quantity: missing, price, fee },
          ...(by !== undefined && { by }),
        },
        fillId: `closed-${told?.id ?? serverNow()}`,
        time: told?.time ?? serverNow(),
      })
    }
  }

  /** The closes of a coin that are proven to be liquidations; one of a cross position takes all others. */
  #liquidatedOf(closings: readonly ForcedClose[], coin: string): ReadonlySet<ForcedClose> {
    const { ledger } = this.#options
    const isProven = (closing: ForcedClose) =>
      this.#transactions.wasLossCovered(closing.difference.contract) || isIsolatedLiquidation(closing, ledger)
    const cross = closings.filter(({ difference }) => difference.contract.marginMode === 'cross')
    const areCross = cross.some(isProven) || isCrossLiquidation(cross, coin, ledger)
    return new Set([...closings.filter(isProven), ...(areCross ? cross : [])])
  }

  /**
   * Cause of a partial close, for its report: others, if they traded on the closing side, or the exchange.
   */
  #causeOf({ contract, symbol, direction }: PositionDifference): Cause {
    const others = this.#trades.tradesOfOthers.filter(trade => trade.symbol === symbol)
    const theirs = others.findLast(({ side }) => side === exitSideOf(direction))
    const told = this.#transactions.closingOf(contract, at =>
      theirs === undefined ? others.every(({ time }) => time !== at) : theirs.time === at,
    )
    return { isOfOthers: theirs !== undefined, told }
  }

  /**
   * An isolated position had at least the margin that was lost with it: its margin may have been increased
   * manually.
   */
  #takeLostMargin({ contract, book }: PositionDifference, lost: Amount): void {
    const held = this.#options.ledger.contracts.of(book)
    if (contract.marginMode !== 'isolated' || held === undefined || lost <= held.margin) return
    this.#takeMargin({ contract, book, margin: lost })
  }

  /**
   * Wallet differences that positions do not explain: transfers, and profits and fees of others who traded contracts of
   * that coin, are adopted, also where our own close paid by an entry price that others have changed; unexplained ones
   * halt the instruments they back.
   */
  #settleWallets(): void {
    const { emit, serverNow, onReport } = this.#options
    for (const { coin, excess } of this.#walletDifferences()) {
      const moved = this.#transactions.movedIn(coin)
      const isMoved = moved !== ZERO && absolute(subtract(excess, moved)) <= MONEY_ROUNDING
      const isRounding = absolute(excess) <= MONEY_ROUNDING
      const backed = this.#options.contracts.filter(({ quote }) => quote === coin)
      const isTraded =
        this.#isTradedByOthers(coin) || backed.some(contract => this.#entries.mayDiffer(contract))
      const isExplained =
        isMoved ||
        isRounding ||
        isTraded ||
        !this.#fundings.isListed ||
        backed.some(({ instrument }) => this.#halts.has(instrument.symbol))
      if (!isExplained) {
        for (const { instrument } of backed)
          this.#halts.halt(instrument.symbol, unexplained(coin, excess, moved))
      }
      const exchange = add(this.#walletOf(coin), excess)
      const unexplainedAs = this.#fundings.isListed ? 'unknown' : 'unlisted'
      const likelyAs = isTraded ? 'trades' : unexplainedAs
      const cause = isMoved ? 'transfer' : isRounding ? 'rounding' : likelyAs
      onReport({ type: 'balanceAdjusted', asset: coin, ledger: this.#walletOf(coin), exchange, cause })
      emit({
        type: 'balancesReported',
        balances: new Map([[coin, exchange]]),
        account: 'futures',
        time: serverNow(),
      })
    }
  }

  #takeMargin({ contract, book, margin }: MarginDifference): void {
    const { symbol } = contract.instrument
    const { ledger, emit, serverNow, onReport } = this.#options
    const before = ledger.contracts.of(book)?.margin ?? ZERO
    onReport({ type: 'marginAdjusted', symbol, ledger: before, exchange: margin })
    emit({ type: 'positionMarginReported', symbol, book, margin, time: serverNow() })
  }
}

/** Reason of a halt because ours is closed, and the opposite open, in one position; as a sentence. */
function turnedRound({
  contract: { contractName },
  direction,
  missing,
  turnedInto,
}: PositionDifference): string {
  const other = direction === 'long' ? 'short' : 'long'
  return `The position of ${contractName} is turned round on the account: our ${missing} ${direction} are closed there and booked so, and the exchange has ${turnedInto} ${other}, our books 0; close those at the exchange, then restart the bot.`
}

interface Cause {
  readonly isOfOthers: boolean
  readonly told: ReportedClose | undefined
}

interface WalletDifference {
  readonly coin: string
  readonly excess: Amount
}

/** The net difference of each book, as text; it stays the same while both sides book the same fills. */
function excessTexts(differences: readonly PositionDifference[]): readonly string[] {
  const sums = new Map<string, number>()
  for (const { book, excess } of differences) sums.set(book, (sums.get(book) ?? 0) + excess)
  return [...sums].map(([book, excess]) => `${book} ${excess}`)
}

function textOf(difference: WalletDifference | MarginDifference | EntryDifference | Misfit): string {
  if ('cost' in difference) return `${difference.book} entry ${amountToText(difference.exchange)}`
  if ('excess' in difference) return `${difference.coin} ${amountToText(difference.excess)}`
  if ('margin' in difference) return `${difference.book} ${amountToText(difference.margin)}`
  return difference.reason
}

function unexplained(coin: string, excess: Amount, moved: Amount): string {
  return `The account has ${amountToText(excess)} ${coin} more than our books, but its transactions only explain ${amountToText(moved)}; look at the account, then restart the bot.`
}
