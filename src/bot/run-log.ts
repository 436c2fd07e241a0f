import type { Logger } from 'pino'
import { amountToText } from '../domain/amount.ts'
import { utcText } from '../domain/civil-date.ts'
import type { KlineClosed } from '../domain/engine-event.ts'
import { type EngineOutput, isCommand } from '../domain/engine-output.ts'
import type { Instrument } from '../domain/instrument.ts'
import { closeTimeOf } from '../domain/interval.ts'
import type { Engine } from '../engine/engine.ts'
import { type BotSummary, RunCounter } from './bot-summary.ts'
import { logNotice } from './log-notice.ts'

/** Counts and logs what came of the events of a run. */
export class RunLog {
  readonly #log: Logger
  readonly #engine: Engine
  readonly #counter = new RunCounter()

  constructor(log: Logger, engine: Engine) {
    this.#log = log
    this.#engine = engine
  }

  /** Tells what came of an event, and of the kline that is traded by, if it was one. */
  tell(closed: KlineClosed | undefined, outputs: readonly EngineOutput[]): void {
    if (closed !== undefined) {
      this.#counter.countKline()
      this.#showKline(closed)
    }
    for (const output of outputs) {
      if (isCommand(output)) continue
      this.#counter.count(output)
      logNotice(this.#log, output, symbol => this.#engine.ledger.instrument(symbol))
    }
  }

  /** What the run came to so far. */
  summary(instruments: Iterable<Instrument>): BotSummary {
    return this.#counter.summary(this.#engine, instruments)
  }

  /** One line a kline, so that somebody who watches sees the market move. */
  #showKline({ symbol, interval: length, kline }: KlineClosed): void {
    const { ledger } = this.#engine
    const equity = amountToText(ledger.equity(ledger.instrument(symbol).quote))
    this.#log.info(
      { at: utcText(closeTimeOf(kline.openTime, length)), symbol, close: kline.close, equity },
      'kline',
    )
  }
}
