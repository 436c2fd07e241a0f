import { BLOCK } from './kline-blocks.ts'
import type { MarketPlayer } from './market-player.ts'
import {
  type MomentPlayback,
  type Playback,
  type PlaybackOptions,
  playbackOf,
  type StretchPlayback,
  type TradedPlayer,
} from './playback.ts'
import type { Resumable } from './resumable.ts'

/** Klines of the first step: few, since it is not known what a strategy takes for each. */
const FIRST_STEP = 8
/** Steps of up to this many ms double the next; those of more than four times as many shorten it to about this. */
const QUICK_STEP_MS = 25

/** Called whenever klines have closed, after all that they led to; `false` ends it all. */
export type OnClosed = () => boolean

/** Sets everything up, and plays it as `playThrough` does. */
export function* playMarkets(options: PlaybackOptions): Resumable<void> {
  yield* playThrough(playbackOf(options))
}

/**
 * Plays the klines of an account in one order of time, with a pause every so many klines; see `Resumable`.
 *
 * Two loops do that by the same rules. `playMoments` is the general one: it goes from each moment at which anything happens in
 * any market, feed or record of ticks to the next. Between the klines of a market that is alone nothing happens, so that
 * `playStretches` need not look: it plays all rows up to the next on which an order trades or a decision is made by columns.
 * It is there for speed alone: a year of minutes with few trades takes 25 ms by it, and 69 by the other. Tests hold both to the
 * same results, and each to those of one kline after the other (`quiet-stretch.test.ts`, `quiet-markets.test.ts`).
 */
export function* playThrough(playback: Playback, onClosed: OnClosed = () => true): Resumable<void> {
  const traded: readonly TradedPlayer[] = playback.traded
  const start = Math.min(...traded.map(({ klines }) => klines.openTime[0] ?? Number.POSITIVE_INFINITY))
  if (start === Number.POSITIVE_INFINITY) return
  const [first] = traded
  first?.replay.turnSession('sessionStarted', start)
  const playedRows = () => traded.reduce((sum, { played }) => sum + played, 0)
  let step = FIRST_STEP
  for (;;) {
    const before = playedRows()
    const goesOn =
      playback.type === 'stretches'
        ? playStretches(playback, step, onClosed)
        : playMoments(playback, step, onClosed)
    if (!goesOn) break
    step = nextStep(step, yield playedRows() - before)
  }
  first?.replay.turnSession('sessionEnding', playback.time)
}

/** Klines of the step after one of `step` klines that took so many ms. */
function nextStep(step: number, tookMs: number | undefined): number {
  if (tookMs === undefined) return BLOCK
  if (tookMs > 4 * QUICK_STEP_MS) return Math.max(1, Math.floor((step * QUICK_STEP_MS) / tookMs))
  return tookMs <= QUICK_STEP_MS ? Math.min(BLOCK, step * 2) : step
}

/** Plays the next `step` klines of a market that is alone, stretch by stretch; returns true if there are more. */
function playStretches(playback: StretchPlayback, step: number, onClosed: OnClosed): boolean {
  const {
    traded: [only],
    reveal,
  } = playback
  const { klines, replay } = only
  const end = Math.min(only.played + step, klines.length)
  if (reveal === undefined) replay.announce(klines, only.played, end)
  while (only.played < end) {
    const from = only.played
    reveal?.closing(only.closeTime(from))
    only.play(reveal === undefined ? end : from + 1)
    const goesOn = onClosed()
    playback.time = only.closeTime(goesOn ? only.played - 1 : from)
    if (!goesOn) return false
  }
  return only.played < klines.length
}

/**
 * Plays about `step` klines moment by moment; returns true if there may be more. At each moment the steps are: trades inside
 * the klines that close are booked, of recorded ticks all that became known before it; all these klines and those of feeds
 * count at their closes; they are shown in the order of `compareKlineCloses` (as live), so that a decision sees all earlier
 * events; other data is shown; orders trade at the opens of the klines that begin. An order decided at a close thus becomes
 * live at the next open of its own market, which after a gap may be much later.
 */
function playMoments(playback: MomentPlayback, step: number, onClosed: OnClosed): boolean {
  const { traded, closing, data, ticks, reveal } = playback
  for (let moments = 0; moments * closing.length < step; moments++) {
    const time = nextTimeOf(playback)
    if (time === Number.POSITIVE_INFINITY) return false
    playback.time = time
    reveal?.closing(time)
    ticks?.playUntil(time)
    const closes = closeAll(playback, time)
    for (const player of data) while (player.nextTime === time) player.dispatch()
    if (closes && !onClosed()) return false
    reveal?.opening(time)
    openAll(traded, time)
  }
  return true
}

/** Feed data after the last traded kline is ignored. */
function nextTimeOf({ traded, closing, data }: MomentPlayback): number {
  let time = Number.POSITIVE_INFINITY
  for (const { nextTime } of traded) if (nextTime < time) time = nextTime
  if (time === Number.POSITIVE_INFINITY) return time
  for (const { nextTime } of closing) if (nextTime < time) time = nextTime
  for (const { nextTime } of data) if (nextTime < time) time = nextTime
  return time
}

/** Closes the klines that end at a time; returns true if any of them is traded on. */
function closeAll({ traded, closing }: MomentPlayback, time: number): boolean {
  let closes = false
  for (const player of traded) {
    if (!player.closesAt(time)) continue
    player.walk()
    closes = true
  }
  // Every instrument counts at its close before any strategy decides on one.
  for (const player of closing) if (player.closesAt(time)) player.mark()
  for (const player of closing) if (player.closesAt(time)) player.close()
  return closes
}

/**
 * Lets orders trade at the opens of a time; orders that these fills cause in other markets trade at the opens
 * there.
 */
function openAll(players: readonly MarketPlayer[], time: number): void {
  let anyOpened = true
  while (anyOpened) {
    anyOpened = false
    for (const player of players) if (player.openAt(time)) anyOpened = true
  }
}
