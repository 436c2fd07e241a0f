import { rulesOf } from '../../src/domain/account-rules.ts'
import { closeTimeOf } from '../../src/domain/market-data/interval.ts'
import { amountToNumber } from '../../src/domain/numbers/amount.ts'
import type { Purpose } from '../../src/domain/orders/order-intent.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { PlayedMarket } from '../fills/played-market.ts'
import { type MarginFigures, MarginUse } from '../futures/margin-use.ts'
import type { MarketsBacktestOptions } from './backtest-options.ts'
import type { MarketPlayer } from './market-player.ts'
import type { MomentPlayback } from './playback.ts'
import { playedMarketsOf } from './played-markets-of.ts'

/** Base that is owned before the first kline of its instrument. */
interface OwnedBefore {
  readonly symbol: string
  /** At that kline's open, in quote. */
  readonly worth: number
}

/**
 * Records equity at the closes of klines, and closes positions at the end of the data or on ruin. After ruin equity is zero to the
 * end of the data.
 */
export class AccountCurve {
  isRuined = false
  readonly #playback: MomentPlayback
  readonly #closeAtEnd: MarketsBacktestOptions['closeAtEnd']
  readonly #ledger: Ledger
  readonly #quote: string
  readonly #canBeRuined: boolean
  readonly #use: MarginUse | undefined
  readonly #ownedBefore: readonly OwnedBefore[]
  readonly #time: Float64Array
  readonly #equity: Float64Array
  #length = 0
  /** When the data of a market ends first, ms UTC. */
  readonly #firstEnd: number
  /** Markets with ended data. */
  readonly #ended = new Set<MarketPlayer>()

  constructor(
    playback: MomentPlayback,
    { markets, closeAtEnd }: Pick<MarketsBacktestOptions, 'markets' | 'closeAtEnd'>,
    ledger: Ledger,
    quote: string,
  ) {
    const traded = markets.flatMap(playedMarketsOf)
    const most = traded.reduce((sum, { klines }) => sum + klines.length, 0)
    this.#playback = playback
    this.#closeAtEnd = closeAtEnd
    this.#ledger = ledger
    this.#quote = quote
    // A margin account that owes more than it owns is closed by its exchange; a spot account cannot owe.
    this.#canBeRuined = traded.some(({ instrument }) => rulesOf(instrument).canBeShort)
    const hasContracts = traded.some(({ instrument }) => rulesOf(instrument).holdsContracts)
    this.#use = hasContracts ? new MarginUse(quote, ledger) : undefined
    this.#ownedBefore = ownedBefore(traded, ledger)
    this.#firstEnd = Math.min(...traded.map(endOf))
    this.#time = new Float64Array(most)
    this.#equity = new Float64Array(most)
  }

  /** Equity at each of the times. */
  get equity(): Float64Array {
    return this.#equity.slice(0, this.#length)
  }

  /** Close times of the klines, ms UTC. */
  readonly times = (): Float64Array => this.#time.slice(0, this.#length)

  /** The price by which an instrument counted last; NaN before the first. */
  readonly priceOf = (symbol: string): number => this.#ledger.lastClose(symbol)

  /** Leverage and margin use so far. */
  get margin(): MarginFigures | undefined {
    return this.#use?.figures
  }

  /** Takes in that klines have just closed; `false` where the account was ruined by that. */
  record(): boolean {
    const { time, traded } = this.#playback
    let equity = this.#worth()
    if (this.#use?.isHolding === true)
      this.#use.note(this.#backing(equity), ({ symbol }) => this.#ledger.lastClose(symbol))
    if (this.#canBeRuined && equity <= 0) {
      for (const player of traded) closePosition(player, 'close', 'ruin', time)
      this.isRuined = true
      equity = 0
    } else if (time >= this.#firstEnd && this.#closeAtEnd !== 'no' && this.#closeEnded(traded))
      equity = this.#worth()
    this.#time[this.#length] = time
    this.#equity[this.#length++] = equity
    if (this.isRuined) this.#stayAtZero(traded)
    return !this.isRuined
  }

  /** Adds the closes of all klines that are no longer played; their equity is zero. */
  #stayAtZero(players: readonly MarketPlayer[]): void {
    let end = this.#length
    for (const player of players)
      for (let row = player.played; row < player.klines.length; row++)
        this.#time[end++] = player.closeTime(row)
    for (const time of this.#time.subarray(this.#length, end).sort())
      if (time !== this.#time[this.#length - 1]) this.#time[this.#length++] = time
  }

  #worth(): number {
    let worth = this.#ledger.equityAtCloses(this.#quote)
    for (const { symbol, worth: before } of this.#ownedBefore) {
      if (Number.isNaN(this.#ledger.lastClose(symbol))) worth += before
    }
    return worth
  }

  /** Equity that backs contracts: that of their account. */
  #backing(equity: number): number {
    return this.#ledger.balances.isSingleAccount ? equity : this.#ledger.futuresEquityAtCloses(this.#quote)
  }

  /** Closes the positions of markets whose data has just ended; returns true if there were any. */
  #closeEnded(players: readonly MarketPlayer[]): boolean {
    const price = this.#closeAtEnd === 'lastOpen' ? 'open' : 'close'
    let anyEnded = false
    for (const player of players) {
      if (player.played < player.klines.length || this.#ended.has(player)) continue
      this.#ended.add(player)
      closePosition(player, price, 'endOfData')
      anyEnded = true
    }
    return anyEnded
  }
}

/** When the last kline closes, ms UTC; before all time without any. */
function endOf({ klines, interval }: PlayedMarket): number {
  const last = klines.openTime.at(-1)
  return last === undefined ? Number.NEGATIVE_INFINITY : closeTimeOf(last, interval)
}

/** Closes the position of a market at a price of its latest kline, and at a time (ms UTC; default: that of the price). */
function closePosition(player: MarketPlayer, at: 'open' | 'close', purpose: Purpose, time?: number): void {
  if (player.played > 0) player.replay.closePosition(player.latest, at, purpose, time)
}

function ownedBefore(traded: readonly PlayedMarket[], { balances }: Ledger): readonly OwnedBefore[] {
  const opens = new Map<string, { readonly time: number; readonly worth: number }>()
  for (const { instrument, klines } of traded) {
    const owned = amountToNumber(balances.baseOf(instrument))
    const time = klines.openTime[0] ?? Number.POSITIVE_INFINITY
    const before = opens.get(instrument.symbol)?.time ?? Number.POSITIVE_INFINITY
    if (owned > 0 && time < before) {
      opens.set(instrument.symbol, { time, worth: owned * (klines.open[0] ?? Number.NaN) })
    }
  }
  return Array.from(opens, ([symbol, { worth }]) => ({ symbol, worth }))
}
