import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createExchangeClient } from '../../../src/exchange/exchange-client.ts'
import { Credentials } from '../../../src/exchange/http/credentials.ts'
import { ManualClock } from '../clock/manual-clock.ts'
import { KEY, NOW, rejectionOf, type Script, SECRET, scriptedExchange } from './scripted-exchange.ts'

/** Everything a log could show of a value: its inspection with hidden fields, its JSON, its text, its stack. */
function shownOf(value: unknown): string {
  const stack = value instanceof Error ? value.stack : ''
  const own = typeof value === 'object' && value !== null ? JSON.stringify({ ...value }) : ''
  return [
    inspect(value, { depth: 20, showHidden: true }),
    JSON.stringify(value),
    own,
    String(value),
    stack,
  ].join('\n')
}

function expectNoSecret(value: unknown): void {
  const shown = shownOf(value)
  expect(shown).not.toContain(KEY)
  expect(shown).not.toContain(SECRET)
}

describe('key and secret', () => {
  it('show in no inspection and no JSON of the client or its credentials', () => {
    const options = {
      spotUrl: 'https://exchange.test',
      apiKey: KEY,
      apiSecret: SECRET,
      clock: new ManualClock(NOW),
    }
    const credentials = new Credentials(KEY, SECRET)
    expectNoSecret(createExchangeClient(options))
    expectNoSecret(credentials)
    expect(
      credentials.headersFor({ timestamp: 1, method: 'GET', requestPath: '/', body: '' })['X-CH-APIKEY'],
    ).toBe(KEY)
  })

  const echo = `key ${KEY} secret ${SECRET}`
  const scripts: readonly [string, Script][] = [
    ['a refusal that echoes them', `{"code":-2015,"msg":"${echo}"}`],
    ['a refusal without an envelope', { status: 403, body: echo }],
    ['an answer that is no JSON', echo],
    ['an answer with a wrong field', `{"orderId":1,"symbol":"x","status":"${echo}"}`],
    ['HTTP 502', { status: 502, body: echo }],
    ['a broken connection', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })],
    ['an unreachable host', Object.assign(new Error('connect ECONNREFUSED'), { sent: false })],
  ]

  it.each(scripts)('show in no error after %s', async (_name, script) => {
    const { spot } = scriptedExchange([script])
    expectNoSecret(await rejectionOf(spot.order({ symbol: 'BTC/USDT', orderId: '1' })))
    if (_name !== 'an answer with a wrong field') {
      const order = { symbol: 'BTC/USDT', type: 'market', side: 'sell', quantity: '1' } as const
      expectNoSecret(await rejectionOf(spot.placeOrder(order)))
    }
  })

  it('are refused without being shown when they cannot be used', () => {
    const bad = `${KEY}\n`
    try {
      new Credentials(bad, SECRET)
      expect.unreachable()
    } catch (error) {
      expectNoSecret(error)
      expect(error).toMatchObject({ code: 'USAGE' })
    }
  })
})
