import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { nearestName } from '../../domain/nearest-name.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { DOCUMENT_PROFILE } from '../../exchange/profiles/document-profile.ts'
import type { ExchangeProfile } from '../../exchange/profiles/exchange-profile.ts'
import { parseConfig } from '../parse-config.ts'
import { readYamlFile } from '../yaml-file.ts'
import { profileSchema } from './profile-schema.ts'

const FOLDER = join(import.meta.dirname, '../../../config/profiles')
const EXTENSION = /\.ya?ml$/

/** `venue.profile` of a host that nothing is known of: the start asks it. */
export const DETECT = 'detect'

/** Names of the profiles in config/profiles, in alphabetical order. */
export function profileNames(): readonly string[] {
  return readdirSync(FOLDER)
    .filter(file => EXTENSION.test(file))
    .map(file => basename(file).replace(EXTENSION, ''))
    .toSorted()
}

/**
 * The profile of a name in config/profiles, or of a YAML file by its path; `detect` is the document until the
 * hosts are asked. Throws `UsageError` for an unknown name, and for a file with mistakes, each with its line.
 */
export function loadProfile(given: string): ExchangeProfile {
  if (given === DETECT) return { ...DOCUMENT_PROFILE, name: DETECT }
  return { name: given, ...parseConfig(readYamlFile(pathOf(given)), profileSchema) }
}

function pathOf(given: string): string {
  if (/[/\\]/.test(given) || EXTENSION.test(given)) return given
  const names = profileNames()
  if (names.includes(given)) return join(FOLDER, `${given}.yaml`)
  const nearest = nearestName(given, names)
  throw new UsageError(
    `No profile is called "${given}".${nearest === undefined ? '' : ` Did you mean "${nearest}"?`} There are ${names.join(', ')}; or give the path of a YAML file, or ${DETECT} for a host that nothing is known of.`,
  )
}
