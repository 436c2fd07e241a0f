import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { examineJournal } from '../../../src/bot/doctor/examine-journal.ts'
import { createBotLog } from '../../../src/bot/log/bot-log.ts'
import { runBackup } from '../../../src/cli/bot/backup-command.ts'
import { runReplay } from '../../../src/cli/bot/replay-command.ts'
import { runView } from '../../../src/cli/bot/view-command.ts'
import { runCompare } from '../../../src/cli/compare/compare-command.ts'
import { runReport } from '../../../src/cli/live-report/report-command.ts'
import { StartJournal } from '../../../src/cli/start-journal.ts'
import { versionOf, versionOneJournal } from '../../journal/version-one.ts'

const out = { write: () => true, on: () => {} } as never // nothing is written

describe('a journal of an earlier version', () => {
  it.each<[string, (journal: string) => Promise<unknown>]>([
    ['replay', journal => runReplay({ journal, json: false }, out)],
    [
      'view',
      journal => runView({ journals: [journal], port: 0, json: false, study: false }, { out, err: out }),
    ],
    ['report', journal => runReport({ journal, html: join(dirname(journal), 'report.html') }, out)],
    ['compare', journal => runCompare({ journal, slippage: 0, bound: 0, json: false }, out)],
    ['backup', journal => runBackup({ journal, file: join(dirname(journal), 'copy'), json: false }, out)],
  ])('is not touched by %s, which says what to do', async (_command, run) => {
    const path = versionOneJournal()
    await expect(run(path)).rejects.toThrow(
      /has version 1 of an earlier Sluice.*Start its bot once with this Sluice/,
    )
    expect(versionOf(path)).toBe('1')
  })

  it('is no problem to the doctor, who changes nothing', () => {
    const path = versionOneJournal()
    expect(examineJournal(path, true)).toMatchObject([
      { status: 'ok' },
      {
        status: 'ok',
        found: 'It is of an earlier version; a start copies it beside itself and upgrades it.',
      },
    ])
    expect(versionOf(path)).toBe('1')
  })

  it('is upgraded by a start, which says so in one line', () => {
    const path = versionOneJournal()
    const lines: string[] = []
    const stream = { write: (line: string) => lines.push(line) }
    const log = createBotLog({ level: 'info', readable: true, stream })
    const kept = new StartJournal({ file: path, keepEntries: 1000, snapshotEntries: 1000 }, log)
    kept.close()
    expect(lines.filter(line => line.includes('version'))).toEqual([
      expect.stringContaining(
        `Upgraded the journal ${path} from version 1; as it was it is kept in ${path}.version-1`,
      ),
    ])
    expect(versionOf(path)).toBe('2')
  })
})
