/**
 * Variance of √T × the mean of a stationary bootstrap of T values whose blocks have the mean length `meanBlock`:
 * g_0 + 2·Σ κ_i·g_i with autocovariances g_i that divide by T and κ_i = (1 - i/T)·q^i + (i/T)·q^(T - i), q = 1 - 1/meanBlock
 * (D. N. Politis and J. P. Romano, 1994). `distances` are the values less their mean. The sums over all pairs of values are
 * kept up from value to value, so that the cost is that of T values and not of T².
 */
export function bootstrapVariance(distances: Float64Array, meanBlock: number): number {
  const { length: count } = distances
  let [squares, near, nearByLag] = [0, 0, 0]
  // Σ q^i·x and Σ i·q^i·x of the values before this one that lie i back; then Σ q^s·x and Σ s·q^s·x from the start.
  let [decayed, decayedByLag, started, startedByPlace] = [0, 0, 0, 0]
  let [far, startWeight] = [0, 1]
  const q = 1 - 1 / meanBlock
  for (let place = 0; place < count; place++) {
    const value = distances[place] as number // inside the bounds
    squares += value * value
    near += value * decayed
    nearByLag += value * decayedByLag
    far += q ** (count - place) * value * (place * started - startedByPlace)
    decayedByLag = q * (decayedByLag + decayed + value)
    decayed = q * (decayed + value)
    started += startWeight * value
    startedByPlace += startWeight * place * value
    startWeight *= q
  }
  return (squares + 2 * (near - nearByLag / count + far / count)) / count
}
