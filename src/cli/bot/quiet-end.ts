import type { Streams } from '../streams.ts'

/** A pipe whose reader has ended, and a terminal that has closed. */
const READER_GONE = new Set(['EPIPE', 'EIO'])

/**
 * Ends without a word when a reader goes away, as in `… | head`: what runs until it is stopped is asked to stop, and
 * what ends by itself goes on, writing to nobody.
 */
export function endQuietlyWhenClosed({ out, err }: Streams): void {
  for (const stream of [out, err]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!READER_GONE.has(error.code ?? '')) throw error
      process.emit('SIGTERM', 'SIGTERM')
    })
  }
}
