/** Values up to which eight sums are kept side by side; longer lists are halved. */
const BLOCK = 128
const LANES = 8

/**
 * Sum of values by halves (N. J. Higham, "The Accuracy of Floating Point Summation", SIAM Journal on Scientific Computing, 1993):
 * its rounding grows with the logarithm of their number. In the order of numpy's sum, so that both give the same bits.
 */
export function sumOf(values: ArrayLike<number>): number {
  return sumBetween(values, 0, values.length)
}

function sumBetween(values: ArrayLike<number>, from: number, count: number): number {
  if (count < LANES) return plainSum(values, from, count, 0)
  if (count <= BLOCK) return sumOfLanes(values, from, count)
  const half = Math.floor(count / 2)
  const first = half - (half % LANES)
  return sumBetween(values, from, first) + sumBetween(values, from + first, count - first)
}

function sumOfLanes(values: ArrayLike<number>, from: number, count: number): number {
  const lane = (index: number) => {
    let sum = values[from + index] as number // inside the bounds, as below
    for (let place = index + LANES; place < whole; place += LANES) sum += values[from + place] as number
    return sum
  }
  const whole = count - (count % LANES)
  const first = lane(0) + lane(1) + (lane(2) + lane(3))
  const second = lane(4) + lane(5) + (lane(6) + lane(7))
  return plainSum(values, from + whole, count - whole, first + second)
}

function plainSum(values: ArrayLike<number>, from: number, count: number, start: number): number {
  let sum = start
  for (let index = from; index < from + count; index++) sum += values[index] as number
  return sum
}
