import type { Logger } from 'pino'
import type { ControlServer } from '../../bot/control/control-server.ts'
import type { Venue } from '../../bot/venue/venue.ts'
import type { RunningComparison } from '../../compare/running-comparison.ts'
import type { BotConfig } from '../../config/bot-config.ts'
import type { WebConfig } from '../../config/web-field.ts'
import { DEFAULT_STUDY } from '../../studies/default-study.ts'
import type { WebServer } from '../../web/server/web-server.ts'
import type { LiveWindow } from '../../web/sources/live-window.ts'
import { latestEntries } from './latest-entries.ts'

/** Parts of a bot that has a window. */
interface WindowedBot {
  readonly config: Pick<BotConfig, 'bot'>
  readonly log: Logger
  readonly journal: { readonly path: string; readonly seq: number } | undefined
  readonly comparison: RunningComparison | undefined
}

/** Opens the server of a window, which says that the bot is starting; rejects with `UsageError` where it cannot. */
export async function openWindow(config: WebConfig, log: Logger, metricsToken?: string): Promise<WebServer> {
  const { startWebServer } = await import('../../web/server/web-server.ts')
  return startWebServer({
    ...config,
    metricsToken,
    hasProbes: true,
    studyPath: studyPathOf(config.study ?? process.env.SLUICE_STUDY ?? DEFAULT_STUDY),
    onError: error => log.warn({ err: error }, 'the window failed at a request'),
  })
}

/** Path of a study file that is given as on the command line, where `none` is none. */
function studyPathOf(given: string): string | undefined {
  return given === 'none' ? undefined : given
}

/** Says where a window is, lets its operator ask for further links, and makes what it shows. */
export async function showWindow(
  web: WebServer,
  control: ControlServer,
  { config: { bot }, log, journal, comparison }: WindowedBot,
  { serverNow }: Pick<Venue, 'serverNow'>,
): Promise<LiveWindow> {
  log.info({ webUrl: web.loginUrl('operate') }, 'the window is open')
  control.serveLinks(role => web.loginUrl(role))
  const { LiveWindow } = await import('../../web/sources/live-window.ts')
  const window = new LiveWindow({
    ...{ bot, serverNow, comparison: () => comparison?.latest },
    ...(journal !== undefined && { journal: journal.path }),
  })
  if (journal !== undefined && journal.seq > 0) {
    const { entries, since } = latestEntries(journal.path)
    window.remember(entries, since)
  }
  return window
}
