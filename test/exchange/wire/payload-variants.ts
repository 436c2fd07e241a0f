import type { LosslessJson } from '../../../src/exchange/wire/lossless-json.ts'

/** JSON as it is written, with ids and decimals as text. */
export type Payload = LosslessJson

type Path = readonly (string | number)[]

/** A payload that differs from a documented one. */
export interface Variant {
  /** Change, for the name of a failure. */
  readonly change: string
  readonly payload: Payload
  /** True if it says the same as the documented payload. */
  readonly isSame: boolean
}

const ABSENT = Symbol('absent')

/** Values that hosts send in place of a value. */
const OMITTED = [ABSENT, null, ''] as const
/** Text that no key has; names and ids may be any text, and then have this one. */
export const ODD_TEXT = '?'
/** Values that are none of a key with text. */
const UNREADABLE: readonly Payload[] = [ODD_TEXT, {}, []]
/** Values that are none of a key with a number. */
const NO_NUMBERS: readonly Payload[] = [...UNREADABLE, true, 'NaN', '1e999', '--1', 'Infinity']

/** The payload with one key after the other omitted or unreadable, and with a key that nobody knows. */
export function keyVariants(payload: Payload): readonly Variant[] {
  return keyPaths(payload).flatMap(path => [
    ...OMITTED.map(value => ({ ...changed(payload, path, value), isSame: false })),
    ...oddValuesOf(payload, path).map(value => ({ ...changed(payload, path, value), isSame: false })),
    { ...changed(payload, [...path.slice(0, -1), 'keyOfAnotherVersion'], '7'), isSame: true },
  ])
}

/** The payload inside the envelopes of an answer. */
export function envelopeVariants(payload: Payload): readonly Variant[] {
  const same = (change: string, wrapped: Payload) => ({ change, payload: wrapped, isSame: true })
  return [
    same('in { code, msg, data }', { code: '0', msg: '成功', data: payload }),
    same('in { code, msg, data, succ }', {
      code: '200',
      msg: null,
      data: payload,
      succ: true,
      msgData: null,
    }),
    same('in { data }', { data: payload }),
  ]
}

/** A list inside the envelopes of lists. */
export function listVariants(payload: Payload): readonly Variant[] {
  const same = (change: string, wrapped: Payload) => ({ change, payload: wrapped, isSame: true })
  return [
    same('bare', payload),
    same('in { list }', { list: payload }),
    same('in { count, list }', { count: '1', list: payload }),
    same('in { data: { list } }', { data: { list: payload } }),
    same('in { code, data: { list } }', { code: '0', msg: 'success', data: { list: payload } }),
  ]
}

/** JSON text in which numbers are written as text, or text that is a number as a number. */
export function textOf(payload: Payload, numbersAs: 'text' | 'numbers'): string {
  const text = JSON.stringify(payload)
  return numbersAs === 'text'
    ? text
    : text.replace(/"(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:E[+-]?\d+)?)"(?!:)/g, '$1')
}

function keyPaths(payload: Payload, path: Path = []): readonly Path[] {
  if (typeof payload !== 'object' || payload === null) return []
  if (isList(payload)) {
    // Entries of a list are alike; its first ones show every key.
    return payload.slice(0, 2).flatMap((entry, index) => keyPaths(entry, [...path, index]))
  }
  return Object.entries(payload).flatMap(([key, value]) => [
    [...path, key],
    ...keyPaths(value, [...path, key]),
  ])
}

function oddValuesOf(payload: Payload, path: Path): readonly Payload[] {
  const value = path.reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), payload)
  const key = String(path.at(-1))
  if (/^(is|can)/.test(key)) return UNREADABLE
  const isName = /id(String)?$|^scene$/i.test(key)
  return typeof value === 'string' && /^-?[\d.]+$/.test(value) && !isName ? NO_NUMBERS : UNREADABLE
}

function changed(payload: Payload, path: Path, value: Payload | typeof ABSENT) {
  const shown = value === ABSENT ? 'absent' : JSON.stringify(value)
  return { change: `${path.join('.')} ${shown}`, payload: withValue(payload, path, value) }
}

function withValue(payload: Payload, [key, ...rest]: Path, value: Payload | typeof ABSENT): Payload {
  if (key === undefined) return value === ABSENT ? null : value
  if (typeof payload !== 'object' || payload === null) return payload
  if (isList(payload))
    return payload.map((entry, index) => (index === key ? withValue(entry, rest, value) : entry))
  if (rest.length > 0) return { ...payload, [key]: withValue(payload[key] ?? null, rest, value) }
  const { [key]: _, ...others } = payload
  return value === ABSENT ? others : { ...others, [key]: value }
}

function isList(json: object): json is readonly LosslessJson[] {
  return Array.isArray(json)
}
