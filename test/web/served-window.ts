import { request } from 'undici'
import { webField } from '../../src/config/web-field.ts'
import { startWebServer, type WebServer, type WebServerOptions } from '../../src/web/server/web-server.ts'
import type { WindowSource } from '../../src/web/window-source.ts'
import { afterTest } from '../after-test.ts'

/** A command that reached the source, with its origin. */
export interface Commanded {
  readonly request: object
  readonly origin: object
}

/** What a browser sends; the cookie and the proof of a session among it. */
export type Sent = Readonly<Record<string, string>>

/** A source of a bot called "demo" that notes commands. */
function sourceOf(commanded: Commanded[] = [], views: Readonly<Record<string, unknown>> = {}): WindowSource {
  return {
    bot: 'demo',
    isLive: true,
    version: () => commanded.length,
    read: async view => (Object.hasOwn(views, view) ? views[view] : undefined),
    file: async () => undefined,
    operate: async (given, origin) => {
      commanded.push({ request: given, origin })
      return { ok: false, message: 'Done.', isUsage: false }
    },
  }
}

/** A window on any free port of this machine, closed after the test. */
export class ServedWindow {
  readonly server: WebServer
  readonly commanded: Commanded[]

  private constructor(server: WebServer, commanded: Commanded[]) {
    this.server = server
    this.commanded = commanded
  }

  static async open(
    config: object = {},
    options: Partial<Pick<WebServerOptions, 'now' | 'streams' | 'silenceMs' | 'studyPath'>> = {},
    views: Readonly<Record<string, unknown>> = {},
  ): Promise<ServedWindow> {
    const server = await startWebServer({ ...webField.parse(config), ...options, onError: () => {} })
    afterTest(() => server.close())
    const commanded: Commanded[] = []
    server.serve(sourceOf(commanded, views))
    return new ServedWindow(server, commanded)
  }

  get url(): string {
    return this.server.url
  }

  /** Calls a path as the page does, but for what is given. */
  async call(method: 'GET' | 'POST', path: string, headers: Sent = {}, body?: object | string) {
    const {
      statusCode,
      headers: given,
      body: answer,
    } = await request(`${this.url}${path}`, {
      method,
      headers: {
        ...(method === 'POST' && { origin: this.url, 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: statusCode, headers: given, text, json: parsed(text) }
  }

  /** Logs in by a link; the headers of the session. */
  async logIn(role: 'read' | 'operate' = 'operate'): Promise<Sent> {
    const token = this.server.loginUrl(role).split('#login=')[1] ?? ''
    return sessionIn(await this.call('POST', '/api/login', {}, { token }))
  }

  /** Sends a command with the headers of a session. */
  command(session: Sent, more: object = {}, headers: Sent = {}) {
    const body = { command: 'halt', reason: 'a drill', ...more }
    return this.call('POST', '/api/commands', { ...session, ...headers }, body)
  }
}

/** Headers of a session that an answer has begun. */
export function sessionIn(answer: Awaited<ReturnType<ServedWindow['call']>>): Sent {
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? ''
  return { cookie, 'x-sluice-csrf': String(answer.json.csrf) }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
