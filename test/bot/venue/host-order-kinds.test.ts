import { describe, expect, it } from 'vitest'
import { hostOrderKinds } from '../../../src/bot/venue/host-order-kinds.ts'
import { loadProfile } from '../../../src/config/profiles/load-profile.ts'
import { DOCUMENT_PROFILE } from '../../../src/exchange/profiles/document-profile.ts'

const { futures } = DOCUMENT_PROFILE

describe('the order kinds of a host', () => {
  it('are all without a difference from the document', () => {
    expect(hostOrderKinds(DOCUMENT_PROFILE, 'spot')).toEqual({})
    expect(hostOrderKinds(loadProfile('bitrue'), 'futures')).toEqual({})
  })

  it('are immediate ones by hand only where the host takes LIMIT and MARKET', () => {
    const only = { limitKinds: ['ioc'], iocRests: true }
    expect(hostOrderKinds(loadProfile('koinbay'), 'spot')).toEqual(only)
    expect(hostOrderKinds(loadProfile('koinbay'), 'futures')).toEqual(only)
  })

  it('lack those alone that the host lacks', () => {
    const orderTypes = ['LIMIT', 'MARKET', 'IOC', 'POST_ONLY'] as const
    const profile = { ...DOCUMENT_PROFILE, futures: { ...futures, orderTypes } }
    expect(hostOrderKinds(profile, 'futures')).toEqual({ limitKinds: ['ioc', 'postOnly'] })
  })

  it('refuse a host on which nothing could be closed', () => {
    const limitOnly = { ...DOCUMENT_PROFILE, futures: { ...futures, orderTypes: ['LIMIT'] as const } }
    expect(() => hostOrderKinds(limitOnly, 'futures')).toThrow('takes no MARKET orders')
    const marketOrderUnit = { open: 'contracts', close: 'unknown' } as const
    const unknown = { ...DOCUMENT_PROFILE, futures: { ...futures, marketOrderUnit } }
    expect(() => hostOrderKinds(unknown, 'futures')).toThrow('write "marketOrderUnit: { close: contracts }"')
    expect(hostOrderKinds(unknown, 'spot')).toEqual({})
  })
})
