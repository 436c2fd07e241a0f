import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { expect, it } from 'vitest'
import { ParquetTableFile } from '../../../src/klines/formats/parquet/parquet-table-file.ts'

it('writes rows in groups, so that a file of many takes no more memory than one of few', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'sluice-table-')), 'table.parquet')
  const table = new ParquetTableFile(path, 'rows', [
    { name: 'text', type: 'STRING' },
    { name: 'number', type: 'DOUBLE' },
  ])
  const rows = Array.from({ length: 10_001 }, (_, row) => ({
    text: row % 3 === 0 ? null : `${row} é`,
    number: row % 5 === 0 ? null : row + 0.1,
  }))
  for (const { text, number } of rows) table.add([text, number])
  table.finish()
  const file = new Uint8Array(readFileSync(path)).buffer
  expect(parquetMetadata(file).row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([10_000, 1])
  expect(await parquetReadObjects({ file, compressors })).toEqual(rows)
})
