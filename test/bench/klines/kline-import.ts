import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { readKlineFile } from '../../../src/klines/formats/read-kline-file.ts'
import { KlineStore } from '../../../src/klines/store/kline-store.ts'
import type { BenchRow } from '../bench-row.ts'
import { inTurns } from '../client/in-turns.ts'
import { benchKlines } from './bench-klines.ts'
import { csvOf } from './csv-of.ts'

const ROUNDS = 5

/** Klines per second from a packed CSV file into the store, on the disk, beside unpacking it and splitting it at lines and commas. */
export function klineImport(): BenchRow {
  return {
    name: 'import of a year of minutes from CSV.gz (bare: gunzip, split, Number)',
    unit: 'klines/s',
    async run() {
      const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
      const { klines } = await benchKlines()
      const file = join(folder, 'year.csv.gz')
      writeFileSync(file, gzipSync(csvOf(klines)))
      const ways = {
        sluice: (round: number) => importInto(join(folder, String(round)), file),
        bare: async () => parseBare(file),
      }
      let round = 0
      try {
        return await inTurns(ROUNDS, async who => {
          // Of all threads; what waits for the disk is no work.
          const before = process.cpuUsage()
          if ((await ways[who](round++)) !== klines.length) throw new Error('Klines were lost.')
          const { user, system } = process.cpuUsage(before)
          return klines.length / ((user + system) / 1e6)
        })
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  }
}

async function importInto(folder: string, file: string): Promise<number> {
  const { columns } = await readKlineFile(file)
  const series = new KlineStore(folder).klines({ venue: 'bench', symbol: 'BTC/USD', interval: '1m' })
  using writer = await series.openWriter()
  return writer.merge(columns, 'benchmark').added
}

function parseBare(file: string): number {
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n').slice(1)
  const columns = Array.from({ length: 6 }, () => new Float64Array(lines.length))
  for (let row = 0; row < lines.length; row++) {
    const fields = lines[row]?.split(',') ?? []
    for (const [index, column] of columns.entries()) column[row] = Number(fields[index])
  }
  return columns[0]?.length ?? 0
}
