import { relative, resolve } from 'node:path'
import type { MutantResult } from '@stryker-mutator/api/core'
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import type { Reporter } from '@stryker-mutator/api/report'
import { isSampled } from './mutant-sample.ts'

/** Prints each sampled mutant that no test noticed as soon as it is known, so that a run that is ended early has told something. */
class SurvivorList implements Reporter {
  readonly #seed = Number(process.env.SLUICE_MUTATION_SEED)
  readonly #share = Number(process.env.SLUICE_MUTATION_SHARE)

  onMutantTested(mutant: Readonly<MutantResult>): void {
    const { status, mutatorName, replacement } = mutant
    if (status !== 'Survived' && status !== 'NoCoverage') return
    // The checker never sees mutants that no test reaches, so these are sampled here.
    if (!isSampled({ ...mutant, replacement: replacement ?? '' }, this.#seed, this.#share)) return
    console.log(`${placeOf(mutant)} ${status}: ${mutatorName} -> ${replacement}`)
  }
}

function placeOf({ fileName, location }: Readonly<MutantResult>): string {
  const file = relative(process.cwd(), resolve(fileName))
  return `${file}:${location.start.line}:${location.start.column}`
}

/** The plug-in as StrykerJS loads it. */
export const strykerPlugins = [declareClassPlugin(PluginKind.Reporter, 'survivors', SurvivorList)]
