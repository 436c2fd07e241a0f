import { isRecord } from '../../domain/is-record.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import type { KlineCursor, KlineSeries } from '../../domain/market-data/kline-series.ts'
import type { Direction } from '../../domain/orders/side.ts'
import type { EnterSignal, PriceOrFraction, Signal, TargetSignal } from '../../domain/signal.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { announceTo } from '../../indicators/formula-indicator.ts'
import { type Indicator, valuesOf } from '../../indicators/indicator.ts'
import { oneByOne } from '../feeds/one-by-one.ts'
import { exit, type Signals } from '../signals.ts'
import type { FeedRun, StrategyRun } from '../strategy-run.ts'
import type { FillView, OrderView, StrategyView } from '../strategy-view.ts'
import { isNearer, moveStop, type StopState } from './exits/stop-ratchet.ts'
import { isLeaving, isOwn } from './own-signals.ts'
import type { Held, PartRun } from './part.ts'
import { passingFeed } from './passing-feed.ts'
import { isLarger, targetSideOf } from './sizing/target-exposure.ts'

interface ComposedRunOptions {
  readonly name: string
  readonly inner: StrategyRun
  readonly view: StrategyView
  readonly parts: readonly PartRun[]
}

/** State of a composed run: plain data if its strategy's own state is. */
interface ComposedMemory {
  readonly strategy: unknown
  /** By number and name of the part; parts without memory are omitted. */
  readonly parts: Readonly<Record<string, unknown>>
  readonly stop?: StopState | undefined
  readonly entryStop?: PriceOrFraction | undefined
}

/** A running strategy with its parts. */
export class ComposedRun implements StrategyRun {
  readonly warmUp: number
  readonly feeds: readonly FeedRun[]
  readonly onStart: StrategyRun['onStart']
  readonly onStop: StrategyRun['onStop']
  readonly #name: string
  readonly #inner: StrategyRun
  readonly #view: StrategyView
  readonly #parts: readonly PartRun[]
  readonly #indicators: readonly Indicator<unknown>[]
  /** Latest closed kline; no decision is made before the first. */
  #kline: Kline | undefined
  #stop: StopState | undefined
  /** Stop-loss of the latest entry that was sent while flat. */
  #entryStop: PriceOrFraction | undefined

  constructor({ name, inner, view, parts }: ComposedRunOptions) {
    this.#name = name
    this.#inner = inner
    this.#view = view
    this.#parts = parts
    this.#indicators = parts.flatMap(({ indicators }) => Object.values(indicators))
    const needed = this.#indicators.map(({ requiredKlines }) => requiredKlines)
    this.warmUp = Math.max(inner.warmUp, ...needed)
    const { onStart, onStop } = inner
    this.feeds = inner.feeds.map(feed => passingFeed(feed, signals => this.#through(signals)))
    this.onStart = onStart && (() => this.#through(onStart()))
    this.onStop = onStop && (() => this.#through(onStop()))
  }

  get memory(): unknown {
    const parts = this.#parts.flatMap((part, index) =>
      part.memory === undefined ? [] : [[keyOf(part, index), part.memory]],
    )
    const memory: ComposedMemory = {
      strategy: this.#inner.memory,
      parts: Object.fromEntries(parts),
      stop: this.#stop,
      entryStop: this.#entryStop,
    }
    return memory
  }

  get memoryVersion(): number {
    return this.#inner.memoryVersion
  }

  /** Parts that the saved state lacks start with their initial memory. */
  restoreMemory(memory: unknown, version: number): void {
    if (!isRecord(memory) || !isRecord(memory.parts))
      throw new UsageError(
        `The kept state of strategy "${this.#name}" is from before it was composed of parts. Begin a new journal once the account is flat, or give the composed strategy another name.`,
      )
    const { strategy, parts, stop, entryStop } = memory as unknown as ComposedMemory // written by `memory`
    this.#inner.restoreMemory(strategy, version)
    for (const [index, part] of this.#parts.entries()) part.memory = parts[keyOf(part, index)] ?? part.memory
    this.#stop = stop
    this.#entryStop = entryStop
  }

  dispose(): void {
    this.#inner.dispose?.()
  }

  announce(klines: KlineSeries, from: number, to: number): void {
    this.#inner.announce(klines, from, to)
    for (const indicator of this.#indicators) announceTo(indicator, klines, from, to)
  }

  indicatorValues(): Readonly<Record<string, unknown>> {
    const ofParts = this.#parts.flatMap(({ name, indicators }) =>
      Object.entries(valuesOf(indicators)).map(([key, value]) => [`${name} ${key}`, value]),
    )
    return { ...this.#inner.indicatorValues?.(), ...Object.fromEntries(ofParts) }
  }

  update(kline: Kline): void {
    this.#inner.update(kline)
    for (const indicator of this.#indicators) indicator.update(kline)
    this.#kline = kline
  }

  onKline(kline: Kline): Signals<string> {
    const signals = this.#passed(this.#inner.onKline(kline))
    const { direction } = this.#view.position
    if (direction === 'flat') {
      this.#stop = undefined
      return some(signals)
    }
    const held = this.#view.position as Held // not flat
    return some(this.#withExits(signals, held, kline))
  }

  onKlines(cursor: KlineCursor, to: number): Signals<string> {
    return oneByOne(this, cursor, to)
  }

  readonly onFill = (fill: FillView): Signals<string> => {
    const kline = this.#kline
    if (fill.market === undefined && kline !== undefined) {
      if (this.#view.position.direction !== this.#stop?.direction) this.#stop = undefined
      for (const part of this.#parts) part.onFill(fill, kline)
    }
    return this.#through(this.#inner.onFill?.(fill))
  }

  readonly onOrder = (order: OrderView): Signals<string> => this.#through(this.#inner.onOrder?.(order))

  onTimer(name: string, time: number): Signals<string> {
    return this.#through(this.#inner.onTimer(name, time))
  }

  #through(signals: Signals<string>): Signals<string> {
    return some(this.#passed(signals))
  }

  /** The strategy's decision after the parts have filtered and changed it. */
  #passed(signals: Signals<string>): readonly Signal<string>[] {
    if (signals === undefined) return NONE
    const list: readonly Signal<string>[] = isList(signals) ? signals : [signals]
    return list.flatMap(signal => this.#pass(signal))
  }

  #pass(signal: Signal<string>): readonly Signal<string>[] {
    if (!isOwn(signal) || (signal.type !== 'enter' && signal.type !== 'target')) return [signal]
    // Before the first kline parts cannot decide, so entries are blocked.
    if (this.#kline === undefined) return NONE
    return signal.type === 'enter' ? this.#enter(signal, this.#kline) : this.#target(signal, this.#kline)
  }

  #enter(signal: EnterSignal, kline: Kline): readonly Signal<string>[] {
    if (!this.#allows(signal.direction, kline)) return NONE
    let entry = signal
    for (const part of this.#parts) {
      const terms = part.termsOf(entry, kline)
      if (terms === 'skip') return NONE
      entry = { ...entry, ...terms }
    }
    for (const part of this.#parts) part.onEntry(entry, kline)
    // Additions to a position do not change its initial stop.
    if (this.#view.position.direction !== entry.direction) this.#entryStop = entry.stopLoss
    return [entry]
  }

  /**
   * A target that increases a side that is not allowed: a position on the other side is closed all the same.
   */
  #target(signal: TargetSignal, kline: Kline): readonly Signal<string>[] {
    const side = targetSideOf(signal)
    if (side === undefined || !isLarger(signal, this.#view, kline.close) || this.#allows(side, kline))
      return [signal]
    const { direction } = this.#view.position
    return direction === 'flat' || direction === side ? NONE : [exit()]
  }

  #allows(direction: Direction, kline: Kline): boolean {
    return this.#parts.every(part => part.allows(direction, kline))
  }

  #withExits(signals: readonly Signal<string>[], held: Held, kline: Kline): readonly Signal<string>[] {
    if (signals.some(signal => isLeaving(signal, held))) return signals
    if (this.#parts.some(part => part.leaves(held, kline))) return [exit(), ...signals]
    const levels = this.#parts.flatMap(part => part.stopOf(held, kline) ?? [])
    if (levels.length === 0) return signals
    const moved = moveStop(this.#stop ?? this.#firstStop(held), levels, held, kline.close)
    this.#stop = moved.stop
    return moved.signal === undefined ? signals : [...signals, moved.signal]
  }

  /** Stop of the first entry; a stop on the wrong side of the entry price belongs to another entry. */
  #firstStop({ direction, entryPrice, quantity }: Held): StopState | undefined {
    const stopLoss = this.#entryStop
    if (stopLoss === undefined) return undefined
    const fraction = direction === 'long' ? -1 : 1
    const level = typeof stopLoss === 'number' ? stopLoss : entryPrice * (1 + fraction * stopLoss.fraction)
    return isNearer(direction, entryPrice, level) ? { direction, level, quantity } : undefined
  }
}

const NONE: readonly Signal<string>[] = []

/** Signals in the form that a handler returns. */
function some(signals: readonly Signal<string>[]): Signals<string> {
  return signals.length < 2 ? signals[0] : signals
}

function isList(signals: Signal<string> | readonly Signal<string>[]): signals is readonly Signal<string>[] {
  return Array.isArray(signals)
}

function keyOf({ name }: PartRun, index: number): string {
  return `${index} ${name}`
}
