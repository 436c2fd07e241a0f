import { NOW } from '../call/scripted-exchange.ts'
import type { InvalidCall } from './invalid-call.ts'

const DAY = 86_400_000
const symbol = 'BTC/USDT'
const history = (startTime: number, endTime: number) => ({ symbol, startTime, endTime })

/** Rules of interface section 4.2 for windows of time. */
export const HISTORY: readonly InvalidCall[] = (['historyOrders', 'historyTrades'] as const).flatMap(
  (name): InvalidCall[] => [
    [
      `101 of ${name}`,
      ({ spot }) => spot[name]({ limit: 101 }),
      'limit',
      'must be a whole number from 1 to 100',
      '4.2',
    ],
    [
      `${name} of more than 7 days`,
      ({ spot }) => spot[name](history(NOW - 8 * DAY, NOW - DAY + 1)),
      'endTime',
      'must be at most 7 days after startTime',
      '4.2',
    ],
    [
      `${name} that end first`,
      ({ spot }) => spot[name](history(NOW, NOW - 1)),
      'endTime',
      'must not be before the start of the window',
      '4.2',
    ],
    [
      `${name} of 187 days ago`,
      ({ spot }) => spot[name]({ startTime: NOW - 187 * DAY }),
      'startTime',
      'must lie in the last 6 months',
      '4.2',
    ],
    [
      `${name} until 187 days ago`,
      ({ spot }) => spot[name]({ endTime: NOW - 187 * DAY }),
      'endTime',
      'must lie in the last 6 months',
      '4.2',
    ],
  ],
)
