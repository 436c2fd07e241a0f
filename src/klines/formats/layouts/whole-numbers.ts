/**
 * Writes whole numbers of 64 bits, at least as many as `target` has rows, as `Number` rounds them: from their halves, whose
 * sum is rounded once, because a bigint for each would be more garbage than the numbers are.
 */
export function setWholeNumbers(target: Float64Array, values: BigInt64Array | BigUint64Array): void {
  const { buffer, byteOffset } = values
  const halves = new Uint32Array(buffer, byteOffset, target.length * 2)
  const isSigned = values instanceof BigInt64Array
  const upper = isSigned ? new Int32Array(buffer, byteOffset, target.length * 2) : halves
  // Little endian, as the formats and all machines are; both halves are inside.
  for (let row = 0; row < target.length; row++)
    target[row] = (upper[2 * row + 1] as number) * 2 ** 32 + (halves[2 * row] as number)
}
