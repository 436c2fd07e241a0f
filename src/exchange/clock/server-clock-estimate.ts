/** One reading of the server's clock; send and receive times by the local clock, in whole ms. */
export interface TimeSample {
  readonly sentAt: number
  readonly receivedAt: number
  /** The server's clock at some time between the two, ms UTC. */
  readonly serverTime: number
}

/** Server time minus local time lies between `offsetMs - uncertaintyMs` and `offsetMs + uncertaintyMs`. */
export interface OffsetEstimate {
  readonly offsetMs: number
  readonly uncertaintyMs: number
}

interface Range {
  readonly low: number
  readonly high: number
}

/**
 * Offset that the samples prove. For any split of a round trip into its two ways, the offset lies between the
 * values for no delay on the one and on the other way; so samples are intersected, and the shortest round
 * trips narrow it most. If the samples contradict each other, the largest consistent group counts if it is a
 * majority (K. Marzullo, 1984, as in NTP); else the whole range from the lowest to the highest is possible.
 * Throws `RangeError` without a sample.
 */
export function estimateOffset(samples: readonly TimeSample[]): OffsetEstimate {
  if (samples.length === 0) throw new RangeError('An estimate of the server clock needs at least one sample.')
  const ranges = samples.map(rangeOf)
  const { range, count } = mostShared(ranges)
  return count * 2 > samples.length ? middleOf(range) : middleOf(hullOf(ranges))
}

/** Both clocks show whole ms, so each may be almost 1 ms ahead of its reading. */
function rangeOf({ sentAt, receivedAt, serverTime }: TimeSample): Range {
  return { low: serverTime - receivedAt - 1, high: serverTime + 1 - sentAt }
}

/** The range that lies inside the most sample ranges, with their count; among equals the narrowest. */
function mostShared(ranges: readonly Range[]): { readonly range: Range; readonly count: number } {
  const candidates = ranges.map(({ low }) => {
    const around = ranges.filter(range => range.low <= low && low <= range.high)
    return { range: { low, high: Math.min(...around.map(({ high }) => high)) }, count: around.length }
  })
  const most = Math.max(...candidates.map(({ count }) => count))
  const [best] = candidates
    .filter(({ count }) => count === most)
    .toSorted((left, right) => widthOf(left.range) - widthOf(right.range))
  return best ?? { range: hullOf(ranges), count: 0 }
}

function hullOf(ranges: readonly Range[]): Range {
  return {
    low: Math.min(...ranges.map(({ low }) => low)),
    high: Math.max(...ranges.map(({ high }) => high)),
  }
}

function widthOf({ low, high }: Range): number {
  return high - low
}

function middleOf({ low, high }: Range): OffsetEstimate {
  return { offsetMs: (low + high) / 2, uncertaintyMs: (high - low) / 2 }
}
