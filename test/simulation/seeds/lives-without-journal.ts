import { seededRandom } from '../../../src/domain/numbers/seeded-random.ts'
import { defineStrategy, enterLong, exit, ticker } from '../../../src/strategy/index.ts'
import { BotSession } from '../../bot/bot-session.ts'
import { ANSWER_LOST, type Journey, REQUEST_LOST } from '../../faulty-transport.ts'

const SECOND = 1000
const PLACE = 'POST /sapi/v2/order'
const TROUBLE: readonly (Journey | undefined)[] = [
  undefined,
  undefined,
  REQUEST_LOST,
  ANSWER_LOST,
  { backMs: 1500 },
]

/** What came of the lives of a seed. */
export interface LivesResult {
  readonly seed: number
  /** The first thing that must not be; `undefined` if all is well. */
  readonly violation: string | undefined
  readonly lives: number
  readonly orders: number
  readonly fills: number
}

/**
 * Plays a bot that has several lives on one account without a journal, while placements and their answers are lost. It
 * trades on the ticker, whose time is where its 24 hours begin: every life decides at the same market time.
 */
export async function playLives(seed: number): Promise<LivesResult> {
  const random = seededRandom(seed).uniform
  const session = new BotSession({ strategy: restless(random), size: { base: 0.1 } })
  const sent: string[][] = []
  session.journeyOf = (call, { body }) => {
    if (call !== PLACE) return undefined
    sent.at(-1)?.push(JSON.parse(body).newClientOrderId)
    return TROUBLE[Math.floor(random() * TROUBLE.length)]
  }
  const lives = 2 + Math.floor(random() * 3)
  let fills = 0
  let violation: string | undefined
  for (let life = 0; life < lives && violation === undefined; life++) {
    sent.push([])
    const before = session.said('fill').length
    await session.start()
    await session.run(Math.floor((5 + 25 * random()) * SECOND))
    await session.leave(70 * SECOND)
    const booked = session.said('fill').slice(before)
    fills += booked.length
    violation = violationIn(
      session,
      sent,
      booked.map(({ clientOrderId }) => String(clientOrderId)),
    )
  }
  return { seed, violation, lives, orders: sent.flat().length, fills }
}

function violationIn(
  session: BotSession,
  sent: readonly (readonly string[])[],
  booked: readonly string[],
): string | undefined {
  if (session.failures.length > 0) return `the bot failed: ${session.failures[0]}`
  const [ids, own] = [sent.flat(), sent.at(-1) ?? []]
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined) return `two orders were sent under the id ${twice}`
  const foreign = booked.find(id => !own.includes(id))
  if (foreign !== undefined) return `a fill of ${foreign} was booked, which this life did not send`
  const traded = [...session.user.history.trades()].filter(({ order }) =>
    own.includes(order.clientOrderId ?? ''),
  )
  if (traded.length !== booked.length)
    return `the exchange has ${traded.length} trades of this life, but ${booked.length} are booked`
  return undefined
}

/** Begins with the same order in every life, and then trades as chance wants it. */
function restless(random: () => number) {
  return defineStrategy({
    name: 'restless',
    feeds: () => ({ quote: ticker({ everyMs: SECOND }) }),
    state: () => ({ hasBegun: false }),
    on: {
      quote: ({ last }, { state, position, orders }) => {
        if (!state.hasBegun) {
          state.hasBegun = true
          return enterLong()
        }
        if (orders.length > 0 || random() < 0.7) return undefined
        if (position.direction !== 'flat') return exit()
        return random() < 0.5 ? enterLong() : enterLong({ order: { type: 'limit', price: last - 1 } })
      },
    },
  })
}
