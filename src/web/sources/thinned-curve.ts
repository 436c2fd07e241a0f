import type { EquityPoint } from '../history/equity-course.ts'

/**
 * About as many points as asked for, in order: of each stretch of the curve the lowest and the highest, by its first quote asset, so
 * that a thinned curve has the extremes of the whole one; and the first and the last point. All points where they are few enough.
 */
export function thinnedCurve(points: readonly EquityPoint[], most: number): readonly EquityPoint[] {
  const [quote] = Object.keys(points[0]?.equity ?? {})
  if (points.length <= most || quote === undefined) return points
  const stretch = Math.ceil((2 * points.length) / most)
  const kept = new Set([0, points.length - 1])
  for (let from = 0; from < points.length; from += stretch) {
    const worthAt = (row: number) => Number(points[row]?.equity[quote])
    let [lowest, highest] = [from, from]
    for (let row = from + 1; row < Math.min(from + stretch, points.length); row++) {
      if (worthAt(row) < worthAt(lowest)) lowest = row
      if (worthAt(row) > worthAt(highest)) highest = row
    }
    kept.add(lowest).add(highest)
  }
  return points.filter((_point, row) => kept.has(row))
}
