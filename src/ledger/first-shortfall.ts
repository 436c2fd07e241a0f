/**
 * The first whole number on the way from `from` to `to` at which `surplus` is no longer above 0, or
 * `undefined`. Between `bends` (whole numbers, in any order) it must be a straight line except for rounding,
 * so that two of its points locate the root. Between a bend and the number after it, it may jump.
 */
export function firstShortfall(
  surplus: (at: number) => bigint,
  from: number,
  to: number,
  bends: readonly number[],
): number | undefined {
  const sign = Math.sign(to - from)
  const between = bends.flatMap(bend => [bend, bend + 1]).filter(end => (end - from) * (to - end) > 0)
  const points = [...between.sort((left, right) => (left - right) * sign), to]
  if (surplus(from) <= 0n) return from
  let before = from
  for (const point of points) {
    if (surplus(point) <= 0n) return onLine(surplus, before, point, sign)
    before = point
  }
  return undefined
}

/** The first shortfall after `above`, which has none, and up to `below`, which has one. */
function onLine(surplus: (at: number) => bigint, above: number, below: number, sign: number): number {
  const [high, low] = [surplus(above), surplus(below)]
  let at = above + Number((high * BigInt(below - above)) / (high - low))
  while (surplus(at) > 0n) at += sign
  while (surplus(at - sign) <= 0n) at -= sign
  return at
}
