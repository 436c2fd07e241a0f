import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rerunSearch } from '../../research/rerun/rerun-search.ts'
import { fileWith } from '../sluice-process.ts'

const SEARCHES = 10 * Number(process.env.SLUICE_RUNS ?? 1)

describe('the command that a search prints for its best trial', () => {
  it(`comes to the same bytes: of ${SEARCHES} searches that seeds decide, all that have a best one`, async () => {
    const folder = dirname(fileWith('folder.txt', ''))
    let printed = 0
    // One of each strategy.
    for (let seed = 201; seed <= 200 + SEARCHES; seed++) {
      const rerun = await rerunSearch(seed, folder)
      expect(rerun).toMatchObject({ differences: [] })
      if (rerun.printed !== undefined) printed++
    }
    expect(printed).toBeGreaterThan(SEARCHES / 2)
  })
})
