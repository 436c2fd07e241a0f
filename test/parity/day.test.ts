import { expect, it } from 'vitest'
import { runReplay as runJournal } from '../../src/cli/bot/replay-command.ts'
import type { EngineOutput } from '../../src/domain/events/engine-output.ts'
import type { RoundTrip } from '../../src/domain/round-trip.ts'
import { Journal } from '../../src/journal/journal.ts'
import { JournalReader } from '../../src/journal/journal-reader.ts'
import smaCross from '../../strategies/sma-cross.ts'
import { entriesThatDecided } from '../journal/entries-that-decided.ts'
import { journalPath } from '../journal/journal-session.ts'
import { hasShared } from '../shared-data.ts'
import { marketSlice } from './market-slice.ts'
import { runLive, runReplay } from './run-both.ts'

/** How long the bot trades; 24 is the long proof. */
const HOURS = Number(process.env.SLUICE_LIVE_HOURS ?? 3)
const HISTORY = 20

it.runIf(hasShared('data', 'binance-btcusdt-1m.csv.gz'))(
  `${HOURS} hours of a live bot, run again from its journal, decide the same, and make the round trips of a backtest`,
  async () => {
    const market = await marketSlice(10_000, HISTORY + HOURS * 60)
    const file = 'strategies/sma-cross.ts'
    const subject = { strategy: smaCross, file, parameters: { fast: 5, slow: 20 }, history: HISTORY }
    const path = journalPath()
    const journal = new Journal(path)
    const live = await runLive(market, subject, journal)
    journal.close()

    const said: string[] = []
    const out = { write: (text: string) => said.push(text) }
    // What `npm run replay -- JOURNAL` does: the strategy comes from its file.
    expect(await runJournal({ journal: path, json: true }, out)).toBe(0)
    const { check, result } = JSON.parse(said.join(''))
    expect(check).toMatchObject({ holds: true })
    expect(result).toMatchObject({ sessions: 1 })
    expect(result.difference).toBeUndefined()
    expect(result.events).toBeGreaterThan(HOURS * 60)
    const reader = new JournalReader(path)
    const roundTrips = roundTripsIn(reader)
    reader.close()

    const backtest = runReplay(market, subject, live.instrument)
    expect(roundTrips.length).toBeGreaterThan(HOURS)
    expect(roundTrips).toEqual(backtest.roundTrips.map(withoutTimes))
  },
)

/** The round trips that a journal says were closed. */
function roundTripsIn(reader: JournalReader): readonly object[] {
  return entriesThatDecided(reader, 'roundTripClosed').flatMap(({ decisions }) =>
    // What the engine gave, as the journal keeps it.
    (decisions as readonly EngineOutput[]).flatMap(output =>
      output.type === 'roundTripClosed' ? [withoutTimes(output.roundTrip)] : [],
    ),
  )
}

/** A live fill knows its second, a replayed one its kline; everything else must agree to the last digit. */
function withoutTimes({ entryTime: _entry, exitTime: _exit, ...rest }: RoundTrip): object {
  return rest
}
