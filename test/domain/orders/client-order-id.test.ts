import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CLIENT_ORDER_ID_MAX_LENGTH,
  clientOrderIdOf,
  clientOrderIdOwner,
  clientOrderIdPrefix,
  type IntentIdentity,
  isOfSession,
  type SessionIdentity,
  sessionTag,
} from '../../../src/domain/orders/client-order-id.ts'
import { MOST_PARTS, partId } from '../../../src/domain/orders/order-parts.ts'

const anyIdentity: fc.Arbitrary<IntentIdentity> = fc.record({
  bot: fc.stringMatching(/^[a-z0-9-]{1,40}$/),
  strategy: fc.stringMatching(/^[a-z0-9-]{1,40}$/),
  book: fc.stringMatching(/^[A-Z0-9]{2,10}\/[A-Z]{3,5}$/),
})
const anyTime = fc.integer({ min: 0, max: Date.UTC(4000, 0) })
const anyOrdinal = fc.integer({ min: 0, max: 36 ** 7 - 1 })
const SMA_ON_BTC = { bot: 'demo', strategy: 'sma-cross', book: 'BTC/USDT' }

/** FNV-1a of a text of ASCII letters, as the draft words it: multiply by 2^40 + 2^8 + 0xb3, modulo 2^64. */
function fnv1a(text: string): bigint {
  return [...Buffer.from(text, 'latin1')].reduce(
    (hash, byte) => ((hash ^ BigInt(byte)) * (2n ** 40n + 2n ** 8n + 0xb3n)) % 2n ** 64n,
    14_695_981_039_346_656_037n,
  )
}

describe('a clientOrderId', () => {
  it('is at most 31 characters of letters, digits and dashes', () => {
    expect(CLIENT_ORDER_ID_MAX_LENGTH).toBe(31)
    fc.assert(
      fc.property(anyIdentity, anyTime, anyOrdinal, (identity, decidedAt, ordinal) => {
        const id = clientOrderIdOf(clientOrderIdPrefix(identity), decidedAt, ordinal)
        expect(id).toMatch(/^[0-9a-z]{13}-[0-9a-z]+-[0-9a-z]+$/)
        expect(id.length).toBeLessThanOrEqual(31)
      }),
    )
  })

  it('is the same for the same decision', () => {
    fc.assert(
      fc.property(anyIdentity, anyTime, anyOrdinal, (identity, decidedAt, ordinal) => {
        const once = clientOrderIdOf(clientOrderIdPrefix(identity), decidedAt, ordinal)
        expect(clientOrderIdOf(clientOrderIdPrefix({ ...identity }), decidedAt, ordinal)).toBe(once)
      }),
    )
  })

  it('differs between sessions, and begins alike in all of them', () => {
    const start = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2059, 0) })
    fc.assert(
      fc.property(
        anyIdentity,
        start,
        fc.integer({ min: 1, max: 36 ** 5 - 1 }),
        (identity, startedAt, later) => {
          const ids = [startedAt, startedAt + later].map(at =>
            clientOrderIdOf(clientOrderIdPrefix(identity, { startedAt: at }), Date.UTC(2059, 0), 1295),
          )
          expect(ids[0]).not.toBe(ids[1])
          for (const id of [...ids, clientOrderIdPrefix(identity)]) {
            expect(id.startsWith(clientOrderIdOwner(identity))).toBe(true)
          }
          for (const id of ids) {
            expect(id).toMatch(/^[0-9a-z]{13}-[0-9a-z]{8}-[0-9a-z]{2}$/)
            expect(partId(id, MOST_PARTS).length).toBeLessThanOrEqual(31)
          }
        },
      ),
    )
  })

  it('differs between sessions that began in the same ms, by their tags', () => {
    const id = (session: SessionIdentity) =>
      clientOrderIdOf(clientOrderIdPrefix(SMA_ON_BTC, session), Date.UTC(2059, 0), 1295)
    const startedAt = Date.UTC(2026, 0)
    const [first, last, none] = [
      { startedAt, tag: sessionTag(0) },
      { startedAt, tag: sessionTag(1 - Number.EPSILON) },
      { startedAt },
    ]
    expect([first.tag, last.tag]).toEqual(['00', 'zz'])
    expect(id(last)).toMatch(/^[0-9a-z]{13}zz-[0-9a-z]{8}-[0-9a-z]{2}$/)
    expect(partId(id(last), MOST_PARTS).length).toBeLessThanOrEqual(31)
    for (const one of [first, last, none])
      for (const other of [first, last, none]) expect(isOfSession(id(one), other)).toBe(one === other)
  })

  it('differs between decisions that differ in anything', () => {
    const decision = fc.tuple(anyIdentity, anyTime, anyOrdinal)
    fc.assert(
      fc.property(
        fc.uniqueArray(decision, { minLength: 2, selector: value => JSON.stringify(value) }),
        list => {
          const ids = list.map(([identity, decidedAt, ordinal]) =>
            clientOrderIdOf(clientOrderIdPrefix(identity), decidedAt, ordinal),
          )
          expect(new Set(ids).size).toBe(list.length)
        },
      ),
    )
  })

  it.each([
    ['bot', { ...SMA_ON_BTC, bot: 'demo2' }],
    ['strategy', { ...SMA_ON_BTC, strategy: 'sma-cros' }],
    ['book', { ...SMA_ON_BTC, book: 'BTC/USDT#sma-cross' }],
    ['border between the names', { bot: 'dem', strategy: 'osma-cross', book: 'BTC/USDT' }],
  ])('has another prefix for another %s', (_name, identity) => {
    expect(clientOrderIdPrefix(identity)).not.toBe(clientOrderIdPrefix(SMA_ON_BTC))
  })

  it('opens with the FNV-1a hash of its names', () => {
    // Test vectors of draft-eastlake-fnv, appendix C.
    expect(fnv1a('')).toBe(0xcbf29ce484222325n)
    expect(fnv1a('a')).toBe(0xaf63dc4c8601ec8cn)
    expect(fnv1a('foobar')).toBe(0x85944171f73967e8n)
    const hash = fnv1a('demo\0sma-cross\0BTC/USDT')
    expect(clientOrderIdPrefix(SMA_ON_BTC)).toBe(hash.toString(36).padStart(13, '0'))
  })

  it('writes time and ordinal in base 36', () => {
    const anyWhen = fc.oneof(anyTime, fc.integer({ min: 36 ** 7 - 2, max: 36 ** 8 + 2 }), fc.double())
    fc.assert(
      fc.property(anyWhen, fc.oneof(anyOrdinal, fc.nat(40)), (decidedAt, ordinal) => {
        const expected = `p-${decidedAt.toString(36)}-${ordinal.toString(36)}`
        expect(clientOrderIdOf('p', decidedAt, ordinal)).toBe(expected)
      }),
    )
  })

  it('writes times near each other, one after the other, in base 36', () => {
    const anySteps = fc.array(fc.integer({ min: -(36 ** 4), max: 36 ** 4 }), { minLength: 2, maxLength: 10 })
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(1980, 0), max: Date.UTC(2050, 0) }),
        anySteps,
        (start, steps) => {
          for (const step of steps) {
            expect(clientOrderIdOf('p', start + step, 0)).toBe(`p-${(start + step).toString(36)}-0`)
          }
        },
      ),
    )
  })

  it('tells time and ordinal apart', () => {
    expect(clientOrderIdOf('p', 36, 1)).toBe('p-10-1')
    expect(clientOrderIdOf('p', 1, 36)).toBe('p-1-10')
  })
})
