import { relative, resolve } from 'node:path'
import type { MutantResult } from '@stryker-mutator/api/core'
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import type { Reporter } from '@stryker-mutator/api/report'

/** Prints each sampled mutant that no test noticed as soon as it is known, so that a run that is ended early has told something. */
class SurvivorList implements Reporter {
  onMutantTested(mutant: Readonly<MutantResult>): void {
    const { status, mutatorName, replacement } = mutant
    if (status !== 'Survived' && status !== 'NoCoverage') return
    console.log(`${placeOf(mutant)} ${status}: ${mutatorName} -> ${replacement}`)
  }
}

function placeOf({ fileName, location }: Readonly<MutantResult>): string {
  const file = relative(process.cwd(), resolve(fileName))
  return `${file}:${location.start.line}:${location.start.column}`
}

/** The plug-in as StrykerJS loads it. */
export const strykerPlugins = [declareClassPlugin(PluginKind.Reporter, 'survivors', SurvivorList)]
