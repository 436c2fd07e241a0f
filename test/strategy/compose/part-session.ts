import type { Kline } from '../../../src/domain/market-data/kline.ts'
import type { Direction } from '../../../src/domain/orders/side.ts'
import type { EnterSignal } from '../../../src/domain/signal.ts'
import type { EntryTerms, Held, Part, PartRun } from '../../../src/strategy/compose/part.ts'
import { emptyView, FLAT, type ViewForTests } from '../strategy-view.ts'

const MINUTE = 60_000

/** One part of a composed strategy, talked to in plain numbers. Klines are of a minute. */
export class PartSession {
  readonly view: ViewForTests = emptyView()
  readonly run: PartRun
  #kline: Kline = { openTime: -MINUTE, open: 0, high: 0, low: 0, close: 0, volume: 0 }

  constructor(part: Part) {
    this.run = part.start('test', this.view)
  }

  /** Closes a kline; its high and low are its close unless they are given. */
  kline(close: number, high = close, low = close): this {
    const openTime = this.#kline.openTime + MINUTE
    this.#kline = { openTime, open: close, high, low, close, volume: 1 }
    for (const indicator of Object.values(this.run.indicators)) indicator.update(this.#kline)
    this.view.time = openTime + MINUTE
    return this
  }

  klines(...closes: readonly number[]): this {
    for (const close of closes) this.kline(close)
    return this
  }

  allows(direction: Direction): boolean {
    return this.run.allows(direction, this.#kline)
  }

  terms(entry: Partial<EnterSignal> = {}): EntryTerms | 'skip' {
    return this.run.termsOf({ type: 'enter', direction: 'long', ...entry }, this.#kline)
  }

  /** An entry goes out. */
  enter(entry: Partial<EnterSignal>): void {
    this.run.onEntry({ type: 'enter', direction: 'long', ...entry }, this.#kline)
  }

  /** One unit is bought or sold; afterwards `held` units are held (negative: short), bought at `price`. */
  trade(side: 'buy' | 'sell', price: number, held: number, quantity = 1): void {
    this.view.position = positionOf(held, price, this.view.time)
    this.run.onFill(
      {
        ...{ clientOrderId: '1', side, purpose: side === 'buy' ? 'entry' : 'exit', price, quantity },
        ...{ tag: undefined, market: undefined, time: this.view.time },
      },
      this.#kline,
    )
  }

  leaves(): boolean {
    return this.run.leaves(this.#held, this.#kline)
  }

  stop(): number | undefined {
    return this.run.stopOf(this.#held, this.#kline)
  }

  get #held(): Held {
    const { direction } = this.view.position
    if (direction === 'flat') throw new Error('Nothing is held.')
    return { ...this.view.position, direction }
  }
}

function positionOf(held: number, price: number, time: number): ViewForTests['position'] {
  if (held === 0) return FLAT
  const direction = held > 0 ? 'long' : 'short'
  return { direction, quantity: Math.abs(held), entryPrice: price, openedAt: time }
}
