import type { Moment } from '../world/bot-world.ts'

/** Reads that lead to nothing are not worth a death each. */
export function isTelling(moment: Moment): boolean {
  return moment !== 'read'
}

/** Dies once, at the telling moment of that number, from 0 on. */
export function deathAt(at: number): (moment: Moment) => boolean {
  let passed = 0
  return moment => isTelling(moment) && passed++ === at
}
