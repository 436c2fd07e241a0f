import type { BenchRow, Measured } from '../bench-row.ts'
import { inOwnProcess } from '../own-process.ts'

/** What a run of `order-latency-run.ts` gives, of each part. */
type Latency = Readonly<Record<keyof typeof PARTS, { readonly p50: Measured; readonly p99: Measured }>>

/** What is measured of an order, and what stands beside it. */
const PARTS = {
  arrived: 'from klines arrived (bare: one durable row, a fixed order)',
  read: 'from klines read (bare: one durable row, a fixed order)',
  disk: 'of that the wait for the disk (bare: one page)',
  own: 'without the disk (bare: a fixed order)',
} as const

/** Followed instruments, each of which trades on every kline, and the minutes to measure: some 300 orders, of which the 99th percentile is more than the worst. */
const RUNS = [
  { instruments: 1, minutes: 400, goals: { p50: 1.6, p99: 2 } },
  { instruments: 50, minutes: 8, goals: { p50: 1.6, p99: 2.5 } },
] as const

/**
 * From the arrival of the klines that close a minute to the bytes of the order they lead to on its socket: a whole bot with
 * its durable journal on the disk, at a simulated exchange in another process, over
 * loopback HTTP. The clock begins when the last answer that an order needs is with the operating system (klines are shown in
 * one order of all instruments), so that neither polling nor waiting for other instruments counts, but every wait behind our
 * own work does, and so does what the bot does for earlier orders at that time; "read" begins when the first bytes of that
 * answer are handed to our process. It ends when the order's bytes are with the operating system; both are seen at the
 * sockets, whichever client sends. Beside it, in turns minute by minute in the same run, and also by undici: a bare client that puts one
 * row on the disk and sends a fixed order. The goals are ratios to that client, because times depend on the machine. How long of
 * that the disk is waited for is told apart, beside the least that keeps anything on this machine: one page of a file that
 * does not grow, written and put on the disk about as often.
 */
export function orderLatency(): readonly BenchRow[] {
  return RUNS.flatMap(({ instruments, minutes, goals }) => {
    let measured: Promise<Latency> | undefined
    const run = (part: keyof Latency, share: 'p50' | 'p99') => async () => {
      measured ??= inOwnProcess<Latency>(
        import.meta.resolve('./order-latency-run.ts'),
        `${instruments}`,
        `${minutes}`,
      )
      const { value, floor } = (await measured)[part][share]
      return { value: value * 1000, floor: floor * 1000 }
    }
    const what = `klines to orders, ${instruments} of ${instruments} instruments trading`
    return (['arrived', 'read', 'disk', 'own'] as const).flatMap(part =>
      (['p50', 'p99'] as const).map(share => ({
        name: `${what}, ${PARTS[part]}, ${share}`,
        unit: 'µs',
        ...(part === 'read' && { goal: goals[share] }),
        run: run(part, share),
      })),
    )
  })
}
