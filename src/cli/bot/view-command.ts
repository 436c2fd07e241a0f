import { loadStrategy } from '../../bot/start/load-strategy.ts'
import { webField } from '../../config/web-field.ts'
import { startWebServer } from '../../web/server/web-server.ts'
import { JournalWindow } from '../../web/sources/journal-window.ts'
import { requireJournal } from '../existing-journal.ts'
import type { OutputStreams } from '../streams.ts'
import { onStopSignal } from './stop-signal.ts'

/** Options of a window on a journal. */
export interface ViewOptions {
  /** Path of the journal. */
  readonly journal: string
  /** TCP port; 0 takes any free one. */
  readonly port: number
  readonly json: boolean
}

/** Shows a journal in a browser until SIGINT, SIGTERM or SIGHUP, then resolves to exit code 0; rejects with `UsageError`. */
export async function runView(
  { journal, port, json }: ViewOptions,
  { out, err }: OutputStreams,
): Promise<number> {
  requireJournal(journal)
  const window = await JournalWindow.open(journal, loadStrategy)
  const server = await startWebServer({
    ...webField.parse({ port }),
    onError: error => err.write(`The window failed at a request: ${String(error)}\n`),
  })
  server.serve(window)
  const stopped = new Promise<string>(resolve => onStopSignal(resolve))
  const webUrl = server.loginUrl('read')
  out.write(
    json
      ? `${JSON.stringify({ webUrl })}\n`
      : `Window: ${webUrl} (logs in once, within a minute). Stop it with Ctrl-C.\n`,
  )
  await stopped
  await server.close()
  window.close()
  return 0
}
