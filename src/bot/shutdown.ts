import type { EngineEvent } from '../domain/events/engine-event.ts'
import type { Executor } from '../execution/executor.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { BotOptions } from './bot-options.ts'
import type { RefusedOrders } from './inputs/refused-orders.ts'

/** Parts of a shutdown. */
export interface ShutdownOptions extends Pick<BotOptions, 'config' | 'venue' | 'instruments' | 'state'> {
  readonly executor: Executor
  readonly emit: (event: EngineEvent) => void
  /** Compares books and exchange once. Never rejects. */
  readonly compare: () => Promise<void>
  /** Has closing orders sent again that the exchange has refused. */
  readonly refused: Pick<RefusedOrders, 'look' | 'needsComparison'>
}

/** Time within which the answer to an order arrives, ms: at the end, none is sent whose answer nobody would read. */
const ANSWERED_WITHIN_MS = 3000

/** The shutdown of a bot: cancels its orders or closes its positions as the configuration says, and waits for that. */
export class Shutdown {
  readonly #options: ShutdownOptions
  readonly #deadline: number
  /** `Ledger.changes` when positions were last ordered to close. */
  #flattenedAt: number | undefined

  /** It begins now. */
  constructor(options: ShutdownOptions) {
    const { venue, config } = options
    this.#options = options
    this.#deadline = venue.clock.now() + config.execution.stopWithinMs
  }

  /** Resolves to true once all is done, to false at the deadline. */
  async end(): Promise<boolean> {
    const { config, venue, executor, refused } = this.#options
    const { onStop } = config.execution
    if (onStop !== 'keep') await this.#inTime(executor.cancelAll())
    if (onStop === 'flatten') this.#flatten()
    while (!this.#isDone() && venue.clock.now() < this.#deadline) {
      await this.#inTime(this.#pause())
      await this.#inTime(executor.reconcile())
      if (executor.waitsForComparison || refused.needsComparison) await this.#inTime(this.#options.compare())
      if (this.#cannotClose) break
      if (venue.clock.now() > this.#deadline - ANSWERED_WITHIN_MS) continue
      refused.look()
      // An order that counted as over may have filled after the positions were closed.
      if (onStop === 'flatten' && executor.liveOrders === 0) this.#flatten()
    }
    return this.#isDone()
  }

  /**
   * Has the engine close every position as it does for an operator, whom no halt stops, until they are closed: again
   * only where the ledger has changed since.
   */
  #flatten(): void {
    const { state, venue, emit } = this.#options
    const { ledger } = state.engine
    if (this.#holdsNothing || this.#flattenedAt === ledger.changes) return
    const reason = 'The bot was stopped, and execution.onStop: flatten closes what is held.'
    const time = venue.serverNow()
    emit({ type: 'tradingCommanded', command: 'flatten', by: 'operator', reason, time })
    this.#flattenedAt = ledger.changes
  }

  /** True once the engine has given up what was ordered to close, such as less than the exchange's smallest order. */
  get #cannotClose(): boolean {
    const { engine } = this.#options.state
    return (
      this.#flattenedAt === engine.ledger.changes &&
      engine.closing.size === 0 &&
      this.#options.executor.liveOrders === 0
    )
  }

  get #holdsNothing(): boolean {
    const { instruments, state } = this.#options
    return [...instruments.keys()].every(symbol => isFlat(state.engine.ledger, symbol))
  }

  /** True if the shutdown waits for no order or position. */
  #isDone(): boolean {
    const { config, executor } = this.#options
    const { onStop } = config.execution
    if (onStop === 'keep') return !executor.tracker.orders.hasUnconfirmed()
    return executor.liveOrders === 0 && (onStop !== 'flatten' || this.#holdsNothing)
  }

  #pause(): Promise<void> {
    const { venue, config } = this.#options
    return new Promise(resolve => venue.clock.schedule(config.execution.pollOrdersMs, resolve))
  }

  /** Waits for work, but no longer than there is time. */
  async #inTime(work: Promise<void>): Promise<void> {
    const { clock } = this.#options.venue
    let forget = () => {}
    const over = new Promise<void>(resolve => {
      forget = clock.schedule(this.#deadline - clock.now(), resolve)
    })
    await Promise.race([work, over])
    forget()
  }
}

/** True if a symbol has no position on either side. */
function isFlat(ledger: Ledger, symbol: string): boolean {
  return ledger.grossQuantity(symbol, 'long') === 0 && ledger.grossQuantity(symbol, 'short') === 0
}
