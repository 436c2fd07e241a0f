/** Nearly all values of a series on the price scale are within half and twice the close. */
const MOST = 0.95
/** A series from 0 to 100, such as an oscillator, must follow the price closely to be one of prices. */
const CLOSELY = 0.8

/** True if values are prices of the market: within half and twice its closes, and no oscillator beside a price of that size. */
export function isOnPriceScale(values: Float64Array, close: Float64Array): boolean {
  let [known, near, isBounded] = [0, 0, true]
  for (let row = 0; row < values.length; row++) {
    const [value, price] = [values[row] as number, close[row] as number] // inside the bounds
    if (Number.isNaN(value)) continue
    known++
    if (value >= price / 2 && value <= price * 2) near++
    if (value < 0 || value > 100) isBounded = false
  }
  if (known === 0 || near / known < MOST) return false
  return !isBounded || correlation(values, close) >= CLOSELY
}

function correlation(values: Float64Array, other: Float64Array): number {
  let [count, sum, sumOther, squares, squaresOther, products] = [0, 0, 0, 0, 0, 0]
  for (let row = 0; row < values.length; row++) {
    const [left, right] = [values[row] as number, other[row] as number] // inside the bounds
    if (Number.isNaN(left)) continue
    count++
    sum += left
    sumOther += right
    squares += left * left
    squaresOther += right * right
    products += left * right
  }
  const spread = (squares - (sum * sum) / count) * (squaresOther - (sumOther * sumOther) / count)
  return spread > 0 ? (products - (sum * sumOther) / count) / Math.sqrt(spread) : 0
}
