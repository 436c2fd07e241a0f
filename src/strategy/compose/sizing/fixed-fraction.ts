import { definePart, type Part } from '../part.ts'

/** Sizes every entry by equity: `fixedFraction(0.25)` trades a quarter of it. */
export function fixedFraction(fraction: number): Part {
  return definePart({ name: 'fixedFraction', termsOf: () => ({ size: { equityFraction: fraction } }) })
}
