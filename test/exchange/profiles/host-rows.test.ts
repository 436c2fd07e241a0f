import { describe, expect, it } from 'vitest'
import { loadProfile } from '../../../src/config/profiles/load-profile.ts'
import type { Endpoint } from '../../../src/exchange/endpoints/endpoint.ts'
import { ENDPOINTS } from '../../../src/exchange/endpoints.ts'
import { CallNotOfferedError } from '../../../src/exchange/errors/call-not-offered-error.ts'
import { baseUrlOf } from '../../../src/exchange/http/base-url.ts'
import { DOCUMENT_PROFILE } from '../../../src/exchange/profiles/document-profile.ts'
import type { ExchangeProfile } from '../../../src/exchange/profiles/exchange-profile.ts'
import { HostRows } from '../../../src/exchange/profiles/host-rows.ts'

/** Rows of a profile on its own hosts. */
function rowsOf(profile: ExchangeProfile): HostRows {
  const { spot, futures } = profile
  return new HostRows(profile, {
    ...(spot.url !== undefined && { spot: baseUrlOf(spot.url) }),
    ...(futures.url !== undefined && { futures: baseUrlOf(futures.url) }),
  })
}

const { spotOrder, spotAccount, spotHistoryOrders, feedSummary, futuresNewOrder, futuresTime } = ENDPOINTS

describe('the rows of a host', () => {
  it('are those of the document without a profile', () => {
    const rows = rowsOf(DOCUMENT_PROFILE)
    for (const row of Object.values<Endpoint>(ENDPOINTS)) expect(rows.of(row)).toEqual(row)
  })

  it.each([
    ['koinbay', spotOrder, '/sapi/v1/order'],
    ['koinbay', spotAccount, '/sapi/v1/account'],
    ['koinbay', spotHistoryOrders, '/sapi/v3/historyOrders'],
    ['zke', spotOrder, '/sapi/v2/order'],
    ['bitbaby', spotOrder, '/sapi/v1/order'],
    ['bitrue', futuresNewOrder, '/fapi/v2/order'],
    ['bitrue', futuresTime, '/fapi/v2/time'],
    ['koinbay', feedSummary, '/v2/pub/summary'],
  ])('of %s have its versions: %#', (name, row, path) => {
    expect(rowsOf(loadProfile(name)).of<Endpoint>(row).path).toBe(path)
  })

  it('take the version of a single call before that of signed calls before that of all', () => {
    const versions = { version: 'v1', signedVersion: 'v3', versions: { spotHistoryOrders: 'v2' } } as const
    const rows = rowsOf({ ...DOCUMENT_PROFILE, spot: { ...DOCUMENT_PROFILE.spot, ...versions } })
    expect(rows.of(ENDPOINTS.spotTime).path).toBe('/sapi/v1/time')
    expect(rows.of(spotOrder).path).toBe('/sapi/v3/order')
    expect(rows.of(spotHistoryOrders).path).toBe('/sapi/v2/historyOrders')
  })

  it('have the prefix in front where it is signed', () => {
    const url = 'https://a.example/spot/open/'
    const signed = rowsOf({ ...DOCUMENT_PROFILE, spot: { ...DOCUMENT_PROFILE.spot, url } })
    expect(signed.of(spotOrder).path).toBe('/spot/open/sapi/v2/order')
    expect(rowsOf(loadProfile('bitbaby')).of(spotOrder).path).toBe('/sapi/v1/order')
  })

  it('leave out the headers that the host does not take', () => {
    expect(rowsOf(loadProfile('bitrue')).of(futuresNewOrder)).not.toHaveProperty('headers')
    expect(rowsOf(loadProfile('koinbay')).of(futuresNewOrder).headers).toEqual({ 'futures-version': '101' })
  })

  it('are made once', () => {
    const rows = rowsOf(loadProfile('koinbay'))
    expect(rows.of(spotOrder)).toBe(rows.of(spotOrder))
  })

  it('that the host lacks are refused with what is done instead', () => {
    const rows = rowsOf(loadProfile('koinbay'))
    const call = () => rows.of(ENDPOINTS.futuresTransactions)
    expect(call).toThrow(CallNotOfferedError)
    expect(call).toThrow(
      'The call futuresTransactions was not sent: futuresopenapi.koinbay.com does not have it (profile koinbay). The bot derives funding from position and funding rate instead.',
    )
    expect(rows.has(ENDPOINTS.futuresTransactions)).toBe(false)
    expect(rows.has(ENDPOINTS.futuresTickerAll)).toBe(true)
  })
})
