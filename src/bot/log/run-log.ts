import type { Logger } from 'pino'
import type { KlineClosed } from '../../domain/events/engine-event.ts'
import { type EngineOutput, isCommand, type Notice } from '../../domain/events/engine-output.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { closeTimeOf } from '../../domain/market-data/interval.ts'
import { amountToText } from '../../domain/numbers/amount.ts'
import { isForcedClose } from '../../domain/orders/order-intent.ts'
import type { Engine } from '../../engine/engine.ts'
import { AGREE_AGAIN } from '../../execution/reconciliation/halts.ts'
import type { AccountMoves, MovedAmounts } from '../state/account-moves.ts'
import type { LivePrices } from '../text/position-status.ts'
import { type BotSummary, RunCounter } from './bot-summary.ts'
import { leftOf } from './left-of-strategy.ts'
import { logAccount } from './log-account.ts'
import { logNotice, logRoundTrips } from './log-notice.ts'
import { MissedTargetDays } from './missed-target-days.ts'
import type { StoppedStrategy } from './stopped-strategy.ts'

/** Outputs of an event, not yet logged. */
interface Untold {
  readonly closed: KlineClosed | undefined
  readonly outputs: readonly EngineOutput[]
}

/** Parts of the bot that its log reads. */
interface RunLogOptions {
  readonly engine: Engine
  readonly moves: AccountMoves
  /** Beginning of the latest look at the account that was believed, ms UTC; `undefined` before the first. */
  readonly comparedAt: () => number | undefined
  /** True while an order of a symbol has executed what the exchange does not list yet. */
  readonly hasUnlisted: (symbol: string) => boolean
}

/** The reason of a halt whose instrument has traded since the look that found it, listed or not, until the next look. */
function outdatedReason(why: string): string {
  return why === AGREE_AGAIN
    ? 'It was halted because books and account differed; they agreed again, but it has traded since, and the next look at the account tells whether they still agree.'
    : `${why} It has traded since the look that tells so; the next one tells what differs now.`
}

/** Counts and logs the outputs of a run's events. */
export class RunLog {
  readonly #log: Logger
  readonly #engine: Engine
  readonly #comparedAt: RunLogOptions['comparedAt']
  readonly #hasUnlisted: RunLogOptions['hasUnlisted']
  readonly #onError: (error: unknown) => void
  readonly #counter: RunCounter
  /** Stopped strategies, by book. */
  readonly #stopped = new Map<string, StoppedStrategy & { readonly symbol?: string }>()
  /** Reasons of the instruments that are halted until the next start, as of the looks that found them. */
  readonly #halted = new Map<string, string>()
  /** Times of the latest fills of these since then, ms UTC, by symbol. */
  readonly #tradedAt = new Map<string, number>()
  readonly #missedTargets = new MissedTargetDays()
  /** Entries to log, in order. */
  readonly #untold: Untold[] = []

  /** The run begins now; `onError` receives errors of deferred logging. */
  constructor(
    log: Logger,
    { engine, moves, comparedAt, hasUnlisted }: RunLogOptions,
    onError: (error: unknown) => void,
  ) {
    this.#log = log
    this.#engine = engine
    this.#comparedAt = comparedAt
    this.#hasUnlisted = hasUnlisted
    this.#onError = onError
    this.#counter = new RunCounter(engine, moves)
  }

  /**
   * Logs the outputs of an event, and the kline that is traded by, if it was one: two turns later, because
   * the orders of the event are written in the next turn.
   */
  logSoon(closed: KlineClosed | undefined, outputs: readonly EngineOutput[]): void {
    this.#untold.push({ closed, outputs })
    if (this.#untold.length === 1) setImmediate(() => setImmediate(() => this.#tellAll()))
  }

  #tellAll(): void {
    try {
      for (const { closed, outputs } of this.#untold.splice(0)) this.#tell(closed, outputs)
    } catch (error) {
      this.#onError(error)
    }
  }

  #tell(closed: KlineClosed | undefined, outputs: readonly EngineOutput[]): void {
    if (closed !== undefined) {
      this.#counter.countKline(closed.symbol)
      this.#showKline(closed)
    }
    // One close by others or by the exchange ends many round trips where the position was bought in many parts.
    const forced = outputs.flatMap(output =>
      output.type === 'roundTripClosed' && isForcedClose(output.roundTrip.exitReason) ? output.roundTrip : [],
    )
    for (const output of outputs) {
      if (isCommand(output)) continue
      this.#counter.count(output)
      this.#noteStop(output)
      if (output.type === 'fillBooked' && this.#halted.has(output.fill.symbol))
        this.#tradedAt.set(output.fill.symbol, output.fill.time)
      if (this.#missedTargets.isRepeated(output)) continue
      if (output.type === 'roundTripClosed' && forced.length > 1 && forced.includes(output.roundTrip)) {
        if (output.roundTrip === forced[0])
          logRoundTrips(this.#log, forced, this.#engine.ledger.instrument(output.roundTrip.symbol))
        continue
      }
      logNotice(
        this.#log,
        output,
        symbol => this.#engine.ledger.instrument(symbol),
        book => leftOf(this.#engine, book),
      )
    }
  }

  /**
   * Updates prices as they are polled. Once every instrument has one, logs the account's equity and
   * positions.
   */
  observePrices(prices: LivePrices): void {
    if (this.#counter.observePrices(prices)) logAccount(this.#log, this.#engine, prices)
  }

  /** Moved in or out of the account since the run began, by quote asset. */
  get moved(): MovedAmounts {
    return this.#counter.moved
  }

  /** Results of the run so far. */
  summary(
    instruments: Iterable<Instrument>,
    prices: LivePrices,
  ): Omit<BotSummary, 'complete' | 'leftBehind' | 'stopped'> {
    this.#tellAll()
    return this.#counter.summary(this.#engine, instruments, prices, this.halted)
  }

  /** Strategies that have stopped since the bot's start, by book. */
  get stopped(): ReadonlyMap<string, StoppedStrategy> {
    const { halted } = this
    return new Map(
      [...this.#stopped].map(([book, stopped]) => {
        const why = stopped.symbol === undefined ? undefined : halted.get(stopped.symbol)
        return [book, { how: stopped.how, why: why ?? stopped.why }]
      }),
    )
  }

  /** Reasons of the instruments that are halted until the next start. */
  get halted(): ReadonlyMap<string, string> {
    this.#tellAll()
    const comparedAt = this.#comparedAt() ?? Number.NEGATIVE_INFINITY
    return new Map(
      [...this.#halted].map(([symbol, why]) => {
        const tradedAt = this.#tradedAt.get(symbol) ?? Number.NEGATIVE_INFINITY
        const isOutdated = tradedAt > comparedAt || this.#hasUnlisted(symbol)
        return [symbol, isOutdated ? outdatedReason(why) : why]
      }),
    )
  }

  /** Shows another reason for the halt of an instrument from now on. */
  renewHalt(symbol: string, reason: string): void {
    this.#tellAll()
    this.#noteHalt(symbol, reason)
  }

  #noteHalt(symbol: string, why: string): void {
    this.#halted.set(symbol, why)
    this.#tradedAt.delete(symbol)
    for (const { book, markets } of this.#engine.runners)
      if (markets.some(market => market.symbol === symbol))
        this.#stopped.set(book, { how: 'halted', why, symbol })
  }

  #noteStop(notice: Notice): void {
    if (notice.type === 'strategyFailed')
      this.#stopped.set(notice.book, { how: 'threw', why: notice.error.message })
    else if (notice.type === 'strategyEnded')
      this.#stopped.set(notice.book, { how: 'ended', why: notice.why })
    else if (notice.type === 'instrumentHalted') this.#noteHalt(notice.symbol, notice.reason)
  }

  /** One line a kline, to show the market's moves in the log. */
  #showKline({ symbol, interval: length, kline }: KlineClosed): void {
    const { ledger } = this.#engine
    const { quote } = ledger.instrument(symbol)
    const equity = amountToText(ledger.equity(quote))
    this.#log.info(
      {
        at: utcText(closeTimeOf(kline.openTime, length)),
        symbol,
        interval: length,
        close: kline.close,
        equity,
        quote,
      },
      'kline',
    )
  }
}
