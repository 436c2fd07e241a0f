import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { WeekPace } from './week-bot.ts'
import type { Weight } from './weight.ts'

/** A bot that trades, and how often it is weighed. */
export interface MemoryRun extends WeekPace {
  /** Virtual minutes from one sample to the next. */
  readonly everyMinutes: number
  readonly samples: number
  /** Entries that its journal keeps. */
  readonly keepEntries: number
}

/** What a bot weighs at a moment, without the exchange that it trades at. */
export interface MemorySample extends Weight {
  /** Virtual time since the start. */
  readonly minutes: number
  /** Orders that are over, orders sent to the exchange, and entries of the journal, since the start. */
  readonly finished: number
  readonly placed: number
  readonly entries: number
  readonly journalMegabytes: number
  /** Heap of the exchange, which lives in a thread of its own. */
  readonly exchangeMegabytes: number
  /** Real time since the sample before. */
  readonly seconds: number
}

const RUN = fileURLToPath(import.meta.resolve('./memory-run.ts'))

/** Lets a bot trade in a process of its own, and weighs it there. */
export async function* memorySamples(run: MemoryRun): AsyncGenerator<MemorySample> {
  const child = spawn(process.execPath, ['--expose-gc', RUN, JSON.stringify(run)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  for await (const line of createInterface(child.stdout)) yield JSON.parse(line)
  const [code] = await ended
  if (code !== 0) throw new Error(`The bot that was weighed ended with ${code}.`)
}

/** By how many MB a day something grows, fitted to samples by least squares. */
export function growthPerDay(samples: readonly MemorySample[], of: (sample: MemorySample) => number): number {
  const days = samples.map(({ minutes }) => minutes / 1440)
  const values = samples.map(of)
  const [day, value] = [mean(days), mean(values)]
  const spread = days.reduce((sum, one) => sum + (one - day) ** 2, 0)
  return days.reduce((sum, one, index) => sum + (one - day) * ((values[index] ?? value) - value), 0) / spread
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
