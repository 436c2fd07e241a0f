import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pageFiles } from '../../src/web/server/page-files.ts'

/** The page is JavaScript for browsers, which the type checker of the tests does not read. */
const PAGE = new URL('../../src/web/page/', import.meta.url).pathname
const { NewsWatch } = await import(/* @vite-ignore */ `${PAGE}news-watch.js`)
const { followChanges } = await import(/* @vite-ignore */ `${PAGE}server-calls.js`)

/** A connection that a test opens and ends. */
class FakeEvents extends EventTarget {
  static all: FakeEvents[] = []
  readyState = 0

  constructor() {
    super()
    FakeEvents.all.push(this)
  }

  /** The server answers with an error: the browser gives the connection up. */
  refuse(): void {
    this.readyState = 2
    this.dispatchEvent(new Event('error'))
  }
}

beforeEach(() => {
  FakeEvents.all = []
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', FakeEvents)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Follows changes of a server that answers with these statuses, the last of them for ever. */
function following(...statuses: readonly number[]) {
  let calls = 0
  const status = () => statuses[Math.min(calls++, statuses.length - 1)] ?? 200
  vi.stubGlobal('fetch', async () => new Response('{}', { status: status() }))
  const said: string[] = []
  followChanges({
    onChange: () => said.push('changed'),
    onLost: () => said.push('lost'),
    onLoggedOut: () => said.push('logged out'),
  })
  return said
}

describe('the connection of an open page', () => {
  it('asks for a new login once the bot, started again, knows the session no more', async () => {
    const said = following(401)
    FakeEvents.all[0]?.refuse()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(said).toEqual(['lost', 'logged out'])
    expect(FakeEvents.all).toHaveLength(1)
  })

  it('is opened again once a bot that is starting answers', async () => {
    const said = following(503, 503, 200)
    FakeEvents.all[0]?.refuse()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(FakeEvents.all).toHaveLength(2)
    FakeEvents.all[1]?.dispatchEvent(new Event('changed'))
    expect(said).toEqual(['lost', 'changed'])
  })
})

it('says once since when nothing came, and once that something comes again', () => {
  let now = 1000
  const said: (number | undefined)[] = []
  const watch = new NewsWatch(
    () => now,
    (since: number | undefined) => said.push(since),
  )
  const lookAt = (time: number) => {
    now = time
    watch.look()
  }
  lookAt(15_999)
  expect(said).toEqual([])
  lookAt(16_000)
  lookAt(40_000)
  expect(said).toEqual([1000])
  watch.news()
  watch.news()
  lookAt(54_999)
  expect(said).toEqual([1000, undefined])
})

it('says at once since when nothing came where the connection is lost, and no second time', () => {
  let now = 1000
  const said: (number | undefined)[] = []
  const watch = new NewsWatch(
    () => now,
    (since: number | undefined) => said.push(since),
  )
  now = 4000
  watch.lost()
  now = 60_000
  watch.lost()
  watch.look()
  expect(said).toEqual([1000])
  watch.news()
  expect(said).toEqual([1000, undefined])
})

it('declares every name of its one script once: of two functions of a name the later would take the place of the first', () => {
  const script = pageFiles().get('/page.js')?.plain.toString() ?? ''
  const names = [...script.matchAll(/^(?:async )?(?:function\*?|class|const|let) (\w+)/gm)].map(
    ([, name]) => name,
  )
  expect(names.length).toBeGreaterThan(100)
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([])
})
