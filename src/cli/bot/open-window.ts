import type { Logger } from 'pino'
import type { ControlServer } from '../../bot/control/control-server.ts'
import type { Venue } from '../../bot/venue/venue.ts'
import type { BotConfig } from '../../config/bot-config.ts'
import type { WebConfig } from '../../config/web-field.ts'
import type { JournalEntry } from '../../journal/journal-entry.ts'
import { JournalReader } from '../../journal/journal-reader.ts'
import type { WebServer } from '../../web/server/web-server.ts'
import type { LiveWindow } from '../../web/sources/live-window.ts'

/** Entries of the journal that a window shows from before the start. */
const REMEMBERED = 5000

/** Parts of a bot that has a window. */
interface WindowedBot {
  readonly config: Pick<BotConfig, 'bot'>
  readonly log: Logger
  readonly journal: { readonly path: string; readonly seq: number } | undefined
}

/** Opens the server of a window, which says that the bot is starting; rejects with `UsageError` where it cannot. */
export async function openWindow(config: WebConfig, log: Logger): Promise<WebServer> {
  const { startWebServer } = await import('../../web/server/web-server.ts')
  return startWebServer({
    ...config,
    onError: error => log.warn({ err: error }, 'the window failed at a request'),
  })
}

/** Says where a window is, lets its operator ask for further links, and makes what it shows. */
export async function showWindow(
  web: WebServer,
  control: ControlServer,
  { config: { bot }, log, journal }: WindowedBot,
  { serverNow }: Pick<Venue, 'serverNow'>,
): Promise<LiveWindow> {
  log.info({ webUrl: web.loginUrl('operate') }, 'the window is open')
  control.serveLinks(role => web.loginUrl(role))
  const { LiveWindow } = await import('../../web/sources/live-window.ts')
  const window = new LiveWindow({ bot, serverNow })
  if (journal !== undefined && journal.seq > 0) window.remember(latestEntries(journal))
  return window
}

/** The latest entries of a journal, after the session that they belong to. */
function* latestEntries({
  path,
  seq,
}: {
  readonly path: string
  readonly seq: number
}): Iterable<JournalEntry> {
  const reader = new JournalReader(path)
  try {
    const session = reader.sessionBefore(seq - REMEMBERED)
    if (session !== undefined) yield session
    yield* reader.entries({ after: Math.max(0, seq - REMEMBERED) })
  } finally {
    reader.close()
  }
}
