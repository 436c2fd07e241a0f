import { type InvalidCall, untyped } from './invalid-call.ts'

const symbol = 'BTC/USDT'

/** Rules of interface section 4.8. */
export const FEEDS: readonly InvalidCall[] = [
  [
    'a feed order book of no pair',
    ({ feeds }) => feeds.orderBook(untyped({ base: 'BTC' })),
    'symbol',
    'is required unless base and quote are both given',
    '4.8',
  ],
  [
    'feed trades of no pair',
    ({ feeds }) => feeds.trades(untyped({})),
    'symbol',
    'is required unless base and quote are both given',
    '4.8',
  ],
  [
    'a feed order book merged to a step that is not offered',
    ({ feeds }) => feeds.orderBook(untyped({ symbol, merge: '10' })),
    'depth',
    'must be one of 0 (0.01), 1 (0.1), 2 (none)',
    '4.8',
  ],
]
