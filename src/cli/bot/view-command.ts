import { loadStrategy } from '../../bot/start/load-strategy.ts'
import { webField } from '../../config/web-field.ts'
import { startWebServer } from '../../web/server/web-server.ts'
import { JournalWindow } from '../../web/sources/journal-window.ts'
import { requireJournal } from '../existing-journal.ts'
import type { OutputStreams } from '../streams.ts'
import { onStopSignal } from './stop-signal.ts'

/** Options of a window on a journal. */
export interface ViewOptions {
  /** Paths of the journals, one for each bot, at least one. */
  readonly journals: readonly string[]
  /** TCP port; 0 takes any free one. */
  readonly port: number
  readonly json: boolean
  /** Path of the study file whose studies are shown; `false` for none. */
  readonly study: string | false
}

/** Shows journals in a browser until SIGINT, SIGTERM or SIGHUP, then resolves to exit code 0; rejects with `UsageError`. */
export async function runView(
  { journals, port, json, study }: ViewOptions,
  { out, err }: OutputStreams,
): Promise<number> {
  const windows = await openAll(journals, err)
  const server = await startWebServer({
    ...webField.parse({ port }),
    studyPath: study === false ? undefined : study,
    onError: error => err.write(`The window failed at a request: ${String(error)}\n`),
  })
  server.serve(...windows)
  const stopped = new Promise<string>(resolve => onStopSignal(resolve))
  const webUrl = server.loginUrl('read')
  out.write(
    json
      ? `${JSON.stringify({ webUrl })}\n`
      : `Window: ${webUrl} (logs in once, within a minute). Stop it with Ctrl-C.\n`,
  )
  await stopped
  await server.close()
  for (const window of windows) window.close()
  return 0
}

/** Windows on all journals that can be shown; says which cannot, and throws what the last one threw if none can. */
async function openAll(
  journals: readonly string[],
  err: OutputStreams['err'],
): Promise<readonly JournalWindow[]> {
  const windows: JournalWindow[] = []
  for (const [index, journal] of journals.entries())
    try {
      requireJournal(journal)
      windows.push(await JournalWindow.open(journal, loadStrategy))
    } catch (error) {
      if (windows.length === 0 && index === journals.length - 1) throw error
      err.write(`${journal} is not shown: ${error instanceof Error ? error.message : String(error)}\n`)
    }
  return windows
}
