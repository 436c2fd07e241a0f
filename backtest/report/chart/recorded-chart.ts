/** Values of one series, oldest first: those of times (ms UTC, market time) at which it had one. */
export interface RecordedSeries {
  readonly time: number[]
  readonly value: number[]
}

/** A price at which an order waited, quote per base in ticks; times in ms UTC. */
export interface OrderLevel {
  readonly kind: 'stop' | 'target' | 'entry'
  readonly price: number
  readonly from: number
  /** Absent while it still stands. */
  to?: number
}

/** An order that came to nothing. */
export interface RecordedEnd {
  readonly kind: 'canceled' | 'denied'
  /** ms UTC. */
  readonly time: number
  /** In ticks; absent for an order at market. */
  readonly price?: number | undefined
  /** Reason, for people. */
  readonly text: string
}

/** Content of the chart of one book, besides klines and round trips. */
export interface RecordedChart {
  /** Indicators and own series by name. */
  readonly series: ReadonlyMap<string, RecordedSeries>
  readonly levels: readonly OrderLevel[]
  readonly ends: readonly RecordedEnd[]
}
