/**
 * An axis: values from `from` to `to`, or the places of `names`.
 * @typedef {object} Axis
 * @property {number} from
 * @property {number} to
 * @property {string} label with its unit
 * @property {(value: number, step: number) => string} text
 * @property {boolean} [isLog]
 * @property {readonly number[]} [ticks] at these values only
 */

/**
 * An axis around values, with some room; never of no width.
 * @param {number} least
 * @param {number} most
 * @param {string} label
 * @param {(value: number, step: number) => string} text
 * @returns {Axis}
 */
export function axisAround(least, most, label, text) {
  if (!(least <= most)) return { from: 0, to: 1, label, text }
  const room = most > least ? (most - least) * 0.04 : Math.abs(most) * 0.05 || 1
  return { from: least - room, to: most + room, label, text }
}

/**
 * Round values on an axis, and the distance between them.
 * @param {Axis} axis
 * @param {number} most
 * @returns {{ values: readonly number[], step: number }}
 */
export function ticksOf(axis, most) {
  const { from, to, isLog, ticks } = axis
  if (ticks !== undefined) {
    const every = Math.ceil(ticks.length / Math.max(1, most))
    return { values: ticks.filter((_, place) => place % every === 0), step: 1 }
  }
  if (isLog) {
    const powers = Math.floor(Math.log10(to)) - Math.ceil(Math.log10(from)) + 1
    return {
      values: Array.from(
        { length: Math.max(0, powers) },
        (_, place) => 10 ** (Math.ceil(Math.log10(from)) + place),
      ),
      step: 1,
    }
  }
  const rough = (to - from) / Math.max(1, most)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find(factor => factor * power >= rough) ?? 10)
  const first = Math.ceil(from / step)
  const length = Math.max(0, Math.floor(to / step) - first + 1)
  return { values: Array.from({ length }, (_, place) => (first + place) * step), step }
}

/**
 * Digits after the point that a step needs.
 * @param {number} step
 */
export function decimalsFor(step) {
  return Math.max(0, Math.min(8, -Math.floor(Math.log10(step) + 1e-9)))
}
