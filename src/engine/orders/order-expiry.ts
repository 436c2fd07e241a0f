import type { TimeToLive } from '../../domain/signal.ts'

export interface ExpiringOrder {
  readonly clientOrderId: string
  /** Closed klines and market time (ms UTC) of the expiry; an unused one is infinite. */
  readonly klines: number
  readonly time: number
  /** Present once a close has ended it: its cancel is on its way. */
  readonly isOver?: true
}

/** Expiry of orders: checked when a kline closes, so that no timer is needed. */
export class OrderExpiry {
  #lives: ExpiringOrder[] = []

  /** True if no order has a time to live. */
  get isEmpty(): boolean {
    return this.#lives.length === 0
  }

  /** Adds an order decided at `time` (ms UTC), after so many klines. */
  add(clientOrderId: string, timeToLive: TimeToLive, klines: number, time: number): void {
    this.#lives.push(
      'klines' in timeToLive
        ? { clientOrderId, klines: klines + timeToLive.klines, time: Number.POSITIVE_INFINITY }
        : { clientOrderId, klines: Number.POSITIVE_INFINITY, time: time + timeToLive.ms },
    )
  }

  /**
   * Remaining time to live of an order after so many klines at `time` (ms UTC), at most 0 once expired;
   * `undefined` without one.
   */
  left(
    clientOrderId: string,
    { klines, time }: Pick<ExpiringOrder, 'klines' | 'time'>,
  ): TimeToLive | undefined {
    const life = this.#lives.find(one => one.clientOrderId === clientOrderId)
    if (life === undefined) return undefined
    return life.time === Number.POSITIVE_INFINITY
      ? { klines: life.klines - klines }
      : { ms: life.time - time }
  }

  /** All expiries as plain data. */
  snapshot(): readonly ExpiringOrder[] {
    return this.#lives
  }

  restore(lives: readonly ExpiringOrder[]): void {
    this.#lives = [...lives]
  }

  /** Ends orders at a close; returns the expired ones, repeatedly until `isWorking` is false for them. */
  end(klines: number, time: number, isWorking: (clientOrderId: string) => boolean): readonly string[] {
    this.#lives = this.#lives
      .filter(({ clientOrderId }) => isWorking(clientOrderId))
      .map(life =>
        !life.isOver && (klines >= life.klines || time >= life.time) ? { ...life, isOver: true } : life,
      )
    return this.#lives.flatMap(({ clientOrderId, isOver }) => (isOver ? [clientOrderId] : []))
  }

  /** True for an order that a close has ended, until its cancel is confirmed and forgotten. */
  hasEnded(clientOrderId: string): boolean {
    return this.#lives.some(life => life.isOver && life.clientOrderId === clientOrderId)
  }
}
