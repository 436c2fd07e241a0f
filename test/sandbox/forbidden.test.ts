import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { FORBIDDEN_OBJECTS } from '../../src/sandbox/guard-globals.ts'
import { LATER_MOMENTS, LATER_USES, MOMENTS, USES } from './forbidden-uses.ts'

/** What a backtest told, by use and moment. */
let told: ReadonlyMap<string, string>
let globals: readonly string[]

beforeAll(async () => {
  const script = fileURLToPath(new URL('./run-careless.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script], { maxBuffer: 2 ** 26 })
  const written: { globals: string[]; told: [string, string, string][] } = JSON.parse(stdout)
  globals = written.globals
  told = new Map(written.told.map(([code, moment, message]) => [`${code} in ${moment}`, message]))
}, 120_000)

function requireRefused(uses: typeof USES, moment: string): void {
  for (const [code, used, advice] of uses) {
    const message = told.get(`${code} in ${moment}`)
    expect(message, code).toContain(`A strategy must not use ${used}: `)
    expect(message, code).toContain(advice)
  }
}

describe('a strategy in a backtest', () => {
  it.each(Object.keys(MOMENTS))('is refused everything that no backtest can repeat, in %s', moment => {
    requireRefused(USES, moment)
  })

  it.each(LATER_MOMENTS)('is refused modules of Node and builtin reactions, in %s', moment => {
    requireRefused(LATER_USES, moment)
  })
})

describe('the globals of Node', () => {
  it('are the language, harmless, refused as they are read, or refused as they are called', () => {
    const language = `Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date
      Promise RegExp Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError globalThis JSON
      Math Intl ArrayBuffer Atomics Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array BigUint64Array
      BigInt64Array Uint8ClampedArray Float16Array Float32Array Float64Array DataView Map BigInt Set Iterator WeakMap WeakSet
      Proxy Reflect decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape eval isFinite isNaN Temporal
      SuppressedError DisposableStack AsyncDisposableStack WebAssembly`
    const harmless = `console global Buffer URL URLSearchParams URLPattern DOMException QuotaExceededError TextEncoder
      TextDecoder ByteLengthQueuingStrategy CountQueuingStrategy structuredClone atob btoa clearImmediate clearInterval
      clearTimeout`
    const called = 'setTimeout setInterval setImmediate queueMicrotask fetch'
    const known = new Set([
      ...`${language} ${harmless} ${called}`.split(/\s+/),
      ...Object.values(FORBIDDEN_OBJECTS).flat(),
    ])
    expect(globals.filter(name => !known.has(name))).toEqual([])
  })
})
