/** Open, close and volume of one minute, as numbers. */
export interface MinuteOf {
  readonly open: number
  readonly close: number
  readonly volume: number
}

/** Facts of a series of minutes that hold for real markets (Cont, "Empirical properties of asset returns", 2001). */
export interface MarketFacts {
  /** Standard deviation of the minutes' log returns, for a year of 525,600. */
  readonly yearlyVolatility: number
  /** Fourth moment of returns over the square of their variance; 3 for a normal distribution. */
  readonly kurtosis: number
  /** Exponent with which the probability of large returns falls, by Hill's estimator over the largest 1%. */
  readonly tailIndex: number
  /** Of returns, at lags of 1, 2, 5 and 10 minutes. */
  readonly memory: readonly number[]
  /** Of absolute returns, at lags of 1, 10, 60 and 240 minutes. */
  readonly clustering: readonly number[]
  /** Of volume with the absolute return of its minute. */
  readonly volumeWithMove: number
  /** Of volume with that of the next minute. */
  readonly volumeMemory: number
}

const MINUTES_PER_YEAR = 525_600

/** Measures the facts of consecutive minutes. */
export function marketFacts(minutes: readonly MinuteOf[]): MarketFacts {
  const returns = minutes.map(({ open, close }) => Math.log(close / open))
  const moves = returns.map(Math.abs)
  const volumes = minutes.map(({ volume }) => volume)
  const variance = mean(returns.map(value => value ** 2))
  return {
    yearlyVolatility: Math.sqrt(variance * MINUTES_PER_YEAR),
    kurtosis: mean(returns.map(value => value ** 4)) / variance ** 2,
    tailIndex: tailIndex(moves, 0.01),
    memory: [1, 2, 5, 10].map(lag => autocorrelation(returns, lag)),
    clustering: [1, 10, 60, 240].map(lag => autocorrelation(moves, lag)),
    volumeWithMove: correlation(moves, volumes),
    volumeMemory: autocorrelation(volumes, 1),
  }
}

/** Pearson's, of two series of one length. */
export function correlation(left: readonly number[], right: readonly number[]): number {
  const [meanLeft, meanRight] = [mean(left), mean(right)]
  let [product, squareLeft, squareRight] = [0, 0, 0]
  for (const [index, value] of left.entries()) {
    const [x, y] = [value - meanLeft, (right[index] ?? 0) - meanRight]
    product += x * y
    squareLeft += x * x
    squareRight += y * y
  }
  return product / Math.sqrt(squareLeft * squareRight)
}

function autocorrelation(values: readonly number[], lag: number): number {
  return correlation(values.slice(lag), values.slice(0, -lag))
}

function tailIndex(moves: readonly number[], part: number): number {
  const sorted = moves.toSorted((left, right) => right - left)
  const count = Math.floor(sorted.length * part)
  const threshold = sorted[count] ?? 0
  return 1 / mean(sorted.slice(0, count).map(value => Math.log(value / threshold)))
}

function mean(values: readonly number[]): number {
  let sum = 0
  for (const value of values) sum += value
  return sum / values.length
}
