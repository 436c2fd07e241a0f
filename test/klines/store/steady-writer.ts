/** A process that stores batch after batch in the folder `argv[2]`, and tells after each how many klines are stored. */

import { KlineStore } from '../../../src/klines/store/kline-store.ts'
import { BATCH, klinesOfBatch, SERIES } from './steady-batches.ts'

using writer = await new KlineStore(process.argv[2] ?? '').klines(SERIES).openWriter()
for (let batch = 0; ; batch++) {
  writer.merge(klinesOfBatch(batch), 'batches', rows => process.stdout.write(`${batch * BATCH + rows}\n`))
}
