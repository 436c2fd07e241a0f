/**
 * Writes 64-bit integers, at least as many as `target` has rows, rounded like `Number`: the sum of their
 * halves is rounded once. A bigint for each would create more garbage than the numbers themselves.
 */
export function setWholeNumbers(target: Float64Array, values: BigInt64Array | BigUint64Array): void {
  const { buffer, byteOffset } = values
  const halves = new Uint32Array(buffer, byteOffset, target.length * 2)
  const isSigned = values instanceof BigInt64Array
  const upper = isSigned ? new Int32Array(buffer, byteOffset, target.length * 2) : halves
  // Little endian, like the formats and all supported machines; both halves exist.
  for (let row = 0; row < target.length; row++)
    target[row] = (upper[2 * row + 1] as number) * 2 ** 32 + (halves[2 * row] as number)
}
