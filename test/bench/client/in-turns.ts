import type { Measured } from '../bench-row.ts'
import { median } from '../median.ts'

/** The medians of rounds in which Sluice and the bare reference are measured one after the other, so that both meet the same machine. */
export async function inTurns(
  rounds: number,
  measure: (who: 'sluice' | 'bare') => Promise<number>,
): Promise<Measured> {
  const values: number[] = []
  const floors: number[] = []
  for (let round = 0; round < rounds; round++) {
    values.push(await measure('sluice'))
    floors.push(await measure('bare'))
  }
  return { value: median(values), floor: median(floors) }
}
