import { describe, expect, it } from 'vitest'
import { defineStrategy, enterLong } from '../../../src/strategy/index.ts'
import { MINUTE, START } from '../../simulator/exchange-caller.ts'
import { BotSession } from '../bot-session.ts'

const KLINES = 'GET /sapi/v2/klines'
const SYMBOLS = 'GET /sapi/v2/symbols'

const watching = () => {
  const closes: number[] = []
  const strategy = defineStrategy({
    name: 'watcher',
    onKline: ({ close }) => {
      closes.push(close)
      return undefined
    },
  })
  return { closes, session: new BotSession({ strategy }) }
}

/** The klines of a market at 100, the newest first, one of them changed. */
function klinesUntil(now: number, changed: number): string {
  const rows = Array.from({ length: 12 }, (_, index) => {
    const idx = Math.floor(now / MINUTE) * MINUTE - index * MINUTE
    const close = idx === changed ? 101 : 100
    return { idx, open: 100, high: 101, low: 100, close, vol: 4 }
  })
  return JSON.stringify(rows)
}

/** What the exchange lists. */
function symbolsOf({ exchange, clock }: BotSession): string {
  const request = { method: 'GET', target: '/sapi/v2/symbols', headers: {}, body: '' }
  return exchange.handle(request, clock.now()).body
}

describe('a running bot says', () => {
  it('that market data are stale, and that they are fresh again', async () => {
    const { session } = watching()
    await session.start()
    await session.run(10_000)
    session.journeyOf = () => ({ refused: true })
    await session.run(2 * MINUTE)
    const streamsOf = (message: string) => session.said(message).map(({ stream }) => stream)
    const stale = streamsOf('market data are stale')
    // Overdue by more than 30 s: the ticker after 5 s, a kline and the list after a minute.
    expect(stale).toEqual(['spot ticker BTC/USDT', 'spot listings', 'spot klines BTC/USDT 1m'])
    session.journeyOf = () => undefined
    await session.run(MINUTE)
    expect(streamsOf('market data are fresh again').toSorted()).toEqual(stale.toSorted())
    // A reader who is told of the loss is told of its end.
    const levelsOf = (message: string) => new Set(session.said(message).map(({ level }) => level))
    expect(levelsOf('market data are fresh again')).toEqual(levelsOf('market data are stale'))
    expect(session.failures).toEqual([])
  })

  it('that klines are stale where only impossible ones come, and holds entries until there are others', async () => {
    const session = new BotSession({
      strategy: defineStrategy({ name: 'watcher', onKline: () => undefined }),
      risk: { protections: { staleData: { gapPauseMs: 0, mode: 'reducing' } } },
    })
    await session.start()
    await session.run(MINUTE)
    const odd = (body: string) => body.replaceAll(/"high":"?[\d.]+"?/g, '"high":"1"')
    session.journeyOf = call =>
      call === KLINES
        ? { answer: { status: 200, body: odd(klinesUntil(session.clock.now(), 0)) } }
        : undefined
    // A kline is read again for a minute before it is given up, so several are given up here.
    await session.run(6 * MINUTE)
    const said = (message: string) => session.said(message).map(({ stream }) => stream)
    expect(session.said('klines are missing').length).toBeGreaterThan(1)
    expect(said('market data are stale')).toEqual(['spot klines BTC/USDT 1m'])
    expect(said('market data are fresh again')).toEqual([])
    expect(session.said('trading reducing')).toHaveLength(1)
    expect(session.said('trading active')).toHaveLength(0)
    session.journeyOf = () => undefined
    await session.run(2 * MINUTE)
    expect(said('market data are fresh again')).toEqual(['spot klines BTC/USDT 1m'])
    expect(session.said('trading active')).toHaveLength(1)
  })

  it('that the exchange revised a kline, which the strategy does not see again', async () => {
    const { session, closes } = watching()
    await session.start()
    let changed = 0
    session.journeyOf = call =>
      call === KLINES
        ? { answer: { status: 200, body: klinesUntil(session.clock.now(), changed) } }
        : undefined
    await session.run(2 * MINUTE + 1000)
    changed = START + 10 * MINUTE
    await session.run(2 * MINUTE)
    expect(session.said('the exchange revised a kline')).toEqual([
      expect.objectContaining({
        at: '2024-01-01T00:10:00.000Z',
        symbol: 'BTC/USDT',
        interval: '1m',
        before: expect.objectContaining({ close: 100 }),
        after: expect.objectContaining({ close: 101 }),
      }),
    ])
    expect(closes).toEqual([100, 100, 100, 100])
  })

  it.each([
    ['pricePrecision', 3],
    ['quantityPrecision', 3],
    ['quantityPrecision', 7],
  ])('that %s of a pair became %d while it started, and trades it no more', async (rule, decimals) => {
    const strategy = defineStrategy({ name: 'buyer', onKline: () => enterLong({ size: { base: 1 } }) })
    const session = new BotSession({ strategy })
    const bot = await session.create()
    const body = symbolsOf(session).replace(new RegExp(`"${rule}":\\d+`), `"${rule}":${decimals}`)
    session.journeyOf = call => (call === SYMBOLS ? { answer: { status: 200, body } } : undefined)
    bot.start(error => session.failures.push(error))
    await session.run(3 * MINUTE)
    const [halt] = session.said('trading halted')
    expect(halt).toMatchObject({ scope: 'BTC/USDT', mode: 'halted' })
    expect(JSON.stringify(halt)).toMatch(
      new RegExp(
        `changed ${rule} of BTC/USDT from \\d to ${decimals}.*Close what is open \\(npm run bot -- flatten, or by hand`,
      ),
    )
    expect(session.user.history.size).toBe(0)
    expect(session.failures).toEqual([])
  })

  const ONCE = 1
  it.each([
    ['no BTC/USDT', (body: string) => body.replaceAll('BTC', 'BTX').replaceAll('btc', 'btx')],
    ['another price precision', (body: string) => body.replace(/"pricePrecision":\d+/, '"pricePrecision":5')],
    [
      'another quantity precision',
      (body: string) => body.replace(/"quantityPrecision":\d+/, '"quantityPrecision":1'),
    ],
  ])('nothing of one odd list with %s, and trades on', async (_name, change) => {
    const strategy = defineStrategy({
      name: 'buyer',
      onKline: () => enterLong({ size: { base: 0.1 }, scaleIn: true }),
    })
    const session = new BotSession({ strategy })
    await session.start()
    await session.run(10_000)
    const answer = { status: 200, body: change(symbolsOf(session)) }
    let lists = 0
    session.journeyOf = call => (call === SYMBOLS && ++lists === ONCE ? { answer } : undefined)
    await session.run(3 * MINUTE)
    expect(lists).toBeGreaterThan(3)
    expect(session.said('the exchange changed a listing')).toEqual([])
    expect(session.said('trading halted')).toEqual([])
    expect(session.said('fill')).toHaveLength(3)
  })

  it('that a pair is halted for another grid, and lets it trade again once the list is as before', async () => {
    const strategy = defineStrategy({
      name: 'buyer',
      onKline: () => enterLong({ size: { base: 0.1 }, scaleIn: true }),
    })
    const session = new BotSession({ strategy })
    await session.start()
    await session.run(10_000)
    const body = symbolsOf(session).replace(/"pricePrecision":\d+/, '"pricePrecision":5')
    session.journeyOf = call => (call === SYMBOLS ? { answer: { status: 200, body } } : undefined)
    await session.run(2 * MINUTE)
    expect(session.said('trading halted')).toHaveLength(1)
    const fills = session.said('fill').length
    session.journeyOf = () => undefined
    await session.run(3 * MINUTE)
    expect(session.said('trading active')).toHaveLength(1)
    expect(session.said('fill').length).toBeGreaterThan(fills)
    expect(await session.operate('status')).not.toContain('halted')
  })

  it('that a pair is delisted, and trades it again once it is listed again', async () => {
    const strategy = defineStrategy({
      name: 'buyer',
      onKline: () => enterLong({ size: { base: 0.1 }, scaleIn: true }),
    })
    const session = new BotSession({ strategy })
    await session.start()
    await session.run(10_000)
    const body = symbolsOf(session).replaceAll('BTC', 'BTX').replaceAll('btc', 'btx')
    session.journeyOf = call => (call === SYMBOLS ? { answer: { status: 200, body } } : undefined)
    await session.run(3 * MINUTE)
    const fills = session.said('fill').length
    expect(session.said('order denied').length).toBeGreaterThan(0)
    session.journeyOf = () => undefined
    await session.run(3 * MINUTE)
    expect(session.said('fill').length).toBeGreaterThan(fills)
  })

  it('that the exchange changed the rules of a pair', async () => {
    const { session } = watching()
    await session.start()
    const answer = {
      status: 200,
      body: symbolsOf(session).replace(/"pricePrecision":\d+/, '"pricePrecision":5'),
    }
    await session.run(10_000)
    session.journeyOf = call => (call === SYMBOLS ? { answer } : undefined)
    await session.run(2 * MINUTE)
    expect(session.said('the exchange changed a listing')).toEqual([
      expect.objectContaining({
        symbol: 'BTC/USDT',
        change: {
          type: 'rulesChanged',
          rules: [{ rule: 'pricePrecision', before: expect.any(String), after: '5' }],
        },
      }),
    ])
  })
})
