import { resultJson } from '../../../backtest/report/export/result-json.ts'
import { compareResults, type PartComparison } from '../../../backtest/validation/compare-results.ts'
import { interruptible } from '../interruption.ts'
import type { OutputStreams } from '../streams.ts'
import { backtestReport } from './backtest-command.ts'
import { readRecordedResult } from './recorded-result.ts'

/**
 * Runs a result's backtest again and compares both; resolves to exit code 0 if they are equal byte for byte,
 * otherwise to 1; rejects with `UsageError` for a file that is not a result, and for missing inputs.
 */
export async function verifyCommand(
  path: string,
  { out, err }: Pick<OutputStreams, 'out' | 'err'>,
): Promise<number> {
  const recorded = readRecordedResult(path)
  const report = await interruptible(() => backtestReport(recorded.options, err))
  // The recorded inputs, in place of how they were given now.
  const manifest = { ...report.manifest, inputs: recorded.inputs }
  const bytes = resultJson({ ...report, manifest })
  const isEqual = Buffer.compare(bytes, recorded.bytes) === 0
  const now: Record<string, unknown> = JSON.parse(new TextDecoder().decode(bytes))
  out.write(`${verdictText(path, compareResults(recorded.object, now), isEqual)}\n`)
  return isEqual ? 0 : 1
}

function verdictText(path: string, parts: readonly PartComparison[], isEqual: boolean): string {
  const lines = parts.map(
    ({ part, difference }) => `  ${difference === undefined ? 'equal   ' : 'differs '} ${difference ?? part}`,
  )
  return [verdictOf(path, parts, isEqual), ...lines].join('\n')
}

function verdictOf(path: string, parts: readonly PartComparison[], isEqual: boolean): string {
  if (isEqual) return `${path} is verified: the same run gives the same bytes.`
  const changed = parts.filter(({ difference }) => difference !== undefined).map(({ part }) => part)
  if (changed.length === 0)
    return `${path} is not verified: it has the same content in other bytes, so another program wrote it.`
  const isInput = (part: string) => part.startsWith('manifest.')
  const outcome = changed.every(isInput)
    ? 'its manifest is not that of the run now, though everything else is equal.'
    : changed.some(isInput)
      ? 'its inputs have changed, and so has the result.'
      : 'the same inputs give another result, so the file was changed or the run is not deterministic.'
  return `${path} is not verified: ${outcome}`
}
