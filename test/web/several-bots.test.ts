import { describe, expect, it } from 'vitest'
import type { WindowSource } from '../../src/web/window-source.ts'
import { ServedWindow } from './served-window.ts'

/** A source of a bot that notes its commands. */
function source(bot: string, isLive: boolean, commanded: string[] = []): WindowSource {
  return {
    ...{ bot, isLive },
    version: () => 1,
    read: async (view, query) => (view === 'overview' ? { bot, query } : undefined),
    file: async name => ({ name, type: 'text/csv', content: bot }),
    operate: async ({ command }) => {
      commanded.push(`${command} ${bot}`)
      return { ok: false, message: 'Done.', isUsage: false }
    },
  }
}

async function several() {
  const commanded: string[] = []
  const window = await ServedWindow.open()
  window.server.serve(
    source('first', true, commanded),
    source('second', false, commanded),
    source('third', true, commanded),
  )
  const session = await window.logIn()
  return { window, session, commanded }
}

describe('a window of several bots', () => {
  it('names all of them, and shows the one that is asked for, the first by default', async () => {
    const { window, session } = await several()
    const { bots } = (await window.call('GET', '/api/session', session)).json
    expect(bots).toEqual([
      { bot: 'first', label: 'first', isLive: true, role: 'operate' },
      { bot: 'second', label: 'second', isLive: false, role: 'read' },
      { bot: 'third', label: 'third', isLive: true, role: 'operate' },
    ])
    const shown = async (query: string) =>
      (await window.call('GET', `/api/views/overview${query}`, session)).json
    expect(await shown('')).toEqual({ bot: 'first', query: {} })
    expect(await shown('?bot=1&id=7')).toEqual({ bot: 'second', query: { id: '7' } })
    expect((await window.call('GET', '/api/files/trips.csv?bot=2', session)).text).toBe('third')
  })

  it('tells two journals of one name apart by their paths', async () => {
    const window = await ServedWindow.open()
    window.server.serve(
      { ...source('demo', false), place: 'data/demo.journal' },
      { ...source('demo', false), place: 'old/demo.journal' },
      { ...source('other', false), place: 'data/other.journal' },
    )
    const { bots } = (await window.call('GET', '/api/session', await window.logIn())).json
    expect(bots).toMatchObject([
      { bot: 'demo', label: 'demo (data/demo.journal)' },
      { bot: 'demo', label: 'demo (old/demo.journal)' },
      { bot: 'other', label: 'other' },
    ])
  })

  it.each(['3', '-1', '1.5', 'length', '__proto__', ''])('has no bot at place "%s"', async place => {
    const { window, session } = await several()
    const path = `/api/views/overview?bot=${place}`
    // An empty place is the first.
    expect((await window.call('GET', path, session)).status).toBe(place === '' ? 200 : 404)
  })

  it('commands the bot that is asked for, by its own name, and no journal', async () => {
    const { window, session, commanded } = await several()
    const kill = (place: number, confirm: string) =>
      window.call('POST', `/api/commands?bot=${place}`, session, {
        command: 'kill',
        reason: 'a drill',
        confirm,
      })
    expect((await kill(2, 'first')).status).toBe(400)
    expect((await kill(1, 'second')).status).toBe(403)
    expect((await kill(9, 'first')).status).toBe(404)
    expect(commanded).toEqual([])
    expect((await kill(2, 'third')).status).toBe(200)
    expect(commanded).toEqual(['kill third'])
  })
})
