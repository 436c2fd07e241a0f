import type { ForbiddenReason } from './forbidden-error.ts'
import { forbid, StrategyScope } from './strategy-scope.ts'

/** Functions, by the object that has them. They are refused on call, through any reference. */
const FUNCTIONS: readonly (readonly [
  () => object | undefined,
  string,
  readonly string[],
  ForbiddenReason,
])[] = [
  [() => globalThis, '', ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'], 'timer'],
  [() => globalThis, '', ['fetch'], 'network'],
  [() => Math, 'Math.', ['random'], 'randomness'],
  [() => Atomics, 'Atomics.', ['wait', 'waitAsync'], 'timer'],
  [() => Performance.prototype, 'performance.', ['now'], 'clock'],
  [() => Crypto.prototype, 'crypto.', ['getRandomValues', 'randomUUID'], 'randomness'],
  [
    temporalNow,
    'Temporal.Now.',
    [
      ...['instant', 'plainDateISO', 'plainDateTimeISO', 'plainTimeISO', 'timeZoneId'],
      ...['zonedDateTimeISO', 'plainDate', 'plainDateTime', 'zonedDateTime'],
    ],
    'clock',
  ],
]

/** Global objects and classes, which are refused on access. Those that Node lacks are skipped. */
export const FORBIDDEN_OBJECTS: Readonly<Record<ForbiddenReason, readonly string[]>> = {
  clock: [
    ...['performance', 'Performance', 'PerformanceEntry', 'PerformanceMark', 'PerformanceMeasure'],
    ...['PerformanceObserver', 'PerformanceObserverEntryList', 'PerformanceResourceTiming'],
    ...['Event', 'CustomEvent', 'MessageEvent', 'CloseEvent', 'ErrorEvent', 'EventTarget', 'File', 'Blob'],
  ],
  randomness: ['crypto', 'Crypto', 'CryptoKey', 'SubtleCrypto', 'FormData'],
  timer: [
    ...['AbortController', 'AbortSignal', 'BroadcastChannel', 'MessageChannel', 'MessagePort'],
    ...['TransformStream', 'TransformStreamDefaultController', 'WritableStream'],
    ...['WritableStreamDefaultController', 'WritableStreamDefaultWriter', 'ReadableStream'],
    ...['ReadableStreamDefaultReader', 'ReadableStreamBYOBReader', 'ReadableStreamBYOBRequest'],
    ...['ReadableByteStreamController', 'ReadableStreamDefaultController', 'TextEncoderStream'],
    ...['TextDecoderStream', 'CompressionStream', 'DecompressionStream', 'SharedArrayBuffer'],
  ],
  network: ['WebSocket', 'EventSource', 'Request', 'Response', 'Headers'],
  process: ['process', 'navigator', 'Navigator', 'localStorage', 'sessionStorage', 'Storage'],
  garbage: ['FinalizationRegistry', 'WeakRef'],
  module: [],
}

let isGuarded = false

/**
 * From now on, code of strategies is refused the clock, randomness, timers, the network and the process, by
 * any path; other code uses them as before.
 */
export function guardGlobals(): void {
  if (isGuarded) return
  isGuarded = true
  guardDate()
  guardDateTexts()
  for (const [ownerOf, prefix, names, reason] of FUNCTIONS) {
    const owner = ownerOf()
    if (owner !== undefined)
      for (const name of names) guardFunction(owner, name, `${prefix}${name}()`, reason)
  }
  for (const [reason, names] of Object.entries(FORBIDDEN_OBJECTS)) {
    // The keys are those of the record.
    for (const name of names) guardRead(name, reason as ForbiddenReason)
  }
}

/** Guards `Date()`, `new Date()` and `Date.now()`; a date from a given time does not reveal the clock. */
function guardDate(): void {
  const Native = Date
  function Guarded(...parts: readonly unknown[]): unknown {
    if (new.target === undefined) {
      forbid('Date()', 'clock')
      return Native()
    }
    if (parts.length === 0) forbid('new Date()', 'clock')
    return Reflect.construct(Native, parts, new.target === Guarded ? Native : new.target)
  }
  const { prototype: _, ...statics } = Object.getOwnPropertyDescriptors(Native)
  Object.defineProperties(Guarded, statics)
  Object.defineProperty(Guarded, 'prototype', { value: Native.prototype })
  guardFunction(Guarded, 'now', 'Date.now()', 'clock')
  Object.defineProperty(Native.prototype, 'constructor', {
    value: Guarded,
    writable: true,
    configurable: true,
  })
  Object.defineProperty(globalThis, 'Date', { value: Guarded, writable: true, configurable: true })
}

/** Formatting without a date uses the current time. */
function guardDateTexts(): void {
  const { prototype } = Intl.DateTimeFormat
  const { formatToParts } = prototype
  const format = Object.getOwnPropertyDescriptor(prototype, 'format')
  const requireDate = (date: unknown) => {
    if (date === undefined) forbid('Intl.DateTimeFormat without a date', 'clock')
  }
  Object.defineProperty(prototype, 'format', {
    ...format,
    get(this: Intl.DateTimeFormat) {
      const native = format?.get?.call(this)
      if (StrategyScope.current === undefined) return native
      return (date?: Date | number) => {
        requireDate(date)
        return native(date)
      }
    },
  })
  prototype.formatToParts = function (this: Intl.DateTimeFormat, date) {
    requireDate(date)
    return formatToParts.call(this, date)
  }
}

function guardFunction(owner: object, name: string, used: string, reason: ForbiddenReason): void {
  const descriptor = Object.getOwnPropertyDescriptor(owner, name)
  const native: unknown = Reflect.get(owner, name)
  if (descriptor === undefined || typeof native !== 'function') return
  const guarded = new Proxy(native, {
    apply(target, self, args) {
      forbid(used, reason)
      return Reflect.apply(target, self, args)
    },
    // Node's own variants of a function, stored under symbols, do the same.
    get(target, key) {
      if (typeof key === 'symbol') forbid(used, reason)
      return Reflect.get(target, key)
    },
  })
  Object.defineProperty(owner, name, {
    value: guarded,
    writable: true,
    configurable: true,
    enumerable: descriptor.enumerable === true,
  })
}

function guardRead(name: string, reason: ForbiddenReason): void {
  const descriptor = Object.getOwnPropertyDescriptor(globalThis, name)
  if (descriptor?.configurable !== true) return
  const { get, enumerable = false } = descriptor
  const isData = 'value' in descriptor
  let value: unknown = descriptor.value
  const keep = (next: unknown) => {
    value = next
  }
  const set = isData ? keep : descriptor.set
  Object.defineProperty(globalThis, name, {
    configurable: true,
    enumerable,
    get() {
      forbid(name, reason)
      return isData ? value : get?.call(globalThis)
    },
    ...(set !== undefined && { set }),
  })
}

function temporalNow(): object | undefined {
  const temporal: unknown = Reflect.get(globalThis, 'Temporal')
  return temporal === undefined ? undefined : Reflect.get(temporal as object, 'Now')
}
