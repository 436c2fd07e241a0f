import { resolve } from 'node:path'
import { DEFAULT_STORE } from '../../klines/store/default-store.ts'
import { KlineStore } from '../../klines/store/kline-store.ts'
import { storeGenerated } from '../klines/generate-command.ts'
import { GENERATED_VENUE } from '../klines/generated-klines.ts'
import { GENERATED_SPAN, USUAL_MARKET } from '../klines/generated-market.ts'
import { PROJECT_FOLDER } from '../project.ts'
import { writeSchemas } from '../schema/schema-command.ts'
import type { OutputStreams } from '../streams.ts'
import { FIRST_MARKET, newStrategyFiles } from './new-strategy-files.ts'
import { requireStrategyName } from './strategy-name.ts'
import { type TemplateMarket, templateFiles, templateOf } from './templates.ts'
import { writeAll } from './write-all.ts'

/**
 * Writes a strategy, its test and its configuration into the project, new or from one of the examples, and
 * generates klines for it if needed; resolves to exit code 0, rejects with `UsageError` for an unusable name
 * or an existing file.
 */
export async function runNewStrategy(
  name: string,
  template: string | undefined,
  { out }: Pick<OutputStreams, 'out'>,
): Promise<number> {
  requireStrategyName(name)
  const { isBot = false, others = [] } = template === undefined ? {} : templateOf(template)
  const files =
    template === undefined ? newStrategyFiles(name) : templateFiles(name, template, PROJECT_FOLDER)
  writeAll(PROJECT_FOLDER, files)
  await writeSchemas(problem => out.write(`${problem}\n`))
  const [strategy, test, config] = files.map(({ path }) => path)
  const lines = [`Wrote ${strategy}, ${test} and ${config}.`]
  for (const market of isBot ? [] : [{ ...USUAL_MARKET, symbol: FIRST_MARKET.symbol }, ...others]) {
    const isMade = await makeKlines(resolve(PROJECT_FOLDER, DEFAULT_STORE), market)
    if (isMade) lines.push(`Made up a year of ${market.symbol} in ${DEFAULT_STORE} to run it on.`)
  }
  const [heading, ...commands] = isBot
    ? ['Run its test, and trade a made-up market with it:', `  npm start -- --config ${config}`]
    : [
        'Run its test, its backtest, and the backtest again whenever you save:',
        `  npm run backtest -- --config ${config} --html ${name}.html`,
        `  npm run backtest -- --config ${config} --watch`,
      ]
  lines.push('', heading ?? '', `  npx vitest run ${test}`, ...commands)
  out.write(`${lines.join('\n')}\n`)
  return 0
}

/** Generates klines for a market; `false` if they are already stored. */
async function makeKlines(store: string, market: TemplateMarket): Promise<boolean> {
  const { symbol } = market
  const { interval } = FIRST_MARKET
  if (new KlineStore(store).klines({ venue: GENERATED_VENUE, symbol, interval }).extent() !== undefined)
    return false
  await storeGenerated({ ...USUAL_MARKET, ...market, interval, ...GENERATED_SPAN }, store)
  return true
}
