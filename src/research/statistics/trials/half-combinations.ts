import { nextCombination } from '../../combinations.ts'

/**
 * Calls `visit` with each choice of half of `blocks` that holds the first block, in lexicographic order, with its number among
 * all choices of half, and with the blocks left over. The choice left over has the number (all choices) - 1 - this one's.
 */
export function eachHalf(
  blocks: number,
  visit: (chosen: Uint8Array, others: Uint8Array, index: number) => void,
): void {
  const half = blocks / 2
  const chosen = Uint8Array.from({ length: half }, (_, index) => index)
  const others = new Uint8Array(half)
  for (let index = 0; chosen[0] === 0; index++) {
    fillOthers(others, chosen, blocks)
    visit(chosen, others, index)
    if (!nextCombination(chosen, blocks)) return
  }
}

/** Number of choices of half of `blocks`. */
export function halfCombinations(blocks: number): number {
  let count = 1
  for (let chosen = 1; chosen <= blocks / 2; chosen++) count = (count * (blocks / 2 + chosen)) / chosen
  return Math.round(count)
}

function fillOthers(others: Uint8Array, chosen: Uint8Array, blocks: number): void {
  let [taken, left] = [0, 0]
  for (let block = 0; block < blocks; block++) {
    if (chosen[taken] === block) taken++
    else others[left++] = block
  }
}
