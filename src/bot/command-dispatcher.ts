import type { EngineEvent } from '../domain/events/engine-event.ts'
import type { EngineOutput, PlaceOrder } from '../domain/events/engine-output.ts'
import type { Executor } from '../execution/executor.ts'
import type { BotOptions } from './bot-options.ts'
import { entriesBlockedBy } from './inputs/entries-blocked.ts'

/** Parts of a command dispatcher. */
export interface CommandDispatcherOptions extends Pick<BotOptions, 'config' | 'venue' | 'log'> {
  readonly executor: Executor
  /** Receives events of orders that were never sent. */
  readonly emit: (event: EngineEvent) => void
}

/** Forwards commands to the executor, except orders canceled by the same event and, during the shutdown, new orders. */
export class CommandDispatcher {
  readonly #options: CommandDispatcherOptions
  #isShuttingDown = false
  #isOver = false

  constructor(options: CommandDispatcherOptions) {
    this.#options = options
  }

  /** From now on only exits are placed, if configured. */
  beginShutdown(): void {
    this.#isShuttingDown = true
  }

  /** From now on nothing is placed: an order sent now would be followed by nobody. */
  end(): void {
    this.#isOver = true
  }

  /** Executes the commands of one event. */
  dispatch(outputs: readonly EngineOutput[]): void {
    const { executor } = this.#options
    const unwanted = canceledIn(outputs)
    executor.together(() => {
      for (const output of outputs) {
        if (output.type === 'cancelOrder' || output.type === 'resizeOrder') executor.execute(output)
        else if (output.type !== 'placeOrder') continue
        else if (unwanted.has(output.request.clientOrderId) || this.#isOver) this.#giveUp(output)
        else this.#place(output)
      }
      for (const output of outputs) {
        const isHeldBack = entriesBlockedBy(output)
        if (isHeldBack !== undefined) executor.withdraw(isHeldBack)
      }
    })
  }

  /** An order canceled by another decision on the same event, or decided after the end, is never sent, since it could fill. */
  #giveUp({ request: { clientOrderId } }: PlaceOrder): void {
    const reason = 'It was canceled before it was sent.'
    const { emit, venue } = this.#options
    emit({ type: 'orderUpdated', clientOrderId, event: 'canceled', reason, time: venue.serverNow() })
  }

  /**
   * During shutdown, no orders are placed, except market exits with `onStop: flatten`: a strategy's reaction
   * to a canceled order would be left behind.
   */
  #place(command: PlaceOrder): void {
    const { executor, config, log } = this.#options
    const { symbol, clientOrderId, reduceOnly, protects, spec } = command.request
    const closes = reduceOnly && protects === undefined && spec.type === 'market'
    const isWanted = config.execution.onStop === 'flatten' && closes
    if (!this.#isShuttingDown || isWanted) executor.execute(command)
    else log.info({ symbol, clientOrderId }, 'order not placed: the bot is shutting down')
  }
}

function canceledIn(outputs: readonly EngineOutput[]): ReadonlySet<string> {
  return new Set(outputs.flatMap(output => (output.type === 'cancelOrder' ? [output.clientOrderId] : [])))
}
