import type { TimeToLive } from '../../../domain/signal.ts'
import { lengthMs } from '../length-ms.ts'
import { definePart, type Part } from '../part.ts'

/** Closes a position at the first close this long after its first entry: `timeStop({ klines: 48 })`. */
export function timeStop(after: TimeToLive): Part {
  return definePart({
    name: 'timeStop',
    leaves: ({ openedAt }, { view }) => view.time - openedAt >= lengthMs(after, view.interval),
  })
}
