import type { BenchRow } from '../bench-row.ts'
import { inOwnProcess } from '../own-process.ts'
import type { Audience } from './window-readers.ts'

/** What a watched run of `order-latency-run.ts` gives, in ms. */
interface Watched {
  readonly watched: Readonly<Record<Audience, { readonly p50: number; readonly p99: number }>>
}

/** Minutes to measure, a third for each audience. */
const MINUTES = 450

/**
 * From klines read to the bytes of an order, without the disk, of a bot whose window is open: one page, and 50 readers of whom
 * half never read what they are sent. Both stand beside the same bot in the same run with nobody there, five minutes of market
 * each in turns; readers are in a process of their own, and ask for views every second of real time.
 */
export function watchedLatency(): readonly BenchRow[] {
  let measured: Promise<Watched> | undefined
  const run = (audience: Audience, share: 'p50' | 'p99') => async () => {
    measured ??= inOwnProcess<Watched>(
      import.meta.resolve('./order-latency-run.ts'),
      ...['1', `${MINUTES}`, '', 'watched'],
    )
    const { watched } = await measured
    return { value: watched[audience][share] * 1000, floor: watched.none[share] * 1000 }
  }
  const what = { page: 'one page', crowd: '50 readers, half of them dead' } as const
  return (['page', 'crowd'] as const).flatMap(audience =>
    (['p50', 'p99'] as const).map(share => ({
      name: `klines to orders, window with ${what[audience]} (bare: nobody), ${share}`,
      unit: 'µs',
      run: run(audience, share),
    })),
  )
}
