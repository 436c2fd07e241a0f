import { rulesOf } from '../../src/domain/account-rules.ts'
import { klineAt } from '../../src/klines/kline-columns.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { type MarginFigures, MarginUse } from '../futures/margin-use.ts'
import type { MarketsBacktestOptions } from './backtest-options.ts'
import type { StretchPlayer } from './stretch-player.ts'

/**
 * Records equity at the closes of the only market of a run, and closes its position at the end or on ruin. After ruin equity is
 * zero to the end of the data.
 */
export class StretchCurve {
  isRuined = false
  readonly equity: Float64Array
  readonly #player: StretchPlayer
  readonly #ledger: Ledger
  readonly #closeAtEnd: MarketsBacktestOptions['closeAtEnd']
  readonly #canBeRuined: boolean
  readonly #use: MarginUse | undefined
  /** Row of the last kline that was noted. */
  #last = -1

  /** `equity`: where it is written, as long as the klines at least. */
  constructor(
    player: StretchPlayer,
    ledger: Ledger,
    closeAtEnd: MarketsBacktestOptions['closeAtEnd'],
    equity: Float64Array = new Float64Array(player.klines.length),
  ) {
    const { instrument } = player
    const { canBeShort, holdsContracts } = rulesOf(instrument)
    this.#player = player
    this.#ledger = ledger
    this.#closeAtEnd = closeAtEnd
    // A margin account that owes more than it owns is closed by its exchange; a spot account cannot owe.
    this.#canBeRuined = canBeShort
    this.#use = holdsContracts ? new MarginUse(instrument.quote, ledger) : undefined
    this.equity = equity
  }

  /** Leverage and margin use so far. */
  get margin(): MarginFigures | undefined {
    return this.#use?.figures
  }

  /** Close time of each kline, ms UTC. */
  readonly times = (): Float64Array => this.equity.map((_equity, row) => this.#player.closeTime(row))

  /** The price by which equity counted last; NaN before the first. */
  readonly priceOf = (): number => this.#player.closes[this.#last] ?? Number.NaN

  /** Notes the rows that were played since the call before; `false` where they ruined the account. */
  record(): boolean {
    const { equity } = this
    const from = this.#last + 1
    const { replay, klines, instrument, closes, played } = this.#player
    this.#ledger.noteEquity(instrument, closes, from, played, equity)
    this.#use?.noteRows(closes, equity, from, played)
    this.#last = played - 1
    if (this.#canBeRuined && (equity[from] as number) <= 0) {
      replay.closePosition(klineAt(klines, from), 'close', 'ruin')
      equity[from] = 0
      this.#last = from
      this.isRuined = true
    } else if (played === klines.length && this.#closeAtEnd !== 'no') this.#closeAtLast()
    return !this.isRuined
  }

  #closeAtLast(): void {
    const { replay, instrument, klines } = this.#player
    const last = klineAt(klines, klines.length - 1)
    replay.closePosition(last, this.#closeAtEnd === 'lastOpen' ? 'open' : 'close', 'endOfData')
    this.equity[this.#last] = this.#ledger.equityAt(instrument, last.close)
  }
}
