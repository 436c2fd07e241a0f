import type { BenchRow, Measured } from './bench-row.ts'
import { inOwnProcess } from './own-process.ts'

/** What a run of `order-latency-run.ts` gives, from each of the two moments. */
type Latency = Readonly<Record<'arrived' | 'read', { readonly p50: Measured; readonly p99: Measured }>>

/** Followed instruments, each of which trades on every kline, and the minutes to measure. */
const RUNS = [
  { instruments: 1, minutes: 100 },
  { instruments: 50, minutes: 8 },
] as const

/**
 * From the arrival of the klines that close a minute to the bytes of the order they lead to on its socket: a whole bot with
 * its durable journal on the disk, at a simulated exchange in another process, over loopback HTTP. The clock begins when
 * the last answer that an order needs is with the operating system (klines are shown in one order of all instruments), so
 * that neither polling nor waiting for other instruments counts, but every wait behind our own work does, and so does what
 * the bot does for earlier orders at that time; "read" begins when the first bytes of that answer are handed to our
 * process. It ends when the order's bytes are with the operating system; both are seen at the sockets, whichever client
 * sends. Beside it, and sent the same way: a bare client that puts a row on the disk and sends a fixed order.
 */
export function orderLatency(): readonly BenchRow[] {
  return RUNS.flatMap(({ instruments, minutes }) => {
    let measured: Promise<Latency> | undefined
    const run = (from: keyof Latency, share: 'p50' | 'p99') => async () => {
      measured ??= inOwnProcess<Latency>('order-latency-run.ts', `${instruments}`, `${minutes}`)
      const { value, floor } = (await measured)[from][share]
      return { value: value * 1000, floor: floor * 1000 }
    }
    const what = `klines to orders, ${instruments} of ${instruments} instruments trading`
    return (['arrived', 'read'] as const).flatMap(from =>
      (['p50', 'p99'] as const).map(share => ({
        name: `${what}, from klines ${from}, ${share} (bare: one durable row, a fixed order)`,
        unit: 'µs',
        run: run(from, share),
      })),
    )
  })
}
