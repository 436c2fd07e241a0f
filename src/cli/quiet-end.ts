import type { Streams } from './command-line.ts'

/**
 * Ends without a word when a reader goes away, as in `… | head`: what runs until it is stopped is asked to stop, and
 * what ends by itself goes on, writing to nobody.
 */
export function endQuietlyWhenClosed({ out, err }: Streams): void {
  for (const stream of [out, err]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      process.emit('SIGTERM', 'SIGTERM')
    })
  }
}
