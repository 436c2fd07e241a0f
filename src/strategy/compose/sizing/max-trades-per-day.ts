import { definePart, type Part } from '../part.ts'
import { countFill, type OpenTrade } from './trade-count.ts'

const DAY_MS = 86_400_000

/** Blocks entries after `count` positions were opened on a day (UTC). Resting entries may still fill. */
export function maxTradesPerDay(count: number): Part {
  return definePart({
    name: 'maxTradesPerDay',
    memory: () => ({ open: undefined as OpenTrade | undefined, day: 0, begun: 0 }),
    onFill(fill, { view, memory }) {
      const { open, hasBegun } = countFill(memory.open, fill, view)
      memory.open = open
      if (!hasBegun) return
      const day = Math.floor(fill.time / DAY_MS)
      memory.begun = day === memory.day ? memory.begun + 1 : 1
      memory.day = day
    },
    allows: (_direction, { view, memory }) =>
      memory.begun < count || Math.floor(view.time / DAY_MS) !== memory.day,
  })
}
