/**
 * Moves `chosen`, ascending choices among the numbers below `count`, to the next choice of as many in lexicographic order;
 * false where it was the last one, and then `chosen` stays as it is.
 */
export function nextCombination(chosen: Uint8Array, count: number): boolean {
  let place = chosen.length - 1
  while (place >= 0 && chosen[place] === count - chosen.length + place) place--
  if (place < 0) return false
  let next = (chosen[place] as number) + 1
  for (; place < chosen.length; place++) chosen[place] = next++
  return true
}
