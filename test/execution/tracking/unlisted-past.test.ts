import { describe, expect, it } from 'vitest'
import { UnprovenAbsenceError } from '../../../src/execution/tracking/unproven-absence-error.ts'
import { ANSWER_LOST, type Journey, REQUEST_LOST } from '../../faulty-transport.ts'
import { ExchangeCaller } from '../../simulator/exchange-caller.ts'
import { ExecutionSession, MARGIN_MS, RECV_WINDOW_MS } from '../execution-session.ts'

const PLACE = 'POST /sapi/v2/order'
const QUERY = 'GET /sapi/v2/order'
const DEADLINE = RECV_WINDOW_MS + MARGIN_MS
const UNKNOWN: Journey = { answer: { status: 400, body: '{"code":-2013,"msg":"Order does not exist."}' } }
/** Gateways answer so to a path that they do not know. */
const NO_PATH: Journey = {
  answer: { status: 200, body: '{"code":"-1002","data":null,"msg":"UNAUTHORIZED"}' },
}

interface Lost {
  readonly placement: Journey
  /** Decides which queries of an order fail; default: those by clientOrderId. */
  readonly isHidden?: (url: string) => boolean
  /** Called once the placement has left. */
  readonly meanwhile?: (caller: ExchangeCaller, session: ExecutionSession) => void
}

/** A market buy without an answer at an exchange without lists by time: neither past orders nor past trades. */
async function lost({ placement, isHidden = url => !/orderId=/.test(url), meanwhile }: Lost) {
  const session = new ExecutionSession()
  session.journeyOf = (call, { url }) => {
    if (call === PLACE) return placement
    if (call === QUERY && isHidden(url)) return UNKNOWN
    return call.includes('/v3/') ? NO_PATH : undefined
  }
  session.place('buy')
  session.keepLooking()
  await session.run(1000)
  const caller = new ExchangeCaller(session.exchange)
  caller.now = session.clock.now()
  meanwhile?.(caller, session)
  await session.run(DEADLINE + 5000)
  return session
}

/** A lost market buy at an exchange whose queries of orders know nothing for so long, while its trades are listed at once. */
async function lagging(queriesMs: number) {
  const session = new ExecutionSession()
  const begin = session.clock.now()
  session.journeyOf = (call, { url }) => {
    if (call === PLACE) return ANSWER_LOST
    if (session.clock.now() > begin + queriesMs) return undefined
    if (call === QUERY) return UNKNOWN
    return /openOrders|historyOrders/.test(url) ? { answer: { status: 200, body: '[]' } } : undefined
  }
  session.place('buy')
  session.keepLooking()
  await session.run(queriesMs + 5000)
  return session
}

const saidOf = ({ errors }: ExecutionSession) => errors.filter(error => error instanceof UnprovenAbsenceError)

describe('where an exchange lists no past orders', () => {
  it('a lost order that traded is found by the order behind the trade', async () => {
    const session = await lost({ placement: ANSWER_LOST })
    expect(session.lifeOf('buy')).toEqual([
      'submitted',
      'outcomeLost',
      'accepted',
      'buy 1.000 at 100.01, fee 0.001 BTC, taker',
    ])
    expect(saidOf(session)).toEqual([])
  })

  it('a lost order without a trade was never placed', async () => {
    const session = await lost({ placement: REQUEST_LOST })
    expect(session.lifeOf('buy')).toEqual(['submitted', 'outcomeLost', 'notPlaced'])
  })

  it('the trade of another order proves nothing against that', async () => {
    const session = await lost({
      placement: REQUEST_LOST,
      // The same order as ours, but for its id.
      meanwhile: (caller, { departures }) => {
        const { quantity = '', price = '' } = departures[0]?.sent ?? {}
        caller.order('BUY', 'LIMIT', quantity, price, { newClientOrderId: 'theirs' })
      },
    })
    expect(session.lifeOf('buy')).toEqual(['submitted', 'outcomeLost', 'notPlaced'])
    expect(saidOf(session)).toEqual([])
  })

  it('nor does a trade of the other side, whatever its order', async () => {
    const session = await lost({
      placement: REQUEST_LOST,
      isHidden: () => true,
      meanwhile: caller => caller.order('SELL', 'LIMIT', '1', '99'),
    })
    expect(session.lifeOf('buy')).toEqual(['submitted', 'outcomeLost', 'notPlaced'])
  })

  it('a trade of an order that cannot be looked up leaves it to a person, in one sentence', async () => {
    const session = await lost({ placement: ANSWER_LOST, isHidden: () => true })
    expect(session.lifeOf('buy')).toEqual(['submitted', 'outcomeLost'])
    expect(session.statusOf('buy')).toBe('unknown')
    const [said, ...more] = saidOf(session)
    expect([said, more]).toEqual([expect.objectContaining({ symbol: 'BTC/USDT', reaction: 'skip' }), []])
    const orderId = session.atExchange('buy')?.id.toString()
    expect(said).toHaveProperty(
      'message',
      expect.stringContaining(`its order ${orderId}, which traded since then`),
    )
  })
})

describe('where queries of orders lag behind the trades', () => {
  const LIFE = ['submitted', 'outcomeLost', 'accepted', 'buy 1.000 at 100.01, fee 0.001 BTC, taker']

  it('an order whose trade is listed does not count as never placed, and is booked once they tell', async () => {
    const session = await lagging(DEADLINE + MARGIN_MS - 1000)
    expect(session.lifeOf('buy')).toEqual(LIFE)
    expect(saidOf(session)).toEqual([])
  })

  it('is left to a person in one sentence where they do so for long, and is booked all the same', async () => {
    const session = await lagging(DEADLINE + MARGIN_MS + 20_000)
    expect(saidOf(session)).toHaveLength(1)
    expect(session.lifeOf('buy')).toEqual(LIFE)
  })
})
