import { readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ENDPOINTS } from '../../../src/exchange/endpoints.ts'
import type { HttpRequest } from '../../../src/exchange/http/transport.ts'
import { hasShared, sharedPath } from '../../shared-data.ts'
import { scriptedExchange } from '../call/scripted-exchange.ts'
import { DOCUMENTED_CALLS, type Sample, samplesOf } from '../documented/documented-samples.ts'

const available = hasShared('spec', 'samples')

/** Payloads of endpoints that the interface document does not have. */
const BEYOND_THE_INTERFACE = ['pub_coingecko_tickers']

/** Decimals as text and absent fields left out, so that expectations read like the payloads. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

function expectRequest(
  { url, body, headers }: HttpRequest,
  documented: NonNullable<Sample['request']>,
): void {
  if (typeof documented.body === 'object' && documented.body !== null) {
    // An empty parameter means an absent one.
    const given = Object.entries(documented.body).filter(([, value]) => value !== '')
    // The unit of a futures order is always sent, though the documented requests leave it at its default.
    const { orderUnit: _, ...sent } = JSON.parse(body)
    expect(sent).toEqual(Object.fromEntries(given))
  }
  if (documented.query !== undefined) {
    const sent = Object.fromEntries(new URL(url).searchParams)
    const texts = Object.entries(documented.query).map(([name, value]) => [name, String(value)])
    expect(sent).toEqual(Object.fromEntries(texts))
  }
  expect(headers).toMatchObject(documented.headers ?? {})
}

const cases = Object.entries(DOCUMENTED_CALLS).flatMap(([name, calls]) =>
  calls.map((call, index) => ({ name, index, ...call })),
)

describe.runIf(available)('the documented payload', () => {
  it.each(cases)('$name $index is read, and its request sent, by $endpoint', async documented => {
    const { name, index, endpoint, call, becomes, next = [] } = documented
    const sample = samplesOf(name)[index]
    if (sample === undefined) throw new Error(`${name} has no payload ${index}.`)
    // The earliest payloads are of 2017; the history of that time must still be open.
    const exchange = scriptedExchange([sample.raw, ...next], {
      timeOffset: () => 1_500_000_000_000 - 1_588_591_856_950,
      allowWithdrawals: true,
    })
    expect(plain(await call(exchange))).toEqual(becomes)
    const [request] = exchange.requests
    if (request === undefined) throw new Error('Nothing was sent.')
    const { method, host, path: expectedPath } = ENDPOINTS[endpoint]
    const { origin, pathname } = new URL(request.url)
    expect([request.method, origin, pathname]).toEqual([method, `https://${originOf(host)}`, expectedPath])
    if (sample.request !== undefined) expectRequest(request, sample.request)
  })

  it('is tested of every sample, each of its payloads', () => {
    const files = readdirSync(sharedPath('spec', 'samples')).map(file => path.basename(file, '.json'))
    expect([...Object.keys(DOCUMENTED_CALLS), ...BEYOND_THE_INTERFACE].toSorted()).toEqual(files.toSorted())
    for (const [name, calls] of Object.entries(DOCUMENTED_CALLS))
      expect(calls.length, name).toBe(samplesOf(name).length)
  })
})

function originOf(host: 'spot' | 'futures'): string {
  return host === 'spot' ? 'exchange.test' : 'futures.test'
}
