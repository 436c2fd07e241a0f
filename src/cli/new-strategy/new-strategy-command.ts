import { resolve } from 'node:path'
import { DEFAULT_STORE } from '../../klines/store/default-store.ts'
import { KlineStore } from '../../klines/store/kline-store.ts'
import type { Streams } from '../command-line.ts'
import { storeGenerated } from '../klines/generate-command.ts'
import { GENERATED_VENUE } from '../klines/generated-klines.ts'
import { GENERATED_SPAN, USUAL_MARKET } from '../klines/generated-market.ts'
import { PROJECT_FOLDER } from '../project.ts'
import { writeSchemas } from '../schema/schema-command.ts'
import { FIRST_MARKET, strategyFiles } from './strategy-files.ts'
import { requireStrategyName } from './strategy-name.ts'
import { writeAll } from './write-all.ts'

/**
 * Writes a strategy, its test and the configuration of its backtest into the project, and sees to it that there are klines to
 * run it on; resolves to exit code 0, rejects with `UsageError` where the name or a file is in the way.
 */
export async function runNewStrategy(name: string, { out }: Pick<Streams, 'out'>): Promise<number> {
  requireStrategyName(name)
  const files = strategyFiles(name)
  writeAll(PROJECT_FOLDER, files)
  await writeSchemas(problem => out.write(`${problem}\n`))
  const isMade = await makeKlines(resolve(PROJECT_FOLDER, DEFAULT_STORE))
  const [strategy, test, config] = files.map(({ path }) => path)
  out.write(
    `${[
      `Wrote ${strategy}, ${test} and ${config}.`,
      ...(isMade ? [`Made up a year of ${FIRST_MARKET.symbol} in ${DEFAULT_STORE} to run it on.`] : []),
      '',
      'Run its test, its backtest, and the backtest again whenever you save:',
      `  npx vitest run ${test}`,
      `  npm run backtest -- --config ${config} --html ${name}.html`,
      `  npm run backtest -- --config ${config} --watch`,
    ].join('\n')}\n`,
  )
  return 0
}

/** Whether there were none yet. */
async function makeKlines(store: string): Promise<boolean> {
  const { symbol, interval } = FIRST_MARKET
  if (new KlineStore(store).klines({ venue: GENERATED_VENUE, symbol, interval }).extent() !== undefined)
    return false
  await storeGenerated({ ...FIRST_MARKET, ...GENERATED_SPAN, ...USUAL_MARKET }, store)
  return true
}
