import { strategyFiles } from '../../../backtest/manifest/strategy-files.ts'
import { PROJECT_FOLDER } from '../project.ts'

/** A warning for every strategy file that imports sources of information other than its market data. */
export function outsideImports(strategies: readonly string[]): readonly string[] {
  return [...new Set(strategies)].flatMap(file => {
    const outside = outsideOf(file)
    if (outside.length === 0) return []
    return `${file} imports ${outside.join(', ')}: what it decides may follow from more than the market it is shown, so that this result proves nothing. Leave that out.`
  })
}

function outsideOf(file: string): readonly string[] {
  try {
    return strategyFiles(file, PROJECT_FOLDER).outside
  } catch {
    return [] // that it cannot be read is told where it is loaded
  }
}
