/**
 * The first whole number on the way from `from` to `to` at which `surplus` is no longer above 0, or `undefined`. Between two
 * of `bends` (whole numbers, in any order), after which it goes on otherwise, it must be a straight line but for some
 * rounding, so that two of its points tell where to look.
 */
export function firstShortfall(
  surplus: (at: number) => bigint,
  from: number,
  to: number,
  bends: readonly number[],
): number | undefined {
  const sign = from < to ? 1 : -1
  const between = bends.flatMap(bend => [bend, bend + sign]).filter(bend => (bend - from) * (to - bend) > 0)
  const points = [from, ...between.sort((left, right) => (left - right) * sign), to]
  let before = from
  for (const point of points) {
    if (surplus(point) <= 0n) return point === before ? point : onLine(surplus, before, point, sign)
    before = point
  }
  return undefined
}

/** The first shortfall after `above` and up to `below`, which has one. */
function onLine(surplus: (at: number) => bigint, above: number, below: number, sign: number): number {
  const [high, low] = [surplus(above), surplus(below)]
  let at = above + Number((high * BigInt(below - above)) / (high - low))
  while (surplus(at) > 0n) at += sign
  while (at !== above + sign && surplus(at - sign) <= 0n) at -= sign
  return at
}
