import type { Clock } from '../../domain/clock.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { faultRule } from '../faults/fault-rule.ts'
import type { ExchangeResponse } from '../protocol/exchange-response.ts'
import { type JsonValue, jsonText } from '../protocol/json-text.ts'
import type { ReplayableExchange, StageInput } from '../snapshot/replayable-exchange.ts'
import { readSnapshot } from '../snapshot/snapshot.ts'
import { depositBody, priceBody, timeBody } from './admin-body.ts'
import { adminRefusal, parseBody, readBody } from './admin-error.ts'
import { faultView } from './fault-view.ts'

export interface AdminApiSetup {
  readonly exchange: ReplayableExchange
  readonly clock: Clock
  /** Moves the clock on to a time, ms UTC; absent for a clock that runs by itself. */
  readonly moveClock?: ((to: number) => Promise<void>) | undefined
}

type Answer = (body: string, query: URLSearchParams) => JsonValue | Promise<JsonValue>

const MOST_EVENTS = 1000

/** The admin side of the exchange: reads its state and injects events. Not part of the exchange interface. */
export class AdminApi {
  readonly #setup: AdminApiSetup
  readonly #answers: Readonly<Record<string, Answer>> = {
    'GET /sim/state': () => ({ stateHash: this.#exchange.stateHash, ...this.#exchange.view() }),
    'GET /sim/events': (_body, query) => this.#events(query),
    'GET /sim/faults': () => this.#exchange.faults.map(faultView),
    'POST /sim/faults': body => this.#setFaults(body),
    'DELETE /sim/faults': (_body, query) => this.#liftFaults(query),
    'POST /sim/deposit': body => {
      const { uid = this.#firstUid(), ...fields } = readBody(depositBody, parseBody(body))
      return this.#stage({ type: 'deposit', time: this.#now(), uid, ...fields })
    },
    'POST /sim/price': body =>
      this.#stage({ type: 'shock', time: this.#now(), ...readBody(priceBody, parseBody(body)) }),
    'POST /sim/time': body => this.#moveTime(body),
    // A snapshot is plain JSON data.
    'POST /sim/snapshot': () => this.#exchange.snapshot() as unknown as JsonValue,
    'POST /sim/restore': body => {
      this.#exchange.restore(readSnapshot(parseBody(body)))
      return { stateHash: this.#exchange.stateHash }
    },
  }

  constructor(setup: AdminApiSetup) {
    this.#setup = setup
  }

  /** Answers a call under /sim; rejects only with errors of the exchange's own. */
  async answer(method: string, target: string, body: string): Promise<ExchangeResponse> {
    const [path = '', query = ''] = target.split('?')
    const answer = this.#answers[`${method} ${path}`]
    if (answer === undefined) {
      const msg = `There is no ${method} ${path}; there are ${Object.keys(this.#answers).join(', ')}.`
      return { status: 404, body: JSON.stringify({ code: 'USAGE', msg }) }
    }
    try {
      return { status: 200, body: jsonText(await answer(body, new URLSearchParams(query))) }
    } catch (error) {
      return adminRefusal(error)
    }
  }

  get #exchange(): ReplayableExchange {
    return this.#setup.exchange
  }

  #now(): number {
    return this.#setup.clock.now()
  }

  #firstUid(): number {
    return this.#exchange.state.users[0]?.account.uid ?? 0
  }

  /** Events after the sequence number `after`, oldest first. */
  #events(query: URLSearchParams): JsonValue {
    const [after, limit] = [numberIn(query, 'after', 0), numberIn(query, 'limit', MOST_EVENTS)]
    return { events: this.#exchange.eventsAfter(after, Math.min(limit, MOST_EVENTS)) }
  }

  /** One fault, or a list of them; none is set unless all can be. */
  #setFaults(body: string): JsonValue {
    const rules: unknown = parseBody(body)
    const list: readonly unknown[] = Array.isArray(rules) ? rules : [rules]
    for (const rule of list) readBody(faultRule, rule)
    return list.map(rule =>
      // The schema just accepted it.
      this.#stage({ type: 'setFault', time: this.#now(), rule } as StageInput),
    )
  }

  #liftFaults(query: URLSearchParams): JsonValue {
    const id = query.has('id') ? numberIn(query, 'id', 0) : undefined
    return this.#stage({ type: 'liftFault', time: this.#now(), id })
  }

  async #moveTime(body: string): Promise<JsonValue> {
    const { advanceMs } = readBody(timeBody, parseBody(body))
    const { moveClock } = this.#setup
    if (moveClock === undefined) {
      throw new UsageError('The clock runs by itself; start the exchange with --manual-time to move it.')
    }
    await moveClock(this.#now() + advanceMs)
    this.#exchange.advance(this.#now())
    return { time: this.#now() }
  }

  #stage(input: StageInput): JsonValue {
    return JSON.parse(this.#exchange.stage(input).body)
  }
}

function numberIn(query: URLSearchParams, name: string, usual: number): number {
  const text = query.get(name) ?? String(usual)
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`${name} must be a whole number, but it is "${text}".`)
  return Number(text)
}
