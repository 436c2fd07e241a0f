import type { TimeToLive } from '../../../domain/signal.ts'
import { lengthMs } from '../length-ms.ts'
import { definePart, type Part } from '../part.ts'
import { countFill, type OpenTrade } from './trade-count.ts'

/** Blocks entries for a time after a losing position, before fees: `cooldownAfterLoss({ klines: 12 })`. */
export function cooldownAfterLoss(length: TimeToLive): Part {
  return definePart({
    name: 'cooldownAfterLoss',
    memory: () => ({ open: undefined as OpenTrade | undefined, until: 0 }),
    onFill(fill, { view, memory }) {
      const { open, closedReturn } = countFill(memory.open, fill, view)
      memory.open = open
      if (closedReturn !== undefined && closedReturn < 0)
        memory.until = fill.time + lengthMs(length, view.interval)
    },
    allows: (_direction, { view, memory }) => view.time >= memory.until,
  })
}
