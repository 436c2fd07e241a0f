import { describe, expect, it } from 'vitest'
import { createBotLog } from '../../../src/bot/log/bot-log.ts'
import { ANSWER_LOST, type Journey } from '../../faulty-transport.ts'
import { MINUTE } from '../../simulator/exchange-caller.ts'
import { BotSession, KEY, SECRET } from '../bot-session.ts'
import { flipper } from '../test-strategies.ts'

/** A log and the lines it wrote. */
function logged(readable: boolean, level: 'info' | 'trace' = 'info') {
  const lines: string[] = []
  const log = createBotLog({ level, readable, stream: { write: line => lines.push(line) } })
  return { log, lines }
}

describe('createBotLog', () => {
  it('writes one JSON object a line, with its level as a word', () => {
    const { log, lines } = logged(false)
    log.info({ at: '2024-01-01T00:00:00.000Z', symbol: 'BTC/USDT' }, 'signal')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/\n$/)
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 'info',
      time: expect.any(Number),
      at: '2024-01-01T00:00:00.000Z',
      symbol: 'BTC/USDT',
      msg: 'signal',
    })
  })

  it('writes lines for people: market time, level from a warning on, a sentence', () => {
    const { log, lines } = logged(true)
    const fields = { symbol: 'BTC/USDT', strategy: 'sma-cross', signal: { type: 'exit' } }
    log.info({ at: '2024-01-01T00:00:00.000Z', ...fields }, 'signal')
    log.info('trading')
    log.warn({ why: 'Nobody knows.' }, 'something new')
    expect(lines).toEqual([
      '2024-01-01 00:00:00Z BTC/USDT signal of sma-cross: exit\n',
      'Trading begins.\n',
      'WARN Something new: Nobody knows.\n',
    ])
  })

  it('begins every line with the market time once a clock is known', () => {
    const lines: string[] = []
    let time: number | undefined
    const stream = { write: (line: string) => lines.push(line) }
    const log = createBotLog({ level: 'info', readable: true, stream, now: () => time })
    log.info('trading')
    time = Date.UTC(2024, 0, 1, 0, 30)
    log.error({ what: 'klines', reason: 'No answer.' }, 'a call to the exchange failed')
    expect(lines).toEqual([
      'Trading begins.\n',
      '2024-01-01 00:30:00Z ERROR A call to the exchange failed (klines): No answer.\n',
    ])
  })

  it('begins every line with one clock, and names when a kline closed or a fill happened', () => {
    const lines: string[] = []
    const stream = { write: (line: string) => lines.push(line) }
    const now = () => Date.UTC(2024, 0, 1, 0, 30, 2)
    const log = createBotLog({ level: 'info', readable: true, stream, now })
    const fields = { symbol: 'BTC/USDT', interval: '30m', close: 100, equity: '5', quote: 'USDT' }
    log.info({ at: '2024-01-01T00:30:00.000Z', ...fields }, 'kline')
    log.info({ at: '2024-01-01T00:30:02.900Z', ...fields }, 'kline')
    log.info({ at: '2024-01-01T00:29:00.000Z', strategy: 'a', signal: { type: 'exit' } }, 'signal')
    expect(lines).toEqual([
      '2024-01-01 00:30:02Z BTC/USDT 30m close 100, equity 5.00 USDT (closed 2024-01-01 00:30:00Z)\n',
      '2024-01-01 00:30:02Z BTC/USDT 30m close 100, equity 5.00 USDT\n',
      '2024-01-01 00:30:02Z  signal of a: exit\n',
    ])
  })

  it('shows people where an error comes from', () => {
    const { log, lines } = logged(true)
    log.error({ err: new Error('a broken thing') }, 'trading halted')
    expect(lines.join('')).toMatch(
      /^ERROR The bot cannot trade on and stops\. Error: a broken thing\n {4}at /,
    )
  })

  it('leaves out what is below its level', () => {
    const { log, lines } = logged(false)
    log.debug('not this')
    log.warn('this')
    expect(lines.map(line => JSON.parse(line).msg)).toEqual(['this'])
  })

  it.each([true, false])('never prints a field that holds a secret (readable: %s)', readable => {
    const { log, lines } = logged(readable)
    const credentials = { apiKey: KEY, apiSecret: SECRET }
    log.info({ ...credentials, credentials, deeper: { credentials } }, 'a message without words')
    expect(lines.join('')).not.toMatch(new RegExp(`${KEY}|${SECRET}`))
    expect(lines.join('')).toContain('[Redacted]')
  })
})

describe('the log of a bot, everything switched on', () => {
  it('never says the key, the secret or a signature, even where the exchange repeats them', async () => {
    const session = new BotSession({ strategy: flipper })
    const signatures = new Set<string>()
    const echo = (status: number, code: number): Journey => ({
      answer: { status, body: `{"code":${code},"msg":"${KEY} ${SECRET} is wrong"}` },
    })
    const html: Journey = { answer: { status: 200, body: `<html>${KEY} ${SECRET}</html>` } }
    const journeys = [{}, {}, { refused: true }, ANSWER_LOST, echo(400, -2017), html, echo(500, -1000)]
    const counts = new Map<string, number>()
    let isReady = false
    session.journeyOf = (call, { headers }) => {
      signatures.add(headers['X-CH-SIGN'] ?? '')
      if (!isReady) return undefined
      const count = counts.get(call) ?? 0
      counts.set(call, count + 1)
      return journeys[count % journeys.length]
    }
    await session.start()
    isReady = true
    await session.run(20 * MINUTE)
    session.journeyOf = () => echo(401, -2015)
    await session.run(MINUTE)
    expect(session.failures).toHaveLength(1)
    expect(session.said('order rejected').length).toBeGreaterThan(0)
    expect(session.said('order unknown').length).toBeGreaterThan(0)
    expect(session.said('trading halted').length).toBeGreaterThan(0)
    const log = session.lines.join('')
    expect(log).toContain('[key] [secret]')
    expect(log).not.toContain(KEY)
    expect(log).not.toContain(SECRET)
    signatures.delete('')
    expect(signatures.size).toBeGreaterThan(20)
    for (const signature of signatures) expect(log).not.toContain(signature)
  })
})
