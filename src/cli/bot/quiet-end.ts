import type { OutputStreams } from '../streams.ts'

/** Errors of a pipe without a reader, and of a closed terminal. */
const READER_GONE = new Set(['EPIPE', 'EIO'])

/**
 * Ends without an error when a reader goes away, as in `… | head`: long-running commands are asked to stop,
 * and others continue without output.
 */
export function endQuietlyWhenClosed({ out, err }: OutputStreams): void {
  for (const stream of [out, err]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!READER_GONE.has(error.code ?? '')) throw error
      process.emit('SIGTERM', 'SIGTERM')
    })
  }
}
