import { UsageError } from '../../domain/sluice-error.ts'
import type { SessionRow } from '../../matching/session-row.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { dialectOf } from '../dialects/dialects.ts'
import type { LoggedEvent } from '../event-log.ts'
import type { ExchangeCore } from '../exchange-core.ts'
import type { ExchangeInput } from '../exchange-input.ts'
import type { ActiveFault } from '../faults/fault-control.ts'
import { faultRule } from '../faults/fault-rule.ts'
import { FaultyExchange } from '../faults/faulty-exchange.ts'
import type { FuturesExchange } from '../futures/futures-exchange.ts'
import type { MarketObservation } from '../live/market-observation.ts'
import type { ExchangeResponse } from '../protocol/exchange-response.ts'
import type { ExchangeRequest } from '../protocol/request-authentication.ts'
import type { ExchangeKeeper } from '../saved/exchange-keeper.ts'
import { type SimulatorConfig, type SimulatorConfigInput, simulatorConfigOf } from '../simulator-config.ts'
import type { SpotExchange } from '../spot-exchange.ts'
import type { Transfers } from '../transfer/transfers.ts'
import type { Withdrawals } from '../withdrawal/withdrawals.ts'
import { InputJournal } from './input-journal.ts'
import { SNAPSHOT_FORMAT, type Snapshot } from './snapshot.ts'
import { stateHashOf, stateViewOf } from './state-view.ts'

/** Inputs from the rehearsal's script, as opposed to the market and clients. */
export type StageInput = Exclude<ExchangeInput, { type: 'advance' | 'request' | 'observe' }>

/** An exchange that remembers its inputs, so that it can be put where another one was. */
export class ReplayableExchange {
  readonly #createCore: (config: SimulatorConfig) => ExchangeCore
  #input: SimulatorConfigInput
  #config: SimulatorConfig
  #live: FaultyExchange
  #journal: InputJournal
  readonly #keeper: ExchangeKeeper | undefined

  /**
   * Resumes from the keeper's stored state, if there is one. Throws `UsageError` for an invalid
   * configuration.
   */
  constructor(
    input: SimulatorConfigInput,
    createCore: (config: SimulatorConfig) => ExchangeCore,
    keeper?: ExchangeKeeper,
  ) {
    this.#createCore = createCore
    this.#input = input
    this.#config = simulatorConfigOf(input)
    this.#journal = new InputJournal(this.#config.keptInputs)
    this.#keeper = keeper
    this.#live = this.#replayed(this.#config, [])
    if (keeper?.restore(this.#live.core) === true) this.#journal.giveUp()
    this.#keep()
  }

  /** When the market moves next, ms UTC; `undefined` once it has ended. */
  get nextPrintAt(): number | undefined {
    return this.#live.core.nextPrintAt
  }

  /** Accounts, markets and orders behind the interface, for looking at. */
  get state(): SpotExchange {
    return this.#live.core.state
  }

  /** Keeps the exchange as it is now, where there is a keeper. */
  save(): void {
    this.#keeper?.save(this.#live.core)
  }

  /** The futures side of the same, with accounts of its own for the same users. */
  get futures(): FuturesExchange {
    return this.#live.core.futures
  }

  /** Transfers of all users. */
  get transfers(): Transfers {
    return this.#live.core.transfers
  }

  /** Withdrawals of all users. */
  get withdrawals(): Withdrawals {
    return this.#live.core.withdrawals
  }

  /** Its differences from the interface document. */
  get dialect(): Dialect {
    return dialectOf(this.#config.dialect)
  }

  /** The faults in force. */
  get faults(): readonly ActiveFault[] {
    return this.#live.faults.active
  }

  /** A digest of everything that can be seen of the exchange. */
  get stateHash(): string {
    return stateHashOf(this.#live)
  }

  /**
   * Answers a request that arrives at `now`, ms UTC; `hasArrived`: its simulated delivery delay has passed.
   */
  handle(request: ExchangeRequest, now: number, hasArrived = false): ExchangeResponse {
    return this.#take({ type: 'request', time: now, request, hasArrived })
  }

  /** Moves the market to a time, ms UTC; a past time is ignored. */
  advance(to: number): void {
    this.#take({ type: 'advance', time: to })
  }

  /**
   * Takes what a host tells of a market of the type live, at `now` (ms UTC); throws `ApiError` for a market that
   * is not listed.
   */
  observe(observation: MarketObservation, now: number): void {
    this.#take({ type: 'observe', time: now, observation })
  }

  /** Hears of every order, cancel and fill on markets of the type live. */
  onSessionRow(listener: (row: SessionRow) => void): void {
    this.#live.core.live.onRow = listener
  }

  /** Sets or lifts a fault, deposits money or moves a price; throws `UsageError` for invalid input. */
  stage(input: StageInput): ExchangeResponse {
    if (input.type === 'setFault') this.#prepareFor(input)
    return this.#take(input)
  }

  /** At most `limit` events after a sequence number, oldest first. */
  eventsAfter(sequence: number, limit: number): readonly LoggedEvent[] {
    return this.#live.log.after(sequence, limit)
  }

  /** Everything that can be seen of the exchange. */
  view() {
    return stateViewOf(this.#live)
  }

  /**
   * The full state of the exchange, serializable as JSON; throws `UsageError` once inputs have been dropped.
   */
  snapshot(): Snapshot {
    const inputs = this.#allInputs()
    const { now } = this.state
    const time = Number.isFinite(now) ? now : null
    const { stateHash } = this
    return { format: SNAPSHOT_FORMAT, time, stateHash, config: this.#input, inputs, state: this.view() }
  }

  /** Becomes the exchange of a snapshot; throws `UsageError`, and stays as it is, if that does not lead to the same state. */
  restore(snapshot: Snapshot): void {
    if (snapshot.format !== SNAPSHOT_FORMAT) {
      throw new UsageError(`A snapshot of the format ${SNAPSHOT_FORMAT} is expected, not ${snapshot.format}.`)
    }
    const config = simulatorConfigOf(snapshot.config)
    const live = this.#replayed(config, snapshot.inputs)
    if (stateHashOf(live) !== snapshot.stateHash) {
      throw new UsageError(
        'The snapshot does not lead to the state it was taken of; restore it with the version of Sluice that took it.',
      )
    }
    this.#input = snapshot.config
    this.#config = config
    this.#live = live
    this.#journal = new InputJournal(config.keptInputs, snapshot.inputs)
    this.#keep()
    this.#keeper?.save(live.core)
  }

  #take(input: ExchangeInput): ExchangeResponse {
    const response = this.#live.apply(input)
    this.#keeper?.pass(this.#live.core)
    this.#journal.write(input)
    return response
  }

  /** A read can only be stale if someone kept the past: the replica of a new age is made from the inputs so far. */
  #prepareFor({ rule }: Extract<StageInput, { type: 'setFault' }>): void {
    const checked = faultRule.safeParse(rule)
    if (!checked.success || checked.data.fault !== 'staleRead') return
    if (!this.#live.hasReplica(checked.data.lagMs)) {
      this.#live = this.#replayed(this.#config, this.#allInputs(), checked.data.lagMs)
      this.#keep()
    }
  }

  #keep(): void {
    const keeper = this.#keeper
    if (keeper === undefined) return
    const { core } = this.#live
    this.#live.onChange = change => keeper.note(change, core)
    this.#live.onHeard = change => keeper.hear(change, core)
  }

  #allInputs(): readonly ExchangeInput[] {
    if (!this.#journal.isComplete) {
      throw new UsageError(
        `The exchange has had more than ${this.#config.keptInputs} inputs and forgotten them; raise keptInputs in its configuration. One that went on from a file does not know what came before that.`,
      )
    }
    return this.#journal.inputs
  }

  #replayed(config: SimulatorConfig, inputs: readonly ExchangeInput[], ...lags: number[]): FaultyExchange {
    const live = new FaultyExchange({
      config,
      createCore: this.#createCore,
      lags: new Set([...lags, ...lagsOf(config, inputs)]),
    })
    for (const input of inputs) live.apply(input)
    return live
  }
}

function lagsOf({ faults }: SimulatorConfig, inputs: readonly ExchangeInput[]): readonly number[] {
  const set = inputs.flatMap(input => (input.type === 'setFault' ? [faultRule.parse(input.rule)] : []))
  return [...faults, ...set].flatMap(rule => (rule.fault === 'staleRead' ? [rule.lagMs] : []))
}
