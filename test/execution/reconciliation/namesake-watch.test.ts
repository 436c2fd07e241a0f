import { describe, expect, it } from 'vitest'
import { clientOrderIdOf, clientOrderIdPrefix } from '../../../src/domain/orders/client-order-id.ts'
import { ExchangeError } from '../../../src/exchange/errors/exchange-error.ts'
import { NetworkError } from '../../../src/exchange/errors/network-error.ts'
import type { OwnTrade } from '../../../src/exchange/spot/own-trade.ts'
import type { SpotOrder } from '../../../src/exchange/spot/spot-order.ts'
import { NamesakeWatch } from '../../../src/execution/reconciliation/namesake-watch.ts'
import type { ReconcilerOptions } from '../../../src/execution/reconciliation/reconciler-options.ts'
import type { ReconciliationReport } from '../../../src/execution/reconciliation/reconciliation-report.ts'

const STARTED_AT = Date.UTC(2026, 0, 1)
const EARLIER = STARTED_AT - 60_000
const LATER = STARTED_AT + 60_000
const MARGIN_MS = 3000
const NOT_FOUND = new ExchangeError({
  endpoint: 'order',
  httpStatus: 400,
  exchangeCode: -2013,
  reason: 'Order does not exist.',
})
const OFFLINE = new NetworkError('order', 'The connection was reset.')

const prefixOf = (startedAt: number, bot = 'ours') =>
  clientOrderIdPrefix({ bot, strategy: 'cross', book: 'BTC/USDT' }, { startedAt })

/** An order that a session which began at `session` decided at `decided`, and that reached the exchange at `time`. */
function order(session: number, decided: number, time: number, bot?: string): SpotOrder {
  const clientOrderId = clientOrderIdOf(prefixOf(session, bot), decided, 0)
  return { orderId: `${session}-${time}`, clientOrderId, time } as SpotOrder // all that is looked at
}

function tradeOf(orderId: string, time = LATER): OwnTrade {
  return { orderId, symbol: 'BTC/USDT', time } as OwnTrade // all that is looked at
}

class Watched {
  readonly reports: ReconciliationReport[] = []
  readonly asked: string[] = []
  readonly watch: NamesakeWatch

  constructor(answer: (orderId: string) => SpotOrder, startedAt: number | undefined = STARTED_AT) {
    const options: Pick<
      ReconcilerOptions,
      'trading' | 'startedAt' | 'settlementMarginMs' | 'ownPrefixes' | 'onReport'
    > = {
      trading: {
        order: async (looked: { readonly orderId: string }) => {
          this.asked.push(looked.orderId)
          return answer(looked.orderId)
        },
      } as unknown as ReconcilerOptions['trading'],
      startedAt,
      settlementMarginMs: MARGIN_MS,
      ownPrefixes: [prefixOf(STARTED_AT).slice(0, 8)],
      onReport: report => this.reports.push(report),
    }
    this.watch = new NamesakeWatch(options as ReconcilerOptions) // all that it reads
  }
}

const never = () => {
  throw new Error('Not to be asked.')
}

describe('an order under the name of a bot', () => {
  const isNamesake = (one: SpotOrder, startedAt?: number) =>
    new Watched(never, startedAt).watch.isNamesake(one)

  it('is of another process where another session decided it after this one began', () => {
    expect(isNamesake(order(EARLIER, LATER, LATER + 1))).toBe(true)
    expect(isNamesake(order(LATER, LATER, LATER + 1))).toBe(true)
    expect(isNamesake(order(EARLIER, STARTED_AT, STARTED_AT + 1))).toBe(true)
  })

  it('is its own where this session decided it', () => {
    expect(isNamesake(order(STARTED_AT, LATER, LATER + 1))).toBe(false)
  })

  it('is of an earlier life where it reached the exchange before this one began', () => {
    expect(isNamesake(order(EARLIER, EARLIER, EARLIER + 1))).toBe(false)
    expect(isNamesake(order(EARLIER, STARTED_AT, STARTED_AT))).toBe(false)
  })

  it('is of an earlier life where its request was on the way when that ended, as long as a request may be', () => {
    expect(isNamesake(order(EARLIER, EARLIER, STARTED_AT + MARGIN_MS))).toBe(false)
    expect(isNamesake(order(EARLIER, EARLIER, STARTED_AT + MARGIN_MS + 1))).toBe(true)
  })

  it('is of no namesake where it has another name, or none', () => {
    expect(isNamesake(order(EARLIER, LATER, LATER, 'theirs'))).toBe(false)
    expect(isNamesake({ ...order(EARLIER, LATER, LATER), clientOrderId: undefined })).toBe(false)
  })
})

describe('a trade that nobody explains', () => {
  it('is of a namesake where its order is, and is asked for once', async () => {
    const theirs = order(EARLIER, LATER, LATER + 1)
    const watched = new Watched(() => theirs)
    watched.watch.suspect(tradeOf(theirs.orderId))
    await watched.watch.look()
    await watched.watch.look()
    expect(watched.reports).toEqual([{ type: 'namesakeOrder', order: theirs }])
    expect(watched.asked).toEqual([theirs.orderId])
  })

  it('says nothing where its order is of a person, or is gone', async () => {
    const person = new Watched(() => order(EARLIER, LATER, LATER + 1, 'theirs'))
    person.watch.suspect(tradeOf('1'))
    await person.watch.look()
    const gone = new Watched(() => {
      throw NOT_FOUND
    })
    gone.watch.suspect(tradeOf('1'))
    await gone.watch.look()
    await gone.watch.look()
    expect([...person.reports, ...gone.reports]).toEqual([])
    expect(gone.asked).toEqual(['1'])
  })

  it('is asked for again where the network was in the way', async () => {
    const theirs = order(EARLIER, LATER, LATER + 1)
    let isOffline = true
    const watched = new Watched(() => {
      if (isOffline) throw OFFLINE
      return theirs
    })
    watched.watch.suspect(tradeOf(theirs.orderId))
    await expect(watched.watch.look()).rejects.toBe(OFFLINE)
    isOffline = false
    await watched.watch.look()
    expect(watched.reports).toEqual([{ type: 'namesakeOrder', order: theirs }])
  })

  it('is not asked for where it is older than this session', async () => {
    const watched = new Watched(never)
    watched.watch.suspect(tradeOf('1', STARTED_AT))
    await watched.watch.look()
    expect(watched.asked).toEqual([])
  })

  it('is asked for with one call a look, the latest first, and of many only the last twenty', async () => {
    const watched = new Watched(() => order(EARLIER, LATER, LATER + 1, 'theirs'))
    for (let number = 1; number <= 30; number++) watched.watch.suspect(tradeOf(`${number}`))
    await watched.watch.look()
    expect(watched.asked).toEqual(['30'])
    for (let look = 0; look < 50; look++) await watched.watch.look()
    expect(watched.asked.map(Number)).toEqual(Array.from({ length: 20 }, (_, index) => 30 - index))
  })
})
