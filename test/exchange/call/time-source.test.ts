import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { loadProfile } from '../../../src/config/profiles/load-profile.ts'
import { ENDPOINTS } from '../../../src/exchange/endpoints.ts'
import type { HttpResponse } from '../../../src/exchange/http/transport.ts'
import { type CallWorldOptions, callWorld } from './call-world.ts'
import { SECRET } from './scripted-exchange.ts'

const SPOT = 'GET /sapi/v2/time'
const FUTURES = 'GET /fapi/v1/time'
const NOT_FOUND: HttpResponse = {
  status: 404,
  body: '{"timestamp":1,"status":404,"error":"Not Found","path":"/x"}',
}

/** Measures the clock of an exchange whose hosts answer; the names of the calls, and the offset that was found. */
async function measured(answers: Readonly<Record<string, HttpResponse>>, options: CallWorldOptions = {}) {
  const world = callWorld(({ name }) => answers[name] ?? `{"serverTime":${world.clock.now() + 60_000}}`, {
    measuresTime: true,
    ...options,
  })
  const measuring = world.serverClock.synchronise()
  await world.clock.advanceTo(world.clock.now() + 5000)
  await measuring
  return { names: world.arrivals.map(({ name }) => name), offset: world.serverClock.state().offsetMs }
}

describe('the time of an exchange', () => {
  it('is that of the spot host', async () => {
    const { names, offset } = await measured({})
    expect(new Set(names)).toEqual(new Set([SPOT]))
    expect(offset).toBe(60_000)
  })

  it('is that of the futures host where that is the one in use', async () => {
    expect(new Set((await measured({}, { clockHost: 'futures' })).names)).toEqual(new Set([FUTURES]))
  })

  it.each([
    ['Spring', NOT_FOUND],
    ['a gateway', { status: 200, body: '{"code":"-1002","data":null,"msg":"UNAUTHORIZED"}' }],
    ['a page', { status: 404, body: '<html>' }],
  ])(
    'is that of the other host from then on where the first does not know the call: %s',
    async (_, answer) => {
      const { names, offset } = await measured({ [SPOT]: answer })
      expect(names).toEqual([SPOT, ...Array(5).fill(FUTURES)])
      expect(offset).toBe(60_000)
    },
  )

  it('is not looked for elsewhere because a host is in trouble', async () => {
    const world = callWorld(() => ({ status: 503, body: '' }), { measuresTime: true })
    const measuring = expect(world.serverClock.synchronise()).rejects.toThrow('HTTP 503')
    await world.clock.advanceTo(world.clock.now() + 5000)
    await measuring
    expect(new Set(world.arrivals.map(({ name }) => name))).toEqual(new Set([SPOT]))
  })

  it('has the version of the profile', async () => {
    const profile = loadProfile('koinbay')
    const { names } = await measured({}, { profile })
    expect(new Set(names)).toEqual(new Set(['GET /sapi/v1/time']))
  })
})

const signatureOf = (text: string) => createHmac('sha256', SECRET).update(text).digest('hex')

describe('a signed call behind a prefix', () => {
  it.each([
    [true, '/spot/open/sapi/v1/account'],
    [false, '/sapi/v1/account'],
  ])('signs the prefix or not (%s)', async (signsPrefix, signedPath) => {
    const document = loadProfile('document')
    const profile = { ...document, spot: { ...document.spot, signsPrefix } }
    const spotUrl = 'https://spot.test/spot/open'
    const world = callWorld(() => '{"balances":[]}', { profile, spotUrl })
    const calling = world.call(ENDPOINTS.spotAccount, {})
    await world.clock.advanceTo(world.clock.now() + 100)
    await calling
    const [arrival] = world.arrivals
    const { url = '', headers = {} } = arrival?.request ?? {}
    expect(url).toBe('https://spot.test/spot/open/sapi/v1/account')
    expect(headers['X-CH-SIGN']).toBe(signatureOf(`${headers['X-CH-TS']}GET${signedPath}`))
  })
})
