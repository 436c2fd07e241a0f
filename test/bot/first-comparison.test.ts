import { describe, expect, it } from 'vitest'
import { amountOf } from '../../src/domain/numbers/amount.ts'
import { Journal } from '../../src/journal/journal.ts'
import { defineStrategy, enterLong, type Strategy, ticker } from '../../src/strategy/index.ts'
import { ANSWER_LOST, type Journey, REQUEST_LOST } from '../faulty-transport.ts'
import { journalPath } from '../journal/journal-session.ts'
import { flatMarket, MINUTE } from '../simulator/exchange-caller.ts'
import { BotSession } from './bot-session.ts'
import { accountOf, futuresBot, stepAt } from './futures/futures-bot.ts'

/** At its first ticker of each life: buys where it holds nothing, else bids at 91. */
const atOnce = (stopLoss?: number): Strategy =>
  defineStrategy({
    name: 'at-once',
    feeds: () => ({ quote: ticker({ everyMs: 1000 }) }),
    state: () => ({ hasActed: false }),
    on: {
      quote: (_ticker, { state, position }) => {
        if (state.hasActed) return undefined
        state.hasActed = true
        if (position.direction === 'flat') return enterLong(stopLoss === undefined ? {} : { stopLoss })
        return enterLong({ scaleIn: true, order: { type: 'limit', price: 91 } })
      },
    },
    onStop: ({ state }) => {
      state.hasActed = false
      return undefined
    },
  })

/** Notes the placements that leave from now on; `journeyOf` says how each travels. */
function placementsOf(session: BotSession, journeyOf: () => Journey | undefined = () => undefined): string[] {
  const sent: string[] = []
  session.journeyOf = (call, { body }) => {
    if (!/^POST .*\/order$/.test(call)) return undefined
    sent.push(JSON.parse(body).side)
    return journeyOf()
  }
  return sent
}

const PLACE = 'POST /sapi/v2/order'
const NO_ORDER: Journey = { answer: { status: 400, body: '{"code":-2013,"msg":"Order does not exist."}' } }
/** Gateways answer so to a path that they do not know. */
const NO_PATH: Journey = {
  answer: { status: 200, body: '{"code":"-1002","data":null,"msg":"UNAUTHORIZED"}' },
}
const HALTED = 'instrument halted: nothing more is decided on it'

describe('the first comparison of a life', () => {
  it('comes before every order of a strategy: on futures money is missing, and the contract halts first', async () => {
    const journal = new Journal(journalPath())
    const session = futuresBot({ strategy: atOnce(), klines: flatMarket(100, 60), journal })
    await session.start()
    await session.run(5000)
    await session.leave(5000)
    accountOf(session).wallet('USDT').normal = amountOf('500')
    const sent = placementsOf(session)
    await session.start()
    await session.run(MINUTE)
    expect(session.said(HALTED)).toHaveLength(1)
    expect(sent).toEqual([])
    journal.close()
  })

  it('comes before every order of a strategy: on spot, where an order without an answer delays the verdict', async () => {
    const journal = new Journal(journalPath())
    const session = new BotSession({ strategy: atOnce(), journal, execution: { stopWithinMs: 1000 } })
    await session.start()
    await session.run(5000)
    await session.leave(5000)
    placementsOf(session, () => REQUEST_LOST)
    await session.start()
    await session.run(2500)
    await session.leave(1500)
    session.user.account.deposit('BTC', amountOf('-0.599'))
    const sent = placementsOf(session)
    await session.start()
    // A sale that is listed late could explain it for 90 s.
    await session.run(2 * MINUTE)
    // The exchange may accept the lost order for 5 s, and show it 3 s later.
    expect(session.said('order expired')).toHaveLength(1)
    expect(session.said(HALTED)).toHaveLength(1)
    expect(sent).toEqual([])
    journal.close()
  })

  it('does not keep back a stop-loss whose price has passed', async () => {
    const journal = new Journal(journalPath())
    const session = futuresBot({ strategy: atOnce(95), klines: stepAt(12, 90), journal })
    await session.start()
    await session.run(5000)
    await session.leave(5000)
    await session.run(3 * MINUTE)
    accountOf(session).wallet('USDT').normal = amountOf('500')
    const sent = placementsOf(session)
    await session.start()
    const began = session.clock.now()
    for (let look = 0; sent.length === 0 && look < 60; look++) await session.run(100)
    // Before the second look of a suspected difference, which is at least 2 s after the first.
    expect([sent, session.clock.now() - began < 2000]).toEqual([['SELL'], true])
    journal.close()
  })

  it('does not keep back other instruments where an order whose absence nobody can prove forbids every verdict', async () => {
    const journal = new Journal(journalPath())
    const [btc, eth] = ['BTC/USDT', 'ETH/USDT']
    const traded = [btc, eth].map(symbol => ({ strategy: atOnce(), file: symbol, symbol }))
    const execution = { stopWithinMs: 1000 }
    const size = { base: 0.15 }
    const session = new BotSession({ strategy: atOnce(), size, traded, journal, execution })
    const unlisted = (call: string, url: string) => {
      if (call === 'GET /sapi/v2/order' && /symbol=BTC/.test(url)) return NO_ORDER
      return call.includes('/v3/') ? NO_PATH : undefined
    }
    session.journeyOf = (call, { url, body }) =>
      call === PLACE && JSON.parse(body).symbol.startsWith('BTC') ? ANSWER_LOST : unlisted(call, url)
    await session.start()
    await session.run(2500)
    await session.leave(1500)
    session.journeyOf = (call, { url }) => unlisted(call, url)
    await session.start()
    await session.run(20_000)
    const said = session.said('a call to the exchange failed').map(({ reason }) => reason)
    expect(said).toEqual([expect.stringContaining('Nothing is guessed.')])
    expect((await session.status()).comparison).toBe('notYet')
    const entered = session.said('order open').map(({ symbol }) => symbol)
    expect(entered).toEqual([eth, eth])
    journal.close()
  })

  it('costs no time where books and account agree: the first order leaves at the first ticker', async () => {
    const session = new BotSession({ strategy: atOnce() })
    const sent = placementsOf(session)
    await session.start()
    await session.run(100)
    expect(sent).toEqual(['BUY'])
  })
})
