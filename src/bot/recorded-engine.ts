import type { EngineEvent } from '../domain/engine-event.ts'
import { type EngineOutput, isCommand } from '../domain/engine-output.ts'
import type { Kline } from '../domain/kline.ts'
import type { Engine } from '../engine/engine.ts'
import type { Journal } from '../journal/journal.ts'
import type { SessionRecord } from './session-record.ts'

/** Events that led to nothing may wait so long for the disk; what is lost of them in a crash can be asked for again. */
const MOST_UNCOMMITTED = 256

/** What keeps a record of a bot, where one is kept. */
export interface RecordedEngineOptions {
  readonly engine: Engine
  readonly journal: Journal | undefined
  /** The exchange's time as far as we know it, ms UTC. */
  readonly serverNow: () => number
}

/**
 * An engine whose every event and decision goes into the journal. A decision that sends, changes or cancels an order, or
 * changes what holds trading back, is on the disk before it is returned, hence before anybody can act on it.
 */
export class RecordedEngine {
  readonly #options: RecordedEngineOptions
  #uncommitted = 0

  constructor(options: RecordedEngineOptions) {
    this.#options = options
  }

  /** Notes with what a session begins. */
  begin(session: SessionRecord): void {
    const { journal, serverNow } = this.#options
    journal?.append({ kind: 'session', time: serverNow(), body: session })
    journal?.commit()
  }

  /** Does what `Engine.process` does, and notes it. */
  process(event: EngineEvent): readonly EngineOutput[] {
    const { engine, journal, serverNow } = this.#options
    const outputs = engine.process(event)
    if (journal === undefined) return outputs
    const decisions = outputs.length === 0 ? undefined : outputs
    journal.append({ kind: 'event', time: serverNow(), body: withPlainKline(event), decisions })
    this.#uncommitted++
    if (this.#uncommitted >= MOST_UNCOMMITTED || outputs.some(mustLast)) {
      journal.commit()
      this.#uncommitted = 0
    }
    return outputs
  }
}

/** What somebody will act on, and what a restart must find: whoever halted a bot has seen it halted. */
function mustLast(output: EngineOutput): boolean {
  return isCommand(output) || output.type === 'tradingStateChanged'
}

/** A kline may be a view whose fields are not its own; a journal needs the fields. */
function withPlainKline(event: EngineEvent): EngineEvent {
  return 'kline' in event ? { ...event, kline: plainKline(event.kline) } : event
}

function plainKline({ openTime, open, high, low, close, volume }: Kline): Kline {
  return { openTime, open, high, low, close, volume }
}
