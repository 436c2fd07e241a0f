import type { EngineEvent } from '../../domain/events/engine-event.ts'
import type { Interval } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import type { KlineBlock } from '../../journal/journal-entry.ts'

/** Doubles of a kline. */
const WIDTH = 6

/** The klines that an engine has seen, compactly: from them its indicators are made again. */
export class KlineRecord {
  readonly #old: KlineBlock[] = []
  readonly #fresh = new Map<string, number[]>()

  /** Takes the kline of an event, if it has one. */
  observe(event: EngineEvent): void {
    if (event.type !== 'klineClosed' && event.type !== 'historySeen') return
    const series = seriesOf(event.symbol, event.interval)
    const { openTime, open, high, low, close, volume } = event.kline
    const values = this.#fresh.get(series)
    if (values === undefined) this.#fresh.set(series, [openTime, open, high, low, close, volume])
    else values.push(openTime, open, high, low, close, volume)
  }

  /** Loads blocks from a journal. */
  load(blocks: readonly KlineBlock[]): void {
    this.#old.push(...blocks)
  }

  /** The klines of a series, oldest first. */
  *of(symbol: string, interval: Interval): Generator<Kline> {
    const series = seriesOf(symbol, interval)
    for (const block of this.#old) if (block.series === series) yield* klinesIn(block.values)
    yield* klinesIn(this.#fresh.get(series) ?? [])
  }

  /** Open time of the latest kline of a series, ms UTC. */
  latestOf(symbol: string, interval: Interval): number | undefined {
    const series = seriesOf(symbol, interval)
    const old = this.#old.findLast(block => block.series === series)?.values
    return this.#fresh.get(series)?.at(-WIDTH) ?? old?.at(-WIDTH)
  }

  /** Returns the klines since the last call; they then count as old. */
  drainFresh(): readonly KlineBlock[] {
    const blocks = Array.from(this.#fresh, ([series, values]) => ({
      series,
      values: Float64Array.from(values),
    }))
    this.#fresh.clear()
    this.#old.push(...blocks)
    return blocks
  }

  /** Drops old klines that will not be read again. */
  forgetOld(): void {
    this.#old.length = 0
  }
}

function seriesOf(symbol: string, interval: Interval): string {
  return `${symbol} ${interval}`
}

function* klinesIn(values: ArrayLike<number>): Generator<Kline> {
  for (let at = 0; at < values.length; at += WIDTH) {
    const [openTime = 0, open = 0, high = 0, low = 0, close = 0, volume = 0] = [
      values[at],
      values[at + 1],
      values[at + 2],
      values[at + 3],
      values[at + 4],
      values[at + 5],
    ]
    yield { openTime, open, high, low, close, volume }
  }
}
