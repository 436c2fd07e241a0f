import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { type Checker, type CheckResult, CheckStatus } from '@stryker-mutator/api/check'
import type { Mutant } from '@stryker-mutator/api/core'
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'

type Place = Pick<Mutant, 'fileName' | 'location' | 'replacement' | 'mutatorName'>

/** Says whether a mutant belongs to the sample: a share of all mutants (0 to 1), the same for the same seed and source. */
function isSampled(mutant: Place, seed: number, share: number): boolean {
  const { start, end } = mutant.location
  const key = [
    seed,
    basename(mutant.fileName),
    start.line,
    start.column,
    end.line,
    end.column,
    mutant.replacement,
  ]
  return createHash('sha256').update(key.join(':')).digest().readUInt32BE() / 2 ** 32 < share
}

/** Reports mutants outside the sample as invalid, so that no test is run for them. */
class SampleChecker implements Checker {
  readonly #seed = Number(process.env.SLUICE_MUTATION_SEED)
  readonly #share = Number(process.env.SLUICE_MUTATION_SHARE)

  async init(): Promise<void> {
    // Nothing to prepare.
  }

  async check(mutants: Mutant[]): Promise<Record<string, CheckResult>> {
    const resultOf = (mutant: Mutant): CheckResult =>
      isSampled(mutant, this.#seed, this.#share)
        ? { status: CheckStatus.Passed }
        : { status: CheckStatus.CompileError, reason: 'not in the sample' }
    return Object.fromEntries(mutants.map(mutant => [mutant.id, resultOf(mutant)]))
  }

  async group(mutants: Mutant[]): Promise<string[][]> {
    return [mutants.map(({ id }) => id)]
  }
}

/** The plug-in as StrykerJS loads it. */
export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'sample', SampleChecker)]
