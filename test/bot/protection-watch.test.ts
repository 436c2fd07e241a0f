import { describe, expect, it } from 'vitest'
import { logLineText } from '../../src/bot/text/log-lines.ts'
import { statusText } from '../../src/cli/bot/bot-status-text.ts'
import type { HttpResponse } from '../../src/exchange/http/transport.ts'
import { readinessOf } from '../../src/observe/metrics/readiness.ts'
import { defineStrategy, enterLong, exit } from '../../src/strategy/index.ts'
import { ANSWER_LOST, REQUEST_LOST } from '../faulty-transport.ts'
import { flatMarket, klinesOf, MINUTE } from '../simulator/exchange-caller.ts'
import { BotSession, type BotSessionOptions } from './bot-session.ts'
import { futuresBot } from './futures/futures-bot.ts'
import { once } from './test-strategies.ts'

/** At 100 until its stop-loss at 95 is reached, 85 from the thirteenth minute on. */
const FALL = klinesOf(
  ...Array.from({ length: 12 }, () => [100, 100, 100, 100] as const),
  ...Array.from({ length: 40 }, () => [85, 85, 85, 85] as const),
)
const PROTECTED = 'position is protected again'
const OVER = 'the lack of protection is over'
const UNPROTECTED = 'position is not protected'

const HTTP_500 = { answer: { status: 500, body: 'Internal Server Error' } }

interface Trouble {
  readonly session: BotSession
  /** Answer to orders that sell, in place of the exchange; `undefined`: the exchange answers. */
  refuseWith(answer: HttpResponse | undefined): void
  /** Calls about orders that sell, and what asks for orders, with the time of the venue in ms. */
  readonly calls: readonly { readonly call: string; readonly time: number }[]
}

/** A bot that has bought at 100 with a stop-loss at 95. */
async function holding(
  make: (
    options: Pick<BotSessionOptions, 'strategy' | 'host' | 'klines' | 'timeoutMs'> & { klines: typeof FALL },
  ) => BotSession,
): Promise<Trouble> {
  let answer: HttpResponse | undefined
  const calls: { call: string; time: number }[] = []
  const session: BotSession = make({
    strategy: once(() => enterLong({ stopLoss: 95 })),
    klines: FALL,
    host: exchange => async request => {
      const call = `${request.method} ${new URL(request.url).pathname}`
      if (/\/order$/.test(call)) calls.push({ call, time: session.clock.now() })
      const isSale = call.startsWith('POST') && /\/order$/.test(call) && request.body.includes('"SELL"')
      return isSale && answer !== undefined ? answer : exchange(request)
    },
  })
  await session.start()
  await session.run(MINUTE + 30_000)
  calls.length = 0
  return { session, calls, refuseWith: given => (answer = given) }
}

const onSpot: Parameters<typeof holding>[0] = options => new BotSession(options)
const onFutures: Parameters<typeof holding>[0] = options => futuresBot(options)

it('names the exit that closes the position meanwhile, and does not tell to close it by hand as well', async () => {
  const strategy = defineStrategy({
    name: 'leaver',
    state: () => ({ klines: 0 }),
    onKline(_kline, { state }) {
      state.klines++
      if (state.klines === 1) return enterLong({ stopLoss: 98 })
      return state.klines === 2 ? exit() : undefined
    },
  })
  // The stop is reached while the exit has no answer, and waits for its end.
  const klines = klinesOf(
    ...Array.from({ length: 12 }, () => [100, 100, 100, 100] as const),
    [100, 100, 97, 97],
    ...Array.from({ length: 40 }, () => [97, 97, 97, 97] as const),
  )
  const session = new BotSession({ strategy, klines, timeoutMs: 50_000 })
  session.journeyOf = (call, { body }) =>
    call.startsWith('POST') && body.includes('"SELL"') ? ANSWER_LOST : undefined
  await session.start()
  await session.run(2 * MINUTE + 49_000)
  const [{ why } = { why: 'Nothing was said.' }] = session.said(UNPROTECTED)
  expect(why).toMatch(
    /^A market order \(id \S+\) that closes the whole position was sent at 2024-01-01 00:12:0\dZ and is not known to be over; no further order leaves before that\. Do not close the position by hand as well, because closing twice sells twice or opens a short\.$/,
  )
})

describe.each([
  ['spot', onSpot],
  ['futures', onFutures],
])('a stop-loss that the exchange does not take on %s', (_, make) => {
  it('is told within seconds where the answer is HTTP 500: once in the log, and first in the status', async () => {
    const { session, calls, refuseWith } = await holding(make)
    refuseWith({ status: 500, body: 'Internal Server Error' })
    for (let ms = 0; calls.length === 0 && ms < MINUTE; ms += 100) await session.run(100)
    const began = session.clock.now()
    // The exchange is asked for it at once, by the id of the order.
    await session.run(200)
    expect(calls.slice(0, 2).map(({ call }) => call.split(' ')[0])).toEqual(['POST', 'GET'])
    await session.run(6300)
    expect(session.said(UNPROTECTED)).toEqual([
      expect.objectContaining({ symbol: 'BTC/USDT', purpose: 'stopLoss', refusedTimes: 0 }),
    ])
    const status = await session.status()
    expect(status.unprotected).toEqual([
      expect.objectContaining({
        book: 'BTC/USDT',
        why: expect.stringContaining('no answer says what became of it'),
      }),
    ])
    expect(statusText(status).split('\n')[1]).toMatch(
      /^NOT PROTECTED: the stop-loss of BTC\/USDT is not known to rest since 2024-01-01 00:1\d:\d\dZ\. Its order \(id \S+\) was sent at 2024-01-01 00:1\d:\d\dZ, and no answer says what became of it: it may have been executed\. Look it up at the exchange before you close the position by hand, because closing twice sells twice or opens a short\./,
    )
    // It is sent again once the exchange can accept it no more (5 s) and would show it (3 s), at the next look of 1 s.
    const placed = () => calls.filter(({ call }) => call.startsWith('POST'))
    await session.run(10_000)
    const [first, second] = placed()
    expect((second?.time ?? 0) - (first?.time ?? 0)).toBeGreaterThan(8000)
    expect((second?.time ?? 0) - began).toBeLessThanOrEqual(15_000)
    await session.run(MINUTE)
    expect(session.said(UNPROTECTED)).toHaveLength(1)
    refuseWith(undefined)
    await session.run(30_000)
    expect(session.said('fill').map(({ side }) => side)).toEqual(['buy', 'sell'])
    expect((await session.status()).unprotected).toEqual([])
    expect(session.said(OVER)).toEqual([expect.objectContaining({ outcome: 'executed' })])
    expect(session.said(PROTECTED)).toEqual([])
  })

  it('is told as sent while its answer is awaited, and as executed once that is known', async () => {
    const { session, calls } = await holding(options => make({ ...options, timeoutMs: 10_000 }))
    session.journeyOf = (call, { body }) =>
      call.startsWith('POST') && body.includes('"SELL"') ? ANSWER_LOST : undefined
    for (let ms = 0; calls.length === 0 && ms < MINUTE; ms += 100) await session.run(100)
    await session.run(6500)
    const [{ why } = { why: '' }] = session.said(UNPROTECTED)
    expect(why).toMatch(
      /^Its order \(id \S+\) was sent at 2024-01-01 00:12:0\dZ and has no answer yet: it may have been executed\. Look it up at the exchange before you close/,
    )
    expect(why).not.toContain('has not left yet')
    // It was sold at once, which the bot learns once it gives the answer up.
    await session.run(10_000)
    expect(session.said('fill').map(({ side }) => side)).toEqual(['buy', 'sell'])
    const [over] = session.said(OVER)
    expect(logLineText(OVER, over ?? {})).toMatch(
      /^BTC\/USDT: its stop-loss, of which that was not known, was executed \(id \S+\)\.$/,
    )
    expect([session.said(OVER).length, session.said(PROTECTED).length]).toEqual([1, 0])
  })

  it('is not told to rest where it is executed at once and answered late', async () => {
    const { session, calls } = await holding(options => make({ ...options, timeoutMs: 10_000 }))
    session.journeyOf = (call, { body }) =>
      call.startsWith('POST') && body.includes('"SELL"') ? { thereMs: 3000, backMs: 4000 } : undefined
    for (let ms = 0; calls.length === 0 && ms < 2 * MINUTE; ms += 100) await session.run(100)
    await session.run(20_000)
    expect(session.said(UNPROTECTED)).toHaveLength(1)
    expect([session.said(OVER).length, session.said(PROTECTED).length]).toEqual([1, 0])
  })

  it('stops all calls for a minute by a 429 without Retry-After, says it at the beginning and the end, and tries again then', async () => {
    const { session, calls, refuseWith } = await holding(make)
    refuseWith({ status: 429, body: '{"code":-1003,"msg":"Too many requests."}' })
    for (let ms = 0; calls.length === 0 && ms < MINUTE; ms += 100) await session.run(100)
    const began = session.clock.now()
    refuseWith(undefined)
    await session.run(30_000)
    expect(calls).toHaveLength(1)
    const STOPPED = 'calls to the exchange are stopped'
    const GO_ON = 'calls to the exchange go on'
    const [stop] = session.said(STOPPED)
    // It began within the 100 ms before `began`.
    expect(stop?.until).toMatch(/^2024-01-01T00:13:0\d/)
    expect(logLineText(STOPPED, stop ?? {})).toMatch(
      /^All calls to the exchange are stopped until 2024-01-01 00:13:0\dZ: a weight limit is used up \(HTTP 429\)\. Until then/,
    )
    expect((await session.status()).unprotected[0]?.why).toContain(
      `It leaves at ${String(stop?.until).replace('T', ' ').slice(0, 19)}Z at the earliest.`,
    )
    await session.run(40_000)
    expect([session.said(STOPPED).length, session.said(GO_ON).length]).toEqual([1, 1])
    expect(logLineText(GO_ON, session.said(GO_ON)[0] ?? {})).toBe('Calls to the exchange go on after 60 s.')
    expect(session.said('a call to the exchange failed')).toEqual([])
    const second = calls.findLast(({ call }) => call.startsWith('POST'))
    expect((second?.time ?? 0) - began).toBeGreaterThanOrEqual(59_900)
    // It waits for the first price after the stop, which is polled every 5 s.
    expect((second?.time ?? 0) - began).toBeLessThanOrEqual(66_000)
    expect(session.said('fill').map(({ side }) => side)).toEqual(['buy', 'sell'])
  })

  it('is told within seconds where the exchange refuses for too many requests, with the true number of refusals', async () => {
    const { session, calls, refuseWith } = await holding(make)
    refuseWith({ status: 429, body: '{"code":-1003,"msg":"Too many requests."}' })
    for (let ms = 0; calls.length === 0 && ms < MINUTE; ms += 100) await session.run(100)
    await session.run(6500)
    expect(session.said(UNPROTECTED)).toHaveLength(1)
    expect(statusText(await session.status()).split('\n')[1]).toMatch(
      /^NOT PROTECTED: the stop-loss of BTC\/USDT/,
    )
    await session.run(4 * MINUTE)
    expect(session.said(UNPROTECTED)).toHaveLength(1)
    const [now] = (await session.status()).unprotected
    expect(now?.refusedTimes).toBe(session.said('order rejected').length)
    // A stop of a minute lets a try leave each minute, and one more after it was refused.
    expect(now?.why).toMatch(
      new RegExp(
        `^Its order was refused ${now?.refusedTimes} times, last so: .* It leaves at 2024-01-01 00:1\\d:\\d\\dZ at the earliest\\. Sluice goes on with it`,
      ),
    )
  })
})

describe('a position whose protection comes back', () => {
  it('is told once, and told again if it is lost again', async () => {
    const { session, refuseWith } = await holding(options =>
      onSpot({ ...options, klines: flatMarket(100, 60) }),
    )
    refuseWith({ status: 200, body: '{"code":-2016,"msg":"Trading is frozen."}' })
    const shock = (price: string) =>
      session.exchange.stage({ type: 'shock', time: session.clock.now(), symbol: 'BTC/USDT', price })
    shock('94')
    await session.run(20_000)
    expect([session.said(UNPROTECTED).length, session.said(PROTECTED).length]).toEqual([1, 0])
    // The stop waits for its price again, which a quote has not reached.
    shock('97')
    await session.run(45_000)
    expect([session.said(UNPROTECTED).length, session.said(PROTECTED).length]).toEqual([1, 1])
    shock('94')
    await session.run(45_000)
    expect([session.said(UNPROTECTED).length, session.said(PROTECTED).length]).toEqual([2, 1])
  })

  it('is not told of a stop that leaves in time, nor of one that waits for its first quote', async () => {
    const { session } = await holding(onSpot)
    await session.run(5 * MINUTE)
    expect(session.said('fill').map(({ side }) => side)).toEqual(['buy', 'sell'])
    expect([session.said(UNPROTECTED), session.said(PROTECTED)]).toEqual([[], []])
  })
})

describe.each([
  ['spot', onSpot, /^GET \/sapi\/v2\/ticker$/],
  ['futures', onFutures, /^GET \/fapi\/v1\/(ticker|index)$/],
])('a stop-loss that waits in the bot on %s while no price comes', (account, make, prices) => {
  it.each(['fails', 'hangs'] as const)(
    'is told as not watched 30 s after the latest price where the read %s, and as watched once prices come',
    async how => {
      const { session } = await holding(options => make({ ...options, klines: flatMarket(100, 60) }))
      let isSilent = true
      const at = session.clock.now()
      session.journeyOf = call => {
        if (!isSilent || !prices.test(call)) return undefined
        return how === 'fails' ? HTTP_500 : REQUEST_LOST
      }
      await session.run(25_000)
      expect([session.said(UNPROTECTED), (await session.status()).unprotected]).toEqual([[], []])
      await session.run(11_000)
      const [said] = session.said(UNPROTECTED)
      // Prices are read every 5 s, so that the latest is up to 5 s older than the silence.
      const sinceMs = at - Date.parse(String(said?.since))
      expect(sinceMs).toBeGreaterThanOrEqual(0)
      expect(sinceMs).toBeLessThanOrEqual(5000)
      expect(logLineText(UNPROTECTED, said ?? {})).toMatch(
        /^BTC\/USDT IS NOT PROTECTED: its stop-loss waits here for its price, and no price has come since 2024-01-01 00:1\d:\d\dZ\. The bot keeps it, the exchange knows nothing of it\. Its level is 95\.00\. It acts at the first price that comes, be it far beyond its level; close the position at the exchange by hand if you do not want to wait, the bot takes note of that\.$/,
      )
      const { reasons } = readinessOf(await session.status())
      expect(reasons).toContain(logLineText(UNPROTECTED, said ?? {}))
      await session.run(3 * MINUTE)
      expect(session.said(UNPROTECTED)).toHaveLength(1)
      const text = statusText(await session.status())
      expect(text.split('\n')[1]).toMatch(
        /^NOT PROTECTED: the stop-loss of BTC\/USDT waits here for its price/,
      )
      const name = account === 'spot' ? 'last' : 'mark'
      expect(text).toMatch(new RegExp(`${name} 100\\.00 \\(4 min old\\)`))
      expect(text).toMatch(/equity \S+ USDT, at old prices \(BTC\/USDT 4 min old\)/)
      isSilent = false
      await session.run(5 * MINUTE)
      const [again] = session.said(PROTECTED)
      expect(logLineText(PROTECTED, again ?? {})).toMatch(
        /^BTC\/USDT is protected again: prices come, and the bot watches its stop-loss \(id \S+\)\.$/,
      )
      const status = await session.status()
      expect([status.unprotected, status.oldPrices]).toEqual([[], []])
      expect(statusText(status)).not.toMatch(/ old\)/)
    },
  )

  it('sells at the first price that comes, and says how the lack of protection ended', async () => {
    const { session } = await holding(make)
    let isSilent = true
    session.journeyOf = call => (isSilent && prices.test(call) ? HTTP_500 : undefined)
    await session.run(2 * MINUTE)
    expect((await session.status()).unprotected).toEqual([
      expect.objectContaining({ book: 'BTC/USDT', purpose: 'stopLoss', cause: 'price' }),
    ])
    isSilent = false
    await session.run(20_000)
    expect(session.said('fill').map(({ side }) => side)).toEqual(['buy', 'sell'])
    expect((await session.status()).unprotected).toEqual([])
    expect(session.said(UNPROTECTED)).toHaveLength(1)
    expect([...session.said(PROTECTED), ...session.said(OVER)]).toEqual([
      expect.objectContaining({ outcome: 'executed' }),
    ])
  })
})
