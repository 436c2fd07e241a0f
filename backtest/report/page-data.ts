/**
 * Data for the script of the page. Times are seconds UTC, as the chart library counts; columns of a part have
 * equal lengths.
 */
export interface PageData extends PageChart {
  readonly quote: string
  /** Lengths of klines that charts may join theirs to, in seconds, ascending. */
  readonly spanLengths: readonly number[]
  readonly equity: PageEquity
  /** The other markets that the price chart can show, if a run has several. */
  readonly others?: readonly PageChart[]
}

/** A market with its round trips. */
export interface PageChart extends DrawnChart {
  readonly trips: PageTrips
}

/** What is drawn of a market. */
export interface DrawnChart {
  readonly market: PageMarket
  readonly klines: PageKlines
  readonly trips: DrawnTrips
  /** Fills that are drawn by themselves; a round trip shows its own. */
  readonly fills?: PageFills
  /** Equity of the account at the close of each kline. */
  readonly worth?: PageColumn
  /** Deepest drawdown up to each close since the close before, a fraction below 0. */
  readonly drawdown?: PageColumn
  /** Indicators and own series. */
  readonly series: readonly PageSeries[]
  readonly levels: PageLevels
  readonly ends: PageEnds
}

/** A value for each kline as whole numbers: each times `step` is the difference from the one before; `null` is a gap. */
export interface PageColumn {
  readonly step: number
  readonly differences: readonly (number | null)[]
}

/** An indicator or an own series of a strategy. */
export interface PageSeries extends PageColumn {
  readonly name: string
  /** True if it is drawn over the klines, else in a pane of its own. */
  readonly isPrice: boolean
}

/** Fills, in order of time. */
export interface PageFills {
  readonly time: readonly number[]
  /** In ticks. */
  readonly price: readonly number[]
  /** 1 for buys, 0 for sells. */
  readonly isBuy: readonly number[]
  /** 1 for those of the backtest of the same span. */
  readonly isBacktest: readonly number[]
}

/** Prices at which orders waited. */
export interface PageLevels {
  readonly from: readonly number[]
  readonly to: readonly number[]
  /** In ticks. */
  readonly price: readonly number[]
  /** 0 for stops, 1 for targets, 2 for entries. */
  readonly kind: readonly number[]
}

/** Orders that came to nothing. */
export interface PageEnds {
  readonly time: readonly number[]
  /** In ticks; -1 for an order at market. */
  readonly price: readonly number[]
  /** 1 for denied orders, 0 for canceled, rejected and expired ones. */
  readonly isDenied: readonly number[]
  /** Places in `texts`. */
  readonly text: readonly number[]
  readonly texts: readonly string[]
}

/** The market that charts show. */
export interface PageMarket {
  readonly symbol: string
  /** Unit of quantities: base, or contracts. */
  readonly base: string
  readonly pricePrecision: number
  readonly quantityPrecision: number
}

/** Klines as small whole numbers, which pack well: times in klines since the one before, prices in ticks. */
export interface PageKlines {
  /** Length of a kline. */
  readonly seconds: number
  /** Open of the first kline. */
  readonly start: number
  /** Length of the run's own klines, where these are longer because there were too many. */
  readonly originalSeconds: number
  /** Seconds that `steps` count: a kline, or a day where klines are months. */
  readonly unit: number
  /** Distance from the row before. */
  readonly steps: readonly number[]
  /** Open less the close before. */
  readonly open: readonly number[]
  /** High less the higher of open and close. */
  readonly high: readonly number[]
  /** The lower of open and close less the low. */
  readonly low: readonly number[]
  /** Close less open. */
  readonly close: readonly number[]
  /** Volumes, to four digits. */
  readonly volume: readonly number[]
}

/** Equity at the last close of equal spans of time. */
export interface PageEquity {
  readonly seconds: number
  /** The last close of each span; spans without klines are left out. */
  readonly time: readonly number[]
  readonly worth: readonly number[]
  /** Buy and hold of the start equity. */
  readonly held?: readonly number[]
  /** Deepest drawdown within the span, below 0. */
  readonly drawdown: readonly number[]
  readonly heldDrawdown?: readonly number[]
  /** Fraction of the span with a long position, and with a short one. */
  readonly long: readonly number[]
  readonly short: readonly number[]
}

/** Round trips as a chart draws them, in order of exit. */
export interface DrawnTrips {
  readonly entryTime: readonly number[]
  readonly exitTime: readonly number[]
  /** 1 for long, -1 for short. */
  readonly direction: readonly number[]
  /** In ticks. */
  readonly entryPrice: readonly number[]
  /** In ticks. */
  readonly exitPrice: readonly number[]
  /** In quote, to some decimals more than are shown. */
  readonly pnl: readonly number[]
}

/** Round trips on the market that is shown, in order of exit. */
export interface PageTrips extends DrawnTrips {
  /** In steps. */
  readonly quantity: readonly number[]
  /** In quote, to some decimals more than are shown. */
  readonly fees: readonly number[]
  /** Fractions, as are the excursions. */
  readonly returns: readonly number[]
  readonly adverse: readonly number[]
  readonly favorable: readonly number[]
  /** Places in `names`. */
  readonly exitReason: readonly number[]
  /** Places in `names`; -1 for none. */
  readonly tag: readonly number[]
  readonly names: readonly string[]
  /** 1 for round trips that another path inside a kline might have changed; absent where trading was real. */
  readonly ambiguous?: readonly number[]
}
