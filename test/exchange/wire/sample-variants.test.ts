import { describe, expect, it } from 'vitest'
import { SluiceError } from '../../../src/domain/sluice-error.ts'
import { readAnswer } from '../../../src/exchange/call/answer.ts'
import { contentOf } from '../../../src/exchange/call/error-envelope.ts'
import { ENDPOINTS, type EndpointKey } from '../../../src/exchange/endpoints.ts'
import { parseLossless } from '../../../src/exchange/wire/lossless-json.ts'
import { hasShared } from '../../shared-data.ts'
import { DOCUMENTED_CALLS, samplesOf } from '../documented/documented-samples.ts'
import { envelopeVariants, keyVariants, listVariants, ODD_TEXT, textOf } from './payload-variants.ts'

/** Values that stand for a key that is omitted, besides `undefined`. */
const DEFAULTS: Readonly<Record<string, readonly unknown[]>> = {
  // The caller knows the pair that it asked for; a cancel may take effect later.
  symbol: [''],
  contractName: [''],
  status: ['pendingCancel'],
  isSelfTrade: [false],
  // The id beside `orderIdString` in a documented payload with two different ones.
  orderId: ['150695552109032492'],
}

function read(key: EndpointKey, body: string): unknown {
  const answer = readAnswer(ENDPOINTS[key], { status: 200, body }, text => text)
  return answer === undefined ? undefined : JSON.parse(JSON.stringify(answer))
}

/** Paths at which a value differs from what the whole payload says and is not left out. */
function wrongValues(value: unknown, whole: unknown, path = ''): readonly string[] {
  if (value === undefined || value === null || value === whole) return []
  if (Array.isArray(value) && Array.isArray(whole)) {
    // A list may lack entries.
    return value.flatMap((entry, index) => {
      const found = whole.map(other => wrongValues(entry, other, `${path}.${index}`))
      return found.toSorted((left, right) => left.length - right.length)[0] ?? [`${path}.${index}`]
    })
  }
  if (typeof value === 'object' && typeof whole === 'object' && whole !== null)
    return Object.entries(value)
      .filter(([key]) => key !== 'unreadable')
      .flatMap(([key, inner]) => wrongValues(inner, Reflect.get(whole, key), `${path}.${key}`))
  if (typeof value === 'string' && value.includes(ODD_TEXT)) return []
  const key = path.slice(path.lastIndexOf('.') + 1)
  return DEFAULTS[key]?.includes(value) ? [] : [`${path} is ${JSON.stringify(value)}`]
}

const cases = Object.entries(DOCUMENTED_CALLS)
  .filter(([name]) => name !== 'errors')
  .flatMap(([name, calls]) => calls.map(({ endpoint }, index) => ({ name, index, endpoint })))

describe.runIf(hasShared('spec', 'samples'))('variants of the documented payload', () => {
  it.each(cases)('$name $index give its values or none', ({ name, index, endpoint }) => {
    const raw = samplesOf(name)[index]?.raw ?? ''
    const whole = read(endpoint, raw)
    const json = parseLossless(raw)
    const wrong = keyVariants(json).flatMap(({ change, payload, isSame }) => {
      try {
        const value = read(endpoint, textOf(payload, 'text'))
        if (isSame) expect(value, change).toEqual(whole)
        return wrongValues(value, whole).map(what => `${change}: ${what}`)
      } catch (error) {
        if (isSame || !(error instanceof SluiceError)) throw error
        expect(error.message, change).toMatch(/^The answer to|^The exchange (refused|may)/)
        return []
      }
    })
    expect(wrong).toEqual([])
  })

  it.each(cases)(
    '$name $index say the same in other notations and envelopes',
    ({ name, index, endpoint }) => {
      const raw = samplesOf(name)[index]?.raw ?? ''
      const whole = read(endpoint, raw)
      const json = parseLossless(raw)
      expect(read(endpoint, textOf(json, 'text')), 'numbers as text').toEqual(whole)
      expect(read(endpoint, textOf(json, 'numbers')), 'text as numbers').toEqual(whole)
      if ('keepsEnvelope' in ENDPOINTS[endpoint]) return
      const content = contentOf(json)
      const variants = Array.isArray(content)
        ? [...envelopeVariants(content), ...listVariants(content)]
        : envelopeVariants(content)
      for (const { change, payload } of variants)
        expect(read(endpoint, textOf(payload, 'text')), change).toEqual(whole)
    },
  )
})
