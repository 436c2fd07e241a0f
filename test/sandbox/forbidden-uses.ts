/** Uses of what a strategy must not use: the code, and how the sentence begins and what it advises. */
export const USES: readonly (readonly [code: string, used: string, advice: string])[] = [
  ['Date.now()', 'Date.now()', 'Use market time'],
  ['new Date()', 'new Date()', 'Use market time'],
  ['Date()', 'Date()', 'Use market time'],
  ["new Date(0)['constructor'].now()", 'Date.now()', 'Use market time'],
  ['new (class extends Date {})()', 'new Date()', 'Use market time'],
  ['Reflect.construct(Date, [])', 'new Date()', 'Use market time'],
  ['[0].map(Date.now)', 'Date.now()', 'Use market time'],
  ['globalThis.Date.now()', 'Date.now()', 'Use market time'],
  ["Function('return Date.now()')()", 'Date.now()', 'Use market time'],
  ["(() => {})['constructor']('return process')().pid", 'process', 'Use parameters'],
  ["(0, eval)('Date.now()')", 'Date.now()', 'Use market time'],
  ['performance.now()', 'performance', 'Use market time'],
  ['new Intl.DateTimeFormat().format()', 'Intl.DateTimeFormat without a date', 'Use market time'],
  ['new Intl.DateTimeFormat().formatToParts()', 'Intl.DateTimeFormat without a date', 'Use market time'],
  ['Temporal.Now.instant()', 'Temporal.Now.instant()', 'Use market time'],
  ["new Event('a').timeStamp", 'Event', 'Use market time'],
  ['Math.random()', 'Math.random()', 'Use a seeded generator'],
  ['globalThis.crypto.randomUUID()', 'crypto', 'Use a seeded generator'],
  ['setTimeout(() => {}, 1)', 'setTimeout()', "Use a timer on market time: timers: { hourly: every('1h') }"],
  ['setInterval(() => {}, 1)', 'setInterval()', 'Use a timer on market time'],
  ['setImmediate(() => {})', 'setImmediate()', 'Use a timer on market time'],
  ['queueMicrotask(() => {})', 'queueMicrotask()', 'Use a timer on market time'],
  ['AbortSignal.timeout(1)', 'AbortSignal', 'Use a timer on market time'],
  ['new MessageChannel()', 'MessageChannel', 'Use a timer on market time'],
  ['process.hrtime()', 'process', 'Use parameters'],
  ['process.env.HOME', 'process', 'Use parameters'],
  ["process.getBuiltinModule('node:fs')", 'process', 'Use parameters'],
  ['globalThis.process.pid', 'process', 'Use parameters'],
  ['global.process.pid', 'process', 'Use parameters'],
  ['localStorage.length', 'localStorage', 'Use parameters'],
  ["fetch('http://127.0.0.1:9')", 'fetch()', 'Use feeds'],
  ["new WebSocket('ws://127.0.0.1:9')", 'WebSocket', 'Use feeds'],
  ['new WeakRef({}).deref()', 'WeakRef', 'Keep values in state'],
  ['new FinalizationRegistry(() => {})', 'FinalizationRegistry', 'Keep values in state'],
]

/** Uses that fail in a promise rather than at once. */
export const LATER_USES: typeof USES = [
  ["import('node:fs')", 'the module node:fs', 'Use feeds for data'],
  ["import('fs')", 'the module node:fs', 'Use feeds for data'],
  ["import('node:' + 'crypto')", 'the module node:crypto', 'Use feeds for data'],
  ['import(\'data:text/javascript,import "node:fs"\')', 'the module node:fs', 'Use feeds for data'],
  ['Promise.resolve().then(Date.now)', 'Date.now()', 'Use market time'],
]

const define = (definition: string) => `export default defineStrategy({ name: 'careless', ${definition} })`
const caught = (code: string) => `try { ${code} } catch {}`

/** Moments at which a strategy's code runs, as the text of a strategy file without its imports. */
export const MOMENTS: Readonly<Record<string, (code: string) => string>> = {
  import: code => `${code}\n${define('')}`,
  'import, caught': code => `${caught(code)}\n${define('')}`,
  'a promise of the import': code => `Promise.resolve().then(() => { ${code} })\n${define('')}`,
  'the import of a helper': code => `import './helper.ts'\n${define('')}\n//helper\n${code}`,
  'a call of a helper': code =>
    `import { help } from './helper.ts'\n${define('onKline: () => help()')}\n//helper\nexport function help() { ${code} }`,
  check: code => define(`check: () => { ${code} }`),
  feeds: code => define(`feeds: () => { ${code}; return {} }`),
  indicators: code => define(`indicators: () => { ${code}; return {} }`),
  'an indicator': code =>
    define(
      `indicators: () => ({ own: { requiredKlines: 1, value: 0, isReady: true, update() { ${code} } } })`,
    ),
  state: code => define(`state: () => { ${code}; return {} }`),
  onStart: code => define(`onStart: () => { ${code} }`),
  onKline: code => define(`onKline: () => { ${code} }`),
  'onKline, caught': code => define(`onKline: () => { ${caught(code)} }`),
  onFill: code => define(`onKline: () => enterLong({ size: { base: 1 } }), onFill: () => { ${code} }`),
  'a timer': code => define(`timers: { hour: every('1m') }, on: { hour: () => { ${code} } }`),
  'a promise left behind': code => define(`onKline: () => { Promise.resolve().then(() => { ${code} }) }`),
  'a promise left behind, caught': code =>
    define(`onKline: () => { Promise.resolve().then(() => { ${code} }).catch(() => {}) }`),
  'an async function left behind': code =>
    define(`onKline: () => { (async () => { await 0; await 0; ${code} })() }`),
}

/** Moments of uses that fail in a promise. */
export const LATER_MOMENTS = ['import', 'onStart', 'onKline', 'a promise left behind']
