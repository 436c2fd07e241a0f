import type { HistorySeen, KlineClosed } from '../../domain/events/engine-event.ts'
import type { Explanation } from '../../domain/events/explanation.ts'
import { closeTimeOf } from '../../domain/market-data/interval.ts'
import { namedNumbers } from '../../domain/numbers/named-numbers.ts'
import { shownKline } from './decision-builder.ts'
import type { ShownKline } from './decision-record.ts'
import { Recent } from './recent.ts'

/** A kline with the latest values by its close, since the kline before, of indicators and own series, by `strategy name`. */
export interface DecidedKline extends ShownKline {
  /** ms UTC. */
  readonly closeTime: number
  readonly values: Readonly<Record<string, number>>
}

interface Growing extends DecidedKline {
  readonly values: Record<string, number>
}

/** A stream of klines, and the values since its last one. */
interface Stream {
  readonly symbol: string
  readonly klines: Recent<Growing>
  coming: Record<string, number>
}

/** The latest klines of each stream with the values that strategies had and plotted, whatever they were shown. */
export class DecidedKlines {
  readonly #most: number
  readonly #streams = new Map<string, Stream>()

  /** Keeps at least `most` of each stream. */
  constructor(most: number) {
    this.#most = most
  }

  /** `symbol interval` of each stream. */
  get streams(): readonly string[] {
    return [...this.#streams.keys()]
  }

  /** The klines of a stream, oldest first. */
  of(stream: string): readonly DecidedKline[] {
    return this.#streams.get(stream)?.klines.all ?? []
  }

  add({ symbol, interval, kline }: KlineClosed | HistorySeen): void {
    const name = `${symbol} ${interval}`
    const stream = this.#streams.get(name) ?? { symbol, klines: new Recent<Growing>(this.#most), coming: {} }
    this.#streams.set(name, stream)
    const closeTime = closeTimeOf(kline.openTime, interval)
    stream.klines.push({ ...shownKline(kline), closeTime, values: stream.coming })
    stream.coming = {}
  }

  /** Takes values of the symbol that a strategy trades: of the kline that they fall into, or of the one to come. */
  explain(explanation: Explanation): void {
    if (explanation.type === 'orderAssessed') return
    const { symbol, strategy, time } = explanation
    const given = explanation.type === 'plotted' ? explanation.values : explanation.indicators
    const values = Object.fromEntries(namedNumbers(given, `${strategy} `))
    for (const stream of this.#streams.values()) {
      if (stream.symbol !== symbol) continue
      Object.assign(valuesAt(stream, time) ?? {}, values)
    }
  }
}

/** Values of the first kline that closes at a time or after it; `undefined` before all klines that are kept. */
function valuesAt({ klines, coming }: Stream, time: number): Record<string, number> | undefined {
  let found: Growing | undefined
  let place = klines.all.length - 1
  for (; place >= 0 && (klines.all[place] as Growing).closeTime >= time; place--) found = klines.all[place]
  if (found === undefined) return coming
  return place >= 0 || time > found.openTime ? found.values : undefined
}
